/* SPDX-License-Identifier: MIT */
/*
 * Checks a whole store: rows, references, checksums, packages of bots and, if the caller asks for
 * it, every result against its replay. Changes nothing.
 */
#ifndef ARENA_REPORT_AUDIT_H
#define ARENA_REPORT_AUDIT_H

#include "arena/store/store.h"

/* Called for each fault, with one line of text. */
typedef void audit_fault_fn(void *context, const char *line);

struct audit {
    bool replays;       /* play every replay again and compare its result with the game's row */
    const char *folder; /* a folder of the caller, in which packages are unpacked, one at a time */
    audit_fault_fn *fault_fn;
    void *context;
    /*
     * Set by audit_store: how many bots, seasons, games and replays it checked, and how many faults
     * it found.
     */
    int64_t bot_count, season_count, game_count, replay_count, fault_count;
    int64_t pruned_count; /* if replays is set: number of games whose replay was pruned */
};

/* Checks the whole store. Returns 0 even if it finds faults, or -errno (see store_failure). */
int audit_store(struct audit *audit, struct store *store);

#endif
