#include "arena/trial/talk.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "arena/play/runner.h"
#include "arena/play/stop.h"

/* Started, answered or gone; a fault that was told before stands. */
static void bot_came_on(struct bot *bot)
{
    struct talk *talk = bot->owner;

    if (talk->outcome == TALK_WAITING)
        talk->outcome = TALK_DONE;
    ev_break(talk->loop, EVBREAK_ALL);
}

/* Its process is dead or being killed: gone_fn follows, and only then is all of it known. */
static void bot_failed(struct bot *bot)
{
    struct talk *talk = bot->owner;

    talk->outcome = TALK_FAULT;
}

static void bot_broken(struct bot *bot)
{
    struct talk *talk = bot->owner;

    talk->outcome = TALK_BROKEN;
    ev_break(talk->loop, EVBREAK_ALL);
}

static enum talk_outcome wait(struct talk *talk)
{
    while (talk->outcome == TALK_WAITING ||
           (talk->outcome == TALK_FAULT && talk->bot.state != BOT_GONE))
        ev_run(talk->loop, EVRUN_ONCE);
    return talk->outcome;
}

static void look_at_memory(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct talk *talk = timer->data;

    bot_watch(&talk->bot);
}

static void stopped(struct ev_loop *loop, ev_io *watch, int events)
{
    struct talk *talk = watch->data;

    talk->bot.failure = (struct sandbox_failure){.step = "stopped", .error = EINTR};
    talk->outcome = TALK_BROKEN;
    ev_break(loop, EVBREAK_ALL);
}

struct talk *talk_create(struct sandbox *sandbox)
{
    struct talk *talk = calloc(1, sizeof *talk);
    int stop_fd = stop_open();

    if (talk && stop_fd >= 0)
        talk->loop = ev_loop_new(EVFLAG_AUTO);
    if (!talk || !talk->loop) {
        if (stop_fd >= 0)
            close(stop_fd);
        free(talk);
        return NULL;
    }
    talk->transport = transport_of_sandbox(sandbox);
    ev_io_init(&talk->stop, stopped, stop_fd, EV_READ);
    talk->stop.data = talk;
    ev_io_start(talk->loop, &talk->stop);
    pace_start(&talk->pace, talk->loop);
    ev_timer_init(&talk->watch, look_at_memory, RUNNER_WATCH_MS / 1000., RUNNER_WATCH_MS / 1000.);
    talk->watch.data = talk;
    if (talk->transport.watches)
        ev_timer_start(talk->loop, &talk->watch);
    talk->bot.owner = talk;
    talk->bot.started_fn = bot_came_on;
    talk->bot.replied_fn = bot_came_on;
    talk->bot.failed_fn = bot_failed;
    talk->bot.broken_fn = bot_broken;
    talk->bot.gone_fn = bot_came_on;
    return talk;
}

void talk_destroy(struct talk *talk)
{
    if (!talk)
        return;
    bot_finish(&talk->bot);
    ev_timer_stop(talk->loop, &talk->watch);
    ev_io_stop(talk->loop, &talk->stop);
    close(talk->stop.fd);
    pace_stop(&talk->pace, talk->loop);
    ev_loop_destroy(talk->loop);
    free(talk);
}

enum talk_outcome talk_start(struct talk *talk, const struct source *source,
                             const struct table_rules *rules)
{
    struct sandbox_command command = table_command(source, rules, -1);

    talk->outcome = TALK_WAITING;
    talk->bot.core_count = table_core_count(-1);
    if (bot_start(&talk->bot, talk->loop, &talk->pace, &talk->transport, &command) < 0)
        return TALK_BROKEN;
    return wait(talk);
}

enum talk_outcome talk_ask(struct talk *talk, size_t size, int64_t limit_us,
                           enum wire_reason late_reason)
{
    talk->outcome = TALK_WAITING;
    bot_ask(&talk->bot, size, limit_us, late_reason);
    return wait(talk);
}

static void rested(struct ev_loop *loop, ev_timer *timer, int events)
{
    bool *is_over = timer->data;

    *is_over = true;
}

void talk_rest(struct talk *talk, int rest_ms)
{
    bool is_over = false;
    ev_timer timer;

    ev_now_update(talk->loop);
    ev_timer_init(&timer, rested, rest_ms / 1000., 0.);
    timer.data = &is_over;
    ev_timer_start(talk->loop, &timer);
    while (!is_over)
        ev_run(talk->loop, EVRUN_ONCE);
}

enum talk_outcome talk_fail(struct talk *talk, enum wire_reason reason, const char *words)
{
    talk->outcome = TALK_WAITING;
    bot_fail(&talk->bot, reason, words);
    return wait(talk);
}

enum talk_outcome talk_leave(struct talk *talk, size_t size)
{
    talk->outcome = TALK_WAITING;
    bot_leave(&talk->bot, size);
    return wait(talk);
}
