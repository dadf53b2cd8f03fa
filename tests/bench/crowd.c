/* SPDX-License-Identifier: MIT */
/*
 * bench crowd: fills a home with a synthetic season of many bots and games, through the store's
 * interface, for benches and tests of large leagues. Its replays are valid where they are asked
 * for; one game in a hundred is forfeited.
 */
#include "tests/bench/crowd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/replay/replay.h"
#include "arena/season/latency.h"
#include "arena/season/season.h"
#include "engine/draw.h"
#include "tests/bench/bench.h"

enum {
    BOTS_MAX = 2000,
    BATCH_GROUPS = 500,
    DECISIONS = 33,
    NEIGHBORS = 12, /* most opponents are within this many ranks */
    FORFEIT_EVERY = 100,
};

static const uint8_t seed[GAME_SEED_BYTES] = {1};

static const char forfeit_text[] =
    "[null,{\"reason\":\"timeout\",\"words\":\"no complete answer by the deadline\",\"turn\":9,"
    "\"limit_us\":50000,\"wall_us\":50011,\"cpu_us\":49000,\"delay_us\":3,\"request\":\"81\","
    "\"reply\":\"\",\"request_decoded\":\"{}\",\"reply_decoded\":\"\",\"stderr\":\"\"}]";

static void require(int error, struct store *store)
{
    if (error)
        bench_refuse("crowd: %s", store_failure(store));
}

/* ---- a random match ---- */

static void play_match(struct match *match, struct replay *replay)
{
    const struct match_terms terms = {
        .id = "crowd", .seed = {7}, .player_count = 2, .clock = {1000, 10000, 0, 5000}};
    enum wire_reason reason;
    int seat;

    match_init(match, &terms);
    match_begin(match);
    while ((seat = match_next(match)) != GAME_NOBODY) {
        static struct action legal[GAME_ACTIONS_MAX];
        int64_t turn = (int64_t)match->decision_count;
        const struct match_times times = {.us = 5000 + turn, .cpu_us = 4000};
        struct wire_act act = {.turn = turn};

        act.index = turn * 7 % (int64_t)game_legal_actions(&match->game, legal);
        match_answer(match, seat, &act, &times, &reason);
    }
    *replay = (struct replay){.terms = match->terms,
                              .bots = {{"first", "1", "00"}, {"second", "1", "11"}},
                              .memory_bytes = 64 << 20,
                              .started_s = 1767225600,
                              .decision_count = match->decision_count,
                              .out_turns = {REPLAY_STAYED, REPLAY_STAYED}};
    match_result(match, &replay->result);
    replay->decisions = calloc(match->decision_count, sizeof *replay->decisions);
    for (size_t i = 0; i < match->decision_count && replay->decisions; i++)
        replay->decisions[i] = (struct replay_decision){.seat = match->events[i].seat,
                                                        .by_arena = match->decisions[i].by_arena,
                                                        .action = match->events[i].action,
                                                        .us = match->decisions[i].us,
                                                        .cpu_us = match->decisions[i].cpu_us,
                                                        .hash = match->decisions[i].hash};
}

static size_t make_replay(uint8_t **bytes)
{
    struct match *match = calloc(1, sizeof *match);
    struct replay replay;
    size_t size;

    if (!match)
        bench_refuse("crowd: out of memory");
    play_match(match, &replay);
    size = replay_pack(&replay, bytes);
    replay_finish(&replay);
    match_finish(match);
    free(match);
    if (size == 0)
        bench_refuse("crowd: out of memory");
    return size;
}

/* ---- bots, groups, games ---- */

void crowd_add_bots(struct store *store, int count)
{
    const struct store_package package = {(const uint8_t *)"p", 1};

    for (int i = 0; i < count; i++) {
        struct store_bot bot = {
            .version = "1", .language = "C", .submitted_us = 1767225600000000, .manifest = "{}"};

        snprintf(bot.name, sizeof bot.name, "crowd-%03d", i);
        snprintf(bot.author, sizeof bot.author, "author %d", i);
        memset(bot.sha256, 'a', STORE_HASH_DIGITS);
        memset(bot.built_sha256, 'a', STORE_HASH_DIGITS);
        require(store_bot_add(store, &bot, package, package), store);
    }
}

struct filling {
    struct store *store;
    int64_t season_id;
    int bot_count;
    int group_count, batch_count;
    uint8_t *replay;
    size_t replay_bytes;
};

static struct store_group choose_group(const struct filling *filling, int number)
{
    uint64_t chance = draw_number(seed, 1, (uint32_t)number);
    int first = (int)draw_below(chance, (uint32_t)filling->bot_count);
    int far = (int)draw_below(draw_number(seed, 2, (uint32_t)number), NEIGHBORS) + 1;
    struct store_group group = {.number = number, .batch = filling->batch_count, .player_count = 2};

    group.base[0] = first;
    group.base[1] = (first + far) % filling->bot_count;
    return group;
}

void crowd_add_game(struct store *store, int64_t season_id, const struct store_group *group,
                    int rotation, int bot_count, const uint8_t *replay, size_t replay_bytes)
{
    struct store_game game = {.group = group->number,
                              .rotation = rotation,
                              .player_count = 2,
                              .started_us = 1767225600000000 + (int64_t)group->number * 1000000,
                              .wall_us = 400000,
                              .decision_count = 2 * DECISIONS};
    uint8_t packed[2][LATENCY_PACKED_MAX];
    int scores[2];

    for (int seat = 0; seat < 2; seat++) {
        struct latency latency = {.count = 0};
        int entry = group->base[(seat + rotation) % 2];
        uint32_t index = (uint32_t)(4 * game.group + 2 * rotation + seat);

        for (uint32_t d = 0; d < DECISIONS; d++)
            latency_add(&latency, draw_below(draw_number(seed, 3 + d, index), 4000));
        scores[seat] =
            60 - 40 * entry / bot_count + (int)draw_below(draw_number(seed, 100, index), 60);
        game.seats[seat] = (struct store_seat){.entry = entry,
                                               .score = scores[seat],
                                               .us = latency.sum_us,
                                               .us_max = latency.max_us,
                                               .times = packed[seat],
                                               .times_bytes = latency_pack(&latency, packed[seat])};
    }
    for (int seat = 0; seat < 2; seat++)
        game.seats[seat].rank = scores[seat] < scores[1 - seat] ? 2 : 1;
    if ((2 * group->number + rotation) % FORFEIT_EVERY == FORFEIT_EVERY / 2) {
        game.seats[1].reason = WIRE_TIMEOUT;
        game.forfeits = forfeit_text;
    }
    require(store_game_add(store, season_id, &game, replay, replay_bytes), store);
}

/* Adds a batch of count groups with all their games, in one transaction. */
static void add_batch(struct filling *filling, int count)
{
    static struct store_entry entries[BOTS_MAX];
    static struct store_group groups[BATCH_GROUPS];
    struct store_batch batch = {.number = filling->batch_count};
    bool is_first = filling->batch_count == 0;

    for (int i = 0; i < filling->bot_count && is_first; i++)
        entries[i] = (struct store_entry){i, i + 1, 0};
    for (int i = 0; i < count; i++)
        groups[i] = choose_group(filling, filling->group_count + i);
    require(store_begin(filling->store), filling->store);
    require(store_event_latest(filling->store, &batch.event), filling->store);
    require(store_batch_add(filling->store, filling->season_id, &batch, entries,
                            is_first ? (size_t)filling->bot_count : 0, groups, (size_t)count),
            filling->store);
    for (int i = 0; i < count; i++)
        for (int rotation = 0; rotation < 2; rotation++)
            crowd_add_game(filling->store, filling->season_id, &groups[i], rotation,
                           filling->bot_count, filling->replay, filling->replay_bytes);
    require(store_commit(filling->store), filling->store);
    filling->group_count += count;
    filling->batch_count++;
}

/* ---- the season ---- */

static int count_entry(void *context, const struct store_entry *entry)
{
    (void)entry;
    ++*(int *)context;
    return 0;
}

static int see_group(void *context, const struct store_group *group)
{
    struct filling *filling = context;

    filling->group_count = group->number + 1;
    filling->batch_count = group->batch + 1;
    return 0;
}

/* Opens the season, or creates it with that many bots. */
static void find_season(struct filling *filling, int bot_count)
{
    struct store_season terms = {.name = CROWD_SEASON,
                                 .player_counts = {2},
                                 .player_count_count = 1,
                                 .clock = {1000, 10000, 0, 5000},
                                 .play = {.memory_bytes = 64 << 20},
                                 .budget_games = 1000000000};

    if (store_season_find(filling->store, CROWD_SEASON, &terms) == 0) {
        filling->season_id = terms.id;
        require(store_entries_each(filling->store, terms.id, count_entry, &filling->bot_count),
                filling->store);
        require(store_groups_each(filling->store, terms.id, see_group, filling), filling->store);
        return;
    }
    crowd_add_bots(filling->store, bot_count);
    require(season_create(filling->store, &terms, seed, 1767225600000000), filling->store);
    filling->season_id = terms.id;
    filling->bot_count = bot_count;
}

void crowd_fill(const char *home, int bot_count, long game_count, bool with_replays)
{
    struct filling filling = {.replay = NULL};

    require(store_open(&filling.store, home, STORE_CREATE), filling.store);
    if (with_replays) {
        filling.replay_bytes = make_replay(&filling.replay);
    } else {
        filling.replay = calloc(1, 1);
        filling.replay_bytes = 1;
    }
    find_season(&filling, bot_count);
    for (long left = (game_count + 1) / 2; left > 0; left -= BATCH_GROUPS)
        add_batch(&filling, left < BATCH_GROUPS ? (int)left : BATCH_GROUPS);
    store_close(filling.store);
    free(filling.replay);
}

int bench_crowd(char **argv, bool few)
{
    long bots = 200, games = 100000;
    const char *home = NULL;

    (void)few;
    bench_read_options(argv, (const struct bench_option[]){{"--bots", &bots, 2, BOTS_MAX},
                                                           {"--games", &games, 1, 10000000},
                                                           {"", .text = &home},
                                                           {NULL}});
    if (!home)
        bench_refuse("crowd: name one folder for the home");
    crowd_fill(home, (int)bots, games, true);
    return 0;
}
