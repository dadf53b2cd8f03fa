/* SPDX-License-Identifier: MIT */
#include "tests/rating_simulation/luck.h"

#include <math.h>

#include "arena/rating/elo.h"
#include "engine/draw.h"

double luck_uniform(struct luck *luck)
{
    return ((double)(draw_next(&luck->state) >> 12) + 0.5) / 4503599627370496.0;
}

double luck_normal(struct luck *luck)
{
    return sqrt(-2 * log(luck_uniform(luck))) * cos(6.283185307179586 * luck_uniform(luck));
}

int luck_below(struct luck *luck, int count)
{
    return (int)((draw_next(&luck->state) >> 32) * (uint64_t)count >> 32);
}

/*
 * Returns what a seat's luck adds to its strength: shared and own normal parts, transformed to a
 * Gumbel variable. The difference of two of these is logistic, so that the rating formula is exact
 * for any two seats of a game.
 */
static double seat_luck(struct luck *luck, double shared)
{
    if (luck->share == 0)
        return -log(-log(luck_uniform(luck)));
    double normal = sqrt(luck->share) * shared + sqrt(1 - luck->share) * luck_normal(luck);
    double below = erfc(-normal / sqrt(2)) / 2;
    return -log(-log(fmin(fmax(below, 1e-300), 1 - 1e-16)));
}

void luck_play_group(struct luck *luck, const double *elo, int64_t group, int player_count,
                     const uint16_t *base, struct games_result results[static GAMES_PLAYERS_MAX])
{
    double shared[GAMES_PLAYERS_MAX] = {0};

    for (int seat = 0; seat < player_count && luck->share > 0; seat++)
        shared[seat] = luck_normal(luck);
    for (int game = 0; game < player_count; game++) {
        double performance[GAMES_PLAYERS_MAX];
        struct games_result *result = &results[game];

        *result = (struct games_result){.group = group, .player_count = player_count};
        for (int seat = 0; seat < player_count; seat++) {
            result->bots[seat] = base[(seat + game) % player_count];
            performance[seat] =
                elo[result->bots[seat]] / ELO_PER_NATURAL + seat_luck(luck, shared[seat]);
        }
        for (int seat = 0; seat < player_count; seat++) {
            result->ranks[seat] = 1;
            for (int other = 0; other < player_count; other++)
                if (performance[other] > performance[seat])
                    result->ranks[seat]++;
        }
    }
}
