/* SPDX-License-Identifier: MIT */
/*
 * Choices of tiles: the tiles that a passing player keeps on the corners, or the bonus tiles that a
 * player takes from the supply. A choice has at most 4 tiles of 6 colors, so there are at most 210
 * choices.
 */
#ifndef ENGINE_CHOICES_H
#define ENGINE_CHOICES_H

#include "engine/lists.h"
#include "engine/tiles.h"

enum {
    CHOICE_TILES_MAX = 4
};

/*
 * Returns the tiles with each count lowered to CHOICE_TILES_MAX, because a choice has no more
 * tiles.
 */
static inline uint64_t choices_held(uint64_t tiles)
{
    uint64_t more = (tiles + TILES_EACH * (127 - CHOICE_TILES_MAX)) >> 7 & TILES_EACH;

    return (tiles & ~(more * 0xff)) | more * CHOICE_TILES_MAX;
}

/*
 * Indexes into the tables of choices: one for the first two colors (the leads), one for the last
 * four. The base-5 digits of an index are the numbers of held tiles by color, at most 4 each.
 */
struct choices_from {
    unsigned leads; /* 0..24 */
    unsigned lasts; /* 0..624 */
};

static inline struct choices_from choices_from(uint64_t tiles)
{
    uint64_t pairs = choices_held(tiles) * (1 + 5 * 256);

    return (struct choices_from){
        .leads = (unsigned)tiles_of(pairs, 1),
        .lasts = 25 * (unsigned)tiles_of(pairs, 3) + (unsigned)tiles_of(pairs, 5),
    };
}

/*
 * Returns the five lists of choices of at most 0, 1, 2, 3 and 4 tiles. The choices of the leads are
 * stored as choices of the last two colors; choices_leading moves them to the first two.
 */
static inline const struct list *choices_lists(unsigned number)
{
    return lists_of_choices + 5 * number;
}

static inline uint64_t choices_leading(uint64_t word)
{
    return word >> 32;
}

/*
 * Writes every pass that is legal with a hand: each choice of tiles of the first two colors, in
 * order, with every choice of the other four colors that keeps the total at CHOICE_TILES_MAX or
 * less. For example, a choice of 3 tiles of the first two colors goes with all choices of at most 1
 * tile of the other four. Returns the end of the written actions.
 */
static inline struct action *choices_list_passes(uint64_t hand, struct action *next)
{
    struct choices_from from = choices_from(hand);
    const struct list *leads = choices_lists(from.leads) + CHOICE_TILES_MAX;
    const struct list *lasts = choices_lists(from.lasts) + CHOICE_TILES_MAX;
    const uint64_t *lead = lists_words + leads->first;
    const uint64_t *end = lead + leads->count;

    do
        next = lists_copy(lasts - tiles_total(*lead), choices_leading(*lead) | ACTION_PASS, next);
    while (++lead < end);
    return next;
}

/* Writes every choice of exactly `size` bonus tiles (at most 3). Returns the end of the actions. */
static inline struct action *choices_list_bonus(uint64_t supply, int size, struct action *next)
{
    struct choices_from from = choices_from(supply);
    const struct list *leads = choices_lists(from.leads) + size;
    const uint64_t *lead = lists_words + leads->first;

    for (const uint64_t *end = lead + leads->count; lead < end; lead++) {
        int left = size - tiles_total(*lead);
        const struct list *lasts = choices_lists(from.lasts) + left;
        const uint64_t *last = lists_words + lasts->first;

        for (int i = 0; i < lasts->count; i++)
            if (tiles_total(last[i]) == left)
                *next++ = word_action(choices_leading(*lead) | last[i] | ACTION_BONUS);
    }
    return next;
}

/* Returns the number of legal passes. */
static inline uint32_t choices_count_passes(struct choices_from from)
{
    return lists_of_pass_counts[625 * from.leads + from.lasts];
}

/* Returns the word of the pass at an index of the list; index is below the count. */
static inline uint64_t choices_find_pass(struct choices_from from, uint32_t index)
{
    const uint64_t *lead = lists_words + choices_lists(from.leads)[CHOICE_TILES_MAX].first;
    const struct list *lasts = choices_lists(from.lasts) + CHOICE_TILES_MAX;

    for (;; lead++) {
        const struct list *list = lasts - tiles_total(*lead);

        if (index < list->count)
            return choices_leading(*lead) | lists_words[list->first + index] | ACTION_PASS;
        index -= list->count;
    }
}

/*
 * Numbers of choices of tiles, for finding a choice without making a list. Byte s of ways[i] is the
 * number of ways to choose s tiles from colors i and above.
 */
struct choices {
    uint64_t ways[GAME_COLORS + 1];
    int size;
};

/*
 * Ways to choose 0, 1, 2, 3 and 4 tiles of one color of which 4 are available: a byte each, one way
 * each.
 */
#define CHOICES_OF_ONE_COLOR UINT64_C(0x0101010101)

static inline uint32_t choices_of_size(uint64_t ways, int size)
{
    return ways >> (8 * size) & 0xff;
}

/*
 * Sets *choices and returns the number of choices of `size` tiles, at most CHOICE_TILES_MAX.
 * Multiplying two words of ways combines them like polynomials. Bytes 0..4 stay exact: none exceeds
 * 126, and higher bytes overflow only upward.
 */
static inline uint32_t choices_of(struct choices *choices, uint64_t tiles, int size)
{
    uint64_t held = choices_held(tiles);

    choices->size = size;
    choices->ways[GAME_COLORS] = 1;
    for (int color = GAME_COLORS - 1; color >= 0; color--) {
        int unused = CHOICE_TILES_MAX - tiles_of(held, color);

        choices->ways[color] = choices->ways[color + 1] * (CHOICES_OF_ONE_COLOR >> (8 * unused));
    }
    return choices_of_size(choices->ways[0], size);
}

/* Returns the tiles of the choice at an index of the list; index is below the number of choices. */
static inline uint64_t choices_pick(const struct choices *choices, uint32_t index)
{
    int size = choices->size;
    uint64_t tiles = 0;

    for (int color = 0; color < GAME_COLORS; color++) {
        uint64_t ways = choices->ways[color + 1];

        /* Choices with fewer tiles of this color come first. */
        while (index >= choices_of_size(ways, size)) {
            index -= choices_of_size(ways, size--);
            tiles += tiles_one(color);
        }
    }
    return tiles;
}

#endif
