/*
 * The nouns of the game: colors, actions, what a player at the table can see
 * (struct position) and the game itself (struct game). Plain values all: copied
 * with '=', compared and stored as they are.
 */
#ifndef ENGINE_STATE_H
#define ENGINE_STATE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum game_limits {
    GAME_COLORS = 6,        /* in the order in which they become wild */
    GAME_ROUNDS = 6,        /* counted from 1; the wild color of round r is r - 1 */
    GAME_STARS = 7,         /* of one player's board; 0..5 outer, 6 center */
    GAME_STAR_CENTER = 6,   /* the center star */
    GAME_SPACES = 6,        /* of one star: positions 0..5, clockwise */
    GAME_PLAYERS_MIN = 2,   /* seats of a table */
    GAME_PLAYERS_MAX = 4,   /* seats of a table */
    GAME_DISPLAYS_MAX = 9,  /* 2 * players + 1 */
    GAME_DISPLAY_TILES = 4, /* on a full factory display */
    GAME_SUPPLY_TILES = 10, /* in a full supply */
    GAME_TILES = 132,       /* 22 of each color */
    GAME_TILES_PER_COLOR = 22,
    GAME_CORNERS = 4,        /* tiles kept over the end of a round, at most */
    GAME_SCORE_START = 5,    /* points */
    GAME_SCORE_MIN = 1,      /* points; no deduction goes below */
    GAME_SEED_BYTES = 16,    /* a SipHash key */
    GAME_NOBODY = -1,        /* no seat: nobody to act, the token in the center */
    GAME_EMPTY = -1,         /* no color: an empty space */
    GAME_SOURCE_CENTER = -1, /* a draft from the center of the table */
    GAME_ACTION_NUMBERS = 7, /* room for the numbers of any action */
    /*
     * Legal actions of any position, at most; rounded up. A draft has a color of 10 sources: 60.
     * Bonus tiles are 3 of 6 colors: 56. Where a tile is placed, paying c tiles of one color and
     * wild ones goes in at most c ways, and in one way for the wild color itself: on the gray
     * side 5 * 21 + 6 = 111 for an empty outer star, 5 * 18 + 6 = 96 for the center star, and
     * passing keeps up to 4 tiles of 6 colors, 210 ways: 6 * 111 + 96 + 210 = 972.
     */
    GAME_ACTIONS_MAX = 1024,
    /*
     * Decisions of any match, at most; rounded up. With 4 players a round's displays hold 36
     * tiles, and a draft takes one or more: 6 * 36. Each seat has 42 spaces to fill, 18 features
     * to take bonus tiles for, and passes 6 times: 4 * 66. Together 480.
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
    BOARD_COLORED = 0, /* each outer star has a color of its own */
    BOARD_GRAY = 1,    /* any star takes one color, or six different ones */
};

enum phase {
    PHASE_DRAFT = 0, /* take tiles from a display or the center */
    PHASE_PLACE = 1, /* place a tile or pass */
    PHASE_BONUS = 2, /* choose the bonus tiles a placement earned */
    PHASE_OVER = 3,  /* nobody acts any more; scores are final */
};

/* The kinds of action, in the order in which legal actions are listed. */
enum action_kind {
    ACTION_DRAFT = 0, /* numbers: source, color */
    ACTION_PLACE = 1, /* numbers: star, position, color, wilds */
    ACTION_BONUS = 2, /* numbers: tiles taken from the supply, a count by color */
    ACTION_PASS = 3,  /* numbers: tiles kept on the corners, a count by color */
};

/*
 * One decision. Actions compare by kind, then number by number from the left;
 * numbers that the kind does not use are 0, so that equal actions are equal bytes.
 */
struct action {
    uint8_t kind; /* enum action_kind */
    int8_t number[GAME_ACTION_NUMBERS];
};

/* What everybody sees of one seat. */
struct position_seat {
    int32_t score;                         /* points */
    uint8_t hand[GAME_COLORS];             /* tiles by color */
    uint8_t corners[GAME_COLORS];          /* tiles by color kept for the next round */
    bool passed;                           /* takes no more turns in this round */
    int8_t stars[GAME_STARS][GAME_SPACES]; /* color on each space, or GAME_EMPTY */
};

/*
 * All that a player at the table can see, spread out for reading: the `state` of
 * the wire, and what a game can be set up from. It says nothing of draws to come.
 */
struct position {
    uint8_t board;        /* enum board_side */
    uint8_t player_count; /* GAME_PLAYERS_MIN..GAME_PLAYERS_MAX */
    uint8_t round;        /* 1..GAME_ROUNDS */
    uint8_t phase;        /* enum phase */
    int8_t player;        /* seat to act, GAME_NOBODY when over */
    uint8_t wild;         /* color */
    uint8_t start;        /* the start player: first to draft in this round; from phase 2 on the
                             token's holder */
    int8_t token;         /* seat that holds the token, GAME_NOBODY while it is in the center */
    uint8_t bonus;        /* bonus tiles to be taken now (never more than the supply holds), or 0 */
    uint8_t displays[GAME_DISPLAYS_MAX][GAME_COLORS]; /* 2 * player_count + 1 of them are used */
    uint8_t center[GAME_COLORS];
    uint8_t supply[GAME_COLORS];
    uint8_t bag[GAME_COLORS];
    uint8_t tower[GAME_COLORS];
    struct position_seat seats[GAME_PLAYERS_MAX]; /* player_count of them are used */
};

/*
 * From here on: how the engine keeps a game. Read it through game.h.
 *
 * Tiles by color are one word, a byte a color (tiles.h): adding and taking away is one
 * instruction. Spaces of a player board are bits: byte s of a word is star s, bit p of it
 * position p.
 */
struct game_seat {
    uint64_t tiles;              /* the hand; once the seat has passed, its corners */
    uint64_t filled;             /* a byte a star, a bit a filled position */
    uint64_t takes;              /* a byte a star, a bit a color that may go there next */
    uint32_t colors[GAME_STARS]; /* four bits a position: the color there, 0 while empty */
    int32_t score;               /* points */
};

struct game {
    struct game_seat seats[GAME_PLAYERS_MAX];
    uint64_t sources[1 + GAME_DISPLAYS_MAX]; /* tiles in the center, then on each display */
    uint64_t offers;                         /* six bits a source, a bit a color to be drafted */
    uint64_t supply;                         /* tiles */
    uint64_t bag;                            /* tiles */
    uint64_t tower;                          /* tiles */
    uint8_t seed[GAME_SEED_BYTES];           /* of the draws to come; nobody may see it */
    uint32_t supply_index;                   /* of the supply's next draw in its stream */
    uint8_t board;                           /* enum board_side */
    uint8_t player_count;                    /* GAME_PLAYERS_MIN..GAME_PLAYERS_MAX */
    uint8_t round;                           /* 1..GAME_ROUNDS */
    uint8_t phase;                           /* enum phase */
    int8_t player;                           /* seat to act, or GAME_NOBODY */
    uint8_t start;                           /* seat, as in struct position */
    int8_t token;                            /* seat, or GAME_NOBODY while in the center */
    uint8_t bonus;                           /* tiles to be taken now */
    uint8_t passed;                          /* a bit a seat */
};

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are read as bytes, lowest first");
static_assert(sizeof(struct action) == 8, "an action is copied as one word");
static_assert(sizeof(struct game) <= 384, "a game is copied often");

#endif
