/* SPDX-License-Identifier: MIT */
/* libmicrohttpd, which the program loads only when it is needed: other commands start faster. */
#ifndef ARENA_WEB_MICROHTTPD_H
#define ARENA_WEB_MICROHTTPD_H

#include <microhttpd.h>

#include "arena/base/library.h"

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

#endif
