/* SPDX-License-Identifier: MIT */
/*
 * bench season: how the time grows with a store. Fills a store with synthetic games and times one
 * pass over them (all data except replays), the ladder, and the choice of the next batch, at 10,000
 * games and at many more. With a home, it loads that one's season and chooses a batch, as a resumed
 * season does, and prints nothing: for a profiler, and for growth.py.
 */
#include <stdio.h>
#include <stdlib.h>

#include "arena/season/ladder.h"
#include "arena/season/season.h"
#include "tests/bench/bench.h"
#include "tests/bench/crowd.h"

enum {
    BOTS = 50,
    SMALL_GAMES = 10000,
    LARGE_GAMES = 1000000,
    RUNS = 3, /* the fastest counts */
};

/* Times in milliseconds. */
struct times {
    double read, ladder, load, plan;
};

static void require(int error, struct store *store)
{
    if (error)
        bench_refuse("season: %s", store_failure(store));
}

static int read_game(void *context, const struct store_game *game)
{
    *(int64_t *)context += game->seats[0].rank;
    return 0;
}

static void keep_least(double *least, int64_t begun_us)
{
    double ms = (double)(bench_now_us() - begun_us) / 1000;

    if (*least == 0 || ms < *least)
        *least = ms;
}

/* Resumes the season and chooses its next batch. */
static void plan(struct store *store, struct times *times)
{
    int64_t begun_us = bench_now_us();
    struct season_game game;
    struct season season;

    require(season_load(&season, store, CROWD_SEASON), store);
    keep_least(&times->load, begun_us);
    /* The first choice counts all results, as after a resume; it is stored, so the season
       grows by a batch, which is left unplayed and taken out by the next run. */
    begun_us = bench_now_us();
    require(store_begin(store), store);
    if (season_next(&season, &game) != SEASON_GAME)
        bench_refuse("season: no next batch");
    store_rollback(store);
    keep_least(&times->plan, begun_us);
    season_finish(&season);
}

static void measure(struct store *store, struct times *times)
{
    struct store_season terms;
    struct standings standings;
    int64_t sum = 0, begun_us;

    require(store_season_find(store, CROWD_SEASON, &terms), store);
    begun_us = bench_now_us();
    require(store_games_each(store, terms.id, read_game, &sum), store);
    keep_least(&times->read, begun_us);

    begun_us = bench_now_us();
    require(standings_load(&standings, store, &terms, LADDER_FINAL), store);
    keep_least(&times->ladder, begun_us);
    standings_finish(&standings);

    plan(store, times);
}

static int measure_games(long games, struct times *times)
{
    char home[] = "/tmp/bench-season-XXXXXX", command[64];
    struct store *store;

    if (!mkdtemp(home))
        bench_refuse("season: no folder in /tmp");
    crowd_fill(home, BOTS, games, false);
    require(store_open(&store, home, STORE_WRITE), store);
    *times = (struct times){0};
    for (int i = 0; i < RUNS; i++)
        measure(store, times);
    store_close(store);
    snprintf(command, sizeof command, "rm -r %s", home);
    return system(command);
}

static int print_growth(long games)
{
    struct times small, large;
    char name[64];

    if (measure_games(SMALL_GAMES, &small) != 0 || measure_games(games, &large) != 0)
        return 1;
    snprintf(name, sizeof name, "season.read_%d", SMALL_GAMES);
    bench_figure(name, small.read, "ms", 0);
    snprintf(name, sizeof name, "season.read_%ld", games);
    bench_figure(name, large.read, "ms", 0);
    /* The baseline is what is allowed: 3 times the small store's, and one reading. */
    snprintf(name, sizeof name, "season.ladder_%ld", games);
    bench_figure(name, large.ladder, "ms", 3 * small.ladder + large.read);
    snprintf(name, sizeof name, "season.resume_and_plan_%ld", games);
    bench_figure(name, large.load + large.plan, "ms", 3 * (small.load + small.plan) + large.read);
    snprintf(name, sizeof name, "season.plan_%ld", games);
    bench_figure(name, large.plan, "ms", 3 * small.plan + large.read);
    return 0;
}

static int plan_once(const char *home)
{
    struct times times = {0};
    struct store *store;

    require(store_open(&store, home, STORE_WRITE), store);
    plan(store, &times);
    store_close(store);
    return 0;
}

int bench_season(char **argv, bool few)
{
    long games = few ? LARGE_GAMES / 10 : LARGE_GAMES;
    const char *home = NULL;

    bench_read_options(
        argv, (const struct bench_option[]){
                  {"--games", &games, SMALL_GAMES, 100000000}, {"", .text = &home}, {NULL}});
    return home ? plan_once(home) : print_growth(games);
}
