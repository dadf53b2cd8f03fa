/*
 * Choices of a few tiles from many: the tiles kept on the corners when passing, or the bonus tiles
 * taken from the supply. A choice has at most 4 tiles of 6 colors; there are at most 210 choices.
 */
#ifndef ENGINE_CHOICES_H
#define ENGINE_CHOICES_H

#include "engine/lists.h"
#include "engine/tiles.h"

enum {
    CHOICE_TILES_MAX = 4
};

/* Returns how many tiles of each color a choice can contain. */
static inline uint64_t choices_held(uint64_t tiles)
{
    uint64_t more = (tiles + TILES_EACH * (127 - CHOICE_TILES_MAX)) >> 7 & TILES_EACH;

    return (tiles & ~(more * 0xff)) | more * CHOICE_TILES_MAX;
}

/*
 * Indexes into the tables of choices: one for the first two colors, the leads, and one for the last
 * four. Tiles held are base-5 digits; one multiplication combines them into three pairs.
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
 * Returns the lists of choices by size. Choices of the leads are stored as those of the last two
 * colors.
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
 * Writes every pass with this hand: each choice of tiles of the first two colors, in order,
 * combined with every choice of the other four that keeps the total within CHOICE_TILES_MAX. For
 * example, a choice of 3 leading tiles is combined with all choices of at most 1 of the others.
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

/* Writes every choice of exactly size bonus tiles, size being at most 3. */
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

/* Returns how many passes there are. */
static inline uint32_t choices_count_passes(struct choices_from from)
{
    return lists_of_pass_counts[625 * from.leads + from.lasts];
}

/* Returns pass number index of the list, encoded in one integer; index is below the count. */
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
 * Counts choices of bonus tiles, and selects one, without creating a list. Byte s of ways[i] is the
 * number of ways to choose s tiles from colors i and above.
 */
struct choices {
    uint64_t ways[GAME_COLORS + 1];
    int size;
};

/*
 * There is one way each to choose 0, 1, 2, 3 or 4 tiles of one color, up to the number available.
 */
#define CHOICES_OF_ONE_COLOR UINT64_C(0x0101010101)

static inline uint32_t choices_of_size(uint64_t ways, int size)
{
    return ways >> (8 * size) & 0xff;
}

/*
 * Multiplying two words of ways combines them, like multiplying polynomials. Bytes 0..4 stay exact:
 * none exceeds 126, and overflow from higher bytes never reaches them. Returns how many choices
 * there are.
 */
static inline uint32_t choices_of_bonus(struct choices *choices, uint64_t supply, int size)
{
    uint64_t held = choices_held(supply);

    choices->size = size;
    choices->ways[GAME_COLORS] = 1;
    for (int color = GAME_COLORS - 1; color >= 0; color--) {
        int unused = CHOICE_TILES_MAX - tiles_of(held, color);

        choices->ways[color] = choices->ways[color + 1] * (CHOICES_OF_ONE_COLOR >> (8 * unused));
    }
    return choices_of_size(choices->ways[0], size);
}

/* Returns the tiles of the choice at an index of the list; index is below the count. */
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
