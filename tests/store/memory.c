#include "tests/store/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/store/memory_calls.h"
#include "tests/store/memory_leases.h"
#include "tests/store/memory_rows.h"

static struct world *worlds;

static int memory_open(struct store *store, const char *address, enum store_mode mode)
{
    struct memory *memory = calloc(1, sizeof *memory);
    struct world *world = worlds;

    if (!memory)
        return -ENOMEM;
    store_set_state(store, memory);
    memory->mode = mode;
    while (world && strcmp(world->address, address) != 0)
        world = world->next;
    if (!world && mode != STORE_CREATE)
        return store_refuse(store, -ENOENT, "there is no store in %s", address);
    if (!world) {
        world = calloc(1, sizeof *world);
        if (!world || !(world->address = keep_text(address)))
            return -ENOMEM;
        world->next = worlds;
        worlds = world;
    }
    memory->world = world;
    return 0;
}

static void memory_season_release(struct store *store)
{
    struct memory *memory = store_state(store);

    if (memory->holds_claim)
        memory->world->claimed[0] = '\0';
    memory->holds_claim = false;
}

static void memory_close(struct store *store)
{
    struct memory *memory = store_state(store);

    if (!memory)
        return;
    if (memory->world) {
        memory_rollback(store);
        memory_season_release(store);
    }
    free(memory);
}

static int memory_version(const struct store *store)
{
    (void)store;
    return 1;
}

static int memory_check(struct store *store)
{
    (void)store;
    return 0;
}

static int memory_backup(struct store *store, const char *path)
{
    return store_refuse(store, -ENOTSUP, "%s: memory has no files", path);
}

static int memory_season_claim(struct store *store, const char *name, bool waits)
{
    struct memory *memory = store_state(store);

    (void)waits;
    if (*memory->world->claimed && !memory->holds_claim)
        return store_refuse(store, -EBUSY, "season %s is being played elsewhere", name);
    strcpy(memory->world->claimed, name);
    memory->holds_claim = true;
    return 0;
}

const struct store_backend memory_backend = {
    .scheme = "memory",
    .open = memory_open,
    .close = memory_close,
    .version = memory_version,
    .check = memory_check,
    .backup = memory_backup,
    .begin = memory_begin,
    .commit = memory_commit,
    .rollback = memory_rollback,
    .season_claim = memory_season_claim,
    .season_release = memory_season_release,
    .bot_add = memory_bot_add,
    .bot_find = memory_bot_find,
    .bots_each = memory_bots_each,
    .bot_retire = memory_bot_retire,
    .bot_unretire = memory_bot_unretire,
    .ban_add = memory_ban_add,
    .ban_lift = memory_ban_lift,
    .event_latest = memory_event_latest,
    .events_each = memory_events_each,
    .roster_set = memory_roster_set,
    .roster_each = memory_roster_each,
    .season_extend = memory_season_extend,
    .season_begin_close = memory_season_begin_close,
    .season_go_on = memory_season_go_on,
    .season_take_processor = memory_season_take_processor,
    .batches_each = memory_batches_each,
    .manifest_read = memory_manifest_read,
    .package_read = memory_package_read,
    .submission_add = memory_submission_add,
    .submissions_each = memory_submissions_each,
    .submission_advance = memory_submission_advance,
    .submission_end = memory_submission_end,
    .season_add = memory_season_add,
    .season_find = memory_season_find,
    .seasons_each = memory_seasons_each,
    .season_close = memory_season_close,
    .season_reopen = memory_season_reopen,
    .openings_each = memory_openings_each,
    .entries_each = memory_entries_each,
    .groups_each = memory_groups_each,
    .batch_add = memory_batch_add,
    .game_add = memory_game_add,
    .results_each = memory_results_each,
    .games_each = memory_results_each,
    .heads_each = memory_heads_each,
    .replay_read = memory_replay_read,
    .replays_prunable = memory_replays_prunable,
    .replays_prune = memory_replays_prune,
    .worker_add = memory_worker_add,
    .workers_each = memory_workers_each,
    .worker_seats_each = memory_worker_seats_each,
    .season_deal = memory_season_deal,
    .lease_claim = memory_lease_claim,
    .lease_renew = memory_lease_renew,
    .leases_count = memory_leases_count,
    .lease_return = memory_lease_return,
    .lease_game_add = memory_lease_game_add,
    .lease_manifest_read = memory_lease_manifest_read,
    .lease_package_read = memory_lease_package_read,
};
