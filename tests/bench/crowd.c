/* SPDX-License-Identifier: MIT */
/*
 * bench crowd: fills a home with a synthetic season of many bots and games, through the store's
 * interface, for benches and tests of large leagues. One game in a hundred is forfeited. Where
 * replays are asked for, each game's is its own: one of a few matches, under the names of its bots;
 * `arena store check --replays` finds such a store sound.
 */
#include "tests/bench/crowd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/tree.h"
#include "arena/play/package.h"
#include "arena/replay/replay.h"
#include "arena/season/latency.h"
#include "arena/season/season.h"
#include "arena/store/archive.h"
#include "engine/draw.h"
#include "tests/bench/bench.h"

enum {
    BOTS_MAX = 2000,
    BATCH_GROUPS = 500,
    DECISIONS = 33,
    NEIGHBORS = 12, /* most opponents are within this many ranks */
    FORFEIT_EVERY = 100,
    FORFEIT_TURN = 9,
    SAMPLES = 8, /* matches of each outcome */
};

enum outcome {
    FIRST_WON = 0,
    SECOND_WON = 1,
    SECOND_OUT = 2, /* too late at its FORFEIT_TURN */
    OUTCOME_COUNT
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

/* ---- random matches ---- */

static void play_match(struct match *match, int number, bool is_forfeited)
{
    struct match_terms terms = {.id = "crowd", .player_count = 2, .clock = {1000, 10000, 0, 5000}};
    enum wire_reason reason;
    int seat;

    memcpy(terms.seed, &number, sizeof number);
    match_init(match, &terms);
    match_begin(match);
    while ((seat = match_next(match)) != GAME_NOBODY) {
        static struct action legal[GAME_ACTIONS_MAX];
        int64_t turn = (int64_t)match->decision_count;
        const struct match_times times = {.us = 5000 + turn, .cpu_us = 4000};
        struct wire_act act = {.turn = turn};

        act.index = (turn + number) * 7 % (int64_t)game_legal_actions(&match->game, legal);
        if (is_forfeited && seat == 1 && turn >= FORFEIT_TURN)
            match_out(match, seat, WIRE_TIMEOUT);
        else
            match_answer(match, seat, &act, &times, &reason);
    }
}

static void make_replay(struct replay *replay, const struct match *match)
{
    *replay = (struct replay){.terms = match->terms,
                              .bots = {{"", "1", "00"}, {"", "1", "11"}},
                              .memory_bytes = 64 << 20,
                              .decision_count = match->decision_count};
    for (int seat = 0; seat < 2; seat++)
        replay->out_turns[seat] =
            match->seats[seat].reason ? match->seats[seat].out_turn : REPLAY_STAYED;
    match_result(match, &replay->result);
    replay->decisions = calloc(match->decision_count, sizeof *replay->decisions);
    if (!replay->decisions)
        bench_refuse("crowd: out of memory");
    for (size_t i = 0; i < match->decision_count; i++)
        replay->decisions[i] = (struct replay_decision){.seat = match->events[i].seat,
                                                        .by_arena = match->decisions[i].by_arena,
                                                        .action = match->events[i].action,
                                                        .us = match->decisions[i].us,
                                                        .cpu_us = match->decisions[i].cpu_us,
                                                        .hash = match->decisions[i].hash};
}

/* Plays matches until there are enough of each outcome. */
static void make_samples(struct replay samples[OUTCOME_COUNT][SAMPLES])
{
    struct match *match = calloc(1, sizeof *match);
    int counts[OUTCOME_COUNT] = {0};

    if (!match)
        bench_refuse("crowd: out of memory");
    for (int number = 0;
         counts[FIRST_WON] + counts[SECOND_WON] + counts[SECOND_OUT] < OUTCOME_COUNT * SAMPLES;
         number++) {
        enum outcome outcome;
        struct replay replay;

        play_match(match, number, counts[SECOND_OUT] < SAMPLES);
        make_replay(&replay, match);
        outcome = replay.result.reasons[1]     ? SECOND_OUT
                  : replay.result.ranks[1] > 1 ? FIRST_WON
                                               : SECOND_WON;
        if (counts[outcome] < SAMPLES && replay.result.ranks[0] != replay.result.ranks[1])
            samples[outcome][counts[outcome]++] = replay;
        else
            replay_finish(&replay);
        match_finish(match);
    }
    free(match);
}

/* ---- bots, groups, games ---- */

static void name_bot(char name[static STORE_NAME_BYTES_MAX + 1], int entry)
{
    snprintf(name, STORE_NAME_BYTES_MAX + 1, "crowd-%03d", entry);
}

/* Packs a folder that has only a manifest. The caller frees bytes. */
static void make_package(struct store_package *package, char sha256[static PACKAGE_HASH_CHARS + 1])
{
    char folder[] = "/tmp/bench-crowd-XXXXXX", path[64];
    char error[ARCHIVE_ERROR_BYTES + PACKAGE_ERROR_BYTES];
    uint8_t *bytes;
    FILE *file;

    if (!mkdtemp(folder))
        bench_refuse("crowd: no folder in /tmp");
    snprintf(path, sizeof path, "%s/bot.json", folder);
    file = fopen(path, "w");
    if (!file || fputs("{}\n", file) < 0 || fclose(file) != 0 ||
        package_copy(folder, NULL, sha256, error) < 0 ||
        archive_pack(folder, SIZE_MAX, &bytes, &package->size, error) < 0)
        bench_refuse("crowd: %s: cannot be packed", folder);
    package->bytes = bytes;
    tree_remove(folder);
}

void crowd_add_bots(struct store *store, int count)
{
    char sha256[PACKAGE_HASH_CHARS + 1];
    struct store_package package;

    make_package(&package, sha256);
    for (int i = 0; i < count; i++) {
        struct store_bot bot = {
            .version = "1", .language = "C", .submitted_us = 1767225600000000, .manifest = "{}"};

        name_bot(bot.name, i);
        snprintf(bot.author, sizeof bot.author, "author %d", i);
        memcpy(bot.sha256, sha256, STORE_HASH_DIGITS);
        memcpy(bot.built_sha256, sha256, STORE_HASH_DIGITS);
        require(store_bot_add(store, &bot, package, package), store);
    }
    free((void *)package.bytes);
}

struct filling {
    struct store *store;
    int64_t season_id;
    int bot_count;
    int group_count, batch_count;
    struct replay samples[OUTCOME_COUNT][SAMPLES];
    bool with_replays;
};

static struct store_group choose_group(const struct filling *filling, int number)
{
    uint64_t chance = draw_number(seed, 1, (uint32_t)number);
    int first = (int)draw_below(chance, (uint32_t)filling->bot_count);
    int far_max = filling->bot_count <= NEIGHBORS ? filling->bot_count - 1 : NEIGHBORS;
    int far = (int)draw_below(draw_number(seed, 2, (uint32_t)number), (uint32_t)far_max) + 1;
    struct store_group group = {.number = number, .batch = filling->batch_count, .player_count = 2};

    group.base[0] = first;
    group.base[1] = (first + far) % filling->bot_count;
    return group;
}

/* A game, and the decision times of its seats. */
struct drawn {
    struct store_game game;
    uint8_t packed[2][LATENCY_PACKED_MAX];
};

static void draw_game(struct drawn *drawn, const struct store_group *group, int rotation,
                      int bot_count)
{
    struct store_game *game = &drawn->game;
    int scores[2];

    *game = (struct store_game){.group = group->number,
                                .rotation = rotation,
                                .player_count = 2,
                                .started_us = 1767225600000000 + (int64_t)group->number * 1000000,
                                .wall_us = 400000,
                                .decision_count = 2 * DECISIONS};
    for (int seat = 0; seat < 2; seat++) {
        struct latency latency = {.count = 0};
        int entry = group->base[(seat + rotation) % 2];
        uint32_t index = (uint32_t)(4 * game->group + 2 * rotation + seat);

        for (uint32_t d = 0; d < DECISIONS; d++)
            latency_add(&latency, draw_below(draw_number(seed, 3 + d, index), 4000));
        scores[seat] =
            60 - 40 * entry / bot_count + (int)draw_below(draw_number(seed, 100, index), 60);
        game->seats[seat] =
            (struct store_seat){.entry = entry,
                                .score = scores[seat],
                                .us = latency.sum_us,
                                .us_max = latency.max_us,
                                .times = drawn->packed[seat],
                                .times_bytes = latency_pack(&latency, drawn->packed[seat])};
    }
    for (int seat = 0; seat < 2; seat++)
        game->seats[seat].rank = scores[seat] < scores[1 - seat] ? 2 : 1;
    if ((2 * group->number + rotation) % FORFEIT_EVERY == FORFEIT_EVERY / 2) {
        game->seats[1].reason = WIRE_TIMEOUT;
        game->forfeits = forfeit_text;
    }
}

void crowd_add_game(struct store *store, int64_t season_id, const struct store_group *group,
                    int rotation, int bot_count, const uint8_t *replay, size_t replay_bytes)
{
    struct drawn drawn;

    draw_game(&drawn, group, rotation, bot_count);
    require(store_game_add(store, season_id, &drawn.game, replay, replay_bytes), store);
}

/* Adds a game with the replay of a match that the same seat won. */
static void add_with_replay(const struct filling *filling, const struct store_group *group,
                            int rotation)
{
    struct drawn drawn;
    struct store_game *game = &drawn.game;
    enum outcome outcome;
    struct replay replay;
    uint8_t *bytes;
    size_t size;

    draw_game(&drawn, group, rotation, filling->bot_count);
    outcome = game->forfeits ? SECOND_OUT : game->seats[0].rank == 1 ? FIRST_WON : SECOND_WON;
    replay = filling->samples[outcome][(2 * group->number + rotation) % SAMPLES];
    replay.started_s = game->started_us / 1000000;
    memcpy(game->seed, replay.terms.seed, sizeof game->seed);
    game->decision_count = (int)replay.decision_count;
    for (int seat = 0; seat < 2; seat++) {
        struct store_seat *at = &game->seats[seat];

        name_bot(replay.bots[seat].name, at->entry);
        at->score = replay.result.scores[seat];
        at->rank = replay.result.ranks[seat];
        at->reason = replay.result.reasons[seat];
    }
    size = replay_pack(&replay, &bytes);
    if (size == 0)
        bench_refuse("crowd: out of memory");
    require(store_game_add(filling->store, filling->season_id, game, bytes, size), filling->store);
    free(bytes);
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
            if (filling->with_replays)
                add_with_replay(filling, &groups[i], rotation);
            else
                crowd_add_game(filling->store, filling->season_id, &groups[i], rotation,
                               filling->bot_count, (const uint8_t *)"", 1);
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
    struct filling filling = {.with_replays = with_replays};

    require(store_open(&filling.store, home, STORE_CREATE), filling.store);
    if (with_replays)
        make_samples(filling.samples);
    find_season(&filling, bot_count);
    for (long left = (game_count + 1) / 2; left > 0; left -= BATCH_GROUPS)
        add_batch(&filling, left < BATCH_GROUPS ? (int)left : BATCH_GROUPS);
    store_close(filling.store);
    for (int outcome = 0; outcome < OUTCOME_COUNT; outcome++)
        for (int i = 0; i < SAMPLES; i++)
            replay_finish(&filling.samples[outcome][i]);
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
