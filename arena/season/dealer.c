/* SPDX-License-Identifier: MIT */
#include "arena/season/dealer.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/mailbox.h"
#include "arena/season/breaker.h"
#include "arena/season/judge.h"
#include "arena/store/leases.h"
#include "arena/base/clock.h"

enum {
    LOOK_MS = 500,       /* pause between two reads of the store if no notification arrives */
    LOST_LOOK_MS = 2000, /* pause between two attempts to read the store while it does not answer */
    PRUNE_EVERY = 32,    /* number of games stored between two prunings of replays */
    AGAIN_MS = 60000,    /* pause between two offers of all groups that are not played */
    /* Number of groups offered in one transaction, which must end long before the claim does. */
    DEALT_MAX = 256,
    WARNING_BYTES = 1024,
};

/* Only the dealer's thread, which offers games to workers, uses the fields below `stop`. */
struct dealer {
    struct dealer_options options;
    bool is_told_last; /* the loop has called ended_fn; only the loop uses this field */
    struct mailbox *mailbox;
    struct errand stop;
    struct player_report report;
    int64_t begun_with;   /* number of stored games when the dealer started */
    int64_t pruned_at;    /* number of stored games at the last pruning */
    int dealt_count;      /* all groups with a lower number were offered to workers, or played */
    int dealt_opening;    /* opening in which those groups were offered */
    int dealt_connection; /* season->connection when those groups were offered */
    int64_t again_us;     /* time of the next offer of all groups that are not played */
    struct breaker breaker;
    int listen_fd;  /* of store_listen; -1: none */
    bool must_read; /* the store may have results that the season has not read */
    bool stops, has_ended;
};

/* ---- warnings from the thread to the loop ---- */

struct warning {
    struct errand errand; /* must be the first field, because warned() casts an errand to it */
    struct dealer *dealer;
    char words[WARNING_BYTES];
};

/* Calls warn_fn, on the loop. */
static void warned(struct errand *errand)
{
    struct warning *warning = (struct warning *)errand;
    const struct dealer *dealer = warning->dealer;

    if (!dealer->is_told_last)
        dealer->options.warn_fn(dealer->options.owner, warning->words);
    free(warning);
}

static void warn(struct dealer *dealer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void warn(struct dealer *dealer, const char *format, ...)
{
    struct warning *warning = calloc(1, sizeof *warning);
    va_list arguments;

    if (!warning)
        return;
    warning->errand.done_fn = warned;
    warning->dealer = dealer;
    va_start(arguments, format);
    vsnprintf(warning->words, sizeof warning->words, format, arguments);
    va_end(arguments);
    mailbox_tell(dealer->mailbox, &warning->errand);
}

/* ---- deliveries ---- */

struct judgment {
    const struct store_delivery *delivery;
    /* Result to be stored; owned; NULL if the delivery is refused or void. */
    struct game_result *result;
    bool is_refused; /* words says why; if false and result is NULL, the delivery is void */
    char words[JUDGE_WORDS_BYTES];
};

/* True if one of the first `count` judgments accepts a delivery of the same game. */
static bool is_accepted(const struct judgment *judgments, int count,
                        const struct store_delivery *delivery)
{
    for (int i = 0; i < count; i++)
        if (judgments[i].result && judgments[i].delivery->group == delivery->group &&
            judgments[i].delivery->rotation == delivery->rotation)
            return true;
    return false;
}

/* Writes judgments[number]. A game that was dealt again may have been delivered twice. */
static int judge(const struct season *season, const struct store_delivery *delivery,
                 struct judgment *judgments, int number)
{
    const struct schedule *schedule = &season->schedule;
    struct season_game game = {.group = delivery->group, .rotation = delivery->rotation};
    struct judgment *judgment = &judgments[number];

    *judgment = (struct judgment){.delivery = delivery};
    if (delivery->opening > season->opening.number || delivery->group >= schedule->group_count)
        return store_refuse(season->store, -ESTALE,
                            "a worker played group %d, which this process does not know: the "
                            "process loads the season again",
                            delivery->group);
    if (delivery->opening != season->opening.number ||
        delivery->rotation >= schedule->groups[delivery->group].player_count ||
        schedule->groups[delivery->group].states[delivery->rotation] == SCHEDULE_PLAYED ||
        is_accepted(judgments, number, delivery))
        return 0;
    season_fill_game(season, &game);
    judgment->result = judge_delivery(season, &game, delivery, clock_time_us(), judgment->words);
    judgment->is_refused = !judgment->result;
    if (!judgment->result)
        return *judgment->words ? 0 : -ENOMEM;
    judgment->result->game.play = season->terms.play;
    judgment->result->game.worker_id = delivery->worker_id;
    return 0;
}

/* Counts the accepted games by worker: each worker at its first game. */
static int count_games(struct store *store, const struct judgment *judgments, int count)
{
    int error = 0;

    for (int i = 0; i < count && !error; i++) {
        int game_count = 0, forfeit_count = 0;
        bool is_first = judgments[i].result != NULL;

        for (int j = 0; j < count && is_first; j++) {
            const struct game_result *result = judgments[j].result;

            if (!result || judgments[j].delivery->worker_id != judgments[i].delivery->worker_id)
                continue;
            is_first = j >= i;
            game_count++;
            for (int seat = 0; seat < result->game.player_count; seat++)
                forfeit_count += result->game.seats[seat].reason != WIRE_PLAYED;
        }
        if (is_first)
            error = store_worker_count_games(store, judgments[i].delivery->worker_id, game_count,
                                             forfeit_count);
    }
    return error;
}

/*
 * Removes an accepted or void delivery, and stores the accepted game. Drops a game whose delivery
 * is gone: an organizer has voided the worker's games meanwhile (store_games_void).
 */
static int store_one(struct season *season, struct judgment *judgment)
{
    struct store *store = season->store;
    const int64_t id = season->terms.id;
    struct game_result *result = judgment->result;
    int removed = judgment->is_refused ? 0 : store_delivery_remove(store, id, judgment->delivery);

    if (removed < 0 || !result)
        return removed < 0 ? removed : 0;
    if (removed > 0)
        return store_game_add(store, id, &result->game, result->replay, result->replay_bytes);
    result_destroy(result);
    judgment->result = NULL;
    return 0;
}

/*
 * In one transaction, stores the accepted games, and removes accepted and void deliveries from the
 * store.
 */
static int store_judged(struct season *season, struct judgment *judgments, int count)
{
    struct store *store = season->store;
    const int64_t id = season->terms.id;
    int error = season_begin(season);

    if (error)
        return error;
    for (int i = 0; i < count && !error; i++)
        error = store_one(season, &judgments[i]);
    error = error ?: count_games(store, judgments, count) ?: store_groups_clear(store, id);
    return store_end(store, error);
}

/* True if a transaction failed because of one of its games, and not because of the season. */
static bool is_fault_of_game(int error)
{
    return !store_error_passes(error) && error != -ECANCELED && error != -EOWNERDEAD &&
           error != -ESTALE;
}

/*
 * Called when one of the games makes the common transaction fail: stores the games one by one, and
 * refuses the game that fails.
 */
static int store_each(struct season *season, struct judgment *judgments, int count)
{
    for (int i = 0; i < count; i++) {
        int error = store_judged(season, &judgments[i], 1);

        if (!error)
            continue;
        if (!is_fault_of_game(error))
            return error;
        snprintf(judgments[i].words, sizeof judgments[i].words, "%.300s",
                 store_failure(season->store));
        judgments[i].is_refused = true;
        result_destroy(judgments[i].result);
        judgments[i].result = NULL;
    }
    return 0;
}

/*
 * Sets a worker aside on which bots forfeit much more often than elsewhere. Otherwise the game
 * counts for the season's own pause: what a sick machine did is no reason to pause the season.
 */
static int look_for_sickness(struct dealer *dealer, const struct store_game *game)
{
    const int64_t worker_id = game->worker_id;
    struct season *season = dealer->options.season;
    char words[BREAKER_WORDS_BYTES], name[STORE_TEXT_BYTES_MAX + 1];
    int error;

    if (!breaker_trips(&dealer->breaker, worker_id, BREAKER_MACHINES, words)) {
        season_watch(season, game);
        return 0;
    }
    error = store_worker_set_aside(season->store, season->terms.id, worker_id, words, name);
    if (error)
        return error;
    breaker_forget(&dealer->breaker, worker_id);
    season_watch_anew(season);
    warn(dealer,
         "worker %s is set aside: %s: mend its machine, then `arena workers release %s`; "
         "`arena season void %s --worker %lld` has its games played again",
         name, words, name, season->terms.name, (long long)worker_id);
    return 0;
}

/*
 * Stores the accepted games, records them in the schedule and refuses the bad deliveries. Returns 0
 * or -errno.
 */
static int settle(struct dealer *dealer, struct judgment *judgments, int count)
{
    struct season *season = dealer->options.season;
    int error = store_judged(season, judgments, count);

    if (error && is_fault_of_game(error))
        error = store_each(season, judgments, count);
    if (error)
        return error;
    for (int i = 0; i < count && !error; i++)
        if (judgments[i].result)
            error = schedule_record(&season->schedule, &judgments[i].result->game)
                        ?: breaker_add(&dealer->breaker, season->schedule.entries,
                                       &judgments[i].result->game);
    for (int i = 0; i < count && !error; i++)
        if (judgments[i].result)
            error = look_for_sickness(dealer, &judgments[i].result->game);
    for (int i = 0; i < count && !error; i++) {
        if (!judgments[i].is_refused)
            continue;
        error = store_delivery_refuse(season->store, season->terms.id, judgments[i].delivery,
                                      judgments[i].words);
    }
    return error;
}

/*
 * Reads games that workers have delivered, and stores, refuses or drops each. Returns the number of
 * games read, or -errno.
 */
static int take_deliveries(struct dealer *dealer)
{
    struct season *season = dealer->options.season;
    struct store_delivery *deliveries = calloc(LEASE_DELIVERIES_MAX, sizeof *deliveries);
    struct judgment *judgments = calloc(LEASE_DELIVERIES_MAX, sizeof *judgments);
    int count = -ENOMEM, error = 0;

    if (deliveries && judgments)
        count = store_deliveries_read(season->store, season->terms.id, deliveries,
                                      LEASE_DELIVERIES_MAX);
    for (int i = 0; i < count && !error; i++)
        error = judge(season, &deliveries[i], judgments, i);
    if (count > 0 && !error)
        error = settle(dealer, judgments, count);
    for (int i = 0; i < count; i++)
        result_destroy(judgments[i].result);
    if (count > 0)
        store_deliveries_finish(deliveries, count);
    free(judgments);
    free(deliveries);
    return error ? error : count;
}

/* ---- dealing ---- */

static int deal_group(const struct season *season, int number)
{
    const struct schedule_group *group = &season->schedule.groups[number];
    struct store_dealt_group dealt = {
        .number = number, .opening = season->opening.number, .player_count = group->player_count};

    for (int rotation = 0; rotation < group->player_count; rotation++) {
        struct season_game game = {.group = number, .rotation = rotation};

        season_fill_game(season, &game);
        memcpy(dealt.seeds[rotation], game.seed, sizeof game.seed);
        if (group->states[rotation] != SCHEDULE_PLAYED)
            dealt.due |= 1u << rotation;
    }
    return dealt.due ? store_group_deal(season->store, season->terms.id, &dealt) : 0;
}

/* Offers a part of the groups in one transaction. */
static int deal_part(struct season *season, int first, int end)
{
    int error = season_begin(season);

    if (error)
        return error;
    for (int number = first; number < end && !error; number++)
        error = deal_group(season, number);
    return store_end(season->store, error);
}

/*
 * Offers the new groups of games to workers. At first, after a reopening of the season, after a new
 * connection to the store and once a minute, offers all groups that are not completely played: the
 * server may have lost earlier offers, or a worker may keep a group locked in a transaction that it
 * does not end.
 */
static int deal_groups(struct dealer *dealer)
{
    struct season *season = dealer->options.season;
    /* Groups from there on are not due yet. */
    const int count = season->schedule.first_open_group, connection = season->connection;
    const bool is_again = dealer->dealt_opening != season->opening.number ||
                          dealer->dealt_connection != connection ||
                          clock_now_us() >= dealer->again_us;
    const int first = is_again ? schedule_first_unplayed(&season->schedule) : dealer->dealt_count;
    struct store_locked_groups locked = {0};
    int error = 0;

    if (first >= count)
        return 0;
    for (int next = first; next < count && !error; next += DEALT_MAX)
        error = deal_part(season, next, next + DEALT_MAX < count ? next + DEALT_MAX : count);
    if (!error && is_again)
        error = store_groups_deal_locked(season->store, season->terms.id, &locked);
    if (error)
        return error;
    if (is_again)
        dealer->again_us = clock_now_us() + (int64_t)AGAIN_MS * 1000;
    if (locked.count)
        warn(dealer,
             "%d groups that a transaction of a worker keeps locked are dealt again; the "
             "worker's role may be %s: `arena workers bar ROLE` prints how to end it",
             locked.count, *locked.suspect ? locked.suspect : "unknown");
    dealer->dealt_count = count;
    dealer->dealt_opening = season->opening.number;
    dealer->dealt_connection = connection;
    return 0;
}

/*
 * True while the season is being closed, but workers may still deliver games that they had begun.
 */
static bool closes_slowly(const struct season *season)
{
    return !season->terms.closed_us && store_leases_count(season->store, season->terms.id) != 0;
}

/*
 * Stores the delivered games, and offers the groups that are due to workers. Returns enum
 * season_step or -errno. Sets *has_taken if there were deliveries: more may have arrived meanwhile,
 * without another notification.
 */
static int look(struct dealer *dealer, bool *has_taken)
{
    struct season *season = dealer->options.season;
    int count, step;

    *has_taken = false;
    step = season_look(season, 0, NULL, 0, NULL);
    if (step < 0)
        return step;
    if (dealer->must_read) {
        step = season_read_results(season);
        if (step < 0)
            return step;
        dealer->must_read = false;
    }
    count = take_deliveries(dealer);
    *has_taken = count > 0;
    if (count < 0 && count != -ECANCELED)
        return count;
    step = season_deal(season);
    if (step == SEASON_CLOSED && closes_slowly(season))
        step = SEASON_WAIT;
    else if (step == SEASON_CLOSED)
        store_season_deal(season->store, season->terms.id, false);
    if (step == SEASON_WAIT && season_is_open(season)) {
        int error = deal_groups(dealer);

        if (error)
            return error;
    }
    return step;
}

/* ---- reports from the thread to the loop ---- */

struct news {
    struct errand errand; /* must be the first field, because told() casts an errand to its news */
    struct dealer *dealer;
    struct player_report report;
    bool is_last;
};

/* Calls tick_fn or ended_fn, on the loop. */
static void told(struct errand *errand)
{
    struct news *news = (struct news *)errand;
    struct dealer *dealer = news->dealer;
    struct dealer_options options = dealer->options;
    struct player_report report = news->report;
    bool is_last = news->is_last, is_heard = !dealer->is_told_last;

    dealer->is_told_last = dealer->is_told_last || is_last;
    free(news);
    if (is_heard)
        (is_last ? options.ended_fn : options.tick_fn)(options.owner, &report);
}

/* Sends the loop a report of the last step. Returns true if it was the dealer's last report. */
static bool tell(struct dealer *dealer, int step)
{
    const struct season *season = dealer->options.season;
    struct player_report *report = &dealer->report;
    bool waits_for_store = store_error_passes(step);
    struct news *news = malloc(sizeof *news);

    report->step = waits_for_store ? SEASON_WAIT : step;
    snprintf(report->error, sizeof report->error, "%s",
             waits_for_store ? store_failure(season->store) : "");
    report->standing.counts = season_counts(season);
    report->standing.budget_games = season_game_budget(season);
    report->played_count = season->schedule.played_count - dealer->begun_with;
    if (step < 0 && step != -EDOM && !waits_for_store) {
        report->failed = true;
        snprintf(report->error, sizeof report->error, "%s",
                 step == -ENOMEM ? "out of memory" : store_failure(season->store));
    }
    report->was_stopped = dealer->stops;
    if (!news)
        return false;
    *news = (struct news){.errand = {.done_fn = told},
                          .dealer = dealer,
                          .report = *report,
                          .is_last = (step != SEASON_WAIT && !waits_for_store) || dealer->stops};
    dealer->has_ended = news->is_last;
    mailbox_tell(dealer->mailbox, &news->errand);
    return dealer->has_ended;
}

/* ---- the thread's work ---- */

/* Removes some of the replays that the season does not keep. */
static void prune(struct dealer *dealer, int step)
{
    struct season *season = dealer->options.season;

    if (step < 0 ||
        (step == SEASON_WAIT && season->schedule.played_count - dealer->pruned_at < PRUNE_EVERY))
        return;
    dealer->pruned_at = season->schedule.played_count;
    while (season_prune(season) > 0 && step != SEASON_WAIT)
        ;
}

/*
 * Listens for notifications of deliveries. Returns true if one may have arrived while the dealer
 * read the store.
 */
static bool hear(struct dealer *dealer, int step)
{
    struct store *store = dealer->options.season->store;
    int heard = 0;

    if (step < 0)
        dealer->listen_fd = -1;
    else if (dealer->listen_fd < 0)
        dealer->listen_fd = store_listen(store, STORE_CHANNEL_RESULTS);
    if (dealer->listen_fd >= 0)
        heard = store_heard(store);
    if (heard < 0)
        dealer->listen_fd = -1;
    mailbox_listen(dealer->mailbox, dealer->listen_fd);
    return heard != 0;
}

/*
 * Reads the store and handles what is due. Returns the time of the next call. The pause varies with
 * the clock, so that the dealers of several seasons do not all read at the same moments.
 */
static int64_t go_on(void *owner)
{
    struct dealer *dealer = owner;
    int64_t now_us, rest_us;
    bool has_taken;
    int step;

    if (dealer->has_ended)
        return INT64_MAX;
    step = look(dealer, &has_taken);
    dealer->must_read = dealer->must_read || step < 0;
    prune(dealer, step);
    if (tell(dealer, step))
        return INT64_MAX;
    now_us = clock_now_us();
    if (hear(dealer, step) || has_taken)
        return now_us;
    rest_us = (step < 0 ? (int64_t)LOST_LOOK_MS : (int64_t)LOOK_MS) * 1000;
    return now_us + rest_us / 2 + now_us / 7 % (rest_us / 2);
}

/* ---- on the loop ---- */

static void run_stop(struct errand *errand)
{
    struct dealer *dealer = (struct dealer *)((char *)errand - offsetof(struct dealer, stop));

    dealer->stops = true;
}

static void stop_run(struct errand *errand)
{
}

struct dealer *dealer_start(struct ev_loop *loop, const struct dealer_options *options)
{
    struct dealer *dealer = calloc(1, sizeof *dealer);
    const struct mailbox_options of_mailbox = {.owner = dealer, .due_fn = go_on};
    int error;

    if (!dealer)
        return NULL;
    dealer->options = *options;
    dealer->begun_with = options->season->schedule.played_count;
    dealer->dealt_opening = -1;
    dealer->listen_fd = -1;
    error = mailbox_create(&dealer->mailbox, loop, &of_mailbox);
    if (!error)
        return dealer;
    free(dealer);
    errno = -error;
    return NULL;
}

void dealer_interrupt(struct dealer *dealer)
{
    if (dealer->stop.run_fn)
        return;
    dealer->stop = (struct errand){.run_fn = run_stop, .done_fn = stop_run, .is_urgent = true};
    mailbox_add(dealer->mailbox, &dealer->stop);
}

void dealer_destroy(struct dealer *dealer)
{
    if (!dealer)
        return;
    dealer->is_told_last = true;
    mailbox_destroy(dealer->mailbox);
    breaker_finish(&dealer->breaker);
    free(dealer);
}
