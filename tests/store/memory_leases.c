/* Leases of the back end in memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/season/seed.h"
#include "tests/store/memory.h"
#include "tests/store/memory_desk.h"

/* ---- dealing ---- */

static bool is_dealt(const struct desk *desk, int64_t season_id)
{
    for (int i = 0; i < desk->dealt_count; i++)
        if (desk->dealt[i] == season_id)
            return true;
    return false;
}

int memory_season_deal(struct store *store, int64_t season_id, bool to_workers)
{
    struct desk *desk = desk_of(store);

    if (to_workers && !is_dealt(desk, season_id))
        desk->dealt[desk->dealt_count++] = season_id;
    if (to_workers)
        return 0;
    for (int i = 0; i < desk->dealt_count; i++)
        if (desk->dealt[i] == season_id)
            desk->dealt[i] = 0;
    for (int i = 0; i < desk->held_count; i++)
        if (desk->held[i].season_id == season_id) {
            desk->held[i].worker_id = 0;
            desk->held[i].token++;
        }
    return 0;
}

/* ---- what a group is ---- */

static int find_season(void *context, const struct store_season *season)
{
    struct store_season *found = context;

    if (season->id != found->id)
        return 0;
    *found = *season;
    return 1;
}

static int take_opening(void *context, const struct store_opening *opening)
{
    *(struct store_opening *)context = *opening; /* the last is the one in use */
    return 0;
}

struct searching {
    struct store_bot *bots; /* by id */
    int64_t *bot_ids;       /* by entry */
    unsigned done;
    int group;
};

static int keep_entry(void *context, const struct store_entry *entry)
{
    ((struct searching *)context)->bot_ids[entry->number] = entry->bot_id;
    return 0;
}

static int keep_bot(void *context, const struct store_bot *bot)
{
    ((struct searching *)context)->bots[bot->id] = *bot;
    return 0;
}

static int keep_done(void *context, const struct store_game *game)
{
    struct searching *searching = context;

    if (game->group == searching->group)
        searching->done |= 1u << game->rotation;
    return 0;
}

/* Writes what is needed to play a group; due is 0 if its games are all stored. */
static void write_lease(struct store *store, const struct store_season *season,
                        const struct store_group *group, struct store_lease *lease)
{
    static struct store_bot bots[BOTS_MAX];
    int64_t bot_ids[BOTS_MAX] = {0};
    struct searching searching = {.bots = bots, .bot_ids = bot_ids, .group = group->number};
    struct store_opening opening = {0};

    memory_backend.entries_each(store, season->id, keep_entry, &searching);
    memory_backend.bots_each(store, keep_bot, &searching);
    memory_backend.results_each(store, season->id, group->number, keep_done, &searching);
    memory_backend.openings_each(store, season->id, take_opening, &opening);
    *lease = (struct store_lease){.season = *season, .group = *group, .opening = opening.number};
    for (int i = 0; i < group->player_count; i++) {
        lease->bots[i] = bots[bot_ids[group->base[i]]];
        lease->bots[i].manifest = NULL;
        if (searching.done & 1u << i)
            continue;
        lease->due |= 1u << i;
        seed_of_game(opening.seed, group->number, i, lease->seeds[i]);
    }
}

static int find_group(void *context, const struct store_group *group)
{
    struct store_group *found = context;

    if (group->number != found->number)
        return 0;
    *found = *group;
    return 1;
}

static struct held *held_of(struct desk *desk, int64_t season_id, int group)
{
    for (int i = 0; i < desk->held_count; i++)
        if (desk->held[i].season_id == season_id && desk->held[i].group == group)
            return &desk->held[i];
    if (desk->held_count == HELD_MAX)
        abort();
    desk->held[desk->held_count] = (struct held){.season_id = season_id, .group = group};
    return &desk->held[desk->held_count++];
}

static bool has_bot(const struct store_lease *lease, const struct store_claim *claim)
{
    for (int i = 0; i < lease->group.player_count; i++) {
        if (lease->bots[i].voided)
            return true;
        for (size_t j = 0; claim && j < claim->refused_count; j++)
            if (claim->refused[j] == lease->bots[i].id)
                return true;
    }
    return false;
}

/* ---- claims ---- */

struct granting {
    struct store *store;
    struct store_worker *run;
    const struct store_claim *claim;
    struct store_lease *leases;
    const struct store_season *season;
    int count;
    bool lapsed_ones; /* those whose lease ran out, else those that nobody holds */
};

static int grant(void *context, const struct store_group *group)
{
    struct granting *granting = context;
    struct held *held = held_of(desk_of(granting->store), granting->season->id, group->number);
    struct store_lease lease;

    if (granting->count == granting->claim->group_count)
        return 1;
    if (granting->lapsed_ones ? !held->worker_id || held->until_us >= desk_now_us()
                              : held->worker_id)
        return 0;
    write_lease(granting->store, granting->season, group, &lease);
    if (!lease.due || has_bot(&lease, granting->claim))
        return 0;
    held->worker_id = granting->run->id;
    held->until_us = desk_now_us() + granting->claim->lease_us;
    lease.token = ++held->token;
    granting->leases[granting->count++] = lease;
    return 0;
}

/* True if a worker may play a season. One for a single model of processor is the first one's. */
static bool may_play(struct store *store, struct store_worker *run,
                     const struct store_season *season)
{
    struct store_opening opening = {0};

    memory_backend.openings_each(store, season->id, take_opening, &opening);
    return is_dealt(desk_of(store), season->id) && !season->closed_us && !season->closing_us &&
           !opening.closed_us && season->play.tier <= run->tier &&
           (!season->play.pin || run->job_count <= run->core_count) &&
           (!season->same_cpu || !*season->processor ||
            strcmp(season->processor, run->processor) == 0);
}

static int grant_season(void *context, const struct store_season *season)
{
    const struct store_season copy = *season; /* the row moves when it is changed */
    struct granting *granting = context;

    if (!may_play(granting->store, granting->run, season))
        return 0;
    memory_backend.season_take_processor(granting->store, copy.id, granting->run->processor);
    granting->season = &copy;
    for (int pass = 0; pass < 2; pass++) {
        granting->lapsed_ones = pass == 0;
        memory_backend.groups_each(granting->store, copy.id, grant, granting);
    }
    granting->season = NULL;
    return 0;
}

int memory_lease_claim(struct store *store, const struct store_worker *worker,
                       const struct store_claim *claim, struct store_lease *leases)
{
    struct granting granting = {
        .store = store, .run = desk_run_of(store, worker), .claim = claim, .leases = leases};

    if (!granting.run)
        return -ECANCELED;
    granting.run->seen_us = desk_now_us();
    granting.run->ended_us = 0;
    memory_backend.seasons_each(store, grant_season, &granting);
    return granting.count;
}

int memory_lease_renew(struct store *store, const struct store_worker *worker, int64_t lease_us,
                       store_lease_fn *each_fn, void *context)
{
    struct desk *desk = desk_of(store);
    struct store_worker *run = desk_run_of(store, worker);

    for (int i = 0; run && i < desk->held_count; i++) {
        struct held *held = &desk->held[i];
        struct store_renewal renewal = {held->season_id, held->group, held->token,
                                        STORE_LEASE_PLAYED};
        struct store_season season = {.id = held->season_id};
        struct store_group group = {.number = held->group};
        struct store_lease lease;

        if (held->worker_id != run->id)
            continue;
        run->seen_us = desk_now_us();
        held->until_us = desk_now_us() + lease_us;
        memory_backend.seasons_each(store, find_season, &season);
        memory_backend.groups_each(store, season.id, find_group, &group);
        write_lease(store, &season, &group, &lease);
        if (season.closing_us)
            renewal.state = STORE_LEASE_CLOSING;
        if ((season.closing_us && season.closing_us <= desk_now_us()) || has_bot(&lease, NULL))
            renewal.state = STORE_LEASE_VOID;
        if (each_fn(context, &renewal) != 0)
            return -EINTR;
    }
    return 0;
}

int memory_leases_count(struct store *store, int64_t season_id)
{
    struct desk *desk = desk_of(store);
    int count = 0;

    for (int i = 0; i < desk->held_count; i++)
        count += desk->held[i].season_id == season_id && desk->held[i].worker_id &&
                 desk->held[i].until_us > desk_now_us();
    return count;
}

int memory_lease_return(struct store *store, const struct store_worker *worker,
                        const struct store_lease *lease)
{
    struct desk *desk = desk_of(store);
    struct store_worker *run = desk_run_of(store, worker);

    for (int i = 0; run && i < desk->held_count; i++) {
        struct held *held = &desk->held[i];

        if (held->worker_id == run->id &&
            (!lease || (held->season_id == lease->season.id && held->group == lease->group.number &&
                        held->token == lease->token)))
            held->worker_id = 0;
    }
    if (run && !lease)
        run->ended_us = desk_now_us();
    return 0;
}

/* ---- results, packages ---- */

struct comparing {
    const struct store_game *game;
    int64_t worker_id;
    int error; /* 1: not stored */
};

static int compare(void *context, const struct store_game *stored)
{
    struct comparing *comparing = context;

    if (stored->group != comparing->game->group || stored->rotation != comparing->game->rotation)
        return 0;
    comparing->error =
        stored->worker_id == comparing->worker_id &&
                memcmp(stored->checksum, comparing->game->checksum, sizeof stored->checksum) == 0
            ? 0
            : -EEXIST;
    return 1;
}

int memory_lease_game_add(struct store *store, const struct store_worker *worker,
                          const struct store_lease *lease, const struct store_game *game,
                          const uint8_t *replay, size_t replay_bytes)
{
    struct desk *desk = desk_of(store);
    struct store_worker *run = desk_run_of(store, worker);
    struct held *held = held_of(desk, lease->season.id, game->group);
    struct comparing comparing = {.game = game, .worker_id = run ? run->id : 0, .error = 1};
    struct store_opening opening = {0};
    struct store_game row = *game;
    struct store_lease left;
    int error;

    if (!run)
        return store_refuse(store, -EINVAL, "does not know this worker");
    memory_backend.games_each(store, lease->season.id, game->group, compare, &comparing);
    if (comparing.error != 1)
        return comparing.error;
    memory_backend.openings_each(store, lease->season.id, take_opening, &opening);
    if (opening.closed_us || opening.number != game->opening)
        return -ECANCELED;
    if (held->worker_id != run->id || held->token != lease->token ||
        !is_dealt(desk, lease->season.id))
        return -ESTALE;
    row.worker_id = run->id;
    write_lease(store, &lease->season, &lease->group, &left);
    if (memcmp(left.seeds[game->rotation], game->seed, sizeof game->seed) != 0)
        return store_refuse(store, -EINVAL,
                            "refuses the game of group %d, rotation %d: its checksum is not that "
                            "of its row",
                            game->group, game->rotation);
    error = memory_backend.game_add(store, lease->season.id, &row, replay, replay_bytes);
    if (!error) {
        write_lease(store, &lease->season, &lease->group, &left);
        if (!left.due)
            held->worker_id = 0;
    }
    return error;
}

/* Writes the bot with that id or (0) hash from the groups that a worker holds. */
static int find_held_bot(struct store *store, const struct store_worker *worker, int64_t id,
                         const char *sha256, struct store_bot *bot)
{
    struct desk *desk = desk_of(store);
    const struct store_worker *run = desk_run_of(store, worker);

    for (int i = 0; run && i < desk->held_count; i++) {
        struct store_season season = {.id = desk->held[i].season_id};
        struct store_group group = {.number = desk->held[i].group};
        struct store_lease lease;

        if (desk->held[i].worker_id != run->id)
            continue;
        memory_backend.groups_each(store, season.id, find_group, &group);
        write_lease(store, &season, &group, &lease);
        for (int j = 0; j < group.player_count; j++) {
            *bot = lease.bots[j];
            if (id ? bot->id == id
                   : strcmp(bot->sha256, sha256) == 0 || strcmp(bot->built_sha256, sha256) == 0)
                return 0;
        }
    }
    return -ENOENT;
}

int memory_lease_manifest_read(struct store *store, const struct store_worker *worker,
                               int64_t bot_id, char **text)
{
    struct store_bot bot;
    int error = find_held_bot(store, worker, bot_id, NULL, &bot);

    return error ? error : memory_backend.manifest_read(store, bot_id, text);
}

int memory_lease_package_read(struct store *store, const struct store_worker *worker,
                              const char *sha256, size_t from_byte, struct store_part *part)
{
    struct store_bot bot;
    uint8_t *whole;
    int error = find_held_bot(store, worker, 0, sha256, &bot);

    if (!error)
        error = memory_backend.package_read(store, sha256, &whole, &part->whole_bytes);
    if (error)
        return error;
    part->size = from_byte < part->whole_bytes ? part->whole_bytes - from_byte : 0;
    if (part->size > LEASE_PART_BYTES)
        part->size = LEASE_PART_BYTES;
    part->bytes = whole;
    memmove(whole, whole + (part->size ? from_byte : 0), part->size);
    return 0;
}
