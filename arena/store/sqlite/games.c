/* Games: their seats, what became of them, their replays. */
#include "arena/store/sqlite/database.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* In the transaction that stores the game: a seed that was published is played no more. */
static int check_opening(struct store *store, int64_t season_id, const struct store_game *game)
{
    sqlite3_stmt *find = database_statement(
        store, "SELECT 1 FROM opening WHERE season = ? AND number = ? AND closed_us IS NULL");
    int row;

    if (!find)
        return database_error(store);
    sqlite3_bind_int64(find, 1, season_id);
    sqlite3_bind_int(find, 2, game->opening);
    row = database_step(store, find);
    if (row < 0)
        return row;
    sqlite3_reset(find);
    return row ? 0
               : database_refuse(store, -ECANCELED,
                                 "the season was closed while game %d of group %d was played: it "
                                 "is void",
                                 game->rotation, game->group);
}

static int insert_game(struct store *store, int64_t season_id, const struct store_game *game)
{
    sqlite3_stmt *add = database_statement(
        store, "INSERT INTO game (season, game_group, rotation, started_us, wall_us, layers,"
               " decisions, forfeits, opening, seed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    int error;

    if (!add)
        return database_error(store);
    sqlite3_bind_int64(add, 1, season_id);
    sqlite3_bind_int(add, 2, game->group);
    sqlite3_bind_int(add, 3, game->rotation);
    sqlite3_bind_int64(add, 4, game->started_us);
    sqlite3_bind_int64(add, 5, game->wall_us);
    sqlite3_bind_int64(add, 6, game->layers);
    sqlite3_bind_int(add, 7, game->decision_count);
    sqlite3_bind_text(add, 8, game->forfeits, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(add, 9, game->opening);
    sqlite3_bind_blob(add, 10, game->seed, sizeof game->seed, SQLITE_TRANSIENT);
    error = database_run(store, add);
    if (error == -EEXIST)
        return database_refuse(store, error, "game %d of group %d is played already",
                               game->rotation, game->group);
    return error;
}

static int insert_seat(struct store *store, int64_t season_id, const struct store_game *game,
                       int seat_number)
{
    sqlite3_stmt *add = database_statement(
        store, "INSERT INTO seat (season, game_group, rotation, seat, entry, score, rank, reason,"
               " decisions, us, us_max, times) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    const struct store_seat *seat = &game->seats[seat_number];

    if (!add)
        return database_error(store);
    sqlite3_bind_int64(add, 1, season_id);
    sqlite3_bind_int(add, 2, game->group);
    sqlite3_bind_int(add, 3, game->rotation);
    sqlite3_bind_int(add, 4, seat_number);
    sqlite3_bind_int(add, 5, seat->entry);
    sqlite3_bind_int(add, 6, seat->score);
    sqlite3_bind_int(add, 7, seat->rank);
    sqlite3_bind_int(add, 8, seat->reason);
    sqlite3_bind_int(add, 9, seat->decision_count);
    sqlite3_bind_int64(add, 10, seat->us);
    sqlite3_bind_int64(add, 11, seat->us_max);
    sqlite3_bind_blob64(add, 12, seat->times ? seat->times : (const uint8_t *)"", seat->times_bytes,
                        SQLITE_TRANSIENT);
    return database_run(store, add);
}

static int insert_replay(struct store *store, int64_t season_id, const struct store_game *game,
                         const uint8_t *replay, size_t replay_bytes)
{
    sqlite3_stmt *add = database_statement(
        store, "INSERT INTO replay (season, game_group, rotation, bytes) VALUES (?, ?, ?, ?)");

    if (!add)
        return database_error(store);
    sqlite3_bind_int64(add, 1, season_id);
    sqlite3_bind_int(add, 2, game->group);
    sqlite3_bind_int(add, 3, game->rotation);
    sqlite3_bind_blob64(add, 4, replay, replay_bytes, SQLITE_STATIC);
    return database_run(store, add);
}

int store_game_add(struct store *store, int64_t season_id, const struct store_game *game,
                   const uint8_t *replay, size_t replay_bytes)
{
    int error = database_begin(store);

    if (error)
        return error;
    error = check_opening(store, season_id, game);
    if (!error)
        error = insert_game(store, season_id, game);
    for (int seat = 0; seat < game->player_count && !error; seat++)
        error = insert_seat(store, season_id, game, seat);
    if (!error)
        error = insert_replay(store, season_id, game, replay, replay_bytes);
    return database_end(store, error);
}

/* ---- reading in order: seats, and the game's own row beside them when asked for ---- */

static void read_seat(sqlite3_stmt *row, struct store_seat *seat)
{
    seat->entry = sqlite3_column_int(row, 3);
    seat->score = sqlite3_column_int(row, 4);
    seat->rank = sqlite3_column_int(row, 5);
    seat->reason = (enum wire_reason)sqlite3_column_int(row, 6);
    seat->decision_count = sqlite3_column_int(row, 7);
    seat->us = sqlite3_column_int64(row, 8);
    seat->us_max = sqlite3_column_int64(row, 9);
}

/*
 * Packed times live in the row that is passed over when the next seat is read: kept here
 * until the game is whole.
 */
struct reading {
    sqlite3_stmt *seats;
    sqlite3_stmt *games; /* NULL: results only */
    store_game_fn *each_fn;
    void *context;
    struct store_game game;
    uint8_t *times[GAME_PLAYERS_MAX];
    size_t capacity[GAME_PLAYERS_MAX];
};

static int keep_times(struct reading *reading, int seat)
{
    const void *bytes = sqlite3_column_blob(reading->seats, 10);
    size_t size = (size_t)sqlite3_column_bytes(reading->seats, 10);
    struct store_seat *kept = &reading->game.seats[seat];

    if (size > reading->capacity[seat]) {
        uint8_t *larger = realloc(reading->times[seat], 2 * size);

        if (!larger)
            return -ENOMEM;
        reading->times[seat] = larger;
        reading->capacity[seat] = 2 * size;
    }
    if (size)
        memcpy(reading->times[seat], bytes, size);
    kept->times = reading->times[seat];
    kept->times_bytes = size;
    return 0;
}

/* The next row of `game`, which is that of the seats just read: both are in one order. */
static int read_details(struct store *store, struct reading *reading)
{
    struct store_game *game = &reading->game;
    int row = database_step(store, reading->games);

    if (row < 0)
        return row;
    if (row == 0 || sqlite3_column_int(reading->games, 0) != game->group ||
        sqlite3_column_int(reading->games, 1) != game->rotation)
        return database_refuse(store, -EBADMSG, "%s is damaged: games and seats differ",
                               store->path);
    game->started_us = sqlite3_column_int64(reading->games, 2);
    game->wall_us = sqlite3_column_int64(reading->games, 3);
    game->layers = (uint32_t)sqlite3_column_int64(reading->games, 4);
    game->decision_count = sqlite3_column_int(reading->games, 5);
    game->forfeits = (const char *)sqlite3_column_text(reading->games, 6);
    game->opening = sqlite3_column_int(reading->games, 7);
    game->seed_known = sqlite3_column_bytes(reading->games, 8) == GAME_SEED_BYTES;
    if (game->seed_known)
        memcpy(game->seed, sqlite3_column_blob(reading->games, 8), GAME_SEED_BYTES);
    return 0;
}

static int tell_game(struct store *store, struct reading *reading)
{
    int error = 0;

    if (reading->game.player_count == 0)
        return 0;
    if (reading->games)
        error = read_details(store, reading);
    if (!error && reading->each_fn(reading->context, &reading->game) != 0)
        error = -EINTR;
    reading->game.player_count = 0;
    return error;
}

static int read_games(struct store *store, struct reading *reading)
{
    struct store_game *game = &reading->game;
    int row, error = 0;

    while (!error && (row = database_step(store, reading->seats)) > 0) {
        int group = sqlite3_column_int(reading->seats, 0);
        int rotation = sqlite3_column_int(reading->seats, 1);
        int seat = sqlite3_column_int(reading->seats, 2);

        if (seat == 0)
            error = tell_game(store, reading);
        if (!error && (seat != game->player_count || seat >= GAME_PLAYERS_MAX))
            error =
                database_refuse(store, -EBADMSG, "%s is damaged: a game lacks a seat", store->path);
        if (error)
            break;
        game->group = group;
        game->rotation = rotation;
        read_seat(reading->seats, &game->seats[seat]);
        error = keep_times(reading, seat);
        game->player_count++;
    }
    if (!error && row < 0)
        error = row;
    return error ? error : tell_game(store, reading);
}

static int each_game(struct store *store, int64_t season_id, sqlite3_stmt *games,
                     store_game_fn *each_fn, void *context)
{
    struct reading reading = {.games = games, .each_fn = each_fn, .context = context};
    int error;

    reading.seats = database_statement(
        store, "SELECT game_group, rotation, seat, entry, score, rank, reason, decisions, us,"
               " us_max, times FROM seat WHERE season = ?"
               " ORDER BY season, game_group, rotation, seat");
    if (!reading.seats)
        return database_error(store);
    sqlite3_bind_int64(reading.seats, 1, season_id);
    error = read_games(store, &reading);
    sqlite3_reset(reading.seats);
    if (games)
        sqlite3_reset(games);
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        free(reading.times[i]);
    return error;
}

int store_results_each(struct store *store, int64_t season_id, store_game_fn *each_fn,
                       void *context)
{
    return each_game(store, season_id, NULL, each_fn, context);
}

int store_games_each(struct store *store, int64_t season_id, store_game_fn *each_fn, void *context)
{
    sqlite3_stmt *games = database_statement(
        store, "SELECT game_group, rotation, started_us, wall_us, layers, decisions, forfeits,"
               " opening, seed FROM game WHERE season = ? ORDER BY season, game_group, rotation");
    int error;

    if (!games)
        return database_error(store);
    sqlite3_bind_int64(games, 1, season_id);
    /* Two statements read one state only within one transaction. */
    if (store->in_transaction)
        return each_game(store, season_id, games, each_fn, context);
    if (sqlite3_exec(store->connection, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        return database_error(store);
    error = each_game(store, season_id, games, each_fn, context);
    sqlite3_exec(store->connection, "COMMIT", NULL, NULL, NULL);
    return error;
}

/* ---- replays ---- */

int store_replay_read(struct store *store, int64_t season_id, int group, int rotation,
                      uint8_t **replay, size_t *size)
{
    sqlite3_stmt *find = database_statement(
        store, "SELECT bytes FROM replay WHERE season = ?1 AND game_group = ?2 AND rotation = ?3");
    int row, error;

    if (!find)
        return database_error(store);
    sqlite3_bind_int64(find, 1, season_id);
    sqlite3_bind_int(find, 2, group);
    sqlite3_bind_int(find, 3, rotation);
    row = database_step(store, find);
    if (row <= 0)
        return row < 0 ? row
                       : database_refuse(store, -ENOENT,
                                         "no such game was played: `arena games` lists them");
    if ((error = column_blob(find, 0, replay, size)) < 0)
        database_refuse(store, error, "out of memory");
    sqlite3_reset(find);
    return error;
}

int store_replay_find(struct store *store, const char *id, uint8_t **replay, size_t *size)
{
    char name[STORE_NAME_BYTES_MAX + 1];
    struct store_season season;
    int group, rotation, error;

    if (!store_game_id_parse(id, name, &group, &rotation))
        return database_refuse(store, -ENOENT,
                               "%s is no file and no game: a game's id is SEASON-000000-0", id);
    if ((error = store_season_find(store, name, &season)) < 0)
        return error;
    return store_replay_read(store, season.id, group, rotation, replay, size);
}
