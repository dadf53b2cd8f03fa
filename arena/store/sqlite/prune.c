/*
 * Removes replays that need not be kept. SQLite reuses the pages of deleted rows for later games.
 */
#include "arena/store/sqlite/database.h"

#include <errno.h>

/* The last game, by group and rotation, whose replay may be removed. */
struct border {
    bool exists;
    int group, rotation;
};

static int find_border(struct store *store, int64_t season_id, int64_t keep_games,
                       struct border *border)
{
    sqlite3_stmt *find = database_statement(
        store, "SELECT game_group, rotation FROM game WHERE season = ?1 AND forfeits IS NULL"
               " ORDER BY season DESC, game_group DESC, rotation DESC LIMIT 1 OFFSET ?2");
    struct row row = {.statement = find, .table = "game", .key_count = 2};
    int found, error;

    *border = (struct border){0};
    if (!find)
        return database_error(store);
    sqlite3_bind_int64(find, 1, season_id);
    sqlite3_bind_int64(find, 2, keep_games);
    found = database_step(store, find);
    if (found <= 0)
        return found;
    *border = (struct border){true, row_int(&row, 0), row_int(&row, 1)};
    error = row_end(store, &row);
    sqlite3_reset(find);
    return error;
}

static void bind_border(sqlite3_stmt *statement, int64_t season_id, const struct border *border)
{
    sqlite3_bind_int64(statement, 1, season_id);
    sqlite3_bind_int(statement, 2, border->group);
    sqlite3_bind_int(statement, 3, border->rotation);
}

/* Replays without forfeits up to the border; the index of replays has this order. */
#define PRUNABLE                                                                                   \
    " FROM replay r JOIN game g ON g.season = r.season AND g.game_group = r.game_group"            \
    " AND g.rotation = r.rotation WHERE r.season = ?1"                                             \
    " AND (r.game_group, r.rotation) <= (?2, ?3) AND g.forfeits IS NULL"

int sqlite_replays_prunable(struct store *store, int64_t season_id, int64_t keep_games,
                            struct store_pruned *pruned)
{
    sqlite3_stmt *sum =
        database_statement(store, "SELECT count(*), coalesce(sum(length(r.bytes)), 0)" PRUNABLE);
    struct border border;
    int error = find_border(store, season_id, keep_games, &border);

    if (error || !border.exists)
        return error;
    if (!sum)
        return database_error(store);
    bind_border(sum, season_id, &border);
    error = database_step(store, sum);
    if (error < 0)
        return error;
    *pruned = (struct store_pruned){sqlite3_column_int64(sum, 0), sqlite3_column_int64(sum, 1)};
    sqlite3_reset(sum);
    return 0;
}

/* Removes the replay of one game and marks the game as pruned. */
static int remove_one(struct store *store, int64_t season_id, int group, int rotation)
{
    sqlite3_stmt *remove = database_statement(
        store, "DELETE FROM replay WHERE season = ?1 AND game_group = ?2 AND rotation = ?3");
    sqlite3_stmt *mark = database_statement(
        store, "UPDATE game SET is_pruned = 1 WHERE season = ?1 AND game_group = ?2 AND "
               "rotation = ?3");
    int error;

    if (!remove || !mark)
        return database_error(store);
    bind_border(remove, season_id, &(struct border){true, group, rotation});
    bind_border(mark, season_id, &(struct border){true, group, rotation});
    error = database_run(store, remove);
    return error ? error : database_run(store, mark);
}

enum {
    ROUND_MAX = 64, /* replays listed before they are removed */
};

/* Removes up to ROUND_MAX of them, the oldest first. */
static int remove_round(struct store *store, int64_t season_id, const struct border *border,
                        int64_t count_max, struct store_pruned *pruned)
{
    sqlite3_stmt *list =
        database_statement(store, "SELECT r.game_group, r.rotation, length(r.bytes)" PRUNABLE
                                  " ORDER BY r.game_group, r.rotation LIMIT ?4");
    struct row row = {.statement = list, .table = "replay", .key_count = 2};
    struct border at[ROUND_MAX];
    int found, count = 0, error = 0;

    if (!list)
        return database_error(store);
    bind_border(list, season_id, border);
    sqlite3_bind_int64(list, 4, count_max < ROUND_MAX ? count_max : ROUND_MAX);
    while ((found = database_step(store, list)) > 0) {
        at[count++] = (struct border){true, row_int(&row, 0), row_int(&row, 1)};
        pruned->bytes += row_int64(&row, 2);
        if ((error = row_end(store, &row)) < 0)
            return error;
    }
    for (int i = 0; i < count && !found && !error; i++)
        error = remove_one(store, season_id, at[i].group, at[i].rotation);
    pruned->count += count;
    return found < 0 ? found : error ? error : count;
}

int sqlite_replays_prune(struct store *store, int64_t season_id, int64_t keep_games,
                         int64_t count_max, struct store_pruned *pruned)
{
    struct border border;
    int removed = 1, error = database_begin(store);

    if (error)
        return error;
    error = find_border(store, season_id, keep_games, &border);
    while (!error && border.exists && removed > 0 && pruned->count < count_max) {
        removed = remove_round(store, season_id, &border, count_max - pruned->count, pruned);
        error = removed < 0 ? removed : 0;
    }
    return database_end(store, error);
}
