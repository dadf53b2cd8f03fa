#include "arena/worker/host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/alarm.h"
#include "arena/play/stop.h"
#include "arena/worker/host_state.h"

enum {
    AGAIN_MS = 1000,         /* between requests for work while there is none */
    QUICK_GAME_US = 5000000, /* games up to this long are claimed in advance */
    END_US = 5000000,        /* for reporting the end to the store */
    FORGET_S = 60,           /* between looks at bots that no group needs */
    REST_MS_MAX = 60000,     /* between claims that are refused: doubled to this */
    FAILING_US = 600000000,  /* all claims refused for so long, the worker ends */
};

static const char *const event_names[] = {
    [HOST_STARTED] = "started", [HOST_LOST] = "store lost", [HOST_BACK] = "store back",
    [HOST_REFUSED] = "refused", [HOST_ERROR] = "error",     [HOST_STOPPING] = "stopping",
    [HOST_STOPPED] = "stopped",
};

const char *host_event_name(enum host_event event)
{
    return event_names[event];
}

/* ---- stopping ---- */

static void end(struct host *host)
{
    if (host->has_ended)
        return;
    host->has_ended = true;
    if (lessee_end(host->lessee, END_US) < 0)
        foreground_end(&host->foreground);
}

static bool is_idle(const struct host *host)
{
    for (const struct field *field = host->fields; field; field = field->next)
        for (const struct held *held = field->held; held; held = held->next)
            if (held->unbegun || held->playing)
                return false;
    return true;
}

/* Gives back groups that have not begun; with all, also those that have. */
static void give_back(struct host *host, bool all)
{
    for (struct field *field = host->fields, *after; field; field = after) {
        after = field->next;
        for (struct held *held = field->held, *next; held; held = next) {
            next = held->next;
            if (all || !held->is_begun)
                host_drop(field, held);
        }
    }
}

static void stop(struct host *host, bool at_once)
{
    if (host->state == HOST_ENDING)
        return;
    host->state = at_once ? HOST_ENDING : HOST_DRAINING;
    give_back(host, at_once);
    for (struct field *field = host->fields, *next; field && at_once; field = next) {
        next = field->next;
        if (!field->runner || field->is_over)
            continue;
        runner_interrupt(field->runner);
        runner_interrupt(field->runner);
    }
    host_go_on(host);
}

static void interrupted(void *owner)
{
    struct host *host = owner;

    if (host->state != HOST_RUNNING) {
        stop(host, true);
        return;
    }
    host->options.log_fn(HOST_STOPPING, "", "finishing the groups that have begun");
    ev_timer_start(host->foreground.loop, &host->drain);
    stop(host, false);
}

static void drained(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop;
    (void)events;
    stop(timer->data, true);
}

void host_fail(struct host *host, const char *what)
{
    struct host_report *report = host->report;

    if (!report->failed)
        snprintf(report->error, sizeof report->error, "%s", what);
    report->failed = true;
    if (host->state == HOST_RUNNING) {
        host->options.log_fn(HOST_ERROR, "", what);
        ev_timer_start(host->foreground.loop, &host->drain);
        stop(host, false);
    }
}

/* ---- claiming ---- */

static void ask(struct host *host)
{
    int jobs = host->options.worker.job_count, unbegun = host_unbegun_count(host);
    int ahead = host->game_us < QUICK_GAME_US ? jobs : 0;
    int wanted = jobs + ahead - unbegun - host_playing_count(host);

    if (host->state != HOST_RUNNING || host->asking || host->rests || host->is_down ||
        wanted <= ahead / 2)
        return;
    wanted = (wanted + GAME_PLAYERS_MIN - 1) / GAME_PLAYERS_MIN;
    host->asking = lessee_claim(host->lessee, wanted < LEASE_CLAIM_MAX ? wanted : LEASE_CLAIM_MAX,
                                host->refused, host_bots_refused(host)) == 0;
    if (!host->asking)
        host_fail(host, "out of memory");
}

/* Called when something changed: begins games, requests more, or finds that all is done. */
void host_go_on(struct host *host)
{
    for (struct field *field = host->fields, *next; field; field = next) {
        next = field->next;
        if (field->runner && !field->is_over)
            runner_wake(field->runner);
    }
    ask(host);
    if (host->state != HOST_RUNNING && is_idle(host))
        end(host);
}

static void ask_again(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct host *host = timer->data;

    (void)loop;
    (void)events;
    host->rests = false;
    host_go_on(host);
}

/* Waits a random time, so that workers that found no work do not all ask again at once. */
static void rest(struct host *host, int64_t ms)
{
    double jitter = (double)(alarm_now_us() / 7 % 1000) / 1000.;

    host->rests = true;
    ev_timer_stop(host->foreground.loop, &host->again);
    ev_timer_set(&host->again, (double)ms / 1000. * (0.5 + jitter), 0.);
    ev_timer_start(host->foreground.loop, &host->again);
}

/* Adds a leased group. Returns false if memory runs out. */
static bool hold(struct host *host, const struct store_lease *lease)
{
    struct field *field = host_field(host, &lease->season);
    struct held *held = field ? calloc(1, sizeof *held) : NULL;
    struct held **at = field ? &field->held : NULL;

    if (!held)
        return false;
    held->lease = *lease;
    held->unbegun = lease->due;
    while (*at)
        at = &(*at)->next;
    *at = held;
    for (int i = 0; i < lease->group.player_count; i++)
        if (!(held->bots[i] = host_bot(host, &lease->bots[i])))
            return false;
    for (int i = 0; i < lease->group.player_count; i++)
        if (held->bots[i]->state == HOST_BOT_REFUSED) {
            host_drop(field, held);
            return true;
        }
    return true;
}

/* Says what the store refuses, once. */
static void tell_fault(struct host *host, const char *words)
{
    if (strcmp(host->fault, words) == 0)
        return;
    snprintf(host->fault, sizeof host->fault, "%s", words);
    host->options.log_fn(HOST_ERROR, "", words);
}

static void fault(void *owner, const char *words)
{
    tell_fault(owner, words);
}

/* The store answers, and gives no groups: somebody has to mend it, or this worker. */
static void claim_refused(struct host *host, const char *words)
{
    int64_t now_us = alarm_now_us();

    if (host->state != HOST_RUNNING)
        return;
    tell_fault(host, words);
    if (!host->failing_since_us)
        host->failing_since_us = now_us;
    host->rest_ms = host->rest_ms ? host->rest_ms * 2 : AGAIN_MS;
    if (host->rest_ms > REST_MS_MAX)
        host->rest_ms = REST_MS_MAX;
    rest(host, host->rest_ms);
    if (now_us - host->failing_since_us >= FAILING_US)
        host_fail(host, words);
}

static void claimed(void *owner, const struct store_lease *leases, int count, const char *words)
{
    struct host *host = owner;

    host->asking = false;
    if (host->has_ended)
        return; /* the end gives back what came */
    if (count < 0) {
        claim_refused(host, words);
    } else {
        host->failing_since_us = host->rest_ms = 0;
        host->fault[0] = '\0';
    }
    for (int i = 0; i < count; i++)
        if (!hold(host, &leases[i]))
            host_fail(host, "out of memory");
    if (count == 0)
        rest(host, AGAIN_MS);
    if (host->state != HOST_RUNNING)
        give_back(host, host->state == HOST_ENDING);
    host_go_on(host);
}

/* ---- results, leases, the store ---- */

static struct held *find_held(struct host *host, int64_t season_id, int group, int64_t token,
                              struct field **field)
{
    for (*field = host->fields; *field; *field = (*field)->next)
        for (struct held *held = (*field)->held; held; held = held->next)
            if (held->lease.season.id == season_id && held->lease.group.number == group &&
                held->lease.token == token)
                return held;
    return NULL;
}

static void count(struct host *host, const struct game_result *result)
{
    host->report->game_count++;
    for (int seat = 0; seat < result->game.player_count; seat++)
        host->report->forfeit_count += result->game.seats[seat].reason != WIRE_PLAYED;
}

static void stored(void *owner, const struct game_result *result, const struct store_lease *lease,
                   int error, const char *words)
{
    struct host *host = owner;
    struct field *field;
    struct held *held =
        find_held(host, lease->season.id, lease->group.number, lease->token, &field);

    if (!error) {
        count(host, result);
    } else {
        host->report->refused_count++;
        host->options.log_fn(HOST_REFUSED, result->played.id, words);
    }
    if (held) {
        held->unstored &= ~(1u << result->played.rotation);
        if (error) {
            held->is_lost = true;
            held->unbegun = 0;
        }
        host_settle(field, held);
    }
    host_go_on(host);
}

static void tell_lapsed(struct host *host, const struct field *field, int group)
{
    char words[128];

    snprintf(words, sizeof words,
             "the lease of group %d has lapsed: another worker plays it, or the season is closed",
             group);
    host->options.log_fn(HOST_REFUSED, field->season.name, words);
}

static void lease_changed(void *owner, const struct store_renewal *lease, bool is_held)
{
    struct host *host = owner;
    struct field *field;
    struct held *held = find_held(host, lease->season_id, lease->group, lease->token, &field);

    if (!held)
        return;
    if (!is_held) {
        tell_lapsed(host, field, lease->group);
        held->is_lost = true;
    }
    if (is_held && lease->state == STORE_LEASE_VOID)
        host_give_up(field, held);
    else if (!is_held || lease->state == STORE_LEASE_CLOSING)
        host_drop(field, held);
    host_go_on(host);
}

static void link_changed(void *owner, bool is_up, const char *words)
{
    struct host *host = owner;

    host->is_down = !is_up;
    host->options.log_fn(is_up ? HOST_BACK : HOST_LOST, "", is_up ? "the work goes on" : words);
    host_go_on(host);
}

static void work_is_there(void *owner)
{
    struct host *host = owner;

    if (host->rest_ms)
        return; /* claims are refused */
    ev_timer_stop(host->foreground.loop, &host->again);
    host->rests = false;
    host_go_on(host);
}

static void crowded(void *owner, const char *words)
{
    const struct host *host = owner;

    host->options.log_fn(HOST_ERROR, "", words);
}

static void lessee_ended(void *owner, bool all_stored)
{
    struct host *host = owner;

    if (!all_stored)
        host->options.log_fn(
            HOST_ERROR, "",
            "the store does not answer: games that were not stored will be played again");
    foreground_end(&host->foreground);
}

/* ---- the run ---- */

static void forget(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop;
    (void)events;
    host_bots_forget(timer->data);
}

static int assemble(struct host *host)
{
    const struct host_options *options = &host->options;
    const struct staging_options of_staging = {.url = depot_url(options->depot),
                                               .program = options->program,
                                               .sandbox = options->sandbox,
                                               .staged_fn = host_bot_staged,
                                               .crowded_fn = crowded,
                                               .owner = host};
    const struct lessee_options of_lessee = {.store = options->store,
                                             .worker = options->worker,
                                             .depot = options->depot,
                                             .lease_us = options->lease_us,
                                             .listens = options->listens,
                                             .owner = host,
                                             .claimed_fn = claimed,
                                             .fetched_fn = host_bot_fetched,
                                             .stored_fn = stored,
                                             .lease_fn = lease_changed,
                                             .fault_fn = fault,
                                             .link_fn = link_changed,
                                             .work_fn = work_is_there,
                                             .ended_fn = lessee_ended};
    struct ev_loop *loop = host->foreground.loop;

    ev_timer_init(&host->again, ask_again, 0., 0.);
    ev_timer_init(&host->drain, drained, (double)options->drain_s, 0.);
    ev_timer_init(&host->forget, forget, FORGET_S, FORGET_S);
    host->again.data = host->drain.data = host->forget.data = host;
    ev_timer_start(loop, &host->forget);
    host->jobs.count = options->worker.job_count;
    host->staging = staging_create(loop, &of_staging);
    host->lessee = host->staging ? lessee_create(loop, &of_lessee) : NULL;
    return host->lessee ? 0 : -errno;
}

static void take_apart(struct host *host)
{
    ev_timer_stop(host->foreground.loop, &host->again);
    ev_timer_stop(host->foreground.loop, &host->drain);
    ev_timer_stop(host->foreground.loop, &host->forget);
    while (host->fields) {
        struct field *field = host->fields;

        host->fields = field->next;
        host_field_destroy(field);
    }
    lessee_destroy(host->lessee);
    staging_destroy(host->staging);
    while (host->bots) {
        struct host_bot *bot = host->bots;

        host->bots = bot->next;
        free(bot);
    }
}

int host_run(const struct host_options *options, struct host_report *report)
{
    struct host *host = calloc(1, sizeof *host);
    int error = host ? 0 : -ENOMEM;

    *report = (struct host_report){0};
    if (host && stop_is_asked()) {
        free(host);
        return 0;
    }
    if (host) {
        host->options = *options;
        host->report = report;
        error = foreground_open(&host->foreground, interrupted, host);
    }
    if (!error) {
        error = assemble(host);
        if (!error) {
            options->log_fn(HOST_STARTED, options->worker.name, "claiming and playing groups");
            ask(host);
            foreground_wait(&host->foreground);
            options->log_fn(HOST_STOPPED, options->worker.name,
                            "its groups are finished or given back");
        }
        take_apart(host);
        foreground_close(&host->foreground);
    }
    free(host);
    if (error) {
        report->failed = true;
        snprintf(report->error, sizeof report->error, "the worker cannot start: %s",
                 strerror(-error));
    }
    return report->failed ? -1 : 0;
}
