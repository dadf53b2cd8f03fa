/* SPDX-License-Identifier: MIT */
/* An HTTP client. Loads libcurl at run time, when a command first needs HTTP. */
#ifndef ARENA_COMMANDS_CLIENT_H
#define ARENA_COMMANDS_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum client_limits {
    CLIENT_URL_BYTES = 2048,
    CLIENT_ANSWER_BYTES_MAX = 64 << 20,
    CLIENT_ERROR_BYTES = 512,
    CLIENT_SLOW_S = 60, /* a connection fails after this many seconds without a byte */
};

/* A request. Strings are borrowed. */
struct client_request {
    const char *url, *path; /* the address: url without final slashes, then path */
    const char *const
        *headers;     /* headers such as "Accept: text/html", ending with NULL; NULL: no headers */
    const void *body; /* body of a POST; NULL: the request is a GET */
    size_t body_bytes;
    int limit_s;         /* 0: none */
    bool shows_progress; /* show the upload's progress on standard error */
};

struct client_answer {
    int status; /* HTTP status; 0: no answer came, and error says why */
    int64_t retry_after_s;
    char *body; /* the body, NUL-terminated, or NULL; the caller frees the body */
    size_t size;
    char error[CLIENT_ERROR_BYTES];
};

/* Loads libcurl. Returns false if libcurl is not installed; client_send may not be called then. */
bool client_load(void);

/*
 * Returns whether a token may go to this address: over HTTPS, which is what an address without a
 * scheme means, or over HTTP to this machine.
 */
bool client_is_private(const char *url);

/* Returns the length of an address without slashes at its end. */
static inline int client_url_length(const char *url)
{
    size_t length = strlen(url);

    while (length > 0 && url[length - 1] == '/')
        length--;
    return (int)length;
}

/* Sends a request and waits for the end of the answer. An address without a scheme means HTTPS. */
void client_send(const struct client_request *request, struct client_answer *answer);

#endif
