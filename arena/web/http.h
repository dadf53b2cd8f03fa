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

/* Sends an answer of the API, and takes ownership of its body. */
enum MHD_Result http_send_answer(struct MHD_Connection *connection, struct api_answer *answer);

enum {
    HTTP_CLOSE = -1, /* value for retry_after_s: close the connection after this answer */
};

/* Sends an error. If retry_after_s is 0, the answer has no header Retry-After. */
enum MHD_Result http_refuse(struct MHD_Connection *connection, int status, int retry_after_s,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
