#include "arena/rating/climb.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/matrix.h"

static const double step_max = 1; /* in nats; a step beyond is shortened to it */
static const double step_converged = 1e-10;
static const double step_unchecked = 1e-3; /* below, rounding hides what a step gains */

struct climb {
    const struct games *games;
    size_t n;
    double precision;
    double *theta;
    double *step;     /* to take from theta */
    double *trial;    /* theta after the step */
    double *gradient; /* at the last point measured */
    double *factor;   /* H there, then its Cholesky factor */
};

/* Adds a pair to the gradient and H; returns its share of the log likelihood. */
static double add_pair(struct climb *climb, const double *theta, size_t a, size_t b,
                       const struct games_pair *pair)
{
    size_t n = climb->n;
    double difference = theta[a] - theta[b];
    double won = (double)pair->points / 40;
    double lost = (double)(2 * pair->weight - pair->points) / 40;
    /* p of whoever is ahead is 1 / (1 + e), of the other e / (1 + e): both to the last bit */
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
    /* ln of the one is -ln(1 + e), of the other as much and the difference less */
    return -(won + lost) * log1p(e) - (difference >= 0 ? lost : -won) * difference;
}

/*
 * Fills in gradient and H at a point and returns what is maximised there: the log
 * likelihood of the points less the prior's share. What is left of a score is counted
 * from both ends, wins times 1 - p less losses times p, so that nothing cancels far out.
 * The mean is pinned with a prior too: it is 0 either way, no difference of ratings
 * feels it, and H is better conditioned.
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
 * The factor of H and the step at theta, which was measured last. Only counts beyond
 * 1e12 next to unconnected bots leave H not definite after rounding; its diagonal is
 * then raised a little, which slows the climb and does not move the summit.
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

/* Newton's method; leaves the factor of H at the ratings found. Returns the steps taken. */
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
            /* A step too far is halved; a small one is right whatever rounding says. */
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
