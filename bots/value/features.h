/*
 * The features of a seat's position: the weights that apply to the position. The sum of these
 * weights is the value: the points that the seat can expect from now on. Pure.
 */
#ifndef BOTS_VALUE_FEATURES_H
#define BOTS_VALUE_FEATURES_H

#include "bots/value/weights.h"
#include "engine/state.h"

enum {
    FEATURES_MAX = 128,
};

/* Kinds of stars, by the colors that a star accepts. */
enum star_sort {
    STAR_EMPTY = 0, /* the star has no tile and accepts any color */
    STAR_ONE = 1,   /* the star has one tile */
    STAR_BOUND = 2, /* the star accepts a single color */
    STAR_MIXED = 3, /* the star accepts only colors that no tile on it has */
};

enum star_sort star_sort_of(const struct game_seat *seat, enum board_side side, int star);

/* Returns the only color that a STAR_BOUND accepts, or the color of the tile on a STAR_ONE star. */
int star_color_of(const struct game_seat *seat, enum board_side side, int star);

/* A seat's situation, from which the features are computed. Pointers are borrowed. */
struct outlook {
    const struct game_seat *seat;
    enum board_side side;
    enum value_kind kind;
    int round;       /* 1..6 */
    uint64_t supply; /* tiles in the supply */
    uint64_t bag;    /* tiles in the bag */
    int bonus;       /* VALUE_PLACE: number of bonus tiles that the seat takes next */
    int is_start;    /* VALUE_PLACE, VALUE_END: 1 if the seat drafts first in the next round */
    uint64_t table;  /* VALUE_DRAFT: tiles on the displays and in the center */
    int until_turn;  /* VALUE_DRAFT: number of seats that act before this seat */
    int holder;      /* VALUE_DRAFT: index into weights.token */
};

struct features {
    size_t count;
    uint16_t index[FEATURES_MAX]; /* indexes of the features' weights in struct weights */
};

/* Returns a seat's outlook (kind VALUE_DRAFT) in a game in the draft phase. */
struct outlook outlook_of_draft(const struct game *game, int seat);

/*
 * Returns a seat's outlook in the place phase. seat_state is the seat's board with its hand (for
 * VALUE_END: its corners), which need not be those in the game.
 */
struct outlook outlook_of_place(const struct game *game, const struct game_seat *seat_state,
                                int seat, enum value_kind kind, int bonus);

/* Starts a list with the features that depend only on filled spaces. */
void features_list_board(const struct outlook *outlook, struct features *features);

/* Lists all features. */
void features_list(const struct outlook *outlook, struct features *features);

#endif
