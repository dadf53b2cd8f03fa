/*
 * Workers and leases (leases.sql): each call is one function of the database, so that the workers'
 * role needs no rights on tables, and one transaction. All can be repeated after a lost connection:
 * the next renewal lists a claim whose answer was lost.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/leases.h"
#include "arena/store/postgres/server.h"

/* ---- dealing ---- */

static int deal(struct store *store, int64_t season_id, bool to_workers)
{
    struct query query;
    int changed, error = postgres_claim_hold(store, season_id);

    if (error)
        return error;
    query_init(&query, to_workers ? "WITH dealt AS (UPDATE season SET dealt = true WHERE id = $1"
                                    " AND NOT dealt RETURNING id)"
                                    " SELECT pg_notify('pavilion_work', '') FROM dealt"
                                  : "WITH taken AS (UPDATE season SET dealt = false WHERE id = $1"
                                    " AND dealt RETURNING id) SELECT season_fence(id) FROM taken");
    query_int(&query, season_id);
    changed = server_change(store, &query);
    return changed < 0 ? changed : 0;
}

int postgres_season_deal(struct store *store, int64_t season_id, bool to_workers)
{
    struct attempt attempt = {.lock = ATTEMPT_ROWS};

    while (server_begin(store, &attempt))
        server_end(store, &attempt, deal(store, season_id, to_workers));
    return attempt.error;
}

/* ---- claims ---- */

static void copy_text(json_t *object, const char *key, char *target, size_t size)
{
    const char *text = json_string_value(json_object_get(object, key));

    snprintf(target, size, "%s", text ? text : "");
}

static int64_t number_of(json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

/* Parses "2,3" as counts; invalid text sets none, which the store refuses. */
static void read_player_counts(const char *text, struct store_season *season)
{
    const int room = (int)(sizeof season->player_counts / sizeof *season->player_counts);

    for (; text && *text && season->player_count_count < room; text += text[1] == ',' ? 2 : 1)
        season->player_counts[season->player_count_count++] = *text - '0';
}

static void read_terms(json_t *object, struct store_season *season)
{
    season->id = number_of(object, "id");
    copy_text(object, "name", season->name, sizeof season->name);
    read_player_counts(json_string_value(json_object_get(object, "players")), season);
    season->board = (enum store_board)number_of(object, "board");
    season->clock.turn_ms = number_of(object, "turn_ms");
    season->clock.bank_ms = number_of(object, "bank_ms");
    season->clock.gain_ms = number_of(object, "gain_ms");
    season->clock.start_ms = number_of(object, "start_ms");
    season->budget_games = number_of(object, "budget_games");
    season->created_us = number_of(object, "created_us");
    season->play.memory_bytes = number_of(object, "memory_bytes");
    season->play.tier = (int)number_of(object, "tier");
    season->play.freeze = json_is_true(json_object_get(object, "freeze"));
    season->is_practice = json_is_true(json_object_get(object, "practice"));
    season->play.pin = json_is_true(json_object_get(object, "pin"));
}

/* Parses a seed of 32 hex digits. Returns false for anything else. */
static bool read_seed(const char *text, uint8_t seed[static GAME_SEED_BYTES])
{
    for (int i = 0; i < GAME_SEED_BYTES; i++)
        if (!text || sscanf(text + 2 * i, "%2hhx", &seed[i]) != 1)
            return false;
    return true;
}

static void read_bots(json_t *bots, struct store_lease *lease)
{
    size_t i;
    json_t *bot;

    json_array_foreach(bots, i, bot)
    {
        struct store_bot *read = &lease->bots[i];

        if (i == GAME_PLAYERS_MAX)
            return;
        lease->group.base[i] = (int)number_of(bot, "entry");
        read->id = number_of(bot, "id");
        copy_text(bot, "name", read->name, sizeof read->name);
        copy_text(bot, "version", read->version, sizeof read->version);
        copy_text(bot, "author", read->author, sizeof read->author);
        copy_text(bot, "language", read->language, sizeof read->language);
        copy_text(bot, "sha256", read->sha256, sizeof read->sha256);
        copy_text(bot, "built", read->built_sha256, sizeof read->built_sha256);
    }
}

static int read_lease(struct store *store, json_t *object, struct store_lease *lease)
{
    struct store_group *group = &lease->group;
    int done = (int)number_of(object, "done");
    json_t *seeds = json_object_get(object, "seeds");

    memset(lease, 0, sizeof *lease);
    read_terms(json_object_get(object, "season"), &lease->season);
    group->number = (int)number_of(object, "group");
    group->batch = (int)number_of(object, "batch");
    group->opening = (int)number_of(object, "chosen");
    group->board = (enum board_side)number_of(object, "board");
    group->player_count = (int)number_of(object, "players");
    lease->token = number_of(object, "token");
    lease->opening = (int)number_of(object, "opening");
    read_bots(json_object_get(object, "bots"), lease);
    for (int r = 0; r < group->player_count && r < GAME_PLAYERS_MAX; r++) {
        if (done & 1 << r)
            continue;
        lease->due |= 1u << r;
        if (!read_seed(json_string_value(json_array_get(seeds, (size_t)r)), lease->seeds[r]))
            return store_refuse(store, -EBADMSG,
                                "%s: the store gave this worker a group without the "
                                "seeds of its games; is the arena there of another version?",
                                store_where(store));
    }
    return 0;
}

/* Returns "{1,2}", which the caller frees; NULL if memory runs out. */
static char *write_array(const int64_t *numbers, size_t count)
{
    char *text = malloc(21 * count + 3);
    size_t length = 0;

    if (!text)
        return NULL;
    text[length++] = '{';
    for (size_t i = 0; i < count; i++)
        length += (size_t)sprintf(text + length, i ? ",%lld" : "%lld", (long long)numbers[i]);
    strcpy(text + length, "}");
    return text;
}

struct claiming {
    struct store *store;
    struct store_lease *leases;
    int count, room;
};

static int take_claim(void *context, struct tuple *row)
{
    struct claiming *claiming = context;
    const char *text = tuple_text_or_null(row, 0);
    json_t *object;
    int error;

    if (!text)
        return -ECANCELED;
    if (claiming->count == claiming->room)
        return 0;
    object = json_loads(text, 0, NULL);
    if (!object)
        return store_refuse(claiming->store, -EBADMSG,
                            "%s: the store returned a claim that cannot be read",
                            store_where(claiming->store));
    error = read_lease(claiming->store, object, &claiming->leases[claiming->count]);
    json_decref(object);
    claiming->count += !error;
    return error;
}

int postgres_lease_claim(struct store *store, const struct store_worker *worker,
                         const struct store_claim *claim, struct store_lease *leases)
{
    struct claiming claiming = {.store = store, .leases = leases, .room = claim->group_count};
    char *refused = write_array(claim->refused, claim->refused_count);
    struct query query;
    int error;

    if (!refused)
        return -ENOMEM;
    query_init(&query, "SELECT * FROM worker_claim($1, $2, $3, $4)");
    query_bytes(&query, worker->identity, sizeof worker->identity);
    query_int(&query, claim->group_count);
    query_int(&query, claim->lease_us);
    query_array(&query, refused);
    error = server_rows(store, &query, "game_group", 1, take_claim, &claiming);
    free(refused);
    return error ? error : claiming.count;
}

static int tell_renewed(void *context, struct tuple *row)
{
    struct telling *telling = context;
    const struct store_renewal renewal = {.season_id = tuple_int64(row, 0),
                                          .group = tuple_int(row, 1),
                                          .token = tuple_int64(row, 2),
                                          .state = (enum store_lease_state)tuple_int(row, 3)};
    int error = tuple_end(telling->store, row);

    if (!error && ((store_lease_fn *)telling->each_fn)(telling->context, &renewal) != 0)
        error = -EINTR;
    return error;
}

int postgres_lease_renew(struct store *store, const struct store_worker *worker, int64_t lease_us,
                         store_lease_fn *each_fn, void *context)
{
    struct telling telling = {store, (void *)each_fn, context};
    struct query query;

    query_init(&query, "SELECT * FROM worker_renew($1, $2)");
    query_bytes(&query, worker->identity, sizeof worker->identity);
    query_int(&query, lease_us);
    return server_rows(store, &query, "game_group", 2, tell_renewed, &telling);
}

static int take_count(void *context, struct tuple *row)
{
    *(int *)context = tuple_int(row, 0);
    return 0;
}

int postgres_leases_count(struct store *store, int64_t season_id)
{
    struct query query;
    int count, error;

    query_init(&query, "SELECT count(*) FROM game_group WHERE season = $1"
                       " AND lease_until > clock_timestamp()");
    query_int(&query, season_id);
    error = server_first(store, &query, "game_group", take_count, &count);
    return error ? error : count;
}

int postgres_lease_return(struct store *store, const struct store_worker *worker,
                          const struct store_lease *lease)
{
    struct query query;
    int changed;

    query_init(&query, lease ? "SELECT worker_return($1, $2, $3, $4)"
                             : "SELECT worker_return($1, NULL, NULL, NULL)");
    query_bytes(&query, worker->identity, sizeof worker->identity);
    if (lease) {
        query_int(&query, lease->season.id);
        query_int(&query, lease->group.number);
        query_int(&query, lease->token);
    }
    changed = server_change(store, &query);
    return changed < 0 ? changed : 0;
}

/* ---- results ---- */

/* Returns the seats as JSON, which the caller frees. */
static char *write_seats(const struct store_game *game)
{
    json_t *seats = json_array();
    char *text;

    for (int i = 0; i < game->player_count; i++) {
        const struct store_seat *seat = &game->seats[i];
        char times[2 * STORE_TIMES_BYTES_MAX + 1] = "";

        for (size_t at = 0; at < seat->times_bytes; at++)
            sprintf(times + 2 * at, "%02x", seat->times[at]);
        json_array_append_new(seats,
                              json_pack("{s:i, s:i, s:i, s:i, s:i, s:I, s:I, s:s, s:I}", "seat", i,
                                        "score", seat->score, "rank", seat->rank, "reason",
                                        (int)seat->reason, "decisions", seat->decision_count, "us",
                                        (json_int_t)seat->us, "us_max", (json_int_t)seat->us_max,
                                        "times", times, "sum", (json_int_t)seat->checksum));
    }
    text = json_dumps(seats, JSON_COMPACT);
    json_decref(seats);
    return text;
}

struct bringing {
    struct store *store;
    const struct store_game *game;
};

static int tell_outcome(void *context, struct tuple *row)
{
    static const struct {
        const char *word;
        int error;
    } outcomes[] = {{"kept", 0}, {"stale", -ESTALE}, {"exists", -EEXIST}, {"closed", -ECANCELED}};
    static const char unsound[] = "unsound: ";
    const struct bringing *bringing = context;
    struct store *store = bringing->store;
    const char *word = tuple_text_or_null(row, 0);

    for (size_t i = 0; word && i < sizeof outcomes / sizeof *outcomes; i++)
        if (strcmp(word, outcomes[i].word) == 0)
            return outcomes[i].error;
    if (word && strncmp(word, unsound, sizeof unsound - 1) == 0)
        return store_refuse(store, -EINVAL, "%s refuses the game of group %d, rotation %d: %s",
                            store_where(store), bringing->game->group, bringing->game->rotation,
                            word + sizeof unsound - 1);
    return store_refuse(store, -EINVAL, "%s: does not know this worker, or the group",
                        store_where(store));
}

int postgres_lease_game_add(struct store *store, const struct store_worker *worker,
                            const struct store_lease *lease, const struct store_game *game,
                            const uint8_t *replay, size_t replay_bytes)
{
    struct bringing bringing = {store, game};
    char *seats = write_seats(game);
    struct query query;
    int error;

    if (!seats)
        return -ENOMEM;
    query_init(&query, "SELECT worker_game($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,"
                       " $14, $15, $16)");
    query_bytes(&query, worker->identity, sizeof worker->identity);
    query_int(&query, lease->season.id);
    query_int(&query, game->group);
    query_int(&query, lease->token);
    query_int(&query, game->rotation);
    query_int(&query, game->opening);
    query_int(&query, game->started_us);
    query_int(&query, game->wall_us);
    query_int(&query, game->layers);
    query_int(&query, game->decision_count);
    query_text(&query, game->forfeits);
    query_int(&query, game->delay_us);
    query_bytes(&query, game->replay_sha256, sizeof game->replay_sha256);
    query_bytes(&query, game->checksum, sizeof game->checksum);
    query_text(&query, seats);
    query_bytes(&query, replay, replay_bytes);
    error = server_first(store, &query, "game", tell_outcome, &bringing);
    free(seats);
    return error;
}

/* ---- packages ---- */

static int take_manifest(void *context, struct tuple *row)
{
    const char *text = tuple_text_or_null(row, 0);

    *(char **)context = text ? strdup(text) : NULL;
    return text && !*(char **)context ? -ENOMEM : 0;
}

int postgres_lease_manifest_read(struct store *store, const struct store_worker *worker,
                                 int64_t bot_id, char **text)
{
    struct query query;

    query_init(&query, "SELECT * FROM worker_manifest($1, $2)");
    query_bytes(&query, worker->identity, sizeof worker->identity);
    query_int(&query, bot_id);
    return server_first(store, &query, "bot", take_manifest, text);
}

static int take_part(void *context, struct tuple *row)
{
    struct store_part *part = context;
    const uint8_t *bytes = tuple_bytes(row, 1, &part->size);

    part->whole_bytes = (size_t)tuple_int64(row, 0);
    part->bytes = malloc(part->size + 1);
    if (!part->bytes)
        return -ENOMEM;
    if (part->size)
        memcpy(part->bytes, bytes, part->size);
    return 0;
}

int postgres_lease_package_read(struct store *store, const struct store_worker *worker,
                                const char *sha256, size_t from_byte, struct store_part *part)
{
    struct query query;

    query_init(&query, "SELECT * FROM worker_package($1, $2, $3, $4)");
    query.wait_ms = 60000;
    query_bytes(&query, worker->identity, sizeof worker->identity);
    query_text(&query, sha256);
    query_int(&query, (int64_t)from_byte);
    query_int(&query, LEASE_PART_BYTES);
    return server_first(store, &query, "package", take_part, part);
}

/* ---- notifications ---- */

int postgres_listen(struct store *store, enum store_channel channel)
{
    struct query query;
    PGresult *result;
    int error;

    query_init(&query,
               channel == STORE_CHANNEL_WORK ? "LISTEN pavilion_work" : "LISTEN pavilion_results");
    if ((error = server_run(store, &query, &result)) < 0)
        return error;
    libpq.PQclear(result);
    server_of(store)->listening_number = server_of(store)->connection_number;
    return libpq.PQsocket(server_of(store)->connection);
}

int postgres_heard(struct store *store)
{
    PGconn *connection = server_of(store)->connection;
    PGnotify *notice;
    int heard = 0;

    /* Another connection than the one that listened hears nothing. */
    if (!connection || server_of(store)->listening_number != server_of(store)->connection_number)
        return -ENOTCONN;
    if (!libpq.PQconsumeInput(connection)) {
        server_disconnect(server_of(store));
        return store_refuse(store, -ENOTCONN, "%s: the connection was lost", store_where(store));
    }
    while ((notice = libpq.PQnotifies(connection))) {
        heard = 1;
        libpq.PQfreemem(notice);
    }
    return heard;
}
