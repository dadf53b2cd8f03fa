#include "arena/web/web.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <microhttpd.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arena/play/alarm.h"
#include "arena/play/library.h"
#include "arena/store/archive.h"
#include "arena/store/authors.h"
#include "arena/web/api.h"
#include "arena/web/message.h"
#include "sandbox/sandbox.h"

enum {
    /* A body that is read although the answer is known: of anybody, and from a proxy here. */
    DRAINED_BYTES_MAX = 1 << 20,
    DRAINED_OF_PROXY_MAX = 512 << 20,
    IGNORED_BYTES_MAX = 4096, /* body of a request that has none */
    CACHED_BYTES_MAX = 1 << 20,
    CACHE_SLOTS = 64,
    RATE_SLOTS = 4096,
    LISTENERS_MAX = 256, /* connections that listen to events */
    EVENT_BYTES = 16384, /* of an event, that are sent at a time */
    HEARTBEAT_S = 15,    /* so that clients that are gone are noticed */
    END_S = 5,           /* requests under way may end when the process is told to */
    CLERK_STACK_BYTES = 256 << 10,
};

/* ---- libmicrohttpd is loaded when it is needed: other commands start faster without it ---- */

#define LIBMICROHTTPD_FUNCTIONS(FUNCTION)                                                          \
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

LIBRARY(library, LIBMICROHTTPD_FUNCTIONS)

extern const char web_live_html[], web_live_js[], web_live_css[]; /* generated from site/live/ */

/* ---- the process ---- */

enum request_stage {
    REQUEST_NEW = 0,
    REQUEST_HEAD_ASKED = 1, /* suspended: the desk says whether it takes an upload */
    REQUEST_BODY = 2,
    REQUEST_DRAIN = 3, /* the answer is known, but the body is still read */
    REQUEST_ASKED = 4, /* suspended, with the whole question */
};

/* A request to the API. The strings of `api` are libmicrohttpd's, until the request ends. */
struct request {
    struct request *next; /* in a queue */
    struct MHD_Connection *connection;
    const struct api_route *route;
    enum request_stage stage;
    struct api_request api;
    char token_sha256[STORE_HASH_DIGITS + 1];
    int body_fd; /* the upload, in the inbox; -1: none */
    int64_t body_bytes, begun_us;
    struct api_answer answer;
};

/* An open connection. The list of all lets us close those that send their request too slowly. */
struct visitor {
    struct visitor *next, *previous;
    int fd;
    int64_t since_us; /* when it connected, or its last request ended */
    bool is_served;   /* the head of a request has arrived */
};

struct queue {
    struct request *first, **end;
    int count;
};

struct cached {
    char key[API_PATH_BYTES_MAX + 128];
    int64_t made_us;
    struct api_answer answer;
};

struct rate {
    uint64_t address; /* IPv4, or the first half of IPv6; 0: a free slot */
    int64_t full_us;  /* when the address may again make WEB_RATE_BURST requests at once */
};

/* A text for everybody who listens. */
struct event {
    int users;
    size_t size;
    char *text;
};

/* A connection that listens. */
struct listener {
    struct listener *next;
    struct MHD_Connection *connection;
    struct event *event; /* that is being sent; NULL: none */
    size_t sent;
    int64_t number; /* of the last event that was begun */
    bool is_suspended;
};

static struct web {
    const struct web_options *options;
    int listen_fd, inbox_fd, site_parent_fd;
    char site_name[NAME_MAX + 1];
    char desk_name[NAME_MAX + 1]; /* in the working folder */
    bool has_proxy; /* connections come from this machine: their addresses are in a header */
    struct rate rates[RATE_SLOTS]; /* of libmicrohttpd's thread */

    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t work;
    struct queue light, heavy;
    int under_way; /* questions that a clerk asks */
    struct visitor *visitors;
    struct listener *listeners;
    int listener_count;
    struct event *event; /* the newest */
    int64_t event_number;
    struct cached cache[CACHE_SLOTS];
} web = {.lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER};

/* ---- responses ---- */

static void add_headers(struct MHD_Response *response)
{
    static const char *const headers[][2] = {
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Content-Security-Policy",
         "frame-ancestors 'self'; base-uri 'none'; form-action 'none'; object-src 'none'"},
    };

    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        library.MHD_add_response_header(response, headers[i][0], headers[i][1]);
}

/* Sends an answer of the API, and takes over its body. */
static enum MHD_Result send_answer(struct MHD_Connection *connection, struct api_answer *answer)
{
    struct MHD_Response *response =
        library.MHD_create_response_from_buffer(answer->size, answer->body, MHD_RESPMEM_MUST_FREE);
    enum MHD_Result result;
    char seconds[16];

    if (!response)
        return MHD_NO;
    answer->body = NULL;
    add_headers(response);
    library.MHD_add_response_header(response, "Content-Type", answer->type);
    library.MHD_add_response_header(response, "Cache-Control", "no-store");
    library.MHD_add_response_header(response, "Access-Control-Allow-Origin", "*");
    if (answer->status == 401)
        library.MHD_add_response_header(response, "WWW-Authenticate", "Bearer");
    snprintf(seconds, sizeof seconds, "%d", answer->retry_after_s);
    if (answer->retry_after_s)
        library.MHD_add_response_header(response, "Retry-After", seconds);
    result = library.MHD_queue_response(connection, (unsigned)answer->status, response);
    library.MHD_destroy_response(response);
    return result;
}

__attribute__((format(printf, 4, 5))) static enum MHD_Result
refuse(struct MHD_Connection *connection, int status, int retry_after_s, const char *format, ...)
{
    struct api_answer answer = {.status = 0};
    char detail[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    api_refuse(&answer, status, "%s", detail);
    answer.retry_after_s = retry_after_s;
    return send_answer(connection, &answer);
}

/* ---- the site ---- */

static const char *type_of(const char *path)
{
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},     {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"}, {".json", "application/json"},
        {".xml", "application/atom+xml"},          {".svg", "image/svg+xml"},
        {".csv", "text/csv; charset=utf-8"},
    };
    const char *end = strrchr(path, '.');

    for (size_t i = 0; end && i < sizeof types / sizeof *types; i++)
        if (strcmp(end, types[i][0]) == 0)
            return types[i][1];
    return "application/octet-stream";
}

/* True for a path that may name a file of the site: no part of it begins with a point. */
static bool path_is_plain(const char *path)
{
    if (*path != '/' || strstr(path, "/.") || strstr(path, "//"))
        return false;
    for (; *path; path++)
        if ((unsigned char)*path < ' ' || strchr("\\%\177", *path))
            return false;
    return true;
}

static int open_beneath(int folder_fd, const char *path, uint64_t flags)
{
    struct open_how how = {.flags = flags | O_CLOEXEC | O_NOFOLLOW,
                           .resolve =
                               RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};

    return (int)syscall(SYS_openat2, folder_fd, path, &how, sizeof how);
}

/* Opens a file of the site, whose folder another takes the place of at each publication. */
static int open_page(const char *path, struct stat *stat)
{
    char inside[PATH_MAX];
    const size_t size = strlen(path);
    int site_fd, fd;

    if (size + 16 > sizeof inside)
        return -1;
    snprintf(inside, sizeof inside, "%s%s", path + 1, path[size - 1] == '/' ? "index.html" : "");
    site_fd = open_beneath(web.site_parent_fd, web.site_name, O_PATH | O_DIRECTORY);
    if (site_fd < 0)
        return -1;
    fd = open_beneath(site_fd, inside, O_RDONLY | O_NONBLOCK);
    close(site_fd);
    if (fd >= 0 && (fstat(fd, stat) < 0 || !S_ISREG(stat->st_mode))) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Sends a page that is part of the program; returns false if there is none at this path. */
static bool send_own_page(struct MHD_Connection *connection, const char *path)
{
    const struct {
        const char *path, *type, *text;
    } pages[] = {
        {"/live", "text/html; charset=utf-8", web_live_html},
        {"/live.js", "text/javascript; charset=utf-8", web_live_js},
        {"/live.css", "text/css; charset=utf-8", web_live_css},
    };

    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        struct MHD_Response *response;

        if (strcmp(path, pages[i].path) != 0)
            continue;
        response = library.MHD_create_response_from_buffer(
            strlen(pages[i].text), (void *)(uintptr_t)pages[i].text, MHD_RESPMEM_PERSISTENT);
        if (!response)
            return false;
        add_headers(response);
        library.MHD_add_response_header(response, "Content-Type", pages[i].type);
        library.MHD_add_response_header(
            response, "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
        library.MHD_queue_response(connection, 200, response);
        library.MHD_destroy_response(response);
        return true;
    }
    return false;
}

static enum MHD_Result send_page(struct MHD_Connection *connection, const char *path)
{
    const char *known;
    struct MHD_Response *response;
    enum MHD_Result result;
    struct stat stat;
    char mark[64];
    bool is_known;
    int fd;

    if (send_own_page(connection, path))
        return MHD_YES;
    fd = web.site_parent_fd >= 0 && path_is_plain(path) ? open_page(path, &stat) : -1;

    if (fd < 0)
        return refuse(connection, 404, 0, "there is no page at this address");
    snprintf(mark, sizeof mark, "\"%llx-%llx-%llx\"", (unsigned long long)stat.st_ino,
             (unsigned long long)stat.st_size,
             (unsigned long long)stat.st_mtim.tv_sec * 1000000000 +
                 (unsigned long long)stat.st_mtim.tv_nsec);
    known = library.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "If-None-Match");
    is_known = known && strcmp(known, mark) == 0;
    if (is_known)
        close(fd);
    response = is_known ? library.MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT)
                        : library.MHD_create_response_from_fd64((uint64_t)stat.st_size, fd);
    if (!response) {
        if (!is_known)
            close(fd);
        return MHD_NO;
    }
    add_headers(response);
    library.MHD_add_response_header(response, "ETag", mark);
    library.MHD_add_response_header(response, "Cache-Control", "no-cache");
    library.MHD_add_response_header(response, "Content-Type",
                                    path[strlen(path) - 1] == '/' ? "text/html; charset=utf-8"
                                                                  : type_of(path));
    result = library.MHD_queue_response(connection, is_known ? 304 : 200, response);
    library.MHD_destroy_response(response);
    return result;
}

/* ---- rates ---- */

/* The key of a client whose address the limit cannot tell: all such clients share one limit. */
enum {
    ADDRESS_UNKNOWN = 1
};

/* A network of IPv6 (/64) or one address of IPv4, also one written as IPv6 (::ffff:192.0.2.1). */
static uint64_t address_key(const struct in6_addr *address)
{
    uint64_t network;
    uint32_t four;

    memcpy(&network, address, sizeof network);
    memcpy(&four, &address->s6_addr[12], sizeof four);
    if (IN6_IS_ADDR_V4MAPPED(address))
        network = UINT64_C(1) << 32 | four;
    return network ? network : ADDRESS_UNKNOWN;
}

/* Writes an address as one of IPv6. Returns whether the text is an address. */
static bool read_address(const char *text, struct in6_addr *address)
{
    char mapped[INET6_ADDRSTRLEN + 8];

    snprintf(mapped, sizeof mapped, "::ffff:%s", text);
    return inet_pton(AF_INET6, text, address) == 1 || inet_pton(AF_INET6, mapped, address) == 1;
}

/* Keeps the value of the last X-Forwarded-For: a proxy may add a header of its own at the end. */
static enum MHD_Result keep_forwarded(void *context, enum MHD_ValueKind kind, const char *name,
                                      const char *value)
{
    const char **last = context;

    (void)kind;
    if (strcasecmp(name, "X-Forwarded-For") == 0)
        *last = value;
    return MHD_YES;
}

/*
 * Returns the key under which the requests of a client are counted. Behind a proxy the proxy names
 * the client; 0, no limit: a client of this machine that came without the proxy.
 */
static uint64_t address_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        library.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *client = info ? info->client_addr : NULL;
    const char *text = NULL, *comma;
    char four[INET_ADDRSTRLEN];
    struct in6_addr address;

    if (web.has_proxy) {
        library.MHD_get_connection_values(connection, MHD_HEADER_KIND, keep_forwarded, &text);
        if (!text)
            return 0;
        comma = strrchr(text, ',');
        text = comma ? comma + 1 : text;
        text += strspn(text, " ");
    } else if (client && client->sa_family == AF_INET6) {
        return address_key(&((const struct sockaddr_in6 *)(const void *)client)->sin6_addr);
    } else if (client && client->sa_family == AF_INET) {
        text = inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)client)->sin_addr,
                         four, sizeof four);
    }
    return text && read_address(text, &address) ? address_key(&address) : ADDRESS_UNKNOWN;
}

/* Counts a request. Returns how many seconds too early it comes; 0: it may be answered. */
static int wait_of_rate(uint64_t address)
{
    const int64_t now_us = alarm_now_us(), step_us = 1000000 / WEB_RATE_S;
    struct rate *rate = &web.rates[address * 0x9e3779b97f4a7c15u >> 52];
    int64_t early_us;

    _Static_assert(RATE_SLOTS == 1 << 12, "the hash has 12 bits");
    if (!address)
        return 0;
    if (rate->address != address || rate->full_us < now_us)
        *rate = (struct rate){address, now_us};
    early_us = rate->full_us - now_us - step_us * WEB_RATE_BURST;
    if (early_us > 0)
        return (int)(early_us / 1000000) + 1;
    rate->full_us += step_us;
    return 0;
}

/* ---- asking the desk ---- */

/* Reads the desk's answer from its connection. */
static int receive_answer(int socket, struct api_answer *answer)
{
    char *text;
    size_t size;
    json_t *head;
    int error = message_receive(socket, MESSAGE_HEAD_BYTES_MAX, &text, &size, NULL);

    if (error)
        return error;
    head = json_loadb(text, size, 0, NULL);
    free(text);
    answer->status = (int)json_integer_value(json_object_get(head, "status"));
    answer->retry_after_s = (int)json_integer_value(json_object_get(head, "retry_after"));
    text = (char *)json_string_value(json_object_get(head, "type"));
    answer->type = !text                                           ? ""
                   : strcmp(text, "application/json") == 0         ? "application/json"
                   : strcmp(text, "application/problem+json") == 0 ? "application/problem+json"
                                                                   : "application/octet-stream";
    json_decref(head);
    if (answer->status < 200 || answer->status > 599)
        return -EPROTO;
    return message_receive(socket, MESSAGE_BODY_BYTES_MAX, &answer->body, &answer->size, NULL);
}

/* Asks the desk and waits for its answer. fd is an upload, or -1. */
static void ask_desk(const struct api_request *api, int fd, struct api_answer *answer)
{
    json_t *json = api_request_json(api);
    char *text = json_dumps(json, JSON_COMPACT);
    int socket = message_connect(web.desk_name), error = socket;

    if (socket >= 0) {
        error = text ? message_send(socket, text, strlen(text), fd) : -ENOMEM;
        if (!error)
            error = receive_answer(socket, answer);
        close(socket);
    }
    if (!json) {
        api_refuse(answer, 400, "the address is not UTF-8");
    } else if (error < 0) {
        *answer = (struct api_answer){.status = 0};
        api_refuse(answer, 503, "the arena does not answer at the moment: try again");
        answer->retry_after_s = 5;
    }
    free(text);
    json_decref(json);
}

/* ---- uploads ---- */

/* Opens a file of the inbox that has no name: it is gone with its last descriptor. */
static int open_inbox(void)
{
    static atomic_int number; /* counts the names that this process has tried, in all threads */
    char name[48];
    int fd;

    for (int tries = 0; tries < 100; tries++) {
        snprintf(name, sizeof name, ".arena-upload-%d-%d", (int)getpid(), number++);
        fd = openat(web.inbox_fd, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    if (fd >= 0)
        unlinkat(web.inbox_fd, name, 0);
    return fd;
}

/* Converts an upload to a package and asks the desk to take it. */
static void ask_upload(struct request *request)
{
    char error[ARCHIVE_ERROR_BYTES];
    int fd = open_inbox();
    int result = fd < 0 ? ARCHIVE_UNWRITTEN
                        : archive_convert(request->body_fd, fd, web.options->package_bytes, error);

    close(request->body_fd);
    request->body_fd = -1;
    if (result == ARCHIVE_UNWRITTEN)
        api_refuse(&request->answer, 503, "there is no room for uploads at the moment");
    else if (result == ARCHIVE_TOO_LARGE)
        api_refuse(&request->answer, 413, "%s: the limit is %lld", error,
                   (long long)web.options->package_bytes);
    else if (result < 0)
        api_refuse(&request->answer, 422, "%s", error);
    else
        ask_desk(&request->api, fd, &request->answer);
    if (fd >= 0)
        close(fd);
}

/* ---- clerks: threads that ask the desk ---- */

static struct cached *find_cached(const struct request *request,
                                  char key[static sizeof web.cache->key])
{
    const struct api_request *api = &request->api;
    uint64_t hash = 0;

    if (request->route->flags & (API_NEEDS_TOKEN | API_IS_UPLOAD) ||
        snprintf(key, sizeof web.cache->key, "%s?%s&%s&%s&%s", api->path,
                 api->players ? api->players : "", api->bot ? api->bot : "",
                 api->after ? api->after : "",
                 api->limit ? api->limit : "") >= (int)sizeof web.cache->key)
        return NULL;
    for (const char *at = key; *at; at++)
        hash = (hash ^ (uint8_t)*at) * 0x100000001b3u;
    return &web.cache[hash % CACHE_SLOTS];
}

static bool copy_answer(const struct api_answer *from, struct api_answer *to)
{
    *to = *from;
    to->body = malloc(from->size + 1);
    if (to->body)
        memcpy(to->body, from->body, from->size);
    return to->body != NULL;
}

/* Answers from the cache. Called with the lock. */
static bool is_cached(const struct cached *slot, const char *key, struct api_answer *answer)
{
    return slot && strcmp(slot->key, key) == 0 &&
           alarm_now_us() - slot->made_us < WEB_CACHE_MS * 1000 &&
           copy_answer(&slot->answer, answer);
}

static void keep_cached(struct cached *slot, const char *key, const struct api_answer *answer)
{
    if (!slot || answer->status != 200 || answer->size > CACHED_BYTES_MAX)
        return;
    free(slot->answer.body);
    slot->key[0] = '\0';
    if (copy_answer(answer, &slot->answer)) {
        slot->made_us = alarm_now_us();
        strcpy(slot->key, key);
    }
}

static void answer_question(struct request *request)
{
    char key[sizeof web.cache->key];
    struct cached *slot = find_cached(request, key);
    bool is_done;

    pthread_mutex_lock(&web.lock);
    is_done = is_cached(slot, key, &request->answer);
    pthread_mutex_unlock(&web.lock);
    if (is_done)
        return;
    if (request->body_fd >= 0)
        ask_upload(request);
    else
        ask_desk(&request->api, -1, &request->answer);
    pthread_mutex_lock(&web.lock);
    keep_cached(slot, key, &request->answer);
    pthread_mutex_unlock(&web.lock);
}

static struct request *take_first(struct queue *queue)
{
    struct request *request = queue->first;

    if (!request)
        return NULL;
    queue->first = request->next;
    if (!queue->first)
        queue->end = &queue->first;
    queue->count--;
    return request;
}

static void *work(void *takes_heavy)
{
    for (;;) {
        struct request *request = NULL;

        pthread_mutex_lock(&web.lock);
        while (!(takes_heavy && (request = take_first(&web.heavy))) &&
               !(request = take_first(&web.light)))
            pthread_cond_wait(&web.work, &web.lock);
        web.under_way++;
        pthread_mutex_unlock(&web.lock);
        answer_question(request);
        library.MHD_resume_connection(request->connection); /* the request may end at once */
        pthread_mutex_lock(&web.lock);
        web.under_way--;
        pthread_mutex_unlock(&web.lock);
    }
    return NULL;
}

/* Suspends a request until a clerk has its answer. */
static enum MHD_Result ask(struct request *request)
{
    const bool is_heavy = request->route->flags & API_IS_HEAVY || request->body_fd >= 0;
    struct queue *queue = is_heavy ? &web.heavy : &web.light;
    bool is_full;

    pthread_mutex_lock(&web.lock);
    is_full = queue->count == WEB_QUEUE_MAX;
    if (!is_full) {
        library.MHD_suspend_connection(request->connection);
        request->next = NULL;
        *queue->end = request;
        queue->end = &request->next;
        queue->count++;
        pthread_cond_broadcast(&web.work);
    }
    pthread_mutex_unlock(&web.lock);
    return is_full ? refuse(request->connection, 503, 5, "too many requests wait: try again")
                   : MHD_YES;
}

/* ---- events: those who listen get the newest, and skip what they were too slow for ---- */

static void drop_event(struct event *event)
{
    if (!event || --event->users > 0)
        return;
    free(event->text);
    free(event);
}

/* libmicrohttpd's thread has room for bytes of a listener's response. */
static ssize_t send_event(void *context, uint64_t position, char *bytes, size_t size)
{
    struct listener *listener = context;
    size_t part = 0;

    (void)position;
    pthread_mutex_lock(&web.lock);
    if (!listener->event && listener->number != web.event_number && web.event) {
        listener->event = web.event;
        listener->event->users++;
        listener->number = web.event_number;
        listener->sent = 0;
    }
    if (listener->event) {
        part = listener->event->size - listener->sent;
        part = part < size ? part : size;
        memcpy(bytes, listener->event->text + listener->sent, part);
        listener->sent += part;
        if (listener->sent == listener->event->size) {
            drop_event(listener->event);
            listener->event = NULL;
        }
    } else {
        listener->is_suspended = true;
        library.MHD_suspend_connection(listener->connection);
    }
    pthread_mutex_unlock(&web.lock);
    return (ssize_t)part;
}

static void listener_ended(void *context)
{
    struct listener *listener = context;

    pthread_mutex_lock(&web.lock);
    for (struct listener **at = &web.listeners; *at; at = &(*at)->next)
        if (*at == listener) {
            *at = listener->next;
            break;
        }
    web.listener_count--;
    drop_event(listener->event);
    pthread_mutex_unlock(&web.lock);
    free(listener);
}

static enum MHD_Result begin_events(struct MHD_Connection *connection)
{
    struct listener *listener = NULL;
    struct MHD_Response *response;
    enum MHD_Result result;

    pthread_mutex_lock(&web.lock);
    if (web.listener_count < LISTENERS_MAX && (listener = calloc(1, sizeof *listener))) {
        listener->connection = connection;
        listener->next = web.listeners;
        web.listeners = listener;
        web.listener_count++;
    }
    pthread_mutex_unlock(&web.lock);
    if (!listener)
        return refuse(connection, 503, 60, "%d others watch: that is the limit", LISTENERS_MAX);
    response = library.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, EVENT_BYTES, send_event,
                                                         listener, listener_ended);
    if (!response) {
        listener_ended(listener);
        return MHD_NO;
    }
    add_headers(response);
    library.MHD_add_response_header(response, "Content-Type", "text/event-stream");
    library.MHD_add_response_header(response, "Cache-Control", "no-store");
    library.MHD_add_response_header(response, "Access-Control-Allow-Origin", "*");
    library.MHD_add_response_header(response, "X-Accel-Buffering", "no"); /* nginx */
    result = library.MHD_queue_response(connection, 200, response);
    library.MHD_destroy_response(response);
    return result;
}

/* Makes a text the newest event, and wakes those who listen. */
static void publish_event(char *text)
{
    struct event *event = calloc(1, sizeof *event);

    if (!event || !text) {
        free(event);
        free(text);
        return;
    }
    *event = (struct event){.users = 1, .size = strlen(text), .text = text};
    pthread_mutex_lock(&web.lock);
    drop_event(web.event);
    web.event = event;
    web.event_number++;
    for (struct listener *listener = web.listeners; listener; listener = listener->next)
        if (listener->is_suspended) {
            listener->is_suspended = false;
            library.MHD_resume_connection(listener->connection);
        }
    pthread_mutex_unlock(&web.lock);
}

/* A thread: asks the desk every second for the live games, while somebody listens. */
static void *tell_live(void *context)
{
    const struct api_request question = {.method = "GET", .path = "/api/v1/live", .upload_fd = -1};
    char *before = NULL;
    int quiet_s = 0;

    (void)context;
    for (;; nanosleep(&(struct timespec){.tv_sec = 1}, NULL)) {
        struct api_answer answer = {.status = 0};
        bool is_heard, is_news;
        char *text = NULL;

        pthread_mutex_lock(&web.lock);
        is_heard = web.listener_count > 0;
        pthread_mutex_unlock(&web.lock);
        if (!is_heard)
            continue;
        ask_desk(&question, -1, &answer);
        is_news = answer.status == 200 && (!before || strcmp(before, answer.body) != 0);
        if (is_news ? asprintf(&text, "event: games\ndata: %s\n\n", answer.body) < 0
                    : ++quiet_s < HEARTBEAT_S || !(text = strdup(":\n\n")))
            text = NULL;
        if (text) {
            publish_event(text);
            quiet_s = 0;
        }
        if (is_news) {
            free(before);
            before = answer.body;
        } else {
            free(answer.body);
        }
        if (text && !is_news) { /* a newcomer must get the games, not the heartbeat */
            free(before);
            before = NULL;
        }
    }
    return NULL;
}

/* ---- requests to the API ---- */

static const char *query_of(struct MHD_Connection *connection, const char *name)
{
    return library.MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

static struct request *make_request(struct MHD_Connection *connection,
                                    const struct api_route *route, const char *path)
{
    static const char bearer[] = "Bearer ";
    const char *authorization =
        library.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Authorization");
    struct request *request = calloc(1, sizeof *request);

    if (!request)
        return NULL;
    request->connection = connection;
    request->route = route;
    request->body_fd = -1;
    request->begun_us = alarm_now_us();
    request->api = (struct api_request){.method = route->method,
                                        .path = path,
                                        .players = query_of(connection, "players"),
                                        .bot = query_of(connection, "bot"),
                                        .after = query_of(connection, "after"),
                                        .limit = query_of(connection, "limit"),
                                        .upload_fd = -1};
    if (authorization && strncasecmp(authorization, bearer, strlen(bearer)) == 0) {
        authorization += strlen(bearer);
        store_token_hash(authorization, strlen(authorization), request->token_sha256);
        request->api.token_sha256 = request->token_sha256;
    }
    return request;
}

/* Returns the length of the body that the head tells; -1: it does not tell. */
static int64_t body_length(struct MHD_Connection *connection)
{
    const char *text =
        library.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");

    return text && *text >= '0' && *text <= '9' ? strtoll(text, NULL, 10) : -1;
}

static int64_t drained_most(void)
{
    return web.has_proxy ? DRAINED_OF_PROXY_MAX : DRAINED_BYTES_MAX;
}

/* Answers an upload at its head; a short body is read first, so that the client sees the answer. */
static enum MHD_Result answer_head(struct request *request)
{
    const int64_t length = body_length(request->connection);

    if (length >= 0 && length <= drained_most()) {
        request->stage = REQUEST_DRAIN;
        return MHD_YES;
    }
    return send_answer(request->connection, &request->answer);
}

/* The head of an upload has arrived: asks whether its body would be taken. */
static enum MHD_Result begin_upload(struct request *request)
{
    if (!request->api.token_sha256) {
        api_refuse(&request->answer, 401,
                   "send the header Authorization: Bearer TOKEN; the organizer makes tokens");
        return answer_head(request);
    }
    if (body_length(request->connection) > web.options->package_bytes) {
        api_refuse(&request->answer, 413, "an upload may have %lld bytes",
                   (long long)web.options->package_bytes);
        return answer_head(request);
    }
    request->stage = REQUEST_HEAD_ASKED;
    request->api.is_head = true;
    return ask(request);
}

/* The desk has said whether it takes the upload. */
static enum MHD_Result head_answered(struct request *request)
{
    if (request->answer.status == 200) {
        free(request->answer.body);
        request->answer = (struct api_answer){.status = 0};
        request->api.is_head = false;
        request->body_fd = open_inbox();
        if (request->body_fd >= 0) {
            request->stage = REQUEST_BODY;
            return MHD_YES;
        }
        api_refuse(&request->answer, 503, "there is no room for uploads at the moment");
    }
    return answer_head(request);
}

/* Takes a piece of the body. MHD_NO ends the connection: no answer is possible at this point. */
static enum MHD_Result take_body(struct request *request, const char *bytes, size_t size)
{
    const bool is_kept = request->body_fd >= 0;
    const int64_t most = is_kept                           ? web.options->package_bytes
                         : request->stage == REQUEST_DRAIN ? drained_most()
                                                           : IGNORED_BYTES_MAX;

    request->body_bytes += (int64_t)size;
    if (request->body_bytes > most ||
        alarm_now_us() - request->begun_us > WEB_BODY_S * INT64_C(1000000))
        return MHD_NO;
    return !is_kept || archive_write(request->body_fd, (const uint8_t *)bytes, size) == 0 ? MHD_YES
                                                                                          : MHD_NO;
}

/* libmicrohttpd calls this when the head has arrived, for each piece of the body, and at its end.
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
    return send_answer(request->connection, &request->answer);
}

/* Stands for the request of a page, about which nothing must be kept. */
static struct request page_request, events_request;

static enum MHD_Result begin_request(struct MHD_Connection *connection, const char *path,
                                     const char *method, void **of_request)
{
    const bool is_read = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    const int early_s = wait_of_rate(address_of(connection));
    const struct api_route *route;
    struct request *request;
    const char *allowed;

    if (early_s)
        return refuse(connection, 429, early_s, "an address may make %d requests a second",
                      WEB_RATE_S);
    if (strncmp(path, "/api/", 5) != 0) {
        *of_request = is_read ? &page_request : NULL;
        return is_read ? MHD_YES : refuse(connection, 405, 0, "pages are only read");
    }
    route = api_route_find(is_read ? "GET" : method, path, &allowed);
    if (!route && allowed)
        return refuse(connection, 405, 0, "this address takes %s", allowed);
    if (!route)
        return refuse(connection, 404, 0, "there is nothing at this address");
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

/* Decodes %XX in place, but leaves %00, which would cut an address short. Returns the length. */
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
    const union MHD_ConnectionInfo *info =
        library.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct visitor *visitor = info ? info->socket_context : NULL;

    (void)context;
    (void)version;
    if (visitor)
        __atomic_store_n(&visitor->is_served, true, __ATOMIC_RELAXED);
    if (!*of_request)
        return begin_request(connection, path, method, of_request);
    if (*of_request == &events_request)
        return *size ? MHD_NO : begin_events(connection);
    if (*of_request != &page_request)
        return continue_request(*of_request, bytes, size);
    return *size ? MHD_NO : send_page(connection, path);
}

static void request_ended(void *context, struct MHD_Connection *connection, void **of_request,
                          enum MHD_RequestTerminationCode code)
{
    const union MHD_ConnectionInfo *info =
        library.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct visitor *visitor = info ? info->socket_context : NULL;
    struct request *request = *of_request;

    (void)context;
    (void)code;
    if (visitor) {
        __atomic_store_n(&visitor->since_us, alarm_now_us(), __ATOMIC_RELAXED);
        __atomic_store_n(&visitor->is_served, false, __ATOMIC_RELAXED);
    }
    if (!request || request == &page_request || request == &events_request)
        return;
    if (request->body_fd >= 0)
        close(request->body_fd);
    free(request->answer.body);
    free(request);
    *of_request = NULL;
}

/* ---- slow heads ---- */

static void connection_changed(void *context, struct MHD_Connection *connection,
                               void **of_connection, enum MHD_ConnectionNotificationCode code)
{
    struct visitor *visitor = *of_connection;

    (void)context;
    pthread_mutex_lock(&web.lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED && (visitor = calloc(1, sizeof *visitor))) {
        visitor->fd =
            library.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
                ->connect_fd;
        visitor->since_us = alarm_now_us();
        visitor->next = web.visitors;
        if (web.visitors)
            web.visitors->previous = visitor;
        web.visitors = visitor;
        *of_connection = visitor;
    } else if (code == MHD_CONNECTION_NOTIFY_CLOSED && visitor) {
        if (visitor->next)
            visitor->next->previous = visitor->previous;
        *(visitor->previous ? &visitor->previous->next : &web.visitors) = visitor->next;
        free(visitor);
        *of_connection = NULL;
    }
    pthread_mutex_unlock(&web.lock);
}

/* Ends the connections that have not sent the head of a request in time. */
static void cut_slow(void)
{
    const int64_t before_us = alarm_now_us() - WEB_HEAD_S * INT64_C(1000000);

    pthread_mutex_lock(&web.lock);
    for (struct visitor *visitor = web.visitors; visitor; visitor = visitor->next)
        if (!__atomic_load_n(&visitor->is_served, __ATOMIC_RELAXED) &&
            __atomic_load_n(&visitor->since_us, __ATOMIC_RELAXED) < before_us)
            shutdown(visitor->fd, SHUT_RDWR);
    pthread_mutex_unlock(&web.lock);
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

static int listen_tcp(const char *text, char error[static WEB_ERROR_BYTES])
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
    web.has_proxy = is_this_machine(info->ai_addr);
    freeaddrinfo(info);
    return fd < 0 ? fail(error, fd, "%s: %s", text, strerror(-fd)) : fd;
}

/* Opens the folder that contains path, and writes the path's name in it. */
static int open_parent(const char *path, char name[static NAME_MAX + 1])
{
    char whole[PATH_MAX], copy[PATH_MAX];
    int fd;

    if (snprintf(whole, sizeof whole, "%s", path) >= (int)sizeof whole)
        return -ENAMETOOLONG;
    strcpy(copy, whole);
    if (snprintf(name, NAME_MAX + 1, "%s", basename(copy)) > NAME_MAX)
        return -ENAMETOOLONG;
    fd = open(dirname(whole), O_PATH | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

/* Opens everything that the confined process needs. */
static int open_all(const struct web_options *options, char error[static WEB_ERROR_BYTES])
{
    int desk_fd = open_parent(options->desk, web.desk_name);

    if (desk_fd < 0 || fchdir(desk_fd) < 0)
        return fail(error, desk_fd < 0 ? desk_fd : -errno, "--desk %s: its folder: %s",
                    options->desk, strerror(desk_fd < 0 ? -desk_fd : errno));
    close(desk_fd);
    web.inbox_fd = open(options->inbox, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (web.inbox_fd < 0)
        return fail(error, -errno, "--inbox %s: %s", options->inbox, strerror(errno));
    web.site_parent_fd = options->site ? open_parent(options->site, web.site_name) : -1;
    if (options->site && web.site_parent_fd < 0)
        return fail(error, web.site_parent_fd, "--site %s: its folder: %s", options->site,
                    strerror(-web.site_parent_fd));
    web.listen_fd = options->unix_path ? listen_unix(options->unix_path, error)
                                       : listen_tcp(options->listen, error);
    return web.listen_fd < 0 ? web.listen_fd : 0;
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

static int start_threads(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int error;

    web.light.end = &web.light.first;
    web.heavy.end = &web.heavy.first;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, CLERK_STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    error = pthread_create(&thread, &attributes, tell_live, NULL);
    for (int i = 0; i < WEB_CLERKS && !error; i++)
        error = pthread_create(&thread, &attributes, work, i < WEB_HEAVY_CLERKS ? &web : NULL);
    pthread_attr_destroy(&attributes);
    return -error;
}

/* Waits for a signal. Then no connection is accepted, and what is under way may end. */
static void wait_for_end(struct MHD_Daemon *daemon)
{
    const struct timespec second = {.tv_sec = 1};
    sigset_t ends;
    bool is_idle = false;

    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    while (sigtimedwait(&ends, NULL, &second) < 0)
        cut_slow();
    library.MHD_quiesce_daemon(daemon);
    for (int i = 0; i < END_S && !is_idle; i++) {
        pthread_mutex_lock(&web.lock);
        is_idle = web.under_way + web.light.count + web.heavy.count == 0;
        pthread_mutex_unlock(&web.lock);
        sigtimedwait(&ends, NULL, &(struct timespec){.tv_nsec = is_idle ? 100000000 : 999999999});
    }
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

static int serve(const struct web_options *options, char error[static WEB_ERROR_BYTES])
{
    char *certificate = NULL, *key = NULL;
    struct MHD_OptionItem more[8];
    struct sandbox_failure failure;
    struct MHD_Daemon *daemon;
    int count = 0, result;

    if (options->certificate && (read_text(options->certificate, &certificate, error) < 0 ||
                                 read_text(options->key, &key, error) < 0))
        return -EINVAL;
    more[count++] = (struct MHD_OptionItem){MHD_OPTION_LISTEN_SOCKET, web.listen_fd, NULL};
    if (certificate) {
        more[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, certificate};
        more[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, key};
    }
    if (!web.has_proxy)
        more[count++] = (struct MHD_OptionItem){MHD_OPTION_PER_IP_CONNECTION_LIMIT,
                                                WEB_CONNECTIONS_A_HOST, NULL};
    more[count] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    result = sandbox_confine_self(&web.site_parent_fd, 1, web.inbox_fd, &failure);
    if (result < 0)
        return fail(error, result, "it cannot be confined: %s: %s", failure.step,
                    strerror(failure.error));
    daemon = library.MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC |
            (certificate ? MHD_USE_TLS : 0),
        0, NULL, NULL, handle, NULL, MHD_OPTION_ARRAY, more, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)WEB_CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)WEB_IDLE_S,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)WEB_HEAD_BYTES_MAX,
        MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL, MHD_OPTION_NOTIFY_COMPLETED, request_ended,
        NULL, MHD_OPTION_NOTIFY_CONNECTION, connection_changed, NULL, MHD_OPTION_END);
    free(certificate);
    free(key);
    if (!daemon)
        return fail(error, -EINVAL, "%s",
                    options->certificate ? "HTTPS cannot begin: check certificate and key"
                                         : "libmicrohttpd cannot begin");
    result = start_threads();
    if (result < 0)
        return fail(error, result, "its threads cannot begin: %s", strerror(-result));
    wait_for_end(daemon);
    return 0;
}

int web_run(const struct web_options *options, char error[static WEB_ERROR_BYTES])
{
    struct rlimit files = {0};
    sigset_t ends;
    int result;

    if (!LIBRARY_LOAD(library, "libmicrohttpd.so.12") || !archive_load())
        return fail(error, -ENOENT, "libmicrohttpd12 and libarchive13 must be installed");
    web.options = options;
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
    sigprocmask(SIG_BLOCK, &ends, NULL); /* also in the threads: wait_for_end takes them */
    tell_ready(options);
    return serve(options, error);
}
