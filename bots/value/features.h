/*
 * The features of a seat's position: which weights apply to it. The sum of these weights is the
 * value, the points that the seat can expect from now on. Pure.
 */
#ifndef BOTS_VALUE_FEATURES_H
#define BOTS_VALUE_FEATURES_H

#include "bots/value/weights.h"
#include "engine/state.h"

enum {
    FEATURES_MAX = 128,
};

/* Which colors a star accepts. */
enum star_sort {
    STAR_EMPTY = 0, /* the star is empty: any color */
    STAR_ONE = 1,   /* the star has one tile */
    STAR_BOUND = 2, /* the star accepts a single color */
    STAR_MIXED = 3, /* different colors */
};

enum star_sort star_sort_of(const struct game_seat *seat, enum board_side side, int star);

/* Returns the color of a star that is bound to one, or of its only tile. */
int star_color_of(const struct game_seat *seat, enum board_side side, int star);

/* The inputs of the features. Everything is borrowed. */
struct outlook {
    const struct game_seat *seat;
    enum board_side side;
    enum value_kind kind;
    int round;       /* 1..6 */
    uint64_t supply; /* tiles */
    uint64_t bag;    /* tiles */
    int bonus;       /* PLACE: tiles to take now */
    int is_start;    /* PLACE, END: 1 if the seat drafts first in the next round */
    uint64_t table;  /* DRAFT: tiles on the displays and in the center */
    int until_turn;  /* DRAFT: number of seats before this seat's turn, 0 if it is its turn */
    int holder;      /* DRAFT: index into weights.token */
};

struct features {
    size_t count;
    uint16_t index[FEATURES_MAX]; /* of weights in the struct weights of the round and kind */
};

/* Returns a seat's inputs during drafting: after any seat's draft, or before its own. */
struct outlook outlook_of_draft(const struct game *game, int seat);

/*
 * Returns a seat's inputs in phase 2. seat_state is its board and hand (for VALUE_END its corners),
 * which may differ from those in the game.
 */
struct outlook outlook_of_place(const struct game *game, const struct game_seat *seat_state,
                                int seat, enum value_kind kind, int bonus);

/* Starts a list with the features that depend only on filled spaces. */
void features_list_board(const struct outlook *outlook, struct features *features);

/* Lists all features. */
void features_list(const struct outlook *outlook, struct features *features);

#endif
