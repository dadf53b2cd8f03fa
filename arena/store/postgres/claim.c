/*
 * Claims of seasons: a row with a random owner id and an expiry time by the server's clock. A
 * thread renews it over its own connection as long as the process lives. If the process is frozen
 * or cut off for longer, another process can take the claim; later writes of the first for the
 * season are refused, because every transaction that writes for a claimed season locks the claim's
 * row.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "arena/store/postgres/server.h"

enum {
    CLAIM_MS = 30000,
    RENEW_MS = CLAIM_MS / 3,
    RENEW_AGAIN_MS = 1000, /* pause after a failed renewal */
    OWNER_BYTES = 128,
};

/* The data of the thread, which frees it. */
struct renewing {
    char url[STORE_WHERE_BYTES];
    char season[STORE_NAME_BYTES_MAX + 1];
    char identity[SERVER_IDENTITY_DIGITS + 1];
    int wait_fd; /* reaches its end when the claim is released */
};

/* ---- renewing ---- */

/* Returns 0, 1 if another process has the claim by now, or -errno. */
static int renew_once(struct store *store, const struct renewing *renewing)
{
    struct query query;
    int changed;

    query_init(&query, "UPDATE claim SET expires_at = clock_timestamp() + $3 * interval '1 ms'"
                       " WHERE season = $1 AND identity = $2");
    query_text(&query, renewing->season);
    query_text(&query, renewing->identity);
    query_int(&query, CLAIM_MS);
    changed = server_change(store, &query);
    return changed < 0 ? changed : changed == 0;
}

static void *renew(void *context)
{
    struct renewing *renewing = context;
    struct pollfd released = {.fd = renewing->wait_fd, .events = POLLIN};
    struct store *store = NULL;
    int wait_ms = RENEW_MS, result = 0;

    while (result != 1 && poll(&released, 1, wait_ms) == 0) {
        result = store ? 0 : store_open(&store, renewing->url, STORE_READ);
        if (!result)
            result = renew_once(store, renewing);
        wait_ms = result < 0 ? RENEW_AGAIN_MS : RENEW_MS;
        if (result < 0) {
            store_close(store);
            store = NULL;
        }
    }
    store_close(store);
    close(renewing->wait_fd);
    free(renewing);
    return NULL;
}

/* Starts the thread, with signals blocked. Returns 0 or -errno. */
static int start_renewing(struct store *store)
{
    struct server_claim *claim = &server_of(store)->claim;
    struct renewing *renewing = calloc(1, sizeof *renewing);
    sigset_t all, before;
    int ends[2], error;

    if (!renewing)
        return -ENOMEM;
    if (pipe2(ends, O_CLOEXEC) < 0) {
        free(renewing);
        return -errno;
    }
    snprintf(renewing->url, sizeof renewing->url, "%s", store_url(store));
    strcpy(renewing->season, claim->season);
    strcpy(renewing->identity, claim->identity);
    renewing->wait_fd = ends[0];
    claim->stop_fd = ends[1];
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&claim->renewer, NULL, renew, renewing);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error)
        return 0;
    close(ends[0]);
    close(ends[1]);
    free(renewing);
    return -error;
}

/* ---- claiming ---- */

static void write_identity(char identity[static SERVER_IDENTITY_DIGITS + 1])
{
    uint8_t bytes[SERVER_IDENTITY_DIGITS / 2];

    /* For so few bytes getrandom never fails once the kernel's generator is initialized. */
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        abort();
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(identity + 2 * i, 3, "%02x", bytes[i]);
}

/* Writes "process 41 of gravel". */
static void write_owner(char owner[static OWNER_BYTES])
{
    char host[65] = "";

    if (gethostname(host, sizeof host - 1) < 0 || !*host)
        strcpy(host, "?");
    snprintf(owner, OWNER_BYTES, "process %d of %s", (int)getpid(), host);
}

/*
 * Takes the claim if it is free or expired. Returns 1 if it did, 0 if another process has it, or
 * -errno.
 */
static int take(struct store *store, const char *name, const char *identity)
{
    char owner[OWNER_BYTES];
    struct query query;

    write_owner(owner);
    query_init(&query, "INSERT INTO claim AS held (season, owner, identity, expires_at)"
                       " VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 ms')"
                       " ON CONFLICT (season) DO UPDATE SET owner = excluded.owner,"
                       " identity = excluded.identity, expires_at = excluded.expires_at"
                       " WHERE held.expires_at < clock_timestamp() OR held.identity = $3");
    query_text(&query, name);
    query_text(&query, owner);
    query_text(&query, identity);
    query_int(&query, CLAIM_MS);
    return server_change(store, &query);
}

static int take_id(void *context, struct tuple *row)
{
    *(int64_t *)context = tuple_int64(row, 0);
    return 0;
}

/* Reports who has the claim. */
static int refuse(struct store *store, const char *name)
{
    struct query query;
    PGresult *result;
    int error;

    query_init(&query, "SELECT owner, greatest(0, ceil(extract(epoch FROM expires_at -"
                       " clock_timestamp())))::bigint::text FROM claim WHERE season = $1");
    query_text(&query, name);
    if ((error = server_run(store, &query, &result)) < 0)
        return error;
    if (libpq.PQntuples(result))
        error = store_refuse(store, -EBUSY,
                             "season %s is being played by %s; if that has died, its claim ends "
                             "in %s s",
                             name, libpq.PQgetvalue(result, 0, 0), libpq.PQgetvalue(result, 0, 1));
    else
        error = store_refuse(store, -EBUSY, "season %s has just been released: try again", name);
    libpq.PQclear(result);
    return error;
}

/* The claim is taken: starts to renew it and to check it in every write. */
static int begin_claim(struct store *store, const char *name, const char *identity)
{
    struct server_claim *claim = &server_of(store)->claim;
    struct query query;
    int error;

    claim->season_id = 0;
    query_init(&query, "SELECT id FROM season WHERE name = $1");
    query_text(&query, name);
    error = server_first(store, &query, "season", take_id, &claim->season_id);
    if (error && error != -ENOENT)
        return error;
    snprintf(claim->season, sizeof claim->season, "%s", name);
    snprintf(claim->identity, sizeof claim->identity, "%s", identity);
    error = start_renewing(store);
    if (error)
        claim->season[0] = '\0';
    return error;
}

int postgres_season_claim(struct store *store, const char *name, bool waits)
{
    const struct server_claim *claim = &server_of(store)->claim;
    char identity[SERVER_IDENTITY_DIGITS + 1];
    int taken;

    if (strcmp(claim->season, name) == 0)
        postgres_season_release(store); /* claim it again below: the claim may have been lost */
    write_identity(identity);
    taken = take(store, name, identity);
    if (taken <= 0)
        return taken < 0 ? taken : refuse(store, name);
    postgres_season_release(store);
    return begin_claim(store, name, identity);
}

void postgres_season_release(struct store *store)
{
    struct server_claim *claim = &server_of(store)->claim;
    struct query query;

    if (!*claim->season)
        return;
    close(claim->stop_fd);
    pthread_join(claim->renewer, NULL);
    query_init(&query, "DELETE FROM claim WHERE season = $1 AND identity = $2");
    query_text(&query, claim->season);
    query_text(&query, claim->identity);
    server_change(store, &query); /* if this fails, the claim expires */
    claim->season[0] = '\0';
}

int postgres_claim_hold(struct store *store, int64_t season_id)
{
    const struct server_claim *claim = &server_of(store)->claim;
    struct query query;
    int found;

    if (!*claim->season || claim->season_id != season_id)
        return 0;
    query_init(&query, "SELECT 1 FROM claim WHERE season = $1 AND identity = $2 FOR SHARE");
    query_text(&query, claim->season);
    query_text(&query, claim->identity);
    found = server_change(store, &query);
    if (found)
        return found < 0 ? found : 0;
    return store_refuse(store, -EOWNERDEAD,
                        "the claim of season %s was lost while this process stood still or was "
                        "cut off: what it played since does not count; run it again",
                        claim->season);
}
