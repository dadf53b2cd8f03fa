/*
 * The output of a command for the games it plays: replays in a folder, pages, and the running game
 * drawn on the terminal.
 */
#ifndef ARENA_COMMANDS_GAME_OUTPUT_H
#define ARENA_COMMANDS_GAME_OUTPUT_H

#include <jansson.h>

#include "arena/commands/replay_screen.h"
#include "arena/play/match.h"
#include "arena/replay/replay.h"

struct game_output {
    /* The command's options set the fields above `folder`. */
    const char *replays; /* folder for replays; NULL: none */
    bool watch, open;    /* draw running games; write a page of each game */

    char *folder; /* folder for the replays of this run; NULL: no replays */
    bool failed;  /* a replay or page could not be written; an error was printed */

    bool drawing; /* a game is drawn on the terminal */
    bool colors;
    struct game told; /* the position after told_count decisions */
    size_t told_count;
    char *said; /* description of the last decision */
    int64_t drawn_us;
};

/* Printed in place of the command that repeats a forfeit, if the game's replay was not kept. */
#define GAME_OUTPUT_NOT_KEPT                                                                       \
    "with --replays DIR the arena keeps the game and prints here the command that replays it"

/* Entries of a command's option table, which set the fields of a game_output. */
/* clang-format off */
#define GAME_OUTPUT_OPTIONS(output) \
    {"replays", "DIR", \
     "write DIR/MATCH.replay for each game; to DIR/2, DIR/3, ... if DIR has replays of an earlier " \
     "run", \
     .text = &(output)->replays}, \
    {"watch", NULL, \
     "draw the running game in the terminal; `match` then steps through it like `arena replay " \
     "--watch`", .flag = &(output)->watch, .excludes = "json"}, \
    {"open", NULL, \
     "write the page of each game, DIR/MATCH.html or MATCH.html without --replays, and print its " \
     "path", .flag = &(output)->open, .excludes = "json"}
/* clang-format on */

/*
 * Checks that games can be drawn, and creates the folder for replays: the folder that the user
 * named; or, if that has replays of another run, the first of its subfolders 2, 3, ... that has
 * none. Returns a command's status.
 */
int game_output_begin(struct game_output *output, int job_count);

/*
 * Draws the game after a step, at most 25 times per second, if the user asked for that. names are
 * the bots' names by seat, escaped for a terminal.
 */
void game_output_step(struct game_output *output, const struct match *match,
                      const char *const names[static GAME_PLAYERS_MAX]);

/*
 * Stores the replay of a finished game, if the user asked for replays. Does nothing after a replay
 * or page could not be written.
 */
void game_output_keep(struct game_output *output, const struct replay *replay);

/*
 * Writes the page of a finished game, if the user asked for pages, and prints `label` and the
 * page's path.
 */
void game_output_open(struct game_output *output, const struct replay *replay, const char *label);

/* Stops drawing and restores the terminal. */
void game_output_pause(struct game_output *output);

/* Stops drawing, restores the terminal and frees memory. */
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

/*
 * Creates the folder that an option names, and its parents, and checks that the folder is writable.
 * Returns a command's status.
 */
int game_output_folder(const char *option, const char *path);

/*
 * Creates the folder for the files of this run: the folder that an option names; or, if that folder
 * has files with this suffix from another run, the first of its subfolders 2, 3, ... without such
 * files, and then prints the subfolder's name. Sets *folder; the caller frees it. Returns a
 * command's status.
 */
int game_output_run_folder(const char *option, const char *wanted, const char *suffix,
                           const char *what, char **folder);

#endif
