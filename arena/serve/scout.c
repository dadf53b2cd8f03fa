/* SPDX-License-Identifier: MIT */
/*
 * All code here except the mailbox's callbacks runs on the thread. The thread owns the store and
 * most fields of struct scout. A loaded season is a struct scout_ready, which the thread passes to
 * the loop as news, and the loop passes back as an errand.
 */
#include "arena/serve/scout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "arena/base/place.h"
#include "arena/base/mix.h"
#include "arena/store/challenges.h"
#include "arena/base/clock.h"

enum {
    LOOK_US = 500000,
    RETRY_US = 20000000,  /* pause of a season after an error of the arena, before the next try */
    CLOSING_US = 1000000, /* time that running games get to end at the end of a season */
    /* Maximum number of seasons that the scout thread closes at one reading of the store. */
    OVER_MAX = 8,
    BUSY_RETRY_US = 2000000, /* pause of a season while another process plays it */
    ROOM_US = 15000000,      /* time between two tries whether the store's disk is full */
    FACTS_US = 2000000,      /* age at which the facts about a season are read again */
};

/* What the thread knows about an open season. */
struct known {
    char name[STORE_NAME_BYTES_MAX + 1];
    bool is_given;       /* the loop has the season */
    bool is_seen;        /* the season was open when the store was last read */
    bool is_begun;       /* the season has a batch of games */
    int64_t event;       /* latest store event when the season was last loaded; -1 if never */
    int64_t budget;      /* the season's budget when it was last loaded */
    int64_t retry_us;    /* earliest time of the next attempt to load the season; 0: at once */
    int64_t facts_us;    /* time when `facts` were read; 0: they must be read now */
    int64_t facts_event; /* latest store event at that time */
    struct season_facts facts;
    char failure[STATUS_REASON_BYTES]; /* why the arena failed to play the season; "": it did not */
    char lack[STATUS_REASON_BYTES];    /* why it left out games of the season; "": it did not */
};

struct scout {
    struct scout_options options;
    struct mailbox *mailbox;

    /* Only the thread uses the fields below. */
    struct store *store; /* NULL if the store is not open */
    int64_t look_us;     /* time of the next reading of the store */
    struct known known[SCOUT_SEASONS_MAX];
    int known_count;
    int64_t seen_event;      /* the last event that a view had; -1: the store was not read yet */
    int64_t ended_us;        /* end of the last submission whose end a view had */
    int failure_count;       /* number of failed submissions, see struct scout_view */
    struct scout_view *view; /* what this reading of the store has found so far */
    int64_t over[OVER_MAX];  /* ids of seasons whose time is over */
    int over_count;
    char file_error[SCOUT_ERROR_BYTES]; /* of the last writing of the files, or "" */
    char room_error[SCOUT_ERROR_BYTES]; /* the store's disk is full, or "" */
    int64_t room_us;                    /* time of the next try whether that disk is full */

    bool has_metrics; /* the scout has written the metrics file */
    struct errand writing;
    char *status, *metrics; /* texts of the two files while the thread writes them; else NULL */
};

/* News for the loop: what the scout found in the store. */
struct seen {
    struct errand news;
    struct scout *scout;
    struct scout_view view;
};

/* ---- seasons: claim, load, pass to the loop, take back ---- */

static struct known *find_known(struct scout *scout, const char *name)
{
    struct known *known;

    for (int i = 0; i < scout->known_count; i++)
        if (strcmp(scout->known[i].name, name) == 0)
            return &scout->known[i];
    if (scout->known_count == SCOUT_SEASONS_MAX)
        return NULL;
    known = &scout->known[scout->known_count++];
    *known = (struct known){.event = -1};
    snprintf(known->name, sizeof known->name, "%s", name);
    return known;
}

static void close_season(struct scout_ready *ready)
{
    season_finish(&ready->season);
    store_close(ready->store); /* this also releases the claim on the season */
}

/* Passes a season to ready_fn, on the loop. */
static void ready_told(struct errand *news)
{
    struct scout_ready *ready = (struct scout_ready *)news; /* news is its first member */
    const struct scout *scout = ready->scout;

    if (!mailbox_is_ending(scout->mailbox)) {
        scout->options.ready_fn(scout->options.owner, ready);
        return;
    }
    close_season(ready);
    free(ready);
}

/* Claims and loads a season. Returns 0, or -errno that store_failure of ready->store explains. */
static int claim_and_load(const struct scout *scout, struct known *known, struct scout_ready *ready)
{
    int error = store_open(&ready->store, scout->options.url, STORE_WRITE)
                    ?: store_season_claim(ready->store, known->name, false)
                    ?: season_load(&ready->season, ready->store, known->name);

    if (error)
        return error;
    error = store_season_deal(ready->store, ready->season.terms.id, scout->options.deals);
    ready->is_dealt = scout->options.deals && !error;
    error = error == -ENOTSUP ? 0 : error;
    if (error)
        season_finish(&ready->season);
    return error;
}

/* Claims and loads a season, and passes it to the loop. */
static void load(struct scout *scout, struct known *known, int64_t event, int64_t budget)
{
    struct scout_ready *ready = calloc(1, sizeof *ready);
    int error;

    if (!ready)
        return;
    known->failure[0] = known->lack[0] = '\0';
    error = claim_and_load(scout, known, ready);
    if (error) {
        if (error != -EBUSY)
            snprintf(known->failure, sizeof known->failure, "%s", store_failure(ready->store));
        known->retry_us = clock_now_us() + (error == -EBUSY ? BUSY_RETRY_US : RETRY_US);
        store_close(ready->store);
        free(ready);
        return;
    }
    known->event = event;
    known->budget = budget;
    known->retry_us = known->facts_us = 0;
    if (scout->options.deals && !ready->is_dealt) { /* a store without workers: nobody plays */
        close_season(ready);
        free(ready);
        return;
    }
    known->is_given = true;
    ready->errand.done_fn = ready_told;
    ready->scout = scout;
    mailbox_tell(scout->mailbox, &ready->errand);
}

static void take_back(struct errand *errand)
{
    struct scout_ready *ready = (struct scout_ready *)errand;
    struct known *known = find_known(ready->scout, ready->season.terms.name);

    if (known) {
        known->is_given = false;
        known->facts_us = 0;
        memcpy(known->failure, ready->failure, sizeof known->failure);
        memcpy(known->lack, ready->lack, sizeof known->lack);
        if (*ready->failure) {
            bool is_lost = store_claim_check(ready->store) == -EOWNERDEAD;

            known->event = -1;
            known->retry_us = ready->season.is_outdated || is_lost ? 0 : clock_now_us() + RETRY_US;
        }
    }
    close_season(ready);
}

static void free_errand(struct errand *errand)
{
    free(errand);
}

void scout_return(struct scout *scout, struct scout_ready *ready, const char *failure,
                  const char *lack)
{
    snprintf(ready->failure, sizeof ready->failure, "%s", failure);
    snprintf(ready->lack, sizeof ready->lack, "%s", lack);
    ready->errand.run_fn = take_back;
    ready->errand.done_fn = free_errand;
    mailbox_add(scout->mailbox, &ready->errand);
}

/* ---- reading the store ---- */

/* Records the first error of a reading of the store, for the daemon. */
static void keep_error(struct scout *scout, const char *line)
{
    if (!*scout->view->error)
        snprintf(scout->view->error, sizeof scout->view->error, "%s", line);
}

static int see_season(void *context, const struct store_season *season)
{
    struct scout *scout = context;
    struct scout_view *view = scout->view;
    struct known *known;

    view->mark = mix(mix(mix(view->mark, (uint64_t)season->id), (uint64_t)season->closed_us),
                     (uint64_t)season->budget_games);
    if (!season->closed_us && season->until_us && season->until_us <= clock_time_us() &&
        scout->over_count < OVER_MAX)
        scout->over[scout->over_count++] = season->id;
    if (season->closed_us)
        return 0;
    if (view->season_count == SCOUT_SEASONS_MAX || !(known = find_known(scout, season->name))) {
        view->left_out_count++;
        return 0;
    }
    known->is_seen = true;
    view->seasons[view->season_count++].terms = *season;
    return 0;
}

/*
 * Closes the seasons whose time is over, in two steps: first no more games begin, then games under
 * way are void. The scout needs no claim for this, because the store refuses games that end later,
 * and closes the season only if its time is still over.
 */
static void close_seasons(struct scout *scout)
{
    for (int i = 0; i < scout->over_count; i++) {
        if (store_season_end(scout->store, scout->over[i], clock_time_us(), CLOSING_US) < 0)
            keep_error(scout, store_failure(scout->store));
    }
}

/* Forgets closed seasons, to make room for other seasons. */
static void forget_closed(struct scout *scout)
{
    int kept = 0;

    for (int i = 0; i < scout->known_count; i++)
        if (scout->known[i].is_seen || scout->known[i].is_given)
            scout->known[kept++] = scout->known[i];
    scout->known_count = kept;
}

static bool lacks_tier(const struct scout *scout, const struct store_season *terms)
{
    return terms->play.tier > scout->options.tier && !scout->options.deals;
}

/* True while bots that came before the season's --from are being checked. */
static bool waits_for_checks(struct scout *scout, struct known *known,
                             const struct store_season *terms)
{
    struct season_facts facts;
    struct season_status status;

    if (!terms->from_us || known->is_begun)
        return false;
    if (season_facts_read(&facts, scout->store, terms, false) < 0)
        return true; /* read_facts tells why */
    season_status_of(&facts, &status);
    known->is_begun = facts.counts.batches > 0;
    return status.state == STATE_JUDGING;
}

/* Loads the open seasons that have changed since the loop last played them. */
static void load_changed(struct scout *scout, int64_t event)
{
    for (int i = 0; i < scout->view->season_count && !mailbox_is_ending(scout->mailbox); i++) {
        const struct store_season *terms = &scout->view->seasons[i].terms;
        struct known *known = find_known(scout, terms->name);

        if (known && !known->is_given && terms->from_us <= clock_time_us() &&
            clock_now_us() >= known->retry_us &&
            (known->event != event || known->budget != terms->budget_games) &&
            !lacks_tier(scout, terms) && !waits_for_checks(scout, known, terms))
            load(scout, known, event, terms->budget_games);
    }
}

/*
 * Completes the facts about the open seasons, after load_changed: seasons that it has passed to the
 * loop are played. Facts that are not old are not read again.
 */
static void read_facts(struct scout *scout, int64_t event)
{
    for (int i = 0; i < scout->view->season_count && !scout->view->is_down; i++) {
        struct season_facts *seen = &scout->view->seasons[i];
        struct known *known = find_known(scout, seen->terms.name);
        const int64_t now_us = clock_now_us();
        int error = 0;

        if (!known->facts_us || known->facts_event != event) {
            error = season_facts_read(&known->facts, scout->store, &seen->terms, known->is_given);
            known->facts_us = now_us;
        } else if (now_us - known->facts_us >= FACTS_US) {
            error = season_facts_refresh(&known->facts, scout->store);
            known->facts_us = now_us;
        }
        known->facts_event = event;
        if (error) {
            known->facts_us = 0;
            scout->view->is_down = true;
            keep_error(scout, store_failure(scout->store));
        }
        known->facts.terms = seen->terms;
        *seen = known->facts;
        if (known->lack[0] && *seen->owner) /* another process may play what this one left out */
            known->event = -1;
        snprintf(seen->lack, sizeof seen->lack, "%s",
                 lacks_tier(scout, &seen->terms)
                     ? "the season requires a stronger sandbox (--require) than this machine has: "
                       "`arena doctor` says why"
                     : known->lack);
        memcpy(seen->failure, known->failure, sizeof seen->failure);
        if (!known->is_given) /* the loop itself counts the games of seasons that it plays */
            scout->view->mark = mix(scout->view->mark, (uint64_t)seen->counts.played);
        scout->view->elsewhere_count += !known->is_given && *seen->owner;
    }
}

static int see_submission(void *context, const struct store_submission *submission)
{
    struct scout *scout = context;
    struct scout_view *view = scout->view;
    struct scout_submission *listed;

    view->submission_count++;
    view->waiting_count += submission->state == STORE_WAITING;
    if (submission->retry_us > clock_time_us())
        return 0; /* left out, so that the author's next submission can begin */
    for (int i = 0; i < view->listed_count; i++)
        if (strcmp(view->submissions[i].author, submission->author) == 0)
            return 0;
    if (view->listed_count == SCOUT_SUBMISSIONS_MAX)
        return 0;
    listed = &view->submissions[view->listed_count++];
    *listed = (struct scout_submission){
        .id = submission->id, .state = submission->state, .is_alone = submission->is_alone};
    memcpy(listed->author, submission->author, sizeof listed->author);
    return 0;
}

static int see_end(void *context, const struct store_submission *submission)
{
    struct scout *scout = context;

    scout->view->ended[scout->view->ended_count++] = submission->id;
    scout->ended_us = submission->ended_us;
    return 0;
}

static int see_change(void *context, const struct store_event *event, const char *season)
{
    struct scout *scout = context;
    struct scout_view *view = scout->view;
    struct scout_change *change = &view->changes[view->change_count];

    if (view->change_count == SCOUT_CHANGES_MAX)
        return 0;
    scout->seen_event = event->id;
    memcpy(change->what, event->what, sizeof change->what);
    memcpy(change->about, event->about, sizeof change->about);
    memcpy(change->who, event->who, sizeof change->who);
    snprintf(change->season, sizeof change->season, "%s", season);
    view->change_count++;
    return 0;
}

/* Reads what people changed since the last reading; at the first reading, nothing. */
static void see_changes(struct scout *scout, int64_t event)
{
    if (scout->seen_event < 0)
        scout->seen_event = event;
    if (scout->seen_event < event &&
        store_changes_each(scout->store, scout->seen_event, see_change, scout) < 0)
        keep_error(scout, store_failure(scout->store));
}

/* A store whose disk is full answers all questions: only a try shows that it cannot go on. */
static void try_room(struct scout *scout)
{
    const int64_t now_us = clock_now_us();

    if (now_us >= scout->room_us) {
        scout->room_us = now_us + ROOM_US;
        snprintf(scout->room_error, sizeof scout->room_error, "%s",
                 store_try_room(scout->store) == -ENOSPC ? store_failure(scout->store) : "");
    }
    scout->view->is_full = *scout->room_error;
    keep_error(scout, scout->room_error);
}

/* Reads the figures of workers for metrics. Returns true if the store has workers. */
static bool measure_workers(struct store *store, struct scout_view *view)
{
    int count = store_workers_measure(store, view->figures, SCOUT_WORKERS_MAX);

    view->figure_count = count > 0 ? count : 0;
    return count >= 0 && store_workers_count(store, &view->workers) == 0;
}

static void look_at_store(struct scout *scout)
{
    struct scout_view *view = scout->view;
    int64_t event = 0;

    scout->over_count = 0;
    for (int i = 0; i < scout->known_count; i++)
        scout->known[i].is_seen = false;
    if (store_event_latest(scout->store, &event) < 0 ||
        store_seasons_each(scout->store, see_season, scout) < 0) {
        keep_error(scout, store_failure(scout->store));
        view->is_down = true;
        return;
    }
    if (scout->options.deals && scout->options.metrics)
        view->has_workers = measure_workers(scout->store, view);
    see_changes(scout, event);
    close_seasons(scout);
    forget_closed(scout);
    view->mark = mix(view->mark, (uint64_t)event);
    load_changed(scout, event);
    read_facts(scout, event);
    /* Read submissions last: an admission that ends meanwhile must not begin again. */
    view->failure_count = scout->failure_count;
    if (store_submissions_open_each(scout->store, see_submission, scout) < 0 ||
        store_submissions_ended(scout->store, scout->ended_us, see_end, scout) < 0 ||
        store_challenge_next(scout->store, &view->challenge_id) < 0)
        keep_error(scout, store_failure(scout->store));
    try_room(scout);
}

static void seen_told(struct errand *news)
{
    struct seen *seen = (struct seen *)news; /* news is its first member */
    const struct scout *scout = seen->scout;

    if (!mailbox_is_ending(scout->mailbox))
        scout->options.seen_fn(scout->options.owner, &seen->view);
    free(seen);
}

static void look(struct scout *scout)
{
    struct seen *seen = calloc(1, sizeof *seen);
    struct statvfs disk;

    if (!seen)
        return;
    seen->news.done_fn = seen_told;
    seen->scout = scout;
    scout->view = &seen->view;
    if (!scout->store && store_open(&scout->store, scout->options.url, STORE_WRITE) < 0) {
        keep_error(scout, store_failure(scout->store));
        store_close(scout->store);
        scout->store = NULL;
        seen->view.is_down = true;
    } else {
        look_at_store(scout);
    }
    keep_error(scout, scout->file_error);
    if (statvfs(scout->options.folder, &disk) == 0)
        seen->view.disk_free_bytes = (int64_t)disk.f_bavail * (int64_t)disk.f_frsize;
    mailbox_tell(scout->mailbox, &seen->news);
}

static int64_t look_if_due(void *owner)
{
    struct scout *scout = owner;

    if (clock_now_us() >= scout->look_us) {
        look(scout);
        scout->look_us = clock_now_us() + LOOK_US;
    }
    return scout->look_us;
}

/* ---- submissions for which the arena failed ---- */

struct failed_submission {
    struct errand errand;
    struct scout *scout;
    int64_t id;
};

static int read_failures(void *context, const struct store_submission *submission)
{
    *(int *)context = submission->failure_count;
    return 0;
}

/*
 * Lets the submission wait, and tells the author how often the arena failed; not why, because that
 * is the organizer's concern. Refuses the submission if its attempts are used up: the package
 * itself may cause the failures. If the store fails, the next view has the submission again.
 */
static void note_failure(struct errand *errand)
{
    const struct failed_submission *failed = (struct failed_submission *)errand;
    struct store *store = failed->scout->store;
    const int64_t now_us = clock_time_us();
    int64_t retry_us;
    char report[256], time[CLOCK_TIME_BYTES];
    int count = 0;

    failed->scout->failure_count++;
    if (!store || store_submission_find(store, failed->id, read_failures, &count) < 0)
        return;
    count++;
    retry_us = now_us + ((int64_t)SCOUT_RETRY_S * 1000000 << (count - 1));
    clock_write_time(retry_us, time);
    snprintf(report, sizeof report,
             count < SCOUT_ATTEMPTS_MAX
                 ? "{\"reason\":\"the arena failed to build and check the bot (attempt %d of %d): "
                   "the arena tries again at %s\"}"
                 : "{\"reason\":\"the arena failed to build and check the bot in all attempts (%d "
                   "of %d): submit the bot again later\"," STORE_MAY_RETRY "}",
             count, (int)SCOUT_ATTEMPTS_MAX, time);
    if (count < SCOUT_ATTEMPTS_MAX)
        store_submission_wait(store, failed->id, report, retry_us, false, now_us);
    else
        store_submission_end(store, failed->id, 0, report, now_us);
}

int scout_submission_failed(struct scout *scout, int64_t id)
{
    struct failed_submission *failed = calloc(1, sizeof *failed);

    if (!failed)
        return -ENOMEM;
    failed->errand = (struct errand){.run_fn = note_failure, .done_fn = free_errand};
    failed->scout = scout;
    failed->id = id;
    mailbox_add(scout->mailbox, &failed->errand);
    return 0;
}

/* ---- files ---- */

/* Returns whether the file was written. The next view has the error. */
static bool write_or_tell(struct scout *scout, const char *path, const char *text)
{
    int error = path && text ? place_write_over(path, text, strlen(text), NULL) : 0;

    if (error)
        snprintf(scout->file_error, sizeof scout->file_error, "%s: cannot be written: %s%s", path,
                 strerror(-error), place_cure(error));
    return path && text && !error;
}

static struct scout *of_writing(struct errand *errand)
{
    return (struct scout *)((char *)errand - offsetof(struct scout, writing));
}

static void write_files(struct errand *errand)
{
    struct scout *scout = of_writing(errand);

    *scout->file_error = '\0';
    write_or_tell(scout, scout->options.status, scout->status);
    scout->has_metrics |= write_or_tell(scout, scout->options.metrics, scout->metrics);
}

static void files_written(struct errand *errand)
{
    struct scout *scout = of_writing(errand);

    free(scout->status);
    free(scout->metrics);
    scout->status = scout->metrics = NULL;
}

void scout_write(struct scout *scout, char *status, char *metrics)
{
    if (scout->status) {
        free(status);
        free(metrics);
        return;
    }
    scout->status = status;
    scout->metrics = metrics;
    mailbox_add(scout->mailbox, &scout->writing);
}

/* ---- creation and destruction ---- */

struct scout *scout_create(struct ev_loop *loop, const struct scout_options *options)
{
    struct scout *scout = calloc(1, sizeof *scout);
    const struct mailbox_options thread = {.owner = scout, .due_fn = look_if_due};
    int error;

    if (!scout)
        return NULL;
    scout->options = *options;
    scout->seen_event = -1;
    scout->ended_us = clock_time_us();
    scout->writing.run_fn = write_files;
    scout->writing.done_fn = files_written;
    error = mailbox_create(&scout->mailbox, loop, &thread);
    if (!error)
        return scout;
    free(scout);
    errno = -error;
    return NULL;
}

void scout_destroy(struct scout *scout)
{
    if (!scout)
        return;
    mailbox_destroy(scout->mailbox);
    store_close(scout->store);
    if (scout->has_metrics) /* the figures are out of date once the daemon has ended */
        unlink(scout->options.metrics);
    free(scout);
}
