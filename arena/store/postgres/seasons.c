/* Seasons: their terms and openings. */
#include <errno.h>
#include <string.h>

#include "arena/store/players.h"
#include "arena/store/postgres/server.h"

#define SEASON_COLUMNS                                                                             \
    "id, name, players, board, turn_ms, bank_ms, gain_ms, start_ms, budget_games, until_decided,"  \
    " created_us, closed_us, memory_bytes, tier, \"freeze\", pin, authors_free, closing_us,"       \
    " processor, is_practice, publishes_errors, keep_games"

static int read_season(struct store *store, struct tuple *row, struct store_season *season)
{
    char players[PLAYERS_TEXT_BYTES];

    memset(season, 0, sizeof *season);
    season->id = tuple_int64(row, 0);
    tuple_text(row, 1, season->name, sizeof season->name);
    tuple_text(row, 2, players, sizeof players);
    players_read(players, season);
    season->board = (enum store_board)tuple_int(row, 3);
    season->clock.turn_ms = tuple_int64(row, 4);
    season->clock.bank_ms = tuple_int64(row, 5);
    season->clock.gain_ms = tuple_int64(row, 6);
    season->clock.start_ms = tuple_int64(row, 7);
    season->budget_games = tuple_int64(row, 8);
    season->until_decided = tuple_bool(row, 9);
    season->created_us = tuple_int64(row, 10);
    season->closed_us = tuple_int64_or_null(row, 11);
    tuple_play(row, 12, &season->play);
    season->authors_free = tuple_bool(row, 16);
    season->closing_us = tuple_int64_or_null(row, 17);
    season->same_cpu = !tuple_is_null(row, 18);
    tuple_text_or_empty(row, 18, season->processor, sizeof season->processor);
    season->is_practice = tuple_bool(row, 19);
    season->publishes_errors = tuple_bool(row, 20);
    season->prunes = !tuple_is_null(row, 21);
    season->keep_games = tuple_int64_or_null(row, 21);
    return tuple_end(store, row);
}

/* ---- reading ---- */

struct finding {
    struct store *store;
    struct store_season *season;
};

static int take_season(void *context, struct tuple *row)
{
    struct finding *finding = context;

    return read_season(finding->store, row, finding->season);
}

int postgres_season_find(struct store *store, const char *name, struct store_season *season)
{
    struct finding finding = {store, season};
    struct query query;

    query_init(&query, "SELECT " SEASON_COLUMNS " FROM season WHERE name = $1");
    query_text(&query, name);
    return server_first(store, &query, "season", take_season, &finding);
}

static int tell_season(void *context, struct tuple *row)
{
    struct telling *telling = context;
    struct store_season season;
    int error = read_season(telling->store, row, &season);

    if (!error && ((store_season_fn *)telling->each_fn)(telling->context, &season) != 0)
        error = -EINTR;
    return error;
}

int postgres_seasons_each(struct store *store, store_season_fn *each_fn, void *context)
{
    static const struct listing listing = {
        "season", "SELECT " SEASON_COLUMNS " FROM season WHERE id > $1 ORDER BY id LIMIT $2"};
    struct telling telling = {store, (void *)each_fn, context};

    return server_each(store, &listing, tell_season, &telling);
}

static int tell_opening(void *context, struct tuple *row)
{
    struct telling *telling = context;
    struct store_opening opening = {.number = tuple_int(row, 0),
                                    .by_hand = tuple_bool(row, 3),
                                    .opened_us = tuple_int64(row, 4),
                                    .closed_us = tuple_int64_or_null(row, 5)};
    int error;

    tuple_copy_bytes(row, 1, opening.seed, sizeof opening.seed);
    tuple_text(row, 2, opening.commitment, sizeof opening.commitment);
    error = tuple_end(telling->store, row);
    if (!error && ((store_opening_fn *)telling->each_fn)(telling->context, &opening) != 0)
        error = -EINTR;
    return error;
}

int postgres_openings_each(struct store *store, int64_t season_id, store_opening_fn *each_fn,
                           void *context)
{
    const struct listing listing = {"opening",
                                    "SELECT number, seed, commitment, by_hand, opened_us, closed_us"
                                    " FROM opening WHERE season = $3 AND number > $1"
                                    " ORDER BY number LIMIT $2",
                                    season_id};
    struct telling telling = {store, (void *)each_fn, context};

    return server_each(store, &listing, tell_opening, &telling);
}

/* ---- adding ---- */

static int take_id(void *context, struct tuple *row)
{
    *(int64_t *)context = tuple_int64(row, 0);
    return 0;
}

static int insert_season(struct store *store, struct store_season *season)
{
    char players[PLAYERS_TEXT_BYTES];
    struct query query;
    int error;

    players_write(season, players);
    query_init(&query,
               "INSERT INTO season (id, name, players, board, turn_ms, bank_ms, gain_ms, start_ms,"
               " budget_games, until_decided, created_us, memory_bytes, tier, \"freeze\", pin,"
               " authors_free, processor, is_practice, publishes_errors, keep_games) VALUES "
               "((SELECT coalesce(max(id), 0) + 1 FROM season),"
               " $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,"
               " nullif($19, -1))"
               " ON CONFLICT DO NOTHING RETURNING id");
    query_text(&query, season->name);
    query_text(&query, players);
    query_int(&query, season->board);
    query_int(&query, season->clock.turn_ms);
    query_int(&query, season->clock.bank_ms);
    query_int(&query, season->clock.gain_ms);
    query_int(&query, season->clock.start_ms);
    query_int(&query, season->budget_games);
    query_bool(&query, season->until_decided);
    query_int(&query, season->created_us);
    query_play(&query, &season->play);
    query_bool(&query, season->authors_free);
    query_text(&query, season->same_cpu ? season->processor : NULL);
    query_bool(&query, season->is_practice);
    query_bool(&query, season->publishes_errors);
    query_int(&query, season->prunes ? season->keep_games : -1);
    error = server_first(store, &query, "season", take_id, &season->id);
    return error == -ENOENT ? -EEXIST : error;
}

static int insert_opening(struct store *store, int64_t season_id,
                          const struct store_opening *opening)
{
    struct query query;
    int changed;

    query_init(&query, "INSERT INTO opening (season, number, seed, commitment, by_hand, opened_us)"
                       " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING");
    query_int(&query, season_id);
    query_int(&query, opening->number);
    query_bytes(&query, opening->seed, sizeof opening->seed);
    query_text(&query, opening->commitment);
    query_bool(&query, opening->by_hand);
    query_int(&query, opening->opened_us);
    changed = server_change(store, &query);
    return changed < 0 ? changed : changed == 0 ? -EEXIST : 0;
}

static int add_season(struct store *store, struct store_season *season,
                      const struct store_opening *opening)
{
    int error = insert_season(store, season);

    if (!error)
        error = insert_opening(store, season->id, opening);
    if (!error)
        error = postgres_event_add(store, season->id, "new", "budget %lld games",
                                   (long long)season->budget_games);
    return error;
}

int postgres_season_add(struct store *store, struct store_season *season,
                        const struct store_opening *opening)
{
    struct attempt attempt = {.lock = ATTEMPT_CONTROL};

    while (server_begin(store, &attempt))
        server_end(store, &attempt, add_season(store, season, opening));
    return attempt.error;
}

/* ---- changes: each is an UPDATE of a season that must be in the required state ---- */

static int change_season(struct store *store, const char *sql, int64_t season_id, int64_t value,
                         bool has_value)
{
    struct query query;
    int changed;

    query_init(&query, sql);
    query_int(&query, season_id);
    if (has_value)
        query_int(&query, value);
    changed = server_change(store, &query);
    return changed < 0 ? changed : changed == 0 ? -EEXIST : 0;
}

/* -ERANGE for a season whose budget has passed its bound, else 0 or -errno. */
static int check_budget(struct store *store, int64_t season_id)
{
    struct query query;
    int found;

    query_init(&query, "SELECT 1 FROM season WHERE id = $1 AND budget_games > $2");
    query_int(&query, season_id);
    query_int(&query, STORE_BUDGET_GAMES_MAX);
    found = server_change(store, &query);
    return found > 0 ? -ERANGE : found;
}

int postgres_season_extend(struct store *store, int64_t season_id, int64_t more_games)
{
    struct attempt attempt = {.lock = ATTEMPT_CONTROL};

    while (server_begin(store, &attempt)) {
        int error = change_season(store,
                                  "UPDATE season SET budget_games = budget_games + $2"
                                  " WHERE id = $1 AND closed_us IS NULL",
                                  season_id, more_games, true);

        if (!error)
            error = check_budget(store, season_id);
        if (!error)
            error =
                postgres_event_add(store, season_id, "extend", "%lld games", (long long)more_games);
        server_end(store, &attempt, error);
    }
    return attempt.error;
}

int postgres_season_begin_close(struct store *store, int64_t season_id, int64_t now_us)
{
    struct attempt attempt = {.lock = ATTEMPT_CONTROL};

    while (server_begin(store, &attempt)) {
        int error = change_season(store,
                                  "UPDATE season SET closing_us = $2"
                                  " WHERE id = $1 AND closed_us IS NULL",
                                  season_id, now_us, true);

        if (!error)
            error = postgres_event_add(store, season_id, "closing", "%s", "");
        server_end(store, &attempt, error);
    }
    return attempt.error;
}

int postgres_season_go_on(struct store *store, int64_t season_id)
{
    struct attempt attempt = {.lock = ATTEMPT_CONTROL};

    while (server_begin(store, &attempt)) {
        int error = change_season(store,
                                  "UPDATE season SET closing_us = NULL WHERE id = $1"
                                  " AND closed_us IS NULL AND closing_us IS NOT NULL",
                                  season_id, 0, false);

        if (!error)
            error = postgres_event_add(store, season_id, "reopen", "%s", "");
        server_end(store, &attempt, error);
    }
    return attempt.error;
}

int postgres_season_take_processor(struct store *store, int64_t season_id, const char *processor)
{
    struct query query;
    int changed;

    query_init(&query, "UPDATE season SET processor = $2 WHERE id = $1 AND processor = ''");
    query_int(&query, season_id);
    query_text(&query, processor);
    changed = server_change(store, &query);
    return changed < 0 ? changed : 0;
}

/* Closes a season. The UPDATE of its opening waits for games that are being added to it. */
static int close_season(struct store *store, int64_t season_id, int64_t now_us)
{
    int error =
        change_season(store, "UPDATE season SET closed_us = $2 WHERE id = $1 AND closed_us IS NULL",
                      season_id, now_us, true);

    if (!error)
        error = change_season(
            store, "UPDATE opening SET closed_us = $2 WHERE season = $1 AND closed_us IS NULL",
            season_id, now_us, true);
    if (error == -EEXIST)
        return error;
    return error ? error : postgres_event_add(store, season_id, "close", "%s", "");
}

int postgres_season_close(struct store *store, int64_t season_id, int64_t now_us)
{
    struct attempt attempt = {.lock = ATTEMPT_CONTROL};

    while (server_begin(store, &attempt))
        server_end(store, &attempt, close_season(store, season_id, now_us));
    return attempt.error;
}

int postgres_season_reopen(struct store *store, int64_t season_id, int64_t budget_games,
                           const struct store_opening *opening)
{
    struct attempt attempt = {.lock = ATTEMPT_CONTROL};

    while (server_begin(store, &attempt)) {
        int error = change_season(store,
                                  "UPDATE season SET closed_us = NULL, closing_us = NULL,"
                                  " budget_games = $2 WHERE id = $1 AND closed_us IS NOT NULL",
                                  season_id, budget_games, true);

        if (!error)
            error = insert_opening(store, season_id, opening);
        if (!error)
            error = postgres_event_add(store, season_id, "reopen", "budget %lld games",
                                       (long long)budget_games);
        server_end(store, &attempt, error);
    }
    return attempt.error;
}

int postgres_opening_hold(struct store *store, int64_t season_id, int opening)
{
    struct query query;
    int found;

    query_init(&query, "SELECT 1 FROM opening WHERE season = $1 AND number = $2"
                       " AND closed_us IS NULL FOR SHARE");
    query_int(&query, season_id);
    query_int(&query, opening);
    found = server_change(store, &query);
    return found < 0 ? found : found == 0 ? -ECANCELED : 0;
}
