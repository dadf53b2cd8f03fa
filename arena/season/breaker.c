/* SPDX-License-Identifier: MIT */
#include "arena/season/breaker.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOST_MAX = 16,    /* games in a row with a forfeit, */
    SPARED_MIN = 4,   /* where each bot with so many games forfeited an eighth of them */
    EXCESS_MIN = 8,   /* forfeits more than expected, */
    RESIDUAL_MAX = 4, /* and by how many standard errors */
    INNOCENT = 2,     /* a worker up to here is as others: its bots forfeit everywhere */
};

struct excess excess_of(int64_t count, int64_t bad, int64_t others_count, int64_t others_bad)
{
    double here = (double)count, others = (double)others_count;
    double rate = ((double)others_bad + 0.5) / (others + 1.);

    return (struct excess){.sum = (double)bad - here * rate,
                           .variance = here * rate * (1. - rate) * (1. + here / others)};
}

static int find(const struct breaker *breaker, int64_t worker_id)
{
    int number = 0;

    while (number < breaker->worker_count && breaker->workers[number]->id != worker_id)
        number++;
    return number;
}

static void drop(struct breaker *breaker, int number)
{
    free(breaker->workers[number]);
    memmove(&breaker->workers[number], &breaker->workers[number + 1],
            (size_t)(--breaker->worker_count - number) * sizeof *breaker->workers);
}

int breaker_add(struct breaker *breaker, const struct schedule_entry *entries,
                const struct store_game *game)
{
    int number = find(breaker, game->worker_id), forfeit_count = 0;

    if (number == breaker->worker_count) {
        struct breaker_worker *worker = calloc(1, sizeof *worker);

        if (!worker)
            return -ENOMEM;
        if (number == (breaker->worker_max ? breaker->worker_max : BREAKER_WORKERS_MAX))
            drop(breaker, 0);
        number = breaker->worker_count++;
        breaker->workers[number] = worker;
        worker->id = game->worker_id;
    }
    for (int seat = 0; seat < game->player_count; seat++) {
        const int entry = game->seats[seat].entry;
        bool has_forfeited = game->seats[seat].reason != WIRE_PLAYED;
        struct breaker_seats *here = &breaker->workers[number]->seats[entry];
        struct breaker_seats *all = &breaker->seats[entry];

        breaker->authors[entry] = entries[entry].author;
        if (!breaker->has_games)
            breaker->first_author = breaker->authors[entry];
        breaker->has_games = true;
        breaker->has_authors |= breaker->authors[entry] != breaker->first_author;
        here->count++;
        all->count++;
        here->forfeit_count += has_forfeited;
        all->forfeit_count += has_forfeited;
        forfeit_count += has_forfeited;
    }
    if (forfeit_count)
        breaker->workers[number]->lost_count++;
    else
        breaker->workers[number]->lost_count = 0;
    return 0;
}

/* Returns the number under which the forfeits of a bot are added up. */
static int author_of(const struct breaker *breaker, int bot)
{
    return breaker->has_authors ? breaker->authors[bot] : bot;
}

/*
 * Compares the bots' forfeits on a worker with those elsewhere, without the author with the largest
 * excess. The variance is 0 if bots of no two authors played here and elsewhere.
 */
static struct excess compare(const struct breaker *breaker, const struct breaker_worker *worker)
{
    struct excess all = {0}, by_author[SCHEDULE_ENTRIES_MAX] = {0};
    int most = -1, count = 0;

    for (int i = 0; i < SCHEDULE_ENTRIES_MAX; i++) {
        const struct breaker_seats *here = &worker->seats[i];
        struct excess *author = &by_author[author_of(breaker, i)];
        int32_t others = breaker->seats[i].count - here->count;
        struct excess excess;

        if (here->count == 0 || others == 0)
            continue;
        excess = excess_of(here->count, here->forfeit_count, others,
                           breaker->seats[i].forfeit_count - here->forfeit_count);
        count += author->variance <= 0.; /* the rate of no bot is 0 or 1 */
        author->sum += excess.sum;
        author->variance += excess.variance;
        all.sum += excess.sum;
        all.variance += excess.variance;
    }
    for (int i = 0; i < SCHEDULE_ENTRIES_MAX; i++)
        if (by_author[i].variance > 0. && (most < 0 || by_author[i].sum > by_author[most].sum))
            most = i;
    if (count < 2)
        return (struct excess){0};
    return (struct excess){.sum = all.sum - by_author[most].sum,
                           .variance = all.variance - by_author[most].variance};
}

/* True if a bot played several games on a worker, and forfeited few of them. */
static bool spares_a_bot(const struct breaker_worker *worker)
{
    for (int i = 0; i < SCHEDULE_ENTRIES_MAX; i++)
        if (worker->seats[i].count >= SPARED_MIN &&
            worker->seats[i].forfeit_count * 8 < worker->seats[i].count)
            return true;
    return false;
}

/* True if bots of most authors that played in a part forfeited there. */
static bool is_widespread(const struct breaker *breaker, const struct breaker_worker *worker)
{
    bool plays[SCHEDULE_ENTRIES_MAX] = {false}, has_forfeited[SCHEDULE_ENTRIES_MAX] = {false};
    int count = 0, forfeited_count = 0;

    for (int i = 0; i < SCHEDULE_ENTRIES_MAX; i++) {
        plays[author_of(breaker, i)] |= worker->seats[i].count > 0;
        has_forfeited[author_of(breaker, i)] |= worker->seats[i].forfeit_count > 0;
    }
    for (int i = 0; i < SCHEDULE_ENTRIES_MAX; i++) {
        count += plays[i];
        forfeited_count += has_forfeited[i];
    }
    return 2 * forfeited_count > count;
}

bool breaker_trips(const struct breaker *breaker, int64_t worker_id, enum breaker_parts parts,
                   char words[static BREAKER_WORDS_BYTES])
{
    int number = find(breaker, worker_id);
    const struct breaker_worker *worker;
    struct excess excess;
    double residual;

    if (number == breaker->worker_count)
        return false;
    worker = breaker->workers[number];
    excess = compare(breaker, worker);
    residual = excess.variance > 0. ? excess.sum / sqrt(excess.variance) : (double)NAN;
    if (parts == BREAKER_TIMES && !is_widespread(breaker, worker))
        return false;
    if (excess.sum >= EXCESS_MIN && residual > RESIDUAL_MAX) {
        snprintf(words, BREAKER_WORDS_BYTES,
                 parts == BREAKER_TIMES
                     ? "bots forfeited %.0f more of the latest games than the same bots before"
                     : "bots forfeited %.0f more games there than the same bots elsewhere",
                 excess.sum);
        return true;
    }
    if (worker->lost_count < LOST_MAX || residual <= INNOCENT || spares_a_bot(worker) ||
        !is_widespread(breaker, worker))
        return false;
    snprintf(words, BREAKER_WORDS_BYTES,
             "a bot forfeited in each of the last %d games%s, and no bot was spared",
             worker->lost_count, parts == BREAKER_TIMES ? "" : " there");
    return true;
}

void breaker_forget(struct breaker *breaker, int64_t worker_id)
{
    int number = find(breaker, worker_id);

    if (number == breaker->worker_count)
        return;
    for (int i = 0; i < SCHEDULE_ENTRIES_MAX; i++) {
        breaker->seats[i].count -= breaker->workers[number]->seats[i].count;
        breaker->seats[i].forfeit_count -= breaker->workers[number]->seats[i].forfeit_count;
    }
    drop(breaker, number);
}

void breaker_finish(struct breaker *breaker)
{
    while (breaker->worker_count)
        drop(breaker, breaker->worker_count - 1);
}
