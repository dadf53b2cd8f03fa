/* SPDX-License-Identifier: MIT */
/*
 * What a command keeps of the games it plays: replays and logs in folders, pages; and how commands
 * read replays.
 */
#ifndef ARENA_COMMANDS_GAME_OUTPUT_H
#define ARENA_COMMANDS_GAME_OUTPUT_H

#include <jansson.h>

#include "arena/play/channel.h"
#include "arena/replay/replay.h"

struct game_output {
    /* Set by the command's options. */
    const char *replays; /* folder for replays; NULL: none */
    const char *logs;    /* folder for what bots write to standard error; NULL: none */
    bool open;           /* write a page of each game */

    char *replay_folder, *log_folder; /* folders to which this run writes; NULL: none */
    bool failed;                      /* a file could not be written; an error was printed */
};

/* Entries of a command's option table, which set the fields of a game_output. */
/* clang-format off */
#define GAME_OUTPUT_OPTIONS(output) \
    {"replays", "DIR", \
     "write DIR/MATCH.replay for each game; into DIR/2, DIR/3, ... if DIR has replays or logs", \
     .text = &(output)->replays}, \
    {"log", "DIR", \
     "write each bot's standard error, at most 64 KiB a game, to DIR/MATCH-SEAT-BOT.log; " \
     "DIR/2, DIR/3, ... have the same numbers as those of --replays", \
     .text = &(output)->logs}, \
    {"open", NULL, \
     "write each game's page, DIR/MATCH.html (MATCH.html without --replays), and print its path", \
     .flag = &(output)->open, .excludes = "json"}
/* clang-format on */

/*
 * Creates the folders of this run: those that the user named; or, if one of them has replays or
 * logs of another run, the first of their subfolders 2, 3, ... that are free. Returns a command's
 * status.
 */
int game_output_begin(struct game_output *output);

/*
 * Stores the replay of a finished game, if the user asked for replays. Does nothing once writing a
 * file has failed.
 */
void game_output_keep(struct game_output *output, const struct replay *replay);

/* Stores what a bot wrote to standard error in a game, if the user asked for logs. */
void game_output_log(struct game_output *output, const char *match, int seat, const char *bot,
                     const struct tail *errors);

/*
 * Writes the page of a finished game, if the user asked for pages, and prints `label` and the
 * page's path.
 */
void game_output_open(struct game_output *output, const struct replay *replay, const char *label);

/* Frees the folders' names. */
void game_output_finish(struct game_output *output);

/* Stores a replay at the path. Returns a command's status. */
int game_output_write(const struct replay *replay, const char *path);

/*
 * Reads a replay: from a file if a file has that name, else from the store if the name could be a
 * game's id. Returns a command's status; the caller frees *bytes.
 */
int game_output_read(const char *path, uint8_t **bytes, size_t *size);

/*
 * Writes the page of a replay to a file; "-" is standard output. bytes is the packed replay, path
 * the name of the replay, and analysis the result of `arena analyse`, or NULL. Returns a command's
 * status.
 */
int game_output_page(const struct replay *replay, const uint8_t *bytes, size_t size,
                     const char *path, const json_t *analysis, const char *file);

#endif
