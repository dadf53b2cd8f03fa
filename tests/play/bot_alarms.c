/* Until when each state of a bot lasts, by a clock that only the test advances. */
#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "arena/play/bot.h"
#include "tests/play/fake_child.h"

enum {
    LIMIT_US = 50000,
    LAST_LOOK_US = 100000,
};

static const uint8_t answer[] = {0x81, 0xa1, 'a', 0x01};

static struct ev_loop *loop;
static struct pace pace;
static struct transport transport;
static struct bot bot;
static int gone_count, failed_count;
static bool lives_on; /* whatever is done */

static void note_nothing(struct bot *self)
{
}

static void failed(struct bot *self)
{
    failed_count++;
}

static void went(struct bot *self)
{
    gone_count++;
}

static void run(void)
{
    for (int i = 0; i < 4; i++)
        ev_run(loop, EVRUN_NOWAIT);
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

static void begin(void)
{
    const struct sandbox_command command = {.cpu = -1};

    fake_child_reset();
    loop = ev_loop_new(EVFLAG_AUTO);
    pace_start(&pace, loop);
    pace.now_fn = fake_child_now_us;
    pace.woke_us = pace.woke_before_us = fake_now_us;
    transport = fake_child_transport();
    kill_fn = transport.kill_fn;
    reap_fn = transport.reap_fn;
    transport.kill_fn = kill_child;
    transport.reap_fn = reap;
    memset(&bot, 0, sizeof bot);
    bot.started_fn = bot.replied_fn = bot.broken_fn = note_nothing;
    bot.failed_fn = failed;
    bot.gone_fn = went;
    bot.core_count = 1;
    lives_on = true;
    cr_assert_eq(bot_start(&bot, loop, &pace, &transport, &command), 0);
    cr_expect_eq(bot.alarm.deadline_us, fake_now_us + (int64_t)BOT_SETUP_MS * 1000);
    run();
    cr_assert_eq(bot.state, BOT_IDLE);
    cr_expect_eq(bot.alarm.deadline_us, 0);
}

static void end(void)
{
    lives_on = false;
    bot_finish(&bot);
    cr_expect_null(bot.alarm.owner);
    pace_stop(&pace, loop);
    ev_loop_destroy(loop);
}

TestSuite(bot_alarms, .init = begin, .fini = end, .timeout = 30);

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
    fake_children[0].ended = true;
    ring(due_us);
    cr_expect_eq(gone_count, 1);
    cr_expect_eq(bot.state, BOT_GONE);
    cr_expect_eq(bot.alarm.deadline_us, 0);
}

static void ask(void)
{
    memset(bot.channel.request, 0, 10);
    bot_ask(&bot, 10, LIMIT_US, WIRE_TIMEOUT);
    run();
}

Test(bot_alarms, of_a_request_that_is_answered)
{
    ask();
    cr_expect_eq(bot.alarm.deadline_us, fake_now_us + LIMIT_US);
    fake_now_us += 1000;
    cr_assert_eq(write(fake_children[0].output_fd, answer, sizeof answer), (ssize_t)sizeof answer);
    run();
    cr_expect_eq(bot.state, BOT_IDLE);
    cr_expect_eq(bot.alarm.deadline_us, 0);
    ask(); /* anew */
    cr_expect_eq(bot.alarm.deadline_us, fake_now_us + LIMIT_US);
    bot_kill(&bot);
    expect_kill();
    cr_expect_eq(failed_count, 0);
}

Test(bot_alarms, of_a_request_that_is_not)
{
    ask();
    ring(fake_now_us + LIMIT_US - 1);
    cr_expect_eq(failed_count, 0);
    ring(fake_now_us + 1);
    cr_expect_eq(failed_count, 1);
    cr_expect_eq(bot.fault.reason, WIRE_TIMEOUT);
    expect_kill();
}

/* Its processor time is worse than its lateness: that may be the machine's. */
Test(bot_alarms, of_one_that_is_late_and_over_its_processor_time)
{
    for (int beyond_us = 0; beyond_us <= 1; beyond_us++) {
        if (beyond_us) { /* a new one */
            end();
            begin();
        }
        failed_count = gone_count = 0;
        ask();
        fake_children[0].cpu_us = LIMIT_US + beyond_us;
        ring(fake_now_us + LIMIT_US);
        cr_expect_eq(failed_count, 1);
        cr_expect_eq(bot.fault.reason, beyond_us ? WIRE_CPU : WIRE_TIMEOUT, "%d",
                     (int)bot.fault.reason);
        cr_expect_eq(bot.fault.late, !beyond_us);
        cr_expect_eq(bot.fault.cpu_us, LIMIT_US + beyond_us);
        if (beyond_us)
            cr_expect_str_eq(bot.fault.words, "it used more processor time than it was allowed");
        expect_kill();
    }
}

Test(bot_alarms, of_one_that_closes_its_output)
{
    ask();
    close(fake_children[0].output_fd);
    fake_children[0].output_fd = -1;
    run();
    cr_assert_eq(bot.state, BOT_CLOSING);
    cr_expect_eq(bot.alarm.deadline_us, fake_now_us + (int64_t)BOT_CLOSING_MS * 1000);
    ring(bot.alarm.deadline_us);
    cr_expect_eq(failed_count, 1);
    cr_expect_eq(bot.fault.reason, WIRE_BAD);
    cr_expect_str_eq(bot.fault.words, "it closed its output or its input but still runs");
    expect_kill();
}

static enum sandbox_departure departure;

static enum sandbox_departure tell_departure(const struct sandbox_child *child)
{
    (void)child;
    return departure;
}

static void close_output(void)
{
    ask();
    transport.departure_fn = tell_departure;
    close(fake_children[0].output_fd);
    fake_children[0].output_fd = -1;
    run();
    cr_assert_eq(bot.state, BOT_CLOSING);
}

Test(bot_alarms, of_one_that_the_kernel_kills_for_its_memory)
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
    cr_expect_str_eq(bot.fault.words, "it ran out of memory");
    expect_kill();
}

Test(bot_alarms, of_one_that_exits_for_longer_than_its_deadline)
{
    close_output();
    departure = SANDBOX_LEAVES;
    cr_expect_leq(bot.closing_until_us, fake_now_us + LIMIT_US, "its deadline is the request's");
    ring(bot.closing_until_us > bot.alarm.deadline_us ? bot.closing_until_us
                                                      : bot.alarm.deadline_us);
    cr_expect_eq(failed_count, 1);
    cr_expect_eq(bot.fault.reason, WIRE_BAD);
    expect_kill();
}

Test(bot_alarms, of_one_that_leaves)
{
    memset(bot.channel.request, 0, 10);
    bot_leave(&bot, 10);
    cr_assert_eq(bot.state, BOT_LEAVING);
    cr_expect_eq(bot.alarm.deadline_us, fake_now_us + (int64_t)BOT_LEAVING_MS * 1000);
    ring(bot.alarm.deadline_us);
    expect_kill();
    cr_expect_eq(failed_count, 0);
}
