/* SPDX-License-Identifier: MIT */
/* Answers over HTTP through libmicrohttpd. */
#ifndef ARENA_WEB_HTTP_H
#define ARENA_WEB_HTTP_H

#include "arena/web/api.h"
#include "arena/web/microhttpd.h"

/*
 * Adds the headers that all responses have, sends the response, which has `bytes`, and destroys it.
 * If the response is NULL, closes the connection.
 */
enum MHD_Result http_send(struct MHD_Connection *connection, int status,
                          struct MHD_Response *response, uint64_t bytes);

/*
 * The body of an answer. Several connections may take it at once, however slowly. All bodies
 * together have at most HTTP_BODIES_BYTES_MAX: beyond that, the oldest ones are freed, which ends
 * the connections that still take them. The newest body stays, however large.
 */
struct http_body;

/* Takes ownership of the bytes. Returns a reference, or NULL if memory runs out. */
struct http_body *http_body_create(char *bytes, size_t size);

/* Returns a new reference to the body; NULL if it is NULL or was freed for newer ones. */
struct http_body *http_body_share(struct http_body *body);

/* Takes a reference, which may be NULL. The last one frees the body. */
void http_body_drop(struct http_body *body);

/*
 * True if the client says that it has the response with this ETag. It may name several, and a proxy
 * that compresses may have made each of them weak (W/).
 */
bool http_has(struct MHD_Connection *connection, const char *mark);

/*
 * Sends an answer of the API, and takes over the reference to its body; NULL: the body is that of
 * the answer, of which this takes ownership. is_embedded: other sites may show it in a frame.
 */
enum MHD_Result http_send_answer(struct MHD_Connection *connection, struct api_answer *answer,
                                 struct http_body *body, bool is_embedded);

enum {
    HTTP_BODIES_BYTES_MAX = 32 << 20,
    HTTP_MARK_BYTES = 64, /* room for an ETag */
    HTTP_CLOSE = -1,      /* value for retry_after_s: close the connection after this answer */
};

/* Sends an error. If retry_after_s is 0, the answer has no header Retry-After. */
enum MHD_Result http_refuse(struct MHD_Connection *connection, int status, int retry_after_s,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
