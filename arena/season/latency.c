/* SPDX-License-Identifier: MIT */
#include "arena/season/latency.h"

#include <math.h>

enum {
    STEPS_BITS = 3, /* 8 buckets per octave; below 8 us, one bucket per microsecond */
};

static int bucket_of(int64_t us)
{
    uint64_t value = us > 0 ? (uint64_t)us : 0;
    int octave, bucket;

    if (value < 1u << STEPS_BITS)
        return (int)value;
    octave = 63 - __builtin_clzll(value) - STEPS_BITS;
    bucket = (octave << STEPS_BITS) + (int)(value >> octave);
    return bucket < LATENCY_BUCKETS ? bucket : LATENCY_BUCKETS - 1;
}

static int64_t bucket_end_us(int bucket)
{
    int octave = (bucket >> STEPS_BITS) - 1;

    if (octave < 0)
        return bucket;
    return (((int64_t)(bucket & ((1 << STEPS_BITS) - 1)) + (1 << STEPS_BITS) + 1) << octave) - 1;
}

void latency_add(struct latency *latency, int64_t us)
{
    if (us < 0)
        us = 0;
    latency->counts[bucket_of(us)]++;
    latency->count++;
    latency->sum_us += us;
    if (us > latency->max_us)
        latency->max_us = us;
}

void latency_merge(struct latency *latency, const struct latency *other)
{
    for (int i = 0; i < LATENCY_BUCKETS; i++)
        latency->counts[i] += other->counts[i];
    latency->count += other->count;
    latency->sum_us += other->sum_us;
    if (other->max_us > latency->max_us)
        latency->max_us = other->max_us;
}

int64_t latency_share_us(const struct latency *latency, double share)
{
    int64_t wanted = (int64_t)ceil(share * (double)latency->count), seen = 0;

    for (int i = 0; i < LATENCY_BUCKETS; i++) {
        seen += latency->counts[i];
        if (seen >= wanted && seen > 0 && i < LATENCY_BUCKETS - 1)
            return bucket_end_us(i) < latency->max_us ? bucket_end_us(i) : latency->max_us;
    }
    return latency->max_us;
}

static size_t pack_number(uint8_t *bytes, uint64_t number)
{
    size_t size = 0;

    while (number >= 0x80) {
        bytes[size++] = (uint8_t)(number | 0x80);
        number >>= 7;
    }
    bytes[size++] = (uint8_t)number;
    return size;
}

static bool unpack_number(const uint8_t **bytes, const uint8_t *end, uint64_t *number)
{
    *number = 0;
    for (int shift = 0; *bytes < end && shift < 42; shift += 7) {
        uint8_t byte = *(*bytes)++;

        *number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

size_t latency_pack(const struct latency *latency, uint8_t bytes[static LATENCY_PACKED_MAX])
{
    size_t size = 0;
    int last = 0;

    for (int i = 0; i < LATENCY_BUCKETS; i++) {
        if (latency->counts[i] == 0)
            continue;
        size += pack_number(bytes + size, (uint64_t)(i - last));
        size += pack_number(bytes + size, (uint64_t)latency->counts[i]);
        last = i;
    }
    return size;
}

bool latency_unpack_add(struct latency *latency, const uint8_t *bytes, size_t size, int64_t sum_us,
                        int64_t max_us)
{
    const uint8_t *at = bytes, *end = bytes + size;
    uint64_t bucket = 0, step, count;

    while (at < end) {
        /* Both numbers usually have one byte; ladders unpack millions of them. */
        if (end - at >= 2 && at[0] < 0x80 && at[1] < 0x80) {
            step = *at++;
            count = *at++;
        } else if (!unpack_number(&at, end, &step) || !unpack_number(&at, end, &count)) {
            return false;
        }
        bucket += step;
        if (bucket >= LATENCY_BUCKETS)
            return false;
        latency->counts[bucket] += (int64_t)count;
        latency->count += (int64_t)count;
    }
    latency->sum_us += sum_us;
    if (max_us > latency->max_us)
        latency->max_us = max_us;
    return true;
}
