/* SPDX-License-Identifier: MIT */
#include "arena/rating/sprt.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "arena/rating/elo.h"

/* A result that no group had counts as this many groups, so that no share is 0. */
static const double empty_cell = 1e-3;
static const double error95 = 1.959963984540054;

/* The observed shares of the five possible results of a group (cells). */
struct sample {
    double parts[SPRT_CELLS]; /* share of each cell; the shares sum to 1, and none is 0 */
    double size;              /* number of groups, with empty_cell for each empty cell */
    double mean, variance;
};

int sprt_init(struct sprt *sprt, double elo0, double elo1, double alpha, double beta)
{
    memset(sprt, 0, sizeof *sprt);
    /* Negated, so that the test also refuses NaN. */
    if (!(elo0 < elo1 && elo0 >= -SPRT_ELO_MAX && elo1 <= SPRT_ELO_MAX && alpha > 0 && beta > 0 &&
          alpha + beta < 1))
        return -EINVAL;
    sprt->elo0 = elo0;
    sprt->elo1 = elo1;
    sprt->lower = log(beta) - log1p(-alpha);
    sprt->upper = log1p(-beta) - log(alpha);
    return 0;
}

void sprt_add(struct sprt *sprt, int halves)
{
    assert(halves >= 0 && halves < SPRT_CELLS);
    sprt->counts[halves]++;
}

static double cell_score(int cell)
{
    return cell / (SPRT_CELLS - 1.0);
}

static struct sample take_sample(const struct sprt *sprt)
{
    struct sample sample = {0};

    for (int cell = 0; cell < SPRT_CELLS; cell++) {
        sample.parts[cell] = sprt->counts[cell] > 0 ? (double)sprt->counts[cell] : empty_cell;
        sample.size += sample.parts[cell];
    }
    for (int cell = 0; cell < SPRT_CELLS; cell++) {
        sample.parts[cell] /= sample.size;
        sample.mean += sample.parts[cell] * cell_score(cell);
    }
    for (int cell = 0; cell < SPRT_CELLS; cell++) {
        double off = cell_score(cell) - sample.mean;
        sample.variance += sample.parts[cell] * off * off;
    }
    return sample;
}

/*
 * Returns the root x of sum p (a - s) / (1 + x (a - s)); the shares p / (1 + x (a - s)) are then
 * the most likely distribution with mean s. With growing x, the sum falls from +inf to -inf between
 * the poles nearest to 0; bisection replaces a Newton step that would leave this interval.
 */
static double find_tilt(const struct sample *sample, double s)
{
    double low = -1 / (1 - s);
    double high = 1 / s;
    double x = (sample->mean - s) / sample->variance;

    for (int step = 0; step < 200; step++) {
        double sum = 0;
        double slope = 0;

        if (!(x > low && x < high))
            x = (low + high) / 2;
        for (int cell = 0; cell < SPRT_CELLS; cell++) {
            double off = cell_score(cell) - s;
            double part = off / (1 + x * off);

            sum += sample->parts[cell] * part;
            slope += sample->parts[cell] * part * part;
        }
        if (sum > 0)
            low = x;
        else
            high = x;
        double next = x + sum / slope;
        if (fabs(next - x) <= 1e-13 * (1 + fabs(x)) || !(high - low > 0))
            return x;
        x = next;
    }
    return x;
}

/*
 * Returns the rating difference for an expected score, which the function first keeps away from 0
 * and 1.
 */
static double elo_of_score(double score, double group_count)
{
    double least = 1 / (8 * (group_count + 1));
    double kept = fmin(fmax(score, least), 1 - least);

    return ELO_PER_NATURAL * (log(kept) - log1p(-kept));
}

struct sprt_state sprt_evaluate(const struct sprt *sprt)
{
    struct sprt_state state = {0};
    struct sample sample = take_sample(sprt);
    double s0 = elo_expected(sprt->elo0);
    double s1 = elo_expected(sprt->elo1);
    double x0 = find_tilt(&sample, s0);
    double x1 = find_tilt(&sample, s1);

    for (int cell = 0; cell < SPRT_CELLS; cell++) {
        double a = cell_score(cell);

        state.group_count += sprt->counts[cell];
        state.llr += sample.parts[cell] * (log1p(x0 * (a - s0)) - log1p(x1 * (a - s1)));
    }
    state.llr *= sample.size;
    if (state.group_count >= SPRT_GROUPS_MIN && state.llr >= sprt->upper)
        state.verdict = SPRT_ACCEPTED;
    else if (state.group_count >= SPRT_GROUPS_MIN && state.llr <= sprt->lower)
        state.verdict = SPRT_REJECTED;

    double groups = (double)state.group_count;
    /*
     * The rule of three: an outcome that never occurred may still have a probability of up to 3 /
     * groups, which matters if nearly all groups had the same result.
     */
    double unseen = groups > 3 ? 3 / groups * fmax(sample.mean, 1 - sample.mean) : 1;
    double error = fmax(error95 * sqrt(sample.variance / sample.size), unseen);
    state.elo = elo_of_score(sample.mean, groups);
    state.elo_low = elo_of_score(sample.mean - error, groups);
    state.elo_high = elo_of_score(sample.mean + error, groups);
    return state;
}

const char *sprt_verdict_name(enum sprt_verdict verdict)
{
    switch (verdict) {
    case SPRT_OPEN:
        return "open";
    case SPRT_ACCEPTED:
        return "accepted";
    case SPRT_REJECTED:
        return "rejected";
    }
    return "";
}
