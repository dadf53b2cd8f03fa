/* Games and replays: rows and words around what a back end keeps. */
#include <errno.h>
#include <stdlib.h>

#include "arena/store/core.h"

int store_game_add(struct store *store, int64_t season_id, const struct store_game *game,
                   const uint8_t *replay, size_t replay_bytes)
{
    struct row_fault fault;
    int error = core_begin_write(store);

    if (!error && !row_game_is_sound(game, &fault))
        error = core_refuse_row(store, &fault);
    if (!error && replay_bytes > STORE_REPLAY_BYTES_MAX)
        error = store_refuse(store, -EINVAL, "group %d, rotation %d: its replay has %zu bytes",
                             game->group, game->rotation, replay_bytes);
    if (!error)
        error = store->backend->game_add(store, season_id, game, replay, replay_bytes);
    if (error == -EEXIST)
        store_refuse(store, error, "game %d of group %d is played already", game->rotation,
                     game->group);
    if (error == -ECANCELED)
        store_refuse(store, error,
                     "the season was closed while game %d of group %d was played: it is void",
                     game->rotation, game->group);
    return core_end_write(store, error);
}

static int pass_game(void *context, const struct store_game *game)
{
    struct passing *passing = context;
    int64_t place = (int64_t)game->group * GAME_PLAYERS_MAX + game->rotation;
    struct row_fault fault;
    int result;

    if (!(passing->detailed ? row_game_is_sound : row_result_is_sound)(game, &fault))
        passing->error = core_damaged(passing->store, &fault);
    else if (place < passing->next)
        passing->error =
            store_damaged(passing->store, fault.table, fault.row, "game_group", "out of order");
    if (passing->error)
        return 1;
    passing->next = place + 1;
    passing->store->each_depth++;
    result = ((store_game_fn *)passing->each_fn)(passing->context, game);
    passing->store->each_depth--;
    return result;
}

int store_results_each(struct store *store, int64_t season_id, store_game_fn *each_fn,
                       void *context)
{
    struct passing passing = {store, (void *)each_fn, context, .next = 0};

    core_begin(store);
    return core_end_passing(&passing,
                            store->backend->results_each(store, season_id, pass_game, &passing));
}

int store_games_each(struct store *store, int64_t season_id, store_game_fn *each_fn, void *context)
{
    struct passing passing = {store, (void *)each_fn, context, .next = 0, .detailed = true};

    core_begin(store);
    return core_end_passing(&passing,
                            store->backend->games_each(store, season_id, pass_game, &passing));
}

int store_replay_read(struct store *store, int64_t season_id, int group, int rotation,
                      uint8_t **replay, size_t *size)
{
    int error;

    core_begin(store);
    error = store->backend->replay_read(store, season_id, group, rotation, replay, size);
    if (!error && *size > STORE_REPLAY_BYTES_MAX) {
        free(*replay);
        error = store_refuse(store, -EBADMSG,
                             "%s is damaged: table replay, row group %d, rotation %d, column "
                             "bytes: too long; restore a backup",
                             store->where, group, rotation);
    }
    if (error == -ENOENT)
        store_explain(store, error, "no such game was played: `arena games` lists them");
    return core_end(store, error);
}

int store_replay_find(struct store *store, const char *id, uint8_t **replay, size_t *size)
{
    char name[STORE_NAME_BYTES_MAX + 1];
    struct store_season season;
    int group, rotation, error;

    core_begin(store);
    if (!store_game_id_parse(id, name, &group, &rotation))
        return store_refuse(store, -ENOENT,
                            "%s is no file and no game: a game's id is SEASON-000000-0", id);
    if ((error = store_season_find(store, name, &season)) < 0)
        return error;
    return store_replay_read(store, season.id, group, rotation, replay, size);
}
