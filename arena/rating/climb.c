#include "arena/rating/climb.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/matrix.h"

static const double step_max = 1; /* in nats; a longer step is shortened to this */
static const double step_converged = 1e-10;
/* Smaller steps are not checked, since rounding hides their gain. */
static const double step_unchecked = 1e-3;

struct climb {
    const struct games *games;
    size_t n;
    double precision;
    double *theta;
    double *step;     /* to subtract from theta */
    double *trial;    /* theta after the step */
    double *gradient; /* gradient at the point measured last */
    double *factor;   /* H at that point, then its Cholesky factor */
};

/* Adds a pair to the gradient and H. Returns its part of the log likelihood. */
static double add_pair(struct climb *climb, const double *theta, size_t a, size_t b,
                       const struct games_pair *pair)
{
    size_t n = climb->n;
    double difference = theta[a] - theta[b];
    double won = (double)pair->points / 40;
    double lost = (double)(2 * pair->weight - pair->points) / 40;
    /* p of the bot ahead is 1 / (1 + e), of the other e / (1 + e): both with full precision */
    double e = exp(-fabs(difference));
    double ahead = 1 / (1 + e);
    double behind = e / (1 + e);
    double p = difference >= 0 ? ahead : behind;
    double q = difference >= 0 ? behind : ahead;
    double surplus = won * q - lost * p;
    double weight = (double)pair->weight / 20 * p * q;

    climb->gradient[a] += surplus;
    climb->gradient[b] -= surplus;
    climb->factor[a * n + a] += weight;
    climb->factor[b * n + b] += weight;
    climb->factor[b * n + a] -= weight;
    /* the logarithm of the first is -ln(1 + e), of the second the same minus |difference| */
    return -(won + lost) * log1p(e) - (difference >= 0 ? lost : -won) * difference;
}

/*
 * Computes gradient and H at a point. Returns the value to be maximized: the log likelihood of the
 * points minus the prior's part. The gradient of a pair is computed as wins times 1 - p minus
 * losses times p, so that nothing cancels for large differences. The mean is fixed even with a
 * prior: it is 0 in any case, affects no difference of ratings, and makes H better conditioned.
 */
static double measure(struct climb *climb, const double *theta)
{
    size_t n = climb->n;
    double pin = 1 / (double)n;
    double height = 0;

    for (size_t i = 0; i < n; i++) {
        climb->gradient[i] = -climb->precision * theta[i];
        for (size_t j = 0; j < i; j++)
            climb->factor[i * n + j] = pin;
        climb->factor[i * n + i] = climb->precision + pin;
    }
    for (size_t b = 0; b < n; b++) {
        height -= theta[b] * theta[b] * climb->precision / 2;
        for (size_t a = 0; a < b; a++) {
            const struct games_pair *pair = games_pair_of(climb->games, (int)a, (int)b);

            if (pair->game_count > 0)
                height += add_pair(climb, theta, a, b, pair);
        }
    }
    return height;
}

/*
 * Computes the factor of H and the step at theta, which was measured last. H can fail to be
 * positive definite after rounding only if counts above 1e12 occur next to unconnected bots; its
 * diagonal is then raised slightly, which slows the climb but does not move the maximum.
 */
static void prepare_step(struct climb *climb)
{
    for (double ridge = 1e-14; !matrix_factor(climb->n, climb->factor); ridge *= 10) {
        measure(climb, climb->theta);
        for (size_t i = 0; i < climb->n; i++)
            climb->factor[i * climb->n + i] *= 1 + ridge;
    }
    memcpy(climb->step, climb->gradient, climb->n * sizeof *climb->step);
    matrix_solve(climb->n, climb->factor, climb->step);
}

/* Newton's method. Leaves the factor of H at the maximum. Returns the number of steps. */
static int climb_up(struct climb *climb)
{
    size_t n = climb->n;
    double height = measure(climb, climb->theta);

    for (int count = 0;; count++) {
        double largest = 0;

        prepare_step(climb);
        for (size_t i = 0; i < n; i++)
            largest = fmax(largest, fabs(climb->step[i]));
        if (largest < step_converged || count == CLIMB_STEPS_MAX)
            return count;
        double scale = largest > step_max ? step_max / largest : 1;
        for (;;) {
            for (size_t i = 0; i < n; i++)
                climb->trial[i] = climb->theta[i] + scale * climb->step[i];
            double reached = measure(climb, climb->trial);
            /* Halve a step that is too long; a small one is accepted despite rounding errors. */
            if (reached >= height || scale * largest < step_unchecked) {
                height = reached;
                break;
            }
            scale /= 2;
        }
        memcpy(climb->theta, climb->trial, n * sizeof *climb->trial);
    }
}

int climb_likelihood(const struct games *games, double precision, double *theta, double *inverse)
{
    size_t n = (size_t)games->bot_count;
    double *scratch = calloc(3 * n + n * n + 1, sizeof *scratch);
    struct climb climb = {games,   n,           precision,       theta,
                          scratch, scratch + n, scratch + 2 * n, scratch + 3 * n};

    if (!scratch)
        return -ENOMEM;
    memset(theta, 0, n * sizeof *theta);
    int step_count = climb_up(&climb);
    matrix_invert(n, climb.factor, inverse);
    free(scratch);
    return step_count;
}
