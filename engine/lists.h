/* SPDX-License-Identifier: MIT */
/*
 * Lists of frequent actions, computed at build time (tables/make_lists.c) and copied at run time. A
 * list contains words of actions (word.h) in ascending order; the code that copies a list adds the
 * action's kind and, for placements, the star and color.
 */
#ifndef ENGINE_LISTS_H
#define ENGINE_LISTS_H

#include "engine/public.h"
#include "engine/word.h"

struct list {
    uint16_t first; /* index into lists_words */
    uint16_t count;
};

extern const uint64_t lists_words[] LINK_NAME(lists_words);

/*
 * The ways to choose tiles of the last four colors. The index has five base-5 digits: the numbers
 * of available tiles of the four colors (4 means 4 or more), then the largest number of tiles to
 * choose.
 */
extern const struct list lists_of_choices[5 * 5 * 5 * 5 * 5] LINK_NAME(lists_of_choices);

/*
 * The ways to pay in one color, in rows. For each number of held wild tiles (6 means 6 or more)
 * there are LISTS_PAYMENT_ROWS rows: one for each number of held tiles of the color, and one
 * (LISTS_WILD_ITSELF) for paying in the wild color.
 */
enum {
    LISTS_WILD_ITSELF = GAME_TILES_PER_COLOR + 1,
    LISTS_PAYMENT_ROWS = LISTS_WILD_ITSELF + 1,
    LISTS_PAYMENTS = 7 * LISTS_PAYMENT_ROWS,
};

/* Each row as a list: placements on an empty star whose spaces cost 1 to 6. */
extern const struct list lists_of_payments[LISTS_PAYMENTS] LINK_NAME(lists_of_payments);

/* Each row as a set: bit w of byte p is a payment at position p with w wild tiles. */
extern const uint64_t lists_of_ways[LISTS_PAYMENTS] LINK_NAME(lists_of_ways);

/* Number of a row's payments for unfilled positions, by row and by mask of filled positions. */
extern const uint8_t lists_of_way_counts[LISTS_PAYMENTS][64] LINK_NAME(lists_of_way_counts);

/*
 * Number of choices of up to 4 tiles; the base-5 digits of the index are the numbers of held tiles
 * by color.
 */
extern const uint8_t lists_of_pass_counts[25 * 625] LINK_NAME(lists_of_pass_counts);

/*
 * Copies a list, and adds the bits of `word` to each action. Returns the end of the copied actions.
 * Copies four actions at a time, at least four, and so writes up to four actions after that end:
 * arrays of GAME_ACTIONS_MAX have room for them.
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
