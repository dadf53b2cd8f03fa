/*
 * A worker on an event loop: leases groups for all its jobs, has their games played by the runner,
 * and brings them back. All games of a group are played here, unless the worker ends or loses the
 * lease. lessee.h talks to the store, depot.h keeps packages, staging.h unpacks them.
 */
#ifndef ARENA_WORKER_HOST_H
#define ARENA_WORKER_HOST_H

#include <ev.h>

#include "arena/play/runner.h"
#include "arena/store/depot/depot.h"
#include "arena/store/leases.h"

enum host_event {
    HOST_STARTED = 0,
    HOST_LOST = 1,     /* the store does not answer: nothing begins until it does */
    HOST_BACK = 2,     /* it does again */
    HOST_REFUSED = 3,  /* a result came too late, or its season was closed: it is not kept */
    HOST_ERROR = 4,    /* the arena failed: what it concerns is given back */
    HOST_STOPPING = 5, /* begun groups are finished */
    HOST_STOPPED = 6,
};

/* Its name, a static string. */
const char *host_event_name(enum host_event event);

struct host_options {
    struct store *store;        /* open: the host's until host_run returns */
    struct store_worker worker; /* registered */
    struct depot *depot;        /* borrowed, as the next three */
    const struct transport *transport;
    const struct sandbox *sandbox; /* that the bots run in, NULL: in none (a test) */
    const char *program;           /* the arena, which unpacks packages; NULL: this program */
    int64_t lease_us;
    int drain_s;  /* how long begun groups may take once it is told to stop */
    bool listens; /* one worker a host does */
    void (*log_fn)(enum host_event event, const char *name, const char *words);
};

struct host_report {
    int64_t game_count;    /* stored */
    int64_t forfeit_count; /* seats in them that did not play to the end */
    int64_t refused_count; /* games that were not kept */
    bool failed;           /* the arena failed: error says how */
    char error[SOURCE_ERROR_BYTES];
};

/*
 * Works until SIGINT or SIGTERM; a second one, or drain_s after the first, gives up games under
 * way. Blocks. 0, or -1 when the arena failed.
 */
int host_run(const struct host_options *options, struct host_report *report);

#endif
