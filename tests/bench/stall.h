/*
 * Bots that think 5 ms and report it, and what they were charged: for bench stall and bench serve.
 */
#ifndef TESTS_BENCH_STALL_H
#define TESTS_BENCH_STALL_H

#include <stddef.h>

#include "arena/store/store.h"

/* Creates a bot's folder with more_bytes bytes that cannot be compressed. */
void stall_make_folder(const char *folder, size_t more_bytes);

/* Adds the bots first..end - 1, "bot-000" and so on, all with the same package. */
void stall_add_bots(struct store *store, const char *home, int first, int end, size_t more_bytes);

/* Prints the games, forfeits and charges of a season as figures of a bench; see bench_ideal_end. */
void stall_figures(struct store *store, const char *name, const char *bench, double ideal_us);

#endif
