/* The bits that the talkers send: known to both sides, so that each wrong one is detected. */
#ifndef TESTS_BENCH_TALKER_BITS_H
#define TESTS_BENCH_TALKER_BITS_H

#include <stdint.h>

enum {
    BITS_SEED = 20261121,
    BITS_PAGE_STRIDE_BYTES = 1 << 18, /* further than the kernel reads ahead around one page */
};

static inline int bits_at(uint64_t seed, long index)
{
    uint64_t mixed = (seed + (uint64_t)index) * 0x9e3779b97f4a7c15u;

    mixed = (mixed ^ mixed >> 31) * 0xbf58476d1ce4e5b9u;
    return (mixed ^ mixed >> 29) & 1;
}

#endif
