/*
 * Lists of actions that come up again and again, computed at build time
 * (tables/make_lists.c) and copied from then on. They hold words of actions (word.h) in
 * ascending order, but for what the user adds: the kind, a star, ...
 */
#ifndef ENGINE_LISTS_H
#define ENGINE_LISTS_H

#include "engine/word.h"

struct list {
    uint16_t first; /* place in lists_words */
    uint16_t count;
};

extern const uint64_t lists_words[];

/*
 * Choices of the last four colors, by how many tiles there are of each, 4 standing for
 * more, and by how many may be chosen, at most: digits of a number to the base 5.
 */
extern const struct list lists_of_choices[5 * 5 * 5 * 5 * 5];

/*
 * Payments in one color, a row for each hand: LISTS_PAYMENT_ROWS for each number of wild
 * tiles, 6 standing for more; of these one for each number of tiles of the color, and one
 * for the wild color itself, which is paid in its own tiles only.
 */
enum {
    LISTS_WILD_ITSELF = GAME_TILES_PER_COLOR + 1,
    LISTS_PAYMENT_ROWS = LISTS_WILD_ITSELF + 1,
    LISTS_PAYMENTS = 7 * LISTS_PAYMENT_ROWS,
};

/* As placements on an empty star of costs 1 to 6. */
extern const struct list lists_of_payments[LISTS_PAYMENTS];

/* As sets: a byte a position, a bit a number of wild tiles. */
extern const uint64_t lists_of_ways[LISTS_PAYMENTS];

/* How many of them are left where some positions are filled, a bit each. */
extern const uint8_t lists_of_way_counts[LISTS_PAYMENTS][64];

/* How many choices there are of up to 4 tiles, by all six colors: digits to the base 5 again. */
extern const uint8_t lists_of_pass_counts[25 * 625];

/*
 * Writes a list, the bits of a word added to each. Goes in steps of four, one at least, and
 * may write up to four actions behind the last; there is room, as no list comes near
 * GAME_ACTIONS_MAX.
 */
static inline struct action *lists_copy(const struct list *list, uint64_t word, struct action *next)
{
    typedef uint64_t words __attribute__((vector_size(32)));
    const uint64_t *from = lists_words + list->first;
    struct action *end = next + list->count;

    do {
        words four;

        memcpy(&four, from, sizeof four);
        four |= word;
        for (int j = 0; j < 4; j++)
            next[j] = word_action(four[j]);
        from += 4;
        next += 4;
    } while (next < end);
    return end;
}

#endif
