/*
 * Learned weights as a file of few bytes, and those that are built into the program.
 *
 * A file is a header of 12 bytes: "PAVW", the version, the number of players, the side of
 * the board, a 0, and how many games taught it (32 bits, little-endian). Then follow all
 * weights, round by round, kind by kind, in the order of struct weights, in steps of 1/32 point:
 * each as a number of variable length (7 bits a byte, the lowest first; its own lowest bit is
 * the sign). A weight of 0 is followed by how many more of them come.
 */
#ifndef BOTS_VALUE_TABLES_H
#define BOTS_VALUE_TABLES_H

#include <stdbool.h>

#include "bots/value/weights.h"

enum {
    TABLES_VERSION = 1,
    TABLES_STEP = VALUE_POINT / 32, /* of a stored weight */
    TABLES_HEADER_BYTES = 12,
    TABLES_BYTES_MAX = 1 << 20, /* room for any file */
};

struct tables_header {
    int player_count;
    enum board_side side;
    uint32_t game_count;
};

/* Writes a file of the weights, rounded to steps. Returns its size, 0 if it does not fit. */
size_t tables_pack(const struct weights_set *set, const struct tables_header *header,
                   uint8_t *bytes, size_t capacity);

/* Reads a file. Returns NULL, or one static line that says what is wrong with it. */
const char *tables_unpack(const uint8_t *bytes, size_t size, struct tables_header *header,
                          struct weights_set *set);

/* The weights that are built in for a game. Aborts if they do not read: they are tested. */
void tables_load(int player_count, enum board_side side, struct weights_set *set);

/* The file of them, which lasts as long as the program. */
const uint8_t *tables_file(int player_count, enum board_side side, size_t *size);

#endif
