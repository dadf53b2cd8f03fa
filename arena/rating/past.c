/* SPDX-License-Identifier: MIT */
#include "arena/rating/past.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/elo.h"

/*
 * The same maximum as in fit.c, by Newton's method too, but each step is found by conjugate
 * gradients: the matrix H is never written down, and one product with it costs as much as there are
 * pairs that met. Ratings are in nats.
 */

enum {
    CLIMB_STEPS_MAX = 60,  /* maximum of Newton steps; usual are 2 to 4 */
    SOLVE_STEPS_MAX = 200, /* maximum of conjugate gradients in a step; usual are 10 to 30 */
};

static const double step_max = 1; /* longest change of a rating in one Newton step */
/* After a shorter step, which Newton's error is the square of, no rating changes by 0.01 Elo. */
static const double step_converged = 5e-3;
static const double solve_converged = 1e-5; /* the square of the relative error of a step */

/* Two bots that met, and the sums of their games so far. */
struct met {
    uint16_t a, b;
    double weight, points; /* sum of the weights kappa, and of kappa times the points of a */
    double curvature;      /* weight p (1 - p), of the last point measured */
};

struct past {
    const struct games *games;
    size_t n;
    struct met *met;
    size_t met_count;
    uint32_t
        *index; /* of each pair, as in games.pairs: 1 + its place in met; 0: did not meet yet */
    bool *played;
    double *elo;
    /* Vectors of n. */
    double *theta, *gradient, *diagonal, *step, *rest, *direction, *product;
};

static const double precision =
    (ELO_PER_NATURAL / FIT_PRIOR_ELO) * (ELO_PER_NATURAL / FIT_PRIOR_ELO);

static void add_table(struct past *past, const struct games_table *table)
{
    const double kappa = games_kappa_twentieths(table->player_count) / 20.0;

    for (int i = 0, pair = 0; i < table->player_count; i++) {
        past->played[table->bots[i]] = true;
        for (int j = i + 1; j < table->player_count; j++, pair++) {
            const size_t a = table->bots[i], b = table->bots[j];
            uint32_t *at = &past->index[b * (b - 1) / 2 + a];

            if (*at == 0) {
                past->met[past->met_count] = (struct met){.a = (uint16_t)a, .b = (uint16_t)b};
                *at = (uint32_t)++past->met_count;
            }
            past->met[*at - 1].weight += kappa * table->game_count;
            past->met[*at - 1].points += kappa * table->halves[pair] / 2.0;
        }
    }
}

/* Computes the gradient at theta, and what `multiply` needs of H there. */
static void measure(struct past *past)
{
    for (size_t i = 0; i < past->n; i++) {
        past->gradient[i] = -precision * past->theta[i];
        past->diagonal[i] = precision;
    }
    for (size_t k = 0; k < past->met_count; k++) {
        struct met *met = &past->met[k];
        const double p = 1 / (1 + exp(past->theta[met->b] - past->theta[met->a]));
        const double surplus = met->points - met->weight * p;

        met->curvature = met->weight * p * (1 - p);
        past->gradient[met->a] += surplus;
        past->gradient[met->b] -= surplus;
        past->diagonal[met->a] += met->curvature;
        past->diagonal[met->b] += met->curvature;
    }
}

/* Writes H direction to product. Returns direction H direction. */
static double multiply(struct past *past)
{
    const double *direction = past->direction;
    double *product = past->product, sum = 0;

    for (size_t i = 0; i < past->n; i++)
        product[i] = precision * direction[i];
    for (const struct met *met = past->met, *end = met + past->met_count; met < end; met++) {
        const double part = met->curvature * (direction[met->a] - direction[met->b]);

        product[met->a] += part;
        product[met->b] -= part;
    }
    for (size_t i = 0; i < past->n; i++)
        sum += direction[i] * product[i];
    return sum;
}

/* Returns the size of the rest, each element in units of the diagonal. */
static double rest_size(const struct past *past)
{
    double sum = 0;

    for (size_t i = 0; i < past->n; i++)
        sum += past->rest[i] * past->rest[i] / past->diagonal[i];
    return sum;
}

/* Solves H step = gradient. */
static void find_step(struct past *past)
{
    double size, first;

    memset(past->step, 0, past->n * sizeof *past->step);
    memcpy(past->rest, past->gradient, past->n * sizeof *past->rest);
    for (size_t i = 0; i < past->n; i++)
        past->direction[i] = past->rest[i] / past->diagonal[i];
    size = first = rest_size(past);
    for (int count = 0; count < SOLVE_STEPS_MAX && size > solve_converged * first; count++) {
        const double length = size / multiply(past), before = size;

        for (size_t i = 0; i < past->n; i++) {
            past->step[i] += length * past->direction[i];
            past->rest[i] -= length * past->product[i];
        }
        size = rest_size(past);
        for (size_t i = 0; i < past->n; i++)
            past->direction[i] =
                past->rest[i] / past->diagonal[i] + size / before * past->direction[i];
    }
}

static void climb_up(struct past *past)
{
    for (int count = 0; count < CLIMB_STEPS_MAX; count++) {
        double largest = 0;

        measure(past);
        find_step(past);
        for (size_t i = 0; i < past->n; i++)
            largest = fmax(largest, fabs(past->step[i]));
        for (size_t i = 0; i < past->n; i++)
            past->theta[i] += (largest > step_max ? step_max / largest : 1) * past->step[i];
        if (largest < step_converged)
            break;
    }
}

static int rate_all(struct past *past, const int64_t *groups, int count, past_fn *each_fn,
                    void *context)
{
    const struct games_table *next = past->games->tables;
    const struct games_table *end = next + past->games->table_count;
    int result = 0;

    for (int at = 0; at < count && result == 0; at++) {
        for (; next < end && next->group <= groups[at]; next++)
            add_table(past, next);
        climb_up(past);
        for (size_t i = 0; i < past->n; i++)
            past->elo[i] = ELO_PER_NATURAL * past->theta[i];
        result = each_fn(context, at, past->elo, past->played);
    }
    return result;
}

int past_rate(const struct games *games, const int64_t *groups, int count, past_fn *each_fn,
              void *context)
{
    const size_t n = (size_t)games->bot_count, pairs = n * (n - (n > 0)) / 2;
    double *vectors = calloc(8 * n + 1, sizeof *vectors);
    size_t most = 0;
    struct past past = {.games = games, .n = n};
    int result = -ENOMEM;

    for (size_t pair = 0; games->pairs && pair < pairs; pair++)
        most += games->pairs[pair].game_count > 0;
    past.met = calloc(most + 1, sizeof *past.met);
    past.index = calloc(pairs + 1, sizeof *past.index);
    past.played = calloc(n + 1, sizeof *past.played);
    if (vectors && past.met && past.index && past.played) {
        double **const parts[] = {&past.elo,  &past.theta, &past.gradient,  &past.diagonal,
                                  &past.step, &past.rest,  &past.direction, &past.product};

        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            *parts[i] = vectors + i * n;
        result = rate_all(&past, groups, count, each_fn, context);
    }
    free(vectors);
    free(past.met);
    free(past.index);
    free(past.played);
    return result;
}
