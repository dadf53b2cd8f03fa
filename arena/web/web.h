/*
 * The arena on the network: `arena web`, and `arena serve --web`, which runs the same.
 *
 *     browser, curl, arena submit --to
 *        |  HTTP, or HTTPS with a certificate of our own; as a rule behind nginx or caddy
 *     web      a process that strangers talk to: confined, an ordinary user, without the store. It
 *        |     reads the site's folder and writes the inbox, whose files have no name. It bounds
 *        |     heads, bodies, rates, connections and waits, and converts each upload to a package.
 *        |  Unix socket: one question and one answer a connection (message.h); an upload comes as
 * an |     open file desk     a process of the daemon, at lower priority, with the store: it knows
 * the tokens' |     hashes, and says what the token of a question may learn and do (api.h). An
 * upload that |     it answers with 201 is in the store; it was checked again, as foreign bytes.
 *     serve    the daemon finds submissions in the store, as ever. It starts desk and web, and
 *              starts them again when they end; its loop never waits for them.
 *
 * Neither the inbox nor the socket keeps anything: whatever is killed, an upload is either in the
 * store or was not answered. Somebody who takes over the web process reads the pages, sees the
 * tokens and uploads that arrive meanwhile, and can ask the desk what anybody can ask with them.
 *
 * In the web process libmicrohttpd's thread handles connections. It suspends a request that must
 * ask the desk and gives the question to a clerk (clerks.h), a thread that asks and waits; a full
 * queue answers 503. The main thread closes connections that do not send their head in time
 * (visitors.h). The desk answers each question in one of DESK_THREADS threads, each with its own
 * connection to the store.
 */
#ifndef ARENA_WEB_WEB_H
#define ARENA_WEB_WEB_H

#include <stdint.h>

#include "arena/intake/queue.h"

enum web_limits {
    DESK_THREADS = 7, /* one for each clerk, and one for the live games */
    WEB_HEAD_BYTES_MAX = 32 << 10,
    WEB_IDLE_S = 30,    /* time without a byte from the other side */
    WEB_BODY_S = 600,   /* time for the body of an upload */
    WEB_NO_ROOM_S = 60, /* Retry-After of an upload for which there is no room */
    WEB_ERROR_BYTES = 512,
};

struct web_options {
    const char *listen;            /* ADDRESS:PORT; NULL: none */
    const char *unix_path;         /* socket for a proxy on this machine; NULL: none */
    const char *metrics;           /* ADDRESS:PORT of the metrics for Prometheus; NULL: none */
    const char *site;              /* folder of the site; NULL: only the API */
    const char *boards;            /* script of the live page: what it must know of boards */
    const char *certificate, *key; /* files for HTTPS; NULL: HTTP */
    const char *desk;              /* path of the desk's socket */
    const char *inbox;             /* folder for uploads under way */
    int64_t package_bytes;         /* largest upload */
    /* Called once it listens, with the address. */
    void (*ready_fn)(const char *address);
};

/*
 * Serves until SIGTERM or SIGINT. Confines the process for good: it can only exit afterwards, with
 * _exit. Returns 0, or -errno with a line in error.
 */
int web_run(const struct web_options *options, char error[static WEB_ERROR_BYTES]);

struct desk_options {
    const char *url;         /* address of the store */
    const char *socket;      /* path of the socket to make; an older socket is replaced */
    const char *status_path; /* file with the daemon's status */
    const char *version;     /* of this program */
    struct queue_bounds bounds;
    void (*failed_fn)(const char *words); /* tells the operator of a failure */
};

/* Answers the web process until the process is killed. Returns -errno if the desk cannot begin. */
int desk_run(const struct desk_options *options);

#endif
