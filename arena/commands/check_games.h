/* The games of `arena check`: kept as replays, drawn while they are played, written as pages. */
#ifndef ARENA_COMMANDS_CHECK_GAMES_H
#define ARENA_COMMANDS_CHECK_GAMES_H

#include "arena/commands/match_show.h"
#include "arena/trial/check.h"

/* All but what is asked for is its own. */
struct check_games {
    const char *replays;    /* folder asked for, or NULL */
    const char *path;       /* of the bot, as it was typed */
    const char *options;    /* that a command to see a forfeit again needs, or NULL */
    struct match_show show; /* watch and open, as asked for */
    const char *name;       /* of the bot, of what is told and drawn */
    char *folder;           /* of this run, where replays are kept */
    bool failed;            /* a replay or a page could not be written, which was said */
};

/* Makes the folder. Returns a command's status after saying what does not go together. */
int check_games_begin(struct check_games *games, bool json);

/* A game goes on: draws it, if asked to. */
void check_games_draw(struct check_games *games, const struct match *match, int seat);

/* A game has its result: keeps it, and writes its page, as asked for. */
void check_games_keep(struct check_games *games, const struct replay *replay);

/* The command that shows the forfeit of an entry again, for free; NULL without one, or if its game
   was not kept. */
char *check_games_command(const struct check_games *games, const struct check_entry *entry);

/* Gives the terminal back. */
void check_games_finish(struct check_games *games);

#endif
