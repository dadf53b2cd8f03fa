/* Who plays a store in memory, and what they played. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/store/memory.h"
#include "tests/store/memory_desk.h"

static struct desk *desks;

int64_t desk_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

struct desk *desk_of(const struct store *store)
{
    struct desk *desk = desks;

    while (desk && strcmp(desk->url, store_url(store)) != 0)
        desk = desk->next;
    if (desk)
        return desk;
    desk = calloc(1, sizeof *desk);
    if (!desk)
        abort();
    strcpy(desk->url, store_url(store));
    desk->next = desks;
    return desks = desk;
}

struct store_worker *desk_run_of(const struct store *store, const struct store_worker *worker)
{
    struct desk *desk = desk_of(store);

    for (int i = 0; i < desk->run_count; i++)
        if (memcmp(desk->runs[i].identity, worker->identity, LEASE_IDENTITY_BYTES) == 0)
            return &desk->runs[i];
    return NULL;
}

/* ---- workers ---- */

int memory_worker_add(struct store *store, struct store_worker *worker)
{
    struct desk *desk = desk_of(store);
    struct store_worker *run = desk_run_of(store, worker);

    if (!run) {
        if (desk->run_count == RUNS_MAX)
            return -ENOMEM;
        run = &desk->runs[desk->run_count++];
        *run = *worker;
        run->id = desk->run_count;
        run->started_us = desk_now_us();
    }
    run->seen_us = desk_now_us();
    run->ended_us = 0;
    worker->id = run->id;
    worker->started_us = worker->seen_us = run->started_us;
    return 0;
}

struct summing {
    struct store *store;
    struct store_worker *run;
    int64_t season_id, bot_id; /* for seats; season_id 0: all */
    struct store_worker_seats seats;
    const struct store_season *season; /* the one that is read */
    int64_t bot_ids[BOTS_MAX];         /* of its entries */
};

static int take_entry(void *context, const struct store_entry *entry)
{
    ((struct summing *)context)->bot_ids[entry->number] = entry->bot_id;
    return 0;
}

static int add_game(void *context, const struct store_game *game)
{
    struct summing *summing = context;

    if (game->worker_id != summing->run->id)
        return 0;
    summing->run->layers =
        summing->run->game_count++ ? summing->run->layers & game->layers : game->layers;
    summing->run->delay_us += game->delay_us;
    for (int i = 0; i < game->player_count; i++) {
        if (summing->bot_ids[game->seats[i].entry] != summing->bot_id)
            continue;
        summing->seats.seat_count++;
        summing->seats.forfeit_count += game->seats[i].reason != WIRE_PLAYED;
        summing->seats.late_count += game->seats[i].reason == WIRE_TIMEOUT;
    }
    return 0;
}

static int sum_season(void *context, const struct store_season *season)
{
    struct summing *summing = context;
    int error = 0;

    if (summing->season_id && summing->season_id != season->id)
        return 0;
    summing->season = season;
    error = memory_backend.entries_each(summing->store, season->id, take_entry, summing);
    return error ? error
                 : memory_backend.games_each(summing->store, season->id, 0, add_game, summing);
}

int memory_workers_each(struct store *store, store_worker_fn *each_fn, void *context)
{
    struct desk *desk = desk_of(store);

    for (int i = 0; i < desk->run_count; i++) {
        struct store_worker run = desk->runs[i];
        struct summing summing = {.store = store, .run = &run};

        memset(run.identity, 0, sizeof run.identity);
        run.layers = 0;
        for (int j = 0; j < desk->held_count; j++)
            run.lease_count +=
                desk->held[j].worker_id == run.id && desk->held[j].until_us > desk_now_us();
        memory_backend.seasons_each(store, sum_season, &summing);
        if (each_fn(context, &run) != 0)
            return -EINTR;
    }
    return 0;
}

int memory_worker_seats_each(struct store *store, int64_t season_id, store_worker_seats_fn *each_fn,
                             void *context)
{
    struct desk *desk = desk_of(store);

    for (int i = 0; i < desk->run_count; i++)
        for (int64_t bot_id = 1; bot_id < BOTS_MAX; bot_id++) {
            struct store_worker run = desk->runs[i];
            struct summing summing = {
                .store = store, .run = &run, .season_id = season_id, .bot_id = bot_id};

            memory_backend.seasons_each(store, sum_season, &summing);
            summing.seats.worker_id = run.id;
            summing.seats.bot_id = bot_id;
            if (summing.seats.seat_count && each_fn(context, &summing.seats) != 0)
                return -EINTR;
        }
    return 0;
}
