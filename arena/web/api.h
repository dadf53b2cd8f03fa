/* SPDX-License-Identifier: MIT */
/*
 * The API: answers requests with data from the store. Handles no HTTP connection and no socket.
 * docs/api.md describes the API for people, docs/openapi.json for programs: `arena web --openapi`
 * prints it from the routes below and the model (report/model.h).
 */
#ifndef ARENA_WEB_API_H
#define ARENA_WEB_API_H

#include <jansson.h>

#include "arena/intake/queue.h"
#include "arena/store/store.h"

enum api_limits {
    API_PATH_BYTES_MAX = 200,
    API_QUERY_BYTES_MAX = 200, /* each value in the query */
    API_GAMES_MAX = 100,       /* games in one answer */
    API_WAIT_S_MAX = 60,       /* for which the web process keeps a question whose answer is old */
    API_LISTED_MAX = 100,      /* maximum number of submissions in the answer to an author */
    API_FORFEITS_MAX = 20,
    API_METHODS_BYTES = 40, /* room for all methods of a path */
};

enum api_flag {
    API_NEEDS_TOKEN = 1 << 0,
    /* May take seconds, so the web process asks the desk few of these at a time. */
    API_IS_HEAVY = 1 << 1,
    API_IS_UPLOAD = 1 << 2, /* has a body: the bot's folder */
    API_IS_ORDER = 1 << 3,  /* has a body: an organizer's command (order.h) */
    API_MAY_WAIT = 1 << 4,  /* with wait=, the answer may come later (clerks.h) */
    API_HAS_BODY = API_IS_UPLOAD | API_IS_ORDER,
};

/*
 * Kinds of questions. Each kind has threads of its own in both processes, so that slow uploads
 * cannot delay ladders, and slow ladders cannot delay short questions.
 */
enum clerk_kind {
    CLERK_LIGHT = 0,
    CLERK_HEAVY = 1,  /* questions that may take seconds */
    CLERK_UPLOAD = 2, /* uploads, once their last byte has come */
    CLERK_ORDER = 3,  /* commands of organizers */
    CLERK_KINDS = 4,
};

struct api;
struct pages;

/* The parameters of all queries; api_parameters has their names. */
enum api_parameter {
    API_AFTER,
    API_AS,
    API_BOT,
    API_CHALLENGES,
    API_CHECK,
    API_GAMES,
    API_LIMIT,
    API_OPPONENT,
    API_PLAYERS,
    API_REFERENCE,
    API_WAIT,
    API_PARAMETERS, /* their number */
};

extern const char *const api_parameters[API_PARAMETERS];

/*
 * A request, which the web process sends to the desk as JSON. Strings may be NULL.
 */
struct api_request {
    const char *method, *path;
    const char *query[API_PARAMETERS];
    const char *token_sha256;
    bool is_head;  /* of a body: the answer says whether the client may send the body */
    int upload_fd; /* file with a package (store/archive.h) or an order (order.h); -1: none */
    /* Moment of the monotonic clock when the last byte of the request had come. */
    int64_t asked_us;
};

struct api_answer {
    int status;        /* HTTP status */
    int retry_after_s; /* 0: none */
    const char *type;  /* content type; a static string */
    char *body;        /* owned */
    size_t size;
    bool is_packed; /* the body is compressed, as gzip: only the web process does that */
    const char
        *allowed; /* methods that the address takes, or NULL: only the web process says that */
};

/* What api_answer needs to answer requests. */
struct api {
    struct store *store;
    const char *version;     /* of this program */
    const char *status_path; /* file with the daemon's status */
    const char *analyses;    /* folder with GAME.json of each analysed game; NULL: none */
    const char *address;     /* public address of the site, without "/" at its end; NULL: unknown */
    struct pages *pages;     /* for pages and cards made on request; borrowed */
    struct queue_bounds bounds;
    void (*failed_fn)(const char *words); /* reports a failure to the organizer; may be NULL */
    /*
     * Path of the folder in which an upload is unpacked, or a command runs. It does not exist
     * before; the caller removes it once the answer is sent, so that nobody waits for that.
     */
    const char *room;
    /* Returns true if nobody waits for the answer any more. May be NULL. */
    bool (*is_over_fn)(void *owner);
    void *owner;
};

/* A path of the API. */
struct api_route {
    const char *method;
    const char *path; /* parts in braces, such as {season}, stand for any part */
    unsigned flags;   /* enum api_flag */
    void (*answer_fn)(struct api *api, const struct api_request *request, const char *const *parts,
                      struct api_answer *answer);
    const char *summary;
    const char *thing;          /* the model's thing that answers; NULL: no JSON */
    const char *media;          /* without a thing: media types of the answer, as words */
    const char *body;           /* the model's thing that is sent as JSON; NULL: none */
    const char *list;           /* the answer is {list: [thing, ...]}; NULL: the thing itself */
    const char *query;          /* parameters, such as "bot limit=1..100", or NULL */
    const char *media_refusals; /* statuses whose reason is of the type `media`, or NULL */
    const char *refusals; /* statuses besides those that every route may answer with, or NULL */
    const char *shorter;  /* address outside of /api/v1 with the same parts; or NULL */
};

extern const struct api_route api_routes[];
extern const int api_route_count;

/* Returns the description of the API as OpenAPI 3.1: a new reference. */
json_t *api_describe(void);

/*
 * Finds the route of a request. Returns NULL if there is none; allowed are then the methods that
 * the path takes, "GET, HEAD, POST", or "".
 */
const struct api_route *api_route_find(const char *method, const char *path,
                                       char allowed[static API_METHODS_BYTES]);

/* Writes the path of the route whose shorter address this is. Returns false if there is none. */
bool api_route_long(const char *path, char in_api[static API_PATH_BYTES_MAX + 1]);

enum clerk_kind api_kind(const struct api_route *route, bool is_head);

/* Returns the moment from which nobody waits for the answer to a question of this kind. */
int64_t api_deadline_us(enum clerk_kind kind, int64_t asked_us);

/* Answers a request. The caller frees answer->body. */
void api_answer(struct api *api, const struct api_request *request, struct api_answer *answer);

void api_refuse(struct api_answer *answer, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Convert requests and answers to and from the JSON objects of message.h. A request borrows its
 * strings from its JSON.
 */
json_t *api_request_json(const struct api_request *request);
void api_request_read(const json_t *json, struct api_request *request);

#endif
