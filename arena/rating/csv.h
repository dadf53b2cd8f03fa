/* SPDX-License-Identifier: MIT */
/*
 * Reads games from CSV text in one of two forms. "game,group,player,seat,rank" has one row per
 * seat; a further column "previous" may name the older version of the row's player.
 * "first,second,first_wins,draws,second_wins" has one row per pairing, and each of its games is a
 * group. The first line is the header. The rows of one game may be anywhere in the file. Lines end
 * in LF or CRLF; empty lines are ignored; a field may be quoted but may not contain quotes. The
 * bots of the set are in ascending byte order of their names, so that the order of rows does not
 * affect any result.
 */
#ifndef ARENA_RATING_CSV_H
#define ARENA_RATING_CSV_H

#include <stddef.h>
#include <stdint.h>

#include "arena/rating/games.h"

enum csv_limits {
    CSV_TEXT_BYTES_MAX = 128, /* longest name of a player (UTF-8 without control characters) or ID
                                 of a game (any bytes) */
    CSV_GAMES_MAX = 10000000, /* maximum of games in all rows of pairings: about 1.2 GB of memory */
    CSV_COUNT_MAX = 1000000,  /* largest number of wins, draws or losses in one row */
    CSV_MESSAGE_BYTES = 160,
};

struct csv {
    struct games games; /* the games, ready for rating (games_settle) */
    char **names;       /* names of the bots, in the order of the set; the list ends with NULL */
    int *previous;      /* number of each bot's previous version, or -1 */
};

/* An error in the text, and where the error is. */
struct csv_error {
    int64_t line;                    /* line number, from 1 */
    char message[CSV_MESSAGE_BYTES]; /* one line that describes the error, without a line end */
};

/*
 * Reads a text; its last line needs no line end. Returns 0; or -EINVAL with *error set; or -ENOMEM.
 * After an error, csv has nothing to free. Keeps no reference to the text.
 */
int csv_read(const char *text, size_t size_bytes, struct csv *csv, struct csv_error *error);

/* Frees the memory of a csv, which may be zeroed. */
void csv_finish(struct csv *csv);

#endif
