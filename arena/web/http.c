/* SPDX-License-Identifier: MIT */
#include "arena/web/http.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/mix.h"
#include "arena/web/visitors.h"

/* ---- bodies of answers, which clients may take slowly ---- */

enum {
    BLOCK_BYTES = 16 << 10, /* of a body, which libmicrohttpd copies at a time for a connection */
};

struct http_body {
    struct http_body *older, *newer;
    char *bytes; /* NULL: freed for newer bodies */
    size_t size;
    uint64_t sum; /* of the bytes, once somebody needed it for an ETag; else 0 */
    int reference_count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects all bodies */
static struct http_body *oldest, *newest;
static size_t bodies_bytes;

/* Frees the bytes of a body, if it has any. The caller holds the lock. */
static void free_bytes(struct http_body *body)
{
    if (!body->bytes)
        return;
    *(body->older ? &body->older->newer : &oldest) = body->newer;
    *(body->newer ? &body->newer->older : &newest) = body->older;
    bodies_bytes -= body->size;
    free(body->bytes);
    body->bytes = NULL;
}

struct http_body *http_body_create(char *bytes, size_t size)
{
    struct http_body *body = bytes ? malloc(sizeof *body) : NULL;

    if (!body) {
        free(bytes);
        return NULL;
    }
    pthread_mutex_lock(&lock);
    *body = (struct http_body){.older = newest, .bytes = bytes, .size = size, .reference_count = 1};
    *(newest ? &newest->newer : &oldest) = body;
    newest = body;
    bodies_bytes += size;
    while (bodies_bytes > HTTP_BODIES_BYTES_MAX && oldest != newest)
        free_bytes(oldest);
    pthread_mutex_unlock(&lock);
    return body;
}

struct http_body *http_body_share(struct http_body *body)
{
    bool is_there;

    pthread_mutex_lock(&lock);
    is_there = body && body->bytes;
    if (is_there)
        body->reference_count++;
    pthread_mutex_unlock(&lock);
    return is_there ? body : NULL;
}

void http_body_drop(struct http_body *body)
{
    bool is_last;

    if (!body)
        return;
    pthread_mutex_lock(&lock);
    is_last = --body->reference_count == 0;
    if (is_last)
        free_bytes(body);
    pthread_mutex_unlock(&lock);
    if (is_last)
        free(body);
}

/* Writes the ETag of a body whose bytes are there; else of no body that a client can have. */
static void write_mark(struct http_body *body, char mark[static HTTP_MARK_BYTES])
{
    pthread_mutex_lock(&lock);
    if (body->bytes && !body->sum)
        body->sum = mix_bytes(0, body->bytes, body->size);
    snprintf(mark, HTTP_MARK_BYTES, "\"%zx-%016" PRIx64 "\"", body->size, body->sum);
    pthread_mutex_unlock(&lock);
}

/* libmicrohttpd calls this for each block of a body that a client takes. */
static ssize_t read_body(void *context, uint64_t from, char *block, size_t most)
{
    const struct http_body *body = context;
    ssize_t count = MHD_CONTENT_READER_END_WITH_ERROR;

    pthread_mutex_lock(&lock);
    if (body->bytes && from < body->size) {
        count = (ssize_t)(most < body->size - from ? most : body->size - from);
        memcpy(block, body->bytes + from, (size_t)count);
    }
    pthread_mutex_unlock(&lock);
    return count;
}

static void end_body(void *context)
{
    http_body_drop(context);
}

/* ---- answers ---- */

#define POLICY "base-uri 'none'; form-action 'none'; object-src 'none'"

static enum MHD_Result send_under(const char *policy, struct MHD_Connection *connection, int status,
                                  struct MHD_Response *response, uint64_t bytes)
{
    static const char *const headers[][2] = {
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
    };
    enum MHD_Result result;

    if (!response)
        return MHD_NO;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        http.MHD_add_response_header(response, headers[i][0], headers[i][1]);
    http.MHD_add_response_header(response, "Content-Security-Policy", policy);
    visitor_wait(connection, VISITOR_TAKES, bytes);
    result = http.MHD_queue_response(connection, (unsigned)status, response);
    http.MHD_destroy_response(response);
    return result;
}

enum MHD_Result http_send(struct MHD_Connection *connection, int status,
                          struct MHD_Response *response, uint64_t bytes)
{
    return send_under("frame-ancestors 'self'; " POLICY, connection, status, response, bytes);
}

bool http_has(struct MHD_Connection *connection, const char *mark)
{
    const char *known =
        http.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "If-None-Match");

    return known && (strstr(known, mark) || strcmp(known, "*") == 0);
}

enum MHD_Result http_send_answer(struct MHD_Connection *connection, struct api_answer *answer,
                                 struct http_body *body, bool is_embedded)
{
    const bool is_page = answer->status == 200 && (strncmp(answer->type, "text/html", 9) == 0 ||
                                                   strcmp(answer->type, "image/png") == 0);
    char seconds[16], mark[HTTP_MARK_BYTES] = "";
    struct MHD_Response *response;

    if (!body) {
        body = http_body_create(answer->body, answer->size);
        answer->body = NULL;
    }
    if (is_page && body)
        write_mark(body, mark);
    if (*mark && http_has(connection, mark)) {
        http_body_drop(body);
        body = http_body_create(calloc(1, 1), 0);
        answer->status = 304;
    }
    response = body ? http.MHD_create_response_from_callback(body->size, BLOCK_BYTES, read_body,
                                                             body, end_body)
                    : NULL;
    if (!response) {
        http_body_drop(body);
        return MHD_NO;
    }
    http.MHD_add_response_header(response, "Content-Type", answer->type);
    http.MHD_add_response_header(response, "Cache-Control", is_page ? "no-cache" : "no-store");
    http.MHD_add_response_header(response, "Vary", "Accept-Encoding");
    if (answer->is_packed && answer->status == 200)
        http.MHD_add_response_header(response, "Content-Encoding", "gzip");
    if (is_page)
        http.MHD_add_response_header(response, "ETag", mark);
    else
        http.MHD_add_response_header(response, "Access-Control-Allow-Origin", "*");
    if (answer->allowed)
        http.MHD_add_response_header(response, "Allow", answer->allowed);
    if (answer->status == 401)
        http.MHD_add_response_header(response, "WWW-Authenticate", "Bearer");
    snprintf(seconds, sizeof seconds, "%d", answer->retry_after_s);
    if (answer->retry_after_s == HTTP_CLOSE)
        http.MHD_add_response_header(response, "Connection", "close");
    else if (answer->retry_after_s)
        http.MHD_add_response_header(response, "Retry-After", seconds);
    return is_embedded && is_page
               ? send_under(POLICY, connection, answer->status, response, body->size)
               : http_send(connection, answer->status, response, body->size);
}

enum MHD_Result http_refuse(struct MHD_Connection *connection, int status, int retry_after_s,
                            const char *format, ...)
{
    struct api_answer answer = {.status = 0};
    char detail[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    api_refuse(&answer, status, "%s", detail);
    answer.retry_after_s = retry_after_s;
    return http_send_answer(connection, &answer, NULL, false);
}
