/* SPDX-License-Identifier: MIT */
/*
 * The player runs on the event loop that also serves the bots. A thread of its own owns the season
 * and the season's store: the thread chooses games and stores results, because choosing a large
 * batch can take seconds, and so can a slow disk. The loop sends requests to the thread and gets
 * its answers (play/mailbox.h). The thread stores results in the order in which they arrive, each
 * in its own transaction. A game counts as stored once the transaction is committed; if the process
 * is killed, uncommitted games are lost and will be played again.
 */
#include "arena/season/player.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/alarm.h"
#include "arena/play/foreground.h"
#include "arena/play/mailbox.h"
#include "arena/rating/elo.h"
#include "arena/base/plain_text.h"
#include "arena/season/staging.h"
#include "arena/base/clock.h"

enum {
    UNBEGUN_MAX = 64, /* maximum number of games that wait for their bots to be unpacked */
    /* While this many results wait to be stored, the player requests no new game. */
    UNSTORED_MAX = 64,
    LOOK_MAX = RUNNER_JOBS_MAX + UNBEGUN_MAX,
    LOOK_MS = 500,    /* pause between two looks for changes made by other processes */
    PRUNE_EVERY = 32, /* number of games stored between two prunings of replays */
    FAILURE_BYTES = STORE_WHERE_BYTES + 512,
};

/* A game to be played, and its bots. */
struct pick {
    struct season_game game;
    struct store_bot bots[GAME_PLAYERS_MAX]; /* indexed by seat */
};

struct player {
    struct player_options options;
    struct player_report report;
    struct staging *staging;
    struct runner *runner;
    struct ev_loop *loop;
    struct wire_clock clock; /* copy of the season's clock */
    bool tells_names;        /* bots learn the names of their opponents */
    struct foreground
        *foreground; /* loop of player_run; NULL: the player runs on its owner's loop */
    /* Timer that calls ended_fn from the loop, so that ended_fn may destroy the player. */
    ev_timer over;
    struct alarm look; /* alarm that makes the player look for changes again */
    struct season_game
        games[RUNNER_JOBS_MAX];       /* by slot of the runner: the game that is played there */
    bool is_playing[RUNNER_JOBS_MAX]; /* by slot of the runner: whether a game is played there */
    struct pick unbegun[UNBEGUN_MAX];
    int unbegun_count;
    int unstored_count;
    bool asking;         /* a request for a game is pending */
    bool rests;          /* no game can begin until a result is stored or something changes */
    bool has_told_all;   /* no more games begin in this run */
    int64_t taken_count; /* number of games received from the season */

    struct mailbox *mailbox; /* mailbox of the thread; NULL after the thread has ended */
    /* Work for the thread after all requests: removes replays that the season does not keep. */
    struct errand last;
    bool is_ending; /* `last` was added: the loop ignores further answers */
    bool is_destroyed;

    /* Only the thread uses the fields below. */
    struct season *season;
    struct leaders leaders;
    int rated_batch_count; /* number of rated batches when the leaders were computed */
    int unpruned_count;    /* number of games stored since the last pruning of replays */
};

/* A request to the thread, which fills in the answer and sends the request back to the loop. */
struct request {
    /* Must be the first field: its callbacks cast struct errand * to this struct. */
    struct errand errand;
    struct player *player;
    struct pick pick; /* the game that the thread has chosen, or that the loop gives back */
    struct game_result *result; /* store: the result; owned */
    /* look: the running games; in the answer, those that became void; owned */
    struct season_game *games;
    size_t game_count;
    bool is_open; /* look: games may begin */
    int outcome;  /* return value of season_next, season_record or season_look */
    char failure[FAILURE_BYTES];
    struct season_standing standing;
};

/* Lets no more games begin, and reports the first failure. */
static void fail(struct player *player, const char *what)
{
    struct player_report *report = &player->report;

    if (!report->failed)
        snprintf(report->error, sizeof report->error, "%s", what);
    report->failed = true;
    runner_drain(player->runner);
}

/* ---- in the thread ---- */

/*
 * Moves the best active bot that can hold a rank from bots to leaders. Returns false if none is
 * left.
 */
static bool add_best(struct leaders *leaders, const struct season *season, struct elo_bot *bots,
                     int count)
{
    int best = SCHEDULE_NOBODY;

    for (int i = 0; i < count; i++)
        if (bots[i].started && season->schedule.entries[i].active &&
            !season->roster.members[i].bot.reference &&
            (best == SCHEDULE_NOBODY || bots[i].rating_micro > bots[best].rating_micro))
            best = i;
    if (best == SCHEDULE_NOBODY)
        return false;
    bots[best].started = false;
    snprintf(leaders->names[leaders->count], sizeof leaders->names[0], "%s",
             season->roster.members[best].bot.name);
    leaders->elo[leaders->count++] = (double)bots[best].rating_micro / 1e6;
    return true;
}

/* Lists the best by live Elo. Leaves *leaders unchanged on failure. */
static void find_leaders(struct leaders *leaders, const struct season *season)
{
    const struct schedule *schedule = &season->schedule;
    /* Can be less than entry_count: new bots are unrated at first. */
    int count = schedule->rated.bot_count;
    struct elo_bot *bots;
    int *previous;

    if (!schedule->rated_valid)
        return;
    bots = calloc((size_t)count + 1, sizeof *bots);
    previous = calloc((size_t)count + 1, sizeof *previous);
    if (bots && previous) {
        for (int i = 0; i < count; i++)
            previous[i] = schedule->entries[i].previous;
        elo_rate(&schedule->rated, previous, 0, bots, NULL, NULL);
        leaders->count = 0;
        while (leaders->count < PROGRESS_LEADERS && add_best(leaders, season, bots, count))
            ;
    }
    free(bots);
    free(previous);
}

static void fill_standing(const struct player *player, struct season_standing *standing)
{
    const struct season *season = player->season;

    standing->counts = season_counts(season);
    standing->budget_games = season_game_budget(season);
    standing->leaders = player->leaders;
    memcpy(standing->paused, season->terms.paused, sizeof standing->paused);
}

static void answer(struct request *request, int outcome)
{
    const struct player *player = request->player;

    request->outcome = outcome;
    if (outcome < 0)
        snprintf(request->failure, sizeof request->failure, "%s",
                 outcome == -ENOMEM ? "out of memory" : store_failure(player->season->store));
    fill_standing(player, &request->standing);
}

static void run_ask(struct errand *errand)
{
    struct request *request = (struct request *)errand;
    struct player *player = request->player;
    struct season *season = player->season;
    struct pick *pick = &request->pick;
    int step = season_next(season, &pick->game);

    if (step == SEASON_GAME)
        for (int seat = 0; seat < pick->game.player_count; seat++)
            pick->bots[seat] = season->roster.members[pick->game.entries[seat]].bot;
    if (player->options.tick_fn &&
        season->schedule.rated_batch_count != player->rated_batch_count) {
        player->rated_batch_count = season->schedule.rated_batch_count;
        find_leaders(&player->leaders, season);
    }
    answer(request, step);
}

static void run_return(struct errand *errand)
{
    struct request *request = (struct request *)errand;

    season_return(request->player->season, &request->pick.game);
    answer(request, 0);
}

static void run_store(struct errand *errand)
{
    struct request *request = (struct request *)errand;
    struct season *season = request->player->season;
    const struct game_result *result = request->result;
    int error = season_record(season, &result->game, result->replay, result->replay_bytes);

    if (error) /* the game is not stored, so season_next returns the game again in the next run */
        season_return(season, &result->played);
    else
        request->player->unpruned_count++;
    answer(request, error);
}

static void run_look(struct errand *errand)
{
    struct request *request = (struct request *)errand;
    struct season *season = request->player->season;
    bool given_up[LOOK_MAX];
    size_t count = 0;
    int changed =
        season_look(season, clock_time_us(), request->games, request->game_count, given_up);

    for (size_t i = 0; i < request->game_count; i++)
        if (given_up[i])
            request->games[count++] = request->games[i];
    request->game_count = count;
    request->is_open = season_is_open(season);
    answer(request, changed);
}

/*
 * Removes some replays while no request waits. Replays that cannot be removed now, for example
 * because the disk is full, are left to a later call or to `arena season prune`.
 */
static int64_t prune_some(void *owner)
{
    struct player *player = owner;

    if (player->unpruned_count >= PRUNE_EVERY) {
        player->unpruned_count = 0;
        season_prune(player->season);
    }
    return INT64_MAX;
}

static void run_last(struct errand *errand)
{
    struct player *player = (struct player *)((char *)errand - offsetof(struct player, last));

    while (season_prune(player->season) > 0)
        ;
}

/* ---- requests ---- */

/* Returns an empty request. If memory runs out, makes the run fail and returns NULL. */
static struct request *make_request(struct player *player, void (*run_fn)(struct errand *errand),
                                    void (*done_fn)(struct errand *errand))
{
    struct request *request = calloc(1, sizeof *request);

    if (!request) {
        fail(player, "out of memory");
        return NULL;
    }
    request->errand = (struct errand){.run_fn = run_fn, .done_fn = done_fn};
    request->player = player;
    return request;
}

/* Sends a request to the thread; an urgent one, for which a slot waits, runs before others. */
static void send(struct request *request, bool is_urgent)
{
    request->errand.is_urgent = is_urgent;
    mailbox_add(request->player->mailbox, &request->errand);
}

/* Copies the progress from an answer. Returns NULL if the player is ending, and ignores answers. */
static struct player *take_answer(const struct request *request)
{
    struct player *player = request->player;
    bool was_paused;

    if (player->is_ending)
        return NULL;
    was_paused = *player->report.standing.paused;
    player->report.standing = request->standing;
    if (was_paused != (*request->standing.paused != '\0') && player->options.paused_fn)
        player->options.paused_fn(player->options.owner, &player->report);
    return player;
}

static void destroy_request(struct request *request)
{
    result_destroy(request->result);
    free(request->games);
    free(request);
}

static void returned(struct errand *errand)
{
    struct request *request = (struct request *)errand;

    take_answer(request);
    destroy_request(request);
}

static void return_game(struct player *player, const struct season_game *game)
{
    struct request *request = make_request(player, run_return, returned);

    if (!request)
        return;
    request->pick.game = *game;
    send(request, true);
}

/* ---- beginning games ---- */

static void asked(struct errand *errand);

static void ask(struct player *player)
{
    struct request *request;

    if (player->asking || player->rests || player->has_told_all || player->report.failed ||
        player->unbegun_count == UNBEGUN_MAX || player->unstored_count >= UNSTORED_MAX)
        return;
    request = make_request(player, run_ask, asked);
    player->asking = request != NULL;
    if (request)
        send(request, true);
}

static bool is_staged(struct player *player, const struct pick *told)
{
    for (int seat = 0; seat < told->game.player_count; seat++)
        if (staging_want(player->staging, told->game.entries[seat], &told->bots[seat], NULL) !=
            STAGING_READY)
            return false;
    return true;
}

/* Returns the seat of a bot that staging leaves out; -1 if there is none. */
static int find_left_out(struct player *player, const struct pick *told)
{
    for (int seat = 0; seat < told->game.player_count; seat++)
        if (staging_want(player->staging, told->game.entries[seat], &told->bots[seat], NULL) ==
            STAGING_LEFT_OUT)
            return seat;
    return -1;
}

static void fill_game(const struct player *player, const struct pick *told,
                      struct runner_game *filled)
{
    const struct season_game *game = &told->game;

    *filled = (struct runner_game){0};
    snprintf(filled->terms.id, sizeof filled->terms.id, "%s", game->id);
    memcpy(filled->terms.seed, game->seed, sizeof filled->terms.seed);
    filled->terms.player_count = game->player_count;
    filled->terms.board = game->board;
    filled->terms.clock = player->clock;
    for (int seat = 0; seat < game->player_count; seat++) {
        filled->sources[seat] = staging_source(player->staging, game->entries[seat]);
        if (player->tells_names)
            memcpy(filled->terms.names[seat], told->bots[seat].name, sizeof told->bots[seat].name);
    }
}

static void remove_unbegun(struct player *player, int which)
{
    struct pick *at = &player->unbegun[which];

    memmove(at, at + 1, (size_t)(--player->unbegun_count - which) * sizeof *at);
}

/*
 * Leaves out the games of bots that staging leaves out: in this run the season takes them for
 * begun, and goes on with the games of the other bots.
 */
static void leave_out_games(struct player *player)
{
    struct player_report *report = &player->report;

    for (int i = player->unbegun_count - 1; i >= 0; i--) {
        const struct pick *told = &player->unbegun[i];
        const int seat = find_left_out(player, told);

        if (seat < 0)
            continue;
        if (!*report->lack)
            snprintf(report->lack, sizeof report->lack,
                     "games of bot %s %s wait: %.300s, or ban the bot with its games (`arena ban "
                     "%s --void`)",
                     told->bots[seat].name, told->bots[seat].version,
                     staging_lack(player->staging, told->game.entries[seat]),
                     told->bots[seat].name);
        player->taken_count--;
        remove_unbegun(player, i);
    }
}

/*
 * Fills *game with the oldest game whose bots are unpacked. If there is none, requests a game from
 * the season and returns false.
 */
static bool next_game(void *owner, int slot, struct runner_game *game)
{
    struct player *player = owner;

    leave_out_games(player);
    for (int i = 0; i < player->unbegun_count; i++) {
        struct pick *told = &player->unbegun[i];

        if (!is_staged(player, told))
            continue;
        player->games[slot] = told->game;
        player->is_playing[slot] = true;
        fill_game(player, told, game);
        game->number = (uint64_t)slot;
        remove_unbegun(player, i);
        return true;
    }
    ask(player);
    return false;
}

static bool limit_is_reached(const struct player *player, const struct season_game *game)
{
    return player->options.game_limit && game->rotation == 0 &&
           player->taken_count >= player->options.game_limit;
}

static void take_game(struct player *player, const struct pick *told)
{
    if (limit_is_reached(player, &told->game)) {
        player->has_told_all = true;
        return_game(player, &told->game);
        return;
    }
    player->taken_count++;
    player->unbegun[player->unbegun_count++] = *told;
    /* Request all bots now, so that they are unpacked while other games are played. */
    for (int seat = 0; seat < told->game.player_count; seat++)
        if (staging_want(player->staging, told->game.entries[seat], &told->bots[seat], NULL) < 0)
            fail(player, "out of memory");
}

/* Gives back the games that have not begun: the season was closed, and their seeds are known. */
static void return_unbegun(struct player *player)
{
    while (player->unbegun_count > 0)
        return_game(player, &player->unbegun[--player->unbegun_count].game);
}

static void asked(struct errand *errand)
{
    struct request *request = (struct request *)errand;
    struct player *player = take_answer(request);
    int step = request->outcome;

    if (player) {
        player->asking = false;
        player->report.step = step;
        if (step == SEASON_GAME)
            take_game(player, &request->pick);
        else if (step >= 0 || step == -EDOM)
            player->rests = true;
        else
            fail(player, request->failure);
        if (step == SEASON_CLOSED)
            return_unbegun(player);
        runner_wake(player->runner);
    }
    destroy_request(request);
}

/* ---- changes made by others ---- */

static bool is_same(const struct season_game *a, const struct season_game *b)
{
    return a->group == b->group && a->rotation == b->rotation && a->opening == b->opening;
}

/* Ends the slot's game without a result. Returns false if the game already has a result. */
static bool give_up_slot(struct player *player, int slot)
{
    if (!runner_give_up(player->runner, slot))
        return false;
    player->is_playing[slot] = false;
    player->report.void_count++;
    return true;
}

/* Ends a game whose result would be void, and gives the game back to the season. */
static void give_up(struct player *player, const struct season_game *game)
{
    bool given_up = false;

    for (int slot = 0; slot < player->options.job_count; slot++)
        if (player->is_playing[slot] && is_same(&player->games[slot], game))
            given_up |= give_up_slot(player, slot);
    for (int i = player->unbegun_count - 1; i >= 0; i--) {
        if (!is_same(&player->unbegun[i].game, game))
            continue;
        remove_unbegun(player, i);
        given_up = true;
    }
    if (given_up)
        return_game(player, game);
}

static void looked(struct errand *errand)
{
    struct request *request = (struct request *)errand;
    struct player *player = take_answer(request);
    bool changed = request->outcome > 0;

    if (player && request->outcome < 0) {
        fail(player, request->failure);
    } else if (player) {
        for (size_t i = 0; i < request->game_count; i++)
            give_up(player, &request->games[i]);
        if (!request->is_open) {
            player->report.step = SEASON_CLOSED;
            return_unbegun(player);
        } else if (changed || player->report.step == SEASON_RESTS) {
            player->rests = false;
        }
        alarm_set(&player->look, clock_now_us() + LOOK_MS * 1000);
        if (!player->rests || request->game_count > 0)
            runner_wake(player->runner);
    }
    destroy_request(request);
}

static void look(struct alarm *alarm)
{
    struct player *player = alarm->owner;
    struct request *request = make_request(player, run_look, looked);

    if (!request)
        return;
    request->games = calloc(LOOK_MAX, sizeof *request->games);
    if (!request->games) {
        fail(player, "out of memory");
        free(request);
        return;
    }
    for (int slot = 0; slot < player->options.job_count; slot++)
        if (player->is_playing[slot])
            request->games[request->game_count++] = player->games[slot];
    for (int i = 0; i < player->unbegun_count; i++)
        request->games[request->game_count++] = player->unbegun[i].game;
    send(request, true);
}

static void staged(void *owner, int entry, const char *error)
{
    struct player *player = owner;

    (void)entry;
    if (error)
        fail(player, error);
    runner_wake(player->runner);
}

static void warn(void *owner, const char *words)
{
    const struct player *player = owner;

    if (player->options.warn_fn)
        player->options.warn_fn(player->options.owner, words);
}

/* Called when no game is running. Returns whether the run continues. */
static bool waits(void *owner, bool begins)
{
    const struct player *player = owner;

    return player->unstored_count > 0 ||
           (begins && !player->report.failed &&
            (player->asking || player->unbegun_count > 0 || player->report.step == SEASON_RESTS));
}

/* ---- storing results ---- */

static void stored(struct errand *errand)
{
    struct request *request = (struct request *)errand;
    const struct store_game *game = &request->result->game;
    struct player *player = take_answer(request);

    if (player) {
        player->unstored_count--;
        player->rests = false; /* the next batch may have waited for this result */
        if (request->outcome == -ECANCELED) {
            player->report.void_count++; /* the season was closed before the result was stored */
        } else if (request->outcome) {
            fail(player, request->failure);
        } else {
            player->report.played_count++;
            for (int seat = 0; seat < game->player_count; seat++)
                player->report.forfeit_count += game->seats[seat].reason != WIRE_PLAYED;
        }
        runner_wake(player->runner);
    }
    destroy_request(request);
}

static void game_done(void *owner, const struct runner_game *ended, const struct table *table)
{
    struct player *player = owner;
    struct game_result *result = result_of_table(&player->games[ended->number], table);
    struct request *request = make_request(player, run_store, stored);

    player->is_playing[ended->number] = false;
    if (player->options.over_fn)
        player->options.over_fn(player->options.owner, table);
    if (!result || !request) {
        fail(player, "out of memory");
        result_destroy(result);
        free(request);
        return;
    }
    request->result = result;
    player->unstored_count++;
    send(request, false);
}

/* ---- the course and the end of a run ---- */

static void tick(void *owner)
{
    struct player *player = owner;

    player->options.tick_fn(player->options.owner, &player->report);
}

static void tell_ended(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct player *player = timer->data;

    if (player->foreground)
        foreground_end(player->foreground);
    else
        player->options.ended_fn(player->options.owner, &player->report);
}

static void stage_removed(void *owner)
{
    struct player *player = owner;

    ev_timer_start(player->loop, &player->over);
}

static void thread_ended(struct errand *errand)
{
    struct player *player = (struct player *)((char *)errand - offsetof(struct player, last));

    if (player->is_destroyed)
        return;
    mailbox_destroy(player->mailbox); /* from here on the season's owner may use the season */
    player->mailbox = NULL;
    staging_remove(player->staging, stage_removed);
}

/* Finishes pending requests, including results to be stored; then runs `last`. */
static void end_thread(struct player *player)
{
    player->is_ending = true;
    mailbox_add(player->mailbox, &player->last);
}

/*
 * Called when the runner has ended all games. Ends the thread and removes the unpacked bots without
 * blocking the loop, which other runners may use.
 */
static void ended(void *owner)
{
    struct player *player = owner;
    struct sandbox_failure failure;

    if (runner_failed(player->runner, &failure) && !player->report.failed) {
        snprintf(player->report.error, sizeof player->report.error,
                 "a game failed %d times: %s: %s", RUNNER_ATTEMPTS, failure.step,
                 strerror(failure.error));
        player->report.failed = true;
    }
    alarm_close(&player->look, player->loop);
    end_thread(player);
}

static int assemble(struct player *player, struct ev_loop *loop)
{
    const struct player_options *options = &player->options;
    const struct staging_options of_staging = {.url = store_url(player->season->store),
                                               .program = options->program,
                                               .sandbox = options->sandbox,
                                               .staged_fn = staged,
                                               .warn_fn = warn,
                                               .owner = player};
    const struct mailbox_options of_mailbox = {.owner = player, .due_fn = prune_some};
    const struct runner_options of_runner = {.job_count = options->job_count,
                                             .repeats_starts = true,
                                             .jobs = options->jobs,
                                             .is_practice = options->is_practice,
                                             .pin = options->pin,
                                             .rules = options->rules,
                                             .owner = player,
                                             .next_fn = next_game,
                                             .waits_fn = waits,
                                             .done_fn = game_done,
                                             .warn_fn = warn,
                                             .tick_fn = options->tick_fn ? tick : NULL};
    int error;

    player->staging = staging_create(loop, &of_staging);
    if (!player->staging)
        return -errno;
    fill_standing(player, &player->report.standing);
    if ((error = mailbox_create(&player->mailbox, loop, &of_mailbox)) < 0 ||
        (error = alarm_open(&player->look, loop, look, player)) < 0)
        return error;
    alarm_set(&player->look, clock_now_us() + LOOK_MS * 1000);
    player->runner = runner_create(&of_runner, options->transport);
    if (!player->runner)
        return -errno;
    return runner_start(player->runner, loop, ended, player);
}

struct player *player_start(struct ev_loop *loop, const struct player_options *options)
{
    struct player *player = calloc(1, sizeof *player);
    int error;

    if (!player)
        return NULL;
    player->options = *options;
    player->season = options->season;
    player->clock = options->season->terms.clock;
    player->tells_names = options->season->terms.is_practice;
    player->loop = loop;
    ev_timer_init(&player->over, tell_ended, 0., 0.);
    player->over.data = player;
    player->report.step = SEASON_GAME;
    player->last = (struct errand){.run_fn = run_last, .done_fn = thread_ended};
    player->rated_batch_count = -1;
    error = assemble(player, loop);
    if (!error)
        return player;
    player_destroy(player);
    errno = -error;
    return NULL;
}

void player_games_each(const struct player *player,
                       void (*game_fn)(void *context, const struct table *table), void *context)
{
    runner_tables_each(player->runner, game_fn, context);
}

void player_interrupt(struct player *player)
{
    player->report.was_stopped = true;
    runner_interrupt(player->runner);
}

const struct player_report *player_report(const struct player *player)
{
    return &player->report;
}

void player_destroy(struct player *player)
{
    if (!player)
        return;
    alarm_close(&player->look, player->loop);
    if (player->loop)
        ev_timer_stop(player->loop, &player->over);
    runner_destroy(player->runner);
    player->is_destroyed = true;
    if (player->mailbox && !player->is_ending)
        end_thread(player);
    mailbox_destroy(player->mailbox);
    staging_destroy(player->staging);
    free(player);
}

/* ---- in the foreground: on a loop of its own; signals interrupt the player ---- */

static void interrupt_run(void *owner)
{
    player_interrupt(*(struct player **)owner);
}

int player_run(const struct player_options *options, struct player_report *report)
{
    struct foreground foreground;
    struct player *player;
    int error;

    *report = (struct player_report){.step = SEASON_GAME};
    if (stop_is_asked()) {
        report->was_stopped = true;
        return 0;
    }
    error = foreground_open(&foreground, interrupt_run, &player);
    if (!error) {
        player = player_start(foreground.loop, options);
        if (player) {
            player->foreground = &foreground;
            foreground_wait(&foreground);
            *report = player->report;
        } else {
            error = -errno;
        }
        player_destroy(player);
        foreground_close(&foreground);
    }
    if (error) {
        report->failed = true;
        snprintf(report->error, sizeof report->error, "the season cannot be played: %s",
                 strerror(-error));
    }
    return report->failed ? -1 : 0;
}

/* ---- the line of progress ---- */

static void print_left(FILE *line, double seconds)
{
    if (seconds < 100)
        fprintf(line, ", %.0f s left", seconds);
    else if (seconds < 100 * 60)
        fprintf(line, ", %.0f min left", seconds / 60);
    else
        fprintf(line, ", %.1f h left", seconds / 3600);
}

void progress_write(const struct progress *progress, size_t columns,
                    char line[static PROGRESS_LINE_BYTES])
{
    FILE *stream = fmemopen(line, PROGRESS_LINE_BYTES, "w");
    double seconds = (double)progress->run_us / 1e6;
    double rate = seconds > 0 ? (double)progress->run_count / seconds : 0;

    *line = '\0';
    if (!stream)
        return;
    fprintf(stream, "%" PRId64 "/%" PRId64 " game%s", progress->done_count, progress->budget_games,
            plain_text_s(progress->budget_games));
    if (progress->ending) {
        fprintf(stream, ", ending (press Ctrl-C again to stop at once)");
    } else if (progress->is_paused) {
        fprintf(stream, ", paused");
    } else if (rate > 0) {
        fprintf(stream, ", %.1f a second", rate);
        seconds = (double)(progress->budget_games - progress->done_count) / rate;
        print_left(stream, progress->until_s && (double)progress->until_s < seconds
                               ? (double)progress->until_s
                               : seconds);
    }
    fprintf(stream, ", %" PRId64 " forfeit%s", progress->forfeit_count,
            plain_text_s(progress->forfeit_count));
    for (int i = 0; i < progress->leaders.count; i++)
        fprintf(stream, "%s %s %.0f", i ? "," : ";", progress->leaders.names[i],
                progress->leaders.elo[i]);
    fclose(stream);
    if (columns < PROGRESS_LINE_BYTES)
        line[columns] = '\0'; /* names are ASCII, so this cannot split a character */
}
