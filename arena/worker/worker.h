/*
 * A worker on an event loop: leases groups for all its jobs, has the runner play their games, and
 * delivers them. It plays all games of a group, unless it ends or loses the lease. It judges
 * nothing: the daemon plays each replay again. connection.h talks to the store, cache.h keeps
 * packages, season/staging.h unpacks them.
 */
#ifndef ARENA_WORKER_WORKER_H
#define ARENA_WORKER_WORKER_H

#include "arena/play/runner.h"
#include "arena/store/leases.h"
#include "arena/worker/cache.h"

enum worker_event {
    WORKER_STARTED = 0,
    WORKER_LOST = 1,     /* the store does not answer: no game begins until it does */
    WORKER_BACK = 2,     /* the store answers again */
    WORKER_REFUSED = 3,  /* a game was not taken: it was late, or its season was closed */
    WORKER_ERROR = 4,    /* the arena failed: the groups concerned are given back */
    WORKER_STOPPING = 5, /* only groups already begun are played */
    WORKER_STOPPED = 6,
};

/* Returns the name of an event, a static string. */
const char *worker_event_name(enum worker_event event);

/* Fills in this machine: host, processor, architecture, cores, and its speed, in a fifth of a
 * second. */
void worker_describe(struct store_worker *worker);

struct worker_options {
    struct store *store;        /* open; owned by the worker until worker_run returns */
    struct store_worker worker; /* already registered in the store */
    const struct cache *cache;  /* borrowed, like the next three */
    const struct transport *transport;
    const struct sandbox *sandbox; /* the sandbox of the bots; NULL: none (a test) */
    const char *program; /* the arena's program, for unpacking packages; NULL: this program */
    int64_t lease_us;
    int drain_s;  /* time limit for begun groups after a stop */
    bool listens; /* listens for new work: true for one worker per host */
    void (*log_fn)(enum worker_event event, const char *name, const char *words);
};

struct worker_report {
    int64_t game_count;    /* games delivered */
    int64_t forfeit_count; /* seats in these games that did not play to the end */
    int64_t refused_count; /* games that were not taken */
    bool failed;           /* the arena failed: see error */
    char error[SOURCE_ERROR_BYTES];
};

/*
 * Works until SIGINT or SIGTERM; a second signal, or drain_s after the first, gives up running
 * games. Blocks. Returns 0, or -1 if the arena failed.
 */
int worker_run(const struct worker_options *options, struct worker_report *report);

#endif
