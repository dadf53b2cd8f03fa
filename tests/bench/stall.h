/* Bots that think 5 ms and tell it, and what they were charged: for bench stall and bench serve. */
#ifndef TESTS_BENCH_STALL_H
#define TESTS_BENCH_STALL_H

#include <stddef.h>

#include "arena/store/store.h"

/* A bot's folder, with so many bytes that no archive makes fewer. */
void stall_make_folder(const char *folder, size_t more_bytes);

/* Adds bots from first to end - 1, "bot-000" and so on, all of one package. */
void stall_add_bots(struct store *store, const char *home, int first, int end, size_t more_bytes);

/* Prints games, forfeits and charges of a season as figures of a bench. */
void stall_figures(struct store *store, const char *name, const char *bench);

#endif
