#include "arena/season/probation.h"

void probation_add(struct probation *probation, bool forfeited)
{
    unsigned games = (unsigned)probation->forfeits << 1 | forfeited;

    probation->forfeits = (uint16_t)(games & ((1u << PROBATION_WINDOW) - 1));
}

bool probation_holds(const struct probation *probation)
{
    return probation_row(probation) >= PROBATION_ROW ||
           probation_count(probation) >= PROBATION_HALF;
}

int probation_row(const struct probation *probation)
{
    int row = 0;

    while (probation->forfeits >> row & 1)
        row++;
    return row;
}

int probation_count(const struct probation *probation)
{
    return __builtin_popcount(probation->forfeits);
}

int probation_games_left(const struct probation *probation)
{
    struct probation later = *probation;
    int count = 0;

    for (; probation_holds(&later); count++)
        probation_add(&later, false);
    return count;
}
