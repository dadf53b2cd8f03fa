/* SPDX-License-Identifier: MIT */
/*
 * The arena on the network: `arena web`, and `arena serve --web`, which starts the same process.
 *
 *     browser, curl, arena submit --to
 *        |  HTTP, or HTTPS with a certificate of our own; usually behind nginx or caddy
 *     web      a process that strangers talk to: confined, an ordinary user, without the store.
 *        |     Reads the site's folder and that of live games beside it, and writes uploads to
 *        |     the inbox, as files without a name. Bounds heads, bodies, rates, connections and
 *        |     waits; converts uploads to packages.
 *        |  Unix socket: one question and one answer per connection (message.h)
 *     desk     a process of the daemon, at lower priority, with the store. Knows the hashes of
 *        |     the tokens, and decides what the caller with a token may read and do (api.h).
 *        |     Checks each uploaded package again before it stores the package and answers 201.
 *     serve    the daemon. Finds submissions in the store, as without web. Starts desk and web,
 *              and starts them again when they end; the daemon's loop never waits for them.
 *
 * The inbox and the socket keep nothing: whichever process is killed, an upload is either in the
 * store or was not answered. Somebody who takes over the web process can read the pages, can see
 * the tokens and uploads that arrive from then on, and can ask the desk what anybody with these
 * tokens can ask.
 *
 * In the web process, libmicrohttpd's thread handles connections. The thread suspends a request
 * for which the desk must be asked, and gives the question to a clerk (clerks.h): a thread that
 * asks the desk and waits for the answer, until the client leaves or the question's deadline.
 * The main thread closes connections past their deadlines (visitors.h). The desk answers questions
 * in DESK_THREADS threads, each with its own connection to the store. One more thread, the door,
 * takes all questions, and gives each to the threads of its kind once it has come in full. A
 * question that nobody waits for any more is interrupted. Only the web process's user may ask: the
 * socket is for the desk's user and group; under root, the door looks at the asker's user. A web
 * process that was taken over can say that an upload came earlier than it did, by the time limit of
 * an upload at most.
 */
#ifndef ARENA_WEB_WEB_H
#define ARENA_WEB_WEB_H

#include <stdint.h>

#include "arena/intake/queue.h"

enum web_limits {
    DESK_THREADS = 8, /* one for each clerk */
    WEB_HEAD_BYTES_MAX = 32 << 10,
    WEB_IDLE_S = 30, /* time limit for a connection on which the client sends and takes no byte */
    WEB_NO_ROOM_S = 60, /* Retry-After in seconds if the arena has no room for an upload */
    WEB_ERROR_BYTES = 512,
};

struct web_options {
    const char *listen;            /* ADDRESS:PORT; NULL: none */
    const char *unix_path;         /* socket for a proxy on this machine; NULL: none */
    const char *site;              /* folder of the site; NULL: only the API */
    const char *certificate, *key; /* files for HTTPS; NULL: HTTP */
    const char *desk;              /* path of the desk's socket */
    const char *inbox;             /* folder for unfinished uploads */
    int64_t package_bytes;         /* largest package, as an uncompressed tar */
    /* Called with the address once the web process listens. */
    void (*ready_fn)(const char *address);
    void (*warn_fn)(const char *words); /* warns the organizer */
};

/*
 * Serves until SIGTERM or SIGINT. Confines the process for good: afterwards the process can only
 * exit, with _exit. Returns 0, or -errno with a line in error.
 */
int web_run(const struct web_options *options, char error[static WEB_ERROR_BYTES]);

struct desk_options {
    const char *url;         /* address of the store */
    const char *socket;      /* path of the socket to create; replaces an older socket */
    const char *status_path; /* file with the daemon's status */
    const char *analyses;    /* folder with GAME.json of each analysed game; NULL: none */
    const char *address;     /* public address of the site; NULL: unknown */
    const char *contact;     /* how to reach the organizer; NULL: unknown */
    const char *version;     /* of this program */
    struct queue_bounds bounds;
    void (*failed_fn)(const char *words); /* reports a failure to the organizer */
};

/*
 * Answers the web process's questions until this process is killed. Returns -errno if the desk
 * cannot start.
 */
int desk_run(const struct desk_options *options);

#endif
