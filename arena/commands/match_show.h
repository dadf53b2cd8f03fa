/* `arena match --watch` and `--open`: the running match drawn in the terminal, and the page of a
   match that was played. */
#ifndef ARENA_COMMANDS_MATCH_SHOW_H
#define ARENA_COMMANDS_MATCH_SHOW_H

#include "arena/commands/replay_screen.h"
#include "arena/play/match.h"
#include "arena/replay/replay.h"

struct match_show {
    bool watch, open; /* as asked for; the rest is match_show's own */
    bool drawing;     /* the screen is ours */
    enum screen_colors colors;
    struct game told; /* the position up to told_count decisions */
    size_t told_count;
    char *said; /* the last decision in words */
    int64_t drawn_us;
};

/* Do these options go together, and with where the command runs? Returns a command's status. */
int match_show_check(struct match_show *show, int job_count, bool json);

/* The match went on: draws it, 25 times a second at most. names by seat, fit for a terminal. */
void match_show_step(struct match_show *show, const struct match *match,
                     const char *const names[static GAME_PLAYERS_MAX]);

/*
 * The match is over: lets the reader step through it until they leave, and writes its page to
 * folder, or where folder is NULL to the current one. Returns a command's status.
 */
int match_show_done(struct match_show *show, const struct replay *replay, const char *folder);

/* Writes the page of a match to folder, or where that is NULL to the current one, and says so.
   Returns a command's status. */
int match_show_page(const struct replay *replay, const char *folder);

/* Gives the terminal back; also after a run that was stopped. */
void match_show_close(struct match_show *show);

#endif
