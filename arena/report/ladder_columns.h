/*
 * The columns of a ladder: each with its name, title, unit, getter and explanation, in
 * one table. Text, CSV, JSON and help come out of it.
 */
#ifndef ARENA_REPORT_LADDER_COLUMNS_H
#define ARENA_REPORT_LADDER_COLUMNS_H

#include "arena/report/columns.h"
#include "arena/season/standings.h"

enum ladder_columns_limits {
    LADDER_COLUMNS_MAX = 48,
};

/* What the getters read: the rows of one ladder of the standings. */
struct ladder_rows {
    const struct standings *standings;
    const struct ladder *ladder;
};

/*
 * The columns of a list (enum ladder_list bits), into an array of the caller's: a live one
 * has no errors, and its rating stands first.
 */
struct columns ladder_columns(unsigned list, struct column columns[static LADDER_COLUMNS_MAX]);

#endif
