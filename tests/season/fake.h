/*
 * Seasons without processes: bots that are a strength and a temper, games that are a
 * function of their seed, and a driver that plays several at a time and ends them in
 * any order, or throws everything away in the middle and loads it again.
 */
#ifndef TESTS_SEASON_FAKE_H
#define TESTS_SEASON_FAKE_H

#include <stdio.h>

#include "arena/season/season.h"

enum fake_temper {
    FAKE_HONEST = 0,
    FAKE_CRASHES = 1,  /* in every game */
    FAKE_RECOVERS = 2, /* crashes in its first games, then plays */
};

struct fake_bot {
    const char *name, *version, *author;
    int strength; /* points on top of the luck */
    enum fake_temper temper;
};

struct fake {
    char home[64];
    struct store *store;
    const struct fake_bot *bots; /* by bot id - 1 */
    int bot_count;
};

/* How a season is driven: it must make no difference. */
struct fake_drive {
    int jobs;          /* games at a time */
    unsigned disorder; /* 0: games end as they began; else the order they end in */
    int reload_every;  /* recorded games after which all is loaded anew; 0: never */
    int64_t games;     /* stop after so many; 0: play to the end */
};

/* A store in a new folder, with the bots in it. */
void fake_create(struct fake *fake, const struct fake_bot *bots, int bot_count);
void fake_remove(struct fake *fake);

/* One more bot. */
void fake_submit(struct fake *fake, const struct fake_bot *bot);

/* A season under a seed of all 7s. */
void fake_season(struct fake *fake, const char *name, const struct store_season *terms);

/* Plays until season_next has nothing more; returns what it said. */
int fake_run(struct fake *fake, const char *name, struct fake_drive drive);

/* The same with a season that is dealt: somebody else plays, so many games between two looks. */
int fake_deal(struct fake *fake, const char *name, int64_t games);

/* Writes schedule, results and both lists as text; the caller frees it. */
char *fake_describe(struct fake *fake, const char *name);

#endif
