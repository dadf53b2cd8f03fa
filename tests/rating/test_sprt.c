/* SPDX-License-Identifier: MIT */
/* The sequential test in extreme cases; its error rates are simulated elsewhere. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>

#include "arena/rating/sprt.h"

static const struct {
    double elo0, elo1, alpha, beta;
    int result;
} terms_cases[] = {
    {0, 10, 0.05, 0.05, 0},
    {-5, 5, 0.01, 0.2, 0},
    {10, 10, 0.05, 0.05, -EINVAL},
    {10, 0, 0.05, 0.05, -EINVAL},
    {0, 10, 0, 0.05, -EINVAL},
    {0, 10, 0.05, 0, -EINVAL},
    {0, 10, 0.5, 0.5, -EINVAL},
    {0, SPRT_ELO_MAX + 1, 0.05, 0.05, -EINVAL},
    {-SPRT_ELO_MAX - 1, 0, 0.05, 0.05, -EINVAL},
    {NAN, 10, 0.05, 0.05, -EINVAL},
    {0, 10, NAN, 0.05, -EINVAL},
    {0, INFINITY, 0.05, 0.05, -EINVAL},
};

Test(sprt, terms_that_make_no_test_are_refused)
{
    for (size_t i = 0; i < sizeof terms_cases / sizeof *terms_cases; i++) {
        struct sprt sprt;

        cr_expect_eq(sprt_init(&sprt, terms_cases[i].elo0, terms_cases[i].elo1,
                               terms_cases[i].alpha, terms_cases[i].beta),
                     terms_cases[i].result, "case %zu", i);
    }
}

Test(sprt, bounds_are_walds)
{
    struct sprt sprt;

    cr_assert_eq(sprt_init(&sprt, 0, 10, 0.05, 0.1), 0);
    cr_expect_float_eq(sprt.lower, log(0.1 / 0.95), 1e-12);
    cr_expect_float_eq(sprt.upper, log(0.9 / 0.05), 1e-12);
}

static const struct {
    double elo1;
    int64_t counts[SPRT_CELLS];
    enum sprt_verdict verdict;
} verdict_cases[] = {
    {10, {0, 0, 0, 0, 0}, SPRT_OPEN},
    {200, {0, 0, 0, 0, 49}, SPRT_OPEN}, /* however clear: not before 50 groups */
    {200, {0, 0, 0, 0, 50}, SPRT_ACCEPTED},
    {200, {49, 0, 0, 0, 0}, SPRT_OPEN},
    {200, {50, 0, 0, 0, 0}, SPRT_REJECTED},
    {200, {0, 0, 50, 0, 0}, SPRT_REJECTED}, /* never any luck: no better for sure */
    {10, {100, 400, 900, 500, 120}, SPRT_ACCEPTED},
    {10, {10, 40, 100, 40, 10}, SPRT_OPEN},
    {10, {0, 0, 0, 0, 1000000000}, SPRT_ACCEPTED},
    {10, {1000000000, 0, 0, 0, 0}, SPRT_REJECTED},
    {10, {0, 0, 1000000000, 0, 0}, SPRT_REJECTED},
};

Test(sprt, verdicts_and_finite_numbers)
{
    for (size_t i = 0; i < sizeof verdict_cases / sizeof *verdict_cases; i++) {
        struct sprt sprt;

        cr_assert_eq(sprt_init(&sprt, 0, verdict_cases[i].elo1, 0.05, 0.05), 0);
        for (int cell = 0; cell < SPRT_CELLS; cell++)
            sprt.counts[cell] = verdict_cases[i].counts[cell];
        struct sprt_state state = sprt_evaluate(&sprt);
        cr_expect_eq(state.verdict, verdict_cases[i].verdict, "case %zu: llr %f", i, state.llr);
        cr_expect(isfinite(state.llr) && isfinite(state.elo), "case %zu", i);
        cr_expect(isfinite(state.elo_low) && isfinite(state.elo_high), "case %zu", i);
        cr_expect(state.elo_low <= state.elo && state.elo <= state.elo_high, "case %zu", i);
    }
}

Test(sprt, swapping_the_bots_swaps_the_sign)
{
    struct sprt sprt;
    struct sprt swapped;

    cr_assert_eq(sprt_init(&sprt, -5, 5, 0.05, 0.05), 0);
    cr_assert_eq(sprt_init(&swapped, -5, 5, 0.05, 0.05), 0);
    for (int cell = 0; cell < SPRT_CELLS; cell++)
        for (int times = 0; times < 10 + 7 * cell; times++) {
            sprt_add(&sprt, cell);
            sprt_add(&swapped, SPRT_CELLS - 1 - cell);
        }
    struct sprt_state state = sprt_evaluate(&sprt);
    struct sprt_state other = sprt_evaluate(&swapped);
    cr_expect_float_eq(state.llr, -other.llr, 1e-9);
    cr_expect_float_eq(state.elo, -other.elo, 1e-9);
    cr_expect_float_eq(state.elo_low, -other.elo_high, 1e-9);
}

Test(sprt, groups_all_alike_leave_doubt)
{
    static const struct {
        int64_t counts[SPRT_CELLS];
        double elo_low, elo_high;
    } rows[] = {
        {{0, 0, 0, 0, 50}, 478, 1044}, /* 3 in 50 may still be lost: a score of 0.94 */
        {{0, 0, 50, 0, 0}, -21, 21},
        {{0, 0, 0, 0, 0}, -338, 338},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sprt sprt;

        cr_assert_eq(sprt_init(&sprt, 0, 10, 0.05, 0.05), 0);
        for (int cell = 0; cell < SPRT_CELLS; cell++)
            sprt.counts[cell] = rows[i].counts[cell];
        struct sprt_state state = sprt_evaluate(&sprt);
        cr_expect_float_eq(state.elo_low, rows[i].elo_low, 5, "row %zu: %f", i, state.elo_low);
        cr_expect_float_eq(state.elo_high, rows[i].elo_high, 5, "row %zu: %f", i, state.elo_high);
        cr_expect_lt(state.elo_low, state.elo - 10, "row %zu", i);
    }
}
