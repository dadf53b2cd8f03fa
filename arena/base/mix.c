/* SPDX-License-Identifier: MIT */
#include "arena/base/mix.h"

#include <string.h>

uint64_t mix_bytes(uint64_t sum, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;

    sum = mix(sum, size);
    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;

        memcpy(&word, at, 8);
        sum = mix(sum, word);
    }
    for (; size > 0; at++, size--)
        sum = mix(sum, *at);
    return sum;
}
