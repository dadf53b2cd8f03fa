/* SPDX-License-Identifier: MIT */
/*
 * Seasons without processes: bots are a strength and a temper, games are a function of their seed.
 * A driver plays several games at a time and ends them in any order, or drops everything in the
 * middle and loads it again.
 */
#ifndef TESTS_SEASON_FAKE_H
#define TESTS_SEASON_FAKE_H

#include <stdio.h>

#include "arena/season/ladder.h"
#include "arena/season/season.h"

enum fake_temper {
    FAKE_HONEST = 0,
    FAKE_CRASHES = 1,  /* crashes in every game */
    FAKE_RECOVERS = 2, /* crashes in its first games, then plays */
};

struct fake_bot {
    const char *name, *version, *author;
    int strength; /* points added to the luck */
    enum fake_temper temper;
    bool reference;
};

struct fake {
    char home[64];
    struct store *store;
    const struct fake_bot *bots; /* by bot id minus 1 */
    int bot_count;
};

/* How a season is driven, which must not affect the result. */
struct fake_drive {
    int jobs;          /* games at a time */
    unsigned disorder; /* 0: games end in order of their start; else a seed for another order */
    int reload_every;  /* reload after this many recorded games; 0: never */
    int64_t games;     /* stop after this many games; 0: play to the end */
};

/* Creates a store in a new folder, with the bots in it. */
void fake_create(struct fake *fake, const struct fake_bot *bots, int bot_count);
void fake_remove(struct fake *fake);

/* Adds another bot. */
void fake_submit(struct fake *fake, const struct fake_bot *bot);

/* Creates a season whose seed is all 7s. */
void fake_season(struct fake *fake, const char *name, const struct store_season *terms);

/* Fills in the result of a game, which depends only on the game's seed and seats. */
void fake_play(const struct fake *fake, const struct season *season, const struct season_game *game,
               struct store_game *result);

/* Plays until season_next returns no more games; returns its last result. */
int fake_run(struct fake *fake, const char *name, struct fake_drive drive);

/* The same for a season that is dealt: others play that many games between two looks. */
int fake_deal(struct fake *fake, const char *name, int64_t games);

/* Returns schedule, results and both lists as text; the caller frees it. */
char *fake_describe(struct fake *fake, const char *name);

#endif
