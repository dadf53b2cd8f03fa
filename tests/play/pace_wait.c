/* SPDX-License-Identifier: MIT */
/* When the loop was woken, told apart from when it had a processor again. */
#include "arena/play/pace.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    QUEUED_US = 3000,
    TRIES_MAX = 1000,
    SEEN_US = 1000, /* a wait for a processor that is clearly one */
    TRY_MS = 20000,
};

struct waking {
    struct ev_loop *loop;
    ev_async woken;
    int fd; /* stands for the kernel's file */
    struct pace pace;
};

static void woken(struct ev_loop *loop, ev_async *watch, int events)
{
    ev_break(loop, EVBREAK_ALL);
}

/* Wakes the loop, which then finds that it had to wait for a processor. */
static void *wake(void *owner)
{
    struct waking *waking = owner;
    const char line[] = "1000000 3000000 7\n";

    usleep(5000);
    cr_expect_eq(pwrite(waking->fd, line, sizeof line - 1, 0), (ssize_t)sizeof line - 1);
    ev_async_send(waking->loop, &waking->woken);
    return NULL;
}

/* False if the loop did not sleep, which happens on a busy machine. */
static bool see_wait(void)
{
    struct waking waking = {.loop = ev_loop_new(EVFLAG_AUTO)};
    pthread_t thread;
    bool slept;

    waking.fd = memfd_create("schedstat", MFD_CLOEXEC);
    cr_assert_eq(pwrite(waking.fd, "900000 0 6\n", 11, 0), 11);
    ev_async_init(&waking.woken, woken);
    ev_async_start(waking.loop, &waking.woken);
    pace_start(&waking.pace, waking.loop);
    close(waking.pace.schedstat_fd);
    waking.pace.schedstat_fd = waking.fd;
    waking.pace.queued_us = 0;
    pthread_create(&thread, NULL, wake, &waking);
    ev_run(waking.loop, 0);
    pthread_join(thread, NULL);
    slept = waking.pace.slept && waking.pace.woke_us - waking.pace.ready_us >= QUEUED_US;
    if (slept) {
        cr_expect_eq(waking.pace.quiet_us, waking.pace.woke_us - QUEUED_US);
    }
    pace_stop(&waking.pace, waking.loop);
    ev_loop_destroy(waking.loop);
    return slept;
}

Test(pace_wait, a_wait_for_a_processor_is_none_for_an_event, .timeout = 60)
{
    for (int i = 0; i < TRIES_MAX; i++)
        if (see_wait())
            return;
    cr_assert_fail("the loop never slept: this shows nothing");
}

/* ---- what the kernel tells ---- */

static atomic_bool over;

static void *burn(void *owner)
{
    while (!atomic_load(&over))
        ;
    return NULL;
}

static void tick(struct ev_loop *loop, ev_timer *timer, int events)
{
    const struct pace *pace = timer->data;
    static int64_t begun_us;
    if (!begun_us)
        begun_us = pace->woke_us;
    if (pace->slept && pace->woke_us - pace->quiet_us >= SEEN_US)
        ev_break(loop, EVBREAK_ALL);
    else if (pace->woke_us - begun_us > (int64_t)TRY_MS * 1000)
        cr_assert_fail("nothing tells that the loop waited for its processor");
}

Test(pace_wait, the_kernel_tells_how_long_it_waited_for_a_processor, .timeout = 60)
{
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    struct pace pace;
    pthread_t thread;
    ev_timer timer;
    cpu_set_t one;

    if (access("/proc/thread-self/schedstat", R_OK) < 0)
        cr_skip("this kernel keeps no account of waits for a processor");
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    pthread_create(&thread, NULL, burn, NULL);
    setpriority(PRIO_PROCESS, (id_t)gettid(), 19); /* of this thread: the other goes first */
    pace_start(&pace, loop);
    ev_timer_init(&timer, tick, .001, .001);
    timer.data = &pace;
    ev_timer_start(loop, &timer);
    ev_run(loop, 0);
    atomic_store(&over, true);
    pthread_join(thread, NULL);
    pace_stop(&pace, loop);
    ev_loop_destroy(loop);
}
