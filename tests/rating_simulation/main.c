/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/rating_simulation/simulations.h"

static const struct {
    const char *name;
    simulation_fn *run_fn;
} simulations[] = {
    {"balance", simulate_balance}, {"coverage", simulate_coverage}, {"decided", simulate_decided},
    {"pairing", simulate_pairing}, {"sprt", simulate_sprt},
};

int main(int argc, char **argv)
{
    int factor = argc > 2 ? atoi(argv[2]) : 1;

    for (size_t i = 0; i < sizeof simulations / sizeof *simulations; i++)
        if (argc > 1 && strcmp(argv[1], simulations[i].name) == 0 && factor > 0)
            return simulations[i].run_fn(factor);
    fputs("usage: simulate_rating balance|coverage|decided|pairing|sprt [FACTOR]\n", stderr);
    return 2;
}
