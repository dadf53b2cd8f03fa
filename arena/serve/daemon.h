/*
 * The daemon: plays every open season side by side on one loop, has submissions built, checked and
 * admitted and the site published by other processes of the same program, and tells how it stands.
 *
 *     loop      players of all seasons, which share the jobs; bots think here, so nothing waits
 *     scout     a thread: looks at the store, loads seasons, writes the status file
 *     workers   a thread a season that is played: plans and stores (season/worker.h)
 *     admit     a process a submission, at lower priority
 *     publish   a process, at lower priority, at most one at a time
 *
 * All that lasts is in the store. Whatever is killed at any instant is taken up again from there.
 */
#ifndef ARENA_SERVE_DAEMON_H
#define ARENA_SERVE_DAEMON_H

#include <ev.h>

#include "arena/play/table.h"
#include "sandbox/sandbox.h"

enum daemon_limits {
    DAEMON_ADMITS_MAX = 2, /* submissions at a time */
    DAEMON_ADMIT_S = 1800, /* the longest that one may take in all */
    DAEMON_PUBLISH_S = 3600,
    DAEMON_ERRORS_MAX = 8, /* that the status keeps, the latest */
    DAEMON_LINE_BYTES = 4096 + 512,
};

/* What happened, for the log. */
enum daemon_event {
    DAEMON_STARTED = 0,
    DAEMON_SEASON_BEGUN = 1,
    DAEMON_SEASON_RESTS = 2, /* its budget is spent, it is decided, closed, or seats no table */
    DAEMON_SUBMISSION = 3,   /* one has ended */
    DAEMON_PUBLISHED = 4,
    DAEMON_ERROR = 5, /* the arena's own */
    DAEMON_STOPPING = 6,
    DAEMON_STOPPED = 7,
};

struct daemon_options {
    const char *url;                  /* of the store */
    const char *folder;               /* the home: whose disk is told */
    const char *site;                 /* folder of the site, or NULL */
    const char *status;               /* file */
    const char *metrics;              /* file, or NULL */
    const char *const *admit_options; /* further arguments of each `arena admit`, NULL ended */
    int job_count;                    /* games at a time in all; 0: plays nothing */
    int every_s;                      /* at least, between two publications */
    int drain_s;                      /* that games under way have once it is to stop */
    struct sandbox *sandbox;          /* that the bots run in; borrowed */
    /* One line an event; name is of a season or a submission, or "". */
    void (*log_fn)(enum daemon_event event, const char *name, const char *words);
};

/* The name of an event, a static string. */
const char *daemon_event_name(enum daemon_event event);

/*
 * Runs until SIGINT or SIGTERM: games under way are then played to their end, up to drain_s, or
 * given up (they are played again later). Returns 0, or -errno when it could not begin.
 */
int daemon_run(const struct daemon_options *options);

#endif
