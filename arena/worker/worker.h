/* SPDX-License-Identifier: MIT */
/*
 * A worker on an event loop: claims groups for all its jobs, has the runner play their games, and
 * delivers the games to the store. The worker plays all games of a group, unless the worker ends or
 * loses the group. The worker does not decide which games count: the daemon plays each replay
 * again. connection.h talks to the store and keeps packages, season/staging.h unpacks them.
 */
#ifndef ARENA_WORKER_WORKER_H
#define ARENA_WORKER_WORKER_H

#include "arena/play/runner.h"
#include "arena/store/leases.h"
#include "arena/worker/connection.h"

enum worker_event {
    WORKER_STARTED = 0,
    /* The store does not answer: the worker begins no new group until the store does. */
    WORKER_LOST = 1,
    WORKER_BACK = 2, /* the store answers again */
    /* The store refused a game: the game came late, or its season was closed. */
    WORKER_REFUSED = 3,
    WORKER_ERROR = 4,    /* the arena failed: the worker gives back the groups concerned */
    WORKER_STOPPING = 5, /* the worker plays only groups that it has begun */
    WORKER_STOPPED = 6,
};

/* Returns the name of an event, a static string. */
const char *worker_event_name(enum worker_event event);

/*
 * Fills in the fields that describe this machine: host, processor, architecture, cores, and speed.
 * Takes a fifth of a second.
 */
void worker_describe(struct store_worker *worker);

struct worker_options {
    struct store *store; /* an open store; only the worker may use it until worker_run returns */
    struct store_worker worker; /* the worker, already registered in the store */
    const struct cache *cache;  /* cache of packages; borrowed, like the next three fields */
    const struct transport *transport;
    const struct sandbox *sandbox; /* the sandbox of the bots; NULL: none (a test) */
    /* Path of the arena's program, which unpacks packages; NULL: this program. */
    const char *program;
    int64_t lease_us;
    int drain_s; /* time limit for games of groups that have begun, after a stop */
    void (*log_fn)(enum worker_event event, const char *name, const char *words);
};

struct worker_report {
    int64_t game_count;    /* games that the store took */
    int64_t forfeit_count; /* seats that forfeited in the games that the store took */
    int64_t refused_count; /* games that the store refused */
    bool failed;           /* the arena failed: error says why */
    char error[SOURCE_ERROR_BYTES];
};

/*
 * Works until SIGINT or SIGTERM, then plays only the groups that have begun. Stops running games at
 * a second signal, or drain_s after the first. Blocks. Returns 0, or -1 if the arena failed.
 */
int worker_run(const struct worker_options *options, struct worker_report *report);

#endif
