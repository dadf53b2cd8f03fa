/* SPDX-License-Identifier: MIT */
#include "arena/play/mailbox.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <semaphore.h>
#include <unistd.h>

static int slow_count;

static void hang(struct errand *errand)
{
    for (;;)
        pause();
}

static void done(struct errand *errand)
{
}

static void slow(void *owner)
{
    slow_count++;
}

/* As if processes that were killed hang in the kernel: the errand ends, whatever slow_fn does,
 * never. */
static void hang_in_mailbox(bool on_loop)
{
    const struct mailbox_options options = {.slow_fn = slow, .stuck_ms = 1500};
    struct ev_loop *loop = ev_loop_new(0);
    struct errand errand = {.run_fn = hang, .done_fn = done};
    struct mailbox *mailbox;

    cr_redirect_stderr();
    cr_assert_eq(mailbox_create(&mailbox, loop, &options), 0);
    mailbox_limit(mailbox, 0);
    mailbox_add(mailbox, &errand);
    if (on_loop)
        ev_run(loop, 0);
    mailbox_destroy(mailbox);
}

Test(mailbox, gives_up_an_errand_that_never_ends, .exit_code = 1, .timeout = 60)
{
    hang_in_mailbox(true);
}

Test(mailbox, gives_up_at_its_end_too, .exit_code = 1, .timeout = 60)
{
    hang_in_mailbox(false);
}

static sem_t is_added;
static struct errand *order[3];
static int run_count;

static void wait_for_others(struct errand *errand)
{
    sem_wait(&is_added);
}

static void note(struct errand *errand)
{
    order[run_count++] = errand;
}

/* Else who waits for an order to stop waits for everything that was asked before. */
Test(mailbox, urgent_errands_come_first, .timeout = 60)
{
    struct ev_loop *loop = ev_loop_new(0);
    struct errand first = {.run_fn = wait_for_others, .done_fn = done},
                  errands[3] = {{.run_fn = note, .done_fn = done},
                                {.run_fn = note, .done_fn = done},
                                {.run_fn = note, .done_fn = done, .is_urgent = true}};
    struct mailbox *mailbox;

    sem_init(&is_added, 0, 0);
    cr_assert_eq(mailbox_create(&mailbox, loop, NULL), 0);
    mailbox_add(mailbox, &first);
    for (int i = 0; i < 3; i++)
        mailbox_add(mailbox, &errands[i]);
    sem_post(&is_added);
    mailbox_destroy(mailbox);
    ev_loop_destroy(loop);
    cr_expect_eq(order[0], &errands[2]);
    cr_expect_eq(order[1], &errands[0]);
    cr_expect_eq(order[2], &errands[1]);
}
