/* SPDX-License-Identifier: MIT */
/*
 * What happened in one game, read from its replay, and what decided it: points by source, tiles,
 * scores, and why a seat won or lost. Knows no season and no store.
 */
#ifndef ARENA_SITE_STORY_H
#define ARENA_SITE_STORY_H

#include <jansson.h>

#include "arena/replay/effect.h"
#include "arena/replay/replay.h"

/* The numbers of a seat in one game, taken from the replay: points by source, tiles, scores. */
enum story_number {
    STORY_RUNS,        /* points of placements */
    STORY_STARS,       /* points of full stars */
    STORY_COSTS,       /* points of numbers covered on all stars */
    STORY_TOKEN,       /* points lost with the start token, 0 or negative */
    STORY_LOST,        /* points lost for discarded tiles, 0 or negative */
    STORY_CORNERS,     /* points lost for tiles on the corners at the end, 0 or negative */
    STORY_BONUS_TILES, /* bonus tiles taken */
    STORY_LOST_TILES,  /* tiles discarded */
    STORY_TOKENS,      /* how often the seat took the start token */
    STORY_SCORES,      /* score at the start, after each round, after the final scoring */
    STORY_FULL = STORY_SCORES + GAME_ROUNDS + 2, /* by star: 1 if it is full */
    STORY_FIRST = STORY_FULL + GAME_STARS,       /* by star: 1 if the first tile lies on it */
    STORY_NUMBERS = STORY_FIRST + GAME_STARS,
};

struct game_story {
    bool is_whole; /* the replay was read to the final scoring; else numbers and finals lack it */
    enum board_side board;
    int round; /* round up to which the replay was read */
    int decision_count;
    int seats[GAME_PLAYERS_MAX][STORY_NUMBERS];
    struct effect_final finals[GAME_PLAYERS_MAX];
};

/* Adds a decision to the story, which is zeroed before the first one: a replay_step_fn. */
void story_step(void *story, struct match *match, const struct replay_decision *decision);

/*
 * Returns why a seat won or lost, compared with the winner, or the winner with the seat next to it,
 * for the template why. names are the plain names of all seats. A new reference.
 */
json_t *story_why(const struct replay *replay, const struct game_story *story,
                  const char *const names[static GAME_PLAYERS_MAX], int seat);

/*
 * Returns why a seat lost a game that all bots played to the end: "It lost 25 points to discarded
 * tiles (random 4), and was behind from round 1 on."; "" if the story is not whole. names are the
 * plain names of all seats, and winner is the seat that it is compared with. A new reference.
 */
json_t *story_why_lost(const struct game_story *story,
                       const char *const names[static GAME_PLAYERS_MAX], int winner, int seat);

#endif
