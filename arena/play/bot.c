#include "arena/play/bot.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "arena/play/bot_end.h"
#include "arena/play/bot_errand.h"

enum {
    EXCUSED_US = 1000,  /* shorter waits of a bot's call for a busy arena are charged */
    LAST_LOOK_MS = 100, /* between checks of a process that does not end */
};

static void watch_start(struct bot *bot, ev_io *watch)
{
    if (watch->fd >= 0 && !ev_is_active(watch))
        ev_io_start(bot->loop, watch);
}

/* ---- replies ---- */

/*
 * Returns the unused part of the bank: the next request allows it again, and it must not count
 * twice.
 */
static int64_t unused_bank_us(const struct bot *bot)
{
    int64_t beyond_us = bot->charge.used_us - (bot->limit_us - bot->bank_us);

    if (beyond_us <= 0)
        return bot->bank_us;
    return beyond_us < bot->bank_us ? bot->bank_us - beyond_us : 0;
}

/*
 * Stops or resumes the bot. False if the arena could not, and the match is void: the bot would be
 * late, or run on unseen. *ran_on: it ran while it was stopped.
 */
static bool freeze(struct bot *bot, bool frozen, bool *ran_on)
{
    int result = bot->freeze ? bot->transport->freeze_fn(&bot->child, frozen) : 0;

    if ((*ran_on = result == -EBUSY) || result == 0 || result == -ESRCH) /* dead: found as such */
        return true;
    bot->failure =
        (struct sandbox_failure){.step = frozen ? "stop a bot" : "resume a bot", .error = -result};
    bot_end_break(bot);
    return false;
}

static void take_reply(struct bot *bot, enum charge_seen seen)
{
    int64_t cpu_us;
    bool ran_on; /* found again when it is next asked */

    charge_settle(&bot->charge, bot->pace, seen, bot->pace->now_fn());
    cpu_us = bot->transport->cpu_us_fn(&bot->child);
    if (bot_end_is_over_cpu(bot, cpu_us)) {
        bot_end_fail(bot, WIRE_CPU, "it used more processor time than it was allowed");
        return;
    }
    bot->allowed_us -= unused_bank_us(bot);
    bot->used_cpu_us = cpu_us > bot->answered_cpu_us ? cpu_us - bot->answered_cpu_us : 0;
    if (cpu_us > 0)
        bot->answered_cpu_us = cpu_us;
    if (bot->state != BOT_GONE)
        bot->state = BOT_IDLE;
    bot->replied_woke_us = bot->pace->woke_us;
    alarm_clear(&bot->alarm);
    if (bot->state == BOT_IDLE && !freeze(bot, true, &ran_on))
        return;
    bot->replied_fn(bot);
}

/* Reads the reply. Returns true if that decided the request, as a reply or a fault. */
static bool read_reply(struct bot *bot, enum charge_seen seen)
{
    int64_t now_us = bot->pace->now_fn();

    switch (channel_receive(&bot->channel)) {
    case CHANNEL_NOTHING:
    case CHANNEL_PART:
        charge_look(&bot->charge, now_us);
        return false;
    case CHANNEL_WHOLE:
        take_reply(bot, seen);
        return true;
    case CHANNEL_BAD:
        bot_end_fail(bot, WIRE_BAD, channel_fault(&bot->channel));
        return true;
    case CHANNEL_ENDED:
        bot_end_close(bot);
        return true;
    }
    return false;
}

static void output_ready(struct ev_loop *loop, ev_io *watch, int events)
{
    struct bot *bot = watch->data;

    if (bot->state == BOT_ASKED)
        read_reply(bot, CHARGE_POLLED);
    else
        ev_io_stop(bot->loop, watch); /* what it does now takes effect at the next request */
}

/* ---- requests ---- */

static void close_input(struct bot *bot)
{
    ev_io_stop(bot->loop, &bot->input);
    if (bot->child.stdin_fd >= 0)
        close(bot->child.stdin_fd);
    bot->child.stdin_fd = bot->channel.input_fd = bot->input.fd = -1;
}

/* Writes what fits. Returns false if the reader is gone. */
static bool write_request(struct bot *bot)
{
    ssize_t waiting = channel_write(&bot->channel);

    if (waiting < 0)
        return false;
    if (waiting > 0)
        watch_start(bot, &bot->input);
    else
        ev_io_stop(bot->loop, &bot->input);
    return true;
}

/*
 * Writes more of a request that did not fit at once. The time for which the bot waited for a busy
 * arena is not charged.
 */
static bool write_rest(struct bot *bot)
{
    size_t written_bytes = bot->channel.written_bytes;
    int64_t now_us = bot->pace->now_fn();
    bool open = write_request(bot);

    if (bot->state != BOT_ASKED || bot->channel.written_bytes == written_bytes)
        return open;
    charge_wait(&bot->charge, bot->pace, now_us);
    alarm_set(&bot->alarm, bot->charge.asked_us + bot->limit_us);
    return open;
}

static void input_ready(struct ev_loop *loop, ev_io *watch, int events)
{
    struct bot *bot = watch->data;
    bool open = write_rest(bot);

    if (bot->state == BOT_LEAVING && (!open || channel_is_written(&bot->channel)))
        close_input(bot);
    else if (bot->state == BOT_ASKED && !open)
        bot_end_close(bot);
    else if (!open)
        ev_io_stop(bot->loop,
                   watch); /* an idle bot of a series: its next request will find this again */
}

/*
 * False if the loop has polled its output since its last reply and found nothing: the usual case,
 * in which a read is saved.
 */
static bool may_have_written(const struct bot *bot)
{
    return !ev_is_active(&bot->output) || ev_is_pending(&bot->output) ||
           bot->replied_woke_us == bot->pace->woke_us;
}

void bot_ask(struct bot *bot, size_t size, int64_t limit_us, enum wire_reason late_reason)
{
    ssize_t got;
    bool ran_on;

    assert(bot->state == BOT_IDLE || bot->state == BOT_GONE);
    bot->limit_us = limit_us;
    bot->late_reason = late_reason;
    channel_begin(&bot->channel, size);
    bot->charge = (struct charge){0};
    if (bot->state == BOT_GONE) {
        bot_end_fail(bot, WIRE_EXIT, "it ended");
        return;
    }
    if (!freeze(bot, false, &ran_on))
        return;
    got = may_have_written(bot) ? channel_read(&bot->channel) : -EAGAIN;
    charge_begin(&bot->charge, bot->pace->now_fn());
    bot->allowed_us += limit_us;
    if (ran_on || got > 0) {
        bot_end_fail(bot, ran_on ? WIRE_CPU : WIRE_BAD,
                     ran_on ? "it ran while it was stopped" : "it wrote before it was asked");
        return;
    }
    bot->state = BOT_ASKED;
    if (got == 0 || !write_request(bot)) {
        bot_end_close(bot);
        return;
    }
    watch_start(bot, &bot->output);
    alarm_set(&bot->alarm, bot->charge.asked_us + limit_us);
    /* On a shared core a quick bot has already answered: reading now saves a wait. */
    if (bot->pace->look_count++ < PACE_LOOKS)
        ev_feed_event(bot->loop, &bot->output, EV_READ);
}

void bot_fail(struct bot *bot, enum wire_reason reason, const char *words)
{
    assert(bot->state == BOT_IDLE || bot->state == BOT_GONE);
    bot_end_fail(bot, reason, words);
}

void bot_tell(struct bot *bot, size_t size)
{
    channel_begin(&bot->channel, size);
    if (bot->state == BOT_IDLE)
        write_request(bot);
}

void bot_leave(struct bot *bot, size_t size)
{
    channel_begin(&bot->channel, size);
    if (bot_end_reap(bot)) {
        bot->gone_fn(bot);
        return;
    }
    assert(bot->state == BOT_IDLE);
    bot_watch(bot); /* measures its memory at least once, however short the match was */
    if (bot->freeze)
        bot->transport->freeze_fn(&bot->child, false);
    bot->state = BOT_LEAVING;
    alarm_set(&bot->alarm, bot->pace->now_fn() + (int64_t)BOT_LEAVING_MS * 1000);
    if (!write_request(bot) || channel_is_written(&bot->channel))
        close_input(bot);
}

void bot_kill(struct bot *bot)
{
    if (bot->state == BOT_NONE || bot->state == BOT_KILLED)
        return;
    ev_io_stop(bot->loop, &bot->input);
    ev_io_stop(bot->loop, &bot->output);
    if (bot_end_reap(bot))
        bot->gone_fn(bot);
    else
        bot_end_kill(bot);
}

void bot_watch(struct bot *bot)
{
    if (bot->state != BOT_NONE && bot->state != BOT_GONE && !bot->starting)
        bot->transport->watch_fn(&bot->child);
}

/* ---- other events ---- */

static void errors_ready(struct ev_loop *loop, ev_io *watch, int events)
{
    struct bot *bot = watch->data;

    if (bot_end_read_errors(bot) == 0)
        ev_io_stop(bot->loop, watch);
}

static void notify_ready(struct ev_loop *loop, ev_io *watch, int events)
{
    struct bot *bot = watch->data;
    int64_t now_us = bot->pace->now_fn();
    int64_t waited_us = now_us - pace_quiet_us(bot->pace);

    /* A call of the bot waited for the arena. */
    if (bot->state == BOT_ASKED && waited_us >= EXCUSED_US) {
        charge_wait(&bot->charge, bot->pace, now_us);
        alarm_set(&bot->alarm, bot->charge.asked_us + bot->limit_us);
    }
    if (!bot->transport->notified_fn(&bot->child))
        ev_io_stop(bot->loop, watch);
}

static void watch_init(struct bot *bot, ev_io *watch, void (*ready)(struct ev_loop *, ev_io *, int),
                       int fd, int events)
{
    ev_io_init(watch, ready, fd, events);
    watch->data = bot;
}

static void setup_ready(struct ev_loop *loop, ev_io *watch, int events)
{
    struct bot *bot = watch->data;

    switch (bot->transport->setup_fn(&bot->child, &bot->failure)) {
    case SANDBOX_SETUP_PENDING:
        return;
    case SANDBOX_SETUP_RUNNING:
        ev_io_stop(bot->loop, watch);
        alarm_clear(&bot->alarm);
        if (bot->state == BOT_SETUP) {
            bot->state = BOT_IDLE;
            watch_init(bot, &bot->notify, notify_ready, bot->child.notify_fd, EV_READ);
            watch_start(bot, &bot->notify);
            bot->started_fn(bot);
        }
        return;
    case SANDBOX_SETUP_REFUSED:
        ev_io_stop(bot->loop, watch);
        if (bot->state == BOT_SETUP)
            bot_end_fail(bot, WIRE_START, "it could not be executed");
        return;
    case SANDBOX_SETUP_FAILED:
        ev_io_stop(bot->loop, watch);
        if (bot->state == BOT_SETUP)
            bot_end_break(bot);
        return;
    }
}

static void death_ready(struct ev_loop *loop, ev_io *watch, int events)
{
    struct bot *bot = watch->data;
    enum bot_state state;

    if (bot->state == BOT_SETUP) {
        setup_ready(loop, &bot->setup, EV_READ);
        if (bot->state == BOT_SETUP) {
            bot->failure = (struct sandbox_failure){.step = "set-up died", .error = ECHILD};
            bot_end_break(bot);
        }
        return;
    }
    state = bot->state;
    if (!bot_end_reap(bot))
        return;
    if (state == BOT_ASKED) {
        /* If it wrote a complete answer before its end, that counts. */
        if (channel_receive(&bot->channel) == CHANNEL_WHOLE)
            take_reply(bot, CHARGE_POLLED);
        else
            bot_end_fail(bot, WIRE_EXIT, "it ended");
    } else if (state == BOT_CLOSING) {
        bot_end_fail(bot, WIRE_EXIT, "it ended");
    } else if (state == BOT_LEAVING || state == BOT_KILLED) {
        bot->gone_fn(bot);
    }
}

/* The deadline of a request: reads once more; a complete answer still counts. */
static void request_due(struct bot *bot)
{
    if (read_reply(bot, CHARGE_READ))
        return;
    if (!channel_is_written(&bot->channel) && !write_rest(bot)) {
        bot_end_close(bot);
        return;
    }
    if (bot->alarm.deadline_us == 0) /* unless it waited for the rest of the request */
        bot_end_fail(bot, bot->late_reason, "no complete answer by the deadline");
}

static void setup_due(struct bot *bot)
{
    if (!bot->starting)
        setup_ready(bot->loop, &bot->setup, EV_READ); /* the loop may have been held up */
    if (bot->state != BOT_SETUP || (bot->starting && !bot_errand_is_late(bot)))
        return;
    bot->failure =
        (struct sandbox_failure){.step = bot->starting ? "start" : "set-up", .error = ETIMEDOUT};
    bot_end_break(bot);
}

static void alarm_due(struct alarm *alarm)
{
    struct bot *bot = alarm->owner;

    switch (bot->state) {
    case BOT_SETUP:
        setup_due(bot);
        return;
    case BOT_ASKED:
        request_due(bot);
        return;
    case BOT_CLOSING:
        bot_end_fail(bot, WIRE_BAD, "it closed its output or its input but still runs");
        return;
    case BOT_LEAVING:
        bot_end_kill(bot);
        return;
    case BOT_KILLED: /* what it was killed for stays, even if the process never ends */
        if (bot_end_reap(bot))
            bot->gone_fn(bot);
        else
            alarm_set(&bot->alarm, bot->pace->now_fn() + (int64_t)LAST_LOOK_MS * 1000);
        return;
    case BOT_NONE:
    case BOT_IDLE:
    case BOT_GONE:
        return;
    }
}

/* ---- life ---- */

/* The process was spawned: waits for the end of its set-up. */
static void watch_child(struct bot *bot)
{
    bot->has_child = true;
    channel_init(&bot->channel, bot->child.stdin_fd, bot->child.stdout_fd, bot->child.stderr_fd);
    watch_init(bot, &bot->input, input_ready, bot->child.stdin_fd, EV_WRITE);
    watch_init(bot, &bot->output, output_ready, bot->child.stdout_fd, EV_READ);
    watch_init(bot, &bot->errors, errors_ready, bot->child.stderr_fd, EV_READ);
    watch_init(bot, &bot->setup, setup_ready, bot->child.setup_fd, EV_READ);
    /* Its descriptor is known once set-up has ended. */
    watch_init(bot, &bot->notify, notify_ready, -1, EV_READ);
    watch_init(bot, &bot->death, death_ready, bot->child.pid_fd, EV_READ);
    ev_set_priority(&bot->output, 1); /* handle its output before its end */
    watch_start(bot, &bot->errors);
    watch_start(bot, &bot->setup);
    watch_start(bot, &bot->death);
    alarm_set(&bot->alarm, bot->pace->now_fn() + (int64_t)BOT_SETUP_MS * 1000);
}

static void spawned(struct bot *bot, int error)
{
    if (error == 0) {
        watch_child(bot);
        return;
    }
    bot->state = BOT_GONE; /* there was never a process */
    alarm_clear(&bot->alarm);
    bot_end_break(bot);
}

static int spawn(struct bot *bot, const struct sandbox_command *command)
{
    const struct transport *transport = bot->transport;
    int error;

    if (!transport->errands) {
        error = transport->spawn_fn(transport->context, command, &bot->child, &bot->failure);
        if (error == 0)
            watch_child(bot);
        return error;
    }
    error = bot_errand_start(bot, command, spawned);
    if (error < 0)
        bot->failure = (struct sandbox_failure){.step = "memory", .error = ENOMEM};
    else
        alarm_set(&bot->alarm, bot->pace->now_fn() + (int64_t)BOT_STARTING_MS * 1000);
    return error;
}

int bot_start(struct bot *bot, struct ev_loop *loop, struct pace *pace,
              const struct transport *transport, const struct sandbox_command *command)
{
    int error;

    assert(bot->state == BOT_NONE);
    bot->loop = loop;
    bot->pace = pace;
    bot->transport = transport;
    error = alarm_open(&bot->alarm, loop, alarm_due, bot);
    if (error < 0) {
        bot->failure = (struct sandbox_failure){.step = "timerfd_create", .error = -error};
        return error;
    }
    error = spawn(bot, command);
    if (error < 0) {
        alarm_close(&bot->alarm, loop);
        return error;
    }
    bot->state = BOT_SETUP;
    bot->allowed_us = bot->limit_us = bot->bank_us = bot->answered_cpu_us = 0;
    bot->charge = (struct charge){0};
    bot->at_fault = false;
    return 0;
}

void bot_finish(struct bot *bot)
{
    if (bot->state == BOT_NONE)
        return;
    if (bot->starting)
        bot_errand_abandon(bot);
    ev_io_stop(bot->loop, &bot->input);
    ev_io_stop(bot->loop, &bot->output);
    ev_io_stop(bot->loop, &bot->errors);
    ev_io_stop(bot->loop, &bot->setup);
    ev_io_stop(bot->loop, &bot->notify);
    ev_io_stop(bot->loop, &bot->death);
    alarm_close(&bot->alarm, bot->loop);
    if (bot->has_child && bot->transport->errands)
        bot_errand_finish(bot);
    else if (bot->has_child)
        bot->transport->finish_fn(&bot->child);
    bot->has_child = false;
    bot->state = BOT_NONE;
}
