#include "arena/serve/scout_state.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "arena/season/mix.h"

bool scout_is_ending(struct scout *scout)
{
    bool ends;

    pthread_mutex_lock(&scout->mutex);
    ends = scout->ends;
    pthread_mutex_unlock(&scout->mutex);
    return ends;
}

/* Records the first error of a look. */
static void keep_error(struct scout *scout, const char *line)
{
    if (!*scout->view.error)
        snprintf(scout->view.error, sizeof scout->view.error, "%s", line);
}

/* ---- a look ---- */

static int see_submission(void *context, const struct store_submission *submission)
{
    struct scout_view *view = context;
    struct scout_submission *told;

    view->submission_count++;
    for (int i = 0; i < view->told_count; i++)
        if (strcmp(view->submissions[i].author, submission->author) == 0)
            return 0;
    if (view->told_count == SCOUT_SUBMISSIONS_MAX)
        return 0;
    told = &view->submissions[view->told_count++];
    *told = (struct scout_submission){.id = submission->id, .state = submission->state};
    memcpy(told->author, submission->author, sizeof told->author);
    return 0;
}

/* Hands what was seen to the loop. */
static void hand_over(struct scout *scout)
{
    struct scout_view *view = &scout->view;
    struct statvfs disk;

    if (statvfs(scout->options.folder, &disk) == 0)
        view->disk_free_bytes = (int64_t)disk.f_bavail * (int64_t)disk.f_frsize;
    pthread_mutex_lock(&scout->mutex);
    scout->seen = *view;
    scout->has_seen = true;
    pthread_mutex_unlock(&scout->mutex);
    ev_async_send(scout->loop, &scout->told);
}

static void look(struct scout *scout, struct store *store)
{
    struct scout_view *view = &scout->view;
    int64_t event = 0;

    for (int i = 0; i < scout->known_count; i++)
        scout->known[i].is_seen = false;
    if (store_event_latest(store, &event) < 0 ||
        store_seasons_each(store, scout_see_season, scout) < 0) {
        keep_error(scout, store_failure(store));
        return;
    }
    scout_forget_closed(scout);
    view->mark = mix(view->mark, (uint64_t)event);
    scout_load_changed(scout, event);
    /* Last: an admission that ends meanwhile is not begun again. */
    if (store_submissions_open_each(store, see_submission, view) < 0)
        keep_error(scout, store_failure(store));
}

/* ---- files ---- */

/* Writes a temporary file and renames it, so that readers never see an incomplete one. 0 or -errno.
 */
static int write_file(const char *path, const char *text)
{
    char aside[4096 + 8];
    int fd, error = 0;

    if (!path || !text)
        return 0;
    if (snprintf(aside, sizeof aside, "%s.new", path) >= (int)sizeof aside)
        return -ENAMETOOLONG;
    fd = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return -errno;
    errno = ENOSPC; /* of a write that is short */
    if (write(fd, text, strlen(text)) != (ssize_t)strlen(text) || rename(aside, path) < 0)
        error = -errno;
    close(fd);
    if (error)
        unlink(aside);
    return error;
}

/* Writes one of the two and keeps what went wrong, which goes with the next look. */
static void write_or_tell(struct scout *scout, const char *path, const char *text)
{
    int error = write_file(path, text);

    if (error)
        snprintf(scout->file_error, sizeof scout->file_error, "%s: cannot be written: %s", path,
                 strerror(-error));
}

static void write_files(struct scout *scout)
{
    char *status, *metrics;

    pthread_mutex_lock(&scout->mutex);
    status = scout->status;
    metrics = scout->metrics;
    scout->status = scout->metrics = NULL;
    pthread_mutex_unlock(&scout->mutex);
    if (!status)
        return;
    *scout->file_error = '\0';
    write_or_tell(scout, scout->options.status, status);
    write_or_tell(scout, scout->options.metrics, metrics);
    free(status);
    free(metrics);
}

/* ---- the thread ---- */

/* Sleeps until the next look, or until there is something to free, write or end. */
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

    while (!scout_is_ending(scout)) {
        scout_take_returned(scout);
        write_files(scout);
        if (!is_past(&next)) {
            sleep_until(scout, &next);
            continue;
        }
        memset(&scout->view, 0, sizeof scout->view);
        if (!store && store_open(&store, scout->options.url, STORE_WRITE) < 0) {
            keep_error(scout, store_failure(store));
            store_close(store);
            store = NULL;
        } else {
            look(scout, store);
        }
        keep_error(scout, scout->file_error);
        hand_over(scout);
        set_next(&next);
    }
    scout_take_returned(scout);
    write_files(scout);
    if (scout->options.metrics) /* they are nobody's figures any more */
        unlink(scout->options.metrics);
    store_close(store);
    return NULL;
}

/* ---- the loop's side ---- */

static void told(struct ev_loop *loop, ev_async *watch, int events)
{
    struct scout *scout = watch->data;
    struct ready_list *given;
    struct trouble *troubles;
    static struct scout_view view;
    bool has_seen;

    (void)loop;
    (void)events;
    pthread_mutex_lock(&scout->mutex);
    given = scout->given;
    scout->given = NULL;
    troubles = scout->troubles;
    scout->troubles = NULL;
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
    while (troubles) {
        struct trouble *next = troubles->next;

        scout->options.trouble_fn(scout->options.owner, troubles->season, troubles->words,
                                  troubles->is_busy);
        free(troubles);
        troubles = next;
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
        scout_free_ready(ready);
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

int scout_write_first(struct scout *scout, const char *status)
{
    return write_file(scout->options.status, status);
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

        scout_free_ready(scout->given->ready);
        free(scout->given);
        scout->given = next;
    }
    while (scout->troubles) {
        struct trouble *next = scout->troubles->next;

        free(scout->troubles);
        scout->troubles = next;
    }
    ev_async_stop(scout->loop, &scout->told);
    free(scout->status);
    free(scout->metrics);
    pthread_mutex_destroy(&scout->mutex);
    pthread_cond_destroy(&scout->due);
    free(scout);
}
