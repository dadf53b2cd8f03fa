/* Errands that take too long, by a clock that the test sets. */
#include "arena/play/mailbox.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdint.h>

enum {
    BEGUN_US = 1000000000,
    SLOW_MS = 5000,
    LOST_MS = 3000,
};

static int64_t clock_us; /* the monotonic clock of play; 0: the real one */
static int told_count, lost_count, run_count, done_count, idle_count;

/* The names that the linker gives to what stands in for a function of the program. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
int64_t __real_alarm_now_us(void);
int64_t __wrap_alarm_now_us(void);

int64_t __wrap_alarm_now_us(void)
{
    return clock_us ? clock_us : __real_alarm_now_us();
}
/* NOLINTEND(bugprone-reserved-identifier) */

static pthread_mutex_t until = PTHREAD_MUTEX_INITIALIZER;

static void run(struct errand *errand)
{
    __atomic_add_fetch(&run_count, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&until);
    pthread_mutex_unlock(&until);
}

static void done(struct errand *errand)
{
    done_count++;
}

static void idle(void *owner)
{
    cr_expect_eq(owner, &until);
    idle_count++;
}

static void tell_slow(void *owner, bool lost)
{
    cr_expect_eq(owner, &until);
    told_count++;
    lost_count += lost;
}

static const struct mailbox_options options = {
    .owner = &until, .idle_fn = idle, .slow_fn = tell_slow};

/* Lets the watch look once, a second later at the latest. */
static void look(struct ev_loop *loop, int64_t at_us)
{
    clock_us = at_us;
    ev_run(loop, EVRUN_ONCE);
}

TestSuite(errands, .timeout = 120);

Test(errands, one_that_takes_too_long_is_told_and_then_given_up)
{
    static struct errand first = {.run_fn = run, .done_fn = done};
    static struct errand second = {.run_fn = run, .done_fn = done};
    const int64_t slow_us = BEGUN_US + (int64_t)SLOW_MS * 1000;
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    struct mailbox *errands;

    clock_us = BEGUN_US;
    cr_assert_eq(mailbox_create(&errands, loop, &options), 0);
    mailbox_limit(errands, 2 * SLOW_MS, LOST_MS);
    mailbox_limit(errands, SLOW_MS, LOST_MS);
    cr_expect_not(mailbox_is_busy(errands));
    pthread_mutex_lock(&until);
    mailbox_add(errands, &first);
    mailbox_add(errands, &second);
    cr_expect(mailbox_is_busy(errands));
    while (__atomic_load_n(&run_count, __ATOMIC_SEQ_CST) == 0)
        ;
    look(loop, slow_us - 1);
    cr_expect_eq(told_count, 0);
    look(loop, slow_us);
    cr_expect_eq(told_count, 1);
    look(loop, slow_us + (int64_t)LOST_MS * 1000 - 1);
    cr_expect_eq(told_count, 2);
    cr_expect_eq(lost_count, 0);
    cr_expect(mailbox_is_busy(errands));
    look(loop, slow_us + (int64_t)LOST_MS * 1000);
    cr_expect_eq(told_count, 3);
    cr_expect_eq(lost_count, 1);
    cr_expect_not(mailbox_is_busy(errands));
    mailbox_add(errands, &first);
    cr_expect_not(mailbox_is_busy(errands), "nobody would run it");
    ev_run(loop, EVRUN_NOWAIT);
    cr_expect_eq(done_count, 0);
    mailbox_destroy(errands);
    pthread_mutex_unlock(&until);
    ev_loop_destroy(loop);
    cr_expect_eq(run_count, 1);
}

/* Time while nothing is done does not count, nor what an earlier one took. */
Test(errands, each_has_its_own_time)
{
    static struct errand errand = {.run_fn = run, .done_fn = done};
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    struct mailbox *errands;

    clock_us = BEGUN_US;
    cr_assert_eq(mailbox_create(&errands, loop, &options), 0);
    mailbox_limit(errands, SLOW_MS, LOST_MS);
    for (int i = 1; i <= 2; i++) {
        mailbox_add(errands, &errand);
        while (mailbox_is_busy(errands))
            ev_run(loop, EVRUN_ONCE);
        cr_expect_eq(idle_count, i);
        cr_expect_eq(done_count, i);
        clock_us += 3 * (int64_t)SLOW_MS * 1000;
    }
    cr_expect_eq(told_count, 0);
    mailbox_destroy(errands);
    ev_run(loop, 0); /* nothing is left on it */
    ev_loop_destroy(loop);
}
