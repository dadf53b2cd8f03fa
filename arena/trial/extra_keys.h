/*
 * Adds keys to a message that no version of the protocol has yet, to test that a bot ignores
 * unknown keys. Pure.
 */
#ifndef ARENA_TRIAL_EXTRA_KEYS_H
#define ARENA_TRIAL_EXTRA_KEYS_H

#include <stddef.h>
#include <stdint.h>

enum extra_keys_limits {
    EXTRA_KEYS_BYTES_MAX = 128, /* most bytes that they add to a message */
};

/*
 * Adds a key before and one after all others of the message in buffer[0..size), a map of at most 13
 * pairs. Returns the new size, or size if they do not fit capacity.
 */
size_t extra_keys_add(uint8_t *buffer, size_t size, size_t capacity);

#endif
