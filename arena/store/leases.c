/* Workers and leases: checks rows and words the messages, for any back end. */
#include "arena/store/leases.h"

#include <errno.h>
#include <stdlib.h>

#include "arena/store/core.h"

static int refuse_leases(struct store *store)
{
    return store_refuse(store, -ENOTSUP,
                        "%s: workers need a store that several machines share: "
                        "postgresql://HOST/DATABASE",
                        store->where);
}

int store_worker_add(struct store *store, struct store_worker *worker)
{
    struct row_fault fault;
    int error = core_begin_write(store);

    worker->id = 0;
    if (!error && !store->backend->worker_add)
        error = refuse_leases(store);
    if (!error && !row_worker_is_sound(worker, &fault))
        error = core_refuse_row(store, &fault);
    if (!error)
        error = store->backend->worker_add(store, worker);
    return core_end_write(store, error);
}

static int pass_worker(void *context, const struct store_worker *worker)
{
    struct passing *passing = context;
    struct row_fault fault;
    int result;

    if (!row_worker_is_sound(worker, &fault))
        passing->error = core_damaged(passing->store, &fault);
    if (passing->error)
        return 1;
    passing->store->each_depth++;
    result = ((store_worker_fn *)passing->each_fn)(passing->context, worker);
    passing->store->each_depth--;
    return result;
}

int store_workers_each(struct store *store, store_worker_fn *each_fn, void *context)
{
    struct passing passing = {store, (void *)each_fn, context};

    core_begin(store);
    if (!store->backend->workers_each)
        return refuse_leases(store);
    return core_end_passing(&passing, store->backend->workers_each(store, pass_worker, &passing));
}

int store_worker_seats_each(struct store *store, int64_t season_id, store_worker_seats_fn *each_fn,
                            void *context)
{
    core_begin(store);
    if (!store->backend->worker_seats_each)
        return refuse_leases(store);
    return core_end(store, store->backend->worker_seats_each(store, season_id, each_fn, context));
}

int store_season_deal(struct store *store, int64_t season_id, bool to_workers)
{
    int error = core_begin_write(store);

    if (!error && !store->backend->season_deal)
        return to_workers ? refuse_leases(store) : 0;
    if (!error)
        error = store->backend->season_deal(store, season_id, to_workers);
    return core_end_write(store, error);
}

/* ---- leases ---- */

/* True if a lease has everything needed to play its group, and its parts fit together. */
static bool lease_is_sound(const struct store_lease *lease, struct row_fault *fault)
{
    const struct store_group *group = &lease->group;

    if (!row_season_is_sound(&lease->season, fault) || !row_group_is_sound(group, fault))
        return false;
    for (int i = 0; i < group->player_count; i++)
        if (!row_bot_is_sound(&lease->bots[i], fault))
            return false;
    if (lease->due != 0 && lease->due >> group->player_count == 0)
        return true;
    *fault = (struct row_fault){.table = "game_group", .column = "players", .words = "no game due"};
    return false;
}

int store_lease_claim(struct store *store, const struct store_worker *worker,
                      const struct store_claim *claim, struct store_lease *leases)
{
    struct row_fault fault;
    int count = core_begin_write(store), sound_count = 0;

    if (!count && !store->backend->lease_claim)
        count = refuse_leases(store);
    if (!count)
        count = store->backend->lease_claim(store, worker, claim, leases);
    for (int i = 0; i < count; i++) {
        struct row_fault other;

        if (lease_is_sound(&leases[i], &other)) {
            leases[sound_count++] = leases[i];
        } else {
            fault = other;
            store->backend->lease_return(store, worker, &leases[i]);
        }
    }
    if (count > 0)
        count = sound_count > 0 ? sound_count : core_damaged(store, &fault);
    if (count == -ECANCELED)
        store_explain(store, count, "the store does not know this worker: start it again");
    return count < 0 ? core_end_write(store, count) : count;
}

int store_lease_renew(struct store *store, const struct store_worker *worker, int64_t lease_us,
                      store_lease_fn *each_fn, void *context)
{
    int error = core_begin_write(store);

    if (!error && !store->backend->lease_renew)
        error = refuse_leases(store);
    if (!error)
        error = store->backend->lease_renew(store, worker, lease_us, each_fn, context);
    return core_end_write(store, error);
}

int store_leases_count(struct store *store, int64_t season_id)
{
    int count;

    core_begin(store);
    count = store->backend->leases_count ? store->backend->leases_count(store, season_id) : 0;
    return count < 0 ? core_end(store, count) : count;
}

int store_lease_return(struct store *store, const struct store_worker *worker,
                       const struct store_lease *lease)
{
    int error = core_begin_write(store);

    if (!error && !store->backend->lease_return)
        error = refuse_leases(store);
    if (!error)
        error = store->backend->lease_return(store, worker, lease);
    return core_end_write(store, error);
}

int store_lease_game_add(struct store *store, const struct store_worker *worker,
                         const struct store_lease *lease, const struct store_game *game,
                         const uint8_t *replay, size_t replay_bytes)
{
    struct store_game sealed;
    int error = core_begin_write(store);

    if (!error && !store->backend->lease_game_add)
        error = refuse_leases(store);
    if (!error)
        error = core_seal_game(store, lease->season.id, game, replay, replay_bytes, &sealed);
    if (!error)
        error = store->backend->lease_game_add(store, worker, lease, &sealed, replay, replay_bytes);
    if (error == -ESTALE)
        store_refuse(store, error,
                     "game %d of group %d came after its lease had lapsed and another worker had "
                     "claimed the group: it is not kept",
                     game->rotation, game->group);
    return core_end_write(store, core_explain_game(store, game, error));
}

int store_lease_manifest_read(struct store *store, const struct store_worker *worker,
                              int64_t bot_id, char **text)
{
    int error = 0;

    core_begin(store);
    *text = NULL;
    if (!store->backend->lease_manifest_read)
        error = refuse_leases(store);
    if (!error)
        error = store->backend->lease_manifest_read(store, worker, bot_id, text);
    if (error == -ENOENT)
        store_refuse(store, error, "bot %lld is not in a group of this worker", (long long)bot_id);
    return core_end(store, error);
}

int store_lease_package_read(struct store *store, const struct store_worker *worker,
                             const char *sha256, size_t from_byte, struct store_part *part)
{
    int error = 0;

    core_begin(store);
    *part = (struct store_part){0};
    if (!store->backend->lease_package_read)
        error = refuse_leases(store);
    if (!error)
        error = store->backend->lease_package_read(store, worker, sha256, from_byte, part);
    if (!error && part->whole_bytes > STORE_PACKAGE_BYTES_MAX) {
        free(part->bytes);
        part->bytes = NULL;
        error = store_refuse(store, -EBADMSG,
                             "%s is damaged: table package, row sha256 %s, column bytes: too long; "
                             "restore a backup",
                             store->where, sha256);
    }
    if (error == -ENOENT)
        store_refuse(store, error, "package %s is not of a bot in a group of this worker", sha256);
    return core_end(store, error);
}

/* ---- notifications ---- */

int store_listen(struct store *store, enum store_channel channel)
{
    core_begin(store);
    return store->backend->listen ? store->backend->listen(store, channel) : refuse_leases(store);
}

int store_heard(struct store *store)
{
    core_begin(store);
    return store->backend->heard ? store->backend->heard(store) : 0;
}
