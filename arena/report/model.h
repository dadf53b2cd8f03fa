/* SPDX-License-Identifier: MIT */
/*
 * The model: what the arena tells about each thing, as one table of columns per thing. A column has
 * a key, a type, a unit, its meaning, and who may see it. Commands (text and --json), the API and
 * pages print these tables; `arena web --openapi` and docs/keys.md describe them. So a key is added
 * in one place, and means the same everywhere.
 */
#ifndef ARENA_REPORT_MODEL_H
#define ARENA_REPORT_MODEL_H

#include "arena/report/ladder.h"

struct thing {
    const char *name;              /* such as "season" */
    const char *about;             /* what it is: one sentence without a period */
    const struct columns *columns; /* NULL: those of a final ladder */
};

/* All things, in the order of docs/keys.md. */
extern const struct thing model[];
extern const int model_count;

/* Returns a thing's columns. Those of a ladder are in the caller's array. */
struct columns thing_columns(const struct thing *thing,
                             struct column array[static LADDER_COLUMNS_MAX]);

/*
 * ---- the arena: the daemon makes this JSON, and the API adds version, overloaded and seasons ----
 */

extern const struct columns status_columns; /* rows: json_t */

/* ---- a game that can be watched, in games.json of the live games ---- */

extern const struct columns live_columns; /* rows: json_t */

/* ---- a bot's day, from site/bot_page.c ---- */

extern const struct columns day_columns; /* rows: json_t */

/* ---- what came of a command (web/order.h), and what a program is told (commands/tell.c) ---- */

extern const struct columns outcome_columns, news_columns; /* rows: json_t */

#endif
