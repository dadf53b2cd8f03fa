/* SPDX-License-Identifier: MIT */
/*
 * A bot over a socketpair, with a clock that only the test advances: what ends it and for which
 * reason, races, deadlines, processor time.
 */
#include "arena/play/bot.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/play/fake_child.h"

enum {
    MS = 1000,
    LIMIT_US = 50 * MS,
    LAST_LOOK_US = 100 * MS,
};

/* {"a": 1}, a complete message. */
static const uint8_t answer[] = {0x81, 0xa1, 'a', 0x01};

static struct ev_loop *loop;
static struct pace pace;
static struct transport transport;
static struct bot bot;
static struct fake_child *fake;
static int started_count, replied_count, failed_count, broken_count, gone_count;
static bool lives_on; /* whatever is done */

static void started(struct bot *self)
{
    started_count++;
}

static void replied(struct bot *self)
{
    replied_count++;
}

static void failed(struct bot *self)
{
    failed_count++;
}

static void broke(struct bot *self)
{
    broken_count++;
}

static void went(struct bot *self)
{
    gone_count++;
}

static void (*kill_fn)(struct sandbox_child *child);
static bool (*reap_fn)(struct sandbox_child *child, struct sandbox_verdict *verdict);

static void kill_child(struct sandbox_child *child)
{
    if (!lives_on)
        kill_fn(child);
}

static bool reap(struct sandbox_child *child, struct sandbox_verdict *verdict)
{
    return !lives_on && reap_fn(child, verdict);
}

/* Runs the loop's pending events. */
static void run(void)
{
    for (int i = 0; i < 4; i++)
        ev_run(loop, EVRUN_NOWAIT);
}

static void begin(void)
{
    const struct sandbox_command command = {.cpu = -1};

    signal(SIGPIPE, SIG_IGN); /* as the arena does */
    fake_child_reset();
    loop = ev_loop_new(EVFLAG_AUTO);
    pace_start(&pace, loop);
    pace.now_fn = fake_child_now_us;
    pace.woke_us = pace.quiet_us = fake_now_us;
    transport = fake_child_transport();
    kill_fn = transport.kill_fn;
    reap_fn = transport.reap_fn;
    transport.kill_fn = kill_child;
    transport.reap_fn = reap;
    memset(&bot, 0, sizeof bot);
    bot.started_fn = started;
    bot.replied_fn = replied;
    bot.failed_fn = failed;
    bot.broken_fn = broke;
    bot.gone_fn = went;
    bot.core_count = 1;
    cr_assert_eq(bot_start(&bot, loop, &pace, &transport, &command), 0);
    cr_expect_eq(bot.alarm.deadline_us, fake_now_us + (int64_t)BOT_SETUP_MS * 1000);
    fake = &fake_children[0];
    started_count = 0;
    run();
    cr_assert_eq(started_count, 1);
    cr_expect_eq(bot.alarm.deadline_us, 0);
}

static int broken_expected;

static void end(void)
{
    lives_on = false;
    bot_finish(&bot);
    cr_expect_null(bot.alarm.owner);
    pace_stop(&pace, loop);
    ev_loop_destroy(loop);
    cr_expect_eq(broken_count, broken_expected);
}

TestSuite(bot, .init = begin, .fini = end, .timeout = 30);

/* Asks with a request of that size, and polls once: there is no reply yet. */
static void ask(size_t size)
{
    memset(bot.channel.request, 0, size);
    bot_ask(&bot, size, LIMIT_US, WIRE_TIMEOUT);
    run();
}

static void write_bytes(int fd, const void *bytes, size_t size)
{
    cr_assert_eq(write(fd, bytes, size), (ssize_t)size);
}

/* Reads that many bytes of a request, as they arrive. */
static void read_request(size_t size)
{
    static char bytes[WIRE_MESSAGE_BYTES_MAX];

    while (size > 0) {
        int waiting;

        cr_assert_eq(ioctl(fake->input_fd, FIONREAD, &waiting), 0);
        if (waiting == 0) {
            int before = (int)size;

            run();
            cr_assert_eq(ioctl(fake->input_fd, FIONREAD, &waiting), 0);
            cr_assert_gt(waiting, 0, "the last %d bytes never come", before);
        }
        size -= (size_t)read(fake->input_fd, bytes, size < sizeof bytes ? size : sizeof bytes);
    }
}

/* ---- what ends a bot ---- */

static void exits(void)
{
    fake_child_die(fake, SANDBOX_END_EXITED);
}

static void crashes(void)
{
    fake_child_die(fake, SANDBOX_END_SIGNALED);
}

static void makes_a_forbidden_call(void)
{
    fake_child_die(fake, SANDBOX_END_FORBIDDEN);
}

static void runs_out_of_memory(void)
{
    fake_child_die(fake, SANDBOX_END_MEMORY);
}

static void runs_out_of_processor_time(void)
{
    fake_child_die(fake, SANDBOX_END_CPU);
}

static void answers(void)
{
    write_bytes(fake->output_fd, answer, sizeof answer);
}

static void answers_half(void)
{
    write_bytes(fake->output_fd, answer, sizeof answer - 1);
}

static void answers_twice(void)
{
    answers();
    answers();
}

static void answers_with_too_much_processor_time(void)
{
    fake->cpu_us = 3 * LIMIT_US;
    answers();
}

static void exits_after_too_much_processor_time(void)
{
    fake->cpu_us = 3 * LIMIT_US;
    exits();
}

static void uses_too_much_processor_time(void)
{
    fake->cpu_us = 3 * LIMIT_US;
}

static void prints(void)
{
    write_bytes(fake->output_fd, "hello\n", 6);
}

static void closes_its_output(void)
{
    close(fake->output_fd);
    fake->output_fd = -1;
}

static void closes_its_input(void)
{
    close(fake->input_fd);
    fake->input_fd = -1;
}

static void ran_while_it_was_stopped(void)
{
    bot.freeze = true;
    fake->freeze_result = -EBUSY;
}

static void does_nothing(void)
{
}

static const char exited[] = "the bot exited", late[] = "no complete answer by the deadline",
                  used[] = "the bot used more processor time than its limit allowed",
                  closed[] = "the bot closed its output or input but still runs";

/* What a bot does before it is asked or then, and with which fault it is out. */
static const struct {
    void (*before_fn)(void);
    void (*then_fn)(void);
    enum wire_reason reason;
    const char *words;
} ends[] = {
    {does_nothing, exits, WIRE_EXIT, exited},
    {does_nothing, crashes, WIRE_CRASH, "the bot was killed by a signal"},
    {does_nothing, makes_a_forbidden_call, WIRE_FORBIDDEN, "the bot made a forbidden system call"},
    {does_nothing, runs_out_of_memory, WIRE_MEMORY, "the bot ran out of memory"},
    {does_nothing, runs_out_of_processor_time, WIRE_CPU, "the bot ran out of processor time"},
    {does_nothing, does_nothing, WIRE_TIMEOUT, late},
    {does_nothing, answers_half, WIRE_TIMEOUT, late},
    {does_nothing, answers_twice, WIRE_BAD, "the bot wrote bytes after its answer"},
    {does_nothing, answers_with_too_much_processor_time, WIRE_CPU, used},
    {does_nothing, exits_after_too_much_processor_time, WIRE_EXIT, exited},
    {does_nothing, uses_too_much_processor_time, WIRE_CPU, used},
    {does_nothing, prints, WIRE_BAD,
     "the bot printed text to standard output, which takes messages in MessagePack only, not JSON: "
     "print to standard error"},
    {does_nothing, closes_its_output, WIRE_BAD, closed},
    {answers_half, does_nothing, WIRE_BAD, "the bot wrote before the arena asked for an answer"},
    {closes_its_output, does_nothing, WIRE_BAD, closed},
    {closes_its_input, does_nothing, WIRE_BAD, closed},
    {exits, does_nothing, WIRE_EXIT, exited},
    {crashes, does_nothing, WIRE_CRASH, "the bot was killed by a signal"},
    {ran_while_it_was_stopped, does_nothing, WIRE_CPU,
     "the bot ran while the arena had stopped it"},
};

Test(bot, each_end_has_its_reason)
{
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (i > 0) { /* a new one */
            end();
            begin();
        }
        failed_count = gone_count = 0;
        ends[i].before_fn();
        run();
        ask(10);
        if (bot.state == BOT_ASKED)
            ends[i].then_fn();
        run();
        while (failed_count == 0 && bot.alarm.deadline_us) {
            fake_now_us = bot.alarm.deadline_us;
            alarm_ring(&bot.alarm, fake_now_us);
        }
        run();
        cr_expect_eq(failed_count, 1, "row %zu", i);
        cr_expect_eq(gone_count, 1, "row %zu", i);
        cr_expect_eq(bot.state, BOT_GONE, "row %zu", i);
        cr_expect_eq(bot.fault.reason, ends[i].reason, "row %zu: %s", i, bot.fault.words);
        cr_expect_str_eq(bot.fault.words, ends[i].words, "row %zu: %s", i, bot.fault.words);
    }
}

/* The keeper belongs to the arena, and so does memory beside the bot's limit: the match is void. */
Test(bot, one_that_loses_its_keeper_or_is_killed_within_its_limit_is_no_forfeit)
{
    ask(10);
    fake_child_die(fake, SANDBOX_END_KEEPER);
    run();
    cr_expect_eq(bot.failure.error, ESRCH);
    broken_expected = 1;
    end();
    begin();
    ask(10);
    fake_child_die(fake, SANDBOX_END_STARVED);
    run();
    cr_expect_eq(bot.failure.error, ESRCH,
                 "the attempt counts: a bot that does this each time ends the run");
    cr_expect_eq(failed_count, 0);
    cr_expect_eq(gone_count, 2);
    broken_expected = 2;
}

static enum sandbox_setup setup_result;

static enum sandbox_setup end_setup(struct sandbox_child *child, struct sandbox_failure *failure)
{
    return setup_result;
}

Test(bot, one_that_cannot_be_executed_is_out_and_one_that_cannot_be_confined_is_no_forfeit)
{
    const struct sandbox_command command = {.cpu = -1};

    transport.setup_fn = end_setup;
    for (int i = 0; i < 2; i++) {
        setup_result = i ? SANDBOX_SETUP_FAILED : SANDBOX_SETUP_REFUSED;
        bot_finish(&bot);
        cr_assert_eq(bot_start(&bot, loop, &pace, &transport, &command), 0);
        run();
        cr_expect_eq(bot.state, BOT_GONE);
        cr_expect_eq(failed_count, 1);
        cr_expect_eq(bot.fault.reason, WIRE_START);
        cr_expect_eq(broken_count, i);
    }
    broken_expected = 1;
}

/* ---- races and the arena's faults ---- */

/* It would be late, or run on, for a fault of the arena's. */
Test(bot, one_that_cannot_be_resumed_is_no_forfeit)
{
    bot.freeze = true;
    fake->freeze_result = -EMFILE;
    ask(10);
    cr_expect_eq(failed_count, 0);
    cr_expect_eq(bot.failure.error, EMFILE);
    broken_expected = 1;
}

Test(bot, one_that_cannot_be_stopped_is_no_forfeit)
{
    bot.freeze = true;
    ask(10);
    fake->freeze_result = -EMFILE;
    write_bytes(fake->output_fd, answer, sizeof answer);
    run();
    cr_expect_eq(replied_count, 0);
    cr_expect_eq(failed_count, 0);
    broken_expected = 1;
}

static void writes_on_and_is_asked_again(struct bot *self)
{
    replied_count++;
    answers();
    memset(self->channel.request, 0, 10);
    bot_ask(self, 10, LIMIT_US, WIRE_TIMEOUT);
}

/* The loop asks in the turn in which it took the answer: no poll has looked in between. */
Test(bot, what_it_writes_behind_an_answer_is_no_answer_to_the_next_request)
{
    bot.replied_fn = writes_on_and_is_asked_again;
    ask(10);
    answers();
    run();
    cr_expect_eq(replied_count, 1);
    cr_assert_eq(failed_count, 1);
    cr_expect_str_eq(bot.fault.words, "the bot wrote before the arena asked for an answer");
}

/* However late the loop looks, even past the deadline. */
Test(bot, an_answer_that_is_there_when_its_deadline_rings_counts)
{
    ask(10);
    write_bytes(fake->output_fd, answer, sizeof answer);
    fake_now_us += LIMIT_US + 300 * MS;
    alarm_ring(&bot.alarm, fake_now_us);
    cr_expect_eq(replied_count, 1);
    cr_expect_eq(failed_count, 0);
    run();
    cr_expect_eq(bot.state, BOT_IDLE);
}

Test(bot, half_an_answer_at_the_deadline_does_not)
{
    ask(10);
    write_bytes(fake->output_fd, answer, sizeof answer - 1);
    fake_now_us += LIMIT_US + 2 * MS;
    alarm_ring(&bot.alarm, fake_now_us);
    cr_expect_eq(failed_count, 1);
    cr_expect_eq(bot.fault.reason, WIRE_TIMEOUT);
    cr_expect_eq(bot.fault.delay_us, 2 * MS, "not seen at once: the arena's own");
    run();
    cr_expect_eq(gone_count, 1);
}

Test(bot, a_loop_held_for_300_ms_is_the_arenas_own_delay)
{
    ask(10);
    fake_now_us += 2 * MS;
    run(); /* a look: nothing */
    write_bytes(fake->output_fd, answer, sizeof answer);
    fake_now_us += 300 * MS;
    run();
    cr_expect_eq(replied_count, 1);
    cr_expect_eq(bot.charge.used_us, 2 * MS);
    cr_expect_eq(bot.charge.delay_us, 300 * MS);
}

Test(bot, a_request_that_does_not_fit_at_once_is_finished)
{
    ask(WIRE_MESSAGE_BYTES_MAX);
    read_request(WIRE_MESSAGE_BYTES_MAX);
    write_bytes(fake->output_fd, answer, sizeof answer);
    run();
    cr_expect_eq(replied_count, 1);
}

Test(bot, who_waits_for_the_rest_of_a_request_is_not_charged)
{
    ask(WIRE_MESSAGE_BYTES_MAX);
    for (size_t left = WIRE_MESSAGE_BYTES_MAX; left > 0;) {
        static char bytes[WIRE_MESSAGE_BYTES_MAX];
        int waiting;

        cr_assert_eq(ioctl(fake->input_fd, FIONREAD, &waiting), 0);
        cr_assert_gt(waiting, 0);
        left -= (size_t)read(fake->input_fd, bytes, (size_t)waiting);
        fake_now_us += left ? 20 * MS : 0; /* the loop is held each time */
        run();
        alarm_ring(&bot.alarm, fake_now_us);
        cr_assert_eq(failed_count, 0, "late with %zu bytes left to come", left);
    }
    write_bytes(fake->output_fd, answer, sizeof answer);
    run();
    cr_expect_eq(replied_count, 1);
    cr_expect_eq(bot.charge.used_us, 0);
    cr_expect_geq(bot.charge.waited_us, LIMIT_US, "this shows nothing");
}

/* Else a bot whose threads keep the arena from a processor would think as long as it likes. */
Test(bot, waits_of_its_calls_are_not_charged_but_for_a_few_times)
{
    int count = 0;

    ask(10);
    for (; failed_count == 0 && count < 1000; count++) {
        eventfd_write(fake->notify_fd, 1); /* a call waits while the loop is held */
        fake_now_us += 10 * MS;
        run();
        alarm_ring(&bot.alarm, fake_now_us);
    }
    cr_expect_eq(count, 32 + LIMIT_US / (10 * MS), "%d", count);
    cr_expect_eq(bot.fault.reason, WIRE_TIMEOUT);
}

Test(bot, a_whole_answer_before_death_counts)
{
    ask(10);
    write_bytes(fake->output_fd, answer, sizeof answer);
    fake_child_die(fake, SANDBOX_END_EXITED);
    run();
    cr_expect_eq(replied_count, 1);
    cr_expect_eq(failed_count, 0);
}

/* How it ends behind a wrong answer may be seen or not: the answer says why it is out. */
Test(bot, one_that_answers_wrongly_and_ends_is_out_for_the_answer)
{
    static const struct {
        enum wire_reason reason;
        enum sandbox_end end;
        enum wire_reason expected;
    } rows[] = {
        {WIRE_ILLEGAL, SANDBOX_END_EXITED, WIRE_ILLEGAL},
        {WIRE_ILLEGAL, SANDBOX_END_SIGNALED, WIRE_ILLEGAL},
        {WIRE_ILLEGAL, SANDBOX_END_FORBIDDEN, WIRE_FORBIDDEN},
        {WIRE_BAD, SANDBOX_END_EXITED, WIRE_BAD},
        {WIRE_BAD, SANDBOX_END_MEMORY, WIRE_MEMORY},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (i > 0) {
            end();
            begin();
        }
        replied_count = 0;
        ask(10);
        write_bytes(fake->output_fd, answer, sizeof answer);
        fake_child_die(fake, rows[i].end);
        run();
        cr_expect_eq(replied_count, 1, "row %zu", i);
        bot_fail(&bot, rows[i].reason, "no such action");
        cr_expect_eq(bot.fault.reason, rows[i].expected, "row %zu: %s", i, bot.fault.words);
    }
}

Test(bot, what_it_is_told_at_the_end_arrives)
{
    char last[8] = "";

    ask(10);
    read_request(10);
    write_bytes(fake->output_fd, answer, sizeof answer);
    run();
    cr_assert_eq(bot.state, BOT_IDLE);
    memcpy(bot.channel.request, "goodbye", 7);
    bot_leave(&bot, 7);
    run();
    cr_expect_eq(read(fake->input_fd, last, sizeof last), 7);
    cr_expect_str_eq(last, "goodbye");
    cr_expect_eq(read(fake->input_fd, last, sizeof last), 0, "its input has no end");
}

Test(bot, one_that_used_no_processor_time_is_told_so)
{
    fake->cpu_us = 0;
    ask(10);
    fake_child_die(fake, SANDBOX_END_EXITED);
    run();
    cr_expect_eq(bot.fault.reason, WIRE_EXIT);
    cr_expect_eq(bot.fault.cpu_us, 0);
}

static char errors[64];

static void note_errors(struct bot *self, const char *bytes, size_t size)
{
    strncat(errors, bytes, size);
}

Test(bot, what_it_writes_to_standard_error_is_handed_on)
{
    bot.errors_fn = note_errors;
    ask(10);
    write_bytes(fake->errors_fd, "hello, ", 7);
    run();
    cr_expect_str_eq(errors, "hello, ");
    write_bytes(fake->errors_fd, "world", 5);
    fake_child_die(fake, SANDBOX_END_SIGNALED);
    run();
    cr_expect_str_eq(errors, "hello, world");
}

Test(bot, what_it_wrote_to_standard_error_last_is_kept)
{
    static char flood[4096];
    char kept[sizeof "the end"];
    ssize_t put;

    ask(10);
    memset(flood, 'x', sizeof flood);
    while ((put = write(fake->errors_fd, flood, sizeof flood)) > 0)
        if (put < (ssize_t)sizeof flood)
            break;
    run(); /* part of it is read */
    write_bytes(fake->errors_fd, "the end", 7);
    fake_child_die(fake, SANDBOX_END_SIGNALED);
    run();
    cr_expect_eq(bot.fault.reason, WIRE_CRASH);
    memset(kept, 0, sizeof kept);
    tail_last(&bot.channel.errors_kept, kept, 7);
    cr_expect_str_eq(kept, "the end");
}

Test(bot, a_closed_output_costs_the_loop_nothing_while_it_waits_for_the_exit)
{
    ask(10);
    close(fake->output_fd);
    fake->output_fd = -1;
    while (bot.state == BOT_ASKED)
        ev_run(loop, EVRUN_ONCE);
    cr_assert_eq(bot.state, BOT_CLOSING);
    cr_expect(!ev_is_active(&bot.output), "its end would wake the loop again");
    cr_expect(!ev_is_active(&bot.input));
    fake_now_us += BOT_CLOSING_MS * MS - 1;
    alarm_ring(&bot.alarm, fake_now_us);
    cr_expect_eq(failed_count, 0, "it has not had its time to leave");
    fake_now_us++;
    alarm_ring(&bot.alarm, fake_now_us);
    cr_expect_eq(failed_count, 1);
    cr_expect_eq(bot.fault.reason, WIRE_BAD);
}

Test(bot, a_closed_standard_error_costs_the_loop_nothing)
{
    ask(10);
    close(fake->errors_fd);
    fake->errors_fd = -1;
    run();
    cr_expect_eq(bot.state, BOT_ASKED);
    cr_expect(!ev_is_active(&bot.errors), "its end would wake the loop again");
}

Test(bot, its_memory_is_looked_at_while_it_lives)
{
    bot_watch(&bot);
    cr_expect_eq(fake->watch_count, 1);
    ask(10);
    bot_watch(&bot);
    cr_expect_eq(fake->watch_count, 2);
    fake_child_die(fake, SANDBOX_END_EXITED);
    run();
    bot_watch(&bot);
    cr_expect_eq(fake->watch_count, 2, "of the dead there is none");
}

static int64_t queued_us;

static int64_t queued(struct sandbox_child *child, int64_t since_us)
{
    return queued_us;
}

/* When it answers in time at first, and then never; what it waited is told of the last request. */
static const struct {
    const char *rule;
    int64_t before_us;     /* waited for a processor before that request */
    int64_t first_look_us; /* of the watch, after the request; 0: none */
    int64_t waited_us;     /* between that look and the deadline */
    int64_t told_us;
} waits[] = {
    {"what it waited while it started is of another request", 30 * MS, 10 * MS, 0, 0},
    {"a look in the middle stands for the whole", 30 * MS, LIMIT_US / 2, 10 * MS, 20 * MS},
    {"too short for a look", 0, 0, 40 * MS, 40 * MS},
};

Test(bot, what_it_waited_for_a_processor_moves_the_deadline_of_that_request)
{
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        end();
        begin();
        transport.queued_us_fn = queued;
        failed_count = 0;
        queued_us = 5 * MS;
        ask(10);
        fake_now_us += LIMIT_US / 5;
        bot_watch(&bot);
        answers();
        run();
        queued_us += waits[i].before_us;
        ask(10);
        if (waits[i].first_look_us) {
            fake_now_us += waits[i].first_look_us;
            bot_watch(&bot);
        }
        queued_us += waits[i].waited_us;
        fake_now_us = bot.alarm.deadline_us;
        alarm_ring(&bot.alarm, fake_now_us);
        run();
        cr_expect_eq(failed_count, waits[i].told_us == 0, "%s", waits[i].rule);
        if (waits[i].told_us > 0)
            cr_expect_eq(bot.alarm.deadline_us - fake_now_us, waits[i].told_us,
                         "%s: its deadline moves by %lld", waits[i].rule,
                         (long long)(bot.alarm.deadline_us - fake_now_us));
        for (int due = 0; due < 100 && failed_count == 0; due++) {
            fake_now_us = bot.alarm.deadline_us;
            alarm_ring(&bot.alarm, fake_now_us);
            run();
        }
        cr_expect_eq(failed_count, 1, "%s: it has had its limit", waits[i].rule);
        cr_expect_geq(bot.fault.wall_us - bot.fault.queued_us, LIMIT_US, "%s", waits[i].rule);
    }
}

/* In each state, as a game that is given up may find it. */
Test(bot, finished_it_leaves_nothing_on_the_loop)
{
    const struct sandbox_command command = {.cpu = -1};
    const struct watch *const watches[] = {&bot.input, &bot.output, &bot.errors,
                                           &bot.setup, &bot.notify, &bot.death};

    for (enum bot_state state = BOT_SETUP; state <= BOT_CLOSING; state++) {
        bot_finish(&bot);
        cr_assert_eq(bot_start(&bot, loop, &pace, &transport, &command), 0);
        if (state >= BOT_IDLE)
            run();
        if (state >= BOT_ASKED)
            ask(WIRE_MESSAGE_BYTES_MAX); /* which does not fit at once */
        if (state == BOT_CLOSING) {
            close(fake_children[fake_child_count - 1].output_fd);
            fake_children[fake_child_count - 1].output_fd = -1;
            run();
        }
        cr_expect_eq(bot.state, state, "%d, not %d", (int)bot.state, (int)state);
        bot_finish(&bot);
        for (size_t i = 0; i < sizeof watches / sizeof *watches; i++)
            cr_expect(!watch_is_running(watches[i]), "state %d: watch %zu", (int)state, i);
        cr_expect_eq(bot.state, BOT_NONE);
        cr_assert_eq(bot_start(&bot, loop, &pace, &transport, &command), 0);
    }
}

/* ---- processor time: at most the wall time of all requests, with a bank counted once ---- */

static const struct {
    const char *rule;
    int64_t bank_us; /* of LIMIT_US */
    int64_t used_us;
    int64_t allowed_us; /* by then, and kept */
} cpu_rows[] = {
    {"no bank", 0, 10 * MS, LIMIT_US},
    {"of the bank nothing was used", 30 * MS, 10 * MS, LIMIT_US - 30 * MS},
    {"nor at the end of the turn's own time", 30 * MS, 20 * MS, LIMIT_US - 30 * MS},
    {"part of it was", 30 * MS, 25 * MS, LIMIT_US - 25 * MS},
    {"all of it was", 30 * MS, LIMIT_US, LIMIT_US},
};

static void ask_and_answer(int64_t bank_us, int64_t used_us, int64_t cpu_us)
{
    bot.bank_us = bank_us;
    ask(10);
    for (int64_t left_us = used_us; left_us > 0; left_us -= MS) {
        fake_now_us += MS;
        run(); /* looks: none of it is the arena's own delay */
    }
    fake->cpu_us = cpu_us;
    write_bytes(fake->output_fd, answer, sizeof answer);
    run();
}

Test(bot, may_use_the_processor_as_long_as_it_was_allowed_to_think)
{
    for (size_t i = 0; i < sizeof cpu_rows / sizeof *cpu_rows; i++) {
        for (int beyond_us = 0; beyond_us <= 1; beyond_us++) {
            int64_t allowed_us = cpu_rows[i].allowed_us + LIMIT_US;

            if (i + (size_t)beyond_us > 0) { /* a new one */
                end();
                begin();
            }
            replied_count = failed_count = 0;
            ask_and_answer(cpu_rows[i].bank_us, cpu_rows[i].used_us, 0);
            cr_assert_eq(replied_count, 1, "%s", cpu_rows[i].rule);
            ask_and_answer(0, 0, allowed_us + beyond_us);
            cr_expect_eq(replied_count, beyond_us ? 1 : 2, "%s", cpu_rows[i].rule);
            cr_expect_eq(failed_count, beyond_us, "%s", cpu_rows[i].rule);
            if (beyond_us)
                cr_expect_eq(bot.fault.reason, WIRE_CPU, "%s", cpu_rows[i].rule);
        }
    }
}

/* ---- until when each state lasts ---- */

/* Lets what is due happen, at a time. */
static void ring(int64_t at_us)
{
    fake_now_us = at_us;
    alarm_ring(&bot.alarm, at_us);
}

/* Kills the bot as described, and follows it until it ends. */
static void expect_kill(void)
{
    int64_t due_us = fake_now_us + (int64_t)SANDBOX_DYING_MS * 1000;

    cr_assert_eq(bot.state, BOT_KILLED);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(bot.alarm.deadline_us, due_us, "%d", i);
        ring(due_us - 1);
        cr_expect_eq(bot.alarm.deadline_us, due_us);
        ring(due_us);
        due_us += LAST_LOOK_US;
        cr_expect_eq(gone_count, 0);
    }
    lives_on = false;
    fake->ended = true;
    ring(due_us);
    cr_expect_eq(gone_count, 1);
    cr_expect_eq(bot.state, BOT_GONE);
    cr_expect_eq(bot.alarm.deadline_us, 0);
}

Test(bot, waits_for_a_request_as_long_as_it_may_take)
{
    lives_on = true;
    for (int i = 0; i < 2; i++) {
        ask(10);
        cr_expect_eq(bot.alarm.deadline_us, fake_now_us + LIMIT_US);
        fake_now_us += MS;
        answers();
        run();
        cr_expect_eq(bot.state, BOT_IDLE);
        cr_expect_eq(bot.alarm.deadline_us, 0);
    }
    ask(10);
    ring(fake_now_us + LIMIT_US - 1);
    cr_expect_eq(failed_count, 0);
    ring(fake_now_us + 1);
    cr_expect_eq(failed_count, 1);
    expect_kill();
}

/* Its processor time is worse than its lateness: that may be the machine's. */
Test(bot, one_that_is_late_and_over_its_processor_time_is_out_for_that)
{
    for (int beyond_us = 0; beyond_us <= 1; beyond_us++) {
        if (beyond_us) { /* a new one */
            end();
            begin();
        }
        failed_count = gone_count = 0;
        lives_on = true;
        ask(10);
        fake->cpu_us = LIMIT_US + beyond_us;
        ring(fake_now_us + LIMIT_US);
        cr_expect_eq(failed_count, 1);
        cr_expect_eq(bot.fault.reason, beyond_us ? WIRE_CPU : WIRE_TIMEOUT, "%d",
                     (int)bot.fault.reason);
        cr_expect_eq(bot.fault.late, !beyond_us);
        cr_expect_eq(bot.fault.cpu_us, LIMIT_US + beyond_us);
        if (beyond_us)
            cr_expect_str_eq(bot.fault.words,
                             "the bot used more processor time than its limit allowed");
        expect_kill();
    }
}

static enum sandbox_departure departure;

static enum sandbox_departure tell_departure(const struct sandbox_child *child)
{
    (void)child;
    return departure;
}

static void close_output(void)
{
    lives_on = true;
    ask(10);
    transport.departure_fn = tell_departure;
    closes_its_output();
    run();
    cr_assert_eq(bot.state, BOT_CLOSING);
}

Test(bot, one_that_the_kernel_kills_for_its_memory_is_out_for_that)
{
    close_output();
    departure = SANDBOX_LEAVES; /* its pages are being freed */
    bot.closing_until_us = bot.alarm.deadline_us + 1;
    ring(bot.alarm.deadline_us);
    cr_expect_eq(failed_count, 0, "it is judged while it is on its way out");
    departure = SANDBOX_OUT_OF_MEMORY;
    ring(bot.alarm.deadline_us);
    cr_expect_eq(failed_count, 1);
    cr_expect_eq(bot.fault.reason, WIRE_MEMORY);
    cr_expect_str_eq(bot.fault.words, "the bot ran out of memory");
    expect_kill();
}

Test(bot, one_that_exits_for_too_long_is_out)
{
    close_output();
    departure = SANDBOX_LEAVES;
    cr_expect_leq(bot.closing_until_us, fake_now_us + (int64_t)SANDBOX_DYING_MS * 1000);
    ring(bot.closing_until_us > bot.alarm.deadline_us ? bot.closing_until_us
                                                      : bot.alarm.deadline_us);
    cr_expect_eq(failed_count, 1);
    cr_expect_eq(bot.fault.reason, WIRE_BAD);
    expect_kill();
}

static void misses_its_deadline(void)
{
    ask(10);
    ring(bot.alarm.deadline_us);
}

static void misses_its_deadline_over_its_time(void)
{
    ask(10);
    fake->cpu_us = 3 * LIMIT_US;
    ring(bot.alarm.deadline_us);
}

static void is_asked_after_a_stop_that_failed(void)
{
    ran_while_it_was_stopped();
    ask(10);
}

static void (*const dying_fns[])(void) = {misses_its_deadline, misses_its_deadline_over_its_time,
                                          is_asked_after_a_stop_that_failed};

/* Its memory is being freed, which may take long, and counts as its processor time. */
Test(bot, one_that_is_dying_is_judged_by_its_end)
{
    for (size_t i = 0; i < sizeof dying_fns / sizeof *dying_fns; i++) {
        end();
        begin();
        failed_count = 0;
        transport.departure_fn = tell_departure;
        departure = SANDBOX_LEAVES;
        dying_fns[i]();
        cr_expect_eq(bot.state, BOT_CLOSING, "row %zu", i);
        cr_expect_eq(failed_count, 0, "row %zu", i);
        fake_child_die(fake, SANDBOX_END_EXITED);
        run();
        cr_expect_eq(failed_count, 1, "row %zu", i);
        cr_expect_eq(bot.fault.reason, WIRE_EXIT, "row %zu: %s", i, bot.fault.words);
    }
}

Test(bot, one_that_does_not_leave_is_killed)
{
    lives_on = true;
    memset(bot.channel.request, 0, 10);
    bot_leave(&bot, 10);
    cr_assert_eq(bot.state, BOT_LEAVING);
    cr_expect_eq(bot.alarm.deadline_us, fake_now_us + (int64_t)BOT_LEAVING_MS * 1000);
    ring(bot.alarm.deadline_us);
    expect_kill();
    cr_expect_eq(failed_count, 0);
}
