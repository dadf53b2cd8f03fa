/* SPDX-License-Identifier: MIT */
/*
 * An action as one 64-bit word, for speed: the kind is in the lowest byte, number i of the action
 * in byte i + 1.
 */
#ifndef ENGINE_WORD_H
#define ENGINE_WORD_H

#include <string.h>

#include "engine/state.h"

static inline uint64_t word_of(struct action action)
{
    uint64_t word;

    memcpy(&word, &action, sizeof word);
    return word;
}

static inline struct action word_action(uint64_t word)
{
    struct action action;

    memcpy(&action, &word, sizeof action);
    return action;
}

static inline int word_kind(uint64_t word)
{
    return (uint8_t)word;
}

/* Returns the action's numbers from index `from` on, as one word: 0 if all of them are 0. */
static inline uint64_t word_rest(uint64_t word, int from)
{
    return word >> (8 * (from + 1));
}

/* Returns action.number[i] from the word of an action, with its sign. */
static inline int word_number(uint64_t word, int i)
{
    return (int8_t)(word >> (8 * (i + 1)));
}

/* Returns the numbers of an action as counts of tiles by color. */
static inline uint64_t word_tiles(uint64_t word)
{
    return word >> 8;
}

static inline uint64_t word_choice(enum action_kind kind, uint64_t tiles)
{
    return tiles << 8 | (uint64_t)kind;
}

#endif
