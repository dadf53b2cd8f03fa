/* What bots are charged, with numbers only: no process, no clock, no loop. */
#include "arena/play/pace.h"

#include <criterion/criterion.h>

enum {
    MS = 1000,
};

/* The loop polls until before_us, is then busy or asleep, and its next poll ends at woke_us. */
struct course {
    const char *rule;
    int64_t asked_us, looked_us; /* looked: 0 for no look */
    int64_t before_us, woke_us;  /* the ends of the last two polls */
    bool slept;                  /* the last poll */
    int64_t queued_us;           /* then, after its wake-up, without a processor */
    enum charge_seen seen;
    int64_t now_us; /* when the reply is taken */
    int64_t used_us, delay_us;
};

static const struct course courses[] = {
    {"woken by the answer: up to the wake-up", 100 * MS, 0, 101 * MS, 105 * MS, true, 0,
     CHARGE_POLLED, 106 * MS, 5 * MS, 1 * MS},
    {"held for 300 ms, the answer is there at the next poll: up to the poll before", 100 * MS, 0,
     102 * MS, 402 * MS, false, 0, CHARGE_POLLED, 402 * MS, 2 * MS, 300 * MS},
    {"held before the first poll: nothing", 100 * MS, 0, 90 * MS, 400 * MS, false, 0, CHARGE_POLLED,
     400 * MS, 0, 300 * MS},
    {"found by a look before any poll: nothing", 100 * MS, 0, 80 * MS, 90 * MS, true, 0,
     CHARGE_POLLED, 101 * MS, 0, 1 * MS},
    {"a look without an answer counts as a poll does", 100 * MS, 110 * MS, 102 * MS, 402 * MS,
     false, 0, CHARGE_POLLED, 402 * MS, 10 * MS, 292 * MS},
    {"a look before the poll changes nothing", 100 * MS, 101 * MS, 104 * MS, 405 * MS, false, 0,
     CHARGE_POLLED, 405 * MS, 4 * MS, 301 * MS},
    {"the last look at the deadline: the poll had not brought it", 100 * MS, 0, 102 * MS, 150 * MS,
     false, 0, CHARGE_READ, 151 * MS, 50 * MS, 1 * MS},
    {"woken, then held before the answer is taken", 100 * MS, 0, 100 * MS, 105 * MS, true, 0,
     CHARGE_POLLED, 405 * MS, 5 * MS, 300 * MS},
    {"woken, then without a processor for 4 ms: up to the wake-up", 100 * MS, 0, 101 * MS, 109 * MS,
     true, 4 * MS, CHARGE_POLLED, 110 * MS, 5 * MS, 5 * MS},
};

Test(charge, a_bot_pays_for_no_time_in_which_nobody_looked)
{
    for (size_t i = 0; i < sizeof courses / sizeof *courses; i++) {
        const struct course *row = &courses[i];
        struct pace pace = {.woke_us = row->woke_us,
                            .quiet_us =
                                row->slept ? row->woke_us - row->queued_us : row->before_us};
        struct charge charge;

        charge_begin(&charge, row->asked_us);
        if (row->looked_us)
            charge_look(&charge, row->looked_us);
        charge_settle(&charge, &pace, row->seen, row->now_us);
        cr_expect_eq(charge.used_us, row->used_us, "%s: used %lld", row->rule,
                     (long long)charge.used_us);
        cr_expect_eq(charge.delay_us, row->delay_us, "%s: delay %lld", row->rule,
                     (long long)charge.delay_us);
        cr_expect_eq(charge.used_us + charge.delay_us, row->now_us - row->asked_us,
                     "%s: used and delay are all there was", row->rule);
    }
}

/* Two busy turns of the loop after 100 ms of thought, a wait in each: 4 ms, of which 3 had passed.
 */
Test(charge, the_same_time_is_excused_once)
{
    struct pace pace = {.quiet_us = 200 * MS, .woke_us = 204 * MS};
    struct charge charge;

    charge_begin(&charge, 100 * MS);
    charge_wait(&charge, &pace, 207 * MS);
    cr_expect_eq(charge.waited_us, 7 * MS);
    pace = (struct pace){.quiet_us = 204 * MS, .woke_us = 208 * MS};
    charge_wait(&charge, &pace, 211 * MS);
    cr_expect_eq(charge.waited_us, 11 * MS, "%lld", (long long)charge.waited_us);
    pace = (struct pace){.quiet_us = 212 * MS, .woke_us = 212 * MS};
    charge_settle(&charge, &pace, CHARGE_POLLED, 213 * MS);
    cr_expect_eq(charge.used_us, 101 * MS, "%lld", (long long)charge.used_us);
    cr_expect_eq(charge.delay_us, 12 * MS);
}

Test(charge, the_delay_of_a_late_bot_is_what_the_arena_took_to_see_it)
{
    struct charge charge;

    charge_begin(&charge, 100 * MS);
    charge_settle_late(&charge, 50 * MS, 153 * MS);
    cr_expect_eq(charge.used_us, 53 * MS);
    cr_expect_eq(charge.delay_us, 3 * MS);
}
