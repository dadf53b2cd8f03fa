/* SPDX-License-Identifier: MIT */
#include "arena/rating/fit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/elo.h"

/*
 * From top to bottom: linear algebra; ratings by Newton's method; covariance of the ratings by
 * groups; which bots the games connect; the fit, which combines these parts; functions that answer
 * questions about a fit. Ratings are in nats (ELO_PER_NATURAL Elo each) until they are written to
 * the fit. Sums run in index order, so that every machine gets the same bits.
 */

enum {
    CLIMB_STEPS_MAX = 200, /* maximum of Newton steps; usual are 4 to 8 */
};

/* Longest change of a rating in one Newton step, in nats; climb_up shortens longer steps. */
static const double step_max = 1;
static const double step_converged = 1e-10;
/*
 * Steps shorter than this (in nats) need no check that they go up: rounding errors exceed their
 * gain.
 */
static const double step_unchecked = 1e-3;
static const double los_decided = 0.975;
static const double rest_min = 1e-14; /* least part of a diagonal element left by matrix_factor */

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;

    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/*
 * Replaces the lower triangle of a positive definite n x n matrix with its Cholesky factor L;
 * leaves the upper triangle unchanged. Keeps the factor finite where rounding has left too little
 * of a diagonal element.
 */
static void matrix_factor(size_t n, double *matrix)
{
    for (size_t i = 0; i < n; i++) {
        double *row = matrix + i * n;

        for (size_t j = 0; j < i; j++) {
            const double *above = matrix + j * n;
            row[j] = (row[j] - dot(j, row, above)) / above[j];
        }
        row[i] = sqrt(fmax(row[i] - dot(i, row, row), rest_min * row[i]));
    }
}

/*
 * Solves L L^T x = b: replaces b, which is 0 before index `first`, with x from there on.
 */
static void matrix_solve(size_t n, size_t first, const double *factor, double *vector)
{
    for (size_t i = first; i < n; i++)
        vector[i] = (vector[i] - dot(i - first, factor + i * n + first, vector + first)) /
                    factor[i * n + i];
    for (size_t i = n; i-- > first;) {
        vector[i] /= factor[i * n + i];
        for (size_t k = first; k < i; k++)
            vector[k] -= factor[i * n + k] * vector[i];
    }
}

/* Writes the inverse of L L^T to inverse, both triangles: each row from the diagonal on. */
static void matrix_invert(size_t n, const double *factor, double *inverse)
{
    for (size_t i = 0; i < n; i++) {
        double *row = inverse + i * n;

        memset(row + i, 0, (n - i) * sizeof *row);
        row[i] = 1;
        matrix_solve(n, i, factor, row);
        for (size_t j = i + 1; j < n; j++)
            inverse[j * n + i] = row[j];
    }
}

/*
 * Adds the first `width` elements of a row of the product a b, from that row of a, to `row`; reads
 * b by rows, never by columns.
 */
static void multiply_row(size_t n, const double *a_row, const double *b, size_t width, double *row)
{
    for (size_t k = 0; k < n; k++) {
        const double factor = a_row[k], *from = b + k * n;

        if (factor == 0)
            continue;
        for (size_t j = 0; j < width; j++)
            row[j] += factor * from[j];
    }
}

/*
 * Writes a b a for symmetric a and b; b has many zeros if few bots met. scratch has room for n x n.
 * No two arguments may overlap.
 */
static void matrix_sandwich(size_t n, const double *a, const double *b, double *scratch,
                            double *product)
{
    memset(scratch, 0, n * n * sizeof *scratch);
    memset(product, 0, n * n * sizeof *product);
    for (size_t i = 0; i < n; i++)
        multiply_row(n, b + i * n, a, n, scratch + i * n);
    for (size_t i = 0; i < n; i++) {
        multiply_row(n, a + i * n, scratch, i + 1, product + i * n);
        for (size_t j = 0; j < i; j++)
            product[j * n + i] = product[i * n + j];
    }
}

/*
 * Writes the variances of the differences from a weighted mean, given the covariance matrix a: the
 * diagonal of M a M^T with M = I - 1 w^T. Weights are at least 0 and sum to 1; weights of 1/n give
 * the mean of all bots.
 */
static void matrix_center_diagonal(size_t n, const double *matrix, const double *weights,
                                   double *diagonal)
{
    double total = 0;

    for (size_t i = 0; i < n; i++) {
        double sum = 0;

        for (size_t j = 0; j < n; j++)
            sum += weights[j] * matrix[i * n + j];
        diagonal[i] = matrix[i * n + i] - 2 * sum;
        total += weights[i] * sum;
    }
    for (size_t i = 0; i < n; i++) {
        diagonal[i] += total;
        if (diagonal[i] < 0) /* a negative value is a rounding error of 0 */
            diagonal[i] = 0;
    }
}

struct climb {
    const struct games *games;
    size_t n;
    double precision;
    double *theta;
    double *step;     /* vector to subtract from theta */
    double *trial;    /* theta minus the step */
    double *gradient; /* gradient at the last point that `measure` has computed */
    /* H at the last point that `measure` has computed, then the Cholesky factor of H */
    double *factor;
};

/* Adds a pair of bots to the gradient and H. Returns the pair's part of the log likelihood. */
static double add_pair(struct climb *climb, const double *theta, size_t a, size_t b,
                       const struct games_pair *pair)
{
    size_t n = climb->n;
    double difference = theta[a] - theta[b];
    double won = (double)pair->points / 40;
    double lost = (double)(2 * pair->weight - pair->points) / 40;
    /*
     * The better bot wins with probability 1 / (1 + e), the worse bot with e / (1 + e); both
     * formulas avoid cancellation.
     */
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
    /* ln p is -ln(1 + e) for the better bot and -ln(1 + e) - |difference| for the worse bot */
    return -(won + lost) * log1p(e) - (difference >= 0 ? lost : -won) * difference;
}

/*
 * Computes gradient and H at a point. Returns the value to maximize: the log likelihood of the
 * points minus the prior's part. A pair's gradient is computed as wins times 1 - p minus losses
 * times p, so that no digits cancel for large differences. The mean rating stays 0 even with a
 * prior, which changes no rating difference and makes H better conditioned.
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
 * Computes the Cholesky factor of H, and the step at the last point that `measure` has computed.
 */
static void prepare_step(struct climb *climb)
{
    matrix_factor(climb->n, climb->factor);
    memcpy(climb->step, climb->gradient, climb->n * sizeof *climb->step);
    matrix_solve(climb->n, 0, climb->factor, climb->step);
}

/*
 * Climbs to the maximum by Newton's method; then climb->factor is the Cholesky factor of H at the
 * maximum.
 */
static void climb_up(struct climb *climb)
{
    size_t n = climb->n;
    double height = measure(climb, climb->theta);

    for (int count = 0;; count++) {
        double largest = 0;

        prepare_step(climb);
        for (size_t i = 0; i < n; i++)
            largest = fmax(largest, fabs(climb->step[i]));
        if (largest < step_converged || count == CLIMB_STEPS_MAX)
            return;
        double scale = largest > step_max ? step_max / largest : 1;
        for (;;) {
            for (size_t i = 0; i < n; i++)
                climb->trial[i] = climb->theta[i] + scale * climb->step[i];
            double reached = measure(climb, climb->trial);
            /*
             * Halves a step that goes down, unless it is so short that only rounding errors count.
             */
            if (reached >= height || scale * largest < step_unchecked) {
                height = reached;
                break;
            }
            scale /= 2;
        }
        memcpy(climb->theta, climb->trial, n * sizeof *climb->trial);
    }
}

/*
 * Finds the maximum of the likelihood. Writes the ratings to theta, and the inverse of the
 * curvature H there to inverse. precision is 1 / tau^2 of the prior, or 0 for no prior, with which
 * every bot must have a finite rating. Returns 0 or -ENOMEM.
 */
static int climb_likelihood(const struct games *games, double precision, double *theta,
                            double *inverse)
{
    size_t n = (size_t)games->bot_count;
    double *scratch = calloc(3 * n + n * n + 1, sizeof *scratch);

    if (!scratch)
        return -ENOMEM;
    struct climb climb = {games,   n,           precision,       theta,
                          scratch, scratch + n, scratch + 2 * n, scratch + 3 * n};
    memset(theta, 0, n * sizeof *theta);
    climb_up(&climb);
    matrix_invert(n, climb.factor, inverse);
    free(scratch);
    return 0;
}

/* A sum over groups of u u^T, where u is each bot's points above expectation in a group. */
struct scatter {
    size_t n;
    double *expected;  /* expected score of bot i against bot j, an n x n matrix */
    double *sum;       /* the sum of u u^T: lower triangle of an n x n matrix */
    uint16_t *players; /* buffer: the bots of a group */
    double *surplus;   /* buffer: the u of a group, in the order of players */
};

/* Returns the index of a bot among the bots of a group, and adds the bot if it is new. */
static size_t player_index(struct scatter *scatter, size_t *count, uint16_t bot)
{
    size_t at = 0;

    while (at < *count && scatter->players[at] != bot)
        at++;
    if (at == *count) {
        scatter->players[at] = bot;
        scatter->surplus[at] = 0;
        ++*count;
    }
    return at;
}

/* Adds a group's u u^T. */
static void add_group(struct scatter *scatter, const struct games_table *from,
                      const struct games_table *to)
{
    const uint16_t *players = scatter->players;
    size_t count = 0;

    for (const struct games_table *table = from; table < to; table++) {
        double kappa = games_kappa_twentieths(table->player_count) / 20.0;
        double surplus[GAMES_PLAYERS_MAX] = {0};

        for (int i = 0, pair = 0; i < table->player_count; i++) {
            const double *expected = scatter->expected + table->bots[i] * scatter->n;

            for (int j = i + 1; j < table->player_count; j++, pair++) {
                double beyond = kappa * (table->halves[pair] / 2.0 -
                                         table->game_count * expected[table->bots[j]]);
                surplus[i] += beyond;
                surplus[j] -= beyond;
            }
        }
        for (int i = 0; i < table->player_count; i++)
            scatter->surplus[player_index(scatter, &count, table->bots[i])] += surplus[i];
    }
    for (size_t i = 0; i < count; i++) {
        double *row = scatter->sum + players[i] * scatter->n;

        for (size_t j = 0; j < count; j++)
            if (players[j] <= players[i])
                row[players[j]] += scatter->surplus[i] * scatter->surplus[j];
    }
}

/*
 * Writes the covariance of the ratings at the maximum theta, where inverse is the inverse of H: the
 * sandwich estimator, clustered by group, because games of one group may share luck while groups
 * are independent. The set must have at least two groups. Returns 0 or -ENOMEM.
 */
static int fit_covariance(const struct games *games, const double *theta, const double *inverse,
                          double *covariance)
{
    size_t n = (size_t)games->bot_count;
    const struct games_table *end = games->tables + games->table_count;
    double group_count = (double)games->group_count;
    double *room = calloc(2 * n * n + n + 1, sizeof *room);
    struct scatter scatter = {.n = n, .players = calloc(n + 1, sizeof *scatter.players)};

    if (!room || !scatter.players) {
        free(room);
        free(scatter.players);
        return -ENOMEM;
    }
    scatter.expected = room;
    scatter.sum = room + n * n;
    scatter.surplus = room + 2 * n * n;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            scatter.expected[a * n + b] = 1 / (1 + exp(theta[b] - theta[a]));
    for (const struct games_table *from = games->tables, *to; from < end; from = to) {
        for (to = from + 1; to < end && to->group == from->group;)
            to++;
        add_group(&scatter, from, to);
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b <= a; b++) {
            scatter.sum[a * n + b] *= group_count / (group_count - 1);
            scatter.sum[b * n + a] = scatter.sum[a * n + b];
        }
    matrix_sandwich(n, inverse, scatter.sum, scatter.expected, covariance);
    free(room);
    free(scatter.players);
    return 0;
}

static bool reaches(const uint64_t *reach, size_t words, size_t from, size_t to)
{
    return reach[from * words + to / 64] >> to % 64 & 1;
}

/*
 * Extends a relation between bots (a row of bits per bot) to all bots that are reached in several
 * steps (Warshall). Numbers the sets of bots that reach each other, in the order of their first
 * bots. Returns the number of sets.
 */
static int number_sets(size_t n, size_t words, uint64_t *reach, int *sets)
{
    int count = 0;

    for (size_t via = 0; via < n; via++)
        for (size_t from = 0; from < n; from++)
            if (reaches(reach, words, from, via))
                for (size_t word = 0; word < words; word++)
                    reach[from * words + word] |= reach[via * words + word];
    for (size_t i = 0; i < n; i++) {
        size_t j = 0;

        while (j < i && !(reaches(reach, words, i, j) && reaches(reach, words, j, i)))
            j++;
        sets[i] = j < i ? sets[j] : count++;
    }
    return count;
}

static void links_finish(struct links *links)
{
    free(links->sets);
    free(links->islands);
    memset(links, 0, sizeof *links);
}

/*
 * Finds which bots a settled set of games connects (struct links). Returns 0, or -ENOMEM with
 * nothing to free.
 */
static int links_init(struct links *links, const struct games *games)
{
    size_t n = (size_t)games->bot_count;
    size_t words = n / 64 + 1;
    uint64_t *scored = calloc(2 * (n + 1) * words, sizeof *scored);

    memset(links, 0, sizeof *links);
    links->sets = malloc((n + 1) * sizeof *links->sets);
    links->islands = malloc((n + 1) * sizeof *links->islands);
    if (!scored || !links->sets || !links->islands) {
        free(scored);
        links_finish(links);
        return -ENOMEM;
    }
    uint64_t *met = scored + (n + 1) * words;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            if (a != b && games_halves(games, (int)a, (int)b) > 0) {
                scored[a * words + b / 64] |= UINT64_C(1) << b % 64;
                met[a * words + b / 64] |= UINT64_C(1) << b % 64;
                met[b * words + a / 64] |= UINT64_C(1) << a % 64;
            }
    links->set_count = number_sets(n, words, scored, links->sets);
    links->island_count = number_sets(n, words, met, links->islands);
    free(scored);
    return 0;
}

/* True if the bots that played form groups with no game between them. */
static bool is_unconnected(const struct fit *fit, const struct games *games)
{
    int island = -1;

    for (int i = 0; i < fit->bot_count; i++) {
        if (games->bots[i].game_count == 0)
            continue;
        if (island >= 0 && fit->links.islands[i] != island)
            return true;
        island = fit->links.islands[i];
    }
    return island < 0 && fit->links.island_count > 1;
}

/* Sets the flags of each bot that need only the games. */
static void flag_bots(struct fit *fit, const struct games *games)
{
    bool unconnected = is_unconnected(fit, games);

    for (int i = 0; i < fit->bot_count; i++) {
        const struct games_bot *bot = &games->bots[i];
        unsigned flags = 0;

        if (bot->game_count == 0)
            flags |= FIT_UNPLAYED;
        else if (bot->halves == 2 * bot->pair_count)
            flags |= FIT_UNBEATEN;
        else if (bot->halves == 0)
            flags |= FIT_WINLESS;
        else if (!bot->share_varies)
            flags |= FIT_UNVARIED;
        if (unconnected)
            flags |= FIT_UNCONNECTED;
        if (bot->information_tenths < FIT_PROVISIONAL_TENTHS)
            flags |= FIT_PROVISIONAL;
        fit->bots[i].flags = flags;
    }
}

/*
 * Computes the weights of the mean to which ratings are relative: the mean of the bots that played,
 * or of all bots if none played.
 */
static void find_weights(const struct fit *fit, double *weights)
{
    int count = 0;

    for (int i = 0; i < fit->bot_count; i++)
        count += !(fit->bots[i].flags & FIT_UNPLAYED);
    for (int i = 0; i < fit->bot_count; i++)
        weights[i] = count == 0                          ? 1.0 / fit->bot_count
                     : fit->bots[i].flags & FIT_UNPLAYED ? 0
                                                         : 1.0 / count;
}

/* Sets the standard error of each bot's rating. The bots' flags must be set. */
static void set_own_errors(struct fit *fit, const double *model, const double *clustered,
                           double *scratch)
{
    size_t n = (size_t)fit->bot_count;
    double *model_diagonal = scratch;
    double *clustered_diagonal = scratch + n;
    double *weights = scratch + 2 * n;

    find_weights(fit, weights);
    matrix_center_diagonal(n, model, weights, model_diagonal);
    matrix_center_diagonal(n, clustered, weights, clustered_diagonal);
    for (size_t i = 0; i < n; i++) {
        struct fit_bot *bot = &fit->bots[i];

        bot->se_model_elo = sqrt(fmax(model_diagonal[i], 0)) * ELO_PER_NATURAL;
        bot->se_clustered_elo = sqrt(fmax(clustered_diagonal[i], 0)) * ELO_PER_NATURAL;
        bot->se_elo = fmax(bot->se_model_elo, bot->se_clustered_elo);
        if (bot->se_elo > FIT_PROVISIONAL_ELO)
            bot->flags |= FIT_PROVISIONAL;
    }
}

static double pair_variance(size_t n, const double *covariance, size_t a, size_t b)
{
    return covariance[a * n + a] + covariance[b * n + b] - 2 * covariance[a * n + b];
}

static void set_pair_errors(struct fit *fit, const double *model, const double *clustered)
{
    size_t n = (size_t)fit->bot_count;

    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < a; b++) {
            double variance =
                fmax(pair_variance(n, model, a, b), pair_variance(n, clustered, a, b));

            fit->pair_se_elo[a * n + b] = fit->pair_se_elo[b * n + a] =
                sqrt(fmax(variance, 0)) * ELO_PER_NATURAL;
        }
    }
}

static void set_rank_ranges(struct fit *fit)
{
    for (int i = 0; i < fit->bot_count; i++) {
        fit->bots[i].rank_best = 1;
        fit->bots[i].rank_worst = fit->bot_count;
    }
    for (int i = 0; i < fit->bot_count; i++)
        for (int j = 0; j < i; j++) {
            int ahead = fit->bots[i].elo >= fit->bots[j].elo ? i : j;
            int behind = i + j - ahead;

            /*
             * Only the leading bot is tested, because the other is better with a likelihood below
             * 1/2.
             */
            if (fit_los(fit, ahead, behind) > los_decided) {
                fit->bots[behind].rank_best++;
                fit->bots[ahead].rank_worst--;
            }
        }
}

/* Computes ratings and errors, with the prior: every bot gets a finite rating. */
static int rate(struct fit *fit, const struct games *games)
{
    size_t n = (size_t)fit->bot_count;
    double tau = fit->prior_elo / ELO_PER_NATURAL;
    double *theta = calloc(4 * n + 2 * n * n + 1, sizeof *theta);

    if (!theta)
        return -ENOMEM;
    double *model = theta + 4 * n;
    double *clustered = model + n * n;
    int error = climb_likelihood(games, fit->prior_elo == FIT_PRIOR_NONE ? 0 : 1 / (tau * tau),
                                 theta, model);
    fit->errors_modelled = games->group_count < 2;
    if (error == 0 && !fit->errors_modelled)
        error = fit_covariance(games, theta, model, clustered);
    if (error == 0) {
        for (size_t i = 0; i < n; i++)
            fit->bots[i].elo = theta[i] * ELO_PER_NATURAL;
        set_own_errors(fit, model, clustered, theta + n);
        set_pair_errors(fit, model, clustered);
        set_rank_ranges(fit);
    }
    free(theta);
    return error;
}

int fit_init(struct fit *fit, const struct games *games, double prior_elo)
{
    size_t n = (size_t)games->bot_count;

    memset(fit, 0, sizeof *fit);
    fit->bot_count = games->bot_count;
    fit->prior_elo = prior_elo;
    fit->bots = calloc(n + 1, sizeof *fit->bots);
    fit->pair_se_elo = calloc(n * n + 1, sizeof *fit->pair_se_elo);
    int error = fit->bots && fit->pair_se_elo ? links_init(&fit->links, games) : -ENOMEM;
    if (error == 0 && prior_elo == FIT_PRIOR_NONE && fit->links.set_count > 1) {
        fit->prior_elo = FIT_PRIOR_ELO;
        fit->prior_replaced = true;
    }
    if (error == 0)
        flag_bots(fit, games);
    if (error == 0 && n > 0)
        error = rate(fit, games);
    if (error < 0)
        fit_finish(fit);
    return error;
}

void fit_finish(struct fit *fit)
{
    free(fit->bots);
    free(fit->pair_se_elo);
    links_finish(&fit->links);
    memset(fit, 0, sizeof *fit);
}

double fit_pair_se(const struct fit *fit, int a, int b)
{
    return fit->pair_se_elo[(size_t)a * (size_t)fit->bot_count + (size_t)b];
}

double fit_los(const struct fit *fit, int a, int b)
{
    double ahead = fit->bots[a].elo - fit->bots[b].elo;
    double se = fit_pair_se(fit, a, b);

    if (se > 0)
        return erfc(-ahead / se / sqrt(2)) / 2;
    return ahead > 0 ? 1 : ahead < 0 ? 0 : 0.5;
}

const char *fit_flag_name(enum fit_flag flag)
{
    switch (flag) {
    case FIT_UNBEATEN:
        return "unbeaten";
    case FIT_WINLESS:
        return "winless";
    case FIT_UNVARIED:
        return "unvaried";
    case FIT_UNCONNECTED:
        return "unconnected";
    case FIT_PROVISIONAL:
        return "provisional";
    case FIT_UNPLAYED:
        return "unplayed";
    }
    return "";
}

/* Returns a rating in millionths of an Elo point; smaller differences are rounding errors. */
static int64_t micro(const struct fit *fit, int bot)
{
    return llround(fit->bots[bot].elo * 1e6);
}

void fit_order(const struct fit *fit, int *order)
{
    /* Insertion sort: lists are short, and ties must keep their order. */
    for (int i = 0; i < fit->bot_count; i++) {
        int at = i;

        for (; at > 0 && micro(fit, order[at - 1]) < micro(fit, i); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

double decided_evidence(double difference_elo, double se_elo)
{
    double mixed = DECIDED_SD_ELO * DECIDED_SD_ELO;
    double variance = se_elo * se_elo;

    if (!(variance > 0))
        return difference_elo == 0 ? -INFINITY : INFINITY;
    return (log(variance / (variance + mixed)) +
            difference_elo * difference_elo * mixed / (variance * (variance + mixed))) /
           2;
}

bool decided_pair(double difference_elo, double se_elo)
{
    return decided_evidence(difference_elo, se_elo) >= DECIDED_EVIDENCE;
}

/* Returns p ln(p / q), and 0 for p = 0. */
static double entropy_part(double p, double q)
{
    return p > 0 ? p * log(p / q) : 0;
}

struct residual residual_of(const struct games *games, const struct fit *fit, int a, int b)
{
    const struct games_pair *pair = games_pair_of(games, a < b ? a : b, a < b ? b : a);
    struct residual residual = {.game_count = pair->game_count};

    if (pair->game_count == 0)
        return residual;
    residual.score = (double)games_halves(games, a, b) / (2 * (double)pair->game_count);
    residual.expected = elo_expected(fit->bots[a].elo - fit->bots[b].elo);
    residual.evidence =
        (double)pair->game_count * (entropy_part(residual.score, residual.expected) +
                                    entropy_part(1 - residual.score, 1 - residual.expected));
    return residual;
}

double residual_bound(const struct games *games)
{
    int64_t met_count = 0;

    for (int b = 0; b < games->bot_count; b++)
        for (int a = 0; a < b; a++)
            met_count += games_pair_of(games, a, b)->game_count > 0;
    return met_count == 0 ? (double)INFINITY : log(2 * (double)met_count / RESIDUAL_CHANCE);
}
