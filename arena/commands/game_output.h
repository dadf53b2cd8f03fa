/*
 * What a command makes of the games it plays: replays in a folder, pages, and the running game
 * drawn in the terminal.
 */
#ifndef ARENA_COMMANDS_GAME_OUTPUT_H
#define ARENA_COMMANDS_GAME_OUTPUT_H

#include "arena/commands/replay_screen.h"
#include "arena/play/match.h"
#include "arena/replay/replay.h"

struct game_output {
    /* As requested. */
    const char *replays; /* the folder for replays, or NULL */
    bool watch, open;    /* draw running games; write their pages */

    char *folder; /* where this run's replays go; NULL: nowhere */
    bool failed;  /* a replay or a page could not be written, which was printed */

    bool drawing; /* the screen is in use */
    enum screen_colors colors;
    struct game told; /* the position after told_count decisions */
    size_t told_count;
    char *said; /* the last decision in words */
    int64_t drawn_us;
};

/* Entries for a command's table. */
/* clang-format off */
#define GAME_OUTPUT_OPTIONS(output) \
    {"replays", "DIR", "write DIR/MATCH.replay for each game; the next run's go to DIR/2, ...", \
     .text = &(output)->replays}, \
    {"watch", NULL, \
     "draw the running game in the terminal; `match` then steps through it like `arena replay " \
     "--watch`", .flag = &(output)->watch, .excludes = "json"}, \
    {"open", NULL, \
     "write the page of each game, DIR/MATCH.html or MATCH.html without --replays, and print its " \
     "path", .flag = &(output)->open, .excludes = "json"}
/* clang-format on */

/*
 * Checks that a game can be drawn, and makes the folder for replays: the requested one or, if that
 * has replays of another run, the first of its subfolders 2, 3, ... without any. Returns a
 * command's status.
 */
int game_output_begin(struct game_output *output, int job_count);

/*
 * Draws the game after a step if that was requested, at most 25 times per second. names are by
 * seat, escaped for a terminal.
 */
void game_output_step(struct game_output *output, const struct match *match,
                      const char *const names[static GAME_PLAYERS_MAX]);

/*
 * A game is over: stores its replay if that was requested. Nothing more is written once something
 * has failed.
 */
void game_output_keep(struct game_output *output, const struct replay *replay);

/* Then writes its page if that was requested, and prints label and the page's path. */
void game_output_open(struct game_output *output, const struct replay *replay, const char *label);

/* Stops drawing and restores the terminal. */
void game_output_pause(struct game_output *output);

/* The same, and frees memory. */
void game_output_finish(struct game_output *output);

/* Stores a replay at the path. Returns a command's status. */
int game_output_write(const struct replay *replay, const char *path);

/*
 * Writes the page of a replay to file, "-" for standard output. bytes is the packed replay; path is
 * its name. Returns a command's status.
 */
int game_output_page(const struct replay *replay, const uint8_t *bytes, size_t size,
                     const char *path, const char *file);

/*
 * Creates the folder that is the option's argument, and its parents, and checks that it is
 * writable. Returns a command's status.
 */
int game_output_folder(const char *option, const char *path);

#endif
