/* SPDX-License-Identifier: MIT */
/*
 * A 64-bit checksum over numbers and bytes. It detects accidental changes, such as a damaged file
 * or a page that must be drawn again; it does not detect forgery. Checksums are stored in files:
 * never change the formula.
 */
#ifndef ARENA_BASE_MIX_H
#define ARENA_BASE_MIX_H

#include <stddef.h>
#include <stdint.h>

/* Returns the checksum with one more number added; the order of the numbers matters. */
static inline uint64_t mix(uint64_t sum, uint64_t number)
{
    sum = (sum ^ number) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 32;
}

/* Returns the checksum with their number and the bytes added. */
uint64_t mix_bytes(uint64_t sum, const void *bytes, size_t size);

#endif
