/* SPDX-License-Identifier: MIT */
/*
 * What decisions cost by an analyst's estimate: the kind of each mistake, and over many games how
 * many points a game each kind loses. `arena analyse` and the page of a bot tell the same numbers.
 */
#ifndef ARENA_REPORT_MISTAKES_H
#define ARENA_REPORT_MISTAKES_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "arena/replay/effect.h"
#include "arena/report/columns.h"
#include "engine/notation.h"
#include "sdk/wire.h"

enum mistakes_limits {
    MISTAKE_POINTS = 3,    /* cost from which pages and text call a decision a mistake */
    MISTAKES_WORST = 10,   /* decisions that a summary lists */
    MISTAKE_ID_BYTES = 64, /* room for the id of a game and its NUL */
};

/* What the analyst would have done differently. Each kind occurs in one phase of the game. */
enum mistake_kind {
    MISTAKE_NONE = 0,     /* nothing better is known */
    MISTAKE_WILD = 1,     /* the better draft takes a wild tile along */
    MISTAKE_TOKEN = 2,    /* the better draft takes the start token, or leaves it */
    MISTAKE_DRAFT = 3,    /* the better draft takes other tiles */
    MISTAKE_EARLY = 4,    /* passed; placing is better */
    MISTAKE_LATE = 5,     /* placed; passing is better */
    MISTAKE_EARNED = 6,   /* the better placement earns more bonus tiles */
    MISTAKE_PAID = 7,     /* the better payment for the same space spends other tiles */
    MISTAKE_PLACE = 8,    /* the better placement fills another space */
    MISTAKE_BONUS = 9,    /* the better choice takes other bonus tiles */
    MISTAKE_DISCARD = 10, /* the better pass discards fewer tiles */
    MISTAKE_KEEP = 11,    /* the better pass keeps other tiles */
    MISTAKE_KINDS = 12,
};

/* The kinds in words: "Passes too early"; NULL-terminated. */
extern const char *const mistake_words[];

/* A decision and what the analyst says about it. */
struct judgement {
    int64_t turn; /* number of the decision in its game */
    struct effect done, better;
    /* Lead that the analyst expects at the end, in 1/100 points, after what was done and after
     * the better action. They are equal if nothing better is known. */
    int64_t expected, best_expected;
    char game[MISTAKE_ID_BYTES];            /* of the list of the worst; "" elsewhere */
    char position[NOTATION_POSITION_BYTES]; /* likewise */
};

enum mistake_kind mistake_kind(const struct judgement *judgement);

/* Returns what the decision cost, in 1/100 points. */
int64_t judgement_lost(const struct judgement *judgement);

extern const struct columns decision_columns; /* rows: struct judgement */

/* The mistakes of one player in many games. All zero is an empty one. */
struct mistakes {
    char player[WIRE_NAME_BYTES_MAX + 1];
    int game_count;
    struct mistakes_cell {
        int count;     /* mistakes of MISTAKE_POINTS or more */
        int64_t sum;   /* of what all such decisions cost a game, in 1/100 points */
        double square; /* the sum of its squares, which an analyst's figures may carry past 2^63 */
        int64_t game;  /* what they cost in the game that is being added */
    } cells[MISTAKE_KINDS][GAME_ROUNDS + 1]; /* by kind and round; [kind][0]: all rounds */
    struct mistakes_cell all;
    struct judgement worst[MISTAKES_WORST]; /* the costliest decisions, the costliest first */
    int worst_count;
};

/*
 * Adds a decision of the game that is being added. The list of the worst tells the game's name and
 * the position, a copy of the game before the decision; NULL: it does not.
 */
void mistakes_add(struct mistakes *mistakes, const struct judgement *judgement, const char *game,
                  const struct game *position);

/* Ends a game of the player: what was added since the last call is the game's. */
void mistakes_end_game(struct mistakes *mistakes);

/* Mean cost of a kind, in points a game, and the half width of its 95 % interval; that is NAN for
 * fewer than two games. */
double mistakes_lost(const struct mistakes *mistakes, const struct mistakes_cell *cell);
double mistakes_error95(const struct mistakes *mistakes, const struct mistakes_cell *cell);

/* Writes the kinds that cost anything, the costliest first. Returns how many there are. */
int mistakes_order(const struct mistakes *mistakes, enum mistake_kind kinds[static MISTAKE_KINDS]);

extern const struct columns mistake_columns;  /* a row a kind and round of `mistakes`, as JSON */
extern const struct columns mistakes_columns; /* rows: struct mistakes */

/* Prints a table of the kinds by round, and the worst decisions. */
void mistakes_print(FILE *stream, const struct mistakes *mistakes);

#endif
