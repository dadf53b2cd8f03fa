/* Seasons: terms, openings, entries and the groups of their schedule. */
#include <errno.h>
#include <string.h>

#include "arena/store/players.h"
#include "arena/store/sqlite/database.h"

#define SEASON_COLUMNS                                                                             \
    "id, name, players, board, turn_ms, bank_ms, gain_ms, start_ms, budget_games, "                \
    "until_decided, created_us, closed_us, memory_bytes, tier, freeze, pin, authors_free, "        \
    "closing_us, processor, is_practice, publishes_errors, keep_games"

static int read_season(struct store *store, sqlite3_stmt *statement, struct store_season *season)
{
    struct row row = {.statement = statement, .table = "season", .key_count = 1};
    char players[PLAYERS_TEXT_BYTES];

    memset(season, 0, sizeof *season);
    season->id = row_int64(&row, 0);
    row_text(&row, 1, season->name, sizeof season->name);
    row_text(&row, 2, players, sizeof players);
    players_read(players, season);
    season->board = (enum store_board)row_int(&row, 3);
    season->clock.turn_ms = row_int64(&row, 4);
    season->clock.bank_ms = row_int64(&row, 5);
    season->clock.gain_ms = row_int64(&row, 6);
    season->clock.start_ms = row_int64(&row, 7);
    season->budget_games = row_int64(&row, 8);
    season->until_decided = row_bool(&row, 9);
    season->created_us = row_int64(&row, 10);
    season->closed_us = row_int64_or_null(&row, 11);
    row_play(&row, 12, &season->play);
    season->authors_free = row_bool(&row, 16);
    season->closing_us = row_int64_or_null(&row, 17);
    season->same_cpu = sqlite3_column_type(statement, 18) != SQLITE_NULL;
    row_text_or_empty(&row, 18, season->processor, sizeof season->processor);
    season->is_practice = row_bool(&row, 19);
    season->publishes_errors = row_bool(&row, 20);
    season->prunes = sqlite3_column_type(statement, 21) != SQLITE_NULL;
    season->keep_games = row_int64_or_null(&row, 21);
    return row_end(store, &row);
}

static int insert_season(struct store *store, struct store_season *season)
{
    sqlite3_stmt *add = database_statement(
        store, "INSERT INTO season (name, players, board, turn_ms, bank_ms, gain_ms, start_ms,"
               " budget_games, until_decided, created_us, memory_bytes, tier, freeze, pin,"
               " authors_free, processor, is_practice, publishes_errors, keep_games)"
               " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    char players[PLAYERS_TEXT_BYTES];
    int error;

    if (!add)
        return database_error(store);
    players_write(season, players);
    sqlite3_bind_text(add, 1, season->name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(add, 2, players, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(add, 3, (int)season->board);
    sqlite3_bind_int64(add, 4, season->clock.turn_ms);
    sqlite3_bind_int64(add, 5, season->clock.bank_ms);
    sqlite3_bind_int64(add, 6, season->clock.gain_ms);
    sqlite3_bind_int64(add, 7, season->clock.start_ms);
    sqlite3_bind_int64(add, 8, season->budget_games);
    sqlite3_bind_int(add, 9, season->until_decided);
    sqlite3_bind_int64(add, 10, season->created_us);
    database_bind_play(add, 11, &season->play);
    sqlite3_bind_int(add, 15, season->authors_free);
    if (season->same_cpu)
        sqlite3_bind_text(add, 16, season->processor, -1, SQLITE_TRANSIENT);
    else
        sqlite3_bind_null(add, 16);
    sqlite3_bind_int(add, 17, season->is_practice);
    sqlite3_bind_int(add, 18, season->publishes_errors);
    if (season->prunes)
        sqlite3_bind_int64(add, 19, season->keep_games);
    error = database_run(store, add);
    if (!error)
        season->id = sqlite3_last_insert_rowid(database_of(store)->connection);
    return error;
}

static int insert_opening(struct store *store, int64_t season_id,
                          const struct store_opening *opening)
{
    sqlite3_stmt *add = database_statement(
        store, "INSERT INTO opening (season, number, seed, commitment, by_hand, opened_us)"
               " VALUES (?, ?, ?, ?, ?, ?)");

    if (!add)
        return database_error(store);
    sqlite3_bind_int64(add, 1, season_id);
    sqlite3_bind_int(add, 2, opening->number);
    sqlite3_bind_blob(add, 3, opening->seed, sizeof opening->seed, SQLITE_TRANSIENT);
    sqlite3_bind_text(add, 4, opening->commitment, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(add, 5, opening->by_hand);
    sqlite3_bind_int64(add, 6, opening->opened_us);
    return database_run(store, add);
}

int sqlite_season_add(struct store *store, struct store_season *season,
                      const struct store_opening *opening)
{
    int error = database_begin(store);

    if (error)
        return error;
    error = insert_season(store, season);
    if (!error)
        error = insert_opening(store, season->id, opening);
    if (!error)
        error = database_add_event(store, season->id, "new", "budget %lld games",
                                   (long long)season->budget_games);
    return database_end(store, error);
}

int sqlite_season_find(struct store *store, const char *name, struct store_season *season)
{
    sqlite3_stmt *find =
        database_statement(store, "SELECT " SEASON_COLUMNS " FROM season WHERE name = ?");
    int row, error;

    if (!find)
        return database_error(store);
    sqlite3_bind_text(find, 1, name, -1, SQLITE_TRANSIENT);
    row = database_step(store, find);
    if (row <= 0)
        return row < 0 ? row : -ENOENT;
    error = read_season(store, find, season);
    sqlite3_reset(find);
    return error;
}

int sqlite_seasons_each(struct store *store, store_season_fn *each_fn, void *context)
{
    sqlite3_stmt *list =
        database_statement(store, "SELECT " SEASON_COLUMNS " FROM season ORDER BY id");
    struct store_season season;
    int row;

    if (!list)
        return database_error(store);
    while ((row = database_step(store, list)) > 0) {
        int error = read_season(store, list, &season);

        if (!error && each_fn(context, &season) != 0)
            error = -EINTR;
        if (error) {
            sqlite3_reset(list);
            return error;
        }
    }
    return row;
}

/* Runs an UPDATE of one season that must be in the required state. */
static int update_one(struct store *store, sqlite3_stmt *update)
{
    int error = database_run(store, update);

    return !error && sqlite3_changes(database_of(store)->connection) == 0 ? -EEXIST : error;
}

/* -ERANGE for an open season whose budget has passed its bound, else 0 or -errno. */
static int check_budget(struct store *store, int64_t season_id)
{
    sqlite3_stmt *select =
        database_statement(store, "SELECT 1 FROM season WHERE id = ?1 AND budget_games > ?2");
    int row;

    if (!select)
        return database_error(store);
    sqlite3_bind_int64(select, 1, season_id);
    sqlite3_bind_int64(select, 2, STORE_BUDGET_GAMES_MAX);
    row = database_step(store, select);
    sqlite3_reset(select);
    return row > 0 ? -ERANGE : row;
}

int sqlite_season_extend(struct store *store, int64_t season_id, int64_t more_games)
{
    sqlite3_stmt *update =
        database_statement(store, "UPDATE season SET budget_games = budget_games + ?2"
                                  " WHERE id = ?1 AND closed_us IS NULL");
    int error;

    if (!update)
        return database_error(store);
    sqlite3_bind_int64(update, 1, season_id);
    sqlite3_bind_int64(update, 2, more_games);
    if ((error = database_begin(store)) < 0)
        return error;
    error = update_one(store, update);
    if (!error)
        error = check_budget(store, season_id);
    if (!error)
        error = database_add_event(store, season_id, "extend", "%lld games", (long long)more_games);
    return database_end(store, error);
}

int sqlite_season_begin_close(struct store *store, int64_t season_id, int64_t until_us)
{
    sqlite3_stmt *update = database_statement(
        store, "UPDATE season SET closing_us = ?2 WHERE id = ?1 AND closed_us IS NULL");
    int error;

    if (!update)
        return database_error(store);
    sqlite3_bind_int64(update, 1, season_id);
    sqlite3_bind_int64(update, 2, until_us);
    if ((error = database_begin(store)) < 0)
        return error;
    error = update_one(store, update);
    if (!error)
        error = database_add_event(store, season_id, "closing", "%s", "");
    return database_end(store, error);
}

int sqlite_season_go_on(struct store *store, int64_t season_id)
{
    sqlite3_stmt *update = database_statement(
        store, "UPDATE season SET closing_us = NULL"
               " WHERE id = ?1 AND closed_us IS NULL AND closing_us IS NOT NULL");
    int error;

    if (!update)
        return database_error(store);
    sqlite3_bind_int64(update, 1, season_id);
    if ((error = database_begin(store)) < 0)
        return error;
    error = update_one(store, update);
    if (!error)
        error = database_add_event(store, season_id, "reopen", "%s", "");
    return database_end(store, error);
}

int sqlite_season_take_processor(struct store *store, int64_t season_id, const char *processor)
{
    sqlite3_stmt *update = database_statement(
        store, "UPDATE season SET processor = ?2 WHERE id = ?1 AND processor = ''");
    int error;

    if (!update)
        return database_error(store);
    sqlite3_bind_int64(update, 1, season_id);
    sqlite3_bind_text(update, 2, processor, -1, SQLITE_STATIC);
    if ((error = database_begin(store)) < 0)
        return error;
    error = database_step(store, update);
    return database_end(store, error < 0 ? error : 0);
}

int sqlite_season_close(struct store *store, int64_t season_id, int64_t now_us)
{
    sqlite3_stmt *season = database_statement(
        store, "UPDATE season SET closed_us = ?2 WHERE id = ?1 AND closed_us IS NULL");
    sqlite3_stmt *opening = database_statement(
        store, "UPDATE opening SET closed_us = ?2 WHERE season = ?1 AND closed_us IS NULL");
    int error;

    if (!season || !opening)
        return database_error(store);
    sqlite3_bind_int64(season, 1, season_id);
    sqlite3_bind_int64(season, 2, now_us);
    sqlite3_bind_int64(opening, 1, season_id);
    sqlite3_bind_int64(opening, 2, now_us);
    if ((error = database_begin(store)) < 0)
        return error;
    error = update_one(store, season);
    if (!error)
        error = database_run(store, opening);
    if (!error)
        error = database_add_event(store, season_id, "close", "%s", "");
    return database_end(store, error);
}

int sqlite_season_reopen(struct store *store, int64_t season_id, int64_t budget_games,
                         const struct store_opening *opening)
{
    sqlite3_stmt *season = database_statement(
        store, "UPDATE season SET closed_us = NULL, closing_us = NULL, budget_games = ?2"
               " WHERE id = ?1 AND closed_us IS NOT NULL");
    int error;

    if (!season)
        return database_error(store);
    sqlite3_bind_int64(season, 1, season_id);
    sqlite3_bind_int64(season, 2, budget_games);
    if ((error = database_begin(store)) < 0)
        return error;
    error = update_one(store, season);
    if (!error)
        error = insert_opening(store, season_id, opening);
    if (!error)
        error = database_add_event(store, season_id, "reopen", "budget %lld games",
                                   (long long)budget_games);
    return database_end(store, error);
}

int sqlite_openings_each(struct store *store, int64_t season_id, store_opening_fn *each_fn,
                         void *context)
{
    sqlite3_stmt *list = database_statement(
        store, "SELECT number, seed, commitment, by_hand, opened_us, closed_us FROM opening"
               " WHERE season = ? ORDER BY number");
    int found;

    if (!list)
        return database_error(store);
    sqlite3_bind_int64(list, 1, season_id);
    while ((found = database_step(store, list)) > 0) {
        struct row row = {.statement = list, .table = "opening", .key_count = 1};
        struct store_opening opening = {.number = row_int(&row, 0),
                                        .by_hand = row_bool(&row, 3),
                                        .opened_us = row_int64(&row, 4),
                                        .closed_us = row_int64_or_null(&row, 5)};
        int error;

        row_bytes(&row, 1, opening.seed, sizeof opening.seed);
        row_text(&row, 2, opening.commitment, sizeof opening.commitment);
        error = row_end(store, &row);
        if (!error && each_fn(context, &opening) != 0)
            error = -EINTR;
        if (error) {
            sqlite3_reset(list);
            return error;
        }
    }
    return found;
}

int sqlite_entries_each(struct store *store, int64_t season_id, store_entry_fn *each_fn,
                        void *context)
{
    sqlite3_stmt *list = database_statement(
        store, "SELECT number, bot, batch FROM entry WHERE season = ? ORDER BY number");
    int found;

    if (!list)
        return database_error(store);
    sqlite3_bind_int64(list, 1, season_id);
    while ((found = database_step(store, list)) > 0) {
        struct row row = {.statement = list, .table = "entry", .key_count = 1};
        struct store_entry entry = {
            .number = row_int(&row, 0), .bot_id = row_int64(&row, 1), .batch = row_int(&row, 2)};
        int error = row_end(store, &row);

        if (!error && each_fn(context, &entry) != 0)
            error = -EINTR;
        if (error) {
            sqlite3_reset(list);
            return error;
        }
    }
    return found;
}

int sqlite_groups_each(struct store *store, int64_t season_id, store_group_fn *each_fn,
                       void *context)
{
    sqlite3_stmt *list = database_statement(
        store, "SELECT number, batch, opening, board, players, base0, base1, base2, base3"
               " FROM game_group WHERE season = ? ORDER BY number");
    int found;

    if (!list)
        return database_error(store);
    sqlite3_bind_int64(list, 1, season_id);
    while ((found = database_step(store, list)) > 0) {
        struct row row = {.statement = list, .table = "game_group", .key_count = 1};
        struct store_group group = {.number = row_int(&row, 0),
                                    .batch = row_int(&row, 1),
                                    .opening = row_int(&row, 2),
                                    .board = (enum board_side)row_int(&row, 3),
                                    .player_count = row_int(&row, 4)};
        int error;

        for (int i = 0; i < group.player_count && i < GAME_PLAYERS_MAX; i++)
            group.base[i] = row_int(&row, 5 + i);
        error = row_end(store, &row);
        if (!error && each_fn(context, &group) != 0)
            error = -EINTR;
        if (error) {
            sqlite3_reset(list);
            return error;
        }
    }
    return found;
}

static int insert_entry(struct store *store, int64_t season_id, const struct store_entry *entry)
{
    sqlite3_stmt *add = database_statement(
        store, "INSERT INTO entry (season, number, bot, batch) VALUES (?, ?, ?, ?)");

    if (!add)
        return database_error(store);
    sqlite3_bind_int64(add, 1, season_id);
    sqlite3_bind_int(add, 2, entry->number);
    sqlite3_bind_int64(add, 3, entry->bot_id);
    sqlite3_bind_int(add, 4, entry->batch);
    return database_run(store, add);
}

static int insert_group(struct store *store, int64_t season_id, const struct store_group *group)
{
    sqlite3_stmt *add = database_statement(
        store, "INSERT INTO game_group (season, number, batch, opening, board, players,"
               " base0, base1, base2, base3) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

    if (!add)
        return database_error(store);
    sqlite3_bind_int64(add, 1, season_id);
    sqlite3_bind_int(add, 2, group->number);
    sqlite3_bind_int(add, 3, group->batch);
    sqlite3_bind_int(add, 4, group->opening);
    sqlite3_bind_int(add, 5, (int)group->board);
    sqlite3_bind_int(add, 6, group->player_count);
    for (int i = 0; i < group->player_count; i++)
        sqlite3_bind_int(add, 7 + i, group->base[i]);
    return database_run(store, add);
}

static int insert_batch(struct store *store, int64_t season_id, const struct store_batch *batch)
{
    sqlite3_stmt *add = database_statement(
        store,
        "INSERT INTO batch (season, number, opening, event, seating) VALUES (?, ?, ?, ?, ?)");

    if (!add)
        return database_error(store);
    sqlite3_bind_int64(add, 1, season_id);
    sqlite3_bind_int(add, 2, batch->number);
    sqlite3_bind_int(add, 3, batch->opening);
    sqlite3_bind_int64(add, 4, batch->event);
    sqlite3_bind_int64(add, 5, batch->seating);
    return database_run(store, add);
}

/* Checks, in the transaction that adds a batch, that it was chosen from current data. */
static int check_batch(struct store *store, int64_t season_id, const struct store_batch *batch)
{
    int64_t latest;
    int error = database_check_opening(store, season_id, batch->opening);

    if (!error)
        error = sqlite_event_latest(store, &latest);
    return !error && latest != batch->event ? -ESTALE : error;
}

int sqlite_batches_each(struct store *store, int64_t season_id, store_batch_fn *each_fn,
                        void *context)
{
    sqlite3_stmt *list = database_statement(
        store, "SELECT number, opening, event, seating FROM batch WHERE season = ?"
               " ORDER BY number");
    int found;

    if (!list)
        return database_error(store);
    sqlite3_bind_int64(list, 1, season_id);
    while ((found = database_step(store, list)) > 0) {
        struct row row = {.statement = list, .table = "batch", .key_count = 1};
        struct store_batch batch = {.number = row_int(&row, 0),
                                    .opening = row_int(&row, 1),
                                    .event = row_int64(&row, 2),
                                    .seating = (unsigned)row_int(&row, 3)};
        int error = row_end(store, &row);

        if (!error && each_fn(context, &batch) != 0)
            error = -EINTR;
        if (error) {
            sqlite3_reset(list);
            return error;
        }
    }
    return found;
}

int sqlite_batch_add(struct store *store, int64_t season_id, const struct store_batch *batch,
                     const struct store_entry *entries, size_t entry_count,
                     const struct store_group *groups, size_t group_count)
{
    int error = database_begin(store);

    if (error)
        return error;
    error = check_batch(store, season_id, batch);
    if (!error)
        error = insert_batch(store, season_id, batch);
    for (size_t i = 0; i < entry_count && !error; i++)
        error = insert_entry(store, season_id, &entries[i]);
    for (size_t i = 0; i < group_count && !error; i++)
        error = insert_group(store, season_id, &groups[i]);
    return database_end(store, error);
}
