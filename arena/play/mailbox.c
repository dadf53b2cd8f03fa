/* SPDX-License-Identifier: MIT */
/*
 * Two queues under one mutex (to the thread and back), and an eventfd for each direction that wakes
 * the reader of the queue.
 */
#include "arena/play/mailbox.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "arena/play/watch.h"
#include "arena/base/clock.h"

enum {
    LOOK_MS = 1000, /* time between two checks whether the thread takes too long for an errand */
};

struct queue {
    struct errand *first, **end;
};

enum state {
    OPEN = 0,
    ENDING = 1, /* mailbox_destroy waits until the thread has run all errands */
    CLOSED = 2, /* no errand is left: the thread ends */
};

struct mailbox {
    struct mailbox_options options;
    pthread_t thread;
    int wake_fd;   /* eventfd that wakes the thread */
    int listen_fd; /* descriptor that mailbox_listen has set; -1: none */

    /* The fields up to the mutex are used on the loop only. */
    struct ev_loop *loop;
    /* Watches an eventfd that is readable while `answers` has an errand or news. */
    struct watch answered;
    ev_timer look;
    int count;       /* number of errands whose done_fn has not been called yet */
    int64_t slow_us; /* time limit of an errand */

    pthread_mutex_t mutex; /* protects the fields below */
    struct queue urgent, waiting, answers;
    enum state state;
    int64_t begun_us; /* when the thread began the current errand; 0: no errand */
};

static void queue_init(struct queue *queue)
{
    queue->first = NULL;
    queue->end = &queue->first;
}

static void queue_add(struct queue *queue, struct errand *errand)
{
    errand->next = NULL;
    *queue->end = errand;
    queue->end = &errand->next;
}

static struct errand *queue_take(struct queue *queue)
{
    struct errand *errand = queue->first;

    if (errand && !(queue->first = errand->next))
        queue->end = &queue->first;
    return errand;
}

static void release(struct mailbox *mailbox)
{
    close(mailbox->wake_fd);
    close(mailbox->answered.io.fd);
    pthread_mutex_destroy(&mailbox->mutex);
    free(mailbox);
}

/* Wakes the reader of an eventfd. A signal must not get in the way: nobody would wake it again. */
static void wake(int fd)
{
    while (eventfd_write(fd, 1) < 0 && errno == EINTR)
        ;
}

static enum state state_of(struct mailbox *mailbox)
{
    enum state state;

    pthread_mutex_lock(&mailbox->mutex);
    state = mailbox->state;
    pthread_mutex_unlock(&mailbox->mutex);
    return state;
}

bool mailbox_is_ending(struct mailbox *mailbox)
{
    return state_of(mailbox) != OPEN;
}

/* ---- in the thread ---- */

static struct errand *take_errand(struct mailbox *mailbox)
{
    struct errand *errand;

    pthread_mutex_lock(&mailbox->mutex);
    errand = queue_take(&mailbox->urgent);
    if (!errand)
        errand = queue_take(&mailbox->waiting);
    if (errand)
        mailbox->begun_us = clock_now_us();
    pthread_mutex_unlock(&mailbox->mutex);
    return errand;
}

/* Passes a finished errand, or news, to the loop. */
static void answer(struct mailbox *mailbox, struct errand *errand)
{
    pthread_mutex_lock(&mailbox->mutex);
    mailbox->begun_us = errand->run_fn ? 0 : mailbox->begun_us;
    queue_add(&mailbox->answers, errand);
    pthread_mutex_unlock(&mailbox->mutex);
    wake(mailbox->answered.io.fd);
}

void mailbox_tell(struct mailbox *mailbox, struct errand *news)
{
    assert(!news->run_fn);
    answer(mailbox, news);
}

void mailbox_listen(struct mailbox *mailbox, int fd)
{
    mailbox->listen_fd = fd;
}

/*
 * Sleeps until the loop adds an errand or changes the state, until the descriptor of mailbox_listen
 * is readable, or until due_us.
 */
static void rest(struct mailbox *mailbox, int64_t due_us)
{
    struct pollfd watched[2] = {{.fd = mailbox->wake_fd, .events = POLLIN},
                                {.fd = mailbox->listen_fd, .events = POLLIN}};
    int64_t left_us = due_us == INT64_MAX ? 0 : due_us - clock_now_us();
    const struct timespec left = {.tv_sec = left_us / 1000000, .tv_nsec = left_us % 1000000 * 1000};
    eventfd_t count;

    if (left_us < 0)
        return;
    ppoll(watched, 2, due_us == INT64_MAX ? NULL : &left, NULL);
    if (watched[0].revents)
        eventfd_read(mailbox->wake_fd, &count);
}

static void *work(void *argument)
{
    struct mailbox *mailbox = argument;

    for (;;) {
        struct errand *errand = take_errand(mailbox);
        enum state state;

        if (errand) {
            errand->run_fn(errand);
            answer(mailbox, errand);
            continue;
        }
        state = state_of(mailbox);
        if (state == CLOSED)
            return NULL;
        rest(mailbox, state == OPEN && mailbox->options.due_fn
                          ? mailbox->options.due_fn(mailbox->options.owner)
                          : INT64_MAX);
    }
}

/* ---- on the loop ---- */

static struct errand *take_answer(struct mailbox *mailbox)
{
    struct errand *errand;

    pthread_mutex_lock(&mailbox->mutex);
    errand = queue_take(&mailbox->answers);
    pthread_mutex_unlock(&mailbox->mutex);
    return errand;
}

static void answered(struct watch *watch)
{
    struct mailbox *mailbox = watch->owner;
    void (*idle_fn)(void *owner) = mailbox->options.idle_fn;
    struct errand *errand;
    eventfd_t one;

    if (eventfd_read(watch->io.fd, &one) < 0 || !(errand = take_answer(mailbox)))
        return;
    mailbox->count -= errand->run_fn != NULL;
    errand->done_fn(errand); /* done_fn may destroy the mailbox, if there is no idle_fn */
    if (idle_fn && mailbox->count == 0)
        idle_fn(mailbox->options.owner);
}

static _Noreturn void give_up(int64_t waited_us)
{
    dprintf(STDERR_FILENO,
            "arena: gave up after %lld s: a bot's processes were killed and do not end, so they "
            "hang in "
            "the kernel: `ps` shows them in state D; restart the machine if they stay\n",
            (long long)(waited_us / 1000000));
    _exit(1);
}

static void look_at_errand(struct mailbox *mailbox)
{
    int64_t begun_us, over_us;

    pthread_mutex_lock(&mailbox->mutex);
    begun_us = mailbox->begun_us;
    pthread_mutex_unlock(&mailbox->mutex);
    over_us = clock_now_us() - begun_us - mailbox->slow_us;
    if (!mailbox->options.slow_fn || !begun_us || over_us < 0)
        return;
    mailbox->options.slow_fn(mailbox->options.owner);
    if (mailbox->options.stuck_ms && over_us >= (int64_t)mailbox->options.stuck_ms * 1000)
        give_up(over_us + mailbox->slow_us);
}

static void look(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct mailbox *mailbox = timer->data;

    if (mailbox->count == 0)
        ev_timer_stop(loop, timer);
    else
        look_at_errand(mailbox);
}

static int start_thread(struct mailbox *mailbox)
{
    sigset_t all, before;
    int error;

    sigfillset(&all); /* block all signals, so that the kernel sends them to the loop's thread */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&mailbox->thread, NULL, work, mailbox);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

int mailbox_create(struct mailbox **created, struct ev_loop *loop,
                   const struct mailbox_options *options)
{
    struct mailbox *mailbox = *created = calloc(1, sizeof *mailbox);
    int answer_fd, error;

    if (!mailbox)
        return -ENOMEM;
    if (options)
        mailbox->options = *options;
    mailbox_limit(mailbox, MAILBOX_SLOW_MS);
    mailbox->loop = loop;
    mailbox->listen_fd = -1;
    mailbox->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    answer_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
    error = mailbox->wake_fd < 0 || answer_fd < 0 ? errno : 0;
    pthread_mutex_init(&mailbox->mutex, NULL);
    queue_init(&mailbox->urgent);
    queue_init(&mailbox->waiting);
    queue_init(&mailbox->answers);
    watch_init(&mailbox->answered, answer_fd, EV_READ, answered, mailbox);
    ev_timer_init(&mailbox->look, look, LOOK_MS / 1000., LOOK_MS / 1000.);
    mailbox->look.data = mailbox;
    if (!error)
        error = start_thread(mailbox);
    if (!error) {
        watch_start(&mailbox->answered, loop);
        return 0;
    }
    release(mailbox);
    *created = NULL;
    return -error;
}

static void set_state(struct mailbox *mailbox, enum state state)
{
    pthread_mutex_lock(&mailbox->mutex);
    mailbox->state = state;
    pthread_mutex_unlock(&mailbox->mutex);
    wake(mailbox->wake_fd);
}

/* Waits for all added errands and calls their done_fn. */
static void settle_all(struct mailbox *mailbox)
{
    struct pollfd answered = {.fd = mailbox->answered.io.fd, .events = POLLIN};

    while (mailbox->count > 0) {
        struct errand *errand = take_answer(mailbox);
        eventfd_t one;

        if (errand) {
            mailbox->count -= errand->run_fn != NULL;
            errand->done_fn(errand);
        } else if (poll(&answered, 1, LOOK_MS) == 0) {
            look_at_errand(mailbox);
        } else {
            eventfd_read(mailbox->answered.io.fd, &one);
        }
    }
}

void mailbox_destroy(struct mailbox *mailbox)
{
    struct errand *news;

    if (!mailbox)
        return;
    set_state(mailbox, ENDING);
    settle_all(mailbox);
    ev_timer_stop(mailbox->loop, &mailbox->look);
    watch_stop(&mailbox->answered, mailbox->loop);
    set_state(mailbox, CLOSED);
    pthread_join(mailbox->thread, NULL);
    while ((news = take_answer(mailbox)))
        news->done_fn(news);
    release(mailbox);
}

void mailbox_limit(struct mailbox *mailbox, int slow_ms)
{
    mailbox->slow_us = (int64_t)slow_ms * 1000;
}

void mailbox_add(struct mailbox *mailbox, struct errand *errand)
{
    if (mailbox->count++ == 0 && mailbox->options.slow_fn)
        ev_timer_again(mailbox->loop, &mailbox->look);
    pthread_mutex_lock(&mailbox->mutex);
    queue_add(errand->is_urgent ? &mailbox->urgent : &mailbox->waiting, errand);
    pthread_mutex_unlock(&mailbox->mutex);
    wake(mailbox->wake_fd);
}

bool mailbox_is_busy(const struct mailbox *mailbox)
{
    return mailbox->count > 0;
}
