#include "tests/season_again/history.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void history_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fputs("season_again: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* Appends an element of size bytes to an array. */
static void *grow(void *array, int *count, size_t size, const void *added)
{
    char *larger = realloc(array, (size_t)(*count + 1) * size);

    if (!larger)
        history_fail("out of memory");
    memcpy(larger + (size_t)(*count)++ * size, added, size);
    return larger;
}

static void check(struct store *store, int error)
{
    if (error)
        history_fail("%s", store_failure(store));
}

static int keep_season(void *context, const struct store_season *season)
{
    struct history *history = context;

    if (history->season_count == HISTORY_SEASONS_MAX)
        history_fail("too many seasons");
    history->seasons[history->season_count++] = (struct history_season){.terms = *season};
    return 0;
}

/* Events of all seasons are listed with each season; each is kept once. */
static int keep_event(void *context, const struct store_event *event)
{
    struct history *history = context;

    for (int i = 0; i < history->event_count; i++)
        if (history->events[i].id == event->id)
            return 0;
    history->events = grow(history->events, &history->event_count, sizeof *event, event);
    return 0;
}

static int keep_batch(void *context, const struct store_batch *batch)
{
    struct history_season *season = context;

    season->batches = grow(season->batches, &season->batch_count, sizeof *batch, batch);
    return 0;
}

static int keep_group(void *context, const struct store_group *group)
{
    struct history_season *season = context;
    int openings[GAME_PLAYERS_MAX];

    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        openings[i] = HISTORY_NOT_PLAYED;
    if (group->number != season->group_count)
        history_fail("group %d is missing", season->group_count);
    season->openings = grow(season->openings, &season->group_count, sizeof openings, openings);
    return 0;
}

static int keep_game(void *context, const struct store_game *game)
{
    struct history_season *season = context;

    season->openings[game->group][game->rotation] = game->opening;
    return 0;
}

static int compare_events(const void *a, const void *b)
{
    int64_t first = ((const struct store_event *)a)->id,
            second = ((const struct store_event *)b)->id;

    return (first > second) - (first < second);
}

void history_read(struct history *history, struct store *store)
{
    *history = (struct history){.store = store};
    check(store, store_seasons_each(store, keep_season, history));
    for (int i = 0; i < history->season_count; i++) {
        struct history_season *season = &history->seasons[i];
        int64_t id = season->terms.id;

        check(store, store_events_each(store, id, keep_event, history));
        check(store, store_batches_each(store, id, keep_batch, season));
        check(store, store_groups_each(store, id, keep_group, season));
        check(store, store_games_each(store, id, keep_game, season));
    }
    qsort(history->events, (size_t)history->event_count, sizeof *history->events, compare_events);
}

void history_finish(struct history *history)
{
    for (int i = 0; i < history->season_count; i++) {
        free(history->seasons[i].batches);
        free(history->seasons[i].openings);
    }
    free(history->events);
}

const struct history_season *history_season(const struct history *history, int64_t season_id)
{
    for (int i = 0; i < history->season_count; i++)
        if (history->seasons[i].terms.id == season_id)
            return &history->seasons[i];
    history_fail("there is no season %lld", (long long)season_id);
}
