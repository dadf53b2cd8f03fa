/*
 * Rows of a CSV of games as they are read, before the set of games is made of them.
 * What csv.c works with; nothing else includes it.
 */
#ifndef ARENA_RATING_CSV_ROWS_H
#define ARENA_RATING_CSV_ROWS_H

#include <stdbool.h>

#include "arena/rating/csv.h"
#include "arena/rating/names.h"

enum {
    CSV_COLUMNS = 5,      /* of both forms */
    CSV_PREFIX_WORDS = 3, /* of eight bytes, for what two rows of a game share */
};

enum csv_form {
    CSV_HEADER, /* the header is still to come */
    CSV_SEATS,
    CSV_RESULTS,
};

struct csv_field {
    const char *bytes;
    size_t size;
};

/* A game whose rows are being gathered, by seat. */
struct csv_game {
    int64_t group;
    uint32_t line; /* of its first row */
    uint16_t bots[GAMES_PLAYERS_MAX];
    uint8_t ranks[GAMES_PLAYERS_MAX]; /* 0 for a seat not seen */
};

/* A row of results. */
struct csv_pairing {
    uint16_t bots[2];
    uint32_t counts[3]; /* first wins, draws, second wins */
};

struct csv_rows {
    enum csv_form form;
    int64_t line;
    struct csv_field fields[CSV_COLUMNS];
    struct names players; /* numbered in order of appearance */
    struct names game_ids;
    struct csv_game *games; /* by number of the id */
    size_t game_capacity;
    struct csv_pairing *pairings;
    size_t pairing_count, pairing_capacity;
    uint32_t last_game; /* of the row before, whose "id,group," this is: */
    size_t prefix_size; /* 0 if it is too long to keep */
    uint64_t prefix[CSV_PREFIX_WORDS], prefix_mask[CSV_PREFIX_WORDS];
    struct csv_error *error; /* where to tell what is wrong */
};

/* Tells what is wrong with a line. Returns -EINVAL. */
int csv_rows_refuse(struct csv_rows *rows, int64_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads text made of whole lines, each with its end. Returns 0, -EINVAL or -ENOMEM. */
int csv_rows_read(struct csv_rows *rows, const char *text, size_t size_bytes);

/* Reads one line without its end, which may be empty. Returns the same. */
int csv_rows_read_line(struct csv_rows *rows, const char *line, size_t size_bytes);

/* Frees what the rows hold. Zeroed rows are fine. */
void csv_rows_finish(struct csv_rows *rows);

#endif
