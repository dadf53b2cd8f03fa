/* SPDX-License-Identifier: MIT */
/* The rule for repeated looks, compared with the mixture summed up numerically. */
#include <criterion/criterion.h>
#include <math.h>

#include "arena/rating/fit.h"

/* Returns the likelihood of all differences from -400 to 400 Elo relative to no difference. */
static double mixture(double difference, double se)
{
    double sum = 0;

    for (int i = -4000; i <= 4000; i++) {
        double true_difference = i / 10.0;
        double off = difference - true_difference;

        sum += 0.1 * exp(-true_difference * true_difference / (2 * 50.0 * 50.0)) /
               sqrt(2 * 3.14159265358979 * 50 * 50) *
               exp((difference * difference - off * off) / (2 * se * se));
    }
    return log(sum);
}

static const struct {
    const char *rule;
    double difference, se;
    bool decided;
} cases[] = {
    {"equal ratings are evidence of equality", 0, 50, false},
    {"2 standard errors, once at 97.7 %", 100, 50, false},
    {"3 standard errors of a fair size", 60, 20, false},
    {"3.25 are enough there", 65, 20, true},
    {"the order of the two does not matter", -65, 20, true},
    {"a small difference takes more of them", 12, 4, false},
    {"4 are enough there", 12, 3, true},
    {"a large error decides nothing", 300, 200, false},
};

Test(decided, evidence_is_that_of_the_mixture)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_expect_float_eq(decided_evidence(cases[i].difference, cases[i].se),
                           mixture(cases[i].difference, cases[i].se), 1e-3, "%s", cases[i].rule);
        cr_expect_eq(decided_pair(cases[i].difference, cases[i].se), cases[i].decided, "%s",
                     cases[i].rule);
    }
}

Test(decided, bound_is_odds_of_20_to_1)
{
    cr_expect_float_eq(DECIDED_EVIDENCE, log(20), 1e-15);
    cr_expect(decided_pair(1, 0));
    cr_expect_not(decided_pair(0, 0));
}
