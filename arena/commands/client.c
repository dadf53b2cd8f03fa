/* SPDX-License-Identifier: MIT */
#include "arena/commands/client.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "arena/base/array.h"
#include "arena/base/library.h"

#define LIBCURL_FUNCTIONS(FUNCTION)                                                                \
    FUNCTION(curl_easy_cleanup)                                                                    \
    FUNCTION(curl_easy_getinfo)                                                                    \
    FUNCTION(curl_easy_init)                                                                       \
    FUNCTION(curl_easy_perform)                                                                    \
    FUNCTION(curl_easy_setopt)                                                                     \
    FUNCTION(curl_easy_strerror)                                                                   \
    FUNCTION(curl_free)                                                                            \
    FUNCTION(curl_slist_append)                                                                    \
    FUNCTION(curl_slist_free_all)                                                                  \
    FUNCTION(curl_url)                                                                             \
    FUNCTION(curl_url_cleanup)                                                                     \
    FUNCTION(curl_url_get)                                                                         \
    FUNCTION(curl_url_set)

/* curl.h defines macros with these names; here the names are pointers to curl's functions. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

LIBRARY(library, LIBCURL_FUNCTIONS)

bool client_load(void)
{
    return LIBRARY_LOAD(library, "libcurl-gnutls.so.4") || LIBRARY_LOAD(library, "libcurl.so.4");
}

/* Returns a part of an address as curl reads it, which the caller frees with curl_free, or NULL. */
static char *part_of(const char *url, CURLUPart part)
{
    CURLU *parsed = library.curl_url();
    char *text = NULL;

    if (library.curl_url_set(parsed, CURLUPART_URL, url, CURLU_DEFAULT_SCHEME) == CURLUE_OK)
        library.curl_url_get(parsed, part, &text, 0);
    library.curl_url_cleanup(parsed);
    return text;
}

bool client_is_private(const char *url)
{
    char *scheme = part_of(url, CURLUPART_SCHEME), *host = part_of(url, CURLUPART_HOST);
    struct in_addr four = {0};
    bool is_private = scheme && strcasecmp(scheme, "https") == 0;

    if (!is_private && scheme && host)
        is_private = strcasecmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0 ||
                     (inet_pton(AF_INET, host, &four) == 1 && ntohl(four.s_addr) >> 24 == 127);
    library.curl_free(scheme);
    library.curl_free(host);
    return is_private;
}

static size_t collect(char *bytes, size_t one, size_t count, void *context)
{
    struct client_answer *answer = context;
    const size_t size = one * count;

    if (answer->size + size > CLIENT_ANSWER_BYTES_MAX ||
        ARRAY_GROW(answer->body, answer->size, size + 1) < 0)
        return 0;
    memcpy(answer->body + answer->size, bytes, size);
    answer->size += size;
    answer->body[answer->size] = '\0';
    return size;
}

static int show_progress(void *context, curl_off_t down_total, curl_off_t down, curl_off_t up_total,
                         curl_off_t up)
{
    if (up_total > 0)
        fprintf(stderr, "\rsent %lld of %lld KiB\033[K", (long long)up >> 10,
                (long long)up_total >> 10);
    return 0;
}

void client_send(const struct client_request *request, struct client_answer *answer)
{
    char url[CLIENT_URL_BYTES], error[CURL_ERROR_SIZE] = "";
    struct curl_slist *headers = NULL;
    CURL *curl = library.curl_easy_init();
    curl_off_t retry_after_s = 0;
    CURLcode result;
    long status = 0;

    *answer = (struct client_answer){.status = 0};
    if (!curl || snprintf(url, sizeof url, "%.*s%s", client_url_length(request->url), request->url,
                          request->path) >= (int)sizeof url) {
        strcpy(answer->error, curl ? "the address is too long" : "out of memory");
        library.curl_easy_cleanup(curl);
        return;
    }
    for (const char *const *header = request->headers; header && *header; header++)
        headers = library.curl_slist_append(headers, *header);
    library.curl_easy_setopt(curl, CURLOPT_URL, url);
    library.curl_easy_setopt(curl, CURLOPT_DEFAULT_PROTOCOL, "https");
    library.curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    /* $http_proxy is another machine, which would read the token. Through $https_proxy TLS goes. */
    if (strncasecmp(url, "http:", 5) == 0)
        library.curl_easy_setopt(curl, CURLOPT_PROXY, "");
    library.curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    library.curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, collect);
    library.curl_easy_setopt(curl, CURLOPT_WRITEDATA, answer);
    library.curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, show_progress);
    library.curl_easy_setopt(curl, CURLOPT_NOPROGRESS, (long)!request->shows_progress);
    library.curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    library.curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error);
    library.curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)request->limit_s);
    library.curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CLIENT_SLOW_S);
    library.curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    library.curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)CLIENT_SLOW_S);
    if (request->body) {
        library.curl_easy_setopt(curl, CURLOPT_POST, 1L);
        library.curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body);
        library.curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                                 (curl_off_t)request->body_bytes);
    }
    result = library.curl_easy_perform(curl);
    if (request->shows_progress && request->body)
        fputs("\r\033[K", stderr);
    if (result == CURLE_OK) {
        library.curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
        library.curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &retry_after_s);
    }
    answer->status = (int)status;
    answer->retry_after_s = retry_after_s;
    snprintf(answer->error, sizeof answer->error, "%s%s",
             *error ? error : library.curl_easy_strerror(result),
             result == CURLE_SSL_CONNECT_ERROR
                 ? ": is there HTTPS at this address? For an arena on this machine without HTTPS, "
                   "write http:// before the address"
                 : "");
    library.curl_easy_cleanup(curl);
    library.curl_slist_free_all(headers);
}
