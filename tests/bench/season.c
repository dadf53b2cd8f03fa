/*
 * bench season: how the time grows with a store. Fills a store with synthetic games and times one
 * pass over them (all data except replays), the ladder, and the choice of the next batch, at 10,000
 * games and at many more.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/season/latency.h"
#include "arena/season/season.h"
#include "arena/season/ladder.h"
#include "engine/draw.h"
#include "tests/bench/bench.h"

enum {
    BOTS = 50,
    GROUPS_PER_BATCH = BOTS,
    SMALL_GAMES = 10000,
    LARGE_GAMES = 1000000,
    RUNS = 3, /* the fastest counts */
    DECISIONS = 33,
};

static const uint8_t seed[GAME_SEED_BYTES] = {1};

/* Times in milliseconds. */
struct times {
    double read, ladder, load, plan;
};

static void require(int error, struct store *store)
{
    if (error)
        bench_refuse("season: %s", store_failure(store));
}

static void add_bots(struct store *store)
{
    const struct store_package package = {(const uint8_t *)"p", 1};

    for (int i = 0; i < BOTS; i++) {
        struct store_bot bot = {
            .version = "1", .language = "C", .submitted_us = 1, .manifest = "{}"};

        snprintf(bot.name, sizeof bot.name, "bot-%02d", i);
        snprintf(bot.author, sizeof bot.author, "author %d", i);
        memset(bot.sha256, 'a', STORE_HASH_DIGITS);
        memset(bot.built_sha256, 'a', STORE_HASH_DIGITS);
        require(store_bot_add(store, &bot, package, package), store);
    }
}

static void add_batch(struct store *store, int64_t season_id, int batch)
{
    static struct store_entry entries[BOTS];
    static struct store_group groups[GROUPS_PER_BATCH];
    struct store_batch row = {.number = batch};

    for (int i = 0; i < BOTS && batch == 0; i++)
        entries[i] = (struct store_entry){i, i + 1, 0};
    for (int i = 0; i < GROUPS_PER_BATCH; i++) {
        int number = batch * GROUPS_PER_BATCH + i;
        uint64_t chance = draw_number(seed, 1, (uint32_t)number);
        int first = (int)draw_below(chance, BOTS);

        groups[i] = (struct store_group){.number = number, .batch = batch, .player_count = 2};
        groups[i].base[0] = first;
        groups[i].base[1] = (first + 1 + (int)(chance % (BOTS - 1))) % BOTS;
    }
    require(store_event_latest(store, &row.event), store);
    require(store_batch_add(store, season_id, &row, entries, batch == 0 ? BOTS : 0, groups,
                            GROUPS_PER_BATCH),
            store);
    for (int i = 0; i < GROUPS_PER_BATCH; i++)
        for (int rotation = 0; rotation < 2; rotation++) {
            struct store_game game = {.group = groups[i].number,
                                      .rotation = rotation,
                                      .player_count = 2,
                                      .wall_us = 1000};
            uint8_t packed[2][LATENCY_PACKED_MAX];
            int scores[2];

            for (int seat = 0; seat < 2; seat++) {
                struct latency latency = {.count = 0};
                int entry = groups[i].base[(seat + rotation) % 2];
                uint32_t index = (uint32_t)(4 * game.group + 2 * rotation + seat);

                for (uint32_t d = 0; d < DECISIONS; d++)
                    latency_add(&latency, draw_below(draw_number(seed, 2 + d, index), 4000));
                scores[seat] = entry + (int)draw_below(draw_number(seed, 100, index), 60);
                game.seats[seat] =
                    (struct store_seat){.entry = entry,
                                        .score = scores[seat],
                                        .us = latency.sum_us,
                                        .us_max = latency.max_us,
                                        .times = packed[seat],
                                        .times_bytes = latency_pack(&latency, packed[seat])};
            }
            for (int seat = 0; seat < 2; seat++)
                game.seats[seat].rank = scores[seat] < scores[1 - seat] ? 2 : 1;
            require(store_game_add(store, season_id, &game, (const uint8_t *)"r", 1), store);
        }
}

static void fill(struct store *store, long games)
{
    struct store_season terms = {
        .name = "bench", .player_counts = {2}, .player_count_count = 1, .budget_games = 1000000000};

    add_bots(store);
    require(season_create(store, &terms, seed, 1), store);
    for (int batch = 0; (long)batch * GROUPS_PER_BATCH * 2 < games; batch++) {
        if (batch % 200 == 0)
            require(store_begin(store), store);
        add_batch(store, terms.id, batch);
        if (batch % 200 == 199 || (long)(batch + 1) * GROUPS_PER_BATCH * 2 >= games)
            require(store_commit(store), store);
    }
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

static void measure(struct store *store, struct times *times)
{
    struct store_season terms;
    struct standings standings;
    struct season_game game;
    struct season season;
    int64_t sum = 0, begun_us;

    require(store_season_find(store, "bench", &terms), store);
    begun_us = bench_now_us();
    require(store_games_each(store, terms.id, read_game, &sum), store);
    keep_least(&times->read, begun_us);

    begun_us = bench_now_us();
    require(standings_load(&standings, store, &terms, LADDER_FINAL), store);
    keep_least(&times->ladder, begun_us);
    standings_finish(&standings);

    begun_us = bench_now_us();
    require(season_load(&season, store, "bench"), store);
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

static int measure_games(long games, struct times *times)
{
    char home[] = "/tmp/bench-season-XXXXXX", command[64];
    struct store *store;

    if (!mkdtemp(home))
        bench_refuse("season: no folder in /tmp");
    require(store_open(&store, home, STORE_CREATE), store);
    fill(store, games);
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

int bench_season_run(int argc, char **argv)
{
    long games = LARGE_GAMES;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--games") != 0)
            bench_refuse("season: there is no option '%s'", argv[i]);
        games = bench_number("--games", argv[++i], SMALL_GAMES, 100000000);
    }
    return print_growth(games);
}

int bench_season_figures(void)
{
    return print_growth(LARGE_GAMES / 10);
}
