/* Games and replays: checks rows and words the messages, for any back end. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/core.h"

/* Copies a game and adds its checksums. */
static struct store_game seal(int64_t season_id, const struct store_game *game,
                              const uint8_t *replay, size_t replay_bytes)
{
    struct store_game sealed = *game;

    sealed.seed_known = sealed.checksum_known = true;
    checksum_of_bytes(replay, replay_bytes, sealed.replay_sha256);
    for (int seat = 0; seat < sealed.player_count; seat++)
        sealed.seats[seat].checksum = checksum_of_seat(season_id, &sealed, seat);
    checksum_of_game(season_id, &sealed, sealed.checksum);
    return sealed;
}

int core_seal_game(struct store *store, int64_t season_id, const struct store_game *game,
                   const uint8_t *replay, size_t replay_bytes, struct store_game *sealed)
{
    struct row_fault fault;

    if (!row_game_is_sound(game, &fault))
        return core_refuse_row(store, &fault);
    if (replay_bytes > STORE_REPLAY_BYTES_MAX)
        return store_refuse(store, -EINVAL,
                            "group %d, rotation %d: its replay has %zu bytes, more than %d",
                            game->group, game->rotation, replay_bytes, (int)STORE_REPLAY_BYTES_MAX);
    *sealed = seal(season_id, game, replay, replay_bytes);
    return 0;
}

int core_explain_game(struct store *store, const struct store_game *game, int error)
{
    if (error == -EEXIST)
        store_refuse(store, error, "game %d of group %d has already been played", game->rotation,
                     game->group);
    if (error == -ECANCELED)
        store_refuse(store, error,
                     "the season was closed while game %d of group %d was played: it is void",
                     game->rotation, game->group);
    return error;
}

int store_game_add(struct store *store, int64_t season_id, const struct store_game *game,
                   const uint8_t *replay, size_t replay_bytes)
{
    struct store_game sealed;
    int error = core_begin_write(store);

    if (!error)
        error = core_seal_game(store, season_id, game, replay, replay_bytes, &sealed);
    if (!error)
        error = store->backend->game_add(store, season_id, &sealed, replay, replay_bytes);
    return core_end_write(store, core_explain_game(store, game, error));
}

static const char changed[] = "the row was changed: it does not match its checksum";

/* Checks the checksums, which rows of older arenas do not have. */
static int check_sums(const struct passing *passing, const struct store_game *game)
{
    uint8_t checksum[STORE_DIGEST_BYTES];
    char row[80];

    for (int seat = 0; seat < game->player_count; seat++) {
        if (!game->seats[seat].checksum ||
            game->seats[seat].checksum == checksum_of_seat(passing->season_id, game, seat))
            continue;
        snprintf(row, sizeof row, "group %d, rotation %d, seat %d", game->group, game->rotation,
                 seat);
        return store_damaged(passing->store, "seat", row, "checksum", changed);
    }
    if (!passing->detailed || !game->checksum_known)
        return 0;
    checksum_of_game(passing->season_id, game, checksum);
    if (memcmp(checksum, game->checksum, sizeof checksum) == 0)
        return 0;
    snprintf(row, sizeof row, "group %d, rotation %d", game->group, game->rotation);
    return store_damaged(passing->store, "game", row, "checksum", changed);
}

/* Games are passed on by their place. */
static int64_t place_of(const struct store_game *game)
{
    return (int64_t)game->group * GAME_PLAYERS_MAX + game->rotation;
}

static int refuse_order(const struct passing *passing, const struct store_game *game)
{
    char row[80];

    snprintf(row, sizeof row, "group %d, rotation %d", game->group, game->rotation);
    return store_damaged(passing->store, "game", row, "game_group", "out of order");
}

/* Passes a game on that is due, unless its row is at fault. */
static int pass_on(struct passing *passing, const struct store_game *game)
{
    int result;

    if (passing->error)
        return 1;
    passing->next = place_of(game) + 1;
    passing->store->each_depth++;
    result = ((store_game_fn *)passing->each_fn)(passing->context, game);
    passing->store->each_depth--;
    return result;
}

static int pass_game(void *context, const struct store_game *game)
{
    struct passing *passing = context;
    struct row_fault fault;

    if (!(passing->detailed ? row_game_is_sound : row_result_is_sound)(game, &fault))
        passing->error = core_damaged(passing->store, &fault);
    else if (place_of(game) < passing->next)
        passing->error = refuse_order(passing, game);
    else
        passing->error = check_sums(passing, game);
    return pass_on(passing, game);
}

bool store_result_is_sound(const struct store_game *game)
{
    struct row_fault fault;

    return row_result_is_sound(game, &fault);
}

int store_results_from(struct store *store, int64_t season_id, int first_group,
                       store_game_fn *each_fn, void *context)
{
    struct passing passing = {store, (void *)each_fn, context,
                              .next = (int64_t)first_group * GAME_PLAYERS_MAX,
                              .season_id = season_id};

    core_begin(store);
    return core_end_passing(
        &passing, store->backend->results_each(store, season_id, first_group, pass_game, &passing));
}

int store_results_each(struct store *store, int64_t season_id, store_game_fn *each_fn,
                       void *context)
{
    return store_results_from(store, season_id, 0, each_fn, context);
}

int store_games_from(struct store *store, int64_t season_id, int first_group,
                     store_game_fn *each_fn, void *context)
{
    struct passing passing = {store,
                              (void *)each_fn,
                              context,
                              .next = (int64_t)first_group * GAME_PLAYERS_MAX,
                              .season_id = season_id,
                              .detailed = true};

    core_begin(store);
    return core_end_passing(
        &passing, store->backend->games_each(store, season_id, first_group, pass_game, &passing));
}

int store_games_each(struct store *store, int64_t season_id, store_game_fn *each_fn, void *context)
{
    return store_games_from(store, season_id, 0, each_fn, context);
}

static int pass_head(void *context, const struct store_game *game)
{
    struct passing *passing = context;

    if (place_of(game) < passing->next)
        passing->error = refuse_order(passing, game);
    return pass_on(passing, game);
}

int store_heads_each(struct store *store, int64_t season_id, store_game_fn *each_fn, void *context)
{
    struct passing passing = {store, (void *)each_fn, context, .season_id = season_id};

    core_begin(store);
    return core_end_passing(&passing,
                            store->backend->heads_each(store, season_id, pass_head, &passing));
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
        store_explain(store, error, "no such game was played: `arena games` lists the games");
    if (error == -ENODATA)
        store_refuse(store, error,
                     "the replay of game %d of group %d was pruned; its result is kept: `arena "
                     "games` shows it",
                     rotation, group);
    return core_end(store, error);
}

int store_replays_prunable(struct store *store, int64_t season_id, int64_t keep_games,
                           struct store_pruned *pruned)
{
    *pruned = (struct store_pruned){0};
    core_begin(store);
    return core_end(store, store->backend->replays_prunable(store, season_id, keep_games, pruned));
}

int store_replays_prune(struct store *store, int64_t season_id, int64_t keep_games,
                        int64_t count_max, struct store_pruned *pruned)
{
    int error = core_begin_write(store);

    *pruned = (struct store_pruned){0};
    if (!error)
        error = store->backend->replays_prune(store, season_id, keep_games, count_max, pruned);
    return core_end_write(store, error);
}

int store_replay_find(struct store *store, const char *id, uint8_t **replay, size_t *size)
{
    char name[STORE_NAME_BYTES_MAX + 1];
    struct store_season season;
    int group, rotation, error;

    core_begin(store);
    if (!store_game_id_parse(id, name, &group, &rotation))
        return store_refuse(
            store, -ENOENT,
            "%s is neither a file nor a game: a game's id looks like SEASON-000000-0", id);
    if ((error = store_season_find(store, name, &season)) < 0)
        return error;
    error = store_replay_read(store, season.id, group, rotation, replay, size);
    if (error == -ENODATA)
        store_refuse(
            store, error,
            "%s: its replay was pruned, by the terms of season %s or by `arena prune`; its "
            "result is kept: `arena games %s`",
            id, name, name);
    return error;
}
