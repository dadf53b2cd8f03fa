/* Removes replays that need not be kept. */
#include "arena/store/postgres/server.h"

#include <errno.h>

/* Replays without forfeits, up to the last one that is not among the newest $2. */
#define PRUNABLE                                                                                   \
    " FROM replay r JOIN game g USING (season, game_group, rotation)"                              \
    " WHERE r.season = $1 AND g.forfeits IS NULL AND (r.game_group, r.rotation) <="                \
    " (SELECT game_group, rotation FROM game WHERE season = $1 AND forfeits IS NULL"               \
    " ORDER BY game_group DESC, rotation DESC LIMIT 1 OFFSET $2)"

struct counting {
    struct store *store;
    struct store_pruned *pruned;
};

static int take_counts(void *context, struct tuple *row)
{
    const struct counting *counting = context;

    *counting->pruned = (struct store_pruned){tuple_int64(row, 0), tuple_int64(row, 1)};
    return tuple_end(counting->store, row);
}

int postgres_replays_prunable(struct store *store, int64_t season_id, int64_t keep_games,
                              struct store_pruned *pruned)
{
    struct counting counting = {store, pruned};
    struct query query;

    query_init(&query, "SELECT count(*), coalesce(sum(octet_length(r.bytes)), 0)::bigint" PRUNABLE);
    query_int(&query, season_id);
    query_int(&query, keep_games);
    return server_first(store, &query, "replay", take_counts, &counting);
}

int postgres_replays_prune(struct store *store, int64_t season_id, int64_t keep_games,
                           int64_t count_max, struct store_pruned *pruned)
{
    struct counting counting = {store, pruned};
    struct attempt attempt = {.lock = ATTEMPT_ROWS};
    struct query query;

    query_init(&query, "WITH gone AS (DELETE FROM replay WHERE (season, game_group, rotation) IN"
                       " (SELECT season, game_group, rotation" PRUNABLE
                       " ORDER BY game_group, rotation LIMIT $3)"
                       " RETURNING season, game_group, rotation, octet_length(bytes) AS size),"
                       " marked AS (UPDATE game SET is_pruned = true FROM gone"
                       " WHERE game.season = gone.season AND game.game_group = gone.game_group"
                       " AND game.rotation = gone.rotation RETURNING gone.size)"
                       " SELECT count(*), coalesce(sum(size), 0)::bigint FROM marked");
    query_int(&query, season_id);
    query_int(&query, keep_games);
    query_int(&query, count_max);
    while (server_begin(store, &attempt))
        server_end(store, &attempt, server_first(store, &query, "replay", take_counts, &counting));
    return attempt.error;
}

static int take_nothing(void *context, struct tuple *row)
{
    (void)context;
    (void)row;
    return 0;
}

int postgres_replay_missing(struct store *store, int64_t season_id, int group, int rotation)
{
    struct query query;
    int error;

    query_init(&query, "SELECT 1 FROM game WHERE season = $1 AND game_group = $2 AND rotation = $3"
                       " AND is_pruned");
    query_int(&query, season_id);
    query_int(&query, group);
    query_int(&query, rotation);
    error = server_first(store, &query, "game", take_nothing, NULL);
    return error ? error : -ENODATA;
}
