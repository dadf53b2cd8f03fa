/* SPDX-License-Identifier: MIT */
/*
 * Finds legal actions: all of them as a list, or one action at an index without making the list.
 * Drafts come from game.offers; the code below computes placements and choices of tiles. A set of
 * actions is a word of bits; taking the lowest bit first gives the ascending order that game.h
 * promises.
 */
#include <string.h>

#include "engine/board.h"
#include "engine/choices.h"
#include "engine/draw.h"
#include "engine/fast.h"
#include "engine/game.h"
#include "engine/tiles.h"
#include "engine/turn.h"
#include "engine/word.h"

/*
 * ---- Paying for a space: as many tiles as the space costs, each of the named color or wild, at
 * least one of the named color. If the named color is the wild color, all tiles are of that color.
 * rules.md section 5. ----
 */

/*
 * All ways to pay from a hand. Each byte stands for one color and one space; its bit w is set if
 * the hand can pay with w wild tiles. outer and center have a word per position, with a byte per
 * color; of_color has a word per color, with a byte per position of an outer star.
 */
struct pay {
    uint64_t outer[GAME_SPACES];
    uint64_t center[GAME_SPACES];
    uint64_t of_color[GAME_COLORS];
};

/* Transposes a matrix of bytes: byte i of row j becomes byte j of column i. */
static inline void pay_transpose(const uint64_t rows[static 6], uint64_t columns[static 6])
{
    typedef uint8_t bytes __attribute__((vector_size(16)));
    typedef uint64_t words __attribute__((vector_size(16)));
#define LOW_BYTES(a, b)                                                                            \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define PAIRS(a, b, from)                                                                          \
    __builtin_shufflevector(a, b, from, from + 1, from + 16, from + 17, from + 2, from + 3,        \
                            from + 18, from + 19, from + 4, from + 5, from + 20, from + 21,        \
                            from + 6, from + 7, from + 22, from + 23)
#define FOURS(a, b, from)                                                                          \
    __builtin_shufflevector(a, b, from, from + 1, from + 2, from + 3, from + 16, from + 17,        \
                            from + 18, from + 19, from + 4, from + 5, from + 6, from + 7,          \
                            from + 20, from + 21, from + 22, from + 23)
    bytes row[6], none = {0};
    bytes first, second, third;

    for (int i = 0; i < 6; i++)
        row[i] = (bytes)(words){rows[i], 0};
    first = LOW_BYTES(row[0], row[1]);
    second = LOW_BYTES(row[2], row[3]);
    third = LOW_BYTES(row[4], row[5]);
    row[0] = FOURS(PAIRS(first, second, 0), PAIRS(third, none, 0), 0);
    row[1] = FOURS(PAIRS(first, second, 0), PAIRS(third, none, 0), 8);
    row[2] = FOURS(PAIRS(first, second, 8), PAIRS(third, none, 8), 0);
    memcpy(columns, row, 6 * sizeof *columns);
#undef LOW_BYTES
#undef PAIRS
#undef FOURS
}

/*
 * Computes all ways to pay the costs 1 to 6: ways_of_cost[cost - 1] has a byte per color, as in
 * struct pay. For example, with 2 green tiles and 1 wild tile in the hand, the byte of green is
 * 0b001 for cost 1 (1 green), 0b011 for cost 2 (2 green, or 1 green and 1 wild), 0b010 for cost 3
 * (2 green and 1 wild), and 0 for cost 4 (the hand cannot pay).
 */
static inline void pay_list_ways(uint64_t ways_of_cost[static GAME_SPACES], uint64_t hand, int wild)
{
    int wilds = tiles_of(hand, wild);
    uint64_t payable = (UINT64_C(2) << (wilds < GAME_SPACES ? wilds : GAME_SPACES)) - 1;
    uint64_t ways = 0;

    payable *= TILES_EACH;
    /*
     * In the byte of the wild color only bit 0 is possible, because this color's own tiles are the
     * wild tiles.
     */
    payable ^= tiles_only(payable, wild) ^ tiles_one(wild);
    for (int cost = 1; cost <= GAME_SPACES; cost++) {
        /*
         * From cost - 1 to cost: every payment gets one more wild tile, and the payment without
         * wild tiles is possible if the hand has enough tiles of the color.
         */
        uint64_t suffices = (hand + (uint64_t)(128 - cost) * TILES_EACH) >> 7 & TILES_EACH;

        ways = ways << 1 | suffices;
        ways_of_cost[cost - 1] = ways & payable;
    }
}

static inline void pay_init(struct pay *pay, uint64_t hand, int wild, enum board_side side)
{
    pay_list_ways(pay->outer, hand, wild);
    if (side == BOARD_COLORED) {
        memcpy(pay->center, pay->outer, sizeof pay->center);
    } else {
        /* The spaces of an outer star cost 3 2 1 4 5 6, those of the center star 3. */
        for (int position = 0; position < GAME_SPACES; position++)
            pay->center[position] = pay->outer[2];
        pay->outer[2] = pay->outer[0];
        pay->outer[0] = pay->center[0];
    }
    pay_transpose(pay->outer, pay->of_color);
}

/* ---- the lists ---- */

/* The part of an action's word for one bit of struct pay: color or position, and wild tiles. */
#define BY_COLOR(color, wilds)       ((uint64_t)(color) << 24 | (uint64_t)(wilds) << 32)
#define BY_POSITION(position, wilds) ((uint64_t)(position) << 16 | (uint64_t)(wilds) << 32)
#define EACH_WILDS(BY, n)            BY(n, 0), BY(n, 1), BY(n, 2), BY(n, 3), BY(n, 4), BY(n, 5), 0, 0
#define EACH_WAY(BY)                                                                               \
    EACH_WILDS(BY, 0), EACH_WILDS(BY, 1), EACH_WILDS(BY, 2), EACH_WILDS(BY, 3), EACH_WILDS(BY, 4), \
        EACH_WILDS(BY, 5)

static const uint64_t ways_by_color[8 * GAME_COLORS] = {EACH_WAY(BY_COLOR)};
static const uint64_t ways_by_position[8 * GAME_SPACES] = {EACH_WAY(BY_POSITION)};

/*
 * Expands six bits to six bytes: the first product moves bit i to bit 8i; the product with 0xff
 * fills byte i with that bit.
 */
#define BYTES(bits)       ((UINT64_C(0x0000000810204081) * (bits)&TILES_EACH) * 0xff)
#define FOUR_BYTES(bits)  BYTES(bits), BYTES(bits + 1), BYTES(bits + 2), BYTES(bits + 3)
#define EIGHT_BYTES(bits) FOUR_BYTES(bits), FOUR_BYTES(bits + 4)

static const uint64_t bytes_of_bits[64] = {
    EIGHT_BYTES(0),  EIGHT_BYTES(8),  EIGHT_BYTES(16), EIGHT_BYTES(24),
    EIGHT_BYTES(32), EIGHT_BYTES(40), EIGHT_BYTES(48), EIGHT_BYTES(56),
};

/* Returns a mask for words with a byte per color: 0xff for each color in a set. */
static inline uint64_t ways_in_colors(unsigned colors)
{
    return bytes_of_bits[colors];
}

/* Returns a mask for words with a byte per position: 0xff for each position in a set. */
static inline uint64_t ways_at_positions(unsigned positions)
{
    return bytes_of_bits[positions];
}

static inline struct action *list_drafts(uint64_t offers, struct action *next)
{
    for (; offers; offers &= offers - 1)
        *next++ = word_action(drafts[__builtin_ctzll(offers)].word);
    return next;
}

/*
 * One star, as the search for placements needs it. If the star accepts a single color, the search
 * handles all positions at once (pay.of_color); else one position after another, with all colors at
 * once (pay.outer, pay.center).
 */
struct star {
    unsigned open;  /* open positions, a bit each */
    unsigned takes; /* accepted colors, a bit each */
    uint64_t word;  /* part of an action's word: the kind "placement" and this star */
};

static inline struct star star_of(const struct game_seat *seat, int number)
{
    return (struct star){
        .open = ~board_star(seat->filled, number) & BOARD_STAR_FULL,
        .takes = board_star(seat->takes, number),
        .word = (uint64_t)ACTION_PLACE | (uint64_t)number << 8,
    };
}

static inline bool star_takes_one(struct star star)
{
    return __builtin_popcount(star.takes) == 1;
}

/* Returns the ways to pay for the open spaces of a star that accepts a single color. */
static inline uint64_t star_ways(struct star star, const struct pay *pay)
{
    return pay->of_color[__builtin_ctz(star.takes)] & ways_at_positions(star.open);
}

static inline struct action *list_ways(uint64_t ways, uint64_t word,
                                       const uint64_t words[static 8 * GAME_COLORS],
                                       struct action *next)
{
    for (; ways; ways &= ways - 1)
        *next++ = word_action(word | words[__builtin_ctzll(ways)]);
    return next;
}

static inline struct action *
list_positions(struct star star, const uint64_t pay[static GAME_SPACES], struct action *next)
{
    uint64_t taken = ways_in_colors(star.takes);

    for (; star.open; star.open &= star.open - 1) {
        int position = __builtin_ctz(star.open);

        next = list_ways(pay[position] & taken, star.word | (uint64_t)position << 16, ways_by_color,
                         next);
    }
    return next;
}

/* A hand, as indexes into the tables of lists.h: row + tiles_of(rows, color) is a color's row. */
struct means {
    uint64_t rows;
    int row;
};

static inline struct means means_of(uint64_t hand, int wild)
{
    int wilds = tiles_of(hand, wild);

    return (struct means){
        .rows = hand + (uint64_t)(LISTS_WILD_ITSELF - wilds) * tiles_one(wild),
        .row = LISTS_PAYMENT_ROWS * (wilds < GAME_SPACES ? wilds : GAME_SPACES),
    };
}

/*
 * Lists the placements on the outer stars of the colored side. For an empty star, the usual case,
 * copies them from lists_of_payments. The compiler unrolls the loop, so that each star's color is a
 * constant.
 */
static inline struct action *list_colored_stars(const struct game_seat *seat, int wild,
                                                const struct pay *pay, struct action *next)
{
    struct means means = means_of(seat->tiles, wild);

#pragma GCC unroll 6
    for (int number = 0; number < GAME_STAR_CENTER; number++) {
        int color = board_star_colors[number];
        uint64_t word = (uint64_t)ACTION_PLACE | (uint64_t)number << 8 | (uint64_t)color << 24;
        unsigned filled = board_star(seat->filled, number);

        if (filled == 0)
            next =
                lists_copy(&lists_of_payments[means.row + tiles_of(means.rows, color)], word, next);
        else
            next = list_ways(pay->of_color[color] & ~ways_at_positions(filled), word,
                             ways_by_position, next);
    }
    return next;
}

static inline struct action *list_gray_stars(const struct game_seat *seat, const struct pay *pay,
                                             struct action *next)
{
    for (int number = 0; number < GAME_STAR_CENTER; number++) {
        struct star star = star_of(seat, number);

        if (star_takes_one(star))
            next = list_ways(star_ways(star, pay),
                             star.word | (uint64_t)__builtin_ctz(star.takes) << 24,
                             ways_by_position, next);
        else
            next = list_positions(star, pay->outer, next);
    }
    return next;
}

static inline struct action *list_placements(const struct game *game, struct action *next)
{
    const struct game_seat *seat = &game->seats[game->player];
    int wild = game->round - 1;
    struct pay pay;

    pay_init(&pay, seat->tiles, wild, (enum board_side)game->board);
    if (game->board == BOARD_COLORED)
        next = list_colored_stars(seat, wild, &pay, next);
    else
        next = list_gray_stars(seat, &pay, next);
    return list_positions(star_of(seat, GAME_STAR_CENTER), pay.center, next);
}

static inline size_t list_drafts_of(const struct game *game, struct action *actions)
{
    return (size_t)(list_drafts(game->offers, actions) - actions);
}

FAST_TWICE(size_t, list_drafts_of, (const struct game *game, struct action *actions),
           (game, actions))

static inline size_t list_placements_and_passes(const struct game *game, struct action *actions)
{
    struct action *next = list_placements(game, actions);

    return (size_t)(choices_list_passes(game->seats[game->player].tiles, next) - actions);
}

FAST_TWICE(size_t, list_placements_and_passes, (const struct game *game, struct action *actions),
           (game, actions))

size_t game_legal_actions(const struct game *game, struct action actions[static GAME_ACTIONS_MAX])
{
    switch ((enum phase)game->phase) {
    case PHASE_DRAFT:
        return list_drafts_of_twice(game, actions);
    case PHASE_PLACE:
        return list_placements_and_passes_twice(game, actions);
    case PHASE_BONUS:
        return (size_t)(choices_list_bonus(game->supply, game->bonus, actions) - actions);
    case PHASE_OVER:
        break;
    }
    return 0;
}

/* Returns the position of the set bit that has `below` set bits below it. */
static inline int find_bit(uint64_t bits, uint32_t below)
{
    for (; below > 0; below--)
        bits &= bits - 1;
    return __builtin_ctzll(bits);
}

static inline const struct draft *draw_draft(uint64_t offers, uint64_t number)
{
    return &drafts[find_bit(offers, draw_below(number, (uint32_t)__builtin_popcountll(offers)))];
}

static inline uint64_t draw_draft_word(const struct game *game, uint64_t number)
{
    return draw_draft(game->offers, number)->word;
}

FAST_TWICE(uint64_t, draw_draft_word, (const struct game *game, uint64_t number), (game, number))

static inline uint32_t count_ways(uint64_t ways)
{
    return (uint32_t)__builtin_popcountll(ways);
}

static inline uint32_t count_positions(struct star star, const uint64_t pay[static GAME_SPACES])
{
    uint64_t taken = ways_in_colors(star.takes);
    uint32_t count = 0;

    for (; star.open; star.open &= star.open - 1)
        count += count_ways(pay[__builtin_ctz(star.open)] & taken);
    return count;
}

/* Counts the placements on each star of the gray side. Returns the sum of the counts. */
static inline uint32_t count_gray(const struct game_seat *seat, const struct pay *pay,
                                  uint32_t counts[static GAME_STARS])
{
    uint32_t count = 0;

    for (int number = 0; number < GAME_STARS; number++) {
        struct star star = star_of(seat, number);

        if (number == GAME_STAR_CENTER)
            counts[number] = count_positions(star, pay->center);
        else if (star_takes_one(star))
            counts[number] = count_ways(star_ways(star, pay));
        else
            counts[number] = count_positions(star, pay->outer);
        count += counts[number];
    }
    return count;
}

/*
 * Returns the placement at an index of the star's list. Example: if the ways to pay are 0b011 at
 * position 1 and 0b010 at position 4, index 2 is the payment at position 4.
 */
static inline uint64_t find_position(struct star star, const uint64_t pay[static GAME_SPACES],
                                     uint32_t index)
{
    uint64_t taken = ways_in_colors(star.takes);

    for (;; star.open &= star.open - 1) {
        int position = __builtin_ctz(star.open);
        uint64_t ways = pay[position] & taken;

        if (index < count_ways(ways))
            return star.word | (uint64_t)position << 16 | ways_by_color[find_bit(ways, index)];
        index -= count_ways(ways);
    }
}

/* Returns the placement at an index of a gray star's list; index is below the star's count. */
static inline uint64_t find_gray(const struct game_seat *seat, int number, const struct pay *pay,
                                 uint32_t index)
{
    struct star star = star_of(seat, number);

    if (number == GAME_STAR_CENTER)
        return find_position(star, pay->center, index);
    if (star_takes_one(star))
        return star.word | (uint64_t)__builtin_ctz(star.takes) << 24 |
               ways_by_position[find_bit(star_ways(star, pay), index)];
    return find_position(star, pay->outer, index);
}

typedef uint64_t word_pair __attribute__((vector_size(16)));
typedef uint8_t byte_row __attribute__((vector_size(16)));
typedef uint16_t place_row __attribute__((vector_size(16)));

/*
 * Two shuffle indexes: the byte of a star in the first vector, and the byte of a color in the
 * second.
 */
#define PLACE(star, color) (star), 16 + (color)

/*
 * Where lists_of_way_counts has the numbers of placements on the colored side. A row stands
 * for the tiles that can pay for a color, a column for the filled spaces of a star: row 3 and the
 * filled positions 0 and 2 (0b000101) are rows[3 * 64 + 5]. SIMD code computes the indexes of all
 * stars at once. The center star has an index per color, all in one column; a color that the star
 * already holds has a row without payments.
 */
struct colored {
    place_row outer;            /* by outer star: index into `rows` */
    place_row center;           /* by color: index into center_rows, for the center star */
    const uint8_t *rows;        /* the first row for the number of held wild tiles */
    const uint8_t *center_rows; /* `rows`, from the center star's column on */
};

static inline struct colored colored_of(const struct game_seat *seat, struct means means)
{
    uint64_t lacked = ways_in_colors(board_star(seat->takes, GAME_STAR_CENTER));
    const uint8_t *rows = lists_of_way_counts[means.row];
    byte_row filled = (byte_row)((word_pair){seat->filled} << 2);
    byte_row own = (byte_row)(word_pair){means.rows};
    byte_row center = (byte_row)(word_pair){means.rows & lacked};

    /* The second argument of PLACE is the star's color, as in board_star_colors. */
    own = __builtin_shufflevector(filled, own, PLACE(0, 2), PLACE(1, 5), PLACE(2, 4), PLACE(3, 3),
                                  PLACE(4, 1), PLACE(5, 0), PLACE(6, 6), PLACE(7, 7));
    center =
        __builtin_shufflevector((byte_row){0}, center, PLACE(0, 0), PLACE(0, 1), PLACE(0, 2),
                                PLACE(0, 3), PLACE(0, 4), PLACE(0, 5), PLACE(0, 6), PLACE(0, 7));
    return (struct colored){
        .outer = (place_row)own >> 2,
        .center = (place_row)center >> 2,
        .rows = rows,
        .center_rows = rows + board_star(seat->filled, GAME_STAR_CENTER),
    };
}

static inline uint32_t count_colored(struct colored colored)
{
    uint32_t count = 0;

#pragma GCC unroll 6
    for (int i = 0; i < GAME_STAR_CENTER; i++)
        count += colored.rows[colored.outer[i]] + colored.center_rows[colored.center[i]];
    return count;
}

/* Returns the placement at an index of the list for the colored side; index is below the count. */
static inline uint64_t find_colored(const struct game_seat *seat, int wild, struct means means,
                                    struct colored colored, uint32_t index)
{
    struct pay pay;

    for (int number = 0; number < GAME_STAR_CENTER; number++) {
        uint32_t count = colored.rows[colored.outer[number]];
        int color = board_star_colors[number];
        struct star star = star_of(seat, number);

        if (index < count)
            return star.word | (uint64_t)color << 24 |
                   ways_by_position[find_bit(
                       lists_of_ways[means.row + tiles_of(means.rows, color)] &
                           ways_at_positions(star.open),
                       index)];
        index -= count;
    }
    pay_list_ways(pay.center, seat->tiles, wild);
    return find_position(star_of(seat, GAME_STAR_CENTER), pay.center, index);
}

/* The passes from which a draw chooses. */
enum draw_passes {
    DRAW_ANY_PASS,  /* every legal pass */
    DRAW_LAST_PASS, /* no pass while a placement is legal; without a placement, only passes that
                       keep the most tiles */
};

/* Draws a pass that keeps the most tiles: the whole hand, if the corners have room. */
static uint64_t draw_last_pass(uint64_t hand, uint64_t number)
{
    struct choices choices;
    uint32_t count;

    if (tiles_total(hand) <= GAME_CORNERS)
        return word_choice(ACTION_PASS, hand);
    count = choices_of(&choices, hand, GAME_CORNERS);
    return word_choice(ACTION_PASS, choices_pick(&choices, draw_below(number, count)));
}

static inline uint64_t draw_colored(const struct game_seat *seat, int wild, uint64_t number,
                                    enum draw_passes which)
{
    struct choices_from passes = choices_from(seat->tiles);
    struct means means = means_of(seat->tiles, wild);
    struct colored colored = colored_of(seat, means);
    uint32_t count = count_colored(colored);
    uint32_t pass_count = which == DRAW_ANY_PASS ? choices_count_passes(passes) : 0;
    uint32_t index = draw_below(number, count + pass_count);

    if (index < count)
        return find_colored(seat, wild, means, colored, index);
    return which == DRAW_ANY_PASS ? choices_find_pass(passes, index - count)
                                  : draw_last_pass(seat->tiles, number);
}

/*
 * Changes *index, an index into the placements of all stars, to an index into those of one star.
 * Returns that star.
 */
static inline int find_star(const uint32_t counts[static GAME_STARS], uint32_t *index)
{
    int star = 0;

#pragma GCC unroll 7
    for (; *index >= counts[star]; star++)
        *index -= counts[star];
    return star;
}

static inline uint64_t draw_gray(const struct game_seat *seat, int wild, uint64_t number,
                                 enum draw_passes which)
{
    struct choices_from passes = choices_from(seat->tiles);
    uint32_t pass_count = which == DRAW_ANY_PASS ? choices_count_passes(passes) : 0;
    uint32_t counts[GAME_STARS], count, index;
    struct pay pay;
    int star;

    pay_init(&pay, seat->tiles, wild, BOARD_GRAY);
    count = count_gray(seat, &pay, counts);
    index = draw_below(number, count + pass_count);
    if (index >= count)
        return which == DRAW_ANY_PASS ? choices_find_pass(passes, index - count)
                                      : draw_last_pass(seat->tiles, number);
    star = find_star(counts, &index);
    return find_gray(seat, star, &pay, index);
}

static inline uint64_t draw_placement_or_pass(const struct game *game, uint64_t number,
                                              enum draw_passes which)
{
    const struct game_seat *seat = &game->seats[game->player];

    return game->board == BOARD_COLORED ? draw_colored(seat, game->round - 1, number, which)
                                        : draw_gray(seat, game->round - 1, number, which);
}

static inline uint64_t draw_any(const struct game *game, uint64_t number)
{
    return draw_placement_or_pass(game, number, DRAW_ANY_PASS);
}

FAST_TWICE(uint64_t, draw_any, (const struct game *game, uint64_t number), (game, number))

static uint64_t draw_bonus(const struct game *game, uint64_t number)
{
    struct choices choices;
    uint32_t count = choices_of(&choices, game->supply, game->bonus);

    return word_choice(ACTION_BONUS, choices_pick(&choices, draw_below(number, count)));
}

struct action game_draw_action(const struct game *game, uint64_t number)
{
    if (game->phase == PHASE_DRAFT)
        return word_action(draw_draft_word_twice(game, number));
    if (game->phase == PHASE_PLACE)
        return word_action(draw_any_twice(game, number));
    return word_action(draw_bonus(game, number));
}

/* Plays random drafts until the draft phase ends. Returns the number of drafts. */
static inline size_t play_drafts(struct game *game, uint64_t *random)
{
    struct drafting drafting = drafting_begin(game);
    size_t decisions = 0;

    do {
        drafting_take(&drafting, game, draw_draft(drafting.offers, draw_next(random)));
        decisions++;
    } while (drafting.offers);
    drafting_end(&drafting, game);
    return decisions;
}

/*
 * Plays the game to its end. Plays drafts, three quarters of all decisions, in a separate fast
 * loop. Returns the number of decisions.
 */
static inline size_t play_out(struct game *game, uint64_t *random)
{
    uint64_t state = *random;
    size_t decisions = 0;

    while (game->phase != PHASE_OVER) {
        if (game->phase == PHASE_DRAFT)
            decisions += play_drafts(game, &state);
        for (; game->phase == PHASE_PLACE; decisions++) {
            uint64_t word = draw_placement_or_pass(game, draw_next(&state), DRAW_LAST_PASS);

            if (word_kind(word) == ACTION_PLACE)
                turn_place(game, word);
            else
                turn_pass(game, word);
        }
        for (; game->phase == PHASE_BONUS; decisions++)
            turn_take_bonus(game, draw_bonus(game, draw_next(&state)));
    }
    *random = state;
    return decisions;
}

FAST_TWICE(size_t, play_out, (struct game * game, uint64_t *random), (game, random))

size_t game_play_out(struct game *game, uint64_t *random)
{
    return play_out_twice(game, random);
}

int action_compare(struct action a, struct action b)
{
    if (a.kind != b.kind)
        return a.kind < b.kind ? -1 : 1;
    for (int i = 0; i < GAME_ACTION_NUMBERS; i++)
        if (a.number[i] != b.number[i])
            return a.number[i] < b.number[i] ? -1 : 1;
    return 0;
}
