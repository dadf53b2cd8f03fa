/* Control in memory: events, and the roster of a season. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/store/memory_calls.h"
#include "tests/store/memory_rows.h"

int event_add(struct store *store, int64_t season_id, const char *what, const char *about)
{
    struct store_event event = {.id = (int64_t)row_count(store, EVENTS) + 1,
                                .season_id = season_id};

    snprintf(event.what, sizeof event.what, "%s", what);
    snprintf(event.about, sizeof event.about, "%s", about);
    return row_append(store, EVENTS, &event);
}

int memory_event_latest(struct store *store, int64_t *event)
{
    *event = (int64_t)row_count(store, EVENTS);
    return 0;
}

int memory_events_each(struct store *store, int64_t season_id, store_event_fn *each_fn,
                       void *context)
{
    for (size_t i = 0; i < row_count(store, EVENTS); i++) {
        const struct store_event *event = row_at(store, EVENTS, i);

        if ((!event->season_id || event->season_id == season_id) && each_fn(context, event) != 0)
            return -EINTR;
    }
    return 0;
}

int memory_roster_set(struct store *store, int64_t season_id, const char *const *names,
                      size_t count)
{
    bool own;
    int error = write_begin(store, &own);

    if (error)
        return error;
    for (size_t i = 0; i < row_count(store, ROSTER); i++) {
        struct kept_name *row = row_at(store, ROSTER, i);

        if (row->season_id == season_id)
            row->season_id = 0;
    }
    for (size_t i = 0; i < count && !error; i++) {
        struct kept_name row = {.season_id = season_id};

        strcpy(row.name, names[i]);
        error = row_append(store, ROSTER, &row);
    }
    if (!error)
        error = event_add(store, season_id, "roster", "");
    return write_end(store, own, error);
}

int memory_roster_each(struct store *store, int64_t season_id, store_name_fn *each_fn,
                       void *context)
{
    for (size_t i = 0; i < row_count(store, ROSTER); i++) {
        const struct kept_name *row = row_at(store, ROSTER, i);

        if (row->season_id == season_id && each_fn(context, row->name) != 0)
            return -EINTR;
    }
    return 0;
}
