/*
 * Lists of frequent actions, computed at build time (tables/make_lists.c) and copied at run time.
 * They contain words of actions (word.h) in ascending order, without the parts that the user adds:
 * the kind, a star, ...
 */
#ifndef ENGINE_LISTS_H
#define ENGINE_LISTS_H

#include "engine/word.h"

struct list {
    uint16_t first; /* index into lists_words */
    uint16_t count;
};

extern const uint64_t lists_words[];

/*
 * The ways to choose tiles of the last four colors. Five base-5 digits make the index: how many
 * tiles there are of each of these colors (4 means 4 or more), and how many may be chosen at most.
 */
extern const struct list lists_of_choices[5 * 5 * 5 * 5 * 5];

/*
 * The ways to pay in one color, by the tiles that the player holds. For each number of wild tiles
 * (6 means 6 or more) there are LISTS_PAYMENT_ROWS rows: one for each number of tiles of the color,
 * and one for the wild color itself, which is paid with its own tiles only.
 */
enum {
    LISTS_WILD_ITSELF = GAME_TILES_PER_COLOR + 1,
    LISTS_PAYMENT_ROWS = LISTS_WILD_ITSELF + 1,
    LISTS_PAYMENTS = 7 * LISTS_PAYMENT_ROWS,
};

/* As placements on an empty star with costs 1 to 6. */
extern const struct list lists_of_payments[LISTS_PAYMENTS];

/* As sets: a byte per position, a bit per number of wild tiles. */
extern const uint64_t lists_of_ways[LISTS_PAYMENTS];

/* How many of them remain, by the mask of filled positions. */
extern const uint8_t lists_of_way_counts[LISTS_PAYMENTS][64];

/* How many choices of up to 4 tiles there are, by base-5 digits of all six colors. */
extern const uint8_t lists_of_pass_counts[25 * 625];

/*
 * Copies a list, with the bits of a word added to each action. Works in steps of four actions, at
 * least one step, and so may write up to four actions after the last; there is room, because no
 * list comes near GAME_ACTIONS_MAX.
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
