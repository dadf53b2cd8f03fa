/*
 * Clerks: threads of the web process that ask the desk. Each kind of question has clerks and a
 * bounded queue of its own, so that uploads cannot hold up ladders, nor ladders a state.
 */
#ifndef ARENA_WEB_CLERKS_H
#define ARENA_WEB_CLERKS_H

#include <microhttpd.h>

#include "arena/web/api.h"

enum clerk_limits {
    CLERKS_A_KIND = 2,
    CLERK_QUEUE_MAX = 256,  /* questions of each kind that wait */
    CLERK_CACHE_MS = 1000,  /* how long an answer that is everybody's is given again ... */
    CLERK_STALE_MS = 10000, /* ... and how long while the desk is asked for a newer one */
};

enum clerk_kind {
    CLERK_LIGHT = 0,
    CLERK_HEAVY = 1,  /* questions that may take seconds */
    CLERK_UPLOAD = 2, /* uploads, which are first converted to packages */
    CLERK_KINDS = 3,
};

/* A question of a request. The caller keeps it until the request ends. */
struct question {
    struct question *next; /* in the queue */
    struct MHD_Connection *connection;
    const struct api_route *route;
    struct api_request api;
    int upload_fd; /* what was uploaded, in the inbox; the clerk closes it; -1: no upload */
    struct api_answer answer;
};

/* Changes to the folder of the desk's socket, whose path is given. Returns 0 or -errno. */
int clerks_find_desk(const char *path);

/*
 * Starts the clerks, who write to the folder inbox_fd. They refuse packages larger than
 * package_bytes. Returns 0 or -errno.
 */
int clerks_start(int inbox_fd, int64_t package_bytes);

enum clerk_result {
    CLERK_ASKED,    /* the connection is suspended until a clerk has set question->answer */
    CLERK_ANSWERED, /* question->answer is set: the same was asked a moment ago */
    CLERK_FULL,     /* too many questions wait */
};

/* Has a question answered. */
enum clerk_result clerks_ask(struct question *question);

/* Asks the desk at once, and blocks until it has answered. upload_fd is a package, or -1. */
void clerks_ask_desk(const struct api_request *api, int upload_fd, struct api_answer *answer);

/* Makes a file without a name in the inbox. Returns its descriptor, or -1. */
int clerks_open_upload(void);

/* Returns how many questions of a kind wait, or are being asked. */
int clerks_busy(enum clerk_kind kind);

#endif
