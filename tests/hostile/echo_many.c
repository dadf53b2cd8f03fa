/* SPDX-License-Identifier: MIT */
/*
 * `echo_many FOLDER PROGRAM [ARGUMENT ...]`: runs a program in the sandbox as a bot and makes it
 * echo a thousand lines. Exits with status 0 if all came back and the program exited with 0.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/commands/probe.h"

enum {
    LINE_COUNT = 1000,
    LIMIT_MS = 60000,
};

int main(int argc, char **argv)
{
    static char lines[LINE_COUNT][16];
    static struct probe_message messages[LINE_COUNT];
    struct sandbox_command command = {.executable_fd = -1, .cpu = -1};
    struct sandbox_failure failure;
    struct sandbox *sandbox;
    struct probe probe;
    char end[256];

    if (argc < 3) {
        fputs("usage: echo_many FOLDER PROGRAM [ARGUMENT ...]\n", stderr);
        return 2;
    }
    command.folder = argv[1];
    command.argv = (const char *const *)argv + 2;
    for (int i = 0; i < LINE_COUNT; i++) {
        int length = snprintf(lines[i], sizeof lines[i], "line %d\n", i);

        messages[i] = (struct probe_message){lines[i], (size_t)length, .is_echoed = true};
    }
    if (sandbox_create(&sandbox, NULL, &failure) < 0 ||
        probe_run(sandbox, &command, messages, LINE_COUNT, LIMIT_MS, &probe) < 0) {
        fprintf(stderr, "echo_many: cannot confine it\n");
        return 1;
    }
    sandbox_destroy(sandbox);
    probe_describe(&probe, end, sizeof end);
    printf("%4d of %d in %5lld ms, %s", probe.answered_count, LINE_COUNT,
           (long long)probe.taken_us / 1000, end);
    if (probe.answered_count < LINE_COUNT)
        printf("; %s", probe.errors);
    putchar('\n');
    return probe.answered_count == LINE_COUNT && probe.verdict.end == SANDBOX_END_EXITED &&
                   probe.verdict.status == 0
               ? 0
               : 1;
}
