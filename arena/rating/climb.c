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
    double *step;   /* the gradient, then the step to take */
    double *trial;  /* theta after the step */
    double *factor; /* H, then its Cholesky factor */
};

/*
 * Fills in gradient and H at theta. What is left of a score is counted from both
 * ends, wins times 1 - p less losses times p, so that nothing cancels far out. The
 * mean is pinned with a prior too: it is 0 either way, no difference of ratings feels
 * it, and H is better conditioned.
 */
static void differentiate(struct climb *climb)
{
    size_t n = climb->n;
    double pin = 1 / (double)n;

    for (size_t i = 0; i < n; i++) {
        climb->step[i] = -climb->precision * climb->theta[i];
        for (size_t j = 0; j < i; j++)
            climb->factor[i * n + j] = pin;
        climb->factor[i * n + i] = climb->precision + pin;
    }
    for (size_t b = 0; b < n; b++) {
        for (size_t a = 0; a < b; a++) {
            const struct games_pair *pair = games_pair_of(climb->games, (int)a, (int)b);
            if (pair->game_count == 0)
                continue;
            double difference = climb->theta[a] - climb->theta[b];
            double p = 1 / (1 + exp(-difference));
            double q = 1 / (1 + exp(difference));
            double won = (double)pair->points / 40;
            double lost = (double)(2 * pair->weight - pair->points) / 40;
            double surplus = won * q - lost * p;
            double weight = (double)pair->weight / 20 * p * q;

            climb->step[a] += surplus;
            climb->step[b] -= surplus;
            climb->factor[a * n + a] += weight;
            climb->factor[b * n + b] += weight;
            climb->factor[b * n + a] -= weight;
        }
    }
}

/* What is maximised: the log likelihood of the points less the prior's share. */
static double likelihood(const struct climb *climb, const double *theta)
{
    double sum = 0;

    for (size_t b = 0; b < climb->n; b++) {
        sum -= theta[b] * theta[b] * climb->precision / 2;
        for (size_t a = 0; a < b; a++) {
            const struct games_pair *pair = games_pair_of(climb->games, (int)a, (int)b);
            if (pair->game_count == 0)
                continue;
            double difference = theta[a] - theta[b];
            double won = (double)pair->points / 40;
            double lost = (double)(2 * pair->weight - pair->points) / 40;

            /* ln p = -ln(1 + e^-d) and ln(1 - p) = ln p - d, of the side that is small */
            if (difference >= 0)
                sum -= (won + lost) * log1p(exp(-difference)) + lost * difference;
            else
                sum -= (won + lost) * log1p(exp(difference)) - won * difference;
        }
    }
    return sum;
}

/*
 * Derivatives at theta and the factor of H. Only counts beyond 1e12 next to unconnected
 * bots leave H not definite after rounding; its diagonal is then raised a little, which
 * slows the climb and does not move the summit.
 */
static void prepare_step(struct climb *climb)
{
    differentiate(climb);
    for (double ridge = 1e-14; !matrix_factor(climb->n, climb->factor); ridge *= 10) {
        differentiate(climb);
        for (size_t i = 0; i < climb->n; i++)
            climb->factor[i * climb->n + i] *= 1 + ridge;
    }
    matrix_solve(climb->n, climb->factor, climb->step);
}

/* Newton's method; leaves the factor of H at the ratings found. Returns the steps taken. */
static int climb_up(struct climb *climb)
{
    size_t n = climb->n;
    double height = likelihood(climb, climb->theta);

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
            double reached = likelihood(climb, climb->trial);
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
    double *scratch = calloc(2 * n + n * n + 1, sizeof *scratch);
    struct climb climb = {games, n, precision, theta, scratch, scratch + n, scratch + 2 * n};

    if (!scratch)
        return -ENOMEM;
    memset(theta, 0, n * sizeof *theta);
    int step_count = climb_up(&climb);
    matrix_invert(n, climb.factor, inverse);
    free(scratch);
    return step_count;
}
