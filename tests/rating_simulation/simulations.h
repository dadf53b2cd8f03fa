/* SPDX-License-Identifier: MIT */
/*
 * The simulations, one per file. Factor 1 is the size for the ordinary suite; a larger one
 * multiplies the number of seasons or tests. Each prints its measurements and returns 0 if they are
 * within the limits of docs/ratings.md, else 1.
 */
#ifndef TESTS_RATING_SIMULATION_SIMULATIONS_H
#define TESTS_RATING_SIMULATION_SIMULATIONS_H

typedef int simulation_fn(int factor);

simulation_fn simulate_balance;
simulation_fn simulate_coverage;
simulation_fn simulate_decided;
simulation_fn simulate_pairing;
simulation_fn simulate_sprt;

#endif
