/* arena build: builds a bot as a match would, and shows all output of the build. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/bundled.h"
#include "arena/commands/commands.h"
#include "arena/commands/play_options.h"
#include "arena/play/source.h"
#include "arena/replay/plain_text.h"

static const char usage[] = "usage: arena build [OPTION ...] BOT\n"
                            "\n"
                            "Builds the bot in a folder, in the sandbox, as every other command "
                            "does, and shows everything\n"
                            "that the build prints. The result is cached for later commands.\n"
                            "\n"
                            "  --build-space MIB  disk space that the build may use (2048)\n"
                            "  --require TIER     as in `arena match --help`\n";

enum build_option {
    OPTION_HELP = PLAY_OPTION_END,
};

static const struct option options[] = {
    {"build-space", required_argument, NULL, PLAY_OPTION_BUILD_SPACE},
    {"require", required_argument, NULL, PLAY_OPTION_REQUIRE},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

/* The incomplete last line of the output: only complete lines are shown. */
struct line {
    char text[4096];
    size_t size;
};

static void flush_line(struct line *line)
{
    if (line->size > 0)
        plain_text_print_lines(stdout, line->text, line->size);
    fflush(stdout);
    line->size = 0;
}

static void print_output(void *owner, const char *bytes, size_t size)
{
    struct line *line = owner;

    for (size_t i = 0; i < size; i++) {
        line->text[line->size++] = bytes[i];
        if (bytes[i] == '\n' || line->size == sizeof line->text)
            flush_line(line);
    }
}

static int build(const char *path, const char *stage, const struct play_options *play,
                 struct sandbox *sandbox)
{
    struct line line = {.size = 0};
    struct source_options how;
    struct source source;
    char error[SOURCE_ERROR_BYTES];
    int result;

    bot_argument_options(&how, play, sandbox, NULL);
    how.rebuild = true;
    how.progress_fn = NULL;
    how.output_fn = print_output;
    how.owner = &line;
    result = source_open(&source, path, stage, 0, &how, error);
    bot_argument_options_finish(&how);
    flush_line(&line);
    if (result < 0)
        return bot_argument_refuse(result, error);
    plain_text_printf(stdout, "%s: %s\n", source.manifest.name,
                      source.manifest.build ? "built" : "has no build");
    source_close(&source);
    return COMMAND_DONE;
}

static int open_and_build(const char *argument, struct play_options *play)
{
    char *path = bundled_resolve(argument);
    struct sandbox *sandbox = NULL;
    struct stage *stage = NULL;
    int status =
        path ? play_options_open_sandbox(play, 1, &sandbox) : command_fail("%s", strerror(ENOMEM));

    if (status != COMMAND_DONE) {
        free(path);
        return status;
    }
    status = bot_argument_stage(&stage, sandbox);
    if (status == COMMAND_DONE)
        status = build(path, stage->path, play, sandbox);
    stage_destroy(stage);
    sandbox_destroy(sandbox);
    free(path);
    return status;
}

int command_build(int argc, char **argv)
{
    struct play_options play = play_options_default;
    int option;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (option == OPTION_HELP) {
            fputs(usage, stdout);
            return COMMAND_DONE;
        }
        if (option == '?' || option == ':')
            return play_options_refuse("build", option, argv);
        if (play_options_take(&play, option, optarg) != COMMAND_DONE)
            return COMMAND_USAGE;
    }
    if (argc - optind != 1)
        return command_refuse("build: name one bot: see `arena build --help`");
    return open_and_build(argv[optind], &play);
}
