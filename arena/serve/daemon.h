/* SPDX-License-Identifier: MIT */
/*
 * The daemon plays all open seasons at the same time on one loop, starts other processes of this
 * program to build, check and admit submissions and to publish the site, and reports its state.
 *
 *   loop      players of all seasons, which share the jobs; the loop serves the bots, so nothing
 *             on it may block
 *   scout     a thread: reads the store, loads seasons, writes the status file
 *   seasons   a thread per season being played: plans and stores (season/player.c)
 *   admit     a process per submission, at lower priority
 *   analyse   a process while the machine is idle, at the lowest priority, at most one at a time
 *   contest   a process per challenge, at lower priority, at most one at a time
 *   publish   a process, at lower priority, at most one at a time
 *   services  processes at lower priority that run all the time: the desk and the web process
 *             (web/web.h), and the one that tells the organizer's program news (commands/tell.c)
 *
 * All lasting state is in the store: any part of the daemon can be killed at any moment, and
 * continues from that state when it is started again.
 */
#ifndef ARENA_SERVE_DAEMON_H
#define ARENA_SERVE_DAEMON_H

#include <ev.h>

#include "arena/play/table.h"
#include "sandbox/sandbox.h"

/* A process of this program that the daemon keeps running, such as the web process. */
struct daemon_service {
    const char *name;             /* name in the log; NULL after the last service */
    const char *const *arguments; /* the command and its arguments; NULL after the last */
    bool has_store;               /* the process gets the store's URL, which may hold a password */
};

struct daemon_options {
    const char *url;     /* address of the store */
    const char *folder;  /* the home folder; the status reports the free space of its disk */
    const char *site;    /* folder of the site; may be NULL */
    const char *address; /* public address of the site, without "/" at its end; may be NULL */
    const char *contact; /* how to reach the organizer; may be NULL */
    const char *program; /* archive of the program, which the site offers; may be NULL */
    const char *status;  /* path of the status file */
    const char *metrics; /* path of the metrics file; may be NULL */
    /* More arguments for each `arena admit`; NULL after the last. */
    const char *const *admit_options;
    const struct daemon_service *services; /* may be NULL */
    bool is_web;                           /* a web process serves the site, so it has live games */
    int admit_s;                           /* time limit of one submission */
    int patience_s; /* time of one submission beside all games, before it gets a job of theirs */
    int job_count;  /* maximum number of games at once, over all seasons; 0: play nothing */
    int analyse_percent;     /* share of the processors for analysing games unasked; 0: none */
    int every_s;             /* shortest time between the starts of two publications, in seconds */
    int drain_s;             /* how long running games may continue after a stop */
    struct sandbox *sandbox; /* the sandbox of the bots; borrowed */
    /*
     * Logs an event: "started", "season begun", "season rests", "submission", "challenge",
     * "analysed", "published", "service", "change", "store back", "error", "stopping" or "stopped".
     * Must not block. name is that of a season, a submission or a service, or "".
     */
    void (*log_fn)(const char *event, const char *name, const char *words);
};

/*
 * Runs until SIGINT or SIGTERM; then lets running games end for at most drain_s, and stops all
 * others. Returns 0, or -errno if the daemon could not start.
 */
int daemon_run(const struct daemon_options *options);

#endif
