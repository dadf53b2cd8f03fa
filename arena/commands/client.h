/* HTTP as a client, by libcurl, which is loaded when it is needed. */
#ifndef ARENA_COMMANDS_CLIENT_H
#define ARENA_COMMANDS_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum client_limits {
    CLIENT_URL_BYTES = 2048,
    CLIENT_ANSWER_BYTES_MAX = 4 << 20,
    CLIENT_ERROR_BYTES = 256,
    CLIENT_SLOW_S = 60, /* a connection that moves no byte for so long has failed */
};

/* Takes bytes of an answer. Returns false to end the connection. */
typedef bool client_take_fn(void *context, const char *bytes, size_t size);

/* A request. Strings are borrowed. */
struct client_request {
    const char *url, *path;     /* the address is url, without slashes at its end, and path */
    const char *const *headers; /* such as "Accept: text/html"; NULL after the last; NULL: none */
    const void *body;           /* makes a POST; NULL: a GET */
    size_t body_bytes;
    int limit_s;             /* 0: none */
    bool shows_progress;     /* of the upload, on standard error */
    client_take_fn *take_fn; /* receives the answer's body; NULL: struct client_answer does */
    void *context;
};

struct client_answer {
    int status; /* 0: there was no answer, and error says why */
    int64_t retry_after_s;
    char *body; /* NUL-terminated, or NULL; the caller frees it */
    size_t size;
    char error[CLIENT_ERROR_BYTES];
};

/* Returns false if libcurl is not installed; the other function may not be called then. */
bool client_load(void);

/* Sends a request and waits for the end of the answer. */
void client_send(const struct client_request *request, struct client_answer *answer);

#endif
