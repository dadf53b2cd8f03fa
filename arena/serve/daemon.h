/*
 * The daemon: plays all open seasons at the same time on one loop, starts other processes of this
 * program to build, check and admit submissions and to publish the site, and reports its state.
 *
 *   loop      players of all seasons, which share the jobs; it serves the bots, so nothing blocks
 *   scout     a thread: reads the store, loads seasons, writes the status file
 *   workers   a thread per season being played: plans and stores (season/season_thread.h)
 *   log       a thread: writes it, so that neither a stopped terminal nor a pipe that nobody
 *             reads holds the loop or its end
 *   admit     a process per submission, at lower priority
 *   publish   a process, at lower priority, at most one at a time
 *
 * All lasting state is in the store: whatever part is killed, and whenever, resumes from there.
 */
#ifndef ARENA_SERVE_DAEMON_H
#define ARENA_SERVE_DAEMON_H

#include <ev.h>

#include "arena/play/table.h"
#include "sandbox/sandbox.h"

/* What happened, for the log. */
enum daemon_event {
    DAEMON_STARTED = 0,
    DAEMON_SEASON_BEGUN = 1,
    DAEMON_SEASON_RESTS = 2, /* budget spent, decided, closed, or no table can be filled */
    DAEMON_SUBMISSION = 3,   /* a submission has ended */
    DAEMON_PUBLISHED = 4,
    DAEMON_ERROR = 5, /* an error of the arena */
    DAEMON_STOPPING = 6,
    DAEMON_STOPPED = 7,
};

enum {
    DAEMON_LOG_IS_STUCK = 1,
};

enum daemon_limits {
    DAEMON_ADMITS_MAX = 2, /* submissions at a time */
    DAEMON_PUBLISH_S = 3600,
    DAEMON_ERRORS_MAX = 8, /* the latest ones, kept for the status */
    DAEMON_LINE_BYTES = 4096 + 512,
    DAEMON_LOG_LINES_MAX = 1000, /* that wait to be written; more are only counted */
    DAEMON_LOG_END_MS = 2000,    /* that the lines waiting at the end have */
};

struct daemon_options {
    const char *url;                  /* of the store */
    const char *folder;               /* the home folder, whose disk the status reports */
    const char *site;                 /* folder of the site, or NULL */
    const char *status;               /* the status file */
    const char *metrics;              /* file, or NULL */
    const char *const *admit_options; /* more arguments for each `arena admit`, NULL ended */
    int admit_s;                      /* time limit of one submission */
    int job_count;                    /* total of games at a time; 0: plays nothing */
    int every_s;                      /* minimum time between two publications */
    int drain_s;                      /* time limit for running games after a stop */
    struct sandbox *sandbox;          /* the sandbox of the bots; borrowed */
    /* Called with one line per event by a thread of its own, so it may block; name is that of a
       season or a submission, or "". */
    void (*log_fn)(enum daemon_event event, const char *name, const char *words);
};

/* Returns the name of an event, a static string. */
const char *daemon_event_name(enum daemon_event event);

/*
 * Runs until SIGINT or SIGTERM. Running games are then played to their end, for up to drain_s, or
 * given up (and played again later). Returns 0, -errno if it could not start, or
 * DAEMON_LOG_IS_STUCK: a thread is blocked in log_fn, so the process has to end with _exit.
 */
int daemon_run(const struct daemon_options *options);

#endif
