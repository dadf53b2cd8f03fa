/*
 * Reads games from CSV text in one of two forms:
 *
 *   game,group,player,seat,rank                  one row per seat
 *   first,second,first_wins,draws,second_wins    one row per pairing, each game its own group
 *
 * Of other columns only "previous" is read, and only in the first form: the older version of this
 * player, or empty.
 *
 * The first line is the header. The rows of a game may be anywhere. Lines end in LF or CRLF; empty
 * lines are ignored; a field may be quoted but may not contain quotes. The bots of the set are in
 * ascending byte order of their names, so that the order of rows does not affect any result.
 */
#ifndef ARENA_RATING_CSV_H
#define ARENA_RATING_CSV_H

#include <stddef.h>
#include <stdint.h>

#include "arena/rating/games.h"

enum csv_limits {
    CSV_TEXT_BYTES_MAX = 128,   /* a player's name, in UTF-8 without control characters; a game's
                                   id, which may be any bytes */
    CSV_COUNT_MAX = 1000000000, /* wins, draws or losses in one row */
    CSV_LINE_BYTES_MAX = 65536,
    CSV_MESSAGE_BYTES = 160,
};

struct csv {
    struct games games; /* settled */
    char **names;       /* by bot, NULL after the last; each NUL-terminated */
    int *previous;      /* by bot: its older version or -1, as elo_rate expects */
};

/* An error in the text, and its place. */
struct csv_error {
    int64_t line;                    /* from 1 */
    char message[CSV_MESSAGE_BYTES]; /* one line without line end */
};

/*
 * For a file that need not be in memory as a whole: create a reader, feed it, end it. For a text
 * that is in memory, do not feed the reader: pass all of it to csv_reader_end. Returns NULL if
 * memory runs out.
 */
struct csv_reader *csv_reader_create(void);

/*
 * Reads the complete lines of a piece and sets *taken_bytes to their size; the next piece must
 * begin with the rest. A piece without a line end is not read at all; one of CSV_LINE_BYTES_MAX
 * bytes is an error. Returns 0, -EINVAL with *error set, or -ENOMEM; after an error the reader can
 * only be destroyed.
 */
int csv_reader_feed(struct csv_reader *reader, const char *piece, size_t size_bytes,
                    size_t *taken_bytes, struct csv_error *error);

/*
 * Reads the rest, whose last line needs no line end, and creates the set. Returns 0, -EINVAL with
 * *error set, or -ENOMEM; there is nothing to free in csv unless it returns 0. Keeps no reference
 * to the text; the reader can then only be destroyed.
 */
int csv_reader_end(struct csv_reader *reader, const char *rest, size_t size_bytes, struct csv *csv,
                   struct csv_error *error);

/* Frees the reader. Accepts NULL. */
void csv_reader_destroy(struct csv_reader *reader);

/* Frees the set. Accepts a zeroed csv. */
void csv_finish(struct csv *csv);

#endif
