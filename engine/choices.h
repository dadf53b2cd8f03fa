/*
 * Choices of a few tiles out of many: those kept on the corners when passing, or taken
 * from the supply as bonus. What must be kept or taken is at most 4 tiles, of 6 colors;
 * there are at most 210 choices.
 */
#ifndef ENGINE_CHOICES_H
#define ENGINE_CHOICES_H

#include "engine/lists.h"
#include "engine/tiles.h"

enum {
    CHOICE_TILES_MAX = 4
};

/* Tiles of one color that a choice can hold. */
static inline int choices_held(uint64_t tiles, int color)
{
    int count = tiles_of(tiles, color);

    return count < CHOICE_TILES_MAX ? count : CHOICE_TILES_MAX;
}

/* The lists for four colors, of which the given one is the first, by size. */
static inline const struct list *choices_lists(uint64_t tiles, int color)
{
    int number = 0;

    for (int i = 0; i < 4; i++)
        number = 5 * number + choices_held(tiles, color + i);
    return lists_of_choices + 5 * number;
}

/* Colors 0 and 1 in the place of the last two, and the other way round. */
static inline uint64_t choices_trailing(uint64_t tiles)
{
    return (tiles & 0xffff) << 32;
}

static inline uint64_t choices_leading(uint64_t word)
{
    return word >> 32;
}

/*
 * Writes every pass with this hand. The first two colors lead: behind each choice of theirs
 * come all choices of the last four that leave it within size.
 */
static inline struct action *choices_list_passes(uint64_t hand, struct action *next)
{
    const struct list *leads = choices_lists(choices_trailing(hand), 2) + CHOICE_TILES_MAX;
    const struct list *lasts = choices_lists(hand, 2) + CHOICE_TILES_MAX;
    const uint64_t *lead = lists_words + leads->first;
    const uint64_t *end = lead + leads->count;

    do
        next = lists_copy(lasts - tiles_total(*lead), choices_leading(*lead) | ACTION_PASS, next);
    while (++lead < end);
    return next;
}

/* Writes every choice of just so many bonus tiles, up to 3. */
static inline struct action *choices_list_bonus(uint64_t supply, int size, struct action *next)
{
    const struct list *leads = choices_lists(choices_trailing(supply), 2) + size;
    const uint64_t *lead = lists_words + leads->first;

    for (const uint64_t *end = lead + leads->count; lead < end; lead++) {
        int left = size - tiles_total(*lead);
        const struct list *lasts = choices_lists(supply, 2) + left;
        const uint64_t *last = lists_words + lasts->first;

        for (int i = 0; i < lasts->count; i++)
            if (tiles_total(last[i]) == left)
                *next++ = word_action(choices_leading(*lead) | last[i] | ACTION_BONUS);
    }
    return next;
}

/*
 * The same, counted and picked from without a list. ways[i] says in how many ways some
 * tiles are chosen from colors i and up: byte s of it for s tiles. Passing chooses 4 of
 * the hand and of "no tile", a seventh color of which there is enough.
 */
struct choices {
    uint64_t ways[GAME_COLORS + 1];
    int size;
};

/* In one way each: no tile, one, two, three or four of a color, as far as there are so many. */
#define CHOICES_OF_ONE_COLOR UINT64_C(0x0101010101)

static inline uint32_t choices_of_size(uint64_t ways, int size)
{
    return ways >> (8 * size) & 0xff;
}

/*
 * Multiplying two words of ways gives the ways of both together, as multiplying
 * polynomials does. Bytes 0..4 stay exact: none exceeds 210, and what overflows above
 * them never comes down. Returns how many choices there are.
 */
static inline uint32_t choices_multiply(struct choices *choices, uint64_t tiles)
{
    for (int color = GAME_COLORS - 1; color >= 0; color--) {
        int unused = CHOICE_TILES_MAX - choices_held(tiles, color);

        choices->ways[color] = choices->ways[color + 1] * (CHOICES_OF_ONE_COLOR >> (8 * unused));
    }
    return choices_of_size(choices->ways[0], choices->size);
}

static inline uint32_t choices_of_pass(struct choices *choices, uint64_t hand)
{
    choices->size = CHOICE_TILES_MAX;
    choices->ways[GAME_COLORS] = CHOICES_OF_ONE_COLOR;
    return choices_multiply(choices, hand);
}

static inline uint32_t choices_of_bonus(struct choices *choices, uint64_t supply, int size)
{
    choices->size = size;
    choices->ways[GAME_COLORS] = 1;
    return choices_multiply(choices, supply);
}

/* The tiles of the choice at an index of the list, which is below the count. */
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
