/* The sandbox as what carries messages: each of its functions is at its place. */
#include "arena/play/bot.h"

#include <criterion/criterion.h>

Test(transport, of_the_sandbox)
{
    int sandbox;
    const struct transport transport = transport_of_sandbox((struct sandbox *)&sandbox);

    cr_expect_eq(transport.context, &sandbox);
    cr_expect(transport.blocks);
    cr_expect(transport.watches);
    cr_expect_null(transport.errands);
    cr_expect(transport.spawn_fn);
    cr_expect(transport.abort_fn);
    cr_expect_eq(transport.setup_fn, sandbox_child_setup);
    cr_expect_eq(transport.notified_fn, sandbox_child_notified);
    cr_expect_eq(transport.cpu_us_fn, sandbox_child_cpu_us);
    cr_expect_eq(transport.watch_fn, sandbox_child_watch);
    cr_expect_eq(transport.freeze_fn, sandbox_child_freeze);
    cr_expect_eq(transport.kill_fn, sandbox_child_kill);
    cr_expect_eq(transport.reap_fn, sandbox_child_reap);
    cr_expect_eq(transport.finish_fn, sandbox_child_finish);
}
