/*
 * The API: what a request asks and what it is answered, from the store. Knows no HTTP connection
 * and no socket. docs/api.md describes it for people, docs/openapi.json for machines.
 */
#ifndef ARENA_WEB_API_H
#define ARENA_WEB_API_H

#include <jansson.h>

#include "arena/intake/queue.h"
#include "arena/store/store.h"

enum api_limits {
    API_PATH_BYTES_MAX = 200,
    API_GAMES_MAX = 100,  /* games in one answer */
    API_LISTED_MAX = 100, /* submissions of an author in one answer */
    API_FORFEITS_MAX = 20,
};

enum api_flag {
    API_NEEDS_TOKEN = 1 << 0,
    API_IS_HEAVY = 1 << 1,  /* may take seconds: few such requests are answered at a time */
    API_IS_UPLOAD = 1 << 2, /* has a body: the bot's folder */
    API_IS_EVENTS = 1 << 3, /* the web process sends the answer again whenever it changes */
};

struct api;

/* A request, as the web process writes it in JSON for the desk. Strings may be NULL. */
struct api_request {
    const char *method, *path;
    const char *players, *bot, *after, *limit; /* the query */
    const char *token_sha256;                  /* of the token that came with the request */
    bool is_head;  /* only the head of an upload has arrived: would its body be taken? */
    int upload_fd; /* a package (store/archive.h) of upload_bytes; -1: none */
};

struct api_answer {
    int status;        /* of HTTP */
    int retry_after_s; /* 0: none */
    const char *type;  /* content type; a static string */
    char *body;        /* owned */
    size_t size;
};

/* What the answers are made from. */
struct api {
    struct store *store;
    const char *version;     /* of this program */
    const char *status_path; /* file with the daemon's status */
    struct queue_bounds bounds;
    void (*failed_fn)(const char *words); /* tells the operator of a failure; NULL: nobody */
};

/* A path of the API. */
struct api_route {
    const char *method;
    const char *path; /* "*" stands for one part */
    unsigned flags;   /* enum api_flag */
    void (*answer_fn)(struct api *api, const struct api_request *request, const char *const *parts,
                      struct api_answer *answer);
};

/*
 * Finds the route of a request. NULL: there is none; *allowed is then the method that the path has,
 * or NULL.
 */
const struct api_route *api_route_find(const char *method, const char *path, const char **allowed);

/* Answers a request. The caller frees answer->body. */
void api_answer(struct api *api, const struct api_request *request, struct api_answer *answer);

/* Starts the thread that watches the games under way. It never ends. Returns 0 or -errno. */
int api_watch_live(const char *status_path);

/* Makes an answer of application/problem+json. */
void api_refuse(struct api_answer *answer, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Request and answer as the JSON objects of message.h. A request borrows from its JSON. */
json_t *api_request_json(const struct api_request *request);
void api_request_read(const json_t *json, struct api_request *request);

#endif
