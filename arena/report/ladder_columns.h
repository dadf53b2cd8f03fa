/*
 * The columns of a ladder in one table: name, title, unit, getter and explanation of each. Text,
 * CSV, JSON and help are generated from it.
 */
#ifndef ARENA_REPORT_LADDER_COLUMNS_H
#define ARENA_REPORT_LADDER_COLUMNS_H

#include "arena/report/columns.h"
#include "arena/season/standings.h"

enum ladder_columns_limits {
    LADDER_COLUMNS_MAX = 48,
};

/* The rows that the getters read: one ladder of the standings. */
struct ladder_rows {
    const struct standings *standings;
    const struct ladder *ladder;
};

/*
 * Writes the columns of a list (enum ladder_list bits) to the caller's array. A live list has no
 * errors, and its rating is the first column.
 */
struct columns ladder_columns(unsigned list, struct column columns[static LADDER_COLUMNS_MAX]);

#endif
