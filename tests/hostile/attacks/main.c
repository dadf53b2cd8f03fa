/* SPDX-License-Identifier: MIT */
#include "tests/hostile/attacks/attacks.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void attack_tell(long result)
{
    attack_say(result < 0 ? strerrorname_np(errno) : "done");
}

void attack_say(const char *word)
{
    printf("%s\n", word);
    fflush(stdout);
}

void attack_judge(int truth, const char *word, const char *contrary)
{
    attack_say(truth ? word : contrary);
}

/* "call N": makes the system call with that number and arguments 0. */
static void make_call(const char *number)
{
    attack_tell(syscall(atol(number), 0L, 0L, 0L, 0L, 0L, 0L));
}

int main(int argc, char **argv)
{
    static const struct attack *const lists[] = {
        attacks_on_processes, attacks_on_memory,    attacks_on_files,
        attacks_on_signals,   attacks_on_kernel,    attacks_by_channel,
        attacks_on_freezing,  attacks_on_neighbors, attacks_by_loopback};

    const bool is_list = argc == 2 && strcmp(argv[1], "names") == 0;

    if (argc == 3 && strcmp(argv[1], "call") == 0) {
        make_call(argv[2]);
        return 0;
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const struct attack *attack = lists[i]; attack->name; attack++)
            if (is_list) {
                attack_say(attack->name);
            } else if (argc >= 2 && strcmp(argv[1], attack->name) == 0) {
                attack->run_fn();
                return 0;
            }
    if (is_list)
        return 0;
    fprintf(stderr, "there is no attack '%s'\n", argc >= 2 ? argv[1] : "");
    return 100;
}
