/* SPDX-License-Identifier: MIT */
/*
 * The worker's event loop. Beside the loop run a thread that owns the connection to the store
 * (connection.c), a process that unpacks packages (season/staging.c), and the bots.
 *
 *     claim -> leased_group
 *                -> its bots: fetched into the cache, unpacked        (worker_bot)
 *                -> its games: unbegun -> playing -> undelivered      (bits by rotation)
 *                -> no bit left: go_on() removes the group
 *
 * The worker drops a group when it loses its claim, the season closes, one of the bots cannot be
 * fetched or unpacked, or the worker stops: it begins no further game of the group, and gives the
 * group back when no game of the group is being played or delivered.
 *
 * Callbacks only change the state of groups and bots, and then call go_on(), which begins, claims
 * and removes whatever follows from the state.
 */
#include "arena/worker/worker.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "arena/play/foreground.h"
#include "arena/base/notify.h"
#include "arena/base/place.h"
#include "arena/play/table.h"
#include "arena/season/staging.h"
#include "engine/game.h"
#include "arena/base/clock.h"

enum {
    CALIBRATION_US = 200000,
    AGAIN_MS = 1000, /* pause between claims while the store has no groups to claim */
    /* If games take less time, the worker claims groups for the next games in advance. */
    QUICK_GAME_US = 5000000,
    END_US = 5000000, /* time limit for reporting the worker's end to the store */
    FORGET_S = 60, /* seconds between two searches for bots that no claimed group of games needs */
    REST_MS_MAX = 60000,    /* longest pause after a refused claim; pauses double up to this */
    FAILING_US = 600000000, /* the worker ends after all its claims were refused for this long */
    /* Maximum number of bots fetched or unpacked at a time: the cache has room for two. */
    FETCHED_MAX = 2,
    FAILURES_MAX = 3, /* tries to fetch and unpack a bot, after which it is barred for BAR_US */
    BAR_US = 60000000,
};

/* How long the worker keeps an unpacked bot that no claimed group needs any more. */
static const int64_t keep_us = 3600000000;

enum worker_state {
    WORKER_RUNNING = 0,
    WORKER_DRAINING = 1, /* the worker plays only groups that it has begun */
    WORKER_ENDING = 2,   /* the worker stops running games */
};

enum worker_bot_state {
    WORKER_BOT_FETCHING = 0,
    WORKER_BOT_STAGING = 1,
    WORKER_BOT_READY = 2,
    /* The bot is not fetched, or was removed: the worker fetches it when a group needs it. */
    WORKER_BOT_GONE = 3,
    WORKER_BOT_WAITING = 4, /* the bot waits until fewer bots are being fetched and unpacked */
};

struct worker_bot {
    struct worker_bot *next;
    struct store_bot bot; /* copy of the stored bot; owns its manifest */
    enum worker_bot_state state;
    int entry;         /* number of the bot among the unpacked bots (staging.h); -1: none */
    int failure_count; /* failures in a row to fetch or unpack the bot */
    /* In WORKER_BOT_GONE: time until which the worker claims no groups of games of this bot. */
    int64_t barred_until_us;
    int64_t used_us; /* last time at which a claimed group needed the bot */
};

/* A claimed group. In unbegun, playing and undelivered, bit r stands for game r of the group. */
struct leased_group {
    struct leased_group *next;
    struct store_lease lease;
    /* The group's bots, in the order of struct store_group.base. */
    struct worker_bot *bots[GAME_PLAYERS_MAX];
    unsigned unbegun, playing, undelivered;
    bool is_begun;   /* this worker has begun a game of the group */
    bool gives_back; /* the group was dropped with unbegun games: other workers play them */
};

/* The game in a slot of the runner. */
struct played_game {
    struct leased_group *group;
    struct season_game game;
    struct table_rules rules;
};

struct worker {
    enum worker_state state;
    struct worker_options options;
    struct worker_report *report;
    struct foreground foreground;
    struct connection *connection;
    struct staging *staging;
    struct runner *runner;
    struct played_game games[RUNNER_JOBS_MAX]; /* by slot of the runner */
    struct leased_group *groups;               /* oldest first */
    struct worker_bot *bots;
    int staged_count;                   /* number of bots that were ever unpacked */
    char fault[CONNECTION_WORDS_BYTES]; /* the last logged refusal by the store */
    /* Time since which the store has refused every claim; 0: the last claim was not refused. */
    int64_t failing_since_us;
    int64_t rest_ms;  /* pause after a refused claim; 0: the last claim was not refused */
    bool is_down;     /* the store does not answer */
    bool is_claiming; /* a claim has not been answered yet */
    bool is_resting;  /* the worker makes no claim before the timer `rest_end` fires */
    bool has_ended;
    int64_t game_us; /* duration of the last game, in microseconds */
    ev_timer rest_end, drain, forget, tick;
    int64_t watched_us; /* when the service manager last heard of the worker */
};

static void fail(struct worker *worker, const char *what);
static void go_on(struct worker *worker);

const char *worker_event_name(enum worker_event event)
{
    static const char *const names[] = {
        [WORKER_STARTED] = "started", [WORKER_LOST] = "store lost", [WORKER_BACK] = "store back",
        [WORKER_REFUSED] = "refused", [WORKER_ERROR] = "error",     [WORKER_STOPPING] = "stopping",
        [WORKER_STOPPED] = "stopped",
    };

    return names[event];
}

/* ---- this machine ---- */

/*
 * Copies a line, cut to size. Characters that are not printable ASCII become spaces, because they
 * could control the terminal.
 */
static void copy_line(char *target, size_t size, const char *text)
{
    size_t length = 0;

    for (; text[length] && text[length] != '\n' && length + 1 < size; length++)
        target[length] = (unsigned char)text[length] < 0x20 || (unsigned char)text[length] >= 0x7f
                             ? ' '
                             : text[length];
    target[length] = '\0';
}

/* Writes the model of the processor; "" if the kernel does not name it. */
static void read_model(char *model, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[256];

    *model = '\0';
    while (file && !*model && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');

        if (colon && colon[1] == ' ' &&
            (strncmp(line, "model name", 10) == 0 || strncmp(line, "Model", 5) == 0))
            copy_line(model, size, colon + 2);
    }
    if (file)
        fclose(file);
}

/* Returns how many random games per second one core of this machine plays. */
static int64_t measure_playouts(void)
{
    int64_t begun_us = clock_now_us(), taken_us, count = 0;
    uint64_t random = 1;

    do {
        uint8_t seed[GAME_SEED_BYTES] = {0};
        struct game game;

        memcpy(seed, &count, sizeof count);
        game_init(&game, GAME_PLAYERS_MIN, BOARD_COLORED, seed);
        game_play_out(&game, &random);
        count++;
        taken_us = clock_now_us() - begun_us;
    } while (taken_us < CALIBRATION_US);
    return count * 1000000 / taken_us;
}

void worker_describe(struct store_worker *worker)
{
    struct utsname system;
    cpu_set_t cores;

    if (uname(&system) < 0)
        memset(&system, 0, sizeof system);
    copy_line(worker->host, sizeof worker->host, *system.nodename ? system.nodename : "?");
    copy_line(worker->architecture, sizeof worker->architecture,
              *system.machine ? system.machine : "?");
    read_model(worker->processor, sizeof worker->processor);
    if (!*worker->processor)
        strcpy(worker->processor, worker->architecture);
    worker->core_count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
    worker->playouts_per_s = measure_playouts();
}

/* ---- groups ---- */

/* Counts the games that are being played, and those that have not begun. */
static int count_games(const struct worker *worker)
{
    int count = 0;

    for (const struct leased_group *group = worker->groups; group; group = group->next)
        count += __builtin_popcount(group->playing | group->unbegun);
    return count;
}

static void drop(struct leased_group *group)
{
    group->gives_back = group->gives_back || group->unbegun;
    group->unbegun = 0;
}

/* Drops a group and ends its running games, without results. */
static void give_up(struct worker *worker, struct leased_group *group)
{
    for (int slot = 0; slot < worker->options.worker.job_count; slot++) {
        const struct played_game *played = &worker->games[slot];
        unsigned bit = 1u << played->game.rotation;

        if (played->group == group && group->playing & bit &&
            runner_give_up(worker->runner, slot)) {
            group->playing &= ~bit;
            group->gives_back = true;
        }
    }
    drop(group);
}

static bool has_bot(const struct leased_group *group, const struct worker_bot *bot)
{
    for (int i = 0; i < group->lease.player_count; i++)
        if (group->bots[i] == bot)
            return true;
    return false;
}

static void drop_groups_with(struct worker *worker, const struct worker_bot *bot)
{
    for (struct leased_group *group = worker->groups; group; group = group->next)
        if (has_bot(group, bot))
            drop(group);
}

/* Drops the groups that have not begun; if `all` is set, also the groups that have. */
static void drop_groups(struct worker *worker, bool all)
{
    for (struct leased_group *group = worker->groups; group; group = group->next)
        if (all || !group->is_begun)
            drop(group);
}

static void remove_groups(struct worker *worker)
{
    struct leased_group **at = &worker->groups, *group;

    while ((group = *at)) {
        if (group->unbegun || group->playing || group->undelivered) {
            at = &group->next;
            continue;
        }
        *at = group->next;
        if (!worker->has_ended) /* if the worker has ended, connection_end gives all groups back */
            connection_release(worker->connection, &group->lease, group->gives_back);
        free(group);
    }
}

/* ---- bots: few are fetched at a time, so that the cache has room for their packages ---- */

static void fetch_next(struct worker *worker)
{
    int busy_count = 0;

    for (const struct worker_bot *bot = worker->bots; bot; bot = bot->next)
        busy_count += bot->state == WORKER_BOT_FETCHING || bot->state == WORKER_BOT_STAGING;
    for (struct worker_bot *bot = worker->bots; bot && busy_count < FETCHED_MAX; bot = bot->next) {
        if (bot->state != WORKER_BOT_WAITING)
            continue;
        bot->state = WORKER_BOT_FETCHING;
        busy_count++;
        connection_fetch(worker->connection, &bot->bot);
    }
}

/* Returns a bot of a claimed group, and starts fetching the bot's package if needed. */
static struct worker_bot *want_bot(struct worker *worker, const struct store_bot *wanted)
{
    struct worker_bot *bot = worker->bots;

    while (bot && bot->bot.id != wanted->id)
        bot = bot->next;
    if (!bot) {
        bot = connection_memory(sizeof *bot);
        bot->bot = *wanted;
        bot->bot.manifest =
            strcpy(connection_memory(strlen(wanted->manifest) + 1), wanted->manifest);
        bot->next = worker->bots;
        bot->state = WORKER_BOT_GONE;
        bot->entry = -1;
        worker->bots = bot;
    }
    bot->used_us = clock_now_us();
    if (bot->state == WORKER_BOT_GONE && bot->barred_until_us != INT64_MAX) {
        bot->state = WORKER_BOT_WAITING;
        fetch_next(worker);
    }
    return bot;
}

/* Writes the ids of the bots with which the worker claims no groups now. Returns how many. */
static size_t list_barred(const struct worker *worker, int64_t barred[static LEASE_BARRED_MAX])
{
    int64_t now_us = clock_now_us();
    size_t count = 0;

    for (const struct worker_bot *bot = worker->bots; bot && count < LEASE_BARRED_MAX;
         bot = bot->next)
        if (bot->state == WORKER_BOT_GONE && now_us < bot->barred_until_us)
            barred[count++] = bot->bot.id;
    return count;
}

static void stage(struct worker *worker, struct worker_bot *bot)
{
    char path[PATH_MAX];

    cache_path(worker->options.cache, bot->bot.built_sha256, path);
    bot->state = WORKER_BOT_STAGING;
    bot->entry = worker->staged_count++;
    if (staging_want(worker->staging, bot->entry, &bot->bot, path) < 0)
        fail(worker, "out of memory");
}

/*
 * Called after the worker failed to fetch or unpack a bot. Fetches the bot again, because its
 * package in the cache may be damaged or gone; after FAILURES_MAX tries, leaves the bot to other
 * workers for a while.
 */
static void try_again(struct worker *worker, struct worker_bot *bot, const char *words)
{
    bot->state = WORKER_BOT_WAITING;
    if (++bot->failure_count < FAILURES_MAX)
        return;
    bot->state = WORKER_BOT_GONE;
    bot->failure_count = 0;
    bot->barred_until_us = clock_now_us() + BAR_US;
    worker->options.log_fn(WORKER_ERROR, bot->bot.name, words);
    drop_groups_with(worker, bot);
}

static void bot_fetched(void *owner, int64_t bot_id, bool is_fetched, const char *words)
{
    struct worker *worker = owner;
    struct worker_bot *bot = worker->bots;

    while (bot && bot->bot.id != bot_id)
        bot = bot->next;
    if (!bot || worker->state == WORKER_ENDING)
        return;
    if (is_fetched)
        stage(worker, bot);
    else
        try_again(worker, bot, words);
    fetch_next(worker);
    go_on(worker);
}

/* Leaves a bot for which this machine's sandbox is too weak to other workers. */
static void leave_to_others(struct worker *worker, struct worker_bot *bot)
{
    staging_drop(worker->staging, bot->entry);
    bot->state = WORKER_BOT_GONE;
    bot->barred_until_us = INT64_MAX;
    worker->options.log_fn(WORKER_ERROR, bot->bot.name,
                           "\"processes\" in the bot's bot.json " SOURCE_LACKS_TIER
                           ": other workers play its games");
    drop_groups_with(worker, bot);
}

static void bot_staged(void *owner, int entry, const char *error)
{
    struct worker *worker = owner;
    struct worker_bot *bot = worker->bots;

    while (bot && (bot->state != WORKER_BOT_STAGING || bot->entry != entry))
        bot = bot->next;
    if (!bot)
        return;
    if (error) {
        try_again(worker, bot, error);
    } else if (staging_want(worker->staging, entry, &bot->bot, NULL) == STAGING_LEFT_OUT) {
        leave_to_others(worker, bot);
    } else {
        bot->state = WORKER_BOT_READY;
        bot->failure_count = 0;
    }
    fetch_next(worker);
    go_on(worker);
}

static bool is_needed(const struct worker *worker, const struct worker_bot *bot)
{
    for (const struct leased_group *group = worker->groups; group; group = group->next)
        if (has_bot(group, bot))
            return true;
    return false;
}

/* Removes the unpacked files of bots that no claimed group has needed for keep_us. */
static void forget_bots(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct worker *worker = timer->data;
    int64_t now_us = clock_now_us();

    for (struct worker_bot *bot = worker->bots; bot; bot = bot->next) {
        if (bot->state != WORKER_BOT_READY)
            continue;
        if (is_needed(worker, bot)) {
            bot->used_us = now_us;
        } else if (now_us - bot->used_us >= keep_us) {
            staging_drop(worker->staging, bot->entry);
            bot->state = WORKER_BOT_GONE;
        }
    }
}

/* ---- the runner ---- */

static bool is_ready(const struct worker *worker, const struct leased_group *group)
{
    if (!group->unbegun ||
        (!group->is_begun && (worker->is_down || worker->state != WORKER_RUNNING)))
        return false;
    for (int i = 0; i < group->lease.player_count; i++)
        if (group->bots[i]->state != WORKER_BOT_READY)
            return false;
    return true;
}

static void begin_game(struct worker *worker, struct leased_group *group, int slot,
                       struct runner_game *begun)
{
    const struct store_lease *lease = &group->lease;
    const struct store_season *season = &lease->season;
    struct played_game *played = &worker->games[slot];
    int rotation = __builtin_ctz(group->unbegun);

    played->group = group;
    played->rules = (struct table_rules){.memory_bytes = season->play.memory_bytes,
                                         .freeze = season->play.freeze};
    played->game = (struct season_game){.group = lease->group,
                                        .rotation = rotation,
                                        .player_count = lease->player_count,
                                        .board = lease->board,
                                        .opening = lease->opening};
    store_game_id(played->game.id, season->name, lease->group, rotation);
    memcpy(played->game.seed, lease->seeds[rotation], sizeof played->game.seed);
    *begun = (struct runner_game){
        .number = (uint64_t)slot, .rules = &played->rules, .pin = season->play.pin};
    snprintf(begun->terms.id, sizeof begun->terms.id, "%s", played->game.id);
    memcpy(begun->terms.seed, played->game.seed, sizeof begun->terms.seed);
    begun->terms.player_count = lease->player_count;
    begun->terms.board = lease->board;
    begun->terms.clock = season->clock;
    for (int seat = 0; seat < lease->player_count; seat++) {
        const struct worker_bot *bot = group->bots[(seat + rotation) % lease->player_count];

        begun->sources[seat] = staging_source(worker->staging, bot->entry);
        if (season->is_practice)
            memcpy(begun->terms.names[seat], bot->bot.name, sizeof bot->bot.name);
    }
    group->unbegun &= ~(1u << rotation);
    group->playing |= 1u << rotation;
    group->is_begun = true;
}

/*
 * Begins a game, if possible of a group of which this worker has already begun a game, else of the
 * oldest group.
 */
static bool next_game(void *owner, int slot, struct runner_game *game)
{
    struct worker *worker = owner;
    struct leased_group *chosen = NULL;

    for (struct leased_group *group = worker->groups; group; group = group->next)
        if (is_ready(worker, group) && (!chosen || (group->is_begun && !chosen->is_begun)))
            chosen = group;
    if (chosen)
        begin_game(worker, chosen, slot, game);
    return chosen != NULL;
}

/* Returns true if the runner must not end, because it will get more games. */
static bool waits(void *owner, bool begins)
{
    const struct worker *worker = owner;

    for (const struct leased_group *group = worker->groups; group; group = group->next)
        if (begins && group->unbegun)
            return true;
    return begins && worker->state == WORKER_RUNNING;
}

static void game_done(void *owner, const struct runner_game *ended, const struct table *table)
{
    struct worker *worker = owner;
    const struct played_game *played = &worker->games[ended->number];
    struct leased_group *group = played->group;
    unsigned bit = 1u << played->game.rotation;
    struct game_result *result = result_of_table(&played->game, table);

    worker->game_us = table->wall_us;
    group->playing &= ~bit;
    if (result) {
        connection_deliver(worker->connection, result, &group->lease);
        group->undelivered |= bit;
    } else {
        fail(worker, "out of memory");
    }
    go_on(worker);
}

/* Called when the runner has ended: it had no more games, was stopped, or failed. */
static void runner_ended(void *owner)
{
    struct worker *worker = owner;
    struct sandbox_failure failure;
    char line[256];

    for (struct leased_group *group = worker->groups; group; group = group->next) {
        group->unbegun |= group->playing; /* the runner stopped these games before their end */
        group->playing = 0;
        drop(group);
    }
    if (runner_failed(worker->runner, &failure)) {
        snprintf(line, sizeof line, "a game failed %d times: %s: %s", RUNNER_ATTEMPTS, failure.step,
                 strerror(failure.error));
        fail(worker, line);
    }
    go_on(worker);
}

/* ---- stopping ---- */

static void stop(struct worker *worker, bool at_once)
{
    if (worker->state == WORKER_ENDING)
        return;
    worker->state = at_once ? WORKER_ENDING : WORKER_DRAINING;
    drop_groups(worker, at_once);
    for (int i = 0; i < 2 && at_once; i++) /* the second call stops running games */
        runner_interrupt(worker->runner);
    go_on(worker);
}

/* Plays only the groups that have begun, for a limited time. `words` are logged. */
static void drain(struct worker *worker, const char *words)
{
    notify_send("STOPPING=1");
    worker->options.log_fn(WORKER_STOPPING, "", words);
    ev_timer_start(worker->foreground.loop, &worker->drain);
    stop(worker, false);
}

static void interrupted(void *owner)
{
    struct worker *worker = owner;

    if (worker->state != WORKER_RUNNING) {
        stop(worker, true);
        return;
    }
    drain(worker, "finishing the groups of games that this worker has begun");
}

static void drained(struct ev_loop *loop, ev_timer *timer, int events)
{
    stop(timer->data, true);
}

static void fail(struct worker *worker, const char *what)
{
    struct worker_report *report = worker->report;

    if (!report->failed)
        snprintf(report->error, sizeof report->error, "%s", what);
    report->failed = true;
    if (worker->state == WORKER_RUNNING) {
        worker->options.log_fn(WORKER_ERROR, "", what);
        ev_timer_start(worker->foreground.loop, &worker->drain);
        stop(worker, false);
    }
}

static void connection_ended(void *owner, bool all_delivered)
{
    struct worker *worker = owner;

    if (!all_delivered)
        worker->options.log_fn(WORKER_ERROR, "",
                               "the store does not answer: games that were not delivered are "
                               "played again by another worker");
    foreground_end(&worker->foreground);
}

/* ---- claiming ---- */

static void claim_groups(struct worker *worker)
{
    int jobs = worker->options.worker.job_count;
    int ahead = worker->game_us < QUICK_GAME_US ? jobs : 0;
    int wanted = jobs + ahead - count_games(worker);
    int64_t barred[LEASE_BARRED_MAX];

    if (worker->state != WORKER_RUNNING || worker->is_claiming || worker->is_resting ||
        worker->is_down || wanted <= ahead / 2)
        return;
    wanted = (wanted + GAME_PLAYERS_MIN - 1) / GAME_PLAYERS_MIN;
    worker->is_claiming = true;
    connection_claim(worker->connection, wanted < LEASE_CLAIM_MAX ? wanted : LEASE_CLAIM_MAX,
                     barred, list_barred(worker, barred));
}

/*
 * Called whenever something changed: removes groups that have no game left, begins games, and
 * claims groups; or, if the worker is stopping and idle, reports the worker's end.
 */
static void go_on(struct worker *worker)
{
    remove_groups(worker);
    runner_wake(worker->runner);
    claim_groups(worker);
    if (worker->state != WORKER_RUNNING && count_games(worker) == 0 && !worker->has_ended) {
        worker->has_ended = true;
        connection_end(worker->connection, END_US);
    }
}

static void rest_ended(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct worker *worker = timer->data;

    worker->is_resting = false;
    go_on(worker);
}

/*
 * Makes no claim for a random time around ms, so that workers that found no work do not all claim
 * again at the same time.
 */
static void rest(struct worker *worker, int64_t ms)
{
    double jitter = (double)(clock_now_us() / 7 % 1000) / 1000.;

    worker->is_resting = true;
    ev_timer_stop(worker->foreground.loop, &worker->rest_end);
    ev_timer_set(&worker->rest_end, (double)ms / 1000. * (0.5 + jitter), 0.);
    ev_timer_start(worker->foreground.loop, &worker->rest_end);
}

static void add_group(struct worker *worker, const struct store_lease *lease)
{
    struct leased_group *group = connection_memory(sizeof *group), **at;

    group->lease = *lease;
    group->unbegun = lease->due;
    for (at = &worker->groups; *at;)
        at = &(*at)->next;
    *at = group;
    for (int i = 0; i < lease->player_count; i++) {
        group->bots[i] = want_bot(worker, &lease->bots[i]);
        if (group->bots[i]->barred_until_us == INT64_MAX)
            drop(group); /* it was claimed before the worker knew */
    }
}

/* Logs a refusal by the store, unless it was the last one logged. */
static void log_fault(void *owner, const char *words)
{
    struct worker *worker = owner;

    if (strcmp(worker->fault, words) == 0)
        return;
    snprintf(worker->fault, sizeof worker->fault, "%s", words);
    worker->options.log_fn(WORKER_ERROR, "", words);
}

/* The store answered, but refused the claim: somebody has to repair the store or this worker. */
static void claim_refused(struct worker *worker, const char *words)
{
    int64_t now_us = clock_now_us();

    if (worker->state != WORKER_RUNNING)
        return;
    log_fault(worker, words);
    if (!worker->failing_since_us)
        worker->failing_since_us = now_us;
    worker->rest_ms = worker->rest_ms ? worker->rest_ms * 2 : AGAIN_MS;
    if (worker->rest_ms > REST_MS_MAX)
        worker->rest_ms = REST_MS_MAX;
    rest(worker, worker->rest_ms);
    if (now_us - worker->failing_since_us >= FAILING_US)
        fail(worker, words);
}

static void claimed(void *owner, const struct store_lease *leases, int count, const char *words)
{
    struct worker *worker = owner;

    worker->is_claiming = false;
    if (worker->has_ended)
        return; /* connection_end gives the new groups back */
    if (count == -ESHUTDOWN && worker->state == WORKER_RUNNING) {
        drain(worker,
              "drained by the organizer: finishing the groups of games that this worker has "
              "begun");
        return;
    }
    if (count < 0) {
        claim_refused(worker, words);
    } else {
        worker->failing_since_us = worker->rest_ms = 0;
        worker->fault[0] = '\0';
    }
    for (int i = 0; i < count; i++)
        add_group(worker, &leases[i]);
    if (count == 0)
        rest(worker, AGAIN_MS);
    if (worker->state != WORKER_RUNNING)
        drop_groups(worker, worker->state == WORKER_ENDING);
    go_on(worker);
}

static void work_announced(void *owner)
{
    struct worker *worker = owner;

    if (worker->rest_ms)
        return; /* the store refuses claims: wait for the pause to end */
    ev_timer_stop(worker->foreground.loop, &worker->rest_end);
    worker->is_resting = false;
    go_on(worker);
}

/* ---- news of the connection about groups ---- */

static struct leased_group *find_group(const struct worker *worker, int64_t season_id, int number,
                                       int64_t token)
{
    struct leased_group *group = worker->groups;

    while (group && (group->lease.season.id != season_id || group->lease.group != number ||
                     group->lease.token != token))
        group = group->next;
    return group;
}

static void delivered(void *owner, const struct game_result *result,
                      const struct store_lease *lease, int error, const char *words)
{
    struct worker *worker = owner;
    struct worker_report *report = worker->report;
    struct leased_group *group = find_group(worker, lease->season.id, lease->group, lease->token);

    if (!error) {
        report->game_count++;
        for (int seat = 0; seat < result->game.player_count; seat++)
            report->forfeit_count += result->game.seats[seat].reason != WIRE_PLAYED;
    } else {
        report->refused_count++;
        worker->options.log_fn(WORKER_REFUSED, result->played.id, words);
    }
    if (group) {
        group->undelivered &= ~(1u << result->played.rotation);
        if (error)
            drop(group);
    }
    go_on(worker);
}

static void lease_changed(void *owner, const struct store_renewal *lease, bool is_held)
{
    struct worker *worker = owner;
    struct leased_group *group = find_group(worker, lease->season_id, lease->group, lease->token);
    char words[128];

    if (!group)
        return;
    if (!is_held) {
        snprintf(words, sizeof words,
                 "this worker may no longer deliver group %d: its time ran out, or the season was "
                 "closed",
                 lease->group);
        worker->options.log_fn(WORKER_REFUSED, group->lease.season.name, words);
    }
    if (is_held && lease->state == STORE_LEASE_VOID)
        give_up(worker, group);
    else if (!is_held || lease->state == STORE_LEASE_CLOSING)
        drop(group);
    go_on(worker);
}

static void link_changed(void *owner, bool is_up, const char *words)
{
    struct worker *worker = owner;

    worker->is_down = !is_up;
    worker->options.log_fn(is_up ? WORKER_BACK : WORKER_LOST, "",
                           is_up ? "the work goes on" : words);
    go_on(worker);
}

static void tick(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct worker *worker = timer->data;
    char words[128];

    snprintf(words, sizeof words, "games delivered: %lld%s", (long long)worker->report->game_count,
             worker->is_down ? ", the store does not answer" : "");
    notify_alive(&worker->watched_us, words);
}

/* ---- the run ---- */

static void warn(void *owner, const char *words)
{
    const struct worker *worker = owner;

    worker->options.log_fn(WORKER_ERROR, "", words);
}

static int assemble(struct worker *worker)
{
    const struct worker_options *options = &worker->options;
    const struct staging_options of_staging = {.program = options->program,
                                               .sandbox = options->sandbox,
                                               .staged_fn = bot_staged,
                                               .warn_fn = warn,
                                               .owner = worker};
    const struct connection_options of_connection = {.store = options->store,
                                                     .worker = options->worker,
                                                     .cache = options->cache,
                                                     .lease_us = options->lease_us,
                                                     .owner = worker,
                                                     .claimed_fn = claimed,
                                                     .fetched_fn = bot_fetched,
                                                     .delivered_fn = delivered,
                                                     .lease_fn = lease_changed,
                                                     .fault_fn = log_fault,
                                                     .link_fn = link_changed,
                                                     .work_fn = work_announced,
                                                     .ended_fn = connection_ended};
    const struct runner_options of_runner = {.job_count = options->worker.job_count,
                                             .repeats_starts = true,
                                             .owner = worker,
                                             .next_fn = next_game,
                                             .waits_fn = waits,
                                             .done_fn = game_done,
                                             .warn_fn = warn};
    struct ev_loop *loop = worker->foreground.loop;

    ev_timer_init(&worker->rest_end, rest_ended, 0., 0.);
    ev_timer_init(&worker->drain, drained, (double)options->drain_s, 0.);
    ev_timer_init(&worker->forget, forget_bots, FORGET_S, FORGET_S);
    ev_timer_init(&worker->tick, tick, 0., 1.);
    worker->rest_end.data = worker->drain.data = worker->forget.data = worker->tick.data = worker;
    ev_timer_start(loop, &worker->forget);
    ev_timer_start(loop, &worker->tick);
    worker->staging = staging_create(loop, &of_staging);
    worker->connection = worker->staging ? connection_create(loop, &of_connection) : NULL;
    worker->runner =
        worker->connection ? runner_create(&of_runner, worker->options.transport) : NULL;
    return worker->runner ? runner_start(worker->runner, loop, runner_ended, worker) : -errno;
}

static void take_apart(struct worker *worker)
{
    ev_timer_stop(worker->foreground.loop, &worker->rest_end);
    ev_timer_stop(worker->foreground.loop, &worker->drain);
    ev_timer_stop(worker->foreground.loop, &worker->forget);
    ev_timer_stop(worker->foreground.loop, &worker->tick);
    runner_destroy(worker->runner);
    while (worker->groups) {
        struct leased_group *group = worker->groups;

        worker->groups = group->next;
        free(group);
    }
    connection_destroy(worker->connection);
    staging_destroy(worker->staging);
    while (worker->bots) {
        struct worker_bot *bot = worker->bots;

        worker->bots = bot->next;
        free((char *)bot->bot.manifest);
        free(bot);
    }
}

int worker_run(const struct worker_options *options, struct worker_report *report)
{
    struct worker *worker;
    int error;

    *report = (struct worker_report){0};
    if (stop_is_asked())
        return 0;
    worker = connection_memory(sizeof *worker);
    worker->options = *options;
    worker->report = report;
    error = foreground_open(&worker->foreground, interrupted, worker);
    if (!error) {
        error = assemble(worker);
        if (!error) {
            options->log_fn(WORKER_STARTED, options->worker.name,
                            "claiming and playing groups of games");
            notify_send("READY=1\nSTATUS=running");
            claim_groups(worker);
            foreground_wait(&worker->foreground);
            options->log_fn(WORKER_STOPPED, options->worker.name,
                            "all groups of games are finished or given back");
        }
        take_apart(worker);
        foreground_close(&worker->foreground);
    }
    free(worker);
    if (error) {
        report->failed = true;
        snprintf(report->error, sizeof report->error, "the worker cannot start: %s",
                 strerror(-error));
    }
    return report->failed ? -1 : 0;
}
