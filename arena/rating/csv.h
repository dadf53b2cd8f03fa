/*
 * Reads games from CSV text of either form:
 *
 *     game,group,player,seat,rank                 a row a seat
 *     first,second,first_wins,draws,second_wins   a row a pairing, each game a group of its own
 *
 * Of further columns one is read, and only in the first form: previous, the player whose
 * newer version this one is, or empty.
 *
 * The first line is the header. Rows of a game may lie anywhere. Lines end in LF or
 * CRLF, empty ones are passed over, a field may stand in quotes but not contain any.
 * The bots of the set are in ascending order of their names, byte by byte, so that
 * the order of rows does not show in anything computed from it.
 */
#ifndef ARENA_RATING_CSV_H
#define ARENA_RATING_CSV_H

#include <stddef.h>
#include <stdint.h>

#include "arena/rating/games.h"

enum csv_limits {
    CSV_NAME_BYTES_MAX = 128,   /* of a player: UTF-8 without control characters */
    CSV_GAME_BYTES_MAX = 128,   /* of a game's id: any bytes */
    CSV_COUNT_MAX = 1000000000, /* wins, draws or losses in one row */
    CSV_LINE_BYTES_MAX = 65536,
    CSV_MESSAGE_BYTES = 160,
};

struct csv {
    struct games games; /* settled */
    char **names;       /* by bot, NULL after the last; each NUL-terminated */
    int *previous;      /* by bot: its older version or -1, as elo_rate takes it */
};

/* What is wrong with the text, and where. */
struct csv_error {
    int64_t line;                    /* from 1 */
    char message[CSV_MESSAGE_BYTES]; /* one line without its end */
};

/*
 * Reads text, which need not end in anything. Returns 0, -EINVAL and what is wrong,
 * or -ENOMEM; with nothing to free unless 0. Keeps nothing of text.
 */
int csv_read(const char *text, size_t size_bytes, struct csv *csv, struct csv_error *error);

/*
 * The same piece by piece, for a file that need not be in memory as a whole: create a
 * reader, feed it, end it. NULL if there is no memory.
 */
struct csv_reader *csv_reader_create(void);

/*
 * Reads the whole lines of a piece and tells their size; the rest of it is to begin the
 * next piece. Nothing is taken of a piece without a line's end; one of
 * CSV_LINE_BYTES_MAX bytes is wrong then. Returns 0, -EINVAL or -ENOMEM, after which
 * the reader is only good to be destroyed.
 */
int csv_reader_feed(struct csv_reader *reader, const char *piece, size_t size_bytes,
                    size_t *taken_bytes, struct csv_error *error);

/*
 * Reads the rest, the last line if it has no end, and makes the set. Returns as
 * csv_read; the reader is only good to be destroyed then.
 */
int csv_reader_end(struct csv_reader *reader, const char *rest, size_t size_bytes, struct csv *csv,
                   struct csv_error *error);

/* Frees the reader; NULL is fine. */
void csv_reader_destroy(struct csv_reader *reader);

/* Frees what was read. A zeroed one is fine. */
void csv_finish(struct csv *csv);

#endif
