/*
 * Games: their seats, results and replays, and the ids by which users name them.
 *
 * The row of a game has a checksum: a SHA-256 over the row, the rows of the game's seats and the
 * hash of its replay. store_games_verify verifies the checksum. Ladders and pages read fewer
 * columns and check their ranges only, because they read whole seasons.
 */
#include "arena/store/games.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/schema.h"

/*
 * Reports which row of a game is damaged: the row of a seat, or for seat -1 the row of the game
 * itself. Returns -EBADMSG.
 */
static int damaged(struct store *store, const struct store_game *game, int seat, const char *column,
                   const char *words)
{
    char row[80];
    int length =
        snprintf(row, sizeof row, "game_group %d, rotation %d", game->group, game->rotation);

    if (seat >= 0)
        snprintf(row + length, sizeof row - (size_t)length, ", seat %d", seat);
    return store_damaged(store, seat >= 0 ? "seat" : "game", row, column, words);
}

/* ---- the checksum of a game ---- */

/*
 * Writes a number as 8 bytes, least significant first, so that a checksum is the same on every
 * machine. Returns the address after these bytes.
 */
static uint8_t *put_number(uint8_t *at, int64_t number)
{
    for (int i = 0; i < 8; i++)
        *at++ = (uint8_t)((uint64_t)number >> (8 * i));
    return at;
}

static void compute_mark(int64_t season_id, const struct store_game *game,
                         uint8_t mark[static STORE_DIGEST_BYTES])
{
    const char *forfeits = game->forfeits ? game->forfeits : "";
    const int64_t numbers[] = {season_id,
                               game->group,
                               game->rotation,
                               game->player_count,
                               game->opening,
                               game->started_us,
                               game->wall_us,
                               game->layers,
                               game->decision_count,
                               game->play.memory_bytes,
                               game->play.tier,
                               game->play.freeze,
                               game->play.pin,
                               game->worker_id,
                               game->delay_us,
                               (int64_t)strlen(forfeits)};
    uint8_t bytes[sizeof numbers + GAME_PLAYERS_MAX * 7 * 8], *at = bytes;
    struct sha256_ctx hash;

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        at = put_number(at, numbers[i]);
    for (int i = 0; i < game->player_count; i++) {
        const struct store_seat *seat = &game->seats[i];

        at = put_number(at, seat->entry);
        at = put_number(at, seat->score);
        at = put_number(at, seat->rank);
        at = put_number(at, seat->reason);
        at = put_number(at, seat->us);
        at = put_number(at, seat->us_max);
        at = put_number(at, (int64_t)seat->times_bytes);
    }
    sha256_init(&hash);
    sha256_update(&hash, (size_t)(at - bytes), bytes);
    sha256_update(&hash, sizeof game->seed, game->seed);
    sha256_update(&hash, strlen(forfeits), (const uint8_t *)forfeits);
    for (int i = 0; i < game->player_count; i++)
        sha256_update(&hash, game->seats[i].times_bytes, game->seats[i].times);
    sha256_update(&hash, sizeof game->replay_sha256, game->replay_sha256);
    sha256_digest(&hash, STORE_DIGEST_BYTES, mark);
}

/* ---- adding ---- */

static int insert_seats(struct store *store, int64_t season_id, const struct store_game *game)
{
    struct seat_row rows[GAME_PLAYERS_MAX];

    for (int i = 0; i < game->player_count; i++)
        rows[i] = (struct seat_row){game->group, game->rotation, i, game->seats[i]};
    return table_insert_all(store, TABLE_SEAT, season_id, rows, sizeof *rows,
                            (size_t)game->player_count);
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
    int error = sql_hold_claim(store, season_id);

    if (!error)
        error = store_hold_opening(store, season_id, game->opening);
    if (error == -ECANCELED)
        store_refuse(store, error,
                     "game %d of group %d is void: the season was closed while the game was played",
                     game->rotation, game->group);
    if (error)
        return error;
    error = table_insert(store, TABLE_GAME, season_id, game);
    if (error == -EEXIST && sql_commit_was_lost(store))
        return compare_stored(store, season_id, game);
    if (error == -EEXIST)
        store_refuse(store, error, "game %d of group %d has already been played", game->rotation,
                     game->group);
    if (!error)
        error = insert_seats(store, season_id, game);
    if (!error)
        error =
            table_insert(store, TABLE_REPLAY, season_id,
                         &(struct replay_row){game->group, game->rotation, replay, replay_bytes});
    return error;
}

/* Returns the column of a game that does not fit its number of players; NULL: none. */
static const char *misfit(const struct store_game *game, int *seat)
{
    *seat = -1;
    if (game->player_count < GAME_PLAYERS_MIN || game->player_count > GAME_PLAYERS_MAX ||
        game->rotation < 0 || game->rotation >= game->player_count)
        return "rotation";
    for (*seat = 0; *seat < game->player_count; ++*seat)
        if (game->seats[*seat].rank > game->player_count)
            return "rank";
    return NULL;
}

/*
 * Checks what the tables do not check, copies the game, and adds the hash of its replay and its
 * checksum to the copy.
 */
static int seal(struct store *store, int64_t season_id, const struct store_game *game,
                const uint8_t *replay, size_t replay_bytes, struct store_game *sealed)
{
    struct sha256_ctx hash;
    int seat;
    const char *column = misfit(game, &seat);

    *sealed = *game;
    sealed->is_pruned = false;
    if (column)
        return store_refuse(store, -EINVAL, "game %d of group %d: %s: out of range", game->rotation,
                            game->group, column);
    sha256_init(&hash);
    sha256_update(&hash, replay_bytes, replay);
    sha256_digest(&hash, sizeof sealed->replay_sha256, sealed->replay_sha256);
    compute_mark(season_id, sealed, sealed->checksum);
    return 0;
}

int store_game_add(struct store *store, int64_t season_id, const struct store_game *game,
                   const uint8_t *replay, size_t replay_bytes)
{
    struct sql_transaction transaction = {.locks_control = false};
    struct store_game sealed;

    while (sql_begin(store, &transaction)) {
        int error = seal(store, season_id, game, replay, replay_bytes, &sealed);

        sql_end(store, &transaction,
                error ? error : add_game(store, season_id, &sealed, replay, replay_bytes));
    }
    return transaction.error;
}

/* ---- reading ---- */

enum {
    SEATS_PER_GROUP = GAME_PLAYERS_MAX * GAME_PLAYERS_MAX,
    PAGE_GAMES = 256, /* small pages, because forfeits may have 1 MiB */
};

/* Reads games from the rows of their seats. */
struct seat_reader {
    struct sql_rows rows;
    struct seat_row next; /* if has_next: the row that was read last, a seat of the next game */
    bool has_next;
    /* Copies of the packed times, which in a row are valid only until the next row is read. */
    uint8_t times[GAME_PLAYERS_MAX][STORE_TIMES_BYTES_MAX];
};

/*
 * Leaves out the season, the first column of a row, because readers would read it millions of
 * times.
 */
#define SEATS "SELECT game_group, rotation, seat, entry, score, rank, reason, us, us_max, times"

/* Reads the next seat to reader->next. Sets has_next to false after the last row or an error. */
static void read_seat(struct seat_reader *reader)
{
    reader->has_next = sql_next(&reader->rows);
    if (!reader->has_next)
        return;
    table_read_part(&reader->rows, TABLE_SEAT, 1, &reader->next);
    reader->has_next = !row_end(&reader->rows);
}

/*
 * Reads the seats of the next game, and its group and rotation. Returns false after the last game
 * or an error.
 */
static bool read_game(struct seat_reader *reader, struct store_game *game)
{
    const char *column;
    int seat;

    if (!reader->has_next)
        return false;
    game->group = reader->next.group;
    game->rotation = reader->next.rotation;
    game->player_count = 0;
    do {
        seat = game->player_count++;
        if (reader->next.number != seat) {
            row_require(&reader->rows, 2, false, "the row of the previous seat is missing");
            return !row_end(&reader->rows);
        }
        game->seats[seat] = reader->next.seat;
        game->seats[seat].times =
            memcpy(reader->times[seat], reader->next.seat.times, reader->next.seat.times_bytes);
        read_seat(reader);
    } while (reader->has_next && reader->next.group == game->group &&
             reader->next.rotation == game->rotation);
    column = misfit(game, &seat);
    if (column && !reader->rows.error)
        reader->rows.error = damaged(reader->rows.store, game, seat, column, "out of range");
    return !reader->rows.error;
}

int store_results_each(struct store *store, int64_t season_id, int first_group,
                       store_game_fn *each_fn, void *context)
{
    struct seat_reader reader;
    struct store_game game = {.group = 0};

    sql_list(store, &reader.rows,
             &(struct sql_listing){SEATS " FROM seat WHERE game_group > $1 AND season = $3"
                                         " ORDER BY game_group, rotation, seat LIMIT $2",
                                   .after = (int64_t)first_group - 1, .season_id = season_id,
                                   .rows_per_key = SEATS_PER_GROUP});
    read_seat(&reader);
    while (read_game(&reader, &game))
        if (each_fn(context, &game))
            reader.rows.error = -EINTR;
    return sql_close(&reader.rows);
}

static int64_t place_of(const struct store_game *game)
{
    return (int64_t)game->group * GAME_PLAYERS_MAX + game->rotation;
}

#define AFTER                                                                                      \
    " FROM game WHERE season = $1 AND (game_group, rotation) > ($2, $3) AND game_group < $5"       \
    " ORDER BY game_group, rotation LIMIT $4"

/*
 * Reads up to PAGE_GAMES games that follow the game (group, rotation), without their seats: all
 * columns if is_whole, else the columns that pages show. The caller frees the games' forfeits, also
 * after an error.
 */
static int read_page(struct store *store, int64_t season_id, bool is_whole, int group, int rotation,
                     int end_group, struct store_game page[static PAGE_GAMES], int *count)
{
    struct sql_rows rows;

    *count = 0;
    sql_open(store, &rows,
             SQL(is_whole ? "SELECT *" AFTER
                          : "SELECT game_group, rotation, started_us, is_pruned, forfeits" AFTER,
                 sql_int(season_id), sql_int(group), sql_int(rotation), sql_int(PAGE_GAMES),
                 sql_int(end_group)));
    while (sql_next(&rows)) {
        struct store_game *game = &page[*count];

        table_read_part(&rows, TABLE_GAME, !is_whole, game);
        if (row_end(&rows))
            break;
        ++*count;
        if (game->forfeits && !(game->forfeits = strdup(game->forfeits)))
            rows.error = sql_result(store, -ENOMEM);
    }
    return sql_close(&rows);
}

static int verify(struct store *store, int64_t season_id, const struct store_game *game)
{
    uint8_t mark[STORE_DIGEST_BYTES];

    compute_mark(season_id, game, mark);
    return memcmp(mark, game->checksum, sizeof mark) == 0
               ? 0
               : damaged(store, game, -1, "checksum",
                         "the game's row or a row of its seats was changed: the checksum does not "
                         "match");
}

/* Reads the seats of the games on a page, and passes each game to each_fn. */
static int pass_page(struct store *store, int64_t season_id, bool is_whole, struct store_game *page,
                     int count, store_game_fn *each_fn, void *context)
{
    struct store_game seats = {.group = 0};
    struct seat_reader reader;

    sql_open(store, &reader.rows,
             SQL(SEATS " FROM seat WHERE season = $1 AND game_group BETWEEN $2 AND $3"
                       " ORDER BY game_group, rotation, seat",
                 sql_int(season_id), sql_int(page[0].group), sql_int(page[count - 1].group)));
    read_seat(&reader);
    for (struct store_game *game = page; game < page + count && !reader.rows.error; game++) {
        bool is_read;

        /* Skip games that are on an earlier page, or that were added after this page was read. */
        do
            is_read = read_game(&reader, &seats);
        while (is_read && place_of(&seats) < place_of(game));
        if (!reader.rows.error && (!is_read || place_of(&seats) > place_of(game)))
            reader.rows.error = damaged(store, game, -1, "rotation", "its seats are missing");
        game->player_count = seats.player_count;
        memcpy(game->seats, seats.seats, sizeof game->seats);
        if (is_whole && !reader.rows.error)
            reader.rows.error = verify(store, season_id, game);
        if (!reader.rows.error && each_fn(context, game))
            reader.rows.error = -EINTR;
    }
    return sql_close(&reader.rows);
}

static int pass_games(struct store *store, int64_t season_id, int first_group, int end_group,
                      bool is_whole, store_game_fn *each_fn, void *context)
{
    struct store_game *page = calloc(PAGE_GAMES, sizeof *page);
    int count = PAGE_GAMES, group = first_group, rotation = -1, error = 0;

    if (!page)
        return store_explain(store, -ENOMEM, "out of memory");
    while (count == PAGE_GAMES && !error) {
        error = read_page(store, season_id, is_whole, group, rotation, end_group, page, &count);
        if (!error && count > 0) {
            group = page[count - 1].group;
            rotation = page[count - 1].rotation;
            error = pass_page(store, season_id, is_whole, page, count, each_fn, context);
        }
        for (int i = 0; i < count; i++)
            free((char *)page[i].forfeits);
    }
    free(page);
    return error;
}

int store_games_each(struct store *store, int64_t season_id, store_game_fn *each_fn, void *context)
{
    return pass_games(store, season_id, 0, STORE_ALL_GROUPS, false, each_fn, context);
}

int store_games_verify(struct store *store, int64_t season_id, int first_group, int end_group,
                       store_game_fn *each_fn, void *context)
{
    return pass_games(store, season_id, first_group, end_group, true, each_fn, context);
}

/* ---- replays ---- */

int store_replay_read(struct store *store, int64_t season_id, int group, int rotation,
                      uint8_t **replay, size_t *size)
{
    struct sql_rows rows;
    bool is_pruned = false;
    int error;

    *replay = NULL;
    sql_open(store, &rows,
             SQL("SELECT game.season, game.game_group, game.rotation, bytes, is_pruned FROM game"
                 " LEFT JOIN replay ON replay.season = game.season"
                 " AND replay.game_group = game.game_group AND replay.rotation = game.rotation"
                 " WHERE game.season = $1 AND game.game_group = $2 AND game.rotation = $3",
                 sql_int(season_id), sql_int(group), sql_int(rotation)));
    row_name(&rows, "replay", 3);
    if (sql_next(&rows)) {
        is_pruned = row_is_null(&rows, 3) && row_bool(&rows, 4);
        if (row_is_null(&rows, 3))
            rows.error = -ENOENT;
        else
            row_take_bytes(&rows, 3, STORE_REPLAY_BYTES_MAX, replay, size);
    }
    error = sql_close_found(&rows);
    if (is_pruned)
        return store_refuse(store, -ENODATA,
                            "the replay of game %d of group %d was pruned; the result is kept: "
                            "`arena games` shows the result",
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
                     "%s: the game's replay was pruned, as the terms of season %s say or by `arena "
                     "prune`; `arena games %s` shows the result",
                     id, name, name);
    return error;
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
    struct sql_rows rows;

    *pruned = (struct store_pruned){0};
    sql_open(store, &rows,
             SQL_SLOW("SELECT count(*), CAST(coalesce(sum(length(bytes)), 0) AS bigint)" PRUNABLE,
                      sql_int(season_id), sql_int(keep_games)));
    if (sql_next(&rows)) {
        *pruned = (struct store_pruned){row_int64(&rows, 0), row_int64(&rows, 1)};
        row_end(&rows);
    }
    return sql_close(&rows);
}

static int prune(struct store *store, int64_t season_id, int64_t keep_games, int64_t count_max,
                 struct store_pruned *pruned)
{
    int64_t group = 0, rotation = 0; /* group and rotation of the last replay to remove */
    struct sql_rows rows;
    int error;

    *pruned = (struct store_pruned){0};
    sql_open(store, &rows,
             SQL("SELECT replay.game_group, replay.rotation, length(bytes)" PRUNABLE
                 " ORDER BY replay.game_group, replay.rotation LIMIT $3",
                 sql_int(season_id), sql_int(keep_games), sql_int(count_max)));
    while (sql_next(&rows)) {
        group = row_int64(&rows, 0);
        rotation = row_int64(&rows, 1);
        pruned->bytes += row_int64(&rows, 2);
        pruned->count++;
        row_end(&rows);
    }
    error = sql_close(&rows);
    if (error || pruned->count == 0)
        return error;
    error = sql_change(store,
                       SQL("UPDATE game SET is_pruned = TRUE WHERE season = $1 AND forfeits IS NULL"
                           " AND (game_group, rotation) IN (SELECT game_group, rotation FROM replay"
                           " WHERE season = $1 AND (game_group, rotation) <= ($2, $3))",
                           sql_int(season_id), sql_int(group), sql_int(rotation)));
    if (error)
        return error;
    return sql_change(
        store, SQL("DELETE FROM replay WHERE season = $1 AND (game_group, rotation) <= ($2, $3)"
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

/* Returns the last '-' of text[0..length), or NULL. */
static const char *last_dash(const char *text, size_t length)
{
    while (length > 0)
        if (text[--length] == '-')
            return text + length;
    return NULL;
}

bool store_game_id_parse(const char *id, char season[static STORE_NAME_BYTES_MAX + 1], int *group,
                         int *rotation)
{
    const char *second = last_dash(id, strlen(id));
    const char *first = second ? last_dash(id, (size_t)(second - id)) : NULL;
    char again[STORE_GAME_ID_BYTES];

    if (!first || first - id > STORE_NAME_BYTES_MAX || second - first > 10)
        return false;
    memcpy(season, id, (size_t)(first - id));
    season[first - id] = '\0';
    *group = (int)strtol(first + 1, NULL, 10);
    *rotation = (int)strtol(second + 1, NULL, 10);
    /*
     * Compare the id with its canonical form, to reject signs, spaces, and missing or surplus
     * digits.
     */
    store_game_id(again, season, *group, *rotation);
    return strcmp(again, id) == 0 && *group >= 0 && *rotation >= 0 &&
           *rotation < GAME_PLAYERS_MAX && store_name_is_valid(season);
}
