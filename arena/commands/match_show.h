/*
 * `arena match --watch` and `--open`: draws the running match in the terminal, and writes the page
 * of a finished match.
 */
#ifndef ARENA_COMMANDS_MATCH_SHOW_H
#define ARENA_COMMANDS_MATCH_SHOW_H

#include "arena/commands/replay_screen.h"
#include "arena/play/match.h"
#include "arena/replay/replay.h"

struct match_show {
    bool watch, open; /* as requested; the fields below are internal */
    bool drawing;     /* the screen is in use */
    enum screen_colors colors;
    struct game told; /* the position after told_count decisions */
    size_t told_count;
    char *said; /* the last decision in words */
    int64_t drawn_us;
};

/*
 * Checks that these options may be combined, and that standard output suits them. Returns a
 * command's status.
 */
int match_show_check(struct match_show *show, int job_count, bool json);

/*
 * Draws the match after a step, at most 25 times per second. names are by seat, escaped for a
 * terminal.
 */
void match_show_step(struct match_show *show, const struct match *match,
                     const char *const names[static GAME_PLAYERS_MAX]);

/*
 * The match is over: lets the user step through it until they quit, and writes its page to folder,
 * or to the current one if folder is NULL. Returns a command's status.
 */
int match_show_done(struct match_show *show, const struct replay *replay, const char *folder);

/*
 * Writes the page of a match to folder, or to the current one if it is NULL, and prints its path.
 * Returns a command's status.
 */
int match_show_page(const struct replay *replay, const char *folder);

/* Restores the terminal, also after a run that was stopped. */
void match_show_close(struct match_show *show);

#endif
