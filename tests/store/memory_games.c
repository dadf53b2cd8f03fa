/* Games and replays in memory. */
#include <errno.h>

#include "tests/store/memory_calls.h"
#include "tests/store/memory_rows.h"

static int place_of(const struct store_game *game)
{
    return game->group * GAME_PLAYERS_MAX + game->rotation;
}

static struct kept_game *find_game(struct store *store, int64_t season_id, int group, int rotation)
{
    for (size_t i = 0; i < row_count(store, GAMES); i++) {
        struct kept_game *row = row_at(store, GAMES, i);

        if (row->season_id == season_id && row->game.group == group &&
            row->game.rotation == rotation)
            return row;
    }
    return NULL;
}

/* Returns 0 if a game may be added. */
static int judge_game(struct store *store, int64_t season_id, const struct store_game *game)
{
    bool scheduled = false;

    for (size_t i = 0; i < row_count(store, GROUPS); i++) {
        const struct kept_group *row = row_at(store, GROUPS, i);

        scheduled = scheduled || (row->season_id == season_id && row->group.number == game->group);
    }
    if (!opening_is_open(store, season_id, game->opening))
        return -ECANCELED;
    if (!scheduled)
        return store_refuse(store, -EINVAL, "group %d is not scheduled", game->group);
    return find_game(store, season_id, game->group, game->rotation) ? -EEXIST : 0;
}

int memory_game_add(struct store *store, int64_t season_id, const struct store_game *game,
                    const uint8_t *replay, size_t replay_bytes)
{
    struct kept_game row = {.season_id = season_id, .game = *game, .replay_bytes = replay_bytes};
    bool own;
    int error = write_begin(store, &own);

    if (error)
        return error;
    error = judge_game(store, season_id, game);
    row.replay = keep_bytes(replay, replay_bytes);
    row.game.seed_known = true;
    row.game.forfeits = keep_text(game->forfeits);
    for (int seat = 0; seat < game->player_count; seat++)
        row.game.seats[seat].times =
            keep_bytes(game->seats[seat].times, game->seats[seat].times_bytes);
    if (!error)
        error = row_append(store, GAMES, &row);
    return write_end(store, own, error);
}

/* Returns the game after a position, or NULL. */
static const struct kept_game *next_game(struct store *store, int64_t season_id, int after)
{
    const struct kept_game *next = NULL;

    for (size_t i = 0; i < row_count(store, GAMES); i++) {
        const struct kept_game *row = row_at(store, GAMES, i);

        if (row->season_id == season_id && place_of(&row->game) > after &&
            (!next || place_of(&row->game) < place_of(&next->game)))
            next = row;
    }
    return next;
}

int memory_results_each(struct store *store, int64_t season_id, int first_group,
                        store_game_fn *each_fn, void *context)
{
    const struct kept_game *row;

    for (int after = first_group * GAME_PLAYERS_MAX - 1; (row = next_game(store, season_id, after));
         after = place_of(&row->game))
        if (each_fn(context, &row->game) != 0)
            return -EINTR;
    return 0;
}

int memory_heads_each(struct store *store, int64_t season_id, store_game_fn *each_fn, void *context)
{
    return memory_results_each(store, season_id, 0, each_fn, context);
}

int memory_replay_read(struct store *store, int64_t season_id, int group, int rotation,
                       uint8_t **replay, size_t *size)
{
    const struct kept_game *row = find_game(store, season_id, group, rotation);

    if (!row || row->game.is_pruned)
        return row ? -ENODATA : -ENOENT;
    *size = row->replay_bytes;
    *replay = copy_bytes(row->replay, row->replay_bytes);
    return *replay ? 0 : -ENOMEM;
}

/* Prunes the oldest count_max replays, or only measures them. */
static void prune(struct store *store, int64_t season_id, int64_t keep_games, int64_t count_max,
                  bool only_sum, struct store_pruned *pruned)
{
    const struct kept_game *row;
    int64_t played = 0, seen = 0;

    for (int after = -1; (row = next_game(store, season_id, after)); after = place_of(&row->game))
        played += !row->game.forfeits;
    for (int after = -1; (row = next_game(store, season_id, after)) && pruned->count < count_max;
         after = place_of(&row->game)) {
        if (row->game.forfeits || ++seen > played - keep_games || row->game.is_pruned)
            continue;
        pruned->count++;
        pruned->bytes += (int64_t)row->replay_bytes;
        if (!only_sum)
            find_game(store, season_id, row->game.group, row->game.rotation)->game.is_pruned = true;
    }
}

int memory_replays_prunable(struct store *store, int64_t season_id, int64_t keep_games,
                            struct store_pruned *pruned)
{
    prune(store, season_id, keep_games, INT64_MAX, true, pruned);
    return 0;
}

int memory_replays_prune(struct store *store, int64_t season_id, int64_t keep_games,
                         int64_t count_max, struct store_pruned *pruned)
{
    bool own;
    int error = write_begin(store, &own);

    if (error)
        return error;
    prune(store, season_id, keep_games, count_max, false, pruned);
    return write_end(store, own, 0);
}
