/*
 * Reads games from CSV text in one of two forms:
 *
 *   game,group,player,seat,rank                  one row per seat
 *   first,second,first_wins,draws,second_wins    one row per pairing, each game its own group
 *
 * The only other column that is read is "previous", in the first form: the older version of the
 * row's player, or empty.
 *
 * The first line is the header. The rows of one game may be anywhere in the file. Lines end in LF
 * or CRLF; empty lines are ignored; a field may be quoted but may not contain quotes. The bots of
 * the set are in ascending byte order of their names, so that the order of rows does not affect any
 * result.
 */
#ifndef ARENA_RATING_CSV_H
#define ARENA_RATING_CSV_H

#include <stddef.h>
#include <stdint.h>

#include "arena/rating/games.h"

enum csv_limits {
    CSV_TEXT_BYTES_MAX = 128,   /* a player's name, in UTF-8 without control characters; or a game's
                                   id, which may be any bytes */
    CSV_COUNT_MAX = 1000000000, /* largest number of wins, draws or losses in one row */
    CSV_LINE_BYTES_MAX = 65536,
    CSV_MESSAGE_BYTES = 160,
};

struct csv {
    struct games games; /* the set of games, settled */
    char **names;       /* by bot, each NUL-terminated; NULL after the last */
    int *previous;      /* by bot: the bot's older version or -1, as elo_rate expects */
};

/* An error in the text, and where the error is. */
struct csv_error {
    int64_t line;                    /* line number, from 1 */
    char message[CSV_MESSAGE_BYTES]; /* one line that describes the error, without a line end */
};

/*
 * Creates a reader. To read a file in pieces: create a reader, feed it each piece, end it. To read
 * a text that is in memory: create a reader and pass all of the text to csv_reader_end. Returns
 * NULL if memory runs out.
 */
struct csv_reader *csv_reader_create(void);

/*
 * Reads the complete lines of a piece and sets *taken_bytes to their size; the caller begins the
 * next piece with the bytes that were not taken. If the piece has no line end, nothing is taken; a
 * line of CSV_LINE_BYTES_MAX bytes is an error. Returns 0, -EINVAL with *error set, or -ENOMEM;
 * after an error the reader can only be destroyed.
 */
int csv_reader_feed(struct csv_reader *reader, const char *piece, size_t size_bytes,
                    size_t *taken_bytes, struct csv_error *error);

/*
 * Reads the remaining text, whose last line needs no line end, and creates the set. Returns 0; or
 * -EINVAL, with *error set; or -ENOMEM. After an error, csv has nothing to free. Keeps no reference
 * to the text. Afterwards the reader can only be destroyed.
 */
int csv_reader_end(struct csv_reader *reader, const char *rest, size_t size_bytes, struct csv *csv,
                   struct csv_error *error);

/* Frees the reader. Accepts NULL. */
void csv_reader_destroy(struct csv_reader *reader);

/* Frees the memory of a csv, which may be zeroed. */
void csv_finish(struct csv *csv);

#endif
