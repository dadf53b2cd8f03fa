/* SPDX-License-Identifier: MIT */
/*
 * Values that jansson has no function for. Every function returns a new reference. Where memory is
 * lacking, the process ends (memory.h).
 */
#ifndef ARENA_BASE_JSON_H
#define ARENA_BASE_JSON_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Returns any bytes as a string: invalid UTF-8 becomes U+FFFD. */
json_t *json_text(const char *text, size_t size);

/* Returns bytes as lower-case hex. */
json_t *json_hex(const uint8_t *bytes, size_t size);

/* Returns a time (microseconds since 1970) as RFC 3339 in UTC. */
json_t *json_time(int64_t us);

/* Returns a time like json_time, but null for 0. */
json_t *json_time_or_null(int64_t us);

/* Returns an array of integers. */
json_t *json_ints(const int *numbers, int count);

/*
 * Text that functions print to a stream. json_words_begin returns the stream. json_words_take
 * returns the text that was printed since the last call; json_words_end also closes the stream.
 * Invalid UTF-8 becomes U+FFFD.
 */
struct json_words {
    FILE *stream;
    char *text;
    size_t size;
};

FILE *json_words_begin(struct json_words *words);
json_t *json_words_take(struct json_words *words);
json_t *json_words_end(struct json_words *words);

#endif
