/* SPDX-License-Identifier: MIT */
/*
 * What the arena tells about seasons. The tables of columns here are part of the model (model.h).
 */
#ifndef ARENA_REPORT_SEASON_H
#define ARENA_REPORT_SEASON_H

#include "arena/report/columns.h"
#include "arena/season/status.h"

extern const struct columns clock_columns;   /* rows: json_t of replay_json_clock */
extern const struct columns opening_columns; /* rows: struct store_opening */

struct report_event {
    struct store_event event;
    char season[STORE_NAME_BYTES_MAX + 1]; /* ""; the event is not about one season */
};

extern const struct columns event_columns; /* rows: struct report_event */
extern const struct columns batch_columns; /* rows: struct store_batch */

struct report_season {
    struct season_facts facts; /* with the season's terms */
    struct season_status status;
    bool is_counted;                /* the facts have the counts of the season's games */
    struct store_opening *openings; /* owned; NULL: not read */
    int opening_count;
};

extern const struct columns season_columns; /* rows: struct report_season */

/*
 * Reads what is told about a season. The games of a closed season are counted only with
 * counts_closed, because counting takes time. Returns 0 or -errno (see store_failure). The caller
 * finishes the season in any case.
 */
int report_season_read(struct report_season *season, struct store *store,
                       const struct store_season *terms, bool counts_closed);
void report_season_finish(struct report_season *season);

json_t *report_season_json(const struct report_season *season, enum column_reader reader);

/* Writes which replays a season keeps: "all" or "forfeits+N". */
void report_keep_write(const struct store_season *terms, char text[static COLUMNS_TEXT_BYTES]);

#endif
