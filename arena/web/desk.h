/*
 * The desk: a process of the daemon that answers the questions of the web process from the store.
 * Theory of operation: web.h.
 */
#ifndef ARENA_WEB_DESK_H
#define ARENA_WEB_DESK_H

#include "arena/intake/queue.h"

enum desk_limits {
    DESK_THREADS = 4, /* questions that are answered at a time */
};

struct desk_options {
    const char *url;         /* address of the store */
    const char *socket;      /* path of the socket to make; an older socket is replaced */
    const char *status_path; /* file with the daemon's status */
    const char *version;     /* of this program */
    struct queue_bounds bounds;
};

/* Answers until the process is killed. Returns -errno if the desk cannot begin. */
int desk_run(const struct desk_options *options);

#endif
