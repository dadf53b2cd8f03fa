/* SPDX-License-Identifier: MIT */
/*
 * A histogram of decision times. Eight buckets per octave give a 99th percentile within 13 %, and
 * keep a histogram small enough to be stored with every game. Pure.
 */
#ifndef ARENA_SEASON_LATENCY_H
#define ARENA_SEASON_LATENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum latency_limits {
    LATENCY_BUCKETS = 8 + 8 * 38,             /* the last bucket ends at 2^41 us, about 25 days */
    LATENCY_PACKED_MAX = LATENCY_BUCKETS * 7, /* size in bytes of the largest packed form */
};

/* A zeroed histogram is empty. */
struct latency {
    int64_t counts[LATENCY_BUCKETS];
    int64_t count; /* number of decisions */
    int64_t sum_us;
    int64_t max_us;
};

/* Adds one decision; a negative time counts as 0. */
void latency_add(struct latency *latency, int64_t us);

/* Adds all decisions of another histogram. */
void latency_merge(struct latency *latency, const struct latency *other);

/*
 * Returns the quantile `share` (0..1) of the decision times: the upper end of its bucket, at most
 * the maximum. Returns 0 if there are no decisions.
 */
int64_t latency_share_us(const struct latency *latency, double share);

/*
 * Packs the nonempty buckets as pairs of base-128 numbers, low digits first: the distance from the
 * previous nonempty bucket, and the count. The caller stores sum_us and max_us separately. Returns
 * the size in bytes.
 */
size_t latency_pack(const struct latency *latency, uint8_t bytes[static LATENCY_PACKED_MAX]);

/*
 * Adds packed buckets, with their sum and maximum. Returns false if the packed bytes are malformed;
 * *latency is then invalid.
 */
bool latency_unpack_add(struct latency *latency, const uint8_t *bytes, size_t size, int64_t sum_us,
                        int64_t max_us);

#endif
