#include "arena/rating/residual.h"

#include <math.h>

#include "arena/rating/elo.h"

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
