/* SPDX-License-Identifier: MIT */
#include "arena/season/result.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/replay/json.h"

void result_destroy(struct game_result *result)
{
    if (!result)
        return;
    free(result->forfeits);
    free(result->machine);
    free(result->replay);
    free(result);
}

static void fill_seat(const struct replay *replay, const struct season_game *game, int seat,
                      uint8_t *times, struct store_seat *kept)
{
    struct latency latency = {.count = 0};

    for (size_t i = 0; i < replay->decision_count; i++)
        if (replay->decisions[i].seat == seat && !replay->decisions[i].by_arena)
            latency_add(&latency, replay->decisions[i].us);
    *kept = (struct store_seat){.entry = game->entries[seat],
                                .score = replay->result.scores[seat],
                                .rank = replay->result.ranks[seat],
                                .reason = replay->result.reasons[seat],
                                .us = latency.sum_us,
                                .us_max = latency.max_us,
                                .times = times,
                                .times_bytes = latency_pack(&latency, times)};
}

/*
 * Writes the forfeits of all seats to *text as JSON, which the caller frees; NULL if there are no
 * forfeits. Returns 0 or -ENOMEM.
 */
static int write_forfeits(const struct replay *replay, char **text)
{
    json_t *forfeits;
    int count = 0, player_count = replay->terms.player_count;

    *text = NULL;
    for (int seat = 0; seat < player_count; seat++)
        count += replay->forfeits[seat] != NULL;
    if (count == 0)
        return 0;
    forfeits = json_array();
    for (int seat = 0; seat < player_count; seat++)
        json_array_append_new(forfeits, replay_json_forfeit(replay->forfeits[seat], NULL));
    *text = json_dumps(forfeits, JSON_COMPACT);
    json_decref(forfeits);
    return *text ? 0 : -ENOMEM;
}

/* Fills all fields of the result except the packed replay. Returns 0 or -ENOMEM. */
static int fill(struct game_result *result, const struct replay *replay, int64_t wall_us)
{
    const struct season_game *game = &result->played;
    struct store_game *stored = &result->game;

    if (write_forfeits(replay, &result->forfeits) < 0)
        return -ENOMEM;
    *stored = (struct store_game){.group = game->group,
                                  .rotation = game->rotation,
                                  .player_count = game->player_count,
                                  .opening = game->opening,
                                  .started_us = replay->started_s * 1000000,
                                  .wall_us = wall_us,
                                  .layers = UINT32_MAX,
                                  .decision_count = (int)replay->decision_count,
                                  .forfeits = result->forfeits};
    memcpy(stored->seed, game->seed, sizeof stored->seed);
    for (size_t i = 0; i < replay->decision_count; i++)
        stored->delay_us += replay->decisions[i].delay_us;
    for (int seat = 0; seat < game->player_count; seat++) {
        fill_seat(replay, game, seat, result->times[seat], &stored->seats[seat]);
        stored->layers &= replay->layers[seat];
    }
    return 0;
}

struct game_result *result_of_replay(const struct season_game *game, const struct replay *replay,
                                     const uint8_t *bytes, size_t size, int64_t wall_us)
{
    struct game_result *result = calloc(1, sizeof *result);

    if (!result)
        return NULL;
    result->played = *game;
    result->replay = malloc(size + 1);
    if (!result->replay || fill(result, replay, wall_us) < 0) {
        result_destroy(result);
        return NULL;
    }
    memcpy(result->replay, bytes, size);
    result->replay_bytes = size;
    return result;
}

static json_t *known_json(int64_t us)
{
    return us < 0 ? json_null() : json_integer(us);
}

static int write_machine(struct game_result *result, const struct table *table,
                         const struct replay *replay)
{
    json_t *cpu = json_array(), *waited = json_array(), *machine;

    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        int64_t cpu_us = 0;

        for (size_t i = 0; i < replay->decision_count; i++)
            cpu_us += replay->decisions[i].seat == seat ? replay->decisions[i].cpu_us : 0;
        json_array_append_new(cpu, json_integer(cpu_us));
        json_array_append_new(waited, known_json(table->waited_us[seat]));
    }
    machine = json_pack(
        "{s:i, s:o, s:i, s:o, s:o, s:o}", "cores", (int)sysconf(_SC_NPROCESSORS_ONLN), "load",
        table->load_percent < 0 ? json_null() : json_real(table->load_percent / 100.), "games",
        table->game_count, "pressed_us", known_json(table->pressed_us), "cpu_us", cpu, "waited_us",
        waited);
    result->machine = json_dumps(machine, JSON_COMPACT | JSON_REAL_PRECISION(6));
    json_decref(machine);
    result->game.machine = result->machine;
    return result->machine ? 0 : -ENOMEM;
}

struct game_result *result_of_table(const struct season_game *game, const struct table *table)
{
    struct game_result *result = NULL;
    struct replay replay;
    uint8_t *bytes;
    size_t size;

    if (replay_from_table(&replay, table) < 0)
        return NULL;
    size = replay_pack(&replay, &bytes);
    if (size > 0) {
        result = result_of_replay(game, &replay, bytes, size, table->wall_us);
        free(bytes);
        if (result && write_machine(result, table, &replay) < 0) {
            result_destroy(result);
            result = NULL;
        }
    }
    replay_finish(&replay);
    return result;
}
