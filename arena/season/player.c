#include "arena/season/player.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/replay/json.h"
#include "arena/season/latency.h"
#include "arena/season/staging.h"

struct player {
    struct season *season;
    const struct player_options *options;
    struct player_report *report;
    struct staging staging;
    struct runner *runner;
    struct season_game games[RUNNER_JOBS_MAX]; /* by slot: what it plays */
    int64_t begun_count;
    bool failed;
    char *error;
};

/* Begins nothing more and remembers why. */
static void fail(struct player *player, const char *what)
{
    if (!player->failed)
        snprintf(player->error, PLAYER_ERROR_BYTES, "%s", what);
    player->failed = true;
    runner_drain(player->runner);
}

/* ---- beginning games ---- */

static bool fill_game(struct player *player, const struct season_game *game,
                      struct runner_game *filled)
{
    *filled = (struct runner_game){.last = true};
    snprintf(filled->terms.id, sizeof filled->terms.id, "%s", game->id);
    memcpy(filled->terms.seed, game->seed, sizeof filled->terms.seed);
    filled->terms.player_count = game->player_count;
    filled->terms.board = game->board;
    filled->terms.clock = player->season->terms.clock;
    for (int seat = 0; seat < game->player_count; seat++) {
        char error[SOURCE_ERROR_BYTES];

        filled->sources[seat] =
            staging_source(&player->staging, &player->season->roster, game->entries[seat], error);
        if (!filled->sources[seat]) {
            fail(player, error);
            return false;
        }
    }
    return true;
}

static bool limit_is_reached(const struct player *player, const struct season_game *game)
{
    return player->options->game_limit && game->rotation == 0 &&
           player->begun_count >= player->options->game_limit;
}

static bool next_game(void *owner, int slot, struct runner_game *game)
{
    struct player *player = owner;
    struct season_game *next = &player->games[slot];

    player->report->step = season_next(player->season, next);
    if (player->report->step < 0 && player->report->step != -EDOM)
        fail(player, store_failure(player->season->store));
    if (player->report->step != SEASON_GAME)
        return false;
    if (limit_is_reached(player, next) || !fill_game(player, next, game)) {
        season_return(player->season, next);
        return false;
    }
    game->number = (uint64_t)slot;
    player->begun_count++;
    return true;
}

/* ---- keeping what was played ---- */

static void fill_seat(const struct table *table, const struct season_game *game, int seat,
                      uint8_t *times, struct store_seat *kept)
{
    struct latency latency = {.count = 0};

    for (size_t i = 0; i < table->match.decision_count; i++)
        if (table->match.events[i].seat == seat && !table->match.decisions[i].by_arena)
            latency_add(&latency, table->match.decisions[i].us);
    *kept = (struct store_seat){.entry = game->entries[seat],
                                .score = table->result.scores[seat],
                                .rank = table->result.ranks[seat],
                                .reason = table->result.reasons[seat],
                                .decision_count = (int)latency.count,
                                .us = latency.sum_us,
                                .us_max = latency.max_us,
                                .times = times,
                                .times_bytes = latency_pack(&latency, times)};
}

/* The forfeits by seat as JSON, NULL when all played; the caller frees. */
static char *write_forfeits(const struct replay *replay, int player_count)
{
    json_t *forfeits;
    char *text;
    int count = 0;

    for (int seat = 0; seat < player_count; seat++)
        count += replay->forfeits[seat] != NULL;
    if (count == 0)
        return NULL;
    forfeits = json_array();
    for (int seat = 0; seat < player_count; seat++)
        json_array_append_new(forfeits, replay_json_forfeit(replay->forfeits[seat], NULL));
    text = json_dumps(forfeits, JSON_COMPACT);
    json_decref(forfeits);
    return text;
}

static int keep(struct player *player, const struct season_game *game, const struct table *table,
                const struct replay *replay)
{
    static uint8_t times[GAME_PLAYERS_MAX][LATENCY_PACKED_MAX];
    struct store_game kept = {.group = game->group,
                              .rotation = game->rotation,
                              .player_count = game->player_count,
                              .opening = game->opening,
                              .seed_known = true,
                              .started_us = table->started_s * 1000000,
                              .wall_us = table->wall_us,
                              .layers = UINT32_MAX,
                              .decision_count = (int)table->match.decision_count};
    char *forfeits = write_forfeits(replay, game->player_count);
    uint8_t *bytes = NULL;
    size_t size = replay_pack(replay, &bytes);
    int error = size ? 0 : -ENOMEM;

    for (int seat = 0; seat < game->player_count; seat++) {
        fill_seat(table, game, seat, times[seat], &kept.seats[seat]);
        kept.layers &= table->layers[seat];
        player->report->forfeit_count += kept.seats[seat].reason != WIRE_PLAYED;
    }
    memcpy(kept.seed, game->seed, sizeof kept.seed);
    kept.forfeits = forfeits;
    if (!error)
        error = season_record(player->season, &kept, bytes, size);
    free(bytes);
    free(forfeits);
    return error;
}

static void game_done(void *owner, const struct runner_game *ended, const struct table *table)
{
    struct player *player = owner;
    struct season_game *game = &player->games[ended->number];
    struct replay replay;
    int error;

    if (replay_from_table(&replay, table) < 0) {
        fail(player, "out of memory");
        return;
    }
    error = keep(player, game, table, &replay);
    replay_finish(&replay);
    if (error) {
        /* Not stored, so not played: the next run has it again. */
        season_return(player->season, game);
        fail(player, error == -ENOMEM ? "out of memory" : store_failure(player->season->store));
        return;
    }
    player->report->played_count++;
    runner_wake(player->runner); /* it may have been the one that a batch waited for */
}

/* ---- the run ---- */

static void tick(void *owner)
{
    struct player *player = owner;

    player->report->was_stopped = runner_was_stopped(player->runner);
    if (player->options->tick_fn)
        player->options->tick_fn(player->options->owner);
}

static int run(struct player *player, struct sandbox *sandbox)
{
    struct runner_options wanted = {.job_count = player->options->job_count,
                                    .pin = player->options->pin,
                                    .rules = player->options->rules,
                                    .owner = player,
                                    .next_fn = next_game,
                                    .done_fn = game_done,
                                    .tick_fn = tick};
    struct sandbox_failure failure;

    player->runner = runner_create(&wanted, sandbox);
    if (!player->runner) {
        snprintf(player->error, PLAYER_ERROR_BYTES, "%s", strerror(errno));
        return -1;
    }
    if (runner_run(player->runner, &failure) < 0 && !player->failed) {
        snprintf(player->error, PLAYER_ERROR_BYTES, "a game could not be played %d times: %s: %s",
                 RUNNER_ATTEMPTS, failure.step, strerror(failure.error));
        player->failed = true;
    }
    player->report->was_stopped = runner_was_stopped(player->runner);
    runner_destroy(player->runner);
    return player->failed ? -1 : 0;
}

int player_run(struct season *season, const struct player_options *options, struct sandbox *sandbox,
               struct player_report *report, char error[static PLAYER_ERROR_BYTES])
{
    struct player *player = calloc(1, sizeof *player);
    int result;

    *report = (struct player_report){.step = SEASON_GAME};
    if (!player) {
        snprintf(error, PLAYER_ERROR_BYTES, "out of memory");
        return -1;
    }
    player->season = season;
    player->options = options;
    player->report = report;
    player->error = error;
    result = staging_init(&player->staging, season->store, sandbox);
    if (result < 0)
        snprintf(error, PLAYER_ERROR_BYTES, "a folder for copies of the bots cannot be made: %s",
                 strerror(-result));
    else
        result = run(player, sandbox);
    staging_finish(&player->staging);
    free(player);
    return result < 0 ? -1 : 0;
}
