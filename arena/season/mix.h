/*
 * A sum of 64 bits over numbers: tells whether something was changed by chance, such as what a page
 * shows or a file on the disk. Anybody can forge it. Kept in files: never change it.
 */
#ifndef ARENA_SEASON_MIX_H
#define ARENA_SEASON_MIX_H

#include <stdint.h>

/* Returns the sum with one more number; the order counts. */
static inline uint64_t mix(uint64_t sum, uint64_t number)
{
    sum = (sum ^ number) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 32;
}

#endif
