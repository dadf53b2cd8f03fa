/* The games of `arena check`: stored as replays, drawn while they are played, written as pages. */
#ifndef ARENA_COMMANDS_CHECK_GAMES_H
#define ARENA_COMMANDS_CHECK_GAMES_H

#include "arena/commands/match_show.h"
#include "arena/trial/check.h"

/* The caller sets replays, path, options, show's watch and open, and name; the rest is internal. */
struct check_games {
    const char *replays;    /* requested folder, or NULL */
    const char *path;       /* of the bot, as typed */
    const char *options;    /* options that a command to repeat a forfeit needs, or NULL */
    struct match_show show; /* its watch and open, as requested */
    const char *name;       /* the bot's name, for output */
    char *folder;           /* this run's folder for replays */
    bool failed;            /* a replay or a page could not be written (already reported) */
};

/* Creates the folder. Returns a command's status, after printing which options conflict. */
int check_games_begin(struct check_games *games, bool json);

/* A game continued: draws it, if requested. */
void check_games_draw(struct check_games *games, const struct match *match, int seat);

/* A game of that step has its result: stores it and writes its page, if requested. */
void check_games_keep(struct check_games *games, enum check_step step, const struct replay *replay);

/*
 * Returns the command that repeats the forfeit of an entry, which the caller frees; NULL if there
 * is no forfeit or its game was not stored.
 */
char *check_games_command(const struct check_games *games, const struct check_entry *entry);

/* Restores the terminal. */
void check_games_finish(struct check_games *games);

#endif
