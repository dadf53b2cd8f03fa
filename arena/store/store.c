/* The life of an open store: opening it, messages, transactions, claims. */
#include "arena/store/store.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/core.h"

/* ---- messages ---- */

bool store_error_passes(int error)
{
    return error == -ENOTCONN || error == -ECONNABORTED || error == -ENOSPC || error == -EIO ||
           error == -EROFS || error == -EBUSY || error == -EAGAIN;
}

const char *store_failure(const struct store *store)
{
    return store ? store->failure : "out of memory";
}

int store_refuse(struct store *store, int error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(store->failure, sizeof store->failure, format, arguments);
    va_end(arguments);
    return error;
}

int store_explain(struct store *store, int error, const char *line)
{
    return store_refuse(store, error, "%s", line);
}

int store_damaged(struct store *store, const char *table, const char *row, const char *column,
                  const char *fault)
{
    return store_refuse(store, -EBADMSG,
                        "%s is damaged: table %s, row %s, column %s: %s; restore a backup",
                        store->where, table, row, column, fault);
}

void core_begin(struct store *store)
{
    store->failure[0] = '\0';
}

int core_end(struct store *store, int error)
{
    if (!error || error == -EINTR || *store->failure)
        return error;
    if (error == -ENOMEM)
        return store_explain(store, error, "out of memory");
    return store_refuse(store, error, "%s: %s", store->where, strerror(-error));
}

int core_begin_write(struct store *store)
{
    core_begin(store);
    if (store->each_depth > 0)
        return store_explain(store, -EDEADLK, "the store cannot be written while it is listed");
    if (store->transaction == STORE_BROKEN_TRANSACTION)
        return store_explain(store, -EDEADLK, "the transaction failed before: roll it back");
    return 0;
}

int core_end_write(struct store *store, int error)
{
    if (error && store->transaction == STORE_IN_TRANSACTION)
        store->transaction = STORE_BROKEN_TRANSACTION;
    return core_end(store, error);
}

int core_damaged(struct store *store, const struct row_fault *fault)
{
    return store_damaged(store, fault->table, fault->row, fault->column, fault->words);
}

int core_refuse_row(struct store *store, const struct row_fault *fault)
{
    return store_refuse(store, -EINVAL, "%s %s: %s: %s", fault->table, fault->row, fault->column,
                        fault->words);
}

int core_end_passing(struct passing *passing, int error)
{
    return core_end(passing->store, passing->error ? passing->error : error);
}

/* ---- opening and closing ---- */

int store_open_backend(struct store **store_out, const struct store_backend *backend,
                       const char *address, enum store_mode mode)
{
    struct store *store = calloc(1, sizeof *store);

    *store_out = store;
    if (!store)
        return -ENOMEM;
    store->backend = backend;
    snprintf(store->url, sizeof store->url, "%s:%s", backend->scheme, address);
    snprintf(store->where, sizeof store->where, "%s", store->url);
    return core_end(store, backend->open(store, address, mode));
}

void store_close(struct store *store)
{
    if (!store)
        return;
    if (store->backend)
        store->backend->close(store);
    free(store);
}

const char *store_url(const struct store *store)
{
    return store->url;
}

void *store_state(const struct store *store)
{
    return store->state;
}

void store_set_state(struct store *store, void *state)
{
    store->state = state;
}

const char *store_where(const struct store *store)
{
    return store->where;
}

void store_set_where(struct store *store, const char *where)
{
    snprintf(store->where, sizeof store->where, "%s", where);
}

int store_version(const struct store *store)
{
    return store->backend->version(store);
}

int store_check(struct store *store)
{
    core_begin(store);
    return core_end(store, store->backend->check(store));
}

int store_diagnose(struct store *store, store_finding_fn *each_fn, void *context)
{
    core_begin(store);
    return store->backend->diagnose
               ? core_end(store, store->backend->diagnose(store, each_fn, context))
               : 0;
}

int store_backup(struct store *store, const char *path)
{
    int error;

    core_begin(store);
    error = store->backend->backup(store, path);
    if (error == -EEXIST)
        store_refuse(store, error, "%s: already exists; choose another file", path);
    return core_end(store, error);
}

/* ---- transactions ---- */

int store_begin(struct store *store)
{
    int error = core_begin_write(store);

    assert(store->transaction == STORE_NO_TRANSACTION);
    if (!error)
        error = store->backend->begin(store);
    if (!error)
        store->transaction = STORE_IN_TRANSACTION;
    return core_end(store, error);
}

int store_commit(struct store *store)
{
    int error = core_begin_write(store);

    assert(store->transaction != STORE_NO_TRANSACTION);
    if (!error)
        error = store->backend->commit(store);
    if (!error)
        store->transaction = STORE_NO_TRANSACTION;
    return core_end_write(store, error);
}

void store_rollback(struct store *store)
{
    store->backend->rollback(store);
    store->transaction = STORE_NO_TRANSACTION;
}

/* ---- claims ---- */

static int claim(struct store *store, const char *name, bool waits)
{
    core_begin(store);
    if (!store_name_is_valid(name))
        return store_refuse(store, -ENOENT, "there is no season %s: `arena season list` lists them",
                            name);
    return core_end(store, store->backend->season_claim(store, name, waits));
}

int store_season_claim(struct store *store, const char *name)
{
    return claim(store, name, true);
}

int store_season_try_claim(struct store *store, const char *name)
{
    return claim(store, name, false);
}

void store_season_release(struct store *store)
{
    store->backend->season_release(store);
}
