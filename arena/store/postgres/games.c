/* Games: their seats, results and replays. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/postgres/server.h"

enum {
    SEAT_PARAMETERS = 10, /* per seat, after the three of the game's key */
    SEAT_PAGE_ROWS = 4000,
    HEAD_PAGE_ROWS = 20000,
    GAME_PAGE_ROWS = 200, /* forfeits may be 1 MiB each */
};

/* ---- adding ---- */

/* After a commit that nobody could tell of: is the game that is there the very one? */
static int compare_kept(struct store *store, int64_t season_id, const struct store_game *game)
{
    struct query query;
    int found;

    query_init(&query, "SELECT 1 FROM game WHERE season = $1 AND game_group = $2 AND rotation = $3"
                       " AND checksum = $4");
    query_int(&query, season_id);
    query_int(&query, game->group);
    query_int(&query, game->rotation);
    query_bytes(&query, game->checksum, sizeof game->checksum);
    found = server_change(store, &query);
    return found < 0 ? found : found == 1 ? 0 : -EEXIST;
}

/*
 * All of a game in one statement, so in one round trip: it is added while its opening is open and
 * the season's claim is held, both of which stay so until the transaction's end; its seats and its
 * replay only with it. Tells of each of the three whether it is so.
 */
static const char add_sql[] =
    "WITH open AS (SELECT 1 FROM opening WHERE season = $1 AND number = $9 AND closed_us IS NULL"
    "  FOR SHARE),"
    " held AS (SELECT 1 FROM claim WHERE season = $19 AND identity = $20 FOR SHARE),"
    " added AS (INSERT INTO game (season, game_group, rotation, started_us, wall_us, layers,"
    "  decisions, forfeits, opening, seed, memory_bytes, tier, \"freeze\", pin, replay_sha256,"
    "  checksum, worker, delay_us) SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,"
    "  $14, $15, $16, nullif($17, 0), $18 WHERE EXISTS (SELECT FROM open)"
    "  AND ($19 = '' OR EXISTS (SELECT FROM held)) ON CONFLICT DO NOTHING RETURNING 1),"
    " kept AS (INSERT INTO replay (season, game_group, rotation, bytes)"
    "  SELECT $1, $2, $3, $21 FROM added),"
    " seated AS (INSERT INTO seat (season, game_group, rotation, seat, entry, score, rank, reason,"
    "  decisions, us, us_max, times, checksum) SELECT $1, $2, $3, x.* FROM added, (VALUES ";

static const char added_sql[] = ") AS x)"
                                " SELECT $19 = '' OR EXISTS (SELECT FROM held),"
                                " EXISTS (SELECT FROM open), EXISTS (SELECT FROM added)";

enum {
    FIRST_SEAT_PARAMETER = 22,
    ADD_SQL_BYTES =
        sizeof add_sql + sizeof added_sql + GAME_PLAYERS_MAX * (SEAT_PARAMETERS * 6 + 4),
};

static void write_add_sql(char sql[static ADD_SQL_BYTES], int seat_count)
{
    size_t length = (size_t)sprintf(sql, "%s", add_sql);

    for (int seat = 0; seat < seat_count; seat++)
        for (int i = 0; i < SEAT_PARAMETERS; i++)
            length += (size_t)sprintf(sql + length, "%s$%d%s",
                                      i > 0      ? ", "
                                      : seat > 0 ? ", ("
                                                 : "(",
                                      FIRST_SEAT_PARAMETER + seat * SEAT_PARAMETERS + i,
                                      i == SEAT_PARAMETERS - 1 ? ")" : "");
    strcpy(sql + length, added_sql);
}

static void bind_game(struct query *query, int64_t season_id, const struct store_game *game)
{
    query_int(query, season_id);
    query_int(query, game->group);
    query_int(query, game->rotation);
    query_int(query, game->started_us);
    query_int(query, game->wall_us);
    query_int(query, game->layers);
    query_int(query, game->decision_count);
    query_text(query, game->forfeits);
    query_int(query, game->opening);
    query_bytes(query, game->seed, sizeof game->seed);
    query_play(query, &game->play);
    query_bytes(query, game->replay_sha256, sizeof game->replay_sha256);
    query_bytes(query, game->checksum, sizeof game->checksum);
    query_int(query, game->worker_id);
    query_int(query, game->delay_us);
}

static void bind_seats(struct query *query, const struct store_game *game)
{
    for (int number = 0; number < game->player_count; number++) {
        const struct store_seat *seat = &game->seats[number];

        query_int(query, number);
        query_int(query, seat->entry);
        query_int(query, seat->score);
        query_int(query, seat->rank);
        query_int(query, seat->reason);
        query_int(query, seat->decision_count);
        query_int(query, seat->us);
        query_int(query, seat->us_max);
        query_bytes(query, seat->times, seat->times_bytes);
        query_int(query, (int64_t)seat->checksum);
    }
}

struct added {
    bool is_held, is_open, is_added;
};

static int take_added(void *context, struct tuple *row)
{
    *(struct added *)context = (struct added){.is_held = tuple_bool(row, 0),
                                              .is_open = tuple_bool(row, 1),
                                              .is_added = tuple_bool(row, 2)};
    return 0;
}

static int insert(struct store *store, int64_t season_id, const struct store_game *game,
                  const uint8_t *replay, size_t replay_bytes)
{
    const struct server_claim *claim = &server_of(store)->claim;
    bool is_claimed = *claim->season && claim->season_id == season_id;
    char sql[ADD_SQL_BYTES];
    struct added added;
    struct query query;
    int error;

    write_add_sql(sql, game->player_count);
    query_init(&query, sql);
    bind_game(&query, season_id, game);
    query_text(&query, is_claimed ? claim->season : "");
    query_text(&query, is_claimed ? claim->identity : "");
    query_bytes(&query, replay, replay_bytes);
    bind_seats(&query, game);
    error = server_first(store, &query, "game", take_added, &added);
    if (error || added.is_added)
        return error;
    if (!added.is_held)
        return postgres_claim_hold(store, season_id); /* says so */
    if (!added.is_open)
        return -ECANCELED;
    return server_of(store)->commit_was_lost ? compare_kept(store, season_id, game) : -EEXIST;
}

int postgres_game_add(struct store *store, int64_t season_id, const struct store_game *game,
                      const uint8_t *replay, size_t replay_bytes)
{
    struct attempt attempt = {.lock = ATTEMPT_ROWS};

    while (server_begin(store, &attempt))
        server_end(store, &attempt, insert(store, season_id, game, replay, replay_bytes));
    return attempt.error;
}

/* ---- reading in order: pages of seats; before them, if requested, the games' rows ---- */

/*
 * Packed times point into the page of their seat; a page may end within a game, so they are copied
 * here.
 */
struct reading {
    struct store *store;
    int64_t season_id;
    store_game_fn *each_fn;
    void *context;
    bool detailed;
    struct store_game game; /* player_count: number of seats read so far */
    uint8_t times[GAME_PLAYERS_MAX][STORE_TIMES_BYTES_MAX];
};

static void read_seat(struct reading *reading, struct tuple *row, int number)
{
    struct store_seat *seat = &reading->game.seats[number];
    size_t size;
    const uint8_t *times = tuple_bytes(row, 10, &size);

    seat->entry = tuple_int(row, 3);
    seat->score = tuple_int(row, 4);
    seat->rank = tuple_int(row, 5);
    seat->reason = (enum wire_reason)tuple_int(row, 6);
    seat->decision_count = tuple_int(row, 7);
    seat->us = tuple_int64(row, 8);
    seat->us_max = tuple_int64(row, 9);
    seat->checksum = (uint64_t)tuple_int64_or_null(row, 11);
    if (size > STORE_TIMES_BYTES_MAX && !row->fault) {
        row->bad_column = 10;
        row->fault = "too long";
    } else if (!row->fault && size) {
        memcpy(reading->times[number], times, size);
    }
    seat->times = reading->times[number];
    seat->times_bytes = size;
}

static int tell_game(struct reading *reading)
{
    int error = 0;

    if (reading->game.player_count > 0 && reading->each_fn(reading->context, &reading->game) != 0)
        error = -EINTR;
    reading->game.player_count = 0;
    return error;
}

/* Handles a seat: the next one of the current game, or the first of another. */
static int take_seat(struct reading *reading, struct tuple *row)
{
    struct store_game *game = &reading->game;
    int group = tuple_int(row, 0), rotation = tuple_int(row, 1), seat = tuple_int(row, 2);
    int error = seat == 0 && !reading->detailed ? tell_game(reading) : 0;

    if (error)
        return error;
    if (!row->fault && (seat != game->player_count || seat >= GAME_PLAYERS_MAX ||
                        (seat > 0 && (group != game->group || rotation != game->rotation)))) {
        row->fault = "a seat before it is missing";
        row->bad_column = 2;
    }
    if (!row->fault) {
        game->group = group;
        game->rotation = rotation;
        read_seat(reading, row, seat);
        game->player_count++;
    }
    return tuple_end(reading->store, row);
}

int postgres_results_each(struct store *store, int64_t season_id, int first_group,
                          store_game_fn *each_fn, void *context)
{
    struct reading *reading = calloc(1, sizeof *reading);
    int64_t last[3] = {(int64_t)first_group - 1, INT16_MAX, INT16_MAX}; /* group, rotation, seat */
    int count = 0, error = reading ? 0 : -ENOMEM;

    if (reading)
        *reading = (struct reading){
            .store = store, .season_id = season_id, .each_fn = each_fn, .context = context};
    do {
        struct query query;
        PGresult *result;

        query_init(&query, "SELECT game_group, rotation, seat, entry, score, rank, reason,"
                           " decisions, us, us_max, times, checksum FROM seat WHERE season = $1"
                           " AND (game_group, rotation, seat) > ($2, $3, $4)"
                           " ORDER BY game_group, rotation, seat LIMIT $5");
        query_int(&query, season_id);
        for (int i = 0; i < 3; i++)
            query_int(&query, last[i]);
        query_int(&query, SEAT_PAGE_ROWS);
        if (error || (error = server_run(store, &query, &result)) < 0)
            break;
        count = libpq.PQntuples(result);
        for (int i = 0; i < count && !error; i++) {
            struct tuple row = {.result = result, .number = i, .table = "seat", .key_count = 3};

            for (int column = 0; column < 3; column++)
                last[column] = tuple_int64(&row, column);
            error = take_seat(reading, &row);
        }
        libpq.PQclear(result);
    } while (!error && count == SEAT_PAGE_ROWS);
    if (!error)
        error = tell_game(reading);
    free(reading);
    return error;
}

/* Reads a game's own row. */
static int read_details(struct reading *reading, struct tuple *row)
{
    struct store_game *game = &reading->game;

    game->started_us = tuple_int64(row, 2);
    game->wall_us = tuple_int64(row, 3);
    game->layers = tuple_uint32(row, 4);
    game->decision_count = tuple_int(row, 5);
    game->forfeits = tuple_text_or_null(row, 6);
    game->opening = tuple_int(row, 7);
    game->seed_known = !tuple_is_null(row, 8);
    if (game->seed_known)
        tuple_copy_bytes(row, 8, game->seed, sizeof game->seed);
    tuple_play(row, 9, &game->play);
    game->checksum_known = !tuple_is_null(row, 14);
    if (game->checksum_known) {
        tuple_copy_bytes(row, 13, game->replay_sha256, sizeof game->replay_sha256);
        tuple_copy_bytes(row, 14, game->checksum, sizeof game->checksum);
    }
    game->worker_id = tuple_int64_or_null(row, 15);
    game->delay_us = tuple_int64_or_null(row, 16);
    game->is_pruned = tuple_bool(row, 17);
    return tuple_end(reading->store, row);
}

/*
 * Passes on the games of a page, each with its seats; both results are in the same order. Ignores
 * seats of games that were added after the page of games was read.
 */
static int tell_details(struct reading *reading, PGresult *games, PGresult *seats)
{
    int seat = 0, seat_count = libpq.PQntuples(seats), error = 0;

    for (int i = 0; i < libpq.PQntuples(games) && !error; i++) {
        struct tuple row = {.result = games, .number = i, .table = "game", .key_count = 2};
        int group = tuple_int(&row, 0), rotation = tuple_int(&row, 1);

        reading->game.player_count = 0;
        for (; seat < seat_count && !error; seat++) {
            struct tuple next = {.result = seats, .number = seat, .table = "seat", .key_count = 3};
            int64_t place = (int64_t)tuple_int(&next, 0) * GAME_PLAYERS_MAX + tuple_int(&next, 1);

            if (place > (int64_t)group * GAME_PLAYERS_MAX + rotation)
                break;
            if (place == (int64_t)group * GAME_PLAYERS_MAX + rotation)
                error = take_seat(reading, &next);
        }
        if (!error && reading->game.player_count == 0)
            error = store_refuse(reading->store, -EBADMSG,
                                 "%s is damaged: table game, row game_group %d, rotation %d, "
                                 "column season: its seats are missing; restore a backup",
                                 store_where(reading->store), group, rotation);
        if (!error)
            error = read_details(reading, &row);
        if (!error)
            error = tell_game(reading);
    }
    return error;
}

/* Reads the page of games after `last`, and their seats. Returns how many games, or -errno. */
static int tell_page(struct reading *reading, int64_t last[static 2])
{
    struct query query;
    PGresult *games, *seats;
    int count, error;

    query_init(&query, "SELECT game_group, rotation, started_us, wall_us, layers, decisions,"
                       " forfeits, opening, seed, memory_bytes, tier, \"freeze\", pin,"
                       " replay_sha256, checksum, worker, delay_us, is_pruned FROM game"
                       " WHERE season = $1"
                       " AND (game_group, rotation) > ($2, $3)"
                       " ORDER BY game_group, rotation LIMIT $4");
    query_int(&query, reading->season_id);
    query_int(&query, last[0]);
    query_int(&query, last[1]);
    query_int(&query, GAME_PAGE_ROWS);
    if ((error = server_run(reading->store, &query, &games)) < 0)
        return error;
    count = libpq.PQntuples(games);
    if (count) {
        struct tuple end = {.result = games, .number = count - 1, .table = "game"};

        query_init(&query, "SELECT game_group, rotation, seat, entry, score, rank, reason,"
                           " decisions, us, us_max, times, checksum FROM seat WHERE season = $1"
                           " AND (game_group, rotation) > ($2, $3)"
                           " AND (game_group, rotation) <= ($4, $5)"
                           " ORDER BY game_group, rotation, seat");
        query_int(&query, reading->season_id);
        query_int(&query, last[0]);
        query_int(&query, last[1]);
        query_int(&query, last[0] = tuple_int(&end, 0));
        query_int(&query, last[1] = tuple_int(&end, 1));
        error = server_run(reading->store, &query, &seats);
        if (!error) {
            error = tell_details(reading, games, seats);
            libpq.PQclear(seats);
        }
    }
    libpq.PQclear(games);
    return error ? error : count;
}

int postgres_games_each(struct store *store, int64_t season_id, int first_group,
                        store_game_fn *each_fn, void *context)
{
    struct reading *reading = calloc(1, sizeof *reading);
    int64_t last[2] = {(int64_t)first_group - 1, INT16_MAX};
    int count;

    if (!reading)
        return -ENOMEM;
    *reading = (struct reading){.store = store,
                                .season_id = season_id,
                                .each_fn = each_fn,
                                .context = context,
                                .detailed = true};
    do {
        count = tell_page(reading, last);
    } while (count == GAME_PAGE_ROWS);
    free(reading);
    return count < 0 ? count : 0;
}

static int tell_head(struct store *store, struct tuple *row, store_game_fn *each_fn, void *context)
{
    struct store_game game = {.group = tuple_int(row, 0),
                              .rotation = tuple_int(row, 1),
                              .started_us = tuple_int64(row, 2),
                              .is_pruned = tuple_bool(row, 3)};
    int error;

    game.checksum_known = !tuple_is_null(row, 4);
    if (game.checksum_known)
        tuple_copy_bytes(row, 4, game.checksum, sizeof game.checksum);
    error = tuple_end(store, row);
    return !error && each_fn(context, &game) != 0 ? -EINTR : error;
}

int postgres_heads_each(struct store *store, int64_t season_id, store_game_fn *each_fn,
                        void *context)
{
    int64_t last[2] = {-1, INT16_MAX}; /* group, rotation */
    int count, error;

    do {
        struct query query;
        PGresult *result;

        query_init(&query, "SELECT game_group, rotation, started_us, is_pruned, checksum FROM game"
                           " WHERE season = $1 AND (game_group, rotation) > ($2, $3)"
                           " ORDER BY game_group, rotation LIMIT $4");
        query_int(&query, season_id);
        query_int(&query, last[0]);
        query_int(&query, last[1]);
        query_int(&query, HEAD_PAGE_ROWS);
        if ((error = server_run(store, &query, &result)) < 0)
            return error;
        count = libpq.PQntuples(result);
        for (int i = 0; i < count && !error; i++) {
            struct tuple row = {.result = result, .number = i, .table = "game", .key_count = 2};

            last[0] = tuple_int64(&row, 0);
            last[1] = tuple_int64(&row, 1);
            error = tell_head(store, &row, each_fn, context);
        }
        libpq.PQclear(result);
    } while (!error && count == HEAD_PAGE_ROWS);
    return error;
}
