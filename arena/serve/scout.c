#include "arena/serve/scout.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "arena/store/leases.h"

enum {
    RETRY_S = 20, /* after the arena failed a season, or while others play it */
};

/* What the thread knows about an open season. */
struct known {
    char name[STORE_NAME_BYTES_MAX + 1];
    bool is_given;      /* passed to the loop */
    int64_t event;      /* the store's last event when it was loaded; -1: never loaded */
    int64_t budget;     /* when it was loaded */
    int64_t game_count; /* when it was loaded; -1: never */
    int64_t retry_s;    /* monotonic time of the next attempt; 0: at once */
};

struct scout {
    struct scout_options options;
    struct ev_loop *loop;
    ev_async told;
    pthread_t thread;

    /* Used by the thread. */
    struct known known[SCOUT_SEASONS_MAX];
    int known_count;
    struct scout_view view;

    pthread_mutex_t mutex; /* protects the fields below */
    pthread_cond_t due;
    struct scout_view seen; /* the last complete view, for the loop */
    bool has_seen;
    struct ready_list {
        struct ready_list *next;
        struct scout_ready *ready;
        bool failed;
    } * given, *returned;
    char *status, *metrics; /* texts to be written to the files */
    bool ends;
};

static int64_t now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static bool is_ending(struct scout *scout)
{
    bool ends;

    pthread_mutex_lock(&scout->mutex);
    ends = scout->ends;
    pthread_mutex_unlock(&scout->mutex);
    return ends;
}

/* ---- seasons ---- */

static struct known *find_known(struct scout *scout, const char *name)
{
    struct known *known;

    for (int i = 0; i < scout->known_count; i++)
        if (strcmp(scout->known[i].name, name) == 0)
            return &scout->known[i];
    if (scout->known_count == SCOUT_SEASONS_MAX)
        return NULL;
    known = &scout->known[scout->known_count++];
    *known = (struct known){.event = -1, .game_count = -1};
    snprintf(known->name, sizeof known->name, "%s", name);
    return known;
}

static void free_ready(struct scout_ready *ready)
{
    season_finish(&ready->season);
    store_close(ready->store); /* closing the store releases the claim, too */
    free(ready);
}

/* Records the first error of a look. */
static void keep_error(struct scout *scout, const char *line)
{
    if (!*scout->view.error)
        snprintf(scout->view.error, sizeof scout->view.error, "%s", line);
}

static void give(struct scout *scout, struct known *known, struct scout_ready *ready)
{
    struct ready_list *link = malloc(sizeof *link);

    if (!link) {
        free_ready(ready);
        return;
    }
    known->is_given = true;
    *link = (struct ready_list){.ready = ready};
    pthread_mutex_lock(&scout->mutex);
    link->next = scout->given;
    scout->given = link;
    pthread_mutex_unlock(&scout->mutex);
    ev_async_send(scout->loop, &scout->told);
}

/* Claims and loads a season, and passes it to the loop. */
static void load(struct scout *scout, struct known *known, int64_t event, int64_t budget)
{
    struct scout_ready *ready = calloc(1, sizeof *ready);
    int error;

    if (!ready)
        return;
    error = store_open(&ready->store, scout->options.url, STORE_WRITE);
    if (!error)
        error = store_season_claim(ready->store, known->name);
    if (!error)
        error = season_load(&ready->season, ready->store, known->name);
    if (!error) {
        error = store_season_deal(ready->store, ready->season.terms.id, scout->options.deals);
        ready->is_dealt = scout->options.deals && !error;
        error = error == -ENOTSUP ? 0 : error;
        if (error)
            season_finish(&ready->season);
    }
    if (error) {
        keep_error(scout, store_failure(ready->store));
        known->retry_s = now_s() + RETRY_S;
        store_close(ready->store);
        free(ready);
        return;
    }
    known->event = event;
    known->budget = budget;
    known->game_count = ready->season.schedule.played_count;
    known->retry_s = 0;
    give(scout, known, ready);
}

static int see_season(void *context, const struct store_season *season)
{
    struct scout *scout = context;
    struct scout_view *view = &scout->view;
    struct known *known;

    if (season->closed_us || view->season_count == SCOUT_SEASONS_MAX ||
        !(known = find_known(scout, season->name)))
        return 0;
    view->seasons[view->season_count] = (struct scout_season){.budget_games = season->budget_games,
                                                              .game_count = known->game_count};
    memcpy(view->seasons[view->season_count++].name, season->name, sizeof season->name);
    return 0;
}

/* Loads the seasons that have changed since they were last played. */
static void load_changed(struct scout *scout, int64_t event)
{
    for (int i = 0; i < scout->view.season_count && !is_ending(scout); i++) {
        const struct scout_season *season = &scout->view.seasons[i];
        struct known *known = find_known(scout, season->name);

        if (!known || known->is_given || now_s() < known->retry_s ||
            (known->event == event && known->budget == season->budget_games))
            continue;
        load(scout, known, event, season->budget_games);
    }
}

/* Frees the seasons that the loop returned. */
static void take_returned(struct scout *scout)
{
    struct ready_list *list;

    pthread_mutex_lock(&scout->mutex);
    list = scout->returned;
    scout->returned = NULL;
    pthread_mutex_unlock(&scout->mutex);
    while (list) {
        struct ready_list *next = list->next;
        struct known *known = find_known(scout, list->ready->season.terms.name);

        if (known) {
            known->is_given = false;
            known->game_count = list->ready->season.schedule.played_count;
            if (list->failed) {
                known->event = -1;
                known->retry_s = now_s() + RETRY_S;
            }
        }
        free_ready(list->ready);
        free(list);
        list = next;
    }
}

/* ---- a look ---- */

static int see_submission(void *context, const struct store_submission *submission)
{
    struct scout_view *view = context;
    struct scout_submission *told;

    if (view->submission_count++ >= SCOUT_SUBMISSIONS_MAX)
        return 0;
    told = &view->submissions[view->told_count++];
    *told = (struct scout_submission){.id = submission->id, .state = submission->state};
    memcpy(told->author, submission->author, sizeof told->author);
    return 0;
}

static void look(struct scout *scout, struct store *store)
{
    struct scout_view *view = &scout->view;
    struct statvfs disk;
    int64_t event = 0;

    memset(view, 0, sizeof *view);
    if (store_seasons_each(store, see_season, scout) < 0 ||
        store_submissions_open_each(store, see_submission, view) < 0 ||
        store_event_latest(store, &event) < 0)
        keep_error(scout, store_failure(store));
    else
        load_changed(scout, event);
    if (statvfs(scout->options.folder, &disk) == 0)
        view->disk_free_bytes = (int64_t)disk.f_bavail * (int64_t)disk.f_frsize;
    pthread_mutex_lock(&scout->mutex);
    scout->seen = *view;
    scout->has_seen = true;
    pthread_mutex_unlock(&scout->mutex);
    ev_async_send(scout->loop, &scout->told);
}

/* ---- files ---- */

/* Writes a temporary file and renames it, so that readers never see an incomplete one. */
static void write_file(const char *path, const char *text)
{
    char aside[4096 + 8];
    int fd;

    if (!path || !text || snprintf(aside, sizeof aside, "%s.new", path) >= (int)sizeof aside)
        return;
    fd = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return;
    if (write(fd, text, strlen(text)) == (ssize_t)strlen(text))
        rename(aside, path);
    close(fd);
}

static void write_files(struct scout *scout)
{
    char *status, *metrics;

    pthread_mutex_lock(&scout->mutex);
    status = scout->status;
    metrics = scout->metrics;
    scout->status = scout->metrics = NULL;
    pthread_mutex_unlock(&scout->mutex);
    write_file(scout->options.status, status);
    write_file(scout->options.metrics, metrics);
    free(status);
    free(metrics);
}

/* ---- the thread ---- */

/* Sleeps until the next look, or until there is something to free or write, or the end. */
static void sleep_until(struct scout *scout, const struct timespec *next)
{
    pthread_mutex_lock(&scout->mutex);
    while (!scout->ends && !scout->returned && !scout->status &&
           pthread_cond_timedwait(&scout->due, &scout->mutex, next) != ETIMEDOUT)
        ;
    pthread_mutex_unlock(&scout->mutex);
}

static bool is_past(const struct timespec *moment)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > moment->tv_sec ||
           (now.tv_sec == moment->tv_sec && now.tv_nsec >= moment->tv_nsec);
}

static void set_next(struct timespec *next)
{
    clock_gettime(CLOCK_MONOTONIC, next);
    next->tv_nsec += (long)SCOUT_LOOK_MS * 1000000;
    next->tv_sec += next->tv_nsec / 1000000000;
    next->tv_nsec %= 1000000000;
}

static void *run(void *context)
{
    struct scout *scout = context;
    struct store *store = NULL;
    struct timespec next = {0};

    while (!is_ending(scout)) {
        take_returned(scout);
        write_files(scout);
        if (!is_past(&next)) {
            sleep_until(scout, &next);
            continue;
        }
        if (!store && store_open(&store, scout->options.url, STORE_WRITE) < 0) {
            memset(&scout->view, 0, sizeof scout->view);
            keep_error(scout, store_failure(store));
            store_close(store);
            store = NULL;
        } else {
            look(scout, store);
        }
        set_next(&next);
    }
    take_returned(scout);
    write_files(scout);
    store_close(store);
    return NULL;
}

/* ---- the loop's side ---- */

static void told(struct ev_loop *loop, ev_async *watch, int events)
{
    struct scout *scout = watch->data;
    struct ready_list *given;
    static struct scout_view view;
    bool has_seen;

    (void)loop;
    (void)events;
    pthread_mutex_lock(&scout->mutex);
    given = scout->given;
    scout->given = NULL;
    has_seen = scout->has_seen;
    scout->has_seen = false;
    if (has_seen)
        view = scout->seen;
    pthread_mutex_unlock(&scout->mutex);
    while (given) {
        struct ready_list *next = given->next;

        scout->options.ready_fn(scout->options.owner, given->ready);
        free(given);
        given = next;
    }
    if (has_seen)
        scout->options.seen_fn(scout->options.owner, &view);
}

struct scout *scout_create(struct ev_loop *loop, const struct scout_options *options)
{
    struct scout *scout = calloc(1, sizeof *scout);
    pthread_condattr_t monotonic;
    sigset_t all, before;
    int error;

    if (!scout)
        return NULL;
    scout->options = *options;
    scout->loop = loop;
    pthread_mutex_init(&scout->mutex, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&scout->due, &monotonic);
    pthread_condattr_destroy(&monotonic);
    ev_async_init(&scout->told, told);
    scout->told.data = scout;
    ev_async_start(loop, &scout->told);
    sigfillset(&all); /* the loop's thread handles signals */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&scout->thread, NULL, run, scout);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error)
        return scout;
    ev_async_stop(loop, &scout->told);
    free(scout);
    errno = error;
    return NULL;
}

void scout_return(struct scout *scout, struct scout_ready *ready, bool failed)
{
    struct ready_list *link = malloc(sizeof *link);

    if (!link) { /* then it stays claimed and is not played again */
        free_ready(ready);
        return;
    }
    *link = (struct ready_list){.ready = ready, .failed = failed};
    pthread_mutex_lock(&scout->mutex);
    link->next = scout->returned;
    scout->returned = link;
    pthread_cond_signal(&scout->due);
    pthread_mutex_unlock(&scout->mutex);
}

void scout_write(struct scout *scout, char *status, char *metrics)
{
    pthread_mutex_lock(&scout->mutex);
    free(scout->status);
    free(scout->metrics);
    scout->status = status;
    scout->metrics = metrics;
    pthread_cond_signal(&scout->due);
    pthread_mutex_unlock(&scout->mutex);
}

void scout_destroy(struct scout *scout)
{
    if (!scout)
        return;
    pthread_mutex_lock(&scout->mutex);
    scout->ends = true;
    pthread_cond_signal(&scout->due);
    pthread_mutex_unlock(&scout->mutex);
    pthread_join(scout->thread, NULL);
    while (scout->given) {
        struct ready_list *next = scout->given->next;

        free_ready(scout->given->ready);
        free(scout->given);
        scout->given = next;
    }
    ev_async_stop(scout->loop, &scout->told);
    free(scout->status);
    free(scout->metrics);
    pthread_mutex_destroy(&scout->mutex);
    pthread_cond_destroy(&scout->due);
    free(scout);
}
