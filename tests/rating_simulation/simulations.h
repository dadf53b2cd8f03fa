/*
 * The simulations, a file each. A factor of 1 is the ordinary suite's size, a larger
 * one multiplies the seasons or tests. Each prints what it measured and returns 0 if
 * that is within the limits of docs/ratings.md, else 1.
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
