/* SPDX-License-Identifier: MIT */
/*
 * bench store: the store alone, with synthetic games: the cost of storing one in SQLite and in
 * PostgreSQL, alternating in one run, and how fast results are read. Both sync to disk for each
 * game, as for users. The server is a temporary one (tests/postgres), or that of --url.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "arena/season/season.h"
#include "engine/draw.h"
#include "tests/bench/bench.h"
#include "tests/bench/crowd.h"

enum {
    GAMES = 1000,
    GAMES_MAX = 1000000,
    ROUNDS = 3,          /* the fastest counts */
    REPLAY_BYTES = 3000, /* of a usual game of two */
    ENDED_WITHOUT_SERVER = 77,
};

static const uint8_t seed[GAME_SEED_BYTES] = {1};

/* Microseconds per game, the minimum of the rounds. */
struct costs {
    double add, processor, read;
};

static void require(int error, struct store *store)
{
    if (error)
        bench_refuse("store: %s", store_failure(store));
}

/* Adds a season with `games` games to play. */
static int64_t add_season(struct store *store, int round, int games)
{
    static const struct store_entry entries[] = {{0, 1, 0}, {1, 2, 0}};
    struct store_season terms = {
        .player_counts = {2}, .player_count_count = 1, .budget_games = 2 * GAMES_MAX};
    struct store_group *groups = calloc((size_t)games / 2, sizeof *groups);
    struct store_batch batch = {.connection = store_connection(store)};

    if (!groups)
        bench_refuse("store: out of memory");
    snprintf(terms.name, sizeof terms.name, "round-%d", round);
    require(season_create(store, &terms, seed, 1), store);
    for (int i = 0; i < games / 2; i++)
        groups[i] = (struct store_group){.number = i, .player_count = 2, .base = {0, 1}};
    require(store_event_latest(store, &batch.event), store);
    require(store_batch_add(store, terms.id, &batch, entries, 2, groups, (size_t)games / 2), store);
    free(groups);
    return terms.id;
}

static void add_game(struct store *store, int64_t season_id, int number)
{
    static uint8_t replay[REPLAY_BYTES];
    const struct store_group group = {.number = number / 2, .player_count = 2, .base = {0, 1}};

    for (size_t i = 0; i < sizeof replay; i += sizeof(uint64_t)) {
        uint64_t chance = draw_number(seed, (uint32_t)number, (uint32_t)i);

        memcpy(replay + i, &chance, sizeof chance);
    }
    crowd_add_game(store, season_id, &group, number % 2, 2, replay, sizeof replay);
}

static double processor_us(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static int count_game(void *context, const struct store_game *game)
{
    *(int *)context += game->rotation >= 0;
    return 0;
}

static void keep_least(double *least, double us)
{
    if (*least == 0 || us < *least)
        *least = us;
}

static void measure(struct store *store, int round, int games, struct costs *costs)
{
    int64_t season_id = add_season(store, round, games), begun_us = bench_now_us();
    double begun_processor_us = processor_us();
    int count = 0;

    for (int i = 0; i < games; i++)
        add_game(store, season_id, i);
    keep_least(&costs->add, (double)(bench_now_us() - begun_us) / games);
    keep_least(&costs->processor, (processor_us() - begun_processor_us) / games);
    begun_us = bench_now_us();
    require(store_results_each(store, season_id, 0, count_game, &count), store);
    keep_least(&costs->read, (double)(bench_now_us() - begun_us) / games);
    if (count != games)
        bench_refuse("store: %d games of %d came back", count, games);
}

static int compare_stores(const char *url, int games)
{
    char home[] = "/var/tmp/bench-store-XXXXXX", command[64]; /* a disk, where /tmp may be none */
    struct costs sqlite = {.add = 0}, postgres = {.add = 0};
    struct store *here, *there;

    if (!mkdtemp(home))
        bench_refuse("store: no folder in /var/tmp");
    require(store_open(&here, home, STORE_CREATE), here);
    require(store_open(&there, url, STORE_CREATE), there);
    crowd_add_bots(here, 2);
    crowd_add_bots(there, 2);
    for (int round = 0; round < ROUNDS; round++) {
        measure(here, round, games, &sqlite);
        measure(there, round, games, &postgres);
    }
    store_close(here);
    store_close(there);
    snprintf(command, sizeof command, "rm -r %s", home);
    bench_figure("store.sqlite_games", 1e6 / sqlite.add, "games/s", 0);
    bench_figure("store.postgres_games", 1e6 / postgres.add, "games/s", 1e6 / sqlite.add);
    bench_figure("store.postgres_add", postgres.add, "us/game", sqlite.add);
    bench_figure("store.postgres_processor", postgres.processor, "us/game", sqlite.processor);
    bench_figure("store.postgres_read", postgres.read, "us/game", sqlite.read);
    return system(command) != 0;
}

/* Runs the same bench again next to a temporary server. */
static int compare_with_server(int games)
{
    char command[1024];
    int status;

    snprintf(command, sizeof command,
             "POSTGRES_TEST_FSYNC=on POSTGRES_TEST_BASE=/var/tmp sh -c 'exec sh \"$0\" \"$1\" "
             "store --games %d --url-of-test' "
             "'%s/tests/postgres/with_server' '%s/bin/bench'",
             games, BENCH_SOURCE_DIR, BENCH_BINARY_DIR);
    fflush(stdout);
    status = system(command);
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == ENDED_WITHOUT_SERVER)
        return 0;
    return status != 0;
}

int bench_store(char **argv, bool few)
{
    const char *url = NULL;
    long games = GAMES, is_inside = 0;

    (void)few;
    bench_read_options(argv, (const struct bench_option[]){{"--games", &games, 2, GAMES_MAX},
                                                           {"--url", .text = &url},
                                                           {"--url-of-test", &is_inside},
                                                           {NULL}});
    if (is_inside)
        url = getenv("POSTGRES_TEST_URL");
    games = games / 2 * 2;
    return url ? compare_stores(url, (int)games) : compare_with_server((int)games);
}
