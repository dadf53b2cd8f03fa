/* SPDX-License-Identifier: MIT */
/* What the record of a game proves about the time that a bot had. */
#include <criterion/criterion.h>

#include "arena/report/explain.h"

#define MS *INT64_C(1000)

static const struct {
    const char *rule;
    struct explain_seat seat;
    enum explain_verdict verdict;
} rows[] = {
    {"it played, and had a processor",
     {WIRE_PLAYED, .us = 900 MS, .cpu_us = 850 MS, .waited_us = 20 MS},
     EXPLAIN_HAD_TIME},
    {"it played and slept: its own choice",
     {WIRE_PLAYED, .us = 900 MS, .cpu_us = 10 MS, .waited_us = 20 MS},
     EXPLAIN_HAD_TIME},
    {"it played, but waited for half of the time",
     {WIRE_PLAYED, .us = 900 MS, .cpu_us = 450 MS, .waited_us = 450 MS, .used_percent = 80},
     EXPLAIN_SLOWED},
    {"it played, waited and was not charged for that",
     {WIRE_PLAYED, .us = 100 MS, .cpu_us = 100 MS, .waited_us = 450 MS, .used_percent = 50},
     EXPLAIN_SLOWED},
    {"it played and waited, but no decision came near its limit",
     {WIRE_PLAYED, .us = 38 MS, .cpu_us = 10 MS, .waited_us = 20 MS, .used_percent = 49},
     EXPLAIN_UNHURRIED},
    {"it played and waited, and nobody knows how near its limit",
     {WIRE_PLAYED, .us = 38 MS, .cpu_us = 10 MS, .waited_us = 20 MS, .used_percent = -1},
     EXPLAIN_SLOWED},
    {"nobody knows how long it waited, but it computed all the time",
     {WIRE_PLAYED, .us = 900 MS, .cpu_us = 890 MS, .waited_us = -1},
     EXPLAIN_HAD_TIME},
    {"nobody knows how long it waited, or slept",
     {WIRE_PLAYED, .us = 900 MS, .cpu_us = 100 MS, .waited_us = -1},
     EXPLAIN_STAYED},
    {"nobody knows anything",
     {WIRE_PLAYED, .us = 900 MS, .cpu_us = -1, .waited_us = -1},
     EXPLAIN_STAYED},
    {"it computed up to the deadline",
     {WIRE_TIMEOUT, true, .limit_us = 100 MS, .late_cpu_us = 99 MS, .late_wall_us = 100 MS,
      .waited_us = 1 MS},
     EXPLAIN_COMPUTED},
    {"it computed up to the deadline, and waiting is unknown",
     {WIRE_TIMEOUT, true, .limit_us = 100 MS, .late_cpu_us = 95 MS, .late_wall_us = 100 MS,
      .waited_us = -1},
     EXPLAIN_COMPUTED},
    {"it slept",
     {WIRE_TIMEOUT, true, .limit_us = 100 MS, .late_cpu_us = 2 MS, .late_wall_us = 100 MS,
      .waited_us = 3 MS},
     EXPLAIN_SLEPT},
    {"it was not ready, and did not compute: nobody knows whether it slept",
     {WIRE_START, true, .limit_us = 5000 MS, .late_cpu_us = 4 MS, .late_wall_us = 5000 MS,
      .waited_us = 0},
     EXPLAIN_BEGAN_LATE},
    {"it was not ready, and computed",
     {WIRE_START, true, .limit_us = 5000 MS, .late_cpu_us = 4900 MS, .late_wall_us = 5000 MS,
      .waited_us = 0},
     EXPLAIN_COMPUTED},
    {"it waited for half of its time",
     {WIRE_TIMEOUT, true, .limit_us = 100 MS, .late_cpu_us = 45 MS, .late_wall_us = 101 MS,
      .waited_us = 50 MS},
     EXPLAIN_STARVED},
    {"it waited, but the arena gave it the time back, in which it slept",
     {WIRE_TIMEOUT, true, .limit_us = 100 MS, .late_cpu_us = 5 MS, .late_wall_us = 900 MS,
      .waited_us = 800 MS},
     EXPLAIN_SLEPT},
    {"it waited, but the arena gave it the time back, in which it computed",
     {WIRE_TIMEOUT, true, .limit_us = 100 MS, .late_cpu_us = 80 MS, .late_wall_us = 900 MS,
      .waited_us = 800 MS},
     EXPLAIN_COMPUTED},
    {"it was late, and nobody knows what it did",
     {WIRE_TIMEOUT, true, .limit_us = 100 MS, .late_cpu_us = 40 MS, .late_wall_us = 100 MS,
      .waited_us = -1},
     EXPLAIN_LATE},
    {"its start was late",
     {WIRE_START, true, .limit_us = 100 MS, .late_cpu_us = -1, .late_wall_us = 100 MS,
      .waited_us = -1},
     EXPLAIN_LATE},
    {"it crashed", {WIRE_CRASH, .us = 900 MS, .cpu_us = 1 MS, .waited_us = 800 MS}, EXPLAIN_OWN},
    {"it did not start", {WIRE_START, .waited_us = -1}, EXPLAIN_OWN},
};

Test(explain, verdicts)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(explain_judge(&rows[i].seat), rows[i].verdict, "%s: %d", rows[i].rule,
                     (int)explain_judge(&rows[i].seat));
}
