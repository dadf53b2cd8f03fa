/* Seasons in memory: their terms, openings and schedule. */
#include <errno.h>
#include <string.h>

#include "tests/store/memory_calls.h"
#include "tests/store/memory_rows.h"

static struct store_season *season_of(struct store *store, int64_t id)
{
    return row_at(store, SEASONS, (size_t)id - 1);
}

static int add_opening(struct store *store, int64_t season_id, const struct store_opening *opening)
{
    struct kept_opening row = {season_id, *opening};

    row.opening.closed_us = 0;
    return row_append(store, OPENINGS, &row);
}

int memory_season_find(struct store *store, const char *name, struct store_season *season)
{
    for (size_t i = 0; i < row_count(store, SEASONS); i++) {
        const struct store_season *row = row_at(store, SEASONS, i);

        if (strcmp(row->name, name) != 0)
            continue;
        *season = *row;
        return 0;
    }
    return -ENOENT;
}

int memory_season_add(struct store *store, struct store_season *season,
                      const struct store_opening *opening)
{
    struct store_season row = *season;
    bool own;
    int error = write_begin(store, &own);

    if (error)
        return error;
    if (memory_season_find(store, season->name, &row) == 0)
        error = -EEXIST;
    row.id = (int64_t)row_count(store, SEASONS) + 1;
    row.closed_us = 0;
    if (!error)
        error = row_append(store, SEASONS, &row);
    if (!error)
        error = add_opening(store, row.id, opening);
    if (!error)
        error = event_add(store, row.id, "new", "");
    if (!error)
        season->id = row.id;
    return write_end(store, own, error);
}

int memory_seasons_each(struct store *store, store_season_fn *each_fn, void *context)
{
    for (size_t i = 0; i < row_count(store, SEASONS); i++)
        if (each_fn(context, row_at(store, SEASONS, i)) != 0)
            return -EINTR;
    return 0;
}

int memory_season_extend(struct store *store, int64_t season_id, int64_t more_games)
{
    bool own;
    int error = write_begin(store, &own);

    if (error)
        return error;
    if (season_of(store, season_id)->closed_us)
        return write_end(store, own, -EEXIST);
    if (season_of(store, season_id)->budget_games > STORE_BUDGET_GAMES_MAX - more_games)
        return write_end(store, own, -ERANGE);
    season_of(store, season_id)->budget_games += more_games;
    return write_end(store, own, event_add(store, season_id, "extend", ""));
}

int memory_season_begin_close(struct store *store, int64_t season_id, int64_t until_us)
{
    bool own;
    int error = write_begin(store, &own);

    if (error)
        return error;
    if (season_of(store, season_id)->closed_us)
        return write_end(store, own, -EEXIST);
    season_of(store, season_id)->closing_us = until_us;
    return write_end(store, own, event_add(store, season_id, "closing", ""));
}

int memory_season_go_on(struct store *store, int64_t season_id)
{
    struct store_season *season;
    bool own;
    int error = write_begin(store, &own);

    if (error)
        return error;
    season = season_of(store, season_id);
    if (season->closed_us || !season->closing_us)
        return write_end(store, own, -EEXIST);
    season->closing_us = 0;
    return write_end(store, own, event_add(store, season_id, "reopen", ""));
}

int memory_season_take_processor(struct store *store, int64_t season_id, const char *processor)
{
    struct store_season *season;
    bool own;
    int error = write_begin(store, &own);

    if (error)
        return error;
    season = season_of(store, season_id);
    if (season->same_cpu && !*season->processor)
        strcpy(season->processor, processor);
    return write_end(store, own, 0);
}

int memory_season_close(struct store *store, int64_t season_id, int64_t now_us)
{
    bool own;
    int error = write_begin(store, &own);

    if (error)
        return error;
    if (season_of(store, season_id)->closed_us)
        error = -EEXIST;
    else
        season_of(store, season_id)->closed_us = now_us;
    for (size_t i = 0; i < row_count(store, OPENINGS) && !error; i++) {
        struct kept_opening *row = row_at(store, OPENINGS, i);

        if (row->season_id == season_id && !row->opening.closed_us)
            row->opening.closed_us = now_us;
    }
    if (!error)
        error = event_add(store, season_id, "close", "");
    return write_end(store, own, error);
}

int memory_season_reopen(struct store *store, int64_t season_id, int64_t budget_games,
                         const struct store_opening *opening)
{
    bool own;
    int error = write_begin(store, &own);

    if (error)
        return error;
    if (!season_of(store, season_id)->closed_us)
        error = -EEXIST;
    if (!error) {
        season_of(store, season_id)->closed_us = season_of(store, season_id)->closing_us = 0;
        season_of(store, season_id)->budget_games = budget_games;
        error = add_opening(store, season_id, opening);
    }
    if (!error)
        error = event_add(store, season_id, "reopen", "");
    return write_end(store, own, error);
}

/* Rows are stored in order of their numbers. */
#define DEFINE_EACH(plural, noun, TABLE)                                                           \
    int memory_##plural##_each(struct store *store, int64_t season_id, store_##noun##_fn *each_fn, \
                               void *context)                                                      \
    {                                                                                              \
        for (size_t i = 0; i < row_count(store, TABLE); i++) {                                     \
            const struct kept_##noun *row = row_at(store, TABLE, i);                               \
                                                                                                   \
            if (row->season_id == season_id && each_fn(context, &row->noun) != 0)                  \
                return -EINTR;                                                                     \
        }                                                                                          \
        return 0;                                                                                  \
    }

DEFINE_EACH(openings, opening, OPENINGS)
DEFINE_EACH(entries, entry, ENTRIES)
DEFINE_EACH(groups, group, GROUPS)
DEFINE_EACH(batches, batch, BATCHES)

bool opening_is_open(struct store *store, int64_t season_id, int opening)
{
    for (size_t i = 0; i < row_count(store, OPENINGS); i++) {
        const struct kept_opening *row = row_at(store, OPENINGS, i);

        if (row->season_id == season_id && row->opening.number == opening &&
            !row->opening.closed_us)
            return true;
    }
    return false;
}

int memory_batch_add(struct store *store, int64_t season_id, const struct store_batch *batch,
                     const struct store_entry *entries, size_t entry_count,
                     const struct store_group *groups, size_t group_count)
{
    bool own;
    int error = write_begin(store, &own);

    if (error)
        return error;
    if (!opening_is_open(store, season_id, batch->opening))
        error = -ECANCELED;
    else if (batch->event != (int64_t)row_count(store, EVENTS))
        error = -ESTALE;
    else
        error = row_append(store, BATCHES, &(struct kept_batch){season_id, *batch});
    for (size_t i = 0; i < entry_count && !error; i++)
        error = row_append(store, ENTRIES, &(struct kept_entry){season_id, entries[i]});
    for (size_t i = 0; i < group_count && !error; i++)
        error = row_append(store, GROUPS, &(struct kept_group){season_id, groups[i]});
    return write_end(store, own, error);
}
