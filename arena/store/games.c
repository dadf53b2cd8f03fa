/* SPDX-License-Identifier: MIT */
/*
 * Games: their results and replays, and the ids by which users name them.
 *
 * The row of a game has a checksum: a SHA-256 over the row, which contains the hash of the game's
 * replay. store_games_verify verifies the checksum. Ladders and pages read fewer columns and check
 * their ranges only, because they read whole seasons.
 */
#include "arena/store/games.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/schema.h"

int store_game_damaged(struct store *store, const struct store_game *game, const char *column,
                       const char *fault)
{
    char row[80];

    snprintf(row, sizeof row, "game_group %d, rotation %d", game->group, game->rotation);
    return store_damaged(store, "game", row, column, fault);
}

/* ---- adding ---- */

/* Computes the checksum of a game: a hash of all other fields but is_pruned. */
static void compute_checksum(int64_t season_id, const struct store_game *game,
                             uint8_t checksum[static STORE_DIGEST_BYTES])
{
    struct store_game hashed = *game;

    hashed.is_pruned = false;
    memset(hashed.checksum, 0, sizeof hashed.checksum);
    table_digest(TABLE_GAME, season_id, &hashed, checksum);
}

/*
 * For a game that the store already has, after a commit whose outcome is unknown: returns 0 if the
 * stored game has the same checksum, else -EEXIST.
 */
static int compare_stored(struct store *store, int64_t season_id, const struct store_game *game)
{
    int found =
        sql_run(store, SQL("SELECT 1 FROM game WHERE season = $1 AND game_group = $2"
                           " AND rotation = $3 AND checksum = $4",
                           sql_int(season_id), sql_int(game->group), sql_int(game->rotation),
                           sql_bytes(game->checksum, sizeof game->checksum)));

    return found < 0 ? found : found == 1 ? 0 : -EEXIST;
}

static int add_game(struct store *store, int64_t season_id, const struct store_game *game,
                    const uint8_t *replay, size_t replay_bytes)
{
    int error = store_hold_opening(store, season_id, game->opening);

    if (error == -ECANCELED)
        store_refuse(
            store, error,
            "game %d of group %d does not count: the season was closed while the game was played",
            game->rotation, game->group);
    if (error)
        return error;
    error = table_insert(store, TABLE_GAME, season_id, game);
    if (error == -EEXIST && store->commit_was_lost)
        return compare_stored(store, season_id, game);
    if (error == -EEXIST)
        store_refuse(store, error, "game %d of group %d has already been played", game->rotation,
                     game->group);
    return error
               ?: table_insert(
                      store, TABLE_REPLAY, season_id,
                      &(struct replay_row){game->group, game->rotation, replay, replay_bytes});
}

int store_game_add(struct store *store, int64_t season_id, const struct store_game *game,
                   const uint8_t *replay, size_t replay_bytes)
{
    struct store_game row = *game;
    struct sha256_ctx hash;
    int error;

    row.is_pruned = false;
    sha256_init(&hash);
    sha256_update(&hash, replay_bytes, replay);
    sha256_digest(&hash, sizeof row.replay_sha256, row.replay_sha256);
    error = table_check(store, TABLE_GAME, &row);
    if (error)
        return error;
    compute_checksum(season_id, &row, row.checksum);
    return SQL_TRANSACTION(store, SQL_PLAIN,
                           add_game(store, season_id, &row, replay, replay_bytes));
}

/* ---- reading ---- */

enum {
    RESULT_COLUMNS = 5, /* the columns of table game that ratings read */
    PAGE_COLUMNS = 8,   /* the columns that pages read */
    PAGE_GAMES = 256,   /* fewer rows per page, because forfeits may have 1 MiB */
};

/* SQL: the entries of a season's bots of one name. */
#define ENTRIES_NAMED                                                                              \
    "(SELECT entry.number FROM entry JOIN bot ON bot.id = entry.bot WHERE entry.season = $3"       \
    " AND bot.name = $5)"

/*
 * Reads the first `count` columns of the games in groups first_group to end_group - 1; with all
 * columns also the board, and only games of a bot if it is not NULL. In bytes, a season's groups
 * are a twentieth of its games: they find the games of one bot without an index. Groups without
 * games do not count for a page, which would then seem to be the last.
 */
static int pass_games(struct store *store, int64_t season_id, int first_group, int end_group,
                      const char *bot, int count, store_game_fn *each_fn, void *context)
{
#define GAMES(columns)                                                                             \
    "SELECT " columns " FROM game WHERE game_group > $1 AND game_group < $4 AND season = $3"       \
    " ORDER BY game_group, rotation LIMIT $2"
#define WHOLE                                                                                      \
    "*, (SELECT board FROM game_group WHERE season = game.season AND number = game.game_group)"    \
    " AS board"
    const bool is_whole = count == schema_tables[TABLE_GAME].column_count;
    struct sql_listing listing = {.text = GAMES(WHOLE),
                                  .after = (int64_t)first_group - 1,
                                  .season_id = season_id,
                                  .end = end_group,
                                  .name = bot,
                                  .key_column = 1,
                                  .page_rows = count == RESULT_COLUMNS ? 0 : PAGE_GAMES,
                                  .rows_per_key = GAME_PLAYERS_MAX};
    struct store_game game = {.group = 0};
    uint8_t checksum[STORE_DIGEST_BYTES];
    struct sql_rows rows;

    if (count == RESULT_COLUMNS)
        listing.text = GAMES("season, game_group, rotation, seats, started_us");
    if (count == PAGE_COLUMNS)
        listing.text = GAMES("season, game_group, rotation, seats, started_us, is_pruned, checksum,"
                             " forfeits");
    if (bot)
        listing.text = "SELECT " WHOLE " FROM game WHERE season = $3 AND game_group IN"
                       " (SELECT number FROM game_group WHERE season = $3 AND number > $1"
                       " AND number < $4 AND (base0 IN " ENTRIES_NAMED " OR base1 IN " ENTRIES_NAMED
                       " OR base2 IN " ENTRIES_NAMED " OR base3 IN " ENTRIES_NAMED ")"
                       " AND EXISTS (SELECT 1 FROM game AS played WHERE played.season = $3"
                       " AND played.game_group = number)"
                       " ORDER BY number LIMIT $2) ORDER BY game_group, rotation LIMIT $2";
#undef GAMES
#undef WHOLE
    sql_list(store, &rows, &listing);
    while (sql_next(&rows)) {
        table_read(&rows, 0, TABLE_GAME, &game);
        if (is_whole)
            game.board = (enum board_side)row_range(&rows, count, BOARD_COLORED, BOARD_GRAY);
        if (row_end(&rows))
            break;
        if (is_whole)
            compute_checksum(season_id, &game, checksum);
        if (is_whole && memcmp(checksum, game.checksum, sizeof checksum) != 0)
            rows.error = store_game_damaged(store, &game, "checksum",
                                            "the row was changed: the checksum does not match");
        else if (each_fn(context, &game))
            rows.error = -EINTR;
    }
    return sql_close(&rows);
}

int store_results_each(struct store *store, int64_t season_id, int first_group,
                       store_game_fn *each_fn, void *context)
{
    return pass_games(store, season_id, first_group, STORE_ALL_GROUPS, NULL, RESULT_COLUMNS,
                      each_fn, context);
}

int store_games_each(struct store *store, int64_t season_id, store_game_fn *each_fn, void *context)
{
    return pass_games(store, season_id, 0, STORE_ALL_GROUPS, NULL, PAGE_COLUMNS, each_fn, context);
}

int store_games_verify(struct store *store, int64_t season_id, int first_group, int end_group,
                       const char *bot, store_game_fn *each_fn, void *context)
{
    return pass_games(store, season_id, first_group, end_group, bot,
                      schema_tables[TABLE_GAME].column_count, each_fn, context);
}

bool store_game_forfeited(const struct store_game *game, int entry, int *seat)
{
    for (*seat = 0; *seat < game->player_count; ++*seat)
        if (game->seats[*seat].entry == entry)
            return game->seats[*seat].reason != WIRE_PLAYED;
    return false;
}

/* ---- replays ---- */

int store_replay_read(struct store *store, int64_t season_id, int group, int rotation,
                      uint8_t **replay, size_t *size)
{
    bool is_pruned = false;
    int error;

    *replay = NULL;
    error = SQL_FIND(
        store,
        SQL("SELECT game.season, game.game_group, game.rotation, bytes, is_pruned FROM game"
            " LEFT JOIN replay ON replay.season = game.season"
            " AND replay.game_group = game.game_group AND replay.rotation = game.rotation"
            " WHERE game.season = $1 AND game.game_group = $2 AND game.rotation = $3",
            sql_int(season_id), sql_int(group), sql_int(rotation)),
        ({
            row_name(&rows, "replay", 0, 3);
            is_pruned = row_is_null(&rows, 3) && row_bool(&rows, 4);
            if (row_is_null(&rows, 3))
                rows.error = -ENOENT;
            else
                row_take_bytes(&rows, 3, STORE_REPLAY_BYTES_MAX, replay, size);
        }));
    if (is_pruned)
        return store_refuse(
            store, -ENODATA,
            "the replay of game %d of group %d was removed by `arena season prune`; the "
            "result is kept: `arena games` shows the result",
            rotation, group);
    if (error == -ENOENT)
        store_explain(store, error, "this game is not in the store: `arena games` lists the games");
    return error;
}

int store_replay_find(struct store *store, const char *id, uint8_t **replay, size_t *size)
{
    char name[STORE_NAME_BYTES_MAX + 1];
    struct store_season season;
    int group, rotation, error;

    if (!store_game_id_parse(id, name, &group, &rotation))
        return store_refuse(
            store, -ENOENT,
            "%s is neither a file nor a game: a game's id looks like SEASON-000000-0", id);
    if ((error = store_season_find(store, name, &season)) < 0)
        return error;
    error = store_replay_read(store, season.id, group, rotation, replay, size);
    if (error == -ENODATA)
        store_refuse(store, error,
                     "%s: the game's replay was removed, because season %s keeps only some "
                     "replays, or by `arena season prune`; `arena games %s` shows the result",
                     id, name, name);
    return error;
}

int store_forfeits_count(struct store *store, int64_t season_id, int64_t since_us, int64_t *games,
                         int64_t *forfeits)
{
    return SQL_FIND(store,
                    SQL_SLOW("SELECT count(*), count(forfeits) FROM game WHERE season = $1"
                             " AND started_us >= $2",
                             sql_int(season_id), sql_int(since_us)),
                    (*games = row_int64(&rows, 0), *forfeits = row_int64(&rows, 1)));
}

/* ---- pruning: replays of games without forfeits, except the newest $2 such games ---- */

#define PRUNABLE                                                                                   \
    " FROM replay JOIN game ON game.season = replay.season"                                        \
    " AND game.game_group = replay.game_group AND game.rotation = replay.rotation"                 \
    " WHERE replay.season = $1 AND forfeits IS NULL AND (replay.game_group, replay.rotation) <="   \
    " (SELECT game_group, rotation FROM game WHERE season = $1 AND forfeits IS NULL"               \
    " ORDER BY game_group DESC, rotation DESC LIMIT 1 OFFSET $2)"

int store_replays_prunable(struct store *store, int64_t season_id, int64_t keep_games,
                           struct store_pruned *pruned)
{
    return SQL_FIND(
        store,
        SQL_SLOW("SELECT count(*), CAST(coalesce(sum(length(bytes)), 0) AS bigint)" PRUNABLE,
                 sql_int(season_id), sql_int(keep_games)),
        (*pruned = (struct store_pruned){row_int64(&rows, 0), row_int64(&rows, 1)}));
}

static int prune(struct store *store, int64_t season_id, int64_t keep_games, int64_t count_max,
                 struct store_pruned *pruned)
{
    int64_t group = 0, rotation = 0; /* group and rotation of the last replay to remove */
    int error;

    *pruned = (struct store_pruned){0};
    error = SQL_EACH(store,
                     SQL("SELECT replay.game_group, replay.rotation, length(bytes)" PRUNABLE
                         " ORDER BY replay.game_group, replay.rotation LIMIT $3",
                         sql_int(season_id), sql_int(keep_games), sql_int(count_max)),
                     (group = row_int64(&rows, 0), rotation = row_int64(&rows, 1),
                      pruned->bytes += row_int64(&rows, 2), pruned->count++),
                     0);
    if (error || pruned->count == 0)
        return error;
    return sql_change(store,
                      SQL("UPDATE game SET is_pruned = TRUE WHERE season = $1 AND forfeits IS NULL"
                          " AND (game_group, rotation) IN (SELECT game_group, rotation FROM replay"
                          " WHERE season = $1 AND (game_group, rotation) <= ($2, $3))",
                          sql_int(season_id), sql_int(group), sql_int(rotation)))
               ?: sql_change(store,
                             SQL("DELETE FROM replay WHERE season = $1"
                                 " AND (game_group, rotation) <= ($2, $3)"
                                 " AND EXISTS (SELECT 1 FROM game WHERE game.season = replay.season"
                                 " AND game.game_group = replay.game_group"
                                 " AND game.rotation = replay.rotation AND is_pruned)",
                                 sql_int(season_id), sql_int(group), sql_int(rotation)));
}

int store_replays_prune(struct store *store, int64_t season_id, int64_t keep_games,
                        int64_t count_max, struct store_pruned *pruned)
{
    return SQL_TRANSACTION(store, SQL_LONG, prune(store, season_id, keep_games, count_max, pruned));
}

/* ---- ids: SEASON-%06d-%d ---- */

void store_game_id(char id[static STORE_GAME_ID_BYTES], const char *season, int group, int rotation)
{
    snprintf(id, STORE_GAME_ID_BYTES, "%s-%06d-%d", season, group, rotation);
}

bool store_game_id_parse(const char *id, char season[static STORE_NAME_BYTES_MAX + 1], int *group,
                         int *rotation)
{
    char name[STORE_GAME_ID_BYTES], again[STORE_GAME_ID_BYTES], *dash;

    if (strlen(id) >= sizeof name)
        return false;
    strcpy(name, id);
    for (int *number = rotation; number; number = number == rotation ? group : NULL) {
        dash = strrchr(name, '-');
        if (!dash)
            return false;
        *number = (int)strtol(dash + 1, NULL, 10);
        *dash = '\0';
    }
    if (!store_name_is_valid(name))
        return false;
    strcpy(season, name);
    /* The canonical form has no signs, spaces, and missing or surplus digits. */
    store_game_id(again, season, *group, *rotation);
    return strcmp(again, id) == 0 && *group >= 0 && *group < STORE_ALL_GROUPS && *rotation >= 0 &&
           *rotation < GAME_PLAYERS_MAX;
}
