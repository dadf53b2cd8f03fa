/* SPDX-License-Identifier: MIT */
/*
 * The data of the game: colors, actions, what a player at the table can see (struct position) and
 * the game itself (struct game). All are plain values: copied with '=', compared and stored as
 * bytes.
 */
#ifndef ENGINE_STATE_H
#define ENGINE_STATE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum game_limits {
    GAME_COLORS = 6,        /* colors, numbered by the round in which each is wild */
    GAME_ROUNDS = 6,        /* rounds; the wild color of round r (1..6) is r - 1 */
    GAME_STARS = 7,         /* stars on one player's board: 0..5 outer, 6 center */
    GAME_STAR_CENTER = 6,   /* number of the center star */
    GAME_SPACES = 6,        /* spaces of one star: positions 0..5, clockwise */
    GAME_PLAYERS_MIN = 2,   /* smallest number of players */
    GAME_PLAYERS_MAX = 4,   /* largest number of players */
    GAME_DISPLAYS_MAX = 9,  /* displays with 4 players: 2 * players + 1 */
    GAME_DISPLAY_TILES = 4, /* tiles on a full factory display */
    GAME_SUPPLY_TILES = 10, /* tiles in a full supply */
    GAME_TILES = 132,       /* tiles in the game, 22 of each color */
    GAME_TILES_PER_COLOR = 22,
    GAME_CORNERS = 4,        /* largest number of tiles that a player keeps for the next round */
    GAME_SCORE_START = 5,    /* points of each player at the start */
    GAME_SCORE_MIN = 1,      /* minimum score after a deduction */
    GAME_SEED_BYTES = 16,    /* size of a seed, a SipHash key */
    GAME_NOBODY = -1,        /* no seat: for a game that is over, or a token in the center */
    GAME_EMPTY = -1,         /* color of an empty space */
    GAME_SOURCE_CENTER = -1, /* source of a draft from the center of the table */
    GAME_ACTION_NUMBERS = 7, /* number of an action's numbers */
    /*
     * Maximum of legal actions in any position, rounded up. A draft has one of 6 colors from one of
     * 10 sources: 60. A choice of bonus tiles has 3 tiles of 6 colors: 56. A placement at cost c
     * can be paid in at most c ways with one color and wild tiles, and in one way for the wild
     * color itself: on the gray side 5 * 21 + 6 = 111 for an empty outer star and 5 * 18 + 6 = 96
     * for the center star. A pass keeps up to 4 tiles of 6 colors: 210 ways. Total: 6 * 111 + 96 +
     * 210 = 972.
     */
    GAME_ACTIONS_MAX = 1024,
    /*
     * Maximum of decisions in any match, rounded up. With 4 players the displays hold 36 tiles per
     * round, and each draft takes at least one: 6 * 36. Each seat can fill 42 spaces, take bonus
     * tiles for 18 features, and passes 6 times: 4 * 66. Total: 480.
     */
    GAME_DECISIONS_MAX = 512
};

enum color {
    COLOR_PURPLE = 0,
    COLOR_GREEN = 1,
    COLOR_ORANGE = 2,
    COLOR_YELLOW = 3,
    COLOR_BLUE = 4,
    COLOR_RED = 5,
};

enum board_side {
    BOARD_COLORED = 0, /* each outer star has its own color */
    BOARD_GRAY = 1,    /* each star accepts either one color or six different colors */
};

enum phase {
    PHASE_DRAFT = 0, /* take tiles from a display or the center */
    PHASE_PLACE = 1, /* place a tile or pass */
    PHASE_BONUS = 2, /* choose the bonus tiles that a placement earned */
    PHASE_OVER = 3,  /* no more decisions; scores are final */
};

/* The kinds of actions, in the order in which legal actions are listed. */
enum action_kind {
    ACTION_DRAFT = 0, /* numbers: source, color */
    ACTION_PLACE = 1, /* numbers: star, position, color, wild tiles */
    ACTION_BONUS = 2, /* numbers: tiles taken from the supply, by color */
    ACTION_PASS = 3,  /* numbers: tiles kept on the corners, by color */
};

/*
 * One decision. Actions are ordered by kind, then by their numbers from first to last; unused
 * numbers are 0, so that equal actions have equal bytes.
 */
struct action {
    uint8_t kind; /* enum action_kind */
    int8_t number[GAME_ACTION_NUMBERS];
};

/* What everybody sees of one seat. */
struct position_seat {
    int32_t score;                /* points */
    uint8_t hand[GAME_COLORS];    /* tiles by color */
    uint8_t corners[GAME_COLORS]; /* tiles kept for the next round, by color */
    bool passed;                  /* the seat has passed and has no more turns in this round */
    int8_t stars[GAME_STARS][GAME_SPACES]; /* color on each space, or GAME_EMPTY */
};

/*
 * Everything that a player at the table can see, in a readable form: the `state` in the protocol's
 * messages, and the input of game_from_position. Contains nothing about future draws.
 */
struct position {
    uint8_t board;        /* enum board_side */
    uint8_t player_count; /* GAME_PLAYERS_MIN..GAME_PLAYERS_MAX */
    uint8_t round;        /* 1..GAME_ROUNDS */
    uint8_t phase;        /* enum phase */
    int8_t player;        /* seat to act, GAME_NOBODY when the game is over */
    uint8_t wild;         /* wild color of the round */
    uint8_t start; /* seat that drafts first in this round; after the drafts, the seat that holds
                      the token */
    int8_t token;  /* seat that holds the token, GAME_NOBODY while it is in the center */
    uint8_t bonus; /* number of bonus tiles that the player must take now (at most those in the
                      supply), or 0 */
    uint8_t displays[GAME_DISPLAYS_MAX][GAME_COLORS]; /* tiles of each display; the game uses the
                                                         first 2 * player_count + 1 */
    uint8_t center[GAME_COLORS];
    uint8_t supply[GAME_COLORS];
    uint8_t bag[GAME_COLORS];
    uint8_t tower[GAME_COLORS];
    struct position_seat seats[GAME_PLAYERS_MAX]; /* seats 0 to player_count - 1 are used */
};

/*
 * The engine's internal form of a game follows; other code uses the functions of game.h. Tiles are
 * counted in one word with a byte per color (tiles.h), so that one instruction adds or subtracts
 * all colors. A set of spaces is a word: bit p of byte s is position p of star s.
 */
struct game_seat {
    uint64_t tiles;  /* tiles in the hand or, once the seat has passed, on the corners */
    uint64_t filled; /* set of filled spaces */
    uint64_t takes;  /* colors that each star accepts: a byte per star, a bit per color */
    uint32_t colors[GAME_STARS]; /* by star: colors of the tiles, four bits per position, 0 for an
                                    empty space */
    int32_t score;               /* points */
};

struct game {
    struct game_seat seats[GAME_PLAYERS_MAX];
    uint64_t sources[1 + GAME_DISPLAYS_MAX]; /* tiles in the center, then on each display */
    uint64_t offers; /* colors that a player may draft: six bits per source, a bit per color */
    uint64_t supply; /* tiles */
    uint64_t bag;    /* tiles */
    uint64_t tower;  /* tiles */
    uint8_t seed[GAME_SEED_BYTES]; /* seed of future draws; bots must not learn it */
    uint32_t supply_index;         /* index of the next draw for the supply in its stream */
    uint8_t board;                 /* enum board_side */
    uint8_t player_count;          /* GAME_PLAYERS_MIN..GAME_PLAYERS_MAX */
    uint8_t round;                 /* 1..GAME_ROUNDS */
    uint8_t phase;                 /* enum phase */
    int8_t player;                 /* seat to act, or GAME_NOBODY */
    uint8_t start;                 /* seat that drafts first in this round */
    int8_t token;   /* seat that holds the token; GAME_NOBODY: the token is in the center */
    uint8_t bonus;  /* number of bonus tiles that the player must take now, or 0 */
    uint8_t passed; /* set of seats that have passed, a bit per seat */
};

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "this code needs a little-endian machine");
static_assert(sizeof(struct action) == 8, "this code copies a struct action as one uint64_t");
static_assert(sizeof(struct game) <= 384, "struct game must stay small: bots copy it often");

#endif
