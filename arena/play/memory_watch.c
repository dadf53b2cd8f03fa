#include "arena/play/memory_watch.h"

#include "arena/play/runner.h"

static int64_t round_us(void)
{
    return (int64_t)RUNNER_WATCH_MS * 1000;
}

static void look(struct alarm *alarm)
{
    struct memory_watch *watch = alarm->owner;
    int64_t begun_us = alarm_now_us(), now_us = begun_us;

    if (watch->looked_count == 0)
        watch->begun_us = begun_us;
    while (watch->looked_count < watch->count && now_us - begun_us < MEMORY_WATCH_US_MAX) {
        struct table *table = watch->table_fn(watch->owner, watch->looked_count++);

        if (table)
            table_watch(table);
        now_us = alarm_now_us();
    }
    if (watch->looked_count < watch->count) {
        alarm_set(alarm, now_us + MEMORY_WATCH_US_MAX);
        return;
    }
    watch->looked_count = 0;
    alarm_set(alarm, watch->begun_us + round_us());
}

int memory_watch_start(struct memory_watch *watch, struct ev_loop *loop, int count,
                       struct table *(*table_fn)(void *owner, int number), void *owner)
{
    int error;

    *watch = (struct memory_watch){.count = count, .table_fn = table_fn, .owner = owner};
    error = alarm_open(&watch->alarm, loop, look, watch);
    if (error == 0)
        alarm_set(&watch->alarm, alarm_now_us() + round_us());
    return error;
}

void memory_watch_stop(struct memory_watch *watch, struct ev_loop *loop)
{
    alarm_close(&watch->alarm, loop);
}
