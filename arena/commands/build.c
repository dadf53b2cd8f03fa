/* SPDX-License-Identifier: MIT */
/* arena build: builds a bot as a match would, and shows all output of the build. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/commands.h"
#include "arena/base/plain_text.h"

/* The incomplete last line of the build's output, kept because only whole lines are printed. */
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

static struct play_options play = PLAY_OPTIONS_DEFAULT;

static int build(const char *path, const struct bot_room *room)
{
    struct line line = {.size = 0};
    struct source_options how;
    struct source source;
    char error[SOURCE_ERROR_BYTES];
    int result;

    if (access(path, F_OK) < 0)
        return bot_argument_refuse_missing(path, NULL);
    bot_argument_options(&how, &play, room->sandbox, NULL);
    how.rebuild = true;
    how.progress_fn = NULL;
    how.output_fn = print_output;
    how.owner = &line;
    result = source_open(&source, path, room->stage->path, 0, &how, error);
    flush_line(&line);
    if (result < 0)
        return bot_argument_refuse(result, error);
    plain_text_printf(stdout, "%s: %s\n", source.manifest.name,
                      source.manifest.build ? "built" : "has no build");
    source_close(&source);
    return COMMAND_DONE;
}

static int run(int argc, char **argv)
{
    struct bot_room room = {.sandbox = NULL};
    char *path = bot_argument_path(argv[0]);
    int status = (path ? bot_room_open(&room, &play) : COMMAND_FAILED) ?: build(path, &room);

    bot_room_close(&room);
    free(path);
    return status;
}

static const struct option options[] = {
    PLAY_OPTION_BUILD_SPACE(&play), PLAY_OPTION_REQUIRE(&play), {0}};

const struct command_line command_build = {
    .name = "build",
    .usage = "[OPTION ...] BOT",
    .about = "Builds a bot in the sandbox, as every other command does, and shows everything "
             "that the build prints. Later commands use the built bot.",
    .options = options,
    .least = 1,
    .arguments = "name one bot",
    .run_fn = run};
