/* SPDX-License-Identifier: MIT */
/* What bots are charged, with numbers only: no process, no clock, no loop. */
#include "arena/play/pace.h"

#include <criterion/criterion.h>

#include "arena/play/watch.h"

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
    {"no poll would have brought it: up to the look before", 100 * MS, 0, 101 * MS, 105 * MS, true,
     0, CHARGE_LOOKED, 106 * MS, 5 * MS - WATCH_LOOK_US, 1 * MS + WATCH_LOOK_US},
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

static const struct {
    const char *rule;
    struct late late; /* limit, wall, processor time, waits */
    enum late_cause cause;
    int64_t left_us;
} lates[] = {
    {"it computed for all of its limit", {1000, 1000, 1000, 0}, LATE_ENDLESS, 0},
    {"and waited besides", {1000, 5000, 1000, 4000}, LATE_ENDLESS, 0},
    {"its threads computed side by side", {1000, 1000, 1900, 0}, LATE_ENDLESS, 0},
    {"it computed for most of its limit", {1000, 1000, 700, 0}, LATE_COMPUTED, 0},
    {"it slept", {1000, 1000, 100, 0}, LATE_SLEPT, 0},
    {"it slept and waited, and had its limit", {1000, 3000, 100, 2000}, LATE_SLEPT, 0},
    {"it had a tenth of its limit", {100000, 100000, 10000, 90000}, LATE_STARVED, 90000},
    {"it slept for a tenth, and waited then", {100000, 100000, 0, 90000}, LATE_STARVED, 90000},
    {"it lacks less than a look is worth", {100000, 100000, 99990, 10}, LATE_STARVED, 1000},
    {"the machine has had its time, too",
     {1000, 1000 * PACE_PATIENCE + PACE_PATIENCE_MS * 1000, 500, 10049500},
     LATE_STARVED,
     0},
    {"how long it waited is not known", {1000, 1000, 100, -1}, LATE_SLEPT, 0},
    {"nothing is known", {1000, 1000, -1, -1}, LATE_UNKNOWN, 0},
};

Test(charge, a_missed_deadline_is_the_machines_fault_only_if_the_bot_lacked_its_limit)
{
    for (size_t i = 0; i < sizeof lates / sizeof *lates; i++) {
        cr_expect_eq(late_judge(&lates[i].late), lates[i].cause, "%s: %d", lates[i].rule,
                     (int)late_judge(&lates[i].late));
        cr_expect_eq(late_left_us(&lates[i].late), lates[i].left_us, "%s: %lld", lates[i].rule,
                     (long long)late_left_us(&lates[i].late));
    }
}

static const struct {
    const char *rule;
    int64_t used_us, queued_us; /* of a turn of 100 ms and a bank of 900 ms */
    int64_t charged_us;
} excuses[] = {
    {"no wait", 500, 0, 500},
    {"waits are not known", 500, -1, 500},
    {"a wait leaves the bank as it was", 500, 450, 100},
    {"a wait is taken off the bank", 500, 200, 300},
    {"never more than it was allowed", 5000, 3000, 1000},
};

Test(charge, waits_for_a_processor_cost_no_bank)
{
    for (size_t i = 0; i < sizeof excuses / sizeof *excuses; i++) {
        struct charge charge = {.used_us = excuses[i].used_us, .delay_us = 7};

        charge_excuse(&charge, excuses[i].queued_us, 100, 1000);
        cr_expect_eq(charge.used_us, excuses[i].charged_us, "%s: %lld", excuses[i].rule,
                     (long long)charge.used_us);
        cr_expect_eq(charge.used_us + charge.delay_us, excuses[i].used_us + 7,
                     "%s: used and delay are all there was", excuses[i].rule);
    }
}
