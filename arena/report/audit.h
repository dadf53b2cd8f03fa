/*
 * A look through a whole store: rows, what they refer to, their checksums, and, where it is asked
 * for, every result against its replay. Changes nothing.
 */
#ifndef ARENA_REPORT_AUDIT_H
#define ARENA_REPORT_AUDIT_H

#include "arena/store/store.h"

/* One thing that is wrong, in one line. */
typedef void audit_fault_fn(void *context, const char *line);

struct audit {
    bool replays; /* play every replay again, and compare it with its game's row */
    audit_fault_fn *fault_fn;
    void *context;
    /* What was looked at, and what was found. */
    int64_t bot_count, season_count, game_count, replay_count, fault_count;
    int64_t pruned_count; /* games whose replay was pruned; with replays */
};

/* Reads everything. Returns 0, whatever it finds, or -errno (store_failure tells). */
int audit_store(struct audit *audit, struct store *store);

#endif
