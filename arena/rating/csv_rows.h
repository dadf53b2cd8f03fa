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
    CSV_COLUMNS = 5,      /* that both forms need */
    CSV_COLUMNS_MAX = 32, /* that are looked at: "previous" is one of them */
    CSV_NOBODY = -1,
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

/* The rows of a game so far. Players are numbered in order of appearance. */
struct csv_game {
    int64_t group;
    uint32_t line; /* of the first row */
    uint16_t bots[GAMES_PLAYERS_MAX];
    uint8_t ranks[GAMES_PLAYERS_MAX]; /* by seat; 0: no row */
};

/* A row of results. */
struct csv_pairing {
    uint16_t bots[2];
    uint32_t counts[3]; /* first wins, draws, second wins */
};

/* What rows say of a player beside its games. */
struct csv_player {
    int64_t line;     /* that says who was before it; 0: none does */
    int32_t previous; /* the player whose newer version it is, or CSV_NOBODY */
    bool plays;
};

struct csv_rows {
    enum csv_form form;
    int64_t line;
    int previous_column; /* 0: there is none */
    int field_count;
    struct csv_field fields[CSV_COLUMNS_MAX];
    struct names players, game_ids;
    struct csv_player facts[GAMES_BOTS_MAX]; /* by player */
    struct csv_game *games;                  /* by number of the id */
    size_t game_count, game_room;
    struct csv_pairing *pairings;
    size_t pairing_count, pairing_room;
    struct csv_error *error; /* where to say what is wrong */
};

/* Says what is wrong with a line. Returns -EINVAL. */
int csv_rows_refuse(struct csv_rows *rows, int64_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads text made of whole lines, each with its end. Returns 0, -EINVAL or -ENOMEM. */
int csv_rows_read(struct csv_rows *rows, const char *text, size_t size_bytes);

/* Reads one line without its end, which may be empty. Returns the same. */
int csv_rows_read_line(struct csv_rows *rows, const char *line, size_t size_bytes);

/* Frees what the rows hold. Zeroed rows are fine. */
void csv_rows_finish(struct csv_rows *rows);

#endif
