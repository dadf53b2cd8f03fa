/* SPDX-License-Identifier: MIT */
#include "arena/commands/game_output.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/base/memory.h"
#include "arena/commands/commands.h"
#include "arena/commands/options.h"
#include "arena/base/place.h"
#include "arena/base/file.h"
#include "arena/replay/replay.h"
#include "arena/base/plain_text.h"
#include "arena/site/viewer.h"
#include "arena/store/games.h"

enum {
    RUNS_MAX = 100000, /* maximum number of subfolders for runs in one folder */
};

/* ---- the folders ---- */

/* Creates a folder and its parents, and checks that the folder is writable. */
static int make_folder(const char *option, const char *path)
{
    char partial[PATH_MAX];
    struct stat status;

    if (snprintf(partial, sizeof partial, "%s", path) >= (int)sizeof partial)
        return command_refuse("%s %s: %s", option, path, strerror(ENAMETOOLONG));
    for (char *slash = partial; (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(partial, 0755); /* if this mkdir fails, the mkdir of the last folder fails, too */
        *slash = '/';
    }
    if (mkdir(partial, 0755) < 0 && errno != EEXIST)
        return command_refuse_errno(errno, "%s %s: %s", option, path, strerror(errno));
    if (stat(path, &status) < 0 || !S_ISDIR(status.st_mode) || access(path, W_OK | X_OK) < 0)
        return command_refuse("%s %s: is not a folder that can be written to", option, path);
    return COMMAND_DONE;
}

/* Returns true if a folder exists and contains files of this suffix. */
static bool has_files(const char *path, const char *suffix)
{
    size_t suffix_length = strlen(suffix);
    DIR *folder = path ? opendir(path) : NULL;
    const struct dirent *entry;
    bool found = false;

    while (folder && !found && (entry = readdir(folder))) {
        size_t length = strlen(entry->d_name);

        found =
            length > suffix_length && strcmp(entry->d_name + length - suffix_length, suffix) == 0;
    }
    if (folder)
        closedir(folder);
    return found;
}

/*
 * Replaces *folder by the folder of run number `run`: `wanted` itself for run 1, else the subfolder
 * wanted/run.
 */
static void name_folder(char **folder, const char *wanted, int run)
{
    free(*folder);
    *folder = NULL;
    if (wanted && run == 1)
        *folder = strdup(wanted);
    else if (wanted && asprintf(folder, "%s%s%d", wanted,
                                wanted[strlen(wanted) - 1] == '/' ? "" : "/", run) < 0)
        *folder = NULL;
}

static int open_folder(const char *option, const char *wanted, const char *folder, const char *what)
{
    int status;

    if (!wanted)
        return COMMAND_DONE;
    status = folder ? make_folder(option, folder) : command_fail("out of memory");
    if (status == COMMAND_DONE && strcmp(folder, wanted) != 0)
        plain_text_printf(stderr, "%s: the %s of this run go to %s, beside those of earlier runs\n",
                          wanted, what, folder);
    return status;
}

int game_output_begin(struct game_output *output)
{
    int run = 0, status;

    do {
        name_folder(&output->replay_folder, output->replays, ++run);
        name_folder(&output->log_folder, output->logs, run);
    } while (run < RUNS_MAX && (has_files(output->replay_folder, ".replay") ||
                                has_files(output->log_folder, ".log")));
    status = open_folder("--replays", output->replays, output->replay_folder, "replays");
    return status == COMMAND_DONE ? open_folder("--log", output->logs, output->log_folder, "logs")
                                  : status;
}

void game_output_finish(struct game_output *output)
{
    free(output->replay_folder);
    free(output->log_folder);
}

/* ---- replays and pages ---- */

int game_output_write(const struct replay *replay, const char *path)
{
    uint8_t *bytes = NULL;
    size_t size = replay_pack(replay, &bytes);
    int error = size > 0 ? place_write_new(path, bytes, size) : -ENOMEM;

    free(bytes);
    return error < 0 ? command_fail("%s: %s%s", path, strerror(-error), place_cure(error))
                     : COMMAND_DONE;
}

static int put(const char *file, const char *page, size_t size)
{
    int result;

    if (strcmp(file, "-") == 0) {
        fwrite(page, 1, size, stdout); /* command_finish_output reports a failure */
        return COMMAND_DONE;
    }
    result = viewer_put(file, page, size);
    if (result == -EEXIST)
        return command_refuse(
            "%s: already exists and is not a page of the arena; choose another name", file);
    if (result < 0)
        return command_refuse_errno(-result, "%s: %s: name a file that can be written", file,
                                    strerror(-result));
    plain_text_printf(stdout, "%s: open it in a browser\n", file);
    return COMMAND_DONE;
}

int game_output_page(const struct replay *replay, const uint8_t *bytes, size_t size,
                     const char *path, const json_t *analysis, const char *file)
{
    char error[REPLAY_ERROR_BYTES];
    const struct viewer_page viewer = {.pages = pages_create(NULL, error),
                                       .replay = replay,
                                       .bytes = bytes,
                                       .size = size,
                                       .path = path,
                                       .analysis = analysis};
    char *page = NULL;
    size_t page_bytes;
    FILE *stream = memory_stream(&page, &page_bytes);
    int status;

    status = viewer.pages ? viewer_write(stream, &viewer, error) : -1;
    memory_stream_end(stream);
    pages_destroy(viewer.pages);
    if (status < 0)
        status = command_fail("%s: %s", path, error);
    else
        status = put(file, page, page_bytes);
    free(page);
    return status;
}

/*
 * Returns the path at which this run stores the replay of a game. Returns NULL after printing why.
 */
static char *replay_path(struct game_output *output, const struct replay *replay)
{
    const char *folder = output->replay_folder ? output->replay_folder : ".";
    char *path = output->failed ? NULL : replay_file_path(folder, replay->terms.id);

    if (!path && !output->failed)
        output->failed = command_fail("out of memory") != COMMAND_DONE;
    return path;
}

void game_output_keep(struct game_output *output, const struct replay *replay)
{
    char *path = output->replay_folder ? replay_path(output, replay) : NULL;

    if (path)
        output->failed = game_output_write(replay, path) != COMMAND_DONE;
    free(path);
}

void game_output_log(struct game_output *output, const char *match, int seat, const char *bot,
                     const struct tail *errors)
{
    int error = output->log_folder && !output->failed
                    ? error_file_write(output->log_folder, match, seat, bot, errors)
                    : 0;

    if (error < 0)
        output->failed =
            command_fail("%s: %s%s", output->log_folder, strerror(-error), place_cure(error)) != 0;
}

void game_output_open(struct game_output *output, const struct replay *replay, const char *label)
{
    char *path = output->open ? replay_path(output, replay) : NULL, file[PATH_MAX];
    uint8_t *bytes = NULL;
    size_t size = path ? replay_pack(replay, &bytes) : 0;

    if (!path)
        return;
    snprintf(file, sizeof file, "%.*s.html", (int)(strlen(path) - strlen(".replay")), path);
    fputs(label, stdout);
    output->failed =
        (size > 0 ? game_output_page(replay, bytes, size, path, NULL, file)
                  : command_fail("%s: out of memory: the page of this replay is not written",
                                 path)) != COMMAND_DONE;
    free(bytes);
    free(path);
}

static int read_stored(const char *id, uint8_t **bytes, size_t *size)
{
    struct store *store;
    int result = store_option_open(STORE_READ, &store);

    if (result != COMMAND_DONE)
        return result;
    result = store_option_status(store, store_replay_find(store, id, bytes, size));
    store_close(store);
    return result;
}

int game_output_read(const char *path, uint8_t **bytes, size_t *size)
{
    char season[STORE_NAME_BYTES_MAX + 1];
    int group, rotation;
    int result = file_read(path, REPLAY_BYTES_MAX, bytes, size);

    if (result == -ENOENT && store_game_id_parse(path, season, &group, &rotation))
        return read_stored(path, bytes, size);
    if (result < 0)
        return command_refuse_errno(
            -result, "%s: %s: name the file of a replay, or a game that `arena games` lists", path,
            strerror(-result));
    return COMMAND_DONE;
}
