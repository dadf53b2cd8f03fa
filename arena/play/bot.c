/* SPDX-License-Identifier: MIT */
#include "arena/play/bot.h"

#include <argz.h>
#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/play/mailbox.h"

/*
 * Starts and ends the bot's process, sends requests, reads replies. A thread (transport->errands)
 * starts and ends the process, because a start takes milliseconds, in which the loop could serve no
 * other bot.
 */
enum {
    LAST_ERRORS_READS = 8, /* maximum number of reads of standard error after a fault, because a bot
                              may write without end */
    EXCUSED_US = 1000,     /* a bot's system call that waits for the arena for a shorter time still
                              counts as the bot's time */
    EXCUSED_MAX = 32,   /* number of waits per process that do not count as the bot's time; limited,
                           so that a bot with many threads cannot stop its clock */
    LAST_LOOK_MS = 100, /* time between two checks whether a killed process is dead */
};

/* The fault, and its explanation, for each way in which a bot's process can end. */
static const struct {
    enum wire_reason reason;
    const char *words;
} ends[] = {
    [SANDBOX_END_EXITED] = {WIRE_EXIT, "the bot exited"},
    [SANDBOX_END_SIGNALED] = {WIRE_CRASH, "the bot was killed by a signal"},
    [SANDBOX_END_FORBIDDEN] = {WIRE_FORBIDDEN, "the bot made a forbidden system call"},
    [SANDBOX_END_MEMORY] = {WIRE_MEMORY, "the bot ran out of memory"},
    [SANDBOX_END_CPU] = {WIRE_CPU, "the bot ran out of processor time"},
    /* Never recorded: the arena kills a bot only after it has recorded another fault of the bot. */
    [SANDBOX_END_KILLED] = {WIRE_CRASH, "the bot was killed"},
    /*
     * The keeper, which guards the bot, is a process of the arena: if it is killed, the match is
     * void.
     */
    [SANDBOX_END_KEEPER] = {WIRE_CRASH, "the arena's process that guards the bot was killed"},
    /* Void, too: the arena runs more than the machine has memory for. */
    [SANDBOX_END_STARVED] = {WIRE_CRASH, "the kernel killed a bot within its memory limit"},
};

static void spawned(struct bot *bot, int error);

/* ---- start and end of the process, by another thread ---- */

/*
 * The work of starting or ending a bot's process, for the thread of transport->errands. May outlive
 * struct bot.
 */
struct bot_errand {
    struct errand errand;
    const struct transport *transport;
    struct bot *bot; /* NULL: the bot no longer needs the process; only the loop reads this field */
    atomic_bool abandoned; /* the bot no longer needs the process; the thread reads this field */
    struct sandbox_command command; /* its texts are in `texts` */
    char *texts; /* copy of the arguments, the folder and the name (argz); owned */
    struct sandbox_child child;
    struct sandbox_failure failure;
    int error;
};

static struct bot_errand *of(struct errand *errand)
{
    return (struct bot_errand *)errand; /* its first member is the struct errand */
}

static void destroy(struct bot_errand *errand)
{
    free((void *)errand->command.argv);
    free(errand->texts);
    free(errand);
}

static void run_finish(struct errand *errand)
{
    of(errand)->transport->finish_fn(&of(errand)->child);
}

static void finished(struct errand *errand)
{
    destroy(of(errand));
}

static void add_finish(struct bot_errand *errand)
{
    errand->errand.run_fn = run_finish;
    errand->errand.done_fn = finished;
    mailbox_add(errand->transport->errands, &errand->errand);
}

/* Lets another thread end the process and free its resources. Takes over bot->child. */
static void finish_aside(struct bot *bot)
{
    struct bot_errand *errand = calloc(1, sizeof *errand);

    if (!errand) {
        bot->transport->finish_fn(&bot->child);
        return;
    }
    errand->transport = bot->transport;
    errand->child = bot->child;
    add_finish(errand);
}

/* Copies the command and its texts. Returns false if memory runs out. */
static bool copy_command(struct bot_errand *errand, const struct sandbox_command *command)
{
    size_t bytes = 0, count;
    char **texts;

    if (argz_create((char **)(uintptr_t)command->argv, &errand->texts, &bytes) ||
        argz_add(&errand->texts, &bytes, command->folder ? command->folder : "") ||
        argz_add(&errand->texts, &bytes, command->name ? command->name : ""))
        return false;
    count = argz_count(errand->texts, bytes);
    texts = calloc(count + 1, sizeof *texts);
    if (!texts)
        return false;
    argz_extract(errand->texts, bytes, texts);
    errand->command = *command;
    errand->command.folder = texts[count - 2];
    errand->command.name = texts[count - 1];
    texts[count - 2] = NULL; /* the end of argv */
    errand->command.argv = (const char *const *)texts;
    return true;
}

static void run_start(struct errand *errand)
{
    struct bot_errand *start = of(errand);

    start->error = atomic_load(&start->abandoned)
                       ? -ECANCELED
                       : start->transport->spawn_fn(start->transport->context, &start->command,
                                                    &start->child, &start->failure);
}

static void start_done(struct errand *errand)
{
    struct bot_errand *start = of(errand);
    struct bot *bot = start->bot;
    int error = start->error;

    if (!bot && error == 0) {
        add_finish(start);
        return;
    }
    if (bot) {
        bot->starting = NULL;
        bot->child = start->child;
        if (error)
            bot->failure = start->failure;
        spawned(bot, error);
    }
    destroy(start);
}

/*
 * Lets another thread start the process; copies the command. bot->starting is not NULL until the
 * thread has started the process.
 */
static int start_aside(struct bot *bot, const struct sandbox_command *command)
{
    struct bot_errand *start = calloc(1, sizeof *start);

    if (!start)
        return -ENOMEM;
    if (!copy_command(start, command)) {
        destroy(start);
        return -ENOMEM;
    }
    start->errand = (struct errand){.run_fn = run_start, .done_fn = start_done};
    start->transport = bot->transport;
    start->bot = bot;
    bot->starting = start;
    mailbox_add(bot->transport->errands, &start->errand);
    return 0;
}

/*
 * Gives up a start that is under way. If the thread starts the process nevertheless, start_done
 * lets the thread end the process.
 */
static void abandon_start(struct bot *bot)
{
    bot->starting->bot = NULL;
    atomic_store(&bot->starting->abandoned, true);
    bot->starting = NULL;
}

/* ---- the end ---- */

/* Kills the bot's process. The bot's state is BOT_KILLED until the process is dead. */
static void kill_child(struct bot *bot)
{
    bot->transport->kill_fn(&bot->child);
    bot->state = BOT_KILLED;
    alarm_set(&bot->alarm, bot->pace->now_fn() + (int64_t)SANDBOX_DYING_MS * 1000);
}

/*
 * Sets the state BOT_GONE and the bot's verdict, if the process is dead, if the sandbox has given
 * it up, or if a thread is still starting it. Returns true if the state is BOT_GONE.
 */
static bool reap(struct bot *bot)
{
    if (bot->state == BOT_GONE)
        return true;
    if (bot->starting) {
        abandon_start(bot);
        bot->verdict = (struct sandbox_verdict){.end = SANDBOX_END_KILLED};
        bot->state = BOT_GONE;
        alarm_clear(&bot->alarm);
        return true;
    }
    if (!bot->transport->reap_fn(&bot->child, &bot->verdict))
        return false;
    bot->state = BOT_GONE;
    watch_stop(&bot->death, bot->loop);
    watch_stop(&bot->notify, bot->loop);
    watch_stop(&bot->output, bot->loop);
    watch_stop(&bot->input, bot->loop);
    alarm_clear(&bot->alarm);
    return true;
}

static ssize_t pass_errors_on(struct bot *bot)
{
    char bytes[16384];
    ssize_t got = channel_read_errors(&bot->channel, bytes, sizeof bytes);

    if (bot->errors_fn && got > 0)
        bot->errors_fn(bot, bytes, (size_t)got);
    return got;
}

/* Reads the rest of the standard error of a bot at fault: its last lines may explain the fault. */
static void read_last_errors(struct bot *bot)
{
    for (int i = 0; i < LAST_ERRORS_READS && pass_errors_on(bot) > 0; i++)
        ;
}

/*
 * True if the process is exiting, or the kernel killed one for its memory. How the bot ends then
 * says more than a missed deadline or its processor time.
 */
static bool is_dying(const struct bot *bot)
{
    return bot->state != BOT_GONE && bot->transport->departure_fn &&
           bot->transport->departure_fn(&bot->child) != SANDBOX_STAYS;
}

/* True if cpu_us is more processor time than all requests to the bot together allowed. */
static bool is_over_cpu(const struct bot *bot, int64_t cpu_us)
{
    return cpu_us > bot->allowed_us * bot->core_count;
}

/* Reports to the owner that the arena failed, with the cause in bot->failure. */
static void break_off(struct bot *bot)
{
    if (!reap(bot))
        kill_child(bot);
    bot->broken_fn(bot);
    if (bot->state == BOT_GONE)
        bot->gone_fn(bot);
}

/*
 * Returns how long the bot has waited for a processor since a request at since_us; -1: unknown. If
 * bot_watch looked during the request, the time since then stands for the whole request. Else the
 * request was short, and the last look was at most as long before it.
 */
static int64_t queued_us_since(struct bot *bot, int64_t since_us, int64_t now_us)
{
    const int64_t wall_us = now_us - since_us, span_us = now_us - bot->queued_at_us;
    int64_t queued_us = bot->transport->queued_us_fn && bot->queued_us >= 0
                            ? bot->transport->queued_us_fn(&bot->child, bot->charge.asked_us)
                            : -1;

    if (queued_us < 0)
        return -1;
    queued_us = queued_us > bot->queued_us ? queued_us - bot->queued_us : 0;
    return span_us > 0 && span_us < wall_us ? queued_us * wall_us / span_us : queued_us;
}

/*
 * Returns how much longer the bot may take for what it was asked at since_us, because other
 * programs kept it from a processor; 0: no longer.
 */
static int64_t left_us_of(struct bot *bot, int64_t since_us, int64_t limit_us, int64_t now_us)
{
    return late_left_us(&(struct late){.limit_us = limit_us,
                                       .wall_us = now_us - since_us,
                                       .queued_us = queued_us_since(bot, since_us, now_us)});
}

/* Returns true if the end shows a more direct cause than the reason for which the bot is out. */
static bool is_cause(enum sandbox_end end, enum wire_reason reason)
{
    /* What was read was wrong before, and whether such an end is seen as well is chance. */
    if (end == SANDBOX_END_EXITED || end == SANDBOX_END_SIGNALED)
        return reason != WIRE_START && reason != WIRE_ILLEGAL && reason != WIRE_BAD;
    return reason != WIRE_START;
}

/*
 * Records a fault of the bot, kills the process and tells the owner. Records a more direct cause
 * than `reason` if the end of the process shows one. If the arena itself failed, only tells the
 * owner.
 */
static void fail(struct bot *bot, enum wire_reason reason, const char *words)
{
    bool replied = bot->state == BOT_IDLE ||
                   reason == WIRE_CPU; /* take_reply has already charged the reply's time */
    int64_t now_us = bot->pace->now_fn();
    int64_t cpu_us = bot->state == BOT_GONE ? -1 : bot->transport->cpu_us_fn(&bot->child);
    bool late = bot->state == BOT_ASKED && reason == bot->late_reason;
    int64_t queued_us = late ? queued_us_since(bot, bot->charge.asked_us, now_us) : -1;
    bool ended = reap(bot) && bot->verdict.end != SANDBOX_END_KILLED;

    if (ended &&
        (bot->verdict.end == SANDBOX_END_KEEPER || bot->verdict.end == SANDBOX_END_STARVED)) {
        bot->failure =
            (struct sandbox_failure){.step = ends[bot->verdict.end].words, .error = ESRCH};
        break_off(bot);
        return;
    }
    if (late)
        charge_settle_late(&bot->charge, bot->limit_us, now_us);
    else if (!replied && bot->charge.asked_us)
        charge_settle(&bot->charge, bot->pace, CHARGE_POLLED, now_us);
    if (ended)
        cpu_us = bot->verdict.cpu_us;
    if (ended && is_cause(bot->verdict.end, reason)) {
        reason = ends[bot->verdict.end].reason;
        words = ends[bot->verdict.end].words;
    }
    if (reason != WIRE_START && reason != WIRE_MEMORY && !ended && is_over_cpu(bot, cpu_us) &&
        !is_dying(bot)) {
        reason = WIRE_CPU;
        words = "the bot used more processor time than its limit allowed";
    }
    bot->fault = (struct bot_fault){
        .reason = reason,
        .words = words,
        .limit_us = bot->limit_us,
        .wall_us = bot->charge.asked_us ? now_us - bot->charge.asked_us : 0,
        .cpu_us = cpu_us < 0                      ? -1
                  : cpu_us > bot->answered_cpu_us ? cpu_us - bot->answered_cpu_us
                                                  : 0,
        .delay_us = bot->charge.delay_us,
        .queued_us = queued_us,
        .late = late && reason == bot->late_reason && !ended,
        .ended = ended,
    };
    bot->at_fault = true;
    read_last_errors(bot);
    watch_stop(&bot->input, bot->loop);
    watch_stop(&bot->output, bot->loop);
    if (bot->state != BOT_GONE)
        kill_child(bot);
    bot->failed_fn(bot);
    if (bot->state == BOT_GONE)
        bot->gone_fn(bot);
}

/*
 * Waits for the end of the process, because the bot has closed its output or its input, or is
 * exiting.
 */
static void await_exit(struct bot *bot)
{
    watch_stop(&bot->output, bot->loop);
    watch_stop(&bot->input, bot->loop);
    if (reap(bot)) {
        fail(bot, WIRE_EXIT, "the bot's process ended");
        return;
    }
    bot->closing_until_us = bot->pace->now_fn() + (int64_t)SANDBOX_DYING_MS * 1000;
    bot->state = BOT_CLOSING;
    alarm_set(&bot->alarm, bot->pace->now_fn() + (int64_t)BOT_CLOSING_MS * 1000);
}

/* ---- replies ---- */

/*
 * Returns the unused part of the seat's bank of time. take_reply subtracts this part from
 * allowed_us, because the next request adds the whole bank to allowed_us again.
 */
static int64_t unused_bank_us(const struct bot *bot)
{
    int64_t beyond_us = bot->charge.used_us - (bot->limit_us - bot->bank_us);

    if (beyond_us <= 0)
        return bot->bank_us;
    return beyond_us < bot->bank_us ? bot->bank_us - beyond_us : 0;
}

/*
 * Stops the bot's process (frozen) or resumes it. Sets *ran_on if the process ran although the
 * arena had stopped it. If the arena cannot stop or resume the process, makes the match void and
 * returns false.
 */
static bool freeze(struct bot *bot, bool frozen, bool *ran_on)
{
    int result = bot->freeze ? bot->transport->freeze_fn(&bot->child, frozen) : 0;

    if ((*ran_on = result == -EBUSY) || result == 0 || result == -ESRCH) /* dead */
        return true;
    bot->failure =
        (struct sandbox_failure){.step = frozen ? "stop a bot" : "resume a bot", .error = -result};
    break_off(bot);
    return false;
}

/*
 * Does not charge the bot for its waits for a processor, if its answer took longer than a turn
 * without bank. For quicker answers, reading the waits would cost more than they matter.
 */
static void excuse(struct bot *bot)
{
    const int64_t turn_us = bot->limit_us - bot->bank_us;

    if (bot->charge.used_us > turn_us && bot->state != BOT_GONE)
        charge_excuse(&bot->charge, queued_us_since(bot, bot->charge.asked_us, bot->pace->now_fn()),
                      turn_us, bot->limit_us);
}

static void take_reply(struct bot *bot, enum charge_seen seen)
{
    int64_t cpu_us;
    bool ran_on; /* ignored: bot_ask checks again */

    charge_settle(&bot->charge, bot->pace, seen, bot->pace->now_fn());
    excuse(bot);
    cpu_us = bot->transport->cpu_us_fn(&bot->child);
    if (is_over_cpu(bot, cpu_us)) {
        if (is_dying(bot))
            await_exit(bot);
        else
            fail(bot, WIRE_CPU, "the bot used more processor time than its limit allowed");
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

/* Reads what the bot wrote. Returns true if the request has ended, with a reply or a fault. */
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
        fail(bot, WIRE_BAD, channel_fault(&bot->channel));
        return true;
    case CHANNEL_ENDED:
        await_exit(bot);
        return true;
    }
    return false;
}

static void output_ready(struct watch *watch)
{
    struct bot *bot = watch->owner;

    if (bot->state == BOT_ASKED)
        read_reply(bot, watch->is_refused ? CHARGE_LOOKED : CHARGE_POLLED);
    else
        watch_stop(watch,
                   bot->loop); /* output that no request asked for: the next bot_ask reads it */
}

/* ---- requests ---- */

static void close_input(struct bot *bot)
{
    watch_stop(&bot->input, bot->loop);
    if (bot->child.stdin_fd >= 0)
        close(bot->child.stdin_fd);
    bot->child.stdin_fd = bot->channel.input_fd = bot->input.io.fd = -1;
}

/*
 * Writes as much of the request as fits into the pipe. Returns false if the bot has closed its
 * input.
 */
static bool write_request(struct bot *bot)
{
    ssize_t waiting = channel_write(&bot->channel);

    if (waiting < 0)
        return false;
    if (waiting > 0)
        watch_start(&bot->input, bot->loop);
    else
        watch_stop(&bot->input, bot->loop);
    return true;
}

/*
 * Writes more of a request that did not fit into the pipe at once. Does not charge the bot for the
 * time in which the bot waited for the arena to write. Returns false if the bot has closed its
 * input.
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

static void input_ready(struct watch *watch)
{
    struct bot *bot = watch->owner;
    bool open = write_rest(bot);

    if (bot->state == BOT_LEAVING && (!open || channel_is_written(&bot->channel)))
        close_input(bot);
    else if (bot->state == BOT_ASKED && !open)
        await_exit(bot);
}

/*
 * True if the bot may have written since its last reply. Usually false, which saves a read: the
 * loop has polled the bot's output since then and found nothing.
 */
static bool may_have_written(const struct bot *bot)
{
    return !ev_is_active(&bot->output.io) || ev_is_pending(&bot->output.io) ||
           bot->output.is_refused || bot->replied_woke_us == bot->pace->woke_us;
}

/*
 * Records how long the bot has waited for a processor so far. Called at most once per time limit of
 * a request, because it takes longer than many bots need for an answer.
 */
static void look_at_queue(struct bot *bot)
{
    bot->queued_at_us = bot->pace->now_fn();
    bot->queued_us = bot->transport->queued_us_fn
                         ? bot->transport->queued_us_fn(&bot->child, bot->charge.asked_us)
                         : -1;
}

void bot_ask(struct bot *bot, size_t size, int64_t limit_us, enum wire_reason late_reason)
{
    ssize_t got;
    bool ran_on;

    assert(bot->state == BOT_IDLE || bot->state == BOT_GONE);
    bot->limit_us = limit_us;
    bot->late_reason = late_reason;
    bot->allowed_us += limit_us; /* also if it is dead: it is not out for the time of its start */
    channel_begin(&bot->channel, size);
    bot->charge = (struct charge){0};
    if (bot->state == BOT_GONE) {
        fail(bot, WIRE_EXIT, "the bot's process ended");
        return;
    }
    if (bot->pace->now_fn() - bot->queued_at_us >= limit_us)
        look_at_queue(bot);
    if (!freeze(bot, false, &ran_on))
        return;
    got = may_have_written(bot) ? channel_read(&bot->channel) : -EAGAIN;
    charge_begin(&bot->charge, bot->pace->now_fn());
    if (ran_on && is_dying(bot)) {
        await_exit(bot);
        return;
    }
    if (ran_on || got > 0) {
        fail(bot, ran_on ? WIRE_CPU : WIRE_BAD,
             ran_on ? "the bot ran while the arena had stopped it"
                    : "the bot wrote before the arena asked for an answer");
        return;
    }
    bot->state = BOT_ASKED;
    if (got == 0 || !write_request(bot)) {
        await_exit(bot);
        return;
    }
    watch_start(&bot->output, bot->loop);
    alarm_set(&bot->alarm, bot->charge.asked_us + limit_us);
}

void bot_fail(struct bot *bot, enum wire_reason reason, const char *words)
{
    assert(bot->state == BOT_IDLE || bot->state == BOT_GONE);
    fail(bot, reason, words);
}

void bot_leave(struct bot *bot, size_t size)
{
    channel_begin(&bot->channel, size);
    bot->last_text[0] = '\0';
    if (reap(bot)) {
        bot->gone_fn(bot);
        return;
    }
    assert(bot->state == BOT_IDLE);
    bot_watch(bot); /* measures the bot's memory at least once, even in a short match */
    if (bot->freeze)
        bot->transport->freeze_fn(&bot->child, false);
    bot->state = BOT_LEAVING;
    look_at_queue(bot);
    bot->leave_us = bot->queued_at_us;
    alarm_set(&bot->alarm, bot->leave_us + (int64_t)BOT_LEAVING_MS * 1000);
    if (!write_request(bot) || channel_is_written(&bot->channel))
        close_input(bot);
}

int64_t bot_waited_us(struct bot *bot)
{
    int64_t waited_us = bot->has_child && bot->state != BOT_GONE && bot->transport->queued_us_fn
                            ? bot->transport->queued_us_fn(&bot->child, bot->charge.asked_us)
                            : -1;

    return waited_us < 0 ? -1 : waited_us;
}

void bot_kill(struct bot *bot)
{
    if (bot->state == BOT_NONE || bot->state == BOT_KILLED)
        return;
    watch_stop(&bot->input, bot->loop);
    watch_stop(&bot->output, bot->loop);
    if (reap(bot))
        bot->gone_fn(bot);
    else
        kill_child(bot);
}

void bot_watch(struct bot *bot)
{
    if (bot->state == BOT_NONE || bot->state == BOT_GONE || bot->starting)
        return;
    bot->transport->watch_fn(&bot->child);
    if (bot->state == BOT_ASKED && bot->queued_at_us < bot->charge.asked_us)
        look_at_queue(bot);
}

/* ---- other events ---- */

static void errors_ready(struct watch *watch)
{
    struct bot *bot = watch->owner;

    if (pass_errors_on(bot) == 0)
        watch_stop(watch, bot->loop);
}

static void notify_ready(struct watch *watch)
{
    struct bot *bot = watch->owner;
    int64_t now_us = bot->pace->now_fn();
    int64_t waited_us = now_us - bot->pace->quiet_us;

    /* A system call of the bot has waited for the arena: do not charge the bot for the wait. */
    if (bot->state == BOT_ASKED && waited_us >= EXCUSED_US && bot->excused_count < EXCUSED_MAX) {
        bot->excused_count++;
        charge_wait(&bot->charge, bot->pace, now_us);
        alarm_set(&bot->alarm, bot->charge.asked_us + bot->limit_us);
    }
    if (!bot->transport->notified_fn(&bot->child))
        watch_stop(watch, bot->loop);
}

static void setup_ready(struct watch *watch)
{
    struct bot *bot = watch->owner;

    switch (bot->transport->setup_fn(&bot->child, &bot->failure)) {
    case SANDBOX_SETUP_PENDING:
        return;
    case SANDBOX_SETUP_RUNNING:
        watch_stop(watch, bot->loop);
        alarm_clear(&bot->alarm);
        if (bot->state == BOT_SETUP) {
            bot->state = BOT_IDLE;
            watch_init(&bot->notify, bot->child.notify_fd, EV_READ, notify_ready, bot);
            watch_start(&bot->notify, bot->loop);
            bot->started_fn(bot);
        }
        return;
    case SANDBOX_SETUP_REFUSED:
        watch_stop(watch, bot->loop);
        if (bot->state == BOT_SETUP)
            fail(bot, WIRE_START, "the bot's program could not be executed");
        return;
    case SANDBOX_SETUP_FAILED:
        watch_stop(watch, bot->loop);
        if (bot->state == BOT_SETUP)
            break_off(bot);
        return;
    }
}

/* Keeps what the bot wrote to standard output after its last answer, from a buffer for example. */
static void read_last_text(struct bot *bot)
{
    ssize_t got = read(bot->channel.output_fd, bot->last_text, sizeof bot->last_text - 1);

    bot->last_text[got > 0 ? got : 0] = '\0';
}

static void death_ready(struct watch *watch)
{
    struct bot *bot = watch->owner;
    enum bot_state state;

    if (bot->state == BOT_SETUP) {
        setup_ready(&bot->setup);
        if (bot->state == BOT_SETUP) {
            bot->failure = (struct sandbox_failure){.step = "set-up died", .error = ECHILD};
            break_off(bot);
        }
        return;
    }
    state = bot->state;
    if (!reap(bot))
        return;
    if (state == BOT_ASKED) {
        /* An answer that the bot completed before its process ended counts. */
        if (channel_receive(&bot->channel) == CHANNEL_WHOLE)
            take_reply(bot, CHARGE_POLLED);
        else
            fail(bot, WIRE_EXIT, "the bot's process ended");
    } else if (state == BOT_CLOSING) {
        fail(bot, WIRE_EXIT, "the bot's process ended");
    } else if (state == BOT_LEAVING || state == BOT_KILLED) {
        read_last_text(bot);
        bot->gone_fn(bot);
    }
}

/* Called at the deadline of a request. Reads once more, because a complete answer still counts. */
static void request_due(struct bot *bot)
{
    int64_t now_us, left_us;

    if (read_reply(bot, CHARGE_READ))
        return;
    if (!channel_is_written(&bot->channel) && !write_rest(bot)) {
        await_exit(bot);
        return;
    }
    if (bot->alarm.deadline_us) /* write_rest has set a later deadline */
        return;
    if (is_dying(bot)) {
        await_exit(bot);
        return;
    }
    now_us = bot->pace->now_fn();
    left_us = left_us_of(bot, bot->charge.asked_us, bot->limit_us, now_us);
    if (left_us > 0)
        alarm_set(&bot->alarm, now_us + left_us);
    else
        fail(bot, bot->late_reason, "no complete answer by the deadline");
}

static void setup_due(struct bot *bot)
{
    setup_ready(&bot->setup); /* the loop may not have polled setup_fd yet */
    if (bot->state != BOT_SETUP)
        return;
    bot->failure = (struct sandbox_failure){.step = "set-up", .error = ETIMEDOUT};
    break_off(bot);
}

/*
 * Called when a bot has closed its pipes but is not dead. This may be because the bot ran out of
 * memory: the kernel closes a process's pipes before it frees its pages. A bot whose threads are
 * all exiting has until closing_until_us: it cannot answer any more, and how it ended says who is
 * at fault.
 */
static void closing_due(struct bot *bot)
{
    const int64_t now_us = bot->pace->now_fn();
    const enum sandbox_departure departure =
        bot->transport->departure_fn ? bot->transport->departure_fn(&bot->child) : SANDBOX_STAYS;

    if (departure == SANDBOX_OUT_OF_MEMORY)
        fail(bot, WIRE_MEMORY, ends[SANDBOX_END_MEMORY].words);
    else if (departure == SANDBOX_LEAVES && now_us < bot->closing_until_us)
        alarm_set(&bot->alarm, now_us + (int64_t)BOT_CLOSING_MS * 1000);
    else
        fail(bot, WIRE_BAD, "the bot closed its output or input but still runs");
}

static void leaving_due(struct bot *bot)
{
    const int64_t now_us = bot->pace->now_fn();
    const int64_t left_us = left_us_of(bot, bot->leave_us, (int64_t)BOT_LEAVING_MS * 1000, now_us);

    if (left_us > 0)
        alarm_set(&bot->alarm, now_us + left_us);
    else
        kill_child(bot);
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
        closing_due(bot);
        return;
    case BOT_LEAVING:
        leaving_due(bot);
        return;
    case BOT_KILLED:
        if (reap(bot))
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

/* Watches a process that was just spawned, and waits for the end of its set-up. */
static void watch_child(struct bot *bot)
{
    bot->has_child = true;
    channel_init(&bot->channel, bot->child.stdin_fd, bot->child.stdout_fd, bot->child.stderr_fd);
    watch_init(&bot->input, bot->child.stdin_fd, EV_WRITE, input_ready, bot);
    watch_init(&bot->output, bot->child.stdout_fd, EV_READ, output_ready, bot);
    watch_init(&bot->errors, bot->child.stderr_fd, EV_READ, errors_ready, bot);
    watch_init(&bot->setup, bot->child.setup_fd, EV_READ, setup_ready, bot);
    /* The sandbox opens notify_fd during the set-up; setup_ready then watches it. */
    watch_init(&bot->notify, -1, EV_READ, notify_ready, bot);
    watch_init(&bot->death, bot->child.pid_fd, EV_READ, death_ready, bot);
    /* Higher priority: the loop handles a bot's last output before the bot's death. */
    ev_set_priority(&bot->output.io, 1);
    watch_start(&bot->errors, bot->loop);
    watch_start(&bot->setup, bot->loop);
    watch_start(&bot->death, bot->loop);
    alarm_set(&bot->alarm, bot->pace->now_fn() + (int64_t)BOT_SETUP_MS * 1000);
}

static void spawned(struct bot *bot, int error)
{
    if (error == 0) {
        watch_child(bot);
        return;
    }
    bot->state = BOT_GONE; /* the process was never started */
    alarm_clear(&bot->alarm);
    break_off(bot);
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
    error = start_aside(bot, command);
    if (error < 0)
        bot->failure = (struct sandbox_failure){.step = "memory", .error = ENOMEM};
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
    bot->queued_at_us = 0;
    bot->queued_us = -1;
    bot->allowed_us = bot->limit_us = bot->bank_us = bot->answered_cpu_us = 0;
    bot->charge = (struct charge){0};
    bot->excused_count = 0;
    bot->at_fault = false;
    return 0;
}

void bot_finish(struct bot *bot)
{
    if (bot->state == BOT_NONE)
        return;
    if (bot->starting)
        abandon_start(bot);
    watch_stop(&bot->input, bot->loop);
    watch_stop(&bot->output, bot->loop);
    watch_stop(&bot->errors, bot->loop);
    watch_stop(&bot->setup, bot->loop);
    watch_stop(&bot->notify, bot->loop);
    watch_stop(&bot->death, bot->loop);
    alarm_close(&bot->alarm, bot->loop);
    if (bot->has_child && bot->transport->errands)
        finish_aside(bot);
    else if (bot->has_child)
        bot->transport->finish_fn(&bot->child);
    bot->has_child = false;
    bot->state = BOT_NONE;
}

/* ---- the sandbox as a transport ---- */

static int spawn_child(void *context, const struct sandbox_command *command,
                       struct sandbox_child *child, struct sandbox_failure *failure)
{
    return sandbox_spawn(context, command, child, failure);
}

static void abort_spawn(void *context)
{
    sandbox_spawn_abort(context);
}

struct transport transport_of_sandbox(struct sandbox *sandbox)
{
    return (struct transport){
        .context = sandbox,
        .blocks = true,
        .watches = true,
        .spawn_fn = spawn_child,
        .abort_fn = abort_spawn,
        .setup_fn = sandbox_child_setup,
        .notified_fn = sandbox_child_notified,
        .cpu_us_fn = sandbox_child_cpu_us,
        .queued_us_fn = sandbox_child_queued_us,
        .watch_fn = sandbox_child_watch,
        .freeze_fn = sandbox_child_freeze,
        .kill_fn = sandbox_child_kill,
        .departure_fn = sandbox_child_departure,
        .reap_fn = sandbox_child_reap,
        .finish_fn = sandbox_child_finish,
    };
}
