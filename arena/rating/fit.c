#include "arena/rating/fit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/climb.h"
#include "arena/rating/elo.h"
#include "arena/rating/matrix.h"
#include "arena/rating/spread.h"

static const double los_decided = 0.975;

/* True if some bots that played are not connected with each other by games. */
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

/* Sets each bot's flags from the games alone. */
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
 * Computes the weights of the mean that ratings are relative to: of the bots that played, or of all
 * if none did.
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

/* Sets the bots' own errors; their flags must be set. */
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

            /* The bot behind cannot be decided to be ahead: its likelihood is below 1/2. */
            if (fit_los(fit, ahead, behind) > los_decided) {
                fit->bots[behind].rank_best++;
                fit->bots[ahead].rank_worst--;
            }
        }
}

/* Computes ratings and errors, with a prior that gives every bot a finite rating. */
static int rate(struct fit *fit, const struct games *games)
{
    size_t n = (size_t)fit->bot_count;
    double tau = fit->prior_elo / ELO_PER_NATURAL;
    double *theta = calloc(4 * n + 2 * n * n + 1, sizeof *theta);
    double *model = theta + 4 * n;
    double *clustered = model + n * n;

    if (!theta)
        return -ENOMEM;
    int error = fit->step_count = climb_likelihood(
        games, fit->prior_elo == FIT_PRIOR_NONE ? 0 : 1 / (tau * tau), theta, model);
    fit->errors_modelled = games->group_count < 2;
    if (error >= 0 && !fit->errors_modelled)
        error = spread_covariance(games, theta, model, clustered);
    if (error >= 0) {
        for (size_t i = 0; i < n; i++)
            fit->bots[i].elo = theta[i] * ELO_PER_NATURAL;
        set_own_errors(fit, model, clustered, theta + n);
        set_pair_errors(fit, model, clustered);
        set_rank_ranges(fit);
    }
    free(theta);
    return error < 0 ? error : 0;
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

/* Returns a rating in millionths: smaller differences are rounding errors. */
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
