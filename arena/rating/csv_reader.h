/* The reader of CSV: the rows of games, before the set of games is created. For csv.c only. */
#ifndef ARENA_RATING_CSV_READER_H
#define ARENA_RATING_CSV_READER_H

#include <stdbool.h>

#include "arena/rating/csv.h"
#include "arena/rating/names.h"

enum {
    CSV_COLUMNS = 5,      /* columns of each form */
    CSV_COLUMNS_MAX = 32, /* columns searched for "previous" */
    CSV_NOBODY = -1,
};

enum csv_form {
    CSV_HEADER, /* the header was not read yet */
    CSV_SEATS,
    CSV_RESULTS,
};

struct csv_field {
    const char *bytes;
    size_t size;
};

/* The rows of a game so far. Players are numbered in order of their first row. */
struct csv_game {
    int64_t group;
    uint32_t line; /* of its first row */
    uint16_t bots[GAMES_PLAYERS_MAX];
    uint8_t ranks[GAMES_PLAYERS_MAX]; /* by seat; 0: no row */
};

/* A row of the second form. */
struct csv_pairing {
    uint16_t bots[2];
    uint32_t counts[3]; /* first wins, draws, second wins */
};

/* What the rows say about a player besides its games. */
struct csv_player {
    int64_t line;     /* of its first row; 0: it has none */
    int32_t previous; /* its previous version, or CSV_NOBODY */
    bool plays;       /* has a row: else the others mean nothing */
};

struct csv_reader {
    enum csv_form form;
    int result; /* 0, -EINVAL or -ENOMEM: the first failure, which stays */
    int64_t line;
    int column_count;    /* that are read of each row */
    int previous_column; /* 0: no such column */
    int field_count;
    struct csv_field fields[CSV_COLUMNS_MAX];
    struct names players, game_ids;
    struct csv_player facts[GAMES_BOTS_MAX]; /* the facts above, by player */
    struct csv_game *games;                  /* by number of the id */
    size_t game_room;
    struct csv_pairing *pairings;
    size_t pairing_count, pairing_room;
    struct csv_error *error; /* receives an error */
};

/* Sets the error of a line, unless there was a failure before. Returns the result. */
int csv_reader_refuse(struct csv_reader *reader, int64_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads lines, the last with or without its end. Returns 0, -EINVAL or -ENOMEM. */
int csv_reader_read(struct csv_reader *reader, const char *text, size_t size_bytes);

#endif
