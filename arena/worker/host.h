/*
 * A worker on an event loop: leases groups for all its jobs, has the runner play their games, and
 * stores the results. It plays all games of a group, unless it ends or loses the lease. lessee.h
 * talks to the store, depot.h keeps packages, staging.h unpacks them.
 */
#ifndef ARENA_WORKER_HOST_H
#define ARENA_WORKER_HOST_H

#include <ev.h>

#include "arena/play/runner.h"
#include "arena/store/depot/depot.h"
#include "arena/store/leases.h"

enum host_event {
    HOST_STARTED = 0,
    HOST_LOST = 1,     /* the store does not answer: no game begins until it does */
    HOST_BACK = 2,     /* the store answers again */
    HOST_REFUSED = 3,  /* a result was not stored: it was late, or its season was closed */
    HOST_ERROR = 4,    /* the arena failed: the groups concerned are given back */
    HOST_STOPPING = 5, /* only groups already begun are played */
    HOST_STOPPED = 6,
};

/* Returns the name of an event, a static string. */
const char *host_event_name(enum host_event event);

struct host_options {
    struct store *store;        /* open; owned by the host until host_run returns */
    struct store_worker worker; /* already registered in the store */
    struct depot *depot;        /* borrowed, like the next three */
    const struct transport *transport;
    const struct sandbox *sandbox; /* the sandbox of the bots; NULL: none (a test) */
    const char *program; /* the arena's program, for unpacking packages; NULL: this program */
    int64_t lease_us;
    int drain_s;  /* time limit for begun groups after a stop */
    bool listens; /* listens for new work: true for one worker per host */
    void (*log_fn)(enum host_event event, const char *name, const char *words);
};

struct host_report {
    int64_t game_count;    /* games stored */
    int64_t forfeit_count; /* seats in these games that did not play to the end */
    int64_t refused_count; /* games whose results were refused */
    bool failed;           /* the arena failed: see error */
    char error[SOURCE_ERROR_BYTES];
};

/*
 * Works until SIGINT or SIGTERM; a second signal, or drain_s after the first, gives up running
 * games. Blocks. Returns 0, or -1 if the arena failed.
 */
int host_run(const struct host_options *options, struct host_report *report);

#endif
