#include "arena/web/http.h"

#include <stdarg.h>
#include <stdio.h>

#include "arena/web/visitors.h"

enum MHD_Result http_send(struct MHD_Connection *connection, int status,
                          struct MHD_Response *response, uint64_t bytes)
{
    static const char *const headers[][2] = {
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Content-Security-Policy",
         "frame-ancestors 'self'; base-uri 'none'; form-action 'none'; object-src 'none'"},
    };
    enum MHD_Result result;

    if (!response)
        return MHD_NO;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        http.MHD_add_response_header(response, headers[i][0], headers[i][1]);
    visitor_wait(connection, VISITOR_TAKES, bytes);
    result = http.MHD_queue_response(connection, (unsigned)status, response);
    http.MHD_destroy_response(response);
    return result;
}

enum MHD_Result http_send_answer(struct MHD_Connection *connection, struct api_answer *answer)
{
    struct MHD_Response *response =
        http.MHD_create_response_from_buffer(answer->size, answer->body, MHD_RESPMEM_MUST_FREE);
    char seconds[16];

    if (!response)
        return MHD_NO;
    answer->body = NULL;
    http.MHD_add_response_header(response, "Content-Type", answer->type);
    http.MHD_add_response_header(response, "Cache-Control", "no-store");
    http.MHD_add_response_header(response, "Access-Control-Allow-Origin", "*");
    if (answer->status == 401)
        http.MHD_add_response_header(response, "WWW-Authenticate", "Bearer");
    snprintf(seconds, sizeof seconds, "%d", answer->retry_after_s);
    if (answer->retry_after_s == HTTP_CLOSE)
        http.MHD_add_response_header(response, "Connection", "close");
    else if (answer->retry_after_s)
        http.MHD_add_response_header(response, "Retry-After", seconds);
    return http_send(connection, answer->status, response, answer->size);
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
    return http_send_answer(connection, &answer);
}
