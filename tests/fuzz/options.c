/* SPDX-License-Identifier: MIT */
/*
 * A command line, a word a line, for the program `arena`: read by the tables of its options, and
 * not run. It is taken, or refused with status 2 and a line; `--help` prints.
 */
int arena_main(int argc, char **argv);

#define ARENA_VERSION "fuzz"
#define main          arena_main
#include "arena/main.c" /* NOLINT(bugprone-suspicious-include) */
#undef main

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

const char arena_commit[] = "";

enum {
    WORDS_MAX = 40,
    MESSAGE_BYTES_MAX = 1 << 20,
};

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* ---- what replaces the other machine, to which the command is sent: it is not run ---- */

static bool was_sent;

static bool may_run(const struct command_line *line, int *status)
{
    return true;
}

static int take_option(const struct option *option, const char *value)
{
    require(option->name && (value || option->flag || !option->argument));
    return COMMAND_DONE;
}

static int take_arguments(const struct command_line *line, int argc, char **argv)
{
    require(argc >= 0 && argc < WORDS_MAX);
    return COMMAND_DONE;
}

static bool send_nothing(const struct command_line *line, int *status)
{
    was_sent = true;
    *status = COMMAND_DONE;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct options_detour detour = {may_run, take_option, take_arguments,
                                                 send_nothing};
    char *text = strndup((const char *)bytes, size), *rest = text;
    char *argv[WORDS_MAX + 1] = {"arena"};
    int argc = 1, status;
    long said;

    if (!options_detour) {
        stdout = fopen("/dev/null", "we");
        stderr = fmemopen(NULL, MESSAGE_BYTES_MAX, "w");
        require(stdout && stderr);
        options_detour = &detour;
    }
    while (argc < WORDS_MAX && rest && size > 0)
        argv[argc++] = strsep(&rest, "\n");
    rewind(stderr);
    was_sent = false;
    status = command_run(&arena, argc, argv);
    said = ftell(stderr);
    require(status == COMMAND_DONE || (status == COMMAND_USAGE && !was_sent && said > 0));
    require(status != COMMAND_DONE || said == 0);
    free(text);
    return 0;
}
