#include "arena/store/copy.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/core.h"

enum {
    COMMIT_ROWS = 500,
    COMMIT_BYTES = 16 << 20,
    CLAIMS_MAX = 1024,
};

/* ---- rows ---- */

static void hash_number(struct sha256_ctx *hash, int64_t number)
{
    uint8_t bytes[8];

    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)((uint64_t)number >> (8 * i));
    sha256_update(hash, sizeof bytes, bytes);
}

/* Hashes each value with its length, or as NULL, so that no two rows hash the same bytes. */
static size_t hash_row(struct sha256_ctx *hash, const struct store_table *table,
                       const struct store_value *values)
{
    size_t size = 0;

    for (int i = 0; i < table->column_count; i++) {
        const struct store_value *value = &values[i];
        bool is_number = table->columns[i].type <= STORE_COLUMN_BOOL;

        hash_number(hash, value->is_null ? -1 : is_number ? 8 : (int64_t)value->size);
        if (value->is_null)
            continue;
        if (is_number)
            hash_number(hash, value->integer);
        else
            sha256_update(hash, value->size, value->bytes);
        size += is_number ? 8 : value->size;
    }
    return size;
}

struct copying {
    struct store *target; /* NULL: read only */
    const struct store_table *table;
    struct copy_report report;
    struct sha256_ctx hash;
    copy_progress_fn *progress_fn;
    void *context;
    const struct store **failed;
    int rows;     /* rows added since the last commit */
    size_t bytes; /* bytes added since the last commit */
};

static int fail(struct copying *copying, const struct store *store, int error)
{
    if (error && copying->failed && !*copying->failed)
        *copying->failed = store;
    return error;
}

/* Commits the added rows and begins another transaction. */
static int commit_rows(struct copying *copying)
{
    int error = store_commit(copying->target);

    copying->rows = 0;
    copying->bytes = 0;
    return fail(copying, copying->target, error ? error : store_begin(copying->target));
}

static int take_row(void *context, const struct store_value *values)
{
    struct copying *copying = context;
    int error = 0;

    copying->bytes += hash_row(&copying->hash, copying->table, values);
    copying->rows++;
    copying->report.row_count++;
    if (copying->progress_fn && copying->report.row_count % COMMIT_ROWS == 0)
        copying->progress_fn(copying->context, &copying->report, false);
    if (!copying->target)
        return 0;
    core_begin(copying->target);
    error = copying->target->backend->row_add(copying->target, copying->table, values);
    if (error)
        return fail(copying, copying->target, core_end(copying->target, error));
    return copying->rows < COMMIT_ROWS && copying->bytes < COMMIT_BYTES ? 0 : commit_rows(copying);
}

static int read_table(struct store *store, struct copying *copying)
{
    int error;

    copying->report = (struct copy_report){.table = copying->table};
    sha256_init(&copying->hash);
    core_begin(store);
    error = store->backend->rows_each(store, copying->table, take_row, copying);
    sha256_digest(&copying->hash, sizeof copying->report.sha256, copying->report.sha256);
    return fail(copying, store, core_end(store, error));
}

/* ---- preconditions ---- */

static int refuse_row(void *context, const struct store_value *values)
{
    (void)values;
    *(bool *)context = true;
    return -EINTR;
}

static int check_empty(struct store *store)
{
    for (int i = 0; i < store_table_count; i++) {
        bool found = false;
        int error;

        core_begin(store);
        error = store->backend->rows_each(store, &store_tables[i], refuse_row, &found);
        if (found)
            return store_refuse(store, -EEXIST, "%s is not empty (table %s): copy into a new store",
                                store->where, store_tables[i].name);
        if (error)
            return core_end(store, error);
    }
    return 0;
}

/* The open seasons; each is claimed through its own store handle. */
struct claims {
    struct store *source;
    struct store *stores[CLAIMS_MAX];
    int count;
    int error;
};

/*
 * Workers need no claim. Those that hold groups are to be stopped first; others get none until
 * somebody deals the season again.
 */
static int keep_workers_out(struct store *store, const struct store_season *season)
{
    int count = store_leases_count(store, season->id);

    if (count > 0)
        return store_refuse(store, -EBUSY, "workers hold %d groups of season %s", count,
                            season->name);
    return count < 0 ? count : store_season_deal(store, season->id, false);
}

static int claim_season(void *context, const struct store_season *season)
{
    struct claims *claims = context;
    struct store **store = &claims->stores[claims->count];

    if (season->closed_us || claims->count == CLAIMS_MAX)
        return 0;
    claims->error = store_open(store, store_url(claims->source),
                               claims->source->backend->season_deal ? STORE_WRITE : STORE_READ);
    if (*store)
        claims->count++;
    if (!claims->error)
        claims->error = store_season_claim(*store, season->name);
    if (!claims->error)
        claims->error = keep_workers_out(*store, season);
    if (claims->error && *store)
        store_explain(claims->source, claims->error, store_failure(*store));
    return claims->error;
}

static int claim_seasons(struct claims *claims)
{
    int error = store_seasons_each(claims->source, claim_season, claims);

    if (claims->error == -EBUSY) {
        char line[STORE_WHERE_BYTES];

        snprintf(line, sizeof line, "%.*s", (int)sizeof line - 1,
                 store_failure(claims->stores[claims->count - 1]));
        return store_refuse(claims->source, -EBUSY, "%.500s: stop who plays, and copy again", line);
    }
    return claims->error ? claims->error : error;
}

static void release_seasons(struct claims *claims)
{
    for (int i = 0; i < claims->count; i++)
        store_close(claims->stores[i]);
}

/* ---- copying ---- */

static int copy_table(struct copying *copying, struct store *target, struct store *source)
{
    struct copy_report first;
    int error = fail(copying, target, store_begin(target));

    if (error)
        return error;
    copying->target = target;
    copying->rows = 0;
    copying->bytes = 0;
    error = read_table(source, copying);
    if (!error)
        error = fail(copying, target, store_commit(target));
    if (error) {
        store_rollback(target);
        return error;
    }
    first = copying->report;
    /* Read the rows back from the target. */
    copying->target = NULL;
    error = read_table(target, copying);
    if (!error && (first.row_count != copying->report.row_count ||
                   memcmp(first.sha256, copying->report.sha256, sizeof first.sha256) != 0))
        error = fail(copying, target,
                     store_refuse(target, -EBADMSG,
                                  "%s: table %s does not hold what was copied into it",
                                  target->where, copying->table->name));
    if (!error && copying->progress_fn)
        copying->progress_fn(copying->context, &first, true);
    return error;
}

static int copy_tables(struct store *target, struct store *source, copy_progress_fn *progress_fn,
                       void *context, const struct store **failed)
{
    int64_t before, after;
    int error = store_event_latest(source, &before);

    if (error)
        *failed = source;
    for (int i = 0; i < store_table_count && !error; i++) {
        struct copying copying = {.table = &store_tables[i],
                                  .progress_fn = progress_fn,
                                  .context = context,
                                  .failed = failed};

        error = copy_table(&copying, target, source);
    }
    if (!error) {
        core_begin(target);
        error = core_end(target, target->backend->rows_end(target));
        *failed = error ? target : NULL;
    }
    if (!error) {
        *failed = source;
        error = store_event_latest(source, &after);
        if (!error && before != after)
            error = store_refuse(source, -ESTALE,
                                 "%s was changed while it was copied: copy again when nobody "
                                 "changes it",
                                 source->where);
    }
    return error;
}

int copy_store(struct store *target, struct store *source, copy_progress_fn *progress_fn,
               void *context, const struct store **failed)
{
    struct claims *claims;
    int error;

    *failed = target;
    if (!source->backend->rows_each || !target->backend->row_add)
        return store_refuse(target, -ENOTSUP, "%s: a store of this kind cannot be copied",
                            target->where);
    if ((error = check_empty(target)) < 0)
        return error;
    claims = calloc(1, sizeof *claims);
    if (!claims)
        return store_explain(target, -ENOMEM, "out of memory");
    claims->source = source;
    *failed = source;
    error = claim_seasons(claims);
    if (!error) {
        *failed = NULL;
        error = copy_tables(target, source, progress_fn, context, failed);
    }
    release_seasons(claims);
    free(claims);
    return error;
}
