/* SPDX-License-Identifier: MIT */
#include "arena/play/alarm.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "arena/base/clock.h"

static void arm(struct alarm *alarm, int64_t at_us)
{
    struct itimerspec spec = {
        .it_value = {.tv_sec = at_us / 1000000, .tv_nsec = at_us % 1000000 * 1000}};

    timerfd_settime(alarm->watch.io.fd, TFD_TIMER_ABSTIME, &spec, NULL);
    alarm->armed_us = at_us;
}

static void go_off(struct watch *watch)
{
    struct alarm *alarm = watch->owner;
    uint64_t count;

    if (read(watch->io.fd, &count, sizeof count) < 0)
        return;
    alarm->armed_us = 0;
    alarm_ring(alarm, clock_now_us());
}

int alarm_open(struct alarm *alarm, struct ev_loop *loop, void (*due_fn)(struct alarm *alarm),
               void *owner)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);

    if (fd < 0)
        return -errno;
    *alarm = (struct alarm){.due_fn = due_fn, .owner = owner};
    watch_init(&alarm->watch, fd, EV_READ, go_off, alarm);
    watch_start(&alarm->watch, loop);
    return 0;
}

void alarm_close(struct alarm *alarm, struct ev_loop *loop)
{
    if (!alarm->owner)
        return;
    watch_stop(&alarm->watch, loop);
    close(alarm->watch.io.fd);
    *alarm = (struct alarm){0};
}

void alarm_set(struct alarm *alarm, int64_t deadline_us)
{
    alarm->deadline_us = deadline_us;
    if (alarm->armed_us == 0 || alarm->armed_us > deadline_us)
        arm(alarm, deadline_us > 0 ? deadline_us : 1);
}

void alarm_ring(struct alarm *alarm, int64_t now_us)
{
    if (alarm->deadline_us == 0)
        return;
    if (alarm->deadline_us > now_us) {
        if (alarm->armed_us == 0)
            arm(alarm, alarm->deadline_us);
        return;
    }
    alarm->deadline_us = 0;
    alarm->due_fn(alarm);
}

void alarm_clear(struct alarm *alarm)
{
    alarm->deadline_us = 0;
}
