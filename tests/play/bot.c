/* A bot over a socketpair, with a clock that only the test advances; includes races. */
#include "arena/play/bot.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/play/fake_child.h"

enum {
    MS = 1000,
    LIMIT_US = 50 * MS,
};

/* {"a": 1}, a complete message. */
static const uint8_t answer[] = {0x81, 0xa1, 'a', 0x01};

static struct ev_loop *loop;
static struct pace pace;
static struct transport transport;
static struct bot bot;
static struct fake_child *fake;
static int started_count, replied_count, failed_count, broken_count, gone_count;

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

/* Runs the loop's pending events. */
static void run(void)
{
    for (int i = 0; i < 4; i++)
        ev_run(loop, EVRUN_NOWAIT);
}

static void begin(void)
{
    const struct sandbox_command command = {.cpu = -1};

    fake_child_reset();
    loop = ev_loop_new(EVFLAG_AUTO);
    pace_start(&pace, loop);
    pace.now_fn = fake_child_now_us;
    pace.woke_us = pace.woke_before_us = fake_now_us;
    transport = fake_child_transport();
    memset(&bot, 0, sizeof bot);
    bot.started_fn = started;
    bot.replied_fn = replied;
    bot.failed_fn = failed;
    bot.broken_fn = broke;
    bot.gone_fn = went;
    bot.core_count = 1;
    cr_assert_eq(bot_start(&bot, loop, &pace, &transport, &command), 0);
    fake = &fake_children[0];
    started_count = 0;
    run();
    cr_assert_eq(started_count, 1);
}

static int broken_expected;

static void end(void)
{
    bot_finish(&bot);
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

Test(bot, an_answer_in_the_moment_of_the_deadline_counts)
{
    ask(10);
    write_bytes(fake->output_fd, answer, sizeof answer);
    fake_now_us += LIMIT_US;
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

Test(bot, before_the_deadline_nothing_happens)
{
    ask(10);
    fake_now_us += LIMIT_US - 1;
    alarm_ring(&bot.alarm, fake_now_us);
    cr_expect_eq(failed_count, 0);
    cr_expect_eq(bot.state, BOT_ASKED);
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

Test(bot, an_answer_that_was_there_in_time_is_no_timeout_for_a_loop_held_past_the_deadline)
{
    ask(10);
    write_bytes(fake->output_fd, answer, sizeof answer);
    fake_now_us += 300 * MS;
    alarm_ring(&bot.alarm, fake_now_us); /* even if that comes first */
    cr_expect_eq(replied_count, 1);
    cr_expect_eq(failed_count, 0);
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

Test(bot, death_while_a_request_is_half_written_is_an_exit)
{
    ask(WIRE_MESSAGE_BYTES_MAX);
    cr_assert(!channel_is_written(&bot.channel));
    fake_child_die(fake, SANDBOX_END_EXITED);
    run();
    cr_expect_eq(failed_count, 1);
    cr_expect_eq(bot.fault.reason, WIRE_EXIT);
    cr_expect_eq(gone_count, 1);
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

/* In each state, as a game that is given up may find it. */
Test(bot, finished_it_leaves_nothing_on_the_loop)
{
    const struct sandbox_command command = {.cpu = -1};
    const ev_io *const watches[] = {&bot.input, &bot.output, &bot.errors,
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
            cr_expect(!ev_is_active(watches[i]), "state %d: watch %zu", (int)state, i);
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
