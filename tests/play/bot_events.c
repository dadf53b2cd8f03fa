/* All that can happen to a bot. */
#include <errno.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/play/bot_states.h"

/* {"a": 1}, a complete message. */
static const uint8_t answer[] = {0x81, 0xa1, 'a', 0x01};

static bool is_due(void)
{
    if (noted_bot.alarm.deadline_us == 0)
        return false;
    fake_now_us = noted_bot.alarm.deadline_us;
    alarm_ring(&noted_bot.alarm, fake_now_us);
    return true;
}

static bool is_due_later(void)
{
    if (noted_bot.alarm.deadline_us == 0)
        return false;
    fake_now_us = noted_bot.alarm.deadline_us + 4 * MS;
    alarm_ring(&noted_bot.alarm, fake_now_us);
    return true;
}

static bool uses_the_processor(void)
{
    noted_child->cpu_us = 6 * LIMIT_US;
    return is_due();
}

static bool writes(const void *bytes, size_t size)
{
    return noted_child->output_fd >= 0 &&
           write(noted_child->output_fd, bytes, size) == (ssize_t)size;
}

static bool answers(void)
{
    noted_child->cpu_us += MS;
    return writes(answer, sizeof answer);
}

static bool answers_with_too_much_processor_time(void)
{
    noted_child->cpu_us = 6 * LIMIT_US;
    return writes(answer, sizeof answer);
}

static bool answers_and_dies(void)
{
    if (!answers())
        return false;
    fake_child_die(noted_child, SANDBOX_END_EXITED);
    return true;
}

static bool half_answers(void)
{
    return writes(answer, 2);
}

static bool answers_twice(void)
{
    return writes("\x81\xa1"
                  "a\x01\x81\xa1"
                  "a\x01",
                  8);
}

static bool prints(void)
{
    return writes("hello\n", 6);
}

static bool closes_output(void)
{
    return noted_close(&noted_child->output_fd);
}

static bool closes_input(void)
{
    return noted_close(&noted_child->input_fd);
}

static bool writes_errors(void)
{
    return noted_child->errors_fd >= 0 && write(noted_child->errors_fd, "words", 5) == 5;
}

static bool closes_errors(void)
{
    return noted_close(&noted_child->errors_fd);
}

static bool reads(void)
{
    static char bytes[WIRE_MESSAGE_BYTES_MAX];
    int waiting = 0;

    if (noted_child->input_fd < 0 || ioctl(noted_child->input_fd, FIONREAD, &waiting) < 0 ||
        waiting == 0)
        return false;
    return read(noted_child->input_fd, bytes, (size_t)waiting) == waiting;
}

static bool reads_all(void)
{
    if (!reads())
        return false;
    do
        noted_run();
    while (reads());
    return true;
}

static bool calls_the_arena(void)
{
    if (noted_child->ended || noted_bot.state == BOT_SETUP)
        return false;
    eventfd_write(noted_bot.child.notify_fd, 1);
    return true;
}

static bool closes_calls(void)
{
    if (noted_child->ended || noted_bot.state == BOT_SETUP)
        return false;
    eventfd_write(noted_bot.child.notify_fd, 2);
    return true;
}

static bool die(enum sandbox_end end)
{
    if (noted_child->ended)
        return false;
    noted_child->cpu_us += MS;
    fake_child_die(noted_child, end);
    return true;
}

static bool exits(void)
{
    return die(SANDBOX_END_EXITED);
}

static bool crashes(void)
{
    return die(SANDBOX_END_SIGNALED);
}

static bool is_forbidden(void)
{
    return die(SANDBOX_END_FORBIDDEN);
}

static bool is_out_of_memory(void)
{
    return die(SANDBOX_END_MEMORY);
}

static bool loses_its_keeper(void)
{
    return die(SANDBOX_END_KEEPER);
}

static bool dies_over_its_processor_time(void)
{
    noted_child->cpu_us = 6 * LIMIT_US;
    return die(SANDBOX_END_EXITED);
}

static bool ends_setup(enum sandbox_setup result)
{
    if (noted_bot.state != BOT_SETUP)
        return false;
    noted_setup_ends(result);
    return true;
}

static bool runs(void)
{
    return ends_setup(SANDBOX_SETUP_RUNNING);
}

static bool is_refused(void)
{
    return ends_setup(SANDBOX_SETUP_REFUSED);
}

static bool is_not_confined(void)
{
    return ends_setup(SANDBOX_SETUP_FAILED);
}

static bool may_be_asked(void)
{
    return noted_bot.state == BOT_IDLE || noted_bot.state == BOT_GONE;
}

static bool is_asked(void)
{
    if (may_be_asked())
        noted_ask(10);
    return noted_line[0] || noted_bot.state == BOT_ASKED;
}

static bool is_asked_after_writing(void)
{
    if (!may_be_asked() || !half_answers())
        return false;
    noted_ask(10);
    return true;
}

static bool is_asked_after_closing_output(void)
{
    if (!may_be_asked() || !closes_output())
        return false;
    noted_ask(10);
    return true;
}

static bool is_asked_after_closing_input(void)
{
    if (!may_be_asked() || !closes_input())
        return false;
    noted_ask(10);
    return true;
}

static bool is_asked_after_exiting(void)
{
    if (!may_be_asked() || !exits())
        return false;
    noted_ask(10);
    return true;
}

static bool is_told_after_exiting(void)
{
    if (noted_bot.state != BOT_IDLE || !exits())
        return false;
    bot_tell(&noted_bot, 10);
    return true;
}

static bool is_left_after_exiting(void)
{
    if (!may_be_asked() || !exits())
        return false;
    noted_leave(10);
    return true;
}

static bool is_asked_but(int freeze_result)
{
    if (!may_be_asked() || !noted_bot.freeze)
        return false;
    noted_child->freeze_result = freeze_result;
    noted_ask(10);
    return true;
}

static bool is_asked_and_ran(void)
{
    return is_asked_but(-EBUSY);
}

static bool is_asked_and_dead(void)
{
    return is_asked_but(-ESRCH);
}

static bool is_asked_and_not_resumed(void)
{
    return is_asked_but(-EIO);
}

static bool is_told(void)
{
    if (noted_bot.state != BOT_IDLE)
        return false;
    bot_tell(&noted_bot, 10);
    return true;
}

static bool is_told_much(void)
{
    if (noted_bot.state != BOT_IDLE)
        return false;
    bot_tell(&noted_bot, WIRE_MESSAGE_BYTES_MAX);
    return true;
}

static bool is_left(void)
{
    if (!may_be_asked())
        return false;
    noted_leave(10);
    return true;
}

static bool is_left_without_a_reader(void)
{
    if (!may_be_asked() || !closes_input())
        return false;
    noted_leave(10);
    return true;
}

static bool is_at_fault(void)
{
    if (!may_be_asked())
        return false;
    bot_fail(&noted_bot, WIRE_ILLEGAL, "no such tile");
    return true;
}

static bool is_killed(void)
{
    bot_kill(&noted_bot);
    return true;
}

static bool is_killed_in_vain(void)
{
    noted_lives_on = true;
    bot_kill(&noted_bot);
    return true;
}

static bool is_watched(void)
{
    bot_watch(&noted_bot);
    return true;
}

const struct bot_event bot_events[] = {
    {"runs", runs},
    {"cannot be executed", is_refused},
    {"cannot be confined", is_not_confined},
    {"is asked", is_asked},
    {"is asked after it wrote", is_asked_after_writing},
    {"is asked after it closed its output", is_asked_after_closing_output},
    {"is asked after it closed its input", is_asked_after_closing_input},
    {"is asked after it exited", is_asked_after_exiting},
    {"is told after it exited", is_told_after_exiting},
    {"is sent away after it exited", is_left_after_exiting},
    {"is asked, but ran on", is_asked_and_ran},
    {"is asked, but is dead", is_asked_and_dead},
    {"is asked, but cannot be resumed", is_asked_and_not_resumed},
    {"answers", answers},
    {"answers half", half_answers},
    {"answers twice", answers_twice},
    {"answers with too much processor time", answers_with_too_much_processor_time},
    {"answers and exits", answers_and_dies},
    {"prints", prints},
    {"reads some", reads},
    {"reads all", reads_all},
    {"closes its output", closes_output},
    {"closes its input", closes_input},
    {"closes standard error", closes_errors},
    {"writes to standard error", writes_errors},
    {"makes a call for the arena", calls_the_arena},
    {"makes its last such call", closes_calls},
    {"exits", exits},
    {"crashes", crashes},
    {"makes a forbidden call", is_forbidden},
    {"runs out of memory", is_out_of_memory},
    {"loses its keeper", loses_its_keeper},
    {"exits after too much processor time", dies_over_its_processor_time},
    {"is late", is_due},
    {"is late, seen later", is_due_later},
    {"is late and used too much processor time", uses_the_processor},
    {"is told", is_told},
    {"is told more than fits", is_told_much},
    {"is sent away", is_left},
    {"is sent away, but does not read", is_left_without_a_reader},
    {"is declared at fault", is_at_fault},
    {"is killed", is_killed},
    {"is killed in vain", is_killed_in_vain},
    {"is watched", is_watched},
    {NULL, NULL},
};
