/*
 * The worker's event loop. Beside the loop run a thread that owns the connection to the store
 * (connection.c), a process that unpacks packages (season/staging.c), and the bots.
 *
 *     claim -> leased_group of a played_season
 *                -> its bots: fetched into the cache, unpacked        (worker_bot)
 *                -> its games: unbegun -> playing -> undelivered      (bits by rotation)
 *                -> the lease is released when no bit is left
 *
 * The worker drops a group when the lease is lost, the season closes, one of the bots does not run
 * on this machine, or the worker stops: it begins no further game of the group, and gives the lease
 * back when no game of the group is being played or delivered.
 */
#include "arena/worker/worker.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "arena/play/alarm.h"
#include "arena/play/foreground.h"
#include "arena/play/mailbox.h"
#include "arena/play/metrics.h"
#include "arena/play/place.h"
#include "arena/play/table.h"
#include "arena/season/staging.h"
#include "arena/worker/connection.h"
#include "engine/game.h"

enum {
    CALIBRATION_US = 200000,
    AGAIN_MS = 1000, /* pause between claims while the store has no groups to claim */
    /* If games are shorter, groups for the next games are claimed in advance. */
    QUICK_GAME_US = 5000000,
    END_US = 5000000,       /* time limit for reporting the worker's end to the store */
    FORGET_S = 60,          /* pause between two searches for bots that no group needs */
    REST_MS_MAX = 60000,    /* longest pause after a refused claim; pauses double up to this */
    FAILING_US = 600000000, /* the worker ends after all its claims were refused for this long */
    FETCHED_MAX = 2,  /* bots fetched or unpacked at a time: the cache must have room for them */
    FAILURES_MAX = 3, /* tries to fetch and unpack a bot, after which it is barred for BAR_US */
    BAR_US = 60000000,
};

/* How long an unpacked bot is kept after the last group that needs the bot. */
static const int64_t keep_us = 3600000000;

enum worker_state {
    WORKER_RUNNING = 0,
    WORKER_DRAINING = 1, /* the worker plays only groups that it has begun */
    WORKER_ENDING = 2,   /* the worker gives up running games */
};

enum worker_bot_state {
    WORKER_BOT_FETCHING = 0,
    WORKER_BOT_STAGING = 1,
    WORKER_BOT_READY = 2,
    WORKER_BOT_BARRED = 3,  /* does not run on this machine: other workers play its groups */
    WORKER_BOT_GONE = 4,    /* not fetched, or removed again: fetched for its next group */
    WORKER_BOT_WAITING = 5, /* waits until fewer bots are being fetched and unpacked */
};

struct worker_bot {
    struct worker_bot *next;
    struct store_bot bot; /* a copy; owns its manifest */
    enum worker_bot_state state;
    int entry;         /* number of the bot in the staging; -1: none */
    int failure_count; /* failures in a row to fetch or unpack the bot */
    /* Only for WORKER_BOT_GONE: until then, the worker claims no groups with the bot. */
    int64_t barred_until_us;
    int64_t used_us; /* last time at which a leased group needed the bot */
};

/* A leased group. In unbegun, playing and undelivered, bit r is the game of rotation r. */
struct leased_group {
    struct leased_group *next;
    struct store_lease lease;
    /* The players in base order: see struct store_group. */
    struct worker_bot *bots[GAME_PLAYERS_MAX];
    unsigned unbegun, playing, undelivered;
    bool is_begun; /* this worker has begun a game of the group */
    bool is_lost;  /* the lease is lost: other workers play the remaining games */
};

/* The game that a slot of the runner plays. */
struct played_game {
    struct leased_group *group;
    struct season_game game;
};

/* A season with leased groups, and a runner that plays with the season's terms. */
struct played_season {
    struct played_season *next;
    struct worker *worker;
    struct store_season terms;
    struct leased_group *groups; /* oldest first */
    struct runner *runner;
    struct played_game games[RUNNER_JOBS_MAX]; /* by slot of the runner */
    bool is_over;  /* the runner has ended, and must not be called any more */
    ev_timer over; /* calls season_over from the loop, outside the runner's callbacks */
};

struct worker {
    enum worker_state state;
    struct worker_options options;
    struct worker_report *report;
    struct foreground foreground;
    struct connection *connection;
    struct staging *staging;
    struct runner_jobs jobs;
    struct played_season *seasons;
    struct worker_bot *bots;
    int staged_count;                   /* number of bots ever given to the staging */
    char fault[CONNECTION_WORDS_BYTES]; /* last refusal by the store that was logged */
    /* Time since which the store has refused every claim; 0: the last claim was not refused. */
    int64_t failing_since_us;
    int64_t rest_ms; /* pause after a refused claim; 0: the last claim was not refused */
    bool is_down;    /* the store does not answer */
    bool asking;     /* a claim has not been answered yet */
    bool rests;      /* no claim is made before the timer `again` fires */
    bool has_ended;
    int64_t game_us; /* duration of the last game, in microseconds */
    ev_timer again, drain, forget, tick;
    struct mailbox *files; /* writes the metrics; NULL: there is no file of metrics */
    struct errand writing;
    char *metrics;     /* text that is being written; NULL: nothing is being written */
    int metrics_error; /* 0 or -errno of the last writing; set by the mailbox's thread */
    int told_error;    /* the last metrics_error that the log has */
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

/* Returns how many random games per second one core of this machine plays. */
static int64_t measure_playouts(void)
{
    int64_t begun_us = alarm_now_us(), taken_us, count = 0;
    uint64_t random = 1;

    do {
        uint8_t seed[GAME_SEED_BYTES] = {0};
        struct game game;

        memcpy(seed, &count, sizeof count);
        game_init(&game, GAME_PLAYERS_MIN, BOARD_COLORED, seed);
        game_play_out(&game, &random);
        count++;
        taken_us = alarm_now_us() - begun_us;
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
    processor_model(worker->processor, sizeof worker->processor);
    worker->core_count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
    worker->playouts_s = measure_playouts();
}

/* ---- groups ---- */

static int count_games(const struct worker *worker, bool playing)
{
    int count = 0;

    for (const struct played_season *season = worker->seasons; season; season = season->next)
        for (const struct leased_group *group = season->groups; group; group = group->next)
            count += __builtin_popcount(playing ? group->playing : group->unbegun);
    return count;
}

/*
 * Removes a group of which no game is being played or delivered. If `back` is set, gives the lease
 * back.
 */
static void release(struct played_season *season, struct leased_group *group, bool back)
{
    struct worker *worker = season->worker;
    struct leased_group **at = &season->groups;

    while (*at != group)
        at = &(*at)->next;
    *at = group->next;
    /* After has_ended, connection_end gives back all leases. */
    if (!worker->has_ended && connection_release(worker->connection, &group->lease, back) < 0)
        fail(worker, "out of memory");
    free(group);
}

/*
 * Called after the store took or refused a game of the group: releases a group without further
 * games.
 */
static void settle(struct played_season *season, struct leased_group *group)
{
    if (!group->unbegun && !group->playing && !group->undelivered)
        release(season, group, group->is_lost);
    if (!season->groups && !season->runner)
        ev_timer_start(season->worker->foreground.loop, &season->over);
}

/*
 * Begins no further game of a group, and releases the group once none of its games is being played
 * or delivered.
 */
static void drop(struct played_season *season, struct leased_group *group)
{
    bool has_left = group->unbegun != 0;

    group->unbegun = 0;
    if (!group->playing && !group->undelivered)
        release(season, group, has_left && !group->is_lost);
    else
        group->is_lost = group->is_lost || has_left; /* settle() then gives the lease back */
}

/* Drops a group and ends its running games, without results. */
static void give_up(struct played_season *season, struct leased_group *group)
{
    unsigned given_up = 0;

    for (int slot = 0; slot < season->worker->jobs.count && season->runner && !season->is_over;
         slot++) {
        const struct played_game *played = &season->games[slot];
        unsigned bit = 1u << played->game.rotation;

        if (played->group != group || !(group->playing & bit))
            continue;
        group->playing &= ~bit; /* before the call, because runner_give_up may call runner_ended */
        given_up |= bit;
        if (!runner_give_up(season->runner, slot)) {
            group->playing |= bit;
            given_up &= ~bit;
        }
    }
    group->unbegun |= given_up;
    drop(season, group);
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
    for (struct played_season *season = worker->seasons; season; season = season->next)
        for (struct leased_group *group = season->groups, *next; group; group = next) {
            next = group->next;
            if (has_bot(group, bot))
                drop(season, group);
        }
}

/* Drops the groups that have not begun; if `all` is set, also the groups that have. */
static void give_back(struct worker *worker, bool all)
{
    for (struct played_season *season = worker->seasons, *after; season; season = after) {
        after = season->next;
        for (struct leased_group *group = season->groups, *next; group; group = next) {
            next = group->next;
            if (all || !group->is_begun)
                drop(season, group);
        }
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
        if (connection_fetch(worker->connection, &bot->bot) < 0)
            fail(worker, "out of memory");
    }
}

static void free_bot(struct worker_bot *bot)
{
    free((char *)bot->bot.manifest);
    free(bot);
}

static struct worker_bot *add_bot(struct worker *worker, const struct store_bot *bot)
{
    struct worker_bot *added = calloc(1, sizeof *added);

    if (!added)
        return NULL;
    added->bot = *bot;
    added->bot.manifest = strdup(bot->manifest);
    if (!added->bot.manifest) {
        free(added);
        return NULL;
    }
    added->next = worker->bots;
    added->state = WORKER_BOT_GONE;
    added->entry = -1;
    worker->bots = added;
    return added;
}

/* Returns the bot of a lease, and has its package fetched if needed; NULL if memory runs out. */
static struct worker_bot *want_bot(struct worker *worker, const struct store_bot *wanted)
{
    struct worker_bot *bot = worker->bots;

    while (bot && bot->bot.id != wanted->id)
        bot = bot->next;
    if (!bot && !(bot = add_bot(worker, wanted)))
        return NULL;
    bot->used_us = alarm_now_us();
    if (bot->state == WORKER_BOT_GONE) {
        bot->state = WORKER_BOT_WAITING;
        fetch_next(worker);
    }
    return bot;
}

/* Writes the ids of the bots with which the worker claims no groups now. Returns how many. */
static size_t list_barred(const struct worker *worker, int64_t barred[static LEASE_BARRED_MAX])
{
    int64_t now_us = alarm_now_us();
    size_t count = 0;

    for (const struct worker_bot *bot = worker->bots; bot && count < LEASE_BARRED_MAX;
         bot = bot->next)
        if (bot->state == WORKER_BOT_BARRED ||
            (bot->state == WORKER_BOT_GONE && now_us < bot->barred_until_us))
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
 * Called after a bot could not be fetched or unpacked. The worker fetches it again, because its
 * package in the cache may be damaged or gone; after FAILURES_MAX tries it leaves the bot to other
 * workers for a while.
 */
static void try_again(struct worker *worker, struct worker_bot *bot, const char *words)
{
    bot->state = WORKER_BOT_WAITING;
    if (++bot->failure_count < FAILURES_MAX)
        return;
    bot->state = WORKER_BOT_GONE;
    bot->failure_count = 0;
    bot->barred_until_us = alarm_now_us() + BAR_US;
    worker->options.log_fn(WORKER_ERROR, bot->bot.name, words);
    drop_groups_with(worker, bot);
}

static void bot_fetched(void *owner, int64_t bot_id, enum connection_fetch outcome,
                        const char *words)
{
    struct worker *worker = owner;
    struct worker_bot *bot = worker->bots;

    while (bot && bot->bot.id != bot_id)
        bot = bot->next;
    if (!bot || worker->state == WORKER_ENDING)
        return;
    switch (outcome) {
    case CONNECTION_FETCHED:
        stage(worker, bot);
        break;
    case CONNECTION_FOREIGN:
        bot->state = WORKER_BOT_BARRED;
        drop_groups_with(worker, bot);
        break;
    case CONNECTION_UNFETCHED:
        try_again(worker, bot, words);
        break;
    }
    fetch_next(worker);
    go_on(worker);
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
    } else {
        bot->state = WORKER_BOT_READY;
        bot->failure_count = 0;
    }
    fetch_next(worker);
    go_on(worker);
}

static bool is_needed(const struct worker *worker, const struct worker_bot *bot)
{
    for (const struct played_season *season = worker->seasons; season; season = season->next)
        for (const struct leased_group *group = season->groups; group; group = group->next)
            if (has_bot(group, bot))
                return true;
    return false;
}

/* Removes the unpacked files of bots that no leased group has needed for keep_us. */
static void forget_bots(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct worker *worker = timer->data;
    int64_t now_us = alarm_now_us();

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

/* ---- the runner of a season ---- */

static bool is_ready(const struct played_season *season, const struct leased_group *group)
{
    const struct worker *worker = season->worker;

    if (!group->unbegun || (worker->is_down && !group->is_begun) ||
        (worker->state != WORKER_RUNNING && !group->is_begun))
        return false;
    for (int i = 0; i < group->lease.player_count; i++)
        if (group->bots[i]->state != WORKER_BOT_READY)
            return false;
    return true;
}

static void begin_game(struct played_season *season, struct leased_group *group, int slot,
                       struct runner_game *begun)
{
    const struct store_lease *lease = &group->lease;
    struct played_game *played = &season->games[slot];
    int rotation = __builtin_ctz(group->unbegun);

    played->group = group;
    played->game = (struct season_game){.group = lease->group,
                                        .rotation = rotation,
                                        .player_count = lease->player_count,
                                        .board = lease->board,
                                        .opening = lease->opening};
    store_game_id(played->game.id, season->terms.name, lease->group, rotation);
    memcpy(played->game.seed, lease->seeds[rotation], sizeof played->game.seed);
    *begun = (struct runner_game){.last = true, .number = (uint64_t)slot};
    snprintf(begun->terms.id, sizeof begun->terms.id, "%s", played->game.id);
    memcpy(begun->terms.seed, played->game.seed, sizeof begun->terms.seed);
    begun->terms.player_count = lease->player_count;
    begun->terms.board = lease->board;
    begun->terms.clock = season->terms.clock;
    for (int seat = 0; seat < lease->player_count; seat++) {
        const struct worker_bot *bot = group->bots[(seat + rotation) % lease->player_count];

        begun->sources[seat] = staging_source(season->worker->staging, bot->entry);
        if (season->terms.is_practice)
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
    struct played_season *season = owner;
    struct leased_group *chosen = NULL;

    for (struct leased_group *group = season->groups; group; group = group->next)
        if (is_ready(season, group) && (!chosen || (group->is_begun && !chosen->is_begun)))
            chosen = group;
    if (chosen)
        begin_game(season, chosen, slot, game);
    return chosen != NULL;
}

/* Returns true if the runner must not end, because a leased group still has games to begin. */
static bool waits(void *owner, bool begins)
{
    const struct played_season *season = owner;

    if (!begins)
        return false;
    for (const struct leased_group *group = season->groups; group; group = group->next)
        if (group->unbegun)
            return true;
    return false;
}

static void game_done(void *owner, const struct runner_game *ended, const struct table *table)
{
    struct played_season *season = owner;
    struct worker *worker = season->worker;
    const struct played_game *played = &season->games[ended->number];
    struct leased_group *group = played->group;
    unsigned bit = 1u << played->game.rotation;
    struct game_result *result = result_of_table(&played->game, table);

    worker->game_us = table->wall_us;
    group->playing &= ~bit;
    if (result && connection_deliver(worker->connection, result, &group->lease) == 0)
        group->undelivered |= bit;
    else
        fail(worker, "out of memory");
    go_on(worker);
}

/* Called when the runner has ended: it had no more games, was stopped, or failed. */
static void runner_ended(void *owner)
{
    struct played_season *season = owner;
    struct sandbox_failure failure;
    char line[256];

    season->is_over = true;
    if (runner_failed(season->runner, &failure)) {
        snprintf(line, sizeof line, "a game failed %d times: %s: %s", RUNNER_ATTEMPTS, failure.step,
                 strerror(failure.error));
        fail(season->worker, line);
    }
    for (struct leased_group *group = season->groups, *next; group; group = next) {
        next = group->next;
        if (!group->playing)
            continue;
        group->unbegun |= group->playing; /* the runner gave these games up */
        group->playing = 0;
        drop(season, group);
    }
    ev_timer_start(season->worker->foreground.loop, &season->over);
}

static void season_crowded(void *owner, const char *words)
{
    const struct played_season *season = owner;

    season->worker->options.log_fn(WORKER_ERROR, season->terms.name, words);
}

static int start_runner(struct played_season *season)
{
    struct worker *worker = season->worker;
    const struct runner_options options = {
        .job_count = worker->options.worker.job_count,
        .jobs = &worker->jobs,
        .pin = season->terms.play.pin,
        .rules = {.memory_bytes = season->terms.play.memory_bytes,
                  .freeze = season->terms.play.freeze},
        .owner = season,
        .next_fn = next_game,
        .waits_fn = waits,
        .done_fn = game_done,
        .crowded_fn = season_crowded,
    };

    season->runner = runner_create(&options, worker->options.transport);
    return season->runner
               ? runner_start(season->runner, worker->foreground.loop, runner_ended, season)
               : -errno;
}

static void destroy_season(struct played_season *season)
{
    ev_timer_stop(season->worker->foreground.loop, &season->over);
    runner_destroy(season->runner);
    for (struct leased_group *group = season->groups, *next; group; group = next) {
        next = group->next;
        free(group);
    }
    free(season);
}

/*
 * Frees a season after its last group was released. If the season has groups again, starts a new
 * runner.
 */
static void season_over(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct played_season *season = timer->data;
    struct worker *worker = season->worker;
    struct played_season **at = &worker->seasons;

    runner_destroy(season->runner);
    season->runner = NULL;
    season->is_over = false;
    if (season->groups) {
        if (waits(season, worker->state != WORKER_ENDING) && start_runner(season) < 0)
            fail(worker, "out of memory");
    } else {
        while (*at != season)
            at = &(*at)->next;
        *at = season->next;
        destroy_season(season);
    }
    go_on(worker);
}

/*
 * Returns the season of a lease, with a running runner; creates both if needed. Returns NULL if
 * memory runs out.
 */
static struct played_season *find_season(struct worker *worker, const struct store_season *terms)
{
    struct played_season *season = worker->seasons;

    while (season && season->terms.id != terms->id)
        season = season->next;
    if (!season) {
        season = calloc(1, sizeof *season);
        if (!season)
            return NULL;
        season->worker = worker;
        season->terms = *terms;
        ev_timer_init(&season->over, season_over, 0., 0.);
        season->over.data = season;
        season->next = worker->seasons;
        worker->seasons = season;
    }
    if (!season->runner && start_runner(season) < 0)
        return NULL;
    return season;
}

/* ---- stopping ---- */

static void stop(struct worker *worker, bool at_once)
{
    if (worker->state == WORKER_ENDING)
        return;
    worker->state = at_once ? WORKER_ENDING : WORKER_DRAINING;
    give_back(worker, at_once);
    for (struct played_season *season = worker->seasons, *next; season && at_once; season = next) {
        next = season->next;
        if (!season->runner || season->is_over)
            continue;
        runner_interrupt(season->runner);
        runner_interrupt(season->runner);
    }
    go_on(worker);
}

static void interrupted(void *owner)
{
    struct worker *worker = owner;

    if (worker->state != WORKER_RUNNING) {
        stop(worker, true);
        return;
    }
    worker->options.log_fn(WORKER_STOPPING, "", "finishing the groups that have begun");
    ev_timer_start(worker->foreground.loop, &worker->drain);
    stop(worker, false);
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

static void end(struct worker *worker)
{
    if (worker->has_ended)
        return;
    worker->has_ended = true;
    if (connection_end(worker->connection, END_US) < 0)
        foreground_end(&worker->foreground);
}

static void connection_ended(void *owner, bool all_delivered)
{
    struct worker *worker = owner;

    if (!all_delivered)
        worker->options.log_fn(
            WORKER_ERROR, "",
            "the store does not answer: games that were not delivered will be played again");
    foreground_end(&worker->foreground);
}

/* ---- claiming ---- */

static void ask(struct worker *worker)
{
    int jobs = worker->options.worker.job_count;
    int ahead = worker->game_us < QUICK_GAME_US ? jobs : 0;
    int wanted = jobs + ahead - count_games(worker, false) - count_games(worker, true);
    int64_t barred[LEASE_BARRED_MAX];

    if (worker->state != WORKER_RUNNING || worker->asking || worker->rests || worker->is_down ||
        wanted <= ahead / 2)
        return;
    wanted = (wanted + GAME_PLAYERS_MIN - 1) / GAME_PLAYERS_MIN;
    worker->asking =
        connection_claim(worker->connection, wanted < LEASE_CLAIM_MAX ? wanted : LEASE_CLAIM_MAX,
                         barred, list_barred(worker, barred)) == 0;
    if (!worker->asking)
        fail(worker, "out of memory");
}

/*
 * Called whenever something changed: begins games and claims groups; or, if the worker is stopping
 * and idle, ends the worker.
 */
static void go_on(struct worker *worker)
{
    for (struct played_season *season = worker->seasons, *next; season; season = next) {
        next = season->next;
        if (season->runner && !season->is_over)
            runner_wake(season->runner);
    }
    ask(worker);
    if (worker->state != WORKER_RUNNING &&
        count_games(worker, false) + count_games(worker, true) == 0)
        end(worker);
}

static void ask_again(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct worker *worker = timer->data;

    worker->rests = false;
    go_on(worker);
}

/*
 * Makes no claim for a random time around ms, so that workers that found no work do not all claim
 * again at the same time.
 */
static void rest(struct worker *worker, int64_t ms)
{
    double jitter = (double)(alarm_now_us() / 7 % 1000) / 1000.;

    worker->rests = true;
    ev_timer_stop(worker->foreground.loop, &worker->again);
    ev_timer_set(&worker->again, (double)ms / 1000. * (0.5 + jitter), 0.);
    ev_timer_start(worker->foreground.loop, &worker->again);
}

/* Adds a leased group. Returns false if memory runs out. */
static bool add_group(struct worker *worker, const struct store_lease *lease)
{
    struct played_season *season = find_season(worker, &lease->season);
    struct leased_group *group = season ? calloc(1, sizeof *group) : NULL;
    struct leased_group **at = season ? &season->groups : NULL;
    bool is_barred = false;

    if (!group)
        return false;
    group->lease = *lease;
    group->unbegun = lease->due;
    while (*at)
        at = &(*at)->next;
    *at = group;
    for (int i = 0; i < lease->player_count; i++) {
        if (!(group->bots[i] = want_bot(worker, &lease->bots[i])))
            return false;
        is_barred = is_barred || group->bots[i]->state == WORKER_BOT_BARRED;
    }
    if (is_barred)
        drop(season, group);
    return true;
}

/* Logs a refusal by the store, unless it was the last one logged. */
static void tell_fault(void *owner, const char *words)
{
    struct worker *worker = owner;

    if (strcmp(worker->fault, words) == 0)
        return;
    snprintf(worker->fault, sizeof worker->fault, "%s", words);
    worker->options.log_fn(WORKER_ERROR, "", words);
}

/* The store answered, but refused the claim: an operator has to repair the store or this worker. */
static void claim_refused(struct worker *worker, const char *words)
{
    int64_t now_us = alarm_now_us();

    if (worker->state != WORKER_RUNNING)
        return;
    tell_fault(worker, words);
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

    worker->asking = false;
    if (worker->has_ended)
        return; /* connection_end gives the new leases back */
    if (count < 0) {
        claim_refused(worker, words);
    } else {
        worker->failing_since_us = worker->rest_ms = 0;
        worker->fault[0] = '\0';
    }
    for (int i = 0; i < count; i++)
        if (!add_group(worker, &leases[i]))
            fail(worker, "out of memory");
    if (count == 0)
        rest(worker, AGAIN_MS);
    if (worker->state != WORKER_RUNNING)
        give_back(worker, worker->state == WORKER_ENDING);
    go_on(worker);
}

static void work_is_there(void *owner)
{
    struct worker *worker = owner;

    if (worker->rest_ms)
        return; /* claims are refused: wait for the pause to end */
    ev_timer_stop(worker->foreground.loop, &worker->again);
    worker->rests = false;
    go_on(worker);
}

/* ---- news of the connection about groups ---- */

static struct leased_group *find_group(struct worker *worker, int64_t season_id, int number,
                                       int64_t token, struct played_season **season)
{
    for (*season = worker->seasons; *season; *season = (*season)->next)
        for (struct leased_group *group = (*season)->groups; group; group = group->next)
            if (group->lease.season.id == season_id && group->lease.group == number &&
                group->lease.token == token)
                return group;
    return NULL;
}

static void delivered(void *owner, const struct game_result *result,
                      const struct store_lease *lease, int error, const char *words)
{
    struct worker *worker = owner;
    struct worker_report *report = worker->report;
    struct played_season *season;
    struct leased_group *group =
        find_group(worker, lease->season.id, lease->group, lease->token, &season);

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
        if (error) {
            group->is_lost = true;
            group->unbegun = 0;
        }
        settle(season, group);
    }
    go_on(worker);
}

static void lease_changed(void *owner, const struct store_renewal *lease, bool is_held)
{
    struct worker *worker = owner;
    struct played_season *season;
    struct leased_group *group =
        find_group(worker, lease->season_id, lease->group, lease->token, &season);
    char words[128];

    if (!group)
        return;
    if (!is_held) {
        snprintf(words, sizeof words,
                 "the lease of group %d is lost: it lapsed, or the season was closed",
                 lease->group);
        worker->options.log_fn(WORKER_REFUSED, season->terms.name, words);
        group->is_lost = true;
    }
    if (is_held && lease->state == STORE_LEASE_VOID)
        give_up(season, group);
    else if (!is_held || lease->state == STORE_LEASE_CLOSING)
        drop(season, group);
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

/* ---- metrics ---- */

static char *make_metrics(const struct worker *worker)
{
    const struct worker_report *report = worker->report;
    int group_count = 0, undelivered_count = 0;
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    if (!stream)
        return NULL;
    for (const struct played_season *season = worker->seasons; season; season = season->next)
        for (const struct leased_group *group = season->groups; group; group = group->next) {
            group_count++;
            undelivered_count += __builtin_popcount(group->undelivered);
        }
    const struct metric metrics[] = {
        {"worker_games_total", "counter", "Games that the store took.", report->game_count},
        {"worker_forfeits_total", "counter", "Seats that forfeited in these games.",
         report->forfeit_count},
        {"worker_refused_total", "counter", "Games that the store refused.", report->refused_count},
        {"worker_games_playing", "gauge", "Games under way.", count_games(worker, true)},
        {"worker_games_undelivered", "gauge", "Played games that the store has not taken yet.",
         undelivered_count},
        {"worker_groups", "gauge", "Groups that the worker holds.", group_count},
        {"worker_jobs", "gauge", "Games that may be played at a time.", worker->jobs.count},
        {"worker_store_up", "gauge", "1 if the store answers, else 0.", !worker->is_down},
    };
    metrics_print(stream, metrics, sizeof metrics / sizeof *metrics);
    if (fclose(stream) == EOF) {
        free(text);
        return NULL;
    }
    return text;
}

static struct worker *of_writing(struct errand *errand)
{
    return (struct worker *)((char *)errand - offsetof(struct worker, writing));
}

/* Runs in the thread. */
static void write_metrics(struct errand *errand)
{
    struct worker *worker = of_writing(errand);
    const char *text = worker->metrics;

    worker->metrics_error = place_write_over(worker->options.metrics, text, strlen(text), NULL);
}

static void metrics_written(struct errand *errand)
{
    struct worker *worker = of_writing(errand);
    char words[PATH_MAX + 64];

    free(worker->metrics);
    worker->metrics = NULL;
    if (worker->metrics_error == worker->told_error)
        return;
    worker->told_error = worker->metrics_error;
    if (!worker->told_error)
        return;
    snprintf(words, sizeof words, "%s: cannot be written: %s", worker->options.metrics,
             strerror(-worker->told_error));
    worker->options.log_fn(WORKER_ERROR, "", words);
}

static void tick(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct worker *worker = timer->data;

    if (!worker->metrics && (worker->metrics = make_metrics(worker)))
        mailbox_add(worker->files, &worker->writing);
}

static int begin_metrics(struct worker *worker)
{
    worker->writing.run_fn = write_metrics;
    worker->writing.done_fn = metrics_written;
    ev_timer_init(&worker->tick, tick, 0., 1.);
    worker->tick.data = worker;
    ev_timer_start(worker->foreground.loop, &worker->tick);
    return mailbox_create(&worker->files, worker->foreground.loop, NULL);
}

static void end_metrics(struct worker *worker)
{
    if (!worker->files)
        return;
    ev_timer_stop(worker->foreground.loop, &worker->tick);
    mailbox_destroy(worker->files);
    unlink(worker->options.metrics); /* the metrics are out of date once the worker has ended */
}

/* ---- the run ---- */

static void crowded(void *owner, const char *words)
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
                                               .crowded_fn = crowded,
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
                                                     .fault_fn = tell_fault,
                                                     .link_fn = link_changed,
                                                     .work_fn = work_is_there,
                                                     .ended_fn = connection_ended};
    struct ev_loop *loop = worker->foreground.loop;
    int error = options->metrics ? begin_metrics(worker) : 0;

    if (error)
        return error;
    ev_timer_init(&worker->again, ask_again, 0., 0.);
    ev_timer_init(&worker->drain, drained, (double)options->drain_s, 0.);
    ev_timer_init(&worker->forget, forget_bots, FORGET_S, FORGET_S);
    worker->again.data = worker->drain.data = worker->forget.data = worker;
    ev_timer_start(loop, &worker->forget);
    worker->jobs.count = options->worker.job_count;
    worker->staging = staging_create(loop, &of_staging);
    worker->connection = worker->staging ? connection_create(loop, &of_connection) : NULL;
    return worker->connection ? 0 : -errno;
}

static void take_apart(struct worker *worker)
{
    ev_timer_stop(worker->foreground.loop, &worker->again);
    ev_timer_stop(worker->foreground.loop, &worker->drain);
    ev_timer_stop(worker->foreground.loop, &worker->forget);
    while (worker->seasons) {
        struct played_season *season = worker->seasons;

        worker->seasons = season->next;
        destroy_season(season);
    }
    connection_destroy(worker->connection);
    staging_destroy(worker->staging);
    end_metrics(worker);
    while (worker->bots) {
        struct worker_bot *bot = worker->bots;

        worker->bots = bot->next;
        free_bot(bot);
    }
}

int worker_run(const struct worker_options *options, struct worker_report *report)
{
    struct worker *worker = calloc(1, sizeof *worker);
    int error = worker ? 0 : -ENOMEM;

    *report = (struct worker_report){0};
    if (worker && stop_is_asked()) {
        free(worker);
        return 0;
    }
    if (worker) {
        worker->options = *options;
        worker->report = report;
        error = foreground_open(&worker->foreground, interrupted, worker);
    }
    if (!error) {
        error = assemble(worker);
        if (!error) {
            options->log_fn(WORKER_STARTED, options->worker.name, "claiming and playing groups");
            ask(worker);
            foreground_wait(&worker->foreground);
            options->log_fn(WORKER_STOPPED, options->worker.name,
                            "its groups are finished or given back");
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
