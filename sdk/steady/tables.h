/* SPDX-License-Identifier: MIT */
/*
 * Writes and reads learned weights as a compact file; loads the files built into the program.
 *
 * A file has a header of 12 bytes: "PAVW", the version, the number of players, the side of the
 * board, a 0, and the number of training games (32 bits, little-endian). All weights follow, round
 * by round, kind by kind, in the order of struct weights, in units of 1/32 point. Each weight is a
 * variable-length number (7 bits per byte, lowest first) whose lowest bit is the sign. After a
 * weight of 0 comes a number that says how many further weights are 0. Version 1 lacks
 * weights.group, which is then 0.
 */
#ifndef SDK_STEADY_TABLES_H
#define SDK_STEADY_TABLES_H

#include <stdbool.h>

#include "sdk/steady/weights.h"

enum {
    TABLES_VERSION = 2,
    TABLES_STEP = VALUE_POINT / 32, /* unit of a stored weight */
    TABLES_HEADER_BYTES = 12,
    TABLES_BYTES_MAX = 1 << 20, /* size of a buffer with room for any file */
};

struct tables_header {
    int player_count;
    enum board_side side;
    uint32_t game_count;
};

/*
 * Writes a file of the weights, rounded to TABLES_STEP, to `bytes`. Returns the file's size, or 0
 * if `capacity` is too small.
 */
size_t tables_pack(const struct weights_set *set, const struct tables_header *header,
                   uint8_t *bytes, size_t capacity);

/* Reads a file. Returns NULL, or one static line that says what is wrong with the file. */
const char *tables_unpack(const uint8_t *bytes, size_t size, struct tables_header *header,
                          struct weights_set *set);

/*
 * Loads the built-in weights for a number of players and a side of the board. Aborts if the
 * built-in file is invalid, which tests exclude.
 */
void tables_load(int player_count, enum board_side side, struct weights_set *set);

/* Returns the built-in file of weights, a static array, and sets *size. */
const uint8_t *tables_file(int player_count, enum board_side side, size_t *size);

#endif
