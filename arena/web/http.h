/*
 * Answers over HTTP through libmicrohttpd. The program loads the library only when it is needed, so
 * that other commands start faster.
 */
#ifndef ARENA_WEB_HTTP_H
#define ARENA_WEB_HTTP_H

#include <microhttpd.h>

#include "arena/play/library.h"
#include "arena/web/api.h"

#define HTTP_FUNCTIONS(FUNCTION)                                                                   \
    FUNCTION(MHD_add_response_header)                                                              \
    FUNCTION(MHD_create_response_from_buffer)                                                      \
    FUNCTION(MHD_create_response_from_callback)                                                    \
    FUNCTION(MHD_create_response_from_fd64)                                                        \
    FUNCTION(MHD_destroy_response)                                                                 \
    FUNCTION(MHD_get_connection_info)                                                              \
    FUNCTION(MHD_get_connection_values)                                                            \
    FUNCTION(MHD_lookup_connection_value)                                                          \
    FUNCTION(MHD_queue_response)                                                                   \
    FUNCTION(MHD_quiesce_daemon)                                                                   \
    FUNCTION(MHD_resume_connection)                                                                \
    FUNCTION(MHD_start_daemon)                                                                     \
    FUNCTION(MHD_suspend_connection)

/* The functions of libmicrohttpd, once http_load has returned true. */
extern struct http_library {
    HTTP_FUNCTIONS(LIBRARY_FIELD)
} http;

/* Returns false if libmicrohttpd is not installed. */
bool http_load(void);

/*
 * Adds the headers that all responses have, sends the response and destroys it. If the response is
 * NULL, closes the connection.
 */
enum MHD_Result http_send(struct MHD_Connection *connection, int status,
                          struct MHD_Response *response);

/* Sends an answer of the API, and takes ownership of its body. */
enum MHD_Result http_send_answer(struct MHD_Connection *connection, struct api_answer *answer);

enum {
    HTTP_CLOSE = -1, /* value for retry_after_s: close the connection after this answer */
};

/* Sends an error. If retry_after_s is 0, the answer has no header Retry-After. */
enum MHD_Result http_refuse(struct MHD_Connection *connection, int status, int retry_after_s,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Returns how many answers had a status of this class: 2 for 200 to 299, up to 5 for 500 to 599. */
int64_t http_answer_count(int class);

#endif
