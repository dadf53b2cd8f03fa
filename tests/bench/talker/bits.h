/* What the talkers tell: bits that both sides know, so that each that came wrong is seen. */
#ifndef TESTS_BENCH_TALKER_BITS_H
#define TESTS_BENCH_TALKER_BITS_H

#include <stdint.h>

enum {
    BITS_SEED = 20261121,
    BITS_PAGE_STRIDE_BYTES = 1 << 18, /* beyond what reading one page brings in beside it */
};

static inline int bits_at(uint64_t seed, long index)
{
    uint64_t mixed = (seed + (uint64_t)index) * 0x9e3779b97f4a7c15u;

    mixed = (mixed ^ mixed >> 31) * 0xbf58476d1ce4e5b9u;
    return (mixed ^ mixed >> 29) & 1;
}

#endif
