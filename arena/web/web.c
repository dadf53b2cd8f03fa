#include "arena/web/web.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "arena/play/alarm.h"
#include "arena/store/archive.h"
#include "arena/store/authors.h"
#include "arena/web/clerks.h"
#include "arena/web/events.h"
#include "arena/web/http.h"
#include "arena/web/message.h"
#include "arena/web/pages.h"
#include "arena/web/visitors.h"
#include "sandbox/sandbox.h"

enum {
    /*
     * Largest body that the web process reads and discards once the answer is known: from any
     * client, and from a proxy on this machine.
     */
    DRAINED_BYTES_MAX = 1 << 20,
    DRAINED_OF_PROXY_MAX = 512 << 20,
    /* Largest body that is ignored in a request that should have no body. */
    IGNORED_BYTES_MAX = 4096,
    END_S = 5, /* time that running requests get after the signal to end */
    METRICS_BYTES = 2048,
    METRICS_CONNECTIONS = 4,
};

_Static_assert(DESK_THREADS == CLERK_KINDS * CLERKS_A_KIND + 1, "a clerk waits for the desk");

static struct web {
    const struct web_options *options;
    int listen_fd, metrics_fd, inbox_fd, site_parent_fd;
    int memory_fd; /* /proc/self/statm */
    char *certificate, *key;
    bool has_proxy; /* clients connect through a proxy on this machine: a header has their addresses
                     */
} web;

/* ---- requests to the API ---- */

enum request_stage {
    REQUEST_NEW = 0,
    REQUEST_HEAD_ASKED = 1, /* suspended until the desk says whether it takes the upload */
    REQUEST_BODY = 2,
    REQUEST_DRAIN = 3, /* the answer is known; the rest of the body is read and discarded */
    REQUEST_ASKED = 4, /* suspended until the desk has answered the complete question */
};

/* A request to the API. libmicrohttpd owns the strings of its question until the request ends. */
struct request {
    struct question question;
    enum request_stage stage;
    char token_sha256[STORE_HASH_DIGITS + 1];
    int64_t body_bytes, begun_us;
    bool has_failed; /* the inbox had no room for the body */
};

static const char *query_of(struct MHD_Connection *connection, const char *name)
{
    return http.MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

static struct request *make_request(struct MHD_Connection *connection,
                                    const struct api_route *route, const char *path)
{
    static const char bearer[] = "Bearer ";
    const char *authorization =
        http.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Authorization");
    struct request *request = calloc(1, sizeof *request);

    if (!request)
        return NULL;
    request->question.connection = connection;
    request->question.route = route;
    request->question.upload_fd = -1;
    request->begun_us = alarm_now_us();
    request->question.api = (struct api_request){.method = route->method,
                                                 .path = path,
                                                 .players = query_of(connection, "players"),
                                                 .bot = query_of(connection, "bot"),
                                                 .after = query_of(connection, "after"),
                                                 .limit = query_of(connection, "limit"),
                                                 .upload_fd = -1};
    if (authorization && strncasecmp(authorization, bearer, strlen(bearer)) == 0) {
        authorization += strlen(bearer);
        store_token_hash(authorization, strlen(authorization), request->token_sha256);
        request->question.api.token_sha256 = request->token_sha256;
    }
    return request;
}

/* Returns the body's length as the request's head gives it; -1 if the head gives no length. */
static int64_t body_length(struct MHD_Connection *connection)
{
    const char *text =
        http.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");

    return text && *text >= '0' && *text <= '9' ? strtoll(text, NULL, 10) : -1;
}

static int64_t drained_most(void)
{
    return web.has_proxy ? DRAINED_OF_PROXY_MAX : DRAINED_BYTES_MAX;
}

/*
 * Answers an upload after its head. Reads a short body first, so that the client sees the answer.
 */
static enum MHD_Result answer_head(struct request *request)
{
    const int64_t length = body_length(request->question.connection);

    if (length >= 0 && length <= drained_most()) {
        request->stage = REQUEST_DRAIN;
        return MHD_YES;
    }
    return http_send_answer(request->question.connection, &request->question.answer);
}

/* Answers a request from the cache, or suspends it until a clerk has the answer. */
static enum MHD_Result ask(struct request *request)
{
    struct question *question = &request->question;

    switch (clerks_ask(question)) {
    case CLERK_ANSWERED:
        return http_send_answer(question->connection, &question->answer);
    case CLERK_FULL:
        return http_refuse(question->connection, 503, 5,
                           "too many requests wait for the arena: try again later");
    case CLERK_ASKED:
        break;
    }
    return MHD_YES;
}

/*
 * Called when the head of an upload has arrived: asks the desk whether the client may send the
 * body.
 */
static enum MHD_Result begin_upload(struct request *request)
{
    if (!request->question.api.token_sha256) {
        api_refuse(&request->question.answer, 401,
                   "send the header Authorization: Bearer TOKEN; the organizer makes tokens");
        return answer_head(request);
    }
    if (body_length(request->question.connection) > web.options->package_bytes) {
        api_refuse(&request->question.answer, 413, "an upload may have %lld bytes",
                   (long long)web.options->package_bytes);
        return answer_head(request);
    }
    request->stage = REQUEST_HEAD_ASKED;
    request->question.api.is_head = true;
    return ask(request);
}

/* Called when the desk has said whether it takes the upload. */
static enum MHD_Result head_answered(struct request *request)
{
    if (request->question.answer.status == 200) {
        free(request->question.answer.body);
        request->question.answer = (struct api_answer){.status = 0};
        request->question.api.is_head = false;
        request->question.upload_fd = clerks_open_upload();
        if (request->question.upload_fd >= 0) {
            request->stage = REQUEST_BODY;
            return MHD_YES;
        }
        api_refuse(&request->question.answer, 503,
                   "the arena has no room for uploads: try again later");
        request->question.answer.retry_after_s = WEB_NO_ROOM_S;
    }
    return answer_head(request);
}

/*
 * Takes a piece of the body. Returns MHD_NO to close the connection, because libmicrohttpd allows
 * no answer at this point. Reads a body for which the inbox has no room to its end, and then
 * refuses it.
 */
static enum MHD_Result take_body(struct request *request, const char *bytes, size_t size)
{
    struct question *question = &request->question;
    const int64_t most = question->upload_fd >= 0 || request->has_failed
                             ? web.options->package_bytes
                         : request->stage == REQUEST_DRAIN ? drained_most()
                                                           : IGNORED_BYTES_MAX;

    request->body_bytes += (int64_t)size;
    if (request->body_bytes > most ||
        alarm_now_us() - request->begun_us > WEB_BODY_S * INT64_C(1000000))
        return MHD_NO;
    if (question->upload_fd >= 0 &&
        archive_write(question->upload_fd, (const uint8_t *)bytes, size) < 0) {
        close(question->upload_fd);
        question->upload_fd = -1;
        request->has_failed = true;
        request->stage = REQUEST_DRAIN;
        api_refuse(&question->answer, 503, "the arena has no room for uploads: try again later");
        question->answer.retry_after_s = WEB_NO_ROOM_S;
    }
    return MHD_YES;
}

/*
 * libmicrohttpd calls this when the head has arrived, for each piece of the body, and at its end.
 */
static enum MHD_Result continue_request(struct request *request, const char *bytes, size_t *size)
{
    if (*size > 0) {
        enum MHD_Result result = take_body(request, bytes, *size);

        *size = 0;
        return result;
    }
    switch (request->stage) {
    case REQUEST_NEW:
    case REQUEST_BODY:
        request->stage = REQUEST_ASKED;
        return ask(request);
    case REQUEST_HEAD_ASKED:
        return head_answered(request);
    case REQUEST_DRAIN:
    case REQUEST_ASKED:
        break;
    }
    return http_send_answer(request->question.connection, &request->question.answer);
}

/* How many headers of a request give the length of its body. */
struct length_headers {
    int lengths, codings;
};

static enum MHD_Result count_length(void *context, enum MHD_ValueKind kind, const char *name,
                                    const char *value)
{
    struct length_headers *headers = context;

    (void)kind;
    (void)value;
    headers->lengths += strcasecmp(name, "Content-Length") == 0;
    headers->codings += strcasecmp(name, "Transfer-Encoding") == 0;
    return MHD_YES;
}

/*
 * True if the head of a request gives the body's length more than once. A proxy may believe another
 * of these lengths, and take a part of the body for the next client's request.
 */
static bool has_two_lengths(struct MHD_Connection *connection)
{
    struct length_headers headers = {0};

    http.MHD_get_connection_values(connection, MHD_HEADER_KIND, count_length, &headers);
    return headers.lengths + headers.codings > 1;
}

/* Markers for requests for pages and for events, about which nothing has to be stored. */
static struct request page_request, events_request;

static enum MHD_Result begin_request(struct MHD_Connection *connection, const char *path,
                                     const char *method, void **of_request)
{
    const bool is_read = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    const int early_s = visitors_early_s(connection);
    const struct api_route *route;
    struct request *request;
    const char *allowed;

    if (has_two_lengths(connection))
        return http_refuse(connection, 400, HTTP_CLOSE,
                           "the request's head gives the body's length twice: send one length");
    if (early_s)
        return http_refuse(connection, 429, early_s,
                           "one IP address may send %d requests a second: wait", VISITOR_RATE_S);
    if (strncmp(path, "/api/", 5) != 0) {
        *of_request = is_read ? &page_request : NULL;
        return is_read ? MHD_YES
                       : http_refuse(connection, 405, 0, "pages can only be read: use GET");
    }
    route = api_route_find(is_read ? "GET" : method, path, &allowed);
    if (!route && allowed)
        return http_refuse(connection, 405, 0, "this address takes %s", allowed);
    if (!route)
        return http_refuse(connection, 404, 0,
                           "there is nothing at this address: docs/api.md lists the addresses");
    if (route->flags & API_IS_EVENTS) {
        *of_request = &events_request;
        return MHD_YES;
    }
    request = make_request(connection, route, path);
    if (!request)
        return MHD_NO;
    *of_request = request;
    return route->flags & API_IS_UPLOAD ? begin_upload(request) : MHD_YES;
}

/* Decodes %XX in place, except %00, which would end the address early. Returns the length. */
static size_t unescape(void *context, struct MHD_Connection *connection, char *text)
{
    char *to = text;

    (void)context;
    (void)connection;
    for (const char *from = text; *from; to++) {
        unsigned byte = 0;
        int size = 0;

        if (*from == '%' && strspn(from + 1, "0123456789abcdefABCDEF") >= 2)
            sscanf(from + 1, "%2x%n", &byte, &size);
        *to = byte ? (char)byte : *from;
        from += byte ? 1 + size : 1;
    }
    *to = '\0';
    return (size_t)(to - text);
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *bytes,
                              size_t *size, void **of_request)
{
    (void)context;
    (void)version;
    visitors_serve(connection, true);
    if (!*of_request)
        return begin_request(connection, path, method, of_request);
    if (*of_request == &events_request)
        return *size ? MHD_NO : events_send(connection);
    if (*of_request != &page_request)
        return continue_request(*of_request, bytes, size);
    return *size ? MHD_NO : pages_send(connection, path);
}

static void request_ended(void *context, struct MHD_Connection *connection, void **of_request,
                          enum MHD_RequestTerminationCode code)
{
    struct request *request = *of_request;

    (void)context;
    (void)code;
    visitors_serve(connection, false);
    if (!request || *of_request == &page_request || *of_request == &events_request)
        return;
    if (request->question.upload_fd >= 0)
        close(request->question.upload_fd);
    free(request->question.answer.body);
    free(request);
    *of_request = NULL;
}

/* ---- beginning and end ---- */

__attribute__((format(printf, 3, 4))) static int fail(char error[static WEB_ERROR_BYTES],
                                                      int number, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error, WEB_ERROR_BYTES, format, arguments);
    va_end(arguments);
    return number;
}

static int listen_unix(const char *path, char error[static WEB_ERROR_BYTES])
{
    int fd = message_listen(path);

    if (fd == -EEXIST)
        return fail(error, fd, "--unix %s: is a file, not a socket; choose another path", path);
    if (fd < 0)
        return fail(error, fd, "--unix %s: %s", path, strerror(-fd));
    fcntl(fd, F_SETFL, O_NONBLOCK);
    web.has_proxy = true;
    return fd;
}

static bool is_this_machine(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) >> 24 ==
               127;
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
}

static int bind_to(const struct addrinfo *info)
{
    int fd = socket(info->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), number;

    if (fd < 0)
        return -errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    if (bind(fd, info->ai_addr, info->ai_addrlen) == 0 && listen(fd, SOMAXCONN) == 0)
        return fd;
    number = -errno;
    close(fd);
    return number;
}

/* Listens at ADDRESS:PORT. Sets *is_local if only this machine can connect to the address. */
static int listen_tcp(const char *text, bool *is_local, char error[static WEB_ERROR_BYTES])
{
    const struct addrinfo hints = {.ai_flags = AI_PASSIVE, .ai_socktype = SOCK_STREAM};
    struct addrinfo *info;
    char host[256];
    const char *port = strrchr(text, ':');
    int fd;

    snprintf(host, sizeof host, "%.*s", port ? (int)(port - text) : 0, text);
    port = port ? port + 1 : text;
    if (*host == '[' && host[strlen(host) - 1] == ']') {
        host[strlen(host) - 1] = '\0';
        memmove(host, host + 1, strlen(host));
    }
    if (getaddrinfo(*host ? host : NULL, port, &hints, &info) != 0)
        return fail(error, -EINVAL, "%s: is not ADDRESS:PORT", text);
    fd = bind_to(info);
    *is_local = is_this_machine(info->ai_addr);
    freeaddrinfo(info);
    return fd < 0 ? fail(error, fd, "%s: %s", text, strerror(-fd)) : fd;
}

static int read_text(const char *path, char **text, char error[static WEB_ERROR_BYTES])
{
    enum {
        TEXT_BYTES_MAX = 1 << 16
    };
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size;

    *text = calloc(1, TEXT_BYTES_MAX + 1);
    size = fd < 0 || !*text ? -1 : read(fd, *text, TEXT_BYTES_MAX);
    if (size < 0)
        fail(error, -errno, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return size < 0 ? -EINVAL : 0;
}

/*
 * Opens everything that the process needs once it is confined, and changes the working directory to
 * the folder of the desk's socket.
 */
static int open_all(const struct web_options *options, char error[static WEB_ERROR_BYTES])
{
    bool is_local;
    int result;

    if (options->certificate && (read_text(options->certificate, &web.certificate, error) < 0 ||
                                 read_text(options->key, &web.key, error) < 0))
        return -EINVAL;
    web.inbox_fd = open(options->inbox, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (web.inbox_fd < 0)
        return fail(error, -errno, "--inbox %s: %s", options->inbox, strerror(errno));
    web.site_parent_fd = options->site ? pages_open(options->site) : -1;
    if (options->site && web.site_parent_fd < 0)
        return fail(error, web.site_parent_fd, "--site %s: its folder: %s", options->site,
                    strerror(-web.site_parent_fd));
    web.memory_fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    web.metrics_fd = options->metrics ? listen_tcp(options->metrics, &is_local, error) : -1;
    if (options->metrics && web.metrics_fd < 0)
        return web.metrics_fd;
    web.listen_fd = options->unix_path ? listen_unix(options->unix_path, error)
                                       : listen_tcp(options->listen, &web.has_proxy, error);
    if (web.listen_fd < 0)
        return web.listen_fd;
    result = clerks_find_desk(options->desk);
    return result < 0
               ? fail(error, result, "--desk %s: its folder: %s", options->desk, strerror(-result))
               : 0;
}

static void tell_ready(const struct web_options *options)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    char host[INET6_ADDRSTRLEN] = "", url[INET6_ADDRSTRLEN + 32], port[8] = "";

    if (options->unix_path) {
        options->ready_fn(options->unix_path);
        return;
    }
    getsockname(web.listen_fd, (struct sockaddr *)&address, &size);
    getnameinfo((struct sockaddr *)&address, size, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(url, sizeof url, address.ss_family == AF_INET6 ? "%s://[%s]:%s" : "%s://%s:%s",
             options->certificate ? "https" : "http", host, port);
    options->ready_fn(url);
}

/* ---- metrics, at an address of their own ---- */

static int64_t resident_bytes(void)
{
    char text[128];
    ssize_t size = pread(web.memory_fd, text, sizeof text - 1, 0);
    long long pages = 0;

    text[size > 0 ? size : 0] = '\0';
    sscanf(text, "%*d %lld", &pages);
    return pages * sysconf(_SC_PAGESIZE);
}

static enum MHD_Result send_metrics(void *context, struct MHD_Connection *connection,
                                    const char *path, const char *method, const char *version,
                                    const char *bytes, size_t *size, void **of_request)
{
    const struct {
        const char *name;
        int64_t value;
    } rows[] = {
        {"connections", visitors_count()},
        {"listeners", events_listeners()},
        {"resident_bytes", resident_bytes()},
        {"questions{kind=\"light\"}", clerks_busy(CLERK_LIGHT)},
        {"questions{kind=\"heavy\"}", clerks_busy(CLERK_HEAVY)},
        {"questions{kind=\"upload\"}", clerks_busy(CLERK_UPLOAD)},
        {"answers_total{status=\"2xx\"}", http_answer_count(2)},
        {"answers_total{status=\"3xx\"}", http_answer_count(3)},
        {"answers_total{status=\"4xx\"}", http_answer_count(4)},
        {"answers_total{status=\"5xx\"}", http_answer_count(5)},
    };
    struct MHD_Response *response;
    char text[METRICS_BYTES];
    int length = 0;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "pavilion_web_%s %lld\n",
                           rows[i].name, (long long)rows[i].value);
    response = http.MHD_create_response_from_buffer((size_t)length, text, MHD_RESPMEM_MUST_COPY);
    if (response)
        http.MHD_add_response_header(response, "Content-Type", "text/plain; version=0.0.4");
    return *size ? MHD_NO : http_send(connection, 200, response);
}

static bool start_metrics(void)
{
    return web.metrics_fd < 0 ||
           http.MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, send_metrics, NULL,
                                 MHD_OPTION_LISTEN_SOCKET, web.metrics_fd,
                                 MHD_OPTION_CONNECTION_LIMIT, (unsigned)METRICS_CONNECTIONS,
                                 MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)VISITOR_HEAD_S,
                                 MHD_OPTION_END);
}

/* ---- the process ---- */

/* Waits for a signal. Then accepts no more connections, and gives running requests END_S to end. */
static void wait_for_end(struct MHD_Daemon *daemon)
{
    const struct timespec second = {.tv_sec = 1};
    sigset_t ends;
    bool is_idle = false;

    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    while (sigtimedwait(&ends, NULL, &second) < 0)
        visitors_close_slow();
    http.MHD_quiesce_daemon(daemon);
    for (int i = 0; i < END_S && !is_idle; i++) {
        is_idle = true;
        for (int kind = 0; kind < CLERK_KINDS; kind++)
            is_idle = is_idle && clerks_busy((enum clerk_kind)kind) == 0;
        sigtimedwait(&ends, NULL, &(struct timespec){.tv_nsec = is_idle ? 100000000 : 999999999});
    }
}

/* Starts libmicrohttpd's thread for the API and the pages; the metrics have another thread. */
static struct MHD_Daemon *start_daemon(void)
{
    struct MHD_OptionItem more[5];
    int count = 0;

    more[count++] = (struct MHD_OptionItem){MHD_OPTION_LISTEN_SOCKET, web.listen_fd, NULL};
    if (web.certificate) {
        more[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, web.certificate};
        more[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, web.key};
    }
    if (!web.has_proxy)
        more[count++] =
            (struct MHD_OptionItem){MHD_OPTION_PER_IP_CONNECTION_LIMIT, VISITORS_A_HOST, NULL};
    more[count] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    return http.MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC |
            (web.certificate ? MHD_USE_TLS : 0),
        0, NULL, NULL, handle, NULL, MHD_OPTION_ARRAY, more, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)VISITORS_MAX, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)WEB_IDLE_S,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)WEB_HEAD_BYTES_MAX,
        MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL, MHD_OPTION_NOTIFY_COMPLETED, request_ended,
        NULL, MHD_OPTION_NOTIFY_CONNECTION, visitors_changed, NULL, MHD_OPTION_END);
}

static int serve(char error[static WEB_ERROR_BYTES])
{
    struct sandbox_failure failure;
    struct MHD_Daemon *daemon;
    int result = sandbox_confine_self(&web.site_parent_fd, 1, web.inbox_fd, &failure);

    if (result < 0)
        return fail(error, result, "it cannot be confined: %s: %s", failure.step,
                    strerror(failure.error));
    visitors_have_proxy(web.has_proxy);
    result = clerks_start(web.inbox_fd, web.options->package_bytes);
    if (result == 0)
        result = events_start();
    if (result < 0)
        return fail(error, result, "its threads cannot begin: %s", strerror(-result));
    daemon = start_daemon();
    if (!daemon || !start_metrics())
        return fail(error, -EINVAL, "%s",
                    web.certificate ? "HTTPS cannot begin: check certificate and key"
                                    : "libmicrohttpd cannot begin");
    wait_for_end(daemon);
    return 0;
}

int web_run(const struct web_options *options, char error[static WEB_ERROR_BYTES])
{
    struct rlimit files = {0};
    sigset_t ends;
    int result;

    if (!http_load() || !archive_load())
        return fail(error, -ENOENT, "libmicrohttpd12 and libarchive13 must be installed");
    web.options = options;
    pages_set_boards(options->boards);
    result = open_all(options, error);
    if (result < 0)
        return result;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    mallopt(M_ARENA_MAX, 2);
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigprocmask(
        SIG_BLOCK, &ends,
        NULL); /* block the signals in all threads, because wait_for_end waits for the signals */
    tell_ready(options);
    return serve(error);
}
