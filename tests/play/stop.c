/* SPDX-License-Identifier: MIT */
/* Signals that ask the arena to stop: which are held and seen. */
#include "arena/play/foreground.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <stdint.h>
#include <unistd.h>

/* The signals that are blocked now, as a mask: bit 0 is signal 1. */
static uint64_t blocked(void)
{
    uint64_t mask = 0;
    sigset_t set;

    cr_assert_eq(sigprocmask(SIG_BLOCK, NULL, &set), 0);
    for (int number = 1; number <= 31; number++)
        mask |= (uint64_t)(sigismember(&set, number) == 1) << (number - 1);
    return mask;
}

static uint64_t bit(int number)
{
    return (uint64_t)1 << (number - 1);
}

/* ignored: a signal, or 0. */
static void begin(int ignored)
{
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGINT, ignored == SIGINT ? SIG_IGN : SIG_DFL);
    signal(SIGTERM, ignored == SIGTERM ? SIG_IGN : SIG_DFL);
}

Test(stop, two_signals_are_held_and_no_others)
{
    struct pollfd wait = {.events = POLLIN};

    begin(0);
    stop_hold();
    cr_expect_eq(blocked(), bit(SIGINT) | bit(SIGTERM));
    cr_expect_not(stop_is_asked());
    wait.fd = stop_open();
    cr_assert_geq(wait.fd, 0);
    cr_expect_eq(poll(&wait, 1, 0), 0);
    raise(SIGTERM);
    cr_expect(stop_is_asked());
    cr_expect_eq(poll(&wait, 1, 0), 1);
    cr_expect(stop_is_asked(), "it stays asked");
    close(wait.fd);
}

Test(stop, each_is_enough)
{
    begin(0);
    stop_hold();
    raise(SIGINT);
    cr_expect(stop_is_asked());
}

/* As after nohup, or of a job in the background. */
Test(stop, one_that_is_ignored_stays_so)
{
    begin(SIGINT);
    stop_hold();
    cr_expect_eq(blocked(), bit(SIGTERM));
    raise(SIGINT);
    cr_expect_not(stop_is_asked());
    begin(SIGTERM);
    stop_hold();
    cr_expect_eq(blocked(), bit(SIGINT));
    raise(SIGTERM);
    cr_expect_not(stop_is_asked());
}
