/* SPDX-License-Identifier: MIT */
/*
 * The worth of positions and actions to a seat, computed from learned weights, in units of 1 /
 * VALUE_POINT points. Pure.
 */
#ifndef SDK_STEADY_VALUE_H
#define SDK_STEADY_VALUE_H

#include "sdk/steady/weights.h"
#include "engine/game.h"

/*
 * The features of a seat's position (features.c): the weights that apply to the position. The sum
 * of these weights is the value: the points that the seat can expect from now on.
 */

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
    uint64_t groups; /* VALUE_DRAFT: by color, largest number of its tiles in one source */
    int until_turn;  /* VALUE_DRAFT: number of seats that act before this seat */
    int holder;      /* VALUE_DRAFT: index into weights.token */
};

struct features {
    size_t count;
    uint16_t index[FEATURES_MAX]; /* indexes of the features' weights in struct weights */
};

/* Returns, by color, the largest number of its tiles on one display or in the center. */
uint64_t outlook_groups(const struct game *game);

/* Returns a seat's outlook (kind VALUE_DRAFT) in a game in the draft phase. */
struct outlook outlook_of_draft(const struct game *game, int seat);

/* Changes the outlook of one seat in a game in the draft phase to that of another. */
void outlook_turn_to(struct outlook *outlook, const struct game *game, int seat);

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

/* ---- worths (value.c) ---- */

/* Returns the points that the seat can expect from now on. */
int32_t value_of(const struct weights_set *set, const struct outlook *outlook);

/*
 * Returns a seat's relative worth: its own worth minus lambda / 256 times the average worth of the
 * other seats. worths has the worth of every seat.
 */
int32_t value_relative(const struct game *game, int seat, int lambda,
                       const int32_t worths[static GAME_PLAYERS_MAX]);

/* Returns the relative worth of a seat after a draft, from each seat's score plus value. */
int32_t value_of_draft(const struct weights_set *set, const struct game *game, int seat,
                       int lambda);

/*
 * A seat after it has placed a tile, taken bonus tiles or passed, but before the engine refills the
 * supply.
 */
struct step {
    struct game_seat seat; /* seat after the action; after a pass, with the tiles on its corners */
    uint64_t supply;       /* tiles left in the supply */
    enum value_kind kind;  /* VALUE_PLACE or VALUE_END */
    int bonus;             /* number of bonus tiles that the seat takes next */
};
struct step step_of(const struct game *game, struct action action);

/*
 * True for a pass that discards tiles although a corner is free: keeping these tiles is never
 * worse.
 */
bool value_is_waste(const struct game *game, struct action action);

/*
 * Returns the worth of an action to the seat to act: for a draft, value_of_draft(); for another
 * action, the score plus value_of() of the seat, both after the action.
 */
int32_t value_of_action(const struct weights_set *set, const struct game *game,
                        struct action action, int lambda);

#endif
