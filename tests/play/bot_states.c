/*
 * Each event in each state of a bot: what it calls, whom it tells, and what it is then, by a clock
 * that only the test advances. The whole is tests/golden/play-bots.txt.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/golden.h"
#include "tests/play/bot_states.h"

enum {
    BANK_US = 30 * MS,
};

/* {"a": 1}, a complete message. */
static const uint8_t answer[] = {0x81, 0xa1, 'a', 0x01};

static struct ev_loop *loop;
static struct pace pace;

/* ---- states ---- */

/* Time passes, and the loop sees that nothing happened. */
static void pass(int64_t us)
{
    fake_now_us += us;
    noted_run();
}

static void start(void)
{
    const struct sandbox_command command = {.cpu = -1};

    cr_assert_eq(bot_start(&noted_bot, loop, &pace, &noted_transport, &command), 0);
}

static void be_setup(void)
{
    noted_setup = SANDBOX_SETUP_PENDING;
    start();
    pass(2 * MS);
}

static void be_idle(void)
{
    be_setup();
    noted_setup_ends(SANDBOX_SETUP_RUNNING);
    pass(2 * MS);
}

static void be_asked(void)
{
    be_idle();
    noted_bot.bank_us = BANK_US;
    noted_ask(10);
    pass(3 * MS);
}

static void be_asked_much(void)
{
    be_idle();
    noted_ask(WIRE_MESSAGE_BYTES_MAX);
    pass(3 * MS);
}

static void write_answer(size_t size)
{
    cr_assert_eq(write(noted_child->output_fd, answer, size), (ssize_t)size);
}

static void be_half_answered(void)
{
    be_asked();
    write_answer(2);
    pass(MS);
}

static void be_answered(void)
{
    be_asked();
    noted_child->cpu_us = 2 * MS;
    write_answer(sizeof answer);
    pass(MS);
}

static void be_closing(void)
{
    be_asked();
    noted_close(&noted_child->output_fd);
    pass(MS);
}

static void be_leaving(void)
{
    be_idle();
    noted_leave(10);
    pass(MS);
}

static void be_leaving_much(void)
{
    be_idle();
    noted_leave(WIRE_MESSAGE_BYTES_MAX);
    pass(MS);
}

static void be_killed(void)
{
    noted_lives_on = true;
    be_asked();
    bot_kill(&noted_bot);
    pass(MS);
}

static void be_gone(void)
{
    be_idle();
    fake_child_die(noted_child, SANDBOX_END_EXITED);
    pass(MS);
}

static void be_frozen(void)
{
    noted_bot.freeze = true;
    be_answered();
}

static const struct {
    const char *name;
    void (*be_fn)(void);
} states[] = {
    {"in set-up", be_setup},
    {"idle", be_idle},
    {"idle, has answered", be_answered},
    {"idle, stopped", be_frozen},
    {"asked", be_asked},
    {"asked, more than fits", be_asked_much},
    {"asked, half an answer", be_half_answered},
    {"closing", be_closing},
    {"leaving", be_leaving},
    {"leaving, told more than fits", be_leaving_much},
    {"killed, lives on", be_killed},
    {"gone", be_gone},
};

/* ---- what came of it ---- */

static void note_watches(void)
{
    const ev_io *const watches[] = {&noted_bot.input, &noted_bot.output, &noted_bot.errors,
                                    &noted_bot.setup, &noted_bot.notify, &noted_bot.death};

    for (size_t i = 0; i < sizeof watches / sizeof *watches; i++)
        if (ev_is_active(watches[i]))
            noted_add("%c", "ioesnd"[i]);
}

static void note_state(void)
{
    static const char *const names[] = {"none",    "set-up",  "idle",   "asked",
                                        "closing", "leaving", "killed", "gone"};
    const struct channel *channel = &noted_bot.channel;

    noted_add(" = %s ", names[noted_bot.state]);
    note_watches();
    if (noted_bot.alarm.deadline_us)
        noted_add(", due in %" PRId64, noted_bot.alarm.deadline_us - fake_now_us);
    noted_add(", allowed %" PRId64 ", cpu %" PRId64 ", waited %" PRId64 "%s%s",
              noted_bot.allowed_us, noted_bot.answered_cpu_us, noted_bot.charge.waited_us,
              channel_is_written(channel) ? "" : ", unwritten",
              noted_bot.at_fault ? ", at fault" : "");
}

static int count_descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void begin(void)
{
    fake_child_reset();
    noted_begin();
    loop = ev_loop_new(EVFLAG_AUTO);
    pace_start(&pace, loop);
    pace.now_fn = fake_child_now_us;
    pace.woke_us = pace.woke_before_us = fake_now_us;
}

/* Finishes the bot; nothing of it is left. */
static void end(void)
{
    noted_add(" |");
    bot_finish(&noted_bot);
    note_watches();
    cr_expect_eq(noted_bot.state, BOT_NONE, "%s", noted_line);
    cr_expect_null(noted_bot.alarm.owner, "%s", noted_line);
    bot_finish(&noted_bot);
    pace_stop(&pace, loop);
    ev_run(loop, 0);
    ev_loop_destroy(loop);
}

static void write_all(FILE *file)
{
    const int zero_fd = dup(STDIN_FILENO);

    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        fprintf(file, "\n%s:\n", states[i].name);
        for (const struct bot_event *event = bot_events; event->name; event++) {
            const int descriptor_count = count_descriptors();
            bool happened;

            begin();
            states[i].be_fn();
            fake_now_us += 2 * MS;
            *noted_line = '\0';
            happened = event->happens_fn();
            noted_run();
            note_state();
            end();
            if (happened)
                fprintf(file, "  %s:%s\n", event->name, noted_line);
            if (noted_zero >= 0)
                cr_assert_eq(fcntl(STDIN_FILENO, F_GETFD), -1, "%s: %s", states[i].name,
                             event->name);
            dup2(zero_fd, STDIN_FILENO);
            cr_assert_eq(count_descriptors(), descriptor_count, "%s: %s", states[i].name,
                         event->name);
        }
    }
    close(zero_fd);
}

/* All of it again, with each of its descriptors as number 0. */
static void expect_the_same(const char *text)
{
    for (noted_zero = 0; noted_zero < 4; noted_zero++) {
        char *again = NULL;
        size_t size;
        FILE *file = open_memstream(&again, &size);

        write_all(file);
        fclose(file);
        cr_expect(strcmp(again, text) == 0, "otherwise with descriptor 0, %d", noted_zero);
        free(again);
    }
}

Test(bot_states, and_events_are_one_golden_text, .timeout = 60)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    signal(SIGPIPE, SIG_IGN); /* as the arena does */
    write_all(file);
    fclose(file);
    golden_expect("play-bots.txt", text);
    expect_the_same(text);
    free(text);
}
