/*
 * Is the better of two neighbors on a list known, for somebody who looks as often as he
 * likes? One look at 95 % does not say so: of many looks one errs. The mixture likelihood
 * ratio weighs every difference, drawn from a normal distribution of 50 Elo, against none;
 * it reaches 20 in at most 5 % of seasons of two equal bots. Pure. Source: docs/ratings.md.
 */
#ifndef ARENA_RATING_DECIDED_H
#define ARENA_RATING_DECIDED_H

#include <stdbool.h>

#define DECIDED_SD_ELO   50.0               /* of the differences that are weighed against none */
#define DECIDED_EVIDENCE 2.9957322735539909 /* ln 20: odds of 20 to 1 against equality */

/*
 * The natural logarithm of the likelihood ratio for a difference of two ratings and its
 * standard error, both in Elo; the sign of the difference does not matter. Without an
 * error, +INFINITY for different ratings and -INFINITY for equal ones.
 */
double decided_evidence(double difference_elo, double se_elo);

/* True when that reaches DECIDED_EVIDENCE. */
bool decided_pair(double difference_elo, double se_elo);

#endif
