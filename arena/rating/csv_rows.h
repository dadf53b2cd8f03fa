/*
 * Rows of a CSV of games as they are read, before the set of games is made of them.
 * What csv.c works with; nothing else includes it.
 */
#ifndef ARENA_RATING_CSV_ROWS_H
#define ARENA_RATING_CSV_ROWS_H

#include <stdbool.h>

#include "arena/rating/csv.h"
#include "arena/rating/csv_games.h"
#include "arena/rating/ids.h"
#include "arena/rating/names.h"

enum {
    CSV_COLUMNS = 5, /* of both forms */
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
    struct ids game_ids;
    struct csv_games games;
    struct csv_pairing *pairings;
    size_t pairing_count, pairing_capacity;
    struct csv_error *error; /* where to tell what is wrong */
};

/* Returns 0, or -ENOMEM with nothing to free. Free with csv_rows_finish. */
int csv_rows_init(struct csv_rows *rows);

/* Tells what is wrong with a line. Returns -EINVAL. */
int csv_rows_refuse(struct csv_rows *rows, int64_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads text made of whole lines, each with its end. Returns 0, -EINVAL or -ENOMEM. */
int csv_rows_read(struct csv_rows *rows, const char *text, size_t size_bytes);

/* Reads one line without its end, which may be empty. Returns the same. */
int csv_rows_read_line(struct csv_rows *rows, const char *line, size_t size_bytes);

/* A row of the game with that number begins; if below 0, it is an error. Returns the same. */
int csv_rows_enter_game(struct csv_rows *rows, int64_t number, int64_t group);

/* Seats a player in the game that was entered. Returns the same. */
static inline int csv_rows_seat(struct csv_rows *rows, unsigned bot, unsigned seat, unsigned rank);

/* Tells that this game has a player at that seat. Returns -EINVAL. */
int csv_rows_refuse_seat(struct csv_rows *rows, unsigned seat);

/* Frees what the rows hold. Zeroed rows are fine. */
void csv_rows_finish(struct csv_rows *rows);

static inline int csv_rows_seat(struct csv_rows *rows, unsigned bot, unsigned seat, unsigned rank)
{
    int error = csv_games_seat(&rows->games, bot, seat, rank);

    return error == -EINVAL ? csv_rows_refuse_seat(rows, seat) : error;
}

#endif
