/* Do 95 % errors cover the truth in 95 % of cases, whatever luck a group shares? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arena/rating/fit.h"
#include "tests/rating_simulation/luck.h"
#include "tests/rating_simulation/simulations.h"

enum {
    BOTS = 12,
    GAMES = 1500, /* of a season, in whole groups */
    SEASONS = 500,
};

static const double covered_least = 0.93;
static const double covered_most = 0.97;

struct coverage {
    long own_count, own_covered;
    long pair_count, pair_covered;
};

/* Random bots meet at random tables. */
static void play_season(struct luck *luck, const double *elo, int player_count, struct games *games)
{
    for (int64_t group = 0; group < GAMES / player_count; group++) {
        struct games_result results[GAMES_PLAYERS_MAX];
        uint16_t bots[BOTS];

        for (int i = 0; i < BOTS; i++)
            bots[i] = (uint16_t)i;
        for (int i = 0; i < player_count; i++) {
            int from = i + luck_below(luck, BOTS - i);
            uint16_t bot = bots[from];
            bots[from] = bots[i];
            bots[i] = bot;
        }
        luck_play_group(luck, elo, group, player_count, bots, results);
        for (int game = 0; game < player_count; game++)
            if (games_add(games, &results[game]) < 0)
                abort();
    }
    if (games_settle(games) < 0)
        abort();
}

static void count_covered(const struct fit *fit, const double *elo, struct coverage *coverage)
{
    double mean = 0;

    for (int i = 0; i < BOTS; i++)
        mean += elo[i] / BOTS;
    for (int i = 0; i < BOTS; i++) {
        double off = fit->bots[i].elo - (elo[i] - mean);

        coverage->own_count++;
        coverage->own_covered += fabs(off) <= FIT_ERROR95 * fit->bots[i].se_elo;
        for (int j = 0; j < i; j++) {
            double apart = fit->bots[i].elo - fit->bots[j].elo - (elo[i] - elo[j]);

            coverage->pair_count++;
            coverage->pair_covered += fabs(apart) <= FIT_ERROR95 * fit_pair_se(fit, i, j);
        }
    }
}

static int simulate_design(int player_count, double share, int season_count)
{
    struct luck luck = {.state = (uint64_t)player_count * 1000 + (uint64_t)(share * 100),
                        .share = share};
    struct coverage coverage = {0};

    for (int season = 0; season < season_count; season++) {
        double elo[BOTS];
        struct games games;
        struct fit fit;

        for (int i = 0; i < BOTS; i++)
            elo[i] = 120 * luck_normal(&luck);
        if (games_init(&games, BOTS) < 0)
            abort();
        play_season(&luck, elo, player_count, &games);
        if (fit_init(&fit, &games, FIT_PRIOR_ELO) < 0)
            abort();
        count_covered(&fit, elo, &coverage);
        fit_finish(&fit);
        games_finish(&games);
    }
    double own = (double)coverage.own_covered / (double)coverage.own_count;
    double pair = (double)coverage.pair_covered / (double)coverage.pair_count;
    int is_right = own >= covered_least && own <= covered_most && pair >= covered_least &&
                   pair <= covered_most;
    printf("%d players, luck share %.2f, %d seasons: own errors cover %.2f %%, those of "
           "differences %.2f %%%s\n",
           player_count, share, season_count, 100 * own, 100 * pair, is_right ? "" : ": WRONG");
    return is_right ? 0 : 1;
}

int simulate_coverage(int factor)
{
    static const double shares[] = {0, 0.5, 0.9};
    int status = 0;

    for (int player_count = GAMES_PLAYERS_MIN; player_count <= GAMES_PLAYERS_MAX; player_count++)
        for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
            status |= simulate_design(player_count, shares[i], SEASONS * factor);
    return status;
}
