/*
 * The features of a seat's position: which weights apply to it. Their sum is the value, the
 * points that the seat can expect from here on. Pure.
 */
#ifndef BOTS_VALUE_FEATURES_H
#define BOTS_VALUE_FEATURES_H

#include "bots/value/weights.h"
#include "engine/state.h"

enum {
    FEATURES_MAX = 128,
};

/* What a star takes. */
enum star_sort {
    STAR_EMPTY = 0, /* any color */
    STAR_ONE = 1,   /* it holds one tile */
    STAR_BOUND = 2, /* one color */
    STAR_MIXED = 3, /* different colors */
};

enum star_sort star_sort_of(const struct game_seat *seat, enum board_side side, int star);

/* The color of a star that is bound to one, or of the one tile that it holds. */
int star_color_of(const struct game_seat *seat, enum board_side side, int star);

/* What is looked at. Everything is borrowed. */
struct outlook {
    const struct game_seat *seat;
    enum board_side side;
    enum value_kind kind;
    int round;       /* 1..6 */
    uint64_t supply; /* tiles */
    uint64_t bag;    /* tiles */
    int bonus;       /* PLACE: tiles to be taken now */
    int is_start;    /* PLACE, END: 1 if the seat drafts first in the next round */
    uint64_t table;  /* DRAFT: tiles on the displays and in the center */
    int until_turn;  /* DRAFT: seats until the seat's turn, 0 if it is its turn */
    int holder;      /* DRAFT: index into weights.token */
};

struct features {
    size_t count;
    uint16_t index[FEATURES_MAX]; /* of weights, in struct weights of the round and kind */
};

/* How a seat stands after a draft, any seat's, or while it may draft. */
struct outlook outlook_of_draft(const struct game *game, int seat);

/*
 * How a seat stands in phase 2: seat_state is its board and hand now (its corners, for
 * VALUE_END), and need not be those in the game.
 */
struct outlook outlook_of_place(const struct game *game, const struct game_seat *seat_state,
                                int seat, enum value_kind kind, int bonus);

/* Begins a list with the features that look at filled spaces alone. */
void features_list_board(const struct outlook *outlook, struct features *features);

/* Lists all. */
void features_list(const struct outlook *outlook, struct features *features);

#endif
