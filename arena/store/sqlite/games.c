/* Games: their seats, results and replays. */
#include "arena/store/sqlite/database.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int insert_game(struct store *store, int64_t season_id, const struct store_game *game)
{
    sqlite3_stmt *add = database_statement(
        store, "INSERT INTO game (season, game_group, rotation, started_us, wall_us, layers,"
               " decisions, forfeits, opening, seed, memory_bytes, tier, freeze, pin,"
               " replay_sha256, checksum, worker, delay_us)"
               " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, 0), ?)");

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
    database_bind_play(add, 11, &game->play);
    sqlite3_bind_blob(add, 15, game->replay_sha256, sizeof game->replay_sha256, SQLITE_TRANSIENT);
    sqlite3_bind_blob(add, 16, game->checksum, sizeof game->checksum, SQLITE_TRANSIENT);
    sqlite3_bind_int64(add, 17, game->worker_id);
    sqlite3_bind_int64(add, 18, game->delay_us);
    return database_run(store, add);
}

static int insert_seat(struct store *store, int64_t season_id, const struct store_game *game,
                       int seat_number)
{
    sqlite3_stmt *add = database_statement(
        store, "INSERT INTO seat (season, game_group, rotation, seat, entry, score, rank, reason,"
               " decisions, us, us_max, times, checksum)"
               " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
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
    sqlite3_bind_int(add, 8, (int)seat->reason);
    sqlite3_bind_int(add, 9, seat->decision_count);
    sqlite3_bind_int64(add, 10, seat->us);
    sqlite3_bind_int64(add, 11, seat->us_max);
    sqlite3_bind_blob64(add, 12, seat->times ? seat->times : (const uint8_t *)"", seat->times_bytes,
                        SQLITE_TRANSIENT);
    sqlite3_bind_int64(add, 13, (int64_t)seat->checksum);
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

int sqlite_game_add(struct store *store, int64_t season_id, const struct store_game *game,
                    const uint8_t *replay, size_t replay_bytes)
{
    int error = database_begin(store);

    if (error)
        return error;
    error = database_check_opening(store, season_id, game->opening);
    if (!error)
        error = insert_game(store, season_id, game);
    for (int seat = 0; seat < game->player_count && !error; seat++)
        error = insert_seat(store, season_id, game, seat);
    if (!error)
        error = insert_replay(store, season_id, game, replay, replay_bytes);
    return database_end(store, error);
}

/* ---- reading in order: seats and, if requested, the games' rows ---- */

static void read_seat(struct row *row, struct store_seat *seat)
{
    seat->entry = row_int(row, 3);
    seat->score = row_int(row, 4);
    seat->rank = row_int(row, 5);
    seat->reason = (enum wire_reason)row_int(row, 6);
    seat->decision_count = row_int(row, 7);
    seat->us = row_int64(row, 8);
    seat->us_max = row_int64(row, 9);
    seat->checksum = (uint64_t)row_int64_or_null(row, 11);
}

/* Games are read in pages of whole groups, so that no transaction is open for all of them. */
enum {
    PAGE_GAMES = 4000,
    PAGE_LAST = -1,
};

/*
 * Packed times point into a row that is gone when the next seat is read, so they are copied here
 * until the game is complete.
 */
struct reading {
    int next_group; /* first group of the next page; PAGE_LAST: no more pages */
    int told_count; /* games of this page passed on so far */
    sqlite3_stmt *seats;
    sqlite3_stmt *games; /* NULL: results only */
    store_game_fn *each_fn;
    void *context;
    struct store_game game;
    uint8_t *times[GAME_PLAYERS_MAX];
    size_t capacity[GAME_PLAYERS_MAX];
};

static int keep_times(struct reading *reading, struct row *row, int seat)
{
    size_t size;
    const uint8_t *bytes = row_blob(row, 10, &size);
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

/*
 * Reads the next row of table game, which belongs to the seats just read: both are in the same
 * order.
 */
static int read_details(struct store *store, struct reading *reading)
{
    struct row row = {.statement = reading->games, .table = "game", .key_count = 2};
    struct store_game *game = &reading->game;
    int found = database_step(store, reading->games);

    if (found < 0)
        return found;
    if (found == 0 || row_int(&row, 0) != game->group || row_int(&row, 1) != game->rotation)
        return store_refuse(
            store, -EBADMSG,
            "%s is damaged: table game, row game_group %d, rotation %d, column season: the row is "
            "missing, or its seats are; restore a backup",
            store_where(store), game->group, game->rotation);
    game->started_us = row_int64(&row, 2);
    game->wall_us = row_int64(&row, 3);
    game->layers = row_uint32(&row, 4);
    game->decision_count = row_int(&row, 5);
    game->forfeits = row_text_or_null(&row, 6);
    game->opening = row_int(&row, 7);
    game->seed_known = sqlite3_column_type(reading->games, 8) != SQLITE_NULL;
    if (game->seed_known)
        row_bytes(&row, 8, game->seed, sizeof game->seed);
    row_play(&row, 9, &game->play);
    game->checksum_known = sqlite3_column_type(reading->games, 14) != SQLITE_NULL;
    if (game->checksum_known) {
        row_bytes(&row, 13, game->replay_sha256, sizeof game->replay_sha256);
        row_bytes(&row, 14, game->checksum, sizeof game->checksum);
    }
    game->worker_id = row_int64_or_null(&row, 15);
    game->delay_us = row_int64_or_null(&row, 16);
    game->is_pruned = row_bool(&row, 17);
    return row_end(store, &row);
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
    reading->told_count++;
    return error;
}

/* Reads to the end of the page, or of all games. */
static int read_games(struct store *store, struct reading *reading)
{
    struct store_game *game = &reading->game;
    int found = 0, error = 0;

    while (!error && (found = database_step(store, reading->seats)) > 0) {
        struct row row = {.statement = reading->seats, .table = "seat", .key_count = 3};
        int group = row_int(&row, 0), rotation = row_int(&row, 1), seat = row_int(&row, 2);

        if (seat == 0)
            error = tell_game(store, reading);
        if (!error && !row.fault && reading->told_count >= PAGE_GAMES && group > game->group) {
            reading->next_group = group;
            return 0;
        }
        if (!error && (seat != game->player_count || seat >= GAME_PLAYERS_MAX ||
                       (seat > 0 && (group != game->group || rotation != game->rotation)))) {
            row.fault = row.fault ? row.fault : "a seat before it is missing";
            row.bad_column = 2;
        }
        if (!error && !row.fault) {
            game->group = group;
            game->rotation = rotation;
            read_seat(&row, &game->seats[seat]);
            error = keep_times(reading, &row, seat);
            game->player_count++;
        }
        if (!error)
            error = row_end(store, &row);
    }
    reading->next_group = PAGE_LAST;
    if (!error && found < 0)
        error = found;
    return error ? error : tell_game(store, reading);
}

/* Begins a page; the store owns its statements. */
static int begin_page(struct store *store, int64_t season_id, bool detailed,
                      struct reading *reading)
{
    reading->told_count = 0;
    reading->seats = database_statement(
        store, "SELECT game_group, rotation, seat, entry, score, rank, reason, decisions, us,"
               " us_max, times, checksum FROM seat WHERE season = ? AND game_group >= ?"
               " ORDER BY season, game_group, rotation, seat");
    if (!reading->seats)
        return database_error(store);
    sqlite3_bind_int64(reading->seats, 1, season_id);
    sqlite3_bind_int(reading->seats, 2, reading->next_group);
    if (!detailed)
        return 0;
    reading->games = database_statement(
        store, "SELECT game_group, rotation, started_us, wall_us, layers, decisions, forfeits,"
               " opening, seed, memory_bytes, tier, freeze, pin, replay_sha256, checksum, worker,"
               " delay_us, is_pruned FROM game WHERE season = ? AND game_group >= ?"
               " ORDER BY season, game_group, rotation");
    if (!reading->games)
        return database_error(store);
    sqlite3_bind_int64(reading->games, 1, season_id);
    sqlite3_bind_int(reading->games, 2, reading->next_group);
    return 0;
}

static int read_page(struct store *store, int64_t season_id, bool detailed, struct reading *reading)
{
    /* Two statements see the same data only within a transaction. */
    bool own = detailed && !database_in_transaction(store);
    int error = own ? database_execute(store, "BEGIN") : 0;

    if (error)
        return error;
    error = begin_page(store, season_id, detailed, reading);
    if (!error)
        error = read_games(store, reading);
    if (reading->seats)
        sqlite3_reset(reading->seats);
    if (reading->games)
        sqlite3_reset(reading->games);
    if (own)
        database_execute(store, "COMMIT");
    return error;
}

static int each_game(struct store *store, int64_t season_id, int first_group, bool detailed,
                     store_game_fn *each_fn, void *context)
{
    struct reading reading = {.next_group = first_group, .each_fn = each_fn, .context = context};
    int error;

    do {
        error = read_page(store, season_id, detailed, &reading);
    } while (!error && reading.next_group != PAGE_LAST);
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        free(reading.times[i]);
    return error;
}

int sqlite_results_each(struct store *store, int64_t season_id, int first_group,
                        store_game_fn *each_fn, void *context)
{
    return each_game(store, season_id, first_group, false, each_fn, context);
}

int sqlite_games_each(struct store *store, int64_t season_id, int first_group,
                      store_game_fn *each_fn, void *context)
{
    return each_game(store, season_id, first_group, true, each_fn, context);
}

int sqlite_heads_each(struct store *store, int64_t season_id, store_game_fn *each_fn, void *context)
{
    sqlite3_stmt *list = database_statement(
        store, "SELECT game_group, rotation, started_us, is_pruned, checksum FROM game"
               " WHERE season = ? ORDER BY season, game_group, rotation");
    int found;

    if (!list)
        return database_error(store);
    sqlite3_bind_int64(list, 1, season_id);
    while ((found = database_step(store, list)) > 0) {
        struct row row = {.statement = list, .table = "game", .key_count = 2};
        struct store_game game = {.group = row_int(&row, 0),
                                  .rotation = row_int(&row, 1),
                                  .started_us = row_int64(&row, 2),
                                  .is_pruned = row_bool(&row, 3)};
        int error;

        game.checksum_known = sqlite3_column_type(list, 4) != SQLITE_NULL;
        if (game.checksum_known)
            row_bytes(&row, 4, game.checksum, sizeof game.checksum);
        error = row_end(store, &row);
        if (!error && each_fn(context, &game) != 0)
            error = -EINTR;
        if (error) {
            sqlite3_reset(list);
            return error;
        }
    }
    return found;
}

/* ---- replays ---- */

/* Returns why a game has no replay: -ENODATA if it was pruned, -ENOENT if it should exist. */
static int find_pruned(struct store *store, int64_t season_id, int group, int rotation)
{
    sqlite3_stmt *find =
        database_statement(store, "SELECT 1 FROM game WHERE season = ?1 AND game_group = ?2 AND "
                                  "rotation = ?3 AND is_pruned = 1");
    int found;

    if (!find)
        return database_error(store);
    sqlite3_bind_int64(find, 1, season_id);
    sqlite3_bind_int(find, 2, group);
    sqlite3_bind_int(find, 3, rotation);
    found = database_step(store, find);
    if (found > 0)
        sqlite3_reset(find);
    return found < 0 ? found : found ? -ENODATA : -ENOENT;
}

int sqlite_replay_read(struct store *store, int64_t season_id, int group, int rotation,
                       uint8_t **replay, size_t *size)
{
    sqlite3_stmt *find =
        database_statement(store, "SELECT game_group, rotation, bytes FROM replay WHERE season = "
                                  "?1 AND game_group = ?2 AND rotation = ?3");
    struct row row = {.table = "replay", .key_count = 2};
    int found, error;

    if (!find)
        return database_error(store);
    sqlite3_bind_int64(find, 1, season_id);
    sqlite3_bind_int(find, 2, group);
    sqlite3_bind_int(find, 3, rotation);
    found = database_step(store, find);
    if (found == 0)
        return find_pruned(store, season_id, group, rotation);
    if (found < 0)
        return found;
    row.statement = find;
    error = row_copy_blob(store, &row, 2, replay, size);
    sqlite3_reset(find);
    return error;
}
