#include "arena/play/pace.h"

#include "arena/play/alarm.h"

enum {
    AT_ONCE_US = 10, /* a sleep shorter than this did not wait: its event was there before */
};

static void go_to_sleep(struct ev_loop *loop, ev_prepare *prepare, int events)
{
    struct pace *pace = prepare->data;

    pace->slept_us = alarm_now_us();
}

static void wake_up(struct ev_loop *loop, ev_check *check, int events)
{
    struct pace *pace = check->data;
    int64_t now_us = alarm_now_us();

    pace->waiting_us = now_us - pace->slept_us < AT_ONCE_US ? now_us - pace->woke_us : 0;
    pace->woke_us = now_us;
    pace->look_count = 0;
}

void pace_start(struct pace *pace, struct ev_loop *loop)
{
    pace->woke_us = pace->slept_us = alarm_now_us();
    pace->waiting_us = 0;
    ev_prepare_init(&pace->prepare, go_to_sleep);
    ev_check_init(&pace->check, wake_up);
    ev_set_priority(&pace->check, EV_MAXPRI);
    pace->prepare.data = pace->check.data = pace;
    ev_prepare_start(loop, &pace->prepare);
    ev_check_start(loop, &pace->check);
}

void pace_stop(struct pace *pace, struct ev_loop *loop)
{
    ev_prepare_stop(loop, &pace->prepare);
    ev_check_stop(loop, &pace->check);
}

int64_t pace_delay_us(const struct pace *pace, int64_t now_us)
{
    return now_us - pace->woke_us + pace->waiting_us;
}
