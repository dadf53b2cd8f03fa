/* SPDX-License-Identifier: MIT */
#include "arena/play/mailbox.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
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
