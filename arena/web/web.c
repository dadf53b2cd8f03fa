#include "arena/web/web.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
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
#include "arena/play/foreground.h"
#include "arena/store/archive.h"
#include "arena/store/authors.h"
#include "arena/web/clerks.h"
#include "arena/web/http.h"
#include "arena/web/message.h"
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
    AT_ONCE_S = 5, /* Retry-After in seconds if a client has too much under way */
    END_S = 5,     /* time that running requests get after the signal to end */
    METRICS_BYTES = 2048,
    METRICS_CONNECTIONS = 4,
};

_Static_assert(DESK_THREADS == CLERK_KINDS * CLERKS_A_KIND + 1, "a clerk waits for the desk");

static struct web {
    const struct web_options *options;
    int listen_fd, metrics_fd, inbox_fd, site_parent_fd;
    int memory_fd; /* /proc/self/statm */
    char *certificate, *key;
    bool has_proxy; /* a proxy on this machine names the clients' addresses in a header */
} web;

/* ---- pages: the site's folder, and the page of live games ---- */

extern const char web_live_html[], web_live_js[], web_live_css[]; /* generated from site/live/ */

static char site_name[NAME_MAX + 1];

/* Opens the folder that contains the site. Returns its descriptor or -errno. */
static int open_site(const char *site)
{
    char whole[PATH_MAX], copy[PATH_MAX];
    int fd;

    if (snprintf(whole, sizeof whole, "%s", site) >= (int)sizeof whole)
        return -ENAMETOOLONG;
    strcpy(copy, whole);
    if (snprintf(site_name, sizeof site_name, "%s", basename(copy)) >= (int)sizeof site_name)
        return -ENAMETOOLONG;
    fd = open(dirname(whole), O_PATH | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

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

/*
 * True if the path may name a page: no part of the path begins with a dot, and the path is not
 * site.keys, the publication's own list of files.
 */
static bool path_is_plain(const char *path)
{
    if (*path != '/' || strstr(path, "/.") || strstr(path, "//") || strcmp(path, "/site.keys") == 0)
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

/*
 * Opens a file of the site. Opens the site's folder anew each time, because each publication
 * replaces that folder.
 */
static int open_page(const char *path, struct stat *stat)
{
    char inside[PATH_MAX];
    const size_t size = strlen(path);
    int site_fd, fd;

    if (size + 16 > sizeof inside)
        return -1;
    snprintf(inside, sizeof inside, "%s%s", path + 1, path[size - 1] == '/' ? "index.html" : "");
    site_fd = open_beneath(web.site_parent_fd, site_name, O_PATH | O_DIRECTORY);
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

/* Sends a page that the program contains. Returns false if no such page has this path. */
static bool send_own_page(struct MHD_Connection *connection, const char *path)
{
    const struct {
        const char *path, *type, *text;
    } pages[] = {
        {"/live", "text/html; charset=utf-8", web_live_html},
        {"/live-boards.js", "text/javascript; charset=utf-8", web.options->boards},
        {"/live.js", "text/javascript; charset=utf-8", web_live_js},
        {"/live.css", "text/css; charset=utf-8", web_live_css},
    };

    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        struct MHD_Response *response;

        if (strcmp(path, pages[i].path) != 0)
            continue;
        response = http.MHD_create_response_from_buffer(
            strlen(pages[i].text), (void *)(uintptr_t)pages[i].text, MHD_RESPMEM_PERSISTENT);
        if (!response)
            return false;
        http.MHD_add_response_header(response, "Content-Type", pages[i].type);
        http.MHD_add_response_header(
            response, "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
        http_send(connection, 200, response);
        return true;
    }
    return false;
}

static enum MHD_Result send_page(struct MHD_Connection *connection, const char *path)
{
    const char *known;
    struct MHD_Response *response;
    struct stat stat;
    char mark[64];
    bool is_known, is_found;
    int fd;

    if (send_own_page(connection, path))
        return MHD_YES;
    fd = web.site_parent_fd >= 0 && path_is_plain(path) ? open_page(path, &stat) : -1;
    is_found = fd >= 0;
    if (!is_found && web.site_parent_fd >= 0)
        fd = open_page("/404.html", &stat);
    if (fd < 0)
        return http_refuse(connection, 404, 0, "there is no page at this address");
    snprintf(mark, sizeof mark, "\"%llx-%llx-%llx\"", (unsigned long long)stat.st_ino,
             (unsigned long long)stat.st_size,
             (unsigned long long)stat.st_mtim.tv_sec * 1000000000 +
                 (unsigned long long)stat.st_mtim.tv_nsec);
    known = http.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "If-None-Match");
    is_known = is_found && known && strcmp(known, mark) == 0;
    if (is_known)
        close(fd);
    response = is_known ? http.MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT)
                        : http.MHD_create_response_from_fd64((uint64_t)stat.st_size, fd);
    if (!response) {
        if (!is_known)
            close(fd);
        return MHD_NO;
    }
    http.MHD_add_response_header(response, "ETag", mark);
    http.MHD_add_response_header(response, "Cache-Control", "no-cache");
    http.MHD_add_response_header(
        response, "Content-Type",
        !is_found || path[strlen(path) - 1] == '/' ? "text/html; charset=utf-8" : type_of(path));
    return http_send(connection, !is_found ? 404 : is_known ? 304 : 200, response);
}

/* ---- clients: how many requests an address may make, and connections without a request ---- */

enum {
    VISITORS_MAX = 1024,
    VISITORS_A_HOST = 64,      /* connections from one address; requests at once, behind a proxy */
    HEAVY_A_HOST = 8,          /* listings, ladders and replays at once for one address */
    UPLOADS_A_TOKEN = 2,       /* uploads at once with one token */
    VISITOR_HEAD_S = 10,       /* time limit for the head of a request */
    VISITOR_RATE_S = 50,       /* maximum mean number of requests a second from one address */
    VISITOR_RATE_BURST = 1000, /* maximum number of requests at once from one address */
    RATE_SLOTS = 4096,
    /*
     * From this many connections on, each new connection closes the one that has waited longest
     * without sending a request's head.
     */
    CONNECTIONS_MANY = VISITORS_MAX * 3 / 4,
};

/* How many requests one address may make. */
struct rate {
    uint64_t address; /* IPv4 address, or the first half of an IPv6 address; 0: this slot is free */
    int64_t full_us;  /* time from which the address may make VISITOR_RATE_BURST requests at once */
};

/* An open connection. */
struct visitor {
    struct visitor *next, *previous;
    int fd;
    int64_t since_us; /* time when the client connected or its last request ended */
    bool is_served;   /* the head of the current request has arrived */
    uint64_t address; /* key of the client whose request is under way; 0: no request, or no limit */
    bool is_heavy;    /* the request is API_IS_HEAVY */
    uint64_t token;   /* key of the token whose upload is under way; 0: none */
    bool is_closed; /* we shut the socket down; libmicrohttpd will notice and end the connection */
};

static struct rate rates[RATE_SLOTS];
/* Protects the list of visitors. */
static pthread_mutex_t visitors_lock = PTHREAD_MUTEX_INITIALIZER;
static struct visitor *visitors;
static int visitor_count;

/* Key of all clients whose address is unknown; they share one limit. */
enum {
    ADDRESS_UNKNOWN = 1
};

/*
 * Returns the key of an IPv6 network (/64) or of one IPv4 address, also if that is written as IPv6
 * (::ffff:192.0.2.1).
 */
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

/* Parses an address; an IPv4 address becomes IPv6. Returns false if the text is no address. */
static bool read_address(const char *text, struct in6_addr *address)
{
    char mapped[INET6_ADDRSTRLEN + 8];

    snprintf(mapped, sizeof mapped, "::ffff:%s", text);
    return inet_pton(AF_INET6, text, address) == 1 || inet_pton(AF_INET6, mapped, address) == 1;
}

/* Keeps the value of the last X-Forwarded-For header, because a proxy may append its own. */
static enum MHD_Result keep_forwarded(void *context, enum MHD_ValueKind kind, const char *name,
                                      const char *value)
{
    const char **last = context;

    if (strcasecmp(name, "X-Forwarded-For") == 0)
        *last = value;
    return MHD_YES;
}

/*
 * Returns the key under which the requests of a client are counted; behind a proxy, the key of the
 * address that the proxy's header names. Returns 0, which means no limit, for a client on this
 * machine that came without the proxy.
 */
static uint64_t address_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        http.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *client = info ? info->client_addr : NULL;
    const char *text = NULL, *comma;
    char four[INET_ADDRSTRLEN];
    struct in6_addr address;

    if (web.has_proxy) {
        http.MHD_get_connection_values(connection, MHD_HEADER_KIND, keep_forwarded, &text);
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

/*
 * Counts a request. Returns after how many seconds the client may make the request; 0: now. Only
 * libmicrohttpd's thread calls this.
 */
static int wait_of_client_s(uint64_t address)
{
    const int64_t now_us = alarm_now_us(), step_us = 1000000 / VISITOR_RATE_S;
    struct rate *rate = &rates[address * 0x9e3779b97f4a7c15u >> 52];
    int64_t early_us;

    _Static_assert(RATE_SLOTS == 1 << 12, "the hash has 12 bits");
    if (!address)
        return 0;
    if (rate->address != address || rate->full_us < now_us)
        *rate = (struct rate){address, now_us};
    early_us = rate->full_us - now_us - step_us * VISITOR_RATE_BURST;
    if (early_us > 0)
        return (int)(early_us / 1000000) + 1;
    rate->full_us += step_us;
    return 0;
}

/* ---- connections ---- */

/*
 * Closes the connection that has waited longest without sending a request's head. The caller holds
 * the lock.
 */
static void close_oldest(void)
{
    struct visitor *oldest = NULL;

    for (struct visitor *visitor = visitors; visitor; visitor = visitor->next)
        if (!visitor->is_served && !visitor->is_closed &&
            (!oldest || visitor->since_us < oldest->since_us))
            oldest = visitor;
    if (oldest) {
        oldest->is_closed = true;
        shutdown(oldest->fd, SHUT_RDWR);
    }
}

static struct visitor *add_visitor(int fd)
{
    struct visitor *visitor = calloc(1, sizeof *visitor);

    if (!visitor)
        return NULL;
    if (visitor_count >= CONNECTIONS_MANY)
        close_oldest();
    visitor->fd = fd;
    visitor->since_us = alarm_now_us();
    visitor->next = visitors;
    if (visitors)
        visitors->previous = visitor;
    visitors = visitor;
    visitor_count++;
    return visitor;
}

/* libmicrohttpd calls this when a connection begins or ends. */
static void connection_changed(void *context, struct MHD_Connection *connection,
                               void **of_connection, enum MHD_ConnectionNotificationCode code)
{
    struct visitor *visitor = *of_connection;

    pthread_mutex_lock(&visitors_lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *of_connection =
            add_visitor(http.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
                            ->connect_fd);
    } else if (code == MHD_CONNECTION_NOTIFY_CLOSED && visitor) {
        if (visitor->next)
            visitor->next->previous = visitor->previous;
        *(visitor->previous ? &visitor->previous->next : &visitors) = visitor->next;
        visitor_count--;
        free(visitor);
        *of_connection = NULL;
    }
    pthread_mutex_unlock(&visitors_lock);
}

/* Returns NULL if there was no memory for the visitor. */
static struct visitor *visitor_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        http.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    return info ? info->socket_context : NULL;
}

/* Records that a request of the connection has begun or has ended. */
static void mark_served(struct MHD_Connection *connection, bool begins)
{
    struct visitor *visitor = visitor_of(connection);

    if (!visitor)
        return;
    pthread_mutex_lock(&visitors_lock);
    visitor->is_served = begins;
    if (!begins) {
        visitor->since_us = alarm_now_us();
        visitor->address = visitor->token = 0;
        visitor->is_heavy = false;
    }
    pthread_mutex_unlock(&visitors_lock);
}

/*
 * Records whose request is under way, and counts the requests of that client, or only the heavy
 * ones if this one is heavy. Returns 0 if address is 0.
 */
static int count_requests(struct MHD_Connection *connection, uint64_t address, bool is_heavy)
{
    struct visitor *own = visitor_of(connection);
    int count = 0;

    pthread_mutex_lock(&visitors_lock);
    if (own) {
        own->address = address;
        own->is_heavy = is_heavy;
    }
    for (struct visitor *visitor = visitors; visitor && address; visitor = visitor->next)
        count += visitor->address == address && (visitor->is_heavy || !is_heavy);
    pthread_mutex_unlock(&visitors_lock);
    return count;
}

/* Records with which token an upload is made, and counts the uploads with that token. */
static int count_uploads(struct MHD_Connection *connection, const char *token_sha256)
{
    struct visitor *own = visitor_of(connection);
    uint64_t token = 0;
    int count = 0;

    sscanf(token_sha256, "%16" SCNx64, &token);
    pthread_mutex_lock(&visitors_lock);
    if (own)
        own->token = token;
    for (struct visitor *visitor = visitors; visitor; visitor = visitor->next)
        count += visitor->token == token;
    pthread_mutex_unlock(&visitors_lock);
    return count;
}

/* Closes connections that have not sent the head of a request in time. */
static void close_slow(void)
{
    const int64_t before_us = alarm_now_us() - VISITOR_HEAD_S * INT64_C(1000000);

    pthread_mutex_lock(&visitors_lock);
    for (struct visitor *visitor = visitors; visitor; visitor = visitor->next)
        if (!visitor->is_served && visitor->since_us < before_us)
            shutdown(visitor->fd, SHUT_RDWR);
    pthread_mutex_unlock(&visitors_lock);
}

/* ---- requests to the API ---- */

enum request_stage {
    REQUEST_NEW = 0,
    REQUEST_HEAD_ASKED = 1, /* suspended until the daemon says whether it takes the upload */
    REQUEST_BODY = 2,
    REQUEST_DRAIN = 3, /* the answer is known; the rest of the body is read and discarded */
    REQUEST_ASKED = 4, /* suspended until the daemon has answered the complete question */
};

/* A request to the API. libmicrohttpd owns the strings of its question until the request ends. */
struct request {
    struct question question;
    enum request_stage stage;
    char token_sha256[STORE_HASH_DIGITS + 1];
    int64_t body_bytes, begun_us;
    bool has_failed; /* the folder of uploads had no room for the body */
};

/*
 * An empty value counts as a missing value, because the cache of the clerks does not tell them
 * apart.
 */
static const char *query_of(struct MHD_Connection *connection, const char *name)
{
    const char *value = http.MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);

    return value && *value ? value : NULL;
}

/* Keeps the name of a value in the query that is too long to be asked about. */
static enum MHD_Result keep_long(void *context, enum MHD_ValueKind kind, const char *name,
                                 const char *value)
{
    const char **longest = context;

    if (value && strlen(value) > API_QUERY_BYTES_MAX)
        *longest = name;
    return MHD_YES;
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

    return clerks_ask(question) ? http_send_answer(question->connection, &question->answer)
                                : MHD_YES;
}

/*
 * Called when the head of an upload has arrived: asks the daemon whether the client may send the
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
    if (count_uploads(request->question.connection, request->token_sha256) > UPLOADS_A_TOKEN) {
        api_refuse(&request->question.answer, 429,
                   "one token may make %d uploads at once: wait for the end of one of them",
                   UPLOADS_A_TOKEN);
        request->question.answer.retry_after_s = AT_ONCE_S;
        return answer_head(request);
    }
    request->stage = REQUEST_HEAD_ASKED;
    request->question.api.is_head = true;
    return ask(request);
}

/* Called when the daemon has said whether it takes the upload. */
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
 * no answer at this point. If the folder of uploads has no room, reads the body to its end and then
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

/* Headers of a request by which two readers could find different ends of its body. */
struct length_headers {
    int lengths, codings; /* headers that give the body's length */
    int folds;            /* lines that continue a header, and headers whose name has a blank */
};

static enum MHD_Result count_length(void *context, enum MHD_ValueKind kind, const char *name,
                                    const char *value)
{
    struct length_headers *headers = context;

    /*
     * libmicrohttpd 0.9.75 does not tell that a header was folded. It joins the folded line to the
     * header's name, in a new place behind the request's head, in which the value stays.
     */
    headers->folds += (value && (uintptr_t)value < (uintptr_t)name) || strpbrk(name, " \t");
    headers->lengths += strcasecmp(name, "Content-Length") == 0;
    headers->codings += strcasecmp(name, "Transfer-Encoding") == 0;
    return MHD_YES;
}

/*
 * Returns what is wrong with the head of a request if a proxy may read another length of the body
 * from the head, and take a part of the body for the next client's request; else NULL.
 */
static const char *fault_of_head(struct MHD_Connection *connection)
{
    struct length_headers headers = {0};

    http.MHD_get_connection_values(connection, MHD_HEADER_KIND, count_length, &headers);
    return headers.lengths + headers.codings > 1
               ? "the request's head gives the body's length twice: send one length"
           : headers.folds > 0
               ? "a header of the request goes on in a second line: send each header in one line"
               : NULL;
}

/* Markers for requests for pages and for events, about which nothing has to be stored. */
static struct request page_request, events_request;

static enum MHD_Result begin_request(struct MHD_Connection *connection, const char *path,
                                     const char *method, void **of_request)
{
    const bool is_read = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    const uint64_t address = address_of(connection);
    const int early_s = wait_of_client_s(address);
    const struct api_route *route;
    struct request *request;
    const char *allowed, *long_name = NULL, *fault = fault_of_head(connection);

    if (fault)
        return http_refuse(connection, 400, HTTP_CLOSE, "%s", fault);
    if (early_s)
        return http_refuse(connection, 429, early_s,
                           "one IP address may send %d requests a second: wait %d s",
                           VISITOR_RATE_S, early_s);
    if (count_requests(connection, address, false) > VISITORS_A_HOST)
        return http_refuse(connection, 429, AT_ONCE_S,
                           "one IP address may have %d requests at once: wait %d s",
                           VISITORS_A_HOST, AT_ONCE_S);
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
    http.MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, keep_long, &long_name);
    if (long_name)
        return http_refuse(connection, 400, 0, "?%.20s= has more than %d bytes: ask for less",
                           long_name, API_QUERY_BYTES_MAX);
    if (route->flags & API_IS_EVENTS) {
        *of_request = &events_request;
        return MHD_YES;
    }
    if (route->flags & API_IS_HEAVY && count_requests(connection, address, true) > HEAVY_A_HOST)
        return http_refuse(connection, 429, AT_ONCE_S,
                           "one IP address may ask for %d listings, ladders and replays at once: "
                           "wait %d s",
                           HEAVY_A_HOST, AT_ONCE_S);
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
    mark_served(connection, true);
    if (!*of_request)
        return begin_request(connection, path, method, of_request);
    if (*of_request == &events_request)
        return *size ? MHD_NO : events_send(connection);
    if (*of_request != &page_request)
        return continue_request(*of_request, bytes, size);
    return *size ? MHD_NO : send_page(connection, path);
}

static void request_ended(void *context, struct MHD_Connection *connection, void **of_request,
                          enum MHD_RequestTerminationCode code)
{
    struct request *request = *of_request;

    mark_served(connection, false);
    if (!request || *of_request == &page_request || *of_request == &events_request)
        return;
    if (request->question.upload_fd >= 0)
        close(request->question.upload_fd);
    free(request->question.answer.body);
    free(request);
    *of_request = NULL;
}

/* ---- beginning and end ---- */

/* Writes why the web process cannot start; the value is `number`. */
#define FAIL(error, number, ...) (snprintf(error, WEB_ERROR_BYTES, __VA_ARGS__), number)

static int listen_unix(const char *path, char error[static WEB_ERROR_BYTES])
{
    int fd = message_listen(path);

    if (fd == -EEXIST)
        return FAIL(error, fd, "--unix %s: is a file, not a socket; choose another path", path);
    if (fd < 0)
        return FAIL(error, fd, "--unix %s: %s", path, strerror(-fd));
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

/* Listens at ADDRESS:PORT, or at a port of 127.0.0.1 without ADDRESS. Sets *is_local if only this
 * machine can connect to the address. */
static int listen_tcp(const char *text, bool *is_local, char error[static WEB_ERROR_BYTES])
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
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
    if (getaddrinfo(*host ? host : "127.0.0.1", port, &hints, &info) != 0)
        return FAIL(error, -EINVAL, "%s: is not ADDRESS:PORT", text);
    fd = bind_to(info);
    *is_local = is_this_machine(info->ai_addr);
    freeaddrinfo(info);
    if (fd == -EADDRINUSE)
        return FAIL(error, fd,
                    "%s: another program listens there: end that program, or name another port",
                    text);
    return fd < 0 ? FAIL(error, fd, "%s: %s", text, strerror(-fd)) : fd;
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
        snprintf(error, WEB_ERROR_BYTES, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return size < 0 ? -EINVAL : 0;
}

/*
 * Opens everything that the process needs once it is confined, and changes the working directory to
 * the folder of the daemon's socket.
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
        return FAIL(error, -errno, "--inbox %s: %s", options->inbox, strerror(errno));
    web.site_parent_fd = options->site ? open_site(options->site) : -1;
    if (options->site && web.site_parent_fd < 0)
        return FAIL(error, web.site_parent_fd,
                    "--site %s: the folder above the site cannot be opened: %s", options->site,
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
    return result < 0 ? FAIL(error, result, "--desk %s: the socket's folder cannot be entered: %s",
                             options->desk, strerror(-result))
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
        {"connections", visitor_count},
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

    stop_signals(&ends);
    while (sigtimedwait(&ends, NULL, &second) < 0)
        close_slow();
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
        NULL, MHD_OPTION_NOTIFY_CONNECTION, connection_changed, NULL, MHD_OPTION_END);
}

static int serve(char error[static WEB_ERROR_BYTES])
{
    struct sandbox_failure failure;
    struct MHD_Daemon *daemon;
    int result = sandbox_confine_self(&web.site_parent_fd, 1, web.inbox_fd, &failure);

    if (result < 0)
        return FAIL(error, result, "the web process cannot be confined: %s: %s", failure.step,
                    strerror(failure.error));
    result = clerks_start(web.inbox_fd, web.options->package_bytes);
    if (result < 0)
        return FAIL(error, result, "the threads of the web process cannot begin: %s",
                    strerror(-result));
    daemon = start_daemon();
    if (!daemon || !start_metrics())
        return FAIL(error, -EINVAL, "%s",
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
        return FAIL(error, -ENOENT, "libmicrohttpd12 and libarchive13 must be installed");
    web.options = options;
    result = open_all(options, error);
    if (result < 0)
        return result;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    mallopt(M_ARENA_MAX, 2);
    stop_signals(&ends); /* blocked in all threads, because wait_for_end waits for these signals */
    sigprocmask(SIG_BLOCK, &ends, NULL);
    tell_ready(options);
    return serve(error);
}
