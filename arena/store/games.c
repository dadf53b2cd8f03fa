/*
 * Games: their seats, results and replays, and the ids by which users name them.
 *
 * The row of a game has a checksum: a SHA-256 over the row, the rows of the game's seats and the
 * hash of its replay. `arena store check` verifies the checksum. Listings check the range of each
 * field but not the checksum, which would make them a quarter slower.
 */
#include "arena/store/games.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/schema.h"

/* ---- which results are valid ---- */

enum {
    SCORE_MAX = 10000, /* points, positive or negative */
};

/* 11 days; a sum over all seats cannot overflow */
static const int64_t seat_us_max = 1000000000000;

/* The first invalid field of a result. */
struct result_fault {
    int seat; /* number of the seat with the field; -1: the field is one of the game */
    const char *column, *words;
};

static const char *seat_fault(const struct store_seat *seat, int player_count)
{
    if (seat->entry < 0 || seat->entry > SCHEMA_ENTRY_MAX)
        return "entry";
    if (seat->score < -SCORE_MAX || seat->score > SCORE_MAX)
        return "score";
    if (seat->rank < 1 || seat->rank > player_count)
        return "rank";
    if ((int)seat->reason < 0 || seat->reason >= WIRE_REASON_COUNT)
        return "reason";
    if (seat->decision_count < 0 || seat->decision_count > GAME_DECISIONS_MAX)
        return "decisions";
    if (seat->us < 0 || seat->us > seat_us_max)
        return "us";
    if (seat->us_max < 0 || seat->us_max > seat_us_max)
        return "us_max";
    return seat->times_bytes > STORE_TIMES_BYTES_MAX ? "times" : NULL;
}

static bool result_is_sound(const struct store_game *game, struct result_fault *fault)
{
    *fault = (struct result_fault){-1, NULL, "out of range"};
    if (game->group < 0 || game->group > SCHEMA_NUMBER_MAX)
        fault->column = "game_group";
    else if (game->player_count < GAME_PLAYERS_MIN || game->player_count > GAME_PLAYERS_MAX)
        *fault = (struct result_fault){-1, "rotation", "a game needs 2 to 4 seats"};
    else if (game->rotation < 0 || game->rotation >= game->player_count)
        fault->column = "rotation";
    for (int seat = 0; !fault->column && seat < game->player_count; seat++) {
        fault->column = seat_fault(&game->seats[seat], game->player_count);
        fault->seat = seat;
    }
    return !fault->column;
}

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
    uint8_t bytes[sizeof numbers + GAME_PLAYERS_MAX * 8 * 8], *at = bytes;
    struct sha256_ctx hash;

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        at = put_number(at, numbers[i]);
    for (int i = 0; i < game->player_count; i++) {
        const struct store_seat *seat = &game->seats[i];

        at = put_number(at, seat->entry);
        at = put_number(at, seat->score);
        at = put_number(at, seat->rank);
        at = put_number(at, seat->reason);
        at = put_number(at, seat->decision_count);
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
    struct sql_query query;
    int changed;

    table_query(&query, TABLE_SEAT, table_insert_text(TABLE_SEAT, game->player_count));
    for (int i = 0; i < game->player_count; i++) {
        const struct store_seat *seat = &game->seats[i];

        sql_int(&query, season_id);
        sql_int(&query, game->group);
        sql_int(&query, game->rotation);
        sql_int(&query, i);
        sql_int(&query, seat->entry);
        sql_int(&query, seat->score);
        sql_int(&query, seat->rank);
        sql_int(&query, seat->reason);
        sql_int(&query, seat->decision_count);
        sql_int(&query, seat->us);
        sql_int(&query, seat->us_max);
        sql_bytes(&query, seat->times, seat->times_bytes);
    }
    changed = sql_run(store, &query);
    return changed < 0 ? changed : changed < game->player_count ? -EEXIST : 0;
}

static int insert_replay(struct store *store, int64_t season_id, const struct store_game *game,
                         const uint8_t *replay, size_t replay_bytes)
{
    struct sql_query query;
    int changed;

    table_query(&query, TABLE_REPLAY, table_insert_text(TABLE_REPLAY, 1));
    sql_int(&query, season_id);
    sql_int(&query, game->group);
    sql_int(&query, game->rotation);
    sql_bytes(&query, replay, replay_bytes);
    changed = sql_run(store, &query);
    return changed < 0 ? changed : changed == 0 ? -EEXIST : 0;
}

/*
 * For a game that the store already has, after a commit whose outcome is unknown: returns 0 if the
 * stored game has the same checksum, else -EEXIST.
 */
static int compare_stored(struct store *store, int64_t season_id, const struct store_game *game)
{
    struct sql_query query;
    int found;

    table_query(&query, TABLE_GAME,
                "SELECT 1 FROM game WHERE season = $1 AND game_group = $2 AND rotation = $3"
                " AND checksum = $4");
    sql_int(&query, season_id);
    sql_int(&query, game->group);
    sql_int(&query, game->rotation);
    sql_bytes(&query, game->checksum, sizeof game->checksum);
    found = sql_run(store, &query);
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
                     "the season was closed while game %d of group %d was played: it is void",
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
    return error ? error : insert_replay(store, season_id, game, replay, replay_bytes);
}

/* Checks a game, copies it, and adds the hash of its replay and its checksum to the copy. */
static int seal(struct store *store, int64_t season_id, const struct store_game *game,
                const uint8_t *replay, size_t replay_bytes, struct store_game *sealed)
{
    struct result_fault fault;
    struct sha256_ctx hash;

    *sealed = *game;
    sealed->is_pruned = false;
    if (!result_is_sound(game, &fault))
        return store_refuse(store, -EINVAL, "game %d of group %d: %s: %s", game->rotation,
                            game->group, fault.column, fault.words);
    if (replay_bytes > STORE_REPLAY_BYTES_MAX)
        return store_refuse(store, -EINVAL,
                            "game %d of group %d: its replay has %zu bytes, more than %d",
                            game->rotation, game->group, replay_bytes, (int)STORE_REPLAY_BYTES_MAX);
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

/* ---- reading results: the seats of each game, in order ---- */

#define SEAT_COLUMNS                                                                               \
    "game_group, rotation, seat, entry, score, rank, reason, decisions, us, us_max, times"

enum {
    SEATS_PER_GROUP = GAME_PLAYERS_MAX * GAME_PLAYERS_MAX,
};

struct reading;
typedef int whole_game_fn(struct reading *reading);

struct reading {
    struct store *store;
    int64_t season_id;
    store_game_fn *each_fn;
    void *context;
    whole_game_fn *whole_fn; /* called when all seats of `game` are read */
    struct store_game game;  /* the game being read; player_count counts the seats read so far */
    /*
     * Copies of the packed times, because the times of a row are valid only until the next row is
     * read.
     */
    uint8_t times[GAME_PLAYERS_MAX][STORE_TIMES_BYTES_MAX];
    struct store_game *page; /* whole games only: rows of table game whose seats are not read yet */
    int page_count, page_next;
};

static int end_game(struct reading *reading)
{
    struct result_fault fault;
    int error;

    if (reading->game.player_count == 0)
        return 0;
    error = result_is_sound(&reading->game, &fault)
                ? reading->whole_fn(reading)
                : damaged(reading->store, &reading->game, fault.seat, fault.column, fault.words);
    reading->game.player_count = 0;
    return error;
}

static int take_seat(void *context, struct sql_row *row)
{
    struct reading *reading = context;
    struct store_game *game = &reading->game;
    int group = row_int(row, 0), rotation = row_int(row, 1), number = row_int(row, 2);
    int error = number == 0 ? end_game(reading) : 0;
    struct store_seat *seat;
    const uint8_t *times;

    if (error)
        return error;
    if (row->fault || number != game->player_count || number >= GAME_PLAYERS_MAX ||
        (number > 0 && (group != game->group || rotation != game->rotation))) {
        row_require(row, 2, false, "a seat before it is missing");
        return row_end(row);
    }
    game->group = group;
    game->rotation = rotation;
    seat = &game->seats[game->player_count++];
    seat->entry = row_int(row, 3);
    seat->score = row_int(row, 4);
    seat->rank = row_int(row, 5);
    seat->reason = (enum wire_reason)row_int(row, 6);
    seat->decision_count = row_int(row, 7);
    seat->us = row_int64(row, 8);
    seat->us_max = row_int64(row, 9);
    times = row_bytes(row, 10, &seat->times_bytes);
    seat->times = reading->times[number];
    row_require(row, 10, seat->times_bytes <= STORE_TIMES_BYTES_MAX, "too long");
    if (row->fault)
        return row_end(row);
    if (seat->times_bytes)
        memcpy(reading->times[number], times, seat->times_bytes);
    return 0;
}

static int pass_result(struct reading *reading)
{
    return reading->each_fn(reading->context, &reading->game) ? -EINTR : 0;
}

int store_results_from(struct store *store, int64_t season_id, int first_group,
                       store_game_fn *each_fn, void *context)
{
    struct reading reading = {
        .store = store, .each_fn = each_fn, .context = context, .whole_fn = pass_result};
    struct sql_listing listing;
    int error;

    sql_listing_init(&listing, "seat", 3, (int64_t)first_group - 1,
                     "SELECT " SEAT_COLUMNS " FROM seat WHERE game_group > $1 AND season = $3"
                     " ORDER BY game_group, rotation, seat LIMIT $2");
    listing.rows_per_key = SEATS_PER_GROUP;
    sql_int(&listing.query, season_id);
    error = sql_list(store, &listing, take_seat, &reading);
    return error ? error : end_game(&reading);
}

int store_results_each(struct store *store, int64_t season_id, store_game_fn *each_fn,
                       void *context)
{
    return store_results_from(store, season_id, 0, each_fn, context);
}

/* ---- reading whole games: a page of rows of table game, then their seats ---- */

enum {
    PAGE_GAMES = 256,
};

static int64_t place_of(const struct store_game *game)
{
    return (int64_t)game->group * GAME_PLAYERS_MAX + game->rotation;
}

/*
 * Called when all seats of a game are read: adds them to the game's row on the page, and passes the
 * game to each_fn.
 */
static int pass_game(struct reading *reading)
{
    struct store_game *game = &reading->page[reading->page_next];

    /* These seats belong to a game that was added after the page was read. */
    if (reading->page_next == reading->page_count || place_of(&reading->game) < place_of(game))
        return 0;
    if (place_of(&reading->game) > place_of(game))
        return damaged(reading->store, game, -1, "rotation", "its seats are missing");
    reading->page_next++;
    game->player_count = reading->game.player_count;
    memcpy(game->seats, reading->game.seats, sizeof game->seats);
    return reading->each_fn(reading->context, game) ? -EINTR : 0;
}

static void empty_page(struct reading *reading)
{
    for (int i = 0; i < reading->page_count; i++)
        free((char *)reading->page[i].forfeits);
    reading->page_count = reading->page_next = 0;
}

/* Reads the seats of the games on the page, and passes each game to each_fn. */
static int pass_page(struct reading *reading)
{
    const struct store_game *page = reading->page;
    struct sql_query query;
    int error;

    if (reading->page_count == 0)
        return 0;
    sql_init(&query, "seat", 3,
             "SELECT " SEAT_COLUMNS " FROM seat WHERE season = $1 AND game_group BETWEEN $2 AND $3"
             " ORDER BY game_group, rotation, seat");
    sql_int(&query, reading->season_id);
    sql_int(&query, page[0].group);
    sql_int(&query, page[reading->page_count - 1].group);
    error = sql_rows(reading->store, &query, take_seat, reading);
    if (!error)
        error = end_game(reading);
    if (!error && reading->page_next < reading->page_count)
        error = damaged(reading->store, &page[reading->page_next], -1, "rotation",
                        "its seats are missing");
    empty_page(reading);
    return error;
}

static int take_game(void *context, struct sql_row *row)
{
    struct reading *reading = context;
    struct store_game *game;
    int error = 0;

    if (reading->page_count >= PAGE_GAMES &&
        row_int(row, 1) != reading->page[reading->page_count - 1].group)
        error = pass_page(reading);
    if (error)
        return error;
    game = &reading->page[reading->page_count];
    table_read(row, TABLE_GAME, game);
    error = row_end(row);
    if (!error && game->forfeits && !(game->forfeits = strdup(game->forfeits)))
        error = -ENOMEM;
    if (!error)
        reading->page_count++;
    return error;
}

int store_games_each(struct store *store, int64_t season_id, store_game_fn *each_fn, void *context)
{
    struct reading reading = {.store = store,
                              .season_id = season_id,
                              .each_fn = each_fn,
                              .context = context,
                              .whole_fn = pass_game};
    struct sql_listing listing;
    int error;

    reading.page = calloc(PAGE_GAMES + GAME_PLAYERS_MAX, sizeof *reading.page);
    if (!reading.page)
        return store_explain(store, -ENOMEM, "out of memory");
    sql_listing_init(&listing, "game", 3, -1,
                     "SELECT * FROM game WHERE game_group > $1 AND season = $3"
                     " ORDER BY game_group, rotation LIMIT $2");
    listing.key_column = 1;
    listing.rows_per_key = GAME_PLAYERS_MAX;
    listing.page_rows = PAGE_GAMES; /* small pages, because forfeits may have 1 MiB */
    sql_int(&listing.query, season_id);
    error = sql_list(store, &listing, take_game, &reading);
    if (!error)
        error = pass_page(&reading);
    empty_page(&reading);
    free(reading.page);
    return error;
}

int store_game_verify(struct store *store, int64_t season_id, const struct store_game *game)
{
    uint8_t mark[STORE_DIGEST_BYTES];

    compute_mark(season_id, game, mark);
    return memcmp(mark, game->checksum, sizeof mark) == 0
               ? 0
               : damaged(store, game, -1, "checksum",
                         "the row, or a seat's, was changed: it does not match its checksum");
}

/* ---- replays ---- */

struct replay_context {
    uint8_t *bytes;
    size_t size;
};

static int take_replay(void *context, struct sql_row *row)
{
    struct replay_context *replay = context;
    size_t size;

    if (row_is_null(row, 3))
        return row_bool(row, 4) ? -ENODATA : -ENOENT;
    row_bytes(row, 3, &size);
    row_require(row, 3, size <= STORE_REPLAY_BYTES_MAX, "too long");
    return row_take_bytes(row, 3, &replay->bytes, &replay->size);
}

int store_replay_read(struct store *store, int64_t season_id, int group, int rotation,
                      uint8_t **replay, size_t *size)
{
    struct replay_context read = {NULL, 0};
    struct sql_query query;
    int error;

    table_query(&query, TABLE_REPLAY,
                "SELECT game.season, game.game_group, game.rotation, bytes, is_pruned FROM game"
                " LEFT JOIN replay ON replay.season = game.season"
                " AND replay.game_group = game.game_group AND replay.rotation = game.rotation"
                " WHERE game.season = $1 AND game.game_group = $2 AND game.rotation = $3");
    sql_int(&query, season_id);
    sql_int(&query, group);
    sql_int(&query, rotation);
    error = sql_first(store, &query, take_replay, &read);
    if (error == -ENOENT)
        store_explain(store, error, "no such game was played: `arena games` lists the games");
    if (error == -ENODATA)
        store_refuse(store, error,
                     "the replay of game %d of group %d was pruned; its result is kept: `arena "
                     "games` shows it",
                     rotation, group);
    *replay = read.bytes;
    *size = read.size;
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
        store_refuse(
            store, error,
            "%s: its replay was pruned, by the terms of season %s or by `arena prune`; its "
            "result is kept: `arena games %s`",
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

static int take_sums(void *context, struct sql_row *row)
{
    *(struct store_pruned *)context = (struct store_pruned){row_int64(row, 0), row_int64(row, 1)};
    return row_end(row);
}

int store_replays_prunable(struct store *store, int64_t season_id, int64_t keep_games,
                           struct store_pruned *pruned)
{
    struct sql_query query;

    *pruned = (struct store_pruned){0};
    sql_init(&query, "replay", 0,
             "SELECT count(*), CAST(coalesce(sum(length(bytes)), 0) AS bigint)" PRUNABLE);
    query.is_slow = true;
    sql_int(&query, season_id);
    sql_int(&query, keep_games);
    return sql_first(store, &query, take_sums, pruned);
}

/*
 * The replays that one call removes: their number and size, and the last one's group and rotation.
 */
struct pruning {
    struct store_pruned *pruned;
    int64_t group, rotation;
};

static int take_prunable(void *context, struct sql_row *row)
{
    struct pruning *pruning = context;

    pruning->group = row_int64(row, 0);
    pruning->rotation = row_int64(row, 1);
    pruning->pruned->bytes += row_int64(row, 2);
    pruning->pruned->count++;
    return row_end(row);
}

/*
 * Runs a statement that has as parameters the season, and the group and rotation of the last replay
 * to be removed.
 */
static int run_until(struct store *store, int64_t season_id, const struct pruning *pruning,
                     const char *text)
{
    struct sql_query query;

    sql_init(&query, "replay", 0, text);
    query.is_slow = true;
    sql_int(&query, season_id);
    sql_int(&query, pruning->group);
    sql_int(&query, pruning->rotation);
    return sql_change(store, &query);
}

static int prune(struct store *store, int64_t season_id, int64_t keep_games, int64_t count_max,
                 struct store_pruned *pruned)
{
    struct pruning pruning = {.pruned = pruned};
    struct sql_query query;
    int error;

    *pruned = (struct store_pruned){0};
    sql_init(&query, "replay", 2,
             "SELECT replay.game_group, replay.rotation, length(bytes)" PRUNABLE
             " ORDER BY replay.game_group, replay.rotation LIMIT $3");
    query.is_slow = true;
    sql_int(&query, season_id);
    sql_int(&query, keep_games);
    sql_int(&query, count_max);
    error = sql_rows(store, &query, take_prunable, &pruning);
    if (error || pruned->count == 0)
        return error;
    error = run_until(store, season_id, &pruning,
                      "UPDATE game SET is_pruned = TRUE WHERE season = $1 AND forfeits IS NULL"
                      " AND (game_group, rotation) IN (SELECT game_group, rotation FROM replay"
                      " WHERE season = $1 AND (game_group, rotation) <= ($2, $3))");
    if (error)
        return error;
    return run_until(store, season_id, &pruning,
                     "DELETE FROM replay WHERE season = $1 AND (game_group, rotation) <= ($2, $3)"
                     " AND EXISTS (SELECT 1 FROM game WHERE game.season = replay.season"
                     " AND game.game_group = replay.game_group"
                     " AND game.rotation = replay.rotation AND is_pruned)");
}

int store_replays_prune(struct store *store, int64_t season_id, int64_t keep_games,
                        int64_t count_max, struct store_pruned *pruned)
{
    struct sql_transaction transaction = {.is_slow = true};

    while (sql_begin(store, &transaction))
        sql_end(store, &transaction, prune(store, season_id, keep_games, count_max, pruned));
    return transaction.error;
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
