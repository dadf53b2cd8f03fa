#include "arena/season/season_thread.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/alarm.h"
#include "arena/play/mailbox.h"

enum {
    PRUNE_EVERY = 32, /* games stored between two prunings of replays */
};

struct season_thread {
    struct season_thread_options options;
    struct mailbox *mailbox;
    struct season_standing standing; /* the latest state of the season; used by the loop */

    /* Runs after all other errands: removes the replays that are still to be removed. */
    struct errand last;
    bool is_ending; /* `last` is queued: no more callbacks */
    void (*ended_fn)(void *owner);

    /* Only the thread uses these fields. */
    struct leaders leaders;
    int rated_batch_count; /* number of rated batches when the leaders were computed */
    int unpruned_count;    /* number of games stored since the last pruning of replays */
};

/*
 * A request to the thread. The thread fills in the answer, and the loop receives the same request.
 */
struct request {
    struct errand errand; /* must be the first field: the errand's functions cast from it */
    struct season_thread *thread;
    /* For season_thread_ask: the answer; for season_thread_return: the game. */
    struct season_pick pick;
    struct game_result *result; /* for season_thread_store: the result; owned */
    /* For season_thread_look: the running games; in the answer, those that are void; owned. */
    struct season_game *games;
    size_t game_count;
    bool is_open; /* for season_thread_look: games may begin */
    int outcome;  /* return value of season_next, season_record or season_look */
    char failure[SEASON_THREAD_FAILURE_BYTES];
    struct season_standing standing;
};

/* ---- functions that run in the thread ---- */

static void fill_standing(const struct season_thread *thread, struct season_standing *standing)
{
    const struct season *season = thread->options.season;

    standing->stored_count = season->schedule.played_count;
    standing->budget_games = season_game_budget(season);
    standing->leaders = thread->leaders;
}

/* Fills in the request's answer. */
static void answer(struct request *request, int outcome)
{
    const struct season_thread *thread = request->thread;

    request->outcome = outcome;
    if (outcome < 0)
        snprintf(request->failure, sizeof request->failure, "%s",
                 outcome == -ENOMEM ? "out of memory"
                                    : store_failure(thread->options.season->store));
    fill_standing(thread, &request->standing);
}

static void run_ask(struct errand *errand)
{
    struct request *request = (struct request *)errand;
    struct season_thread *thread = request->thread;
    struct season *season = thread->options.season;
    struct season_pick *pick = &request->pick;
    int step = season_next(season, &pick->game);

    if (step == SEASON_GAME)
        for (int seat = 0; seat < pick->game.player_count; seat++)
            pick->bots[seat] = season->roster.members[pick->game.entries[seat]].bot;
    if (thread->options.finds_leaders &&
        season->schedule.rated_batch_count != thread->rated_batch_count) {
        thread->rated_batch_count = season->schedule.rated_batch_count;
        leaders_find(&thread->leaders, season);
    }
    answer(request, step);
}

static void run_return(struct errand *errand)
{
    struct request *request = (struct request *)errand;

    season_return(request->thread->options.season, &request->pick.game);
    answer(request, 0);
}

static void run_store(struct errand *errand)
{
    struct request *request = (struct request *)errand;
    struct season *season = request->thread->options.season;
    const struct game_result *result = request->result;
    int error = season_record(season, &result->game, result->replay, result->replay_bytes);

    if (error) /* not stored, so not played: season_next returns the game again in the next run */
        season_return(season, &result->played);
    else
        request->thread->unpruned_count++;
    answer(request, error);
}

static void run_look(struct errand *errand)
{
    struct request *request = (struct request *)errand;
    struct season *season = request->thread->options.season;
    bool given_up[SEASON_THREAD_LOOK_MAX];
    size_t count = 0;
    int changed =
        season_look(season, alarm_time_us(), request->games, request->game_count, given_up);

    for (size_t i = 0; i < request->game_count; i++)
        if (given_up[i])
            request->games[count++] = request->games[i];
    request->game_count = count;
    request->is_open = season_is_open(season);
    answer(request, changed);
}

/*
 * Removes some replays while no request waits. Replays that cannot be removed now, for example
 * because the disk is full, are left to a later call or to `arena prune`.
 */
static int64_t prune_some(void *owner)
{
    struct season_thread *thread = owner;

    if (thread->unpruned_count >= PRUNE_EVERY) {
        thread->unpruned_count = 0;
        season_prune(thread->options.season);
    }
    return INT64_MAX;
}

static void run_last(struct errand *errand)
{
    struct season_thread *thread =
        (struct season_thread *)((char *)errand - offsetof(struct season_thread, last));

    while (season_prune(thread->options.season) > 0)
        ;
}

/* ---- functions that run on the loop ---- */

static void destroy_request(struct request *request)
{
    result_destroy(request->result);
    free(request->games);
    free(request);
}

/* Copies the standing from an answer. Returns whether the owner still expects the answer. */
static bool take_standing(struct request *request)
{
    request->thread->standing = request->standing;
    return !request->thread->is_ending;
}

static void asked(struct errand *errand)
{
    struct request *request = (struct request *)errand;
    const struct season_thread_options *options = &request->thread->options;

    if (take_standing(request))
        options->told_fn(options->owner, request->outcome, &request->pick, request->failure);
    destroy_request(request);
}

static void returned(struct errand *errand)
{
    struct request *request = (struct request *)errand;

    take_standing(request);
    destroy_request(request);
}

static void stored(struct errand *errand)
{
    struct request *request = (struct request *)errand;
    const struct season_thread_options *options = &request->thread->options;

    if (take_standing(request))
        options->stored_fn(options->owner, request->result, request->outcome, request->failure);
    destroy_request(request);
}

static void looked(struct errand *errand)
{
    struct request *request = (struct request *)errand;
    const struct season_thread_options *options = &request->thread->options;
    const struct season_view view = {.changed = request->outcome > 0,
                                     .is_open = request->is_open,
                                     .void_games = request->games,
                                     .void_count = request->game_count};

    if (take_standing(request))
        options->looked_fn(options->owner, request->outcome < 0 ? NULL : &view, request->failure);
    destroy_request(request);
}

static void ended(struct errand *errand)
{
    struct season_thread *thread =
        (struct season_thread *)((char *)errand - offsetof(struct season_thread, last));

    if (thread->ended_fn)
        thread->ended_fn(thread->options.owner); /* ended_fn may destroy the thread */
}

struct season_thread *season_thread_create(struct ev_loop *loop,
                                           const struct season_thread_options *options)
{
    struct season_thread *thread = calloc(1, sizeof *thread);
    int error;

    if (!thread)
        return NULL;
    thread->options = *options;
    thread->last = (struct errand){.run_fn = run_last, .done_fn = ended};
    thread->rated_batch_count = -1;
    fill_standing(thread, &thread->standing);
    error = mailbox_create(&thread->mailbox, loop,
                           &(struct mailbox_options){.owner = thread, .due_fn = prune_some});
    if (!error)
        return thread;
    free(thread);
    errno = -error;
    return NULL;
}

void season_thread_end(struct season_thread *thread, void (*ended_fn)(void *owner))
{
    thread->ended_fn = ended_fn;
    thread->is_ending = true;
    mailbox_add(thread->mailbox, &thread->last);
}

void season_thread_destroy(struct season_thread *thread)
{
    if (!thread)
        return;
    if (!thread->is_ending)
        season_thread_end(thread, NULL);
    thread->ended_fn = NULL;
    mailbox_destroy(thread->mailbox);
    free(thread);
}

/*
 * Returns an empty request, or NULL. Urgent requests, which a free slot waits for, run before
 * results are stored.
 */
static struct request *make_request(struct season_thread *thread,
                                    void (*run_fn)(struct errand *errand),
                                    void (*done_fn)(struct errand *errand), bool is_urgent)
{
    struct request *request = calloc(1, sizeof *request);

    if (request) {
        request->errand =
            (struct errand){.run_fn = run_fn, .done_fn = done_fn, .is_urgent = is_urgent};
        request->thread = thread;
    }
    return request;
}

int season_thread_ask(struct season_thread *thread)
{
    struct request *request = make_request(thread, run_ask, asked, true);

    if (!request)
        return -ENOMEM;
    mailbox_add(thread->mailbox, &request->errand);
    return 0;
}

int season_thread_look(struct season_thread *thread, const struct season_game *games, size_t count)
{
    struct request *request = make_request(thread, run_look, looked, true);

    assert(count <= SEASON_THREAD_LOOK_MAX);
    if (request)
        request->games = malloc((count + 1) * sizeof *games);
    if (!request || !request->games) {
        free(request);
        return -ENOMEM;
    }
    memcpy(request->games, games, count * sizeof *games);
    request->game_count = count;
    mailbox_add(thread->mailbox, &request->errand);
    return 0;
}

int season_thread_return(struct season_thread *thread, const struct season_game *game)
{
    struct request *request = make_request(thread, run_return, returned, true);

    if (!request)
        return -ENOMEM;
    request->pick.game = *game;
    mailbox_add(thread->mailbox, &request->errand);
    return 0;
}

int season_thread_store(struct season_thread *thread, struct game_result *result)
{
    struct request *request = make_request(thread, run_store, stored, false);

    if (!request) {
        result_destroy(result);
        return -ENOMEM;
    }
    request->result = result;
    mailbox_add(thread->mailbox, &request->errand);
    return 0;
}

const struct season_standing *season_thread_standing(const struct season_thread *thread)
{
    return &thread->standing;
}
