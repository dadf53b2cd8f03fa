/*
 * Decides whether the better of two neighbors on a list is known, even if the question is asked
 * after every game. A 95 % interval does not decide it: asked often enough, it errs at some time.
 * The mixture likelihood ratio compares equality with differences drawn from a normal distribution
 * with a standard deviation of 50 Elo; for two equal bots it reaches 20 in at most 5 % of seasons.
 * Pure. Source: docs/ratings.md.
 */
#ifndef ARENA_RATING_DECIDED_H
#define ARENA_RATING_DECIDED_H

#include <stdbool.h>

#define DECIDED_SD_ELO   50.0 /* standard deviation of the differences compared with equality */
#define DECIDED_EVIDENCE 2.9957322735539909 /* ln 20: odds of 20 to 1 against equality */

/*
 * Returns the natural logarithm of the likelihood ratio for a rating difference and its standard
 * error, both in Elo; the sign of the difference does not matter. If the error is 0: +INFINITY for
 * different ratings, -INFINITY for equal ones.
 */
double decided_evidence(double difference_elo, double se_elo);

/* True if decided_evidence is at least DECIDED_EVIDENCE. */
bool decided_pair(double difference_elo, double se_elo);

#endif
