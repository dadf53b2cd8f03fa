/* SPDX-License-Identifier: MIT */
/*
 * Clerks: threads of the web process that ask the desk (web.h) for answers. Each kind of
 * question has clerks and a queue of its own, in which each connection has at most one question. A
 * clerk gives a question up when its client has left, or at its deadline; the desk notices that,
 * and gives it up, too. Authors take turns with their uploads. A question with wait= stays in the
 * queue, and no thread with it: a clerk asks it again each second until its answer is another.
 */
#ifndef ARENA_WEB_CLERKS_H
#define ARENA_WEB_CLERKS_H

#include <microhttpd.h>

#include "arena/web/api.h"
#include "arena/web/http.h"

enum clerk_limits {
    CLERKS_A_KIND = 2,
};

/* A question for the desk, which the caller keeps until the request ends. */
struct question {
    struct question *next; /* in the queue */
    struct MHD_Connection *connection;
    int client_fd;       /* the connection's socket */
    bool takes_gzip;     /* the client takes a compressed answer */
    int64_t deadline_us; /* the clerks then give the question up */
    int64_t until_us;    /* until when the question waits for another answer (wait=) */
    int64_t again_us;    /* when it is asked again; 0: it was not asked yet */
    char state[16];      /* the state in the first answer */
    int64_t author_id;   /* of an upload: whose turn it takes, as the answer to its head said */
    const struct api_route *route;
    struct api_request api;
    int upload_fd; /* file of the body, which the caller closes if a clerk does not; -1: none */
    struct api_answer answer;
    struct http_body *body; /* the answer's body if others may have it, too; else NULL */
};

/*
 * Changes the working directory to the folder of the desk's socket; path is the socket's path.
 * Returns 0 or -errno.
 */
int clerks_find_desk(const char *path);

/*
 * Starts the threads. They write uploads to the folder inbox_fd, and refuse packages larger than
 * package_bytes. Returns 0 or -errno.
 */
int clerks_start(int inbox_fd, int64_t package_bytes);

/*
 * Has a question answered. Returns true if question->answer is set, to a cached answer to an equal
 * question; false if the connection is suspended until a clerk has set question->answer.
 */
bool clerks_ask(struct question *question);

/* Creates a file without a name in the folder of uploads. Returns its descriptor, or -1. */
int clerks_open_upload(void);

/* Returns how many questions of a kind wait for a clerk, or for the desk's answer. */
int clerks_busy(enum clerk_kind kind);

#endif
