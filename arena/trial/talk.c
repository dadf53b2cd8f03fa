/* SPDX-License-Identifier: MIT */
#include "arena/trial/talk.h"

#include <errno.h>
#include <stdlib.h>

#include "arena/play/mailbox.h"
#include "arena/play/runner.h"

/* Lets the loop call the function tell, which checks the outcome. */
static void settle(struct talk *talk)
{
    ev_timer_start(talk->loop, &talk->settled);
}

static bool is_ended(const struct talk *talk)
{
    return talk->bot.state == BOT_NONE &&
           !(talk->transport.errands && mailbox_is_busy(talk->transport.errands));
}

static void tell(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct talk *talk = timer->data;
    enum talk_outcome outcome = talk->outcome;

    if (talk->ends ? !is_ended(talk)
                   : outcome == TALK_WAITING ||
                         /* the bot is being killed: the outcome is complete only after gone_fn */
                         (outcome == TALK_FAULT && talk->bot.state != BOT_GONE))
        return;
    talk->outcome = TALK_WAITING;
    talk->done_fn(talk->owner, talk->ends ? TALK_DONE : outcome);
}

/* Notes how far the bot came: started, answered or gone. Changes nothing after a fault. */
static void bot_came_on(struct bot *bot)
{
    struct talk *talk = bot->owner;

    if (talk->outcome == TALK_WAITING)
        talk->outcome = TALK_DONE;
    settle(talk);
}

static void bot_failed(struct bot *bot)
{
    struct talk *talk = bot->owner;

    talk->outcome = TALK_FAULT;
    settle(talk);
}

static void bot_broken(struct bot *bot)
{
    struct talk *talk = bot->owner;

    talk->outcome = TALK_BROKEN;
    settle(talk);
}

static void look_at_memory(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct talk *talk = timer->data;

    bot_watch(&talk->bot);
}

static void rested(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct talk *talk = timer->data;

    talk->outcome = TALK_DONE;
    settle(talk);
}

static void errands_done(void *owner)
{
    settle(owner);
}

static void start_is_slow(void *owner)
{
    const struct talk *talk = owner;

    if (talk->transport.abort_fn)
        talk->transport.abort_fn(talk->transport.context);
}

struct talk *talk_create(struct ev_loop *loop, const struct transport *transport, void *owner,
                         void (*done_fn)(void *owner, enum talk_outcome outcome))
{
    struct talk *talk = calloc(1, sizeof *talk);
    const struct mailbox_options errands = {.owner = talk,
                                            .idle_fn = errands_done,
                                            .slow_fn = start_is_slow,
                                            .stuck_ms = MAILBOX_STUCK_MS};

    if (!talk)
        return NULL;
    talk->loop = loop;
    talk->transport = *transport;
    talk->owner = owner;
    talk->done_fn = done_fn;
    if (transport->blocks && mailbox_create(&talk->transport.errands, loop, &errands) < 0) {
        free(talk);
        return NULL;
    }
    pace_start(&talk->pace, loop);
    ev_timer_init(&talk->watch, look_at_memory, RUNNER_WATCH_MS / 1000., RUNNER_WATCH_MS / 1000.);
    ev_timer_init(&talk->settled, tell, 0., 0.);
    talk->watch.data = talk->settled.data = talk->rest.data = talk;
    if (talk->transport.watches)
        ev_timer_start(loop, &talk->watch);
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
    mailbox_destroy(talk->transport.errands);
    ev_timer_stop(talk->loop, &talk->watch);
    ev_timer_stop(talk->loop, &talk->settled);
    ev_timer_stop(talk->loop, &talk->rest);
    pace_stop(&talk->pace, talk->loop);
    free(talk);
}

void talk_start(struct talk *talk, const struct source *source, const struct table_rules *rules)
{
    struct sandbox_command command = table_command(source, rules, -1);

    talk->bot.core_count = table_core_count(-1);
    if (bot_start(&talk->bot, talk->loop, &talk->pace, &talk->transport, &command) < 0)
        bot_broken(&talk->bot);
}

void talk_ask(struct talk *talk, size_t size, int64_t limit_us, enum wire_reason late_reason)
{
    bot_ask(&talk->bot, size, limit_us, late_reason);
}

void talk_rest(struct talk *talk, int rest_ms)
{
    ev_now_update(talk->loop);
    ev_timer_init(&talk->rest, rested, rest_ms / 1000., 0.);
    ev_timer_start(talk->loop, &talk->rest);
}

void talk_end(struct talk *talk)
{
    talk->ends = true;
    ev_timer_stop(talk->loop, &talk->rest);
    bot_finish(&talk->bot);
    settle(talk);
}

void talk_stop(struct talk *talk)
{
    if (talk->ends)
        return;
    talk->bot.failure = (struct sandbox_failure){.step = "stopped", .error = EINTR};
    bot_broken(&talk->bot);
}
