#include "arena/play/bot_end.h"

#include <errno.h>

#include "arena/play/bot_errand.h"

enum {
    LAST_ERRORS_READS = 8, /* more than a pipe holds; a bot that never stops writing is cut off */
};

void bot_end_kill(struct bot *bot)
{
    bot->transport->kill_fn(&bot->child);
    bot->state = BOT_KILLED;
    alarm_set(&bot->alarm, bot->pace->now_fn() + (int64_t)SANDBOX_DYING_MS * 1000);
}

bool bot_end_reap(struct bot *bot)
{
    if (bot->state == BOT_GONE)
        return true;
    if (bot->starting) {
        bot_errand_abandon(bot);
        bot->verdict = (struct sandbox_verdict){.end = SANDBOX_END_KILLED};
        bot->state = BOT_GONE;
        alarm_clear(&bot->alarm);
        return true;
    }
    if (!bot->transport->reap_fn(&bot->child, &bot->verdict))
        return false;
    bot->state = BOT_GONE;
    ev_io_stop(bot->loop, &bot->death);
    ev_io_stop(bot->loop, &bot->notify);
    ev_io_stop(bot->loop, &bot->output);
    ev_io_stop(bot->loop, &bot->input);
    alarm_clear(&bot->alarm);
    return true;
}

ssize_t bot_end_read_errors(struct bot *bot)
{
    char bytes[16384];
    ssize_t got = channel_read_errors(&bot->channel, bytes, sizeof bytes);

    if (bot->errors_fn && got > 0)
        bot->errors_fn(bot, bytes, (size_t)got);
    return got;
}

/* Reads the rest of the standard error of a bot at fault: its last lines may say why. */
static void read_last_errors(struct bot *bot)
{
    for (int i = 0; i < LAST_ERRORS_READS && bot_end_read_errors(bot) > 0; i++)
        ;
}

bool bot_end_is_over_cpu(const struct bot *bot, int64_t cpu_us)
{
    return cpu_us > bot->allowed_us * bot->core_count;
}

void bot_end_fail(struct bot *bot, enum wire_reason reason, const char *words)
{
    bool replied = bot->state == BOT_IDLE || reason == WIRE_CPU; /* already charged */
    int64_t now_us = bot->pace->now_fn();
    int64_t cpu_us = bot->state == BOT_GONE ? -1 : bot->transport->cpu_us_fn(&bot->child);
    bool late = bot->state == BOT_ASKED && reason == bot->late_reason;
    bool ended = bot_end_reap(bot) && bot->verdict.end != SANDBOX_END_KILLED;

    if (ended && bot->verdict.end == SANDBOX_END_KEEPER) {
        bot->failure = (struct sandbox_failure){.step = fault_words(&bot->verdict), .error = ESRCH};
        bot_end_break(bot);
        return;
    }
    if (late)
        charge_settle_late(&bot->charge, bot->limit_us, now_us);
    else if (!replied && bot->charge.asked_us)
        charge_settle(&bot->charge, bot->pace, CHARGE_POLLED, now_us);
    if (ended)
        cpu_us = bot->verdict.cpu_us;
    if (ended && reason != WIRE_START) {
        reason = fault_reason(&bot->verdict);
        words = fault_words(&bot->verdict);
    }
    if (reason != WIRE_START && reason != WIRE_FORBIDDEN && reason != WIRE_MEMORY &&
        bot_end_is_over_cpu(bot, cpu_us)) {
        reason = WIRE_CPU;
        words = "it used more processor time than it was allowed";
    }
    bot->fault = (struct bot_fault){
        .reason = reason,
        .words = words,
        .limit_us = bot->limit_us,
        .wall_us = bot->charge.asked_us ? now_us - bot->charge.asked_us : 0,
        .cpu_us = cpu_us < 0 ? -1 : cpu_us - bot->answered_cpu_us,
        .delay_us = bot->charge.delay_us,
        .late = late && reason == bot->late_reason && !ended,
        .ended = ended,
    };
    bot->at_fault = true;
    read_last_errors(bot);
    ev_io_stop(bot->loop, &bot->input);
    ev_io_stop(bot->loop, &bot->output);
    if (bot->state != BOT_GONE)
        bot_end_kill(bot);
    bot->failed_fn(bot);
    if (bot->state == BOT_GONE)
        bot->gone_fn(bot);
}

void bot_end_break(struct bot *bot)
{
    if (!bot_end_reap(bot))
        bot_end_kill(bot);
    bot->broken_fn(bot);
    if (bot->state == BOT_GONE)
        bot->gone_fn(bot);
}

void bot_end_close(struct bot *bot)
{
    ev_io_stop(bot->loop, &bot->output);
    ev_io_stop(bot->loop, &bot->input);
    if (bot_end_reap(bot)) {
        bot_end_fail(bot, WIRE_EXIT, "it ended");
        return;
    }
    bot->state = BOT_CLOSING;
    alarm_set(&bot->alarm, bot->pace->now_fn() + (int64_t)BOT_CLOSING_MS * 1000);
}
