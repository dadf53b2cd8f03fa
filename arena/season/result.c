#include "arena/season/result.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/replay/json.h"

void result_destroy(struct game_result *result)
{
    if (!result)
        return;
    free(result->forfeits);
    free(result->replay);
    free(result);
}

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

/* Returns the forfeits by seat as JSON, NULL if there were none; the caller frees it. */
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

/* Packs a game's replay into its result. Returns 0 or -ENOMEM. */
static int pack_replay(struct game_result *result, const struct table *table)
{
    struct replay replay;
    int error = -ENOMEM;

    if (replay_from_table(&replay, table) < 0)
        return error;
    result->replay_bytes = replay_pack(&replay, &result->replay);
    if (result->replay_bytes > 0) {
        result->forfeits = write_forfeits(&replay, result->played.player_count);
        error = 0;
    }
    replay_finish(&replay);
    return error;
}

static int64_t sum_delay(const struct match *match)
{
    int64_t sum_us = 0;

    for (size_t i = 0; i < match->decision_count; i++)
        sum_us += match->decisions[i].delay_us;
    return sum_us;
}

struct game_result *result_of_table(const struct season_game *game, const struct table *table)
{
    struct game_result *result = calloc(1, sizeof *result);
    struct store_game *stored;

    if (!result)
        return NULL;
    result->played = *game;
    if (pack_replay(result, table) < 0) {
        result_destroy(result);
        return NULL;
    }
    stored = &result->game;
    *stored = (struct store_game){.group = game->group,
                                  .rotation = game->rotation,
                                  .player_count = game->player_count,
                                  .opening = game->opening,
                                  .seed_known = true,
                                  .started_us = table->started_s * 1000000,
                                  .wall_us = table->wall_us,
                                  .layers = UINT32_MAX,
                                  .decision_count = (int)table->match.decision_count,
                                  .delay_us = sum_delay(&table->match),
                                  .forfeits = result->forfeits};
    for (int seat = 0; seat < game->player_count; seat++) {
        fill_seat(table, game, seat, result->times[seat], &stored->seats[seat]);
        stored->layers &= table->layers[seat];
    }
    memcpy(stored->seed, game->seed, sizeof stored->seed);
    return result;
}
