#include "arena/rating/decided.h"

#include <math.h>

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
