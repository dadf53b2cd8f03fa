/* SPDX-License-Identifier: MIT */
#include "arena/web/web.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <malloc.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/base/clock.h"
#include "arena/base/file.h"
#include "arena/base/tree.h"
#include "arena/play/foreground.h"
#include "arena/store/archive.h"
#include "arena/store/authors.h"
#include "arena/store/games.h"
#include "arena/web/clerks.h"
#include "arena/web/http.h"
#include "arena/web/message.h"
#include "arena/web/order.h"
#include "arena/web/visitors.h"
#include "sandbox/sandbox.h"

enum {
    /* Largest body that is ignored in a request that should have no body. */
    IGNORED_BYTES_MAX = 4096,
    /* Largest body that is discarded from a proxy: what our configurations of proxies let pass. */
    REFUSED_BYTES_MAX = 256 << 20,
    QUERY_VALUES_MAX = 32, /* values in the query of an address */
    LIVE_STALE_S = 60,  /* age of the list of live games that a daemon has left that was killed */
    UNPUBLISHED_S = 10, /* Retry-After in seconds while there is no site */
    AT_ONCE_S = 5,      /* Retry-After in seconds if a client has too much under way */
    END_S = 5,          /* time that running requests get after the signal to end */
};

_Static_assert(DESK_THREADS == CLERK_KINDS * CLERKS_A_KIND, "a clerk waits for the desk");

static struct web {
    const struct web_options *options;
    int listen_fd, inbox_fd, site_parent_fd;
    char *certificate, *key;
    bool has_proxy; /* a proxy on this machine names the clients' addresses in a header */
} web;

/* ---- pages: the site's folder, and that of live games (serve/live.h) ---- */

static char site_name[NAME_MAX + 1], live_name[NAME_MAX + 16];

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
    snprintf(live_name, sizeof live_name, ".%s.live", site_name);
    fd = open(dirname(whole), O_PATH | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static const char *type_of(const char *path)
{
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".json", "application/json"},
        {".xml", "application/atom+xml"},
        {".png", "image/png"},
        {".csv", "text/csv; charset=utf-8"},
        {".jsonl", "application/jsonl"},
        {".zip", "application/zip"},
        {".gz", "application/gzip"},
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

/*
 * Opens a file in a folder beside the site, or in the site. Opens the folder anew each time,
 * because each publication replaces the site's.
 */
static int open_in(const char *folder, const char *inside, struct stat *stat)
{
    const int folder_fd = tree_open_below(web.site_parent_fd, folder, O_PATH | O_DIRECTORY);
    int fd;

    if (folder_fd < 0)
        return -1;
    fd = tree_open_below(folder_fd, inside, O_RDONLY | O_NONBLOCK);
    close(folder_fd);
    if (fd >= 0 && (fstat(fd, stat) < 0 || !S_ISREG(stat->st_mode))) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Opens a file of the site. */
static int open_page(const char *path, struct stat *stat)
{
    char inside[PATH_MAX];
    const size_t size = strlen(path);

    if (size + 16 > sizeof inside)
        return -1;
    snprintf(inside, sizeof inside, "%s%s", path + 1, path[size - 1] == '/' ? "index.html" : "");
    return open_in(site_name, inside, stat);
}

/*
 * Looks at the first page of the site, once that exists, and warns the organizer if this process
 * may not read it. Returns false until the page exists.
 */
static bool look_at_site(void)
{
    struct stat stat;
    char words[PATH_MAX + 160];
    const int fd = open_page("/index.html", &stat);

    if (fd >= 0)
        close(fd);
    else if (errno == ENOENT)
        return false;
    else
        web.options->warn_fn(
            (snprintf(words, sizeof words,
                      "--site %s: %s: every page is answered with 503: let other users read the "
                      "site, and enter the folders above it",
                      web.options->site, strerror(errno)),
             words));
    return true;
}

/* True if the client takes pages that are compressed: a word gzip without ;q=0. */
static bool takes_gzip(struct MHD_Connection *connection)
{
    const char *words =
        http.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Accept-Encoding");

    for (const char *at = words; at && *at; at += strcspn(at, ","), at += *at == ',') {
        const char *weight;

        at += strspn(at, " \t");
        if (strncasecmp(at, "gzip", 4) != 0 || strcspn(at, ",; \t") != 4)
            continue;
        weight = at + 4 + strspn(at + 4, " \t;");
        return strncasecmp(weight, "q=", 2) != 0 || strtod(weight + 2, NULL) > 0;
    }
    return false;
}

/*
 * Opens a file of the site, or what lies compressed beside it if the client takes that. Each has an
 * ETag of its own, that of its inode.
 */
static int open_either(struct MHD_Connection *connection, const char *path, struct stat *stat,
                       bool *is_packed)
{
    char packed[PATH_MAX];
    const size_t size = strlen(path);
    int fd = -1;

    if (size + 16 < sizeof packed && takes_gzip(connection)) {
        snprintf(packed, sizeof packed, "%s%s.gz", path, path[size - 1] == '/' ? "index.html" : "");
        fd = open_page(packed, stat);
    }
    *is_packed = fd >= 0;
    return fd >= 0 ? fd : open_page(path, stat);
}

enum file_form {
    FILE_PLAIN = 0,
    FILE_PACKED = 1 << 0, /* compressed */
    FILE_EITHER = 1 << 1, /* another client may get it in the other form */
    FILE_SHARED = 1 << 2, /* scripts of other sites may read it */
};

/* Sends a file, or tells that the client has it; takes over the descriptor. */
static enum MHD_Result send_file(struct MHD_Connection *connection, int status, int fd,
                                 const struct stat *stat, const char *type, unsigned form)
{
    struct MHD_Response *response;
    char mark[HTTP_MARK_BYTES];
    bool is_known;

    snprintf(mark, sizeof mark, "\"%llx-%llx-%llx\"", (unsigned long long)stat->st_ino,
             (unsigned long long)stat->st_size,
             (unsigned long long)stat->st_mtim.tv_sec * 1000000000 +
                 (unsigned long long)stat->st_mtim.tv_nsec);
    is_known = status == 200 && http_has(connection, mark);
    response = is_known ? http.MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT)
                        : http.MHD_create_response_from_fd64((uint64_t)stat->st_size, fd);
    if (is_known || !response)
        close(fd);
    if (!response)
        return MHD_NO;
    http.MHD_add_response_header(response, "ETag", mark);
    http.MHD_add_response_header(response, "Cache-Control", "no-cache");
    http.MHD_add_response_header(response, "Content-Type", type);
    if (form & FILE_SHARED)
        http.MHD_add_response_header(response, "Access-Control-Allow-Origin", "*");
    if (form & FILE_PACKED)
        http.MHD_add_response_header(response, "Content-Encoding", "gzip");
    if (form & FILE_EITHER)
        http.MHD_add_response_header(response, "Vary", "Accept-Encoding");
    return http_send(connection, is_known ? 304 : status, response,
                     is_known ? 0 : (uint64_t)stat->st_size);
}

/* Leads the client to another page of the site. */
static enum MHD_Result send_elsewhere(struct MHD_Connection *connection, const char *path)
{
    struct MHD_Response *response =
        http.MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);

    if (!response)
        return MHD_NO;
    http.MHD_add_response_header(response, "Location", path);
    http.MHD_add_response_header(response, "Cache-Control", "no-store");
    return http_send(connection, 302, response, 0);
}

/* Writes the address of a match's page in the site. */
static void write_page(char page[static API_PATH_BYTES_MAX + 1], const char *season, const char *id)
{
    snprintf(page, API_PATH_BYTES_MAX + 1, "/%s/game/%s.html", season, id);
}

enum match_address {
    MATCH_NONE = 0,     /* the path is that of no match */
    MATCH_LASTING = 1,  /* /game/ID */
    MATCH_EMBEDDED = 2, /* /game/ID/embed, which other sites may show in a frame */
    MATCH_IN_SITE = 3,  /* /SEASON/game/ID.html, which the site may have no more */
};

/*
 * Reads the address of a match, which lasts as long as its replay. Writes the match's page in the
 * site, which may have it or not, and the address at which the API makes the page.
 */
static enum match_address read_match(const char *path, char page[static API_PATH_BYTES_MAX + 1],
                                     char in_api[static API_PATH_BYTES_MAX + 1])
{
    const char *in_site = strstr(path, "/game/"), *ending;
    char season[STORE_NAME_BYTES_MAX + 1], id[STORE_GAME_ID_BYTES];
    enum match_address kind;
    int group, rotation;

    if (!in_site)
        return MATCH_NONE;
    ending = in_site + 6 + strcspn(in_site + 6, "./");
    snprintf(id, sizeof id, "%.*s", (int)(ending - in_site - 6), in_site + 6);
    if (!store_game_id_parse(id, season, &group, &rotation))
        return MATCH_NONE;
    write_page(page, season, id);
    snprintf(in_api, API_PATH_BYTES_MAX + 1, "/api/v1/games/%s/page", id);
    kind = !*ending ? MATCH_LASTING : strcmp(ending, "/embed") == 0 ? MATCH_EMBEDDED : MATCH_NONE;
    return strcmp(path, page) == 0 ? MATCH_IN_SITE : in_site == path ? kind : MATCH_NONE;
}

/* True if the site has this page. */
static bool has_page(const char *path)
{
    struct stat stat;
    const int fd = web.site_parent_fd < 0 ? -1 : open_page(path, &stat);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* True if the daemon that writes the live games still runs: it renews their list all the time. */
static bool daemon_runs(void)
{
    struct stat stat;
    const int fd = open_in(live_name, "games.json", &stat);

    if (fd >= 0)
        close(fd);
    return fd >= 0 && clock_time_us() / 1000000 - stat.st_mtim.tv_sec < LIVE_STALE_S;
}

/*
 * Sends the page or the file of a live game, or the list of live games. The page of a game that is
 * over leads to the match's page in the site, once that has one, and when the game's files are
 * gone, to the address of the match that lasts. Returns false if the path is not that of such a
 * file; the site may then have it: a season may be named live.
 */
static bool send_live(struct MHD_Connection *connection, const char *path, enum MHD_Result *result)
{
    char id[STORE_GAME_ID_BYTES], season[STORE_NAME_BYTES_MAX + 1];
    char name[sizeof id + 8], page[API_PATH_BYTES_MAX + 1];
    const char *asked = strncmp(path, "/live/", 6) == 0 ? path + 6 : "", *ending;
    bool is_game, is_page;
    int group, rotation, fd;
    struct stat stat;

    snprintf(id, sizeof id, "%.*s", (int)strcspn(asked, "."), asked);
    ending = asked + strcspn(asked, ".");
    is_page = !*ending;
    is_game = store_game_id_parse(id, season, &group, &rotation) &&
              (is_page || strcmp(ending, ".jsonl") == 0);
    if (!is_game && strcmp(asked, "games.json") != 0 && strcmp(path, "/live") != 0)
        return false;
    if (is_game && is_page) {
        write_page(page, season, id);
        if (has_page(page)) {
            *result = send_elsewhere(connection, page);
            return true;
        }
    }
    snprintf(name, sizeof name, "%s%s", *asked ? asked : "index", is_page ? ".html" : "");
    fd = daemon_runs() ? open_in(live_name, name, &stat) : -1;
    if (fd < 0 && is_game && is_page) {
        snprintf(page, sizeof page, "/game/%s", id);
        *result = send_elsewhere(connection, page);
        return true;
    }
    if (fd < 0)
        return false;
    *result =
        send_file(connection, 200, fd, &stat, type_of(name), is_page ? FILE_PLAIN : FILE_SHARED);
    return true;
}

static enum MHD_Result send_page(struct MHD_Connection *connection, const char *path)
{
    enum MHD_Result result;
    struct stat stat;
    bool is_found, is_packed = false;
    int fd;

    if (web.site_parent_fd < 0)
        return http_refuse(connection, 404, 0, "there is no page at this address");
    if (send_live(connection, path, &result))
        return result;
    fd = path_is_plain(path) ? open_either(connection, path, &stat, &is_packed) : -1;
    is_found = fd >= 0;
    if (!is_found)
        fd = open_either(connection, "/404.html", &stat, &is_packed);
    if (fd < 0) /* a site has a page 404.html */
        return http_refuse(connection, 503, UNPUBLISHED_S,
                           errno == EACCES ? "the arena cannot read its site at the moment"
                                           : "the site is not published yet");
    return send_file(connection, is_found ? 200 : 404, fd, &stat,
                     !is_found || path[strlen(path) - 1] == '/' ? "text/html; charset=utf-8"
                                                                : type_of(path),
                     FILE_EITHER | (is_packed ? FILE_PACKED : 0));
}

/* ---- requests to the API ---- */

enum request_stage {
    REQUEST_NEW = 0,
    REQUEST_HEAD_ASKED = 1, /* suspended until the desk says whether it takes the upload */
    REQUEST_BODY = 2,
    /* The answer is known, but libmicrohttpd takes it only at the end of the body. */
    REQUEST_REFUSED = 3,
    REQUEST_ASKED = 4, /* suspended until the desk has answered the complete question */
};

/* A request to the API. libmicrohttpd owns the strings of its question until the request ends. */
struct request {
    struct question question;
    enum request_stage stage;
    char token_sha256[STORE_HASH_DIGITS + 1];
    char path[API_PATH_BYTES_MAX + 1]; /* in the API, of a match's address; else empty */
    bool is_embedded;                  /* other sites may show the answer in a frame */
    int64_t body_bytes;
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
                                    const struct api_route *route, const char *path,
                                    const char *in_api)
{
    static const char bearer[] = "Bearer ";
    const char *authorization =
        http.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Authorization");
    struct request *request = calloc(1, sizeof *request);

    if (!request)
        return NULL;
    snprintf(request->path, sizeof request->path, "%s", in_api);
    request->question.connection = connection;
    request->question.route = route;
    request->question.upload_fd = -1;
    request->question.takes_gzip = takes_gzip(connection);
    request->question.api = (struct api_request){
        .method = route->method, .path = *request->path ? request->path : path, .upload_fd = -1};
    for (int i = 0; i < API_PARAMETERS; i++)
        request->question.api.query[i] = query_of(connection, api_parameters[i]);
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

/* Sends the answer to a request: to whoever asks for a match that never was, the site's page. */
static enum MHD_Result send_answer(struct request *request)
{
    struct question *question = &request->question;
    struct http_body *body = question->body;
    struct stat stat;
    const int fd = *request->path && question->answer.status == 404 && web.site_parent_fd >= 0
                       ? open_page("/404.html", &stat)
                       : -1;

    question->body = NULL;
    if (fd < 0)
        return http_send_answer(question->connection, &question->answer, body,
                                request->is_embedded);
    http_body_drop(body);
    return send_file(question->connection, 404, fd, &stat, "text/html; charset=utf-8", FILE_PLAIN);
}

/* Answers a request from the cache, or suspends it until a clerk has the answer. */
static enum MHD_Result ask(struct request *request)
{
    struct question *question = &request->question;

    visitor_wait(question->connection, VISITOR_ASKS, 0);
    return clerks_ask(question) ? send_answer(request) : MHD_YES;
}

/*
 * Refuses an upload after its head. A proxy gets the answer after the body: a proxy that has the
 * answer earlier cuts its client off, and most clients then lose the answer.
 */
static enum MHD_Result refuse_upload(struct request *request)
{
    struct MHD_Connection *connection = request->question.connection;
    const int64_t length = body_length(connection);

    if (!web.has_proxy || length < 0 || length > REFUSED_BYTES_MAX)
        return send_answer(request);
    request->stage = REQUEST_REFUSED;
    visitor_wait(connection, VISITOR_BODY, 0);
    return MHD_YES;
}

/* Returns the size of the largest body that an address takes. */
static int64_t body_limit(const struct api_route *route)
{
    return route->flags & API_IS_ORDER ? ORDER_BYTES_MAX : web.options->package_bytes;
}

/*
 * Called when the head of an upload has arrived: asks the desk whether the client may send the
 * body.
 */
static enum MHD_Result begin_upload(struct request *request)
{
    struct api_answer *answer = &request->question.answer;
    struct MHD_Connection *connection = request->question.connection;

    if (!request->question.api.token_sha256) {
        api_refuse(answer, 401,
                   "send the header Authorization: Bearer TOKEN; the organizer makes tokens");
        return refuse_upload(request);
    }
    if (body_length(connection) > body_limit(request->question.route)) {
        api_refuse(answer, 413,
                   request->question.route->flags & API_IS_ORDER
                       ? "the command has more than %lld MiB: send fewer or smaller files"
                       : "the upload has more than the %lld MiB that a package may have: leave out "
                         "what the bot does not need",
                   (long long)(body_limit(request->question.route) >> 20));
        return refuse_upload(request);
    }
    if (!visitor_may_upload(connection, request->token_sha256)) {
        api_refuse(answer, 429,
                   "one token may make %d uploads at once: wait for the end of one of them",
                   UPLOADS_A_TOKEN);
        answer->retry_after_s = AT_ONCE_S;
        return refuse_upload(request);
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
            visitor_wait(request->question.connection, VISITOR_BODY, 0);
            return MHD_YES;
        }
        api_refuse(&request->question.answer, 503,
                   "the arena has no room for uploads: try again later");
        request->question.answer.retry_after_s = WEB_NO_ROOM_S;
    }
    return refuse_upload(request);
}

/*
 * Takes a piece of the body. Returns MHD_NO to close the connection, because libmicrohttpd allows
 * no answer at this point. If the folder of uploads has no room, reads the body to its end and then
 * refuses it.
 */
static enum MHD_Result take_body(struct request *request, const char *bytes, size_t size)
{
    struct question *question = &request->question;
    const int64_t most = request->stage == REQUEST_NEW       ? IGNORED_BYTES_MAX
                         : request->stage == REQUEST_REFUSED ? REFUSED_BYTES_MAX
                                                             : body_limit(question->route);

    visitor_sent(question->connection, size);
    request->body_bytes += (int64_t)size;
    if (request->body_bytes > most)
        return MHD_NO;
    if (question->upload_fd >= 0 &&
        archive_write(question->upload_fd, (const uint8_t *)bytes, size) < 0) {
        close(question->upload_fd);
        question->upload_fd = -1;
        request->stage = REQUEST_REFUSED;
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
    case REQUEST_REFUSED:
    case REQUEST_ASKED:
        break;
    }
    return send_answer(request);
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

/*
 * True if the head of a request announces a body that is too long to be ignored, at an address that
 * takes none. Once the body arrives, libmicrohttpd can only close the connection, which a proxy
 * reports as a failure of the arena. is_page: nothing counts the body's chunks.
 */
static bool brings_body(struct MHD_Connection *connection, bool is_page)
{
    return body_length(connection) > IGNORED_BYTES_MAX ||
           (is_page &&
            http.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Transfer-Encoding"));
}

static enum MHD_Result refuse_body(struct MHD_Connection *connection)
{
    return http_refuse(connection, 413, HTTP_CLOSE, "this address takes no body");
}

/*
 * Marks requests for pages, about which nothing has to be stored, and new requests whose query has
 * more than QUERY_VALUES_MAX values.
 */
static struct request page_request, crowded_request;

/*
 * libmicrohttpd calls this with the address of a request, which lies in its own memory, before it
 * reads the query. Cuts a query with too many values off: libmicrohttpd 0.9.75 has no room for
 * thousands, and would neither answer nor end the connection. Returns the mark of the request.
 */
static void *look_at_query(void *context, const char *address, struct MHD_Connection *connection)
{
    char *query = strchr((char *)(uintptr_t)address, '?');
    int count = 0;

    for (const char *at = query; at; at = strchr(at + 1, '&'))
        count++;
    if (count <= QUERY_VALUES_MAX)
        return NULL;
    query[1] = '\0';
    return &crowded_request;
}

static enum MHD_Result refuse_method(struct MHD_Connection *connection, const char *allowed)
{
    struct api_answer answer = {.allowed = allowed};

    api_refuse(&answer, 405, "this address takes %s", allowed);
    return http_send_answer(connection, &answer, NULL, false);
}

static enum MHD_Result begin_request(struct MHD_Connection *connection, const char *path,
                                     const char *method, void **of_request)
{
    const bool is_read = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    char page[API_PATH_BYTES_MAX + 1], in_api[API_PATH_BYTES_MAX + 1] = "";
    const enum match_address match = read_match(path, page, in_api);
    const bool is_in_site = match && match != MATCH_EMBEDDED && has_page(page);
    const bool is_asked = match ? !(match == MATCH_IN_SITE && is_in_site)
                                : api_route_long(path, in_api) && !has_page(path);
    const bool is_page = strncmp(path, "/api/", 5) != 0;
    const bool is_crowded = *of_request == &crowded_request;
    const int early_s = visitor_begin(connection);
    const struct api_route *route;
    struct request *request;
    char allowed[API_METHODS_BYTES];
    const char *long_name = NULL, *fault = fault_of_head(connection);

    *of_request = NULL;
    if (fault)
        return http_refuse(connection, 400, HTTP_CLOSE, "%s", fault);
    if (early_s)
        return http_refuse(connection, 429, early_s,
                           "one IP address may send %d requests a second: wait %d s",
                           VISITOR_REQUESTS_S, early_s);
    if (!visitor_may_ask(connection, false))
        return http_refuse(connection, 429, AT_ONCE_S,
                           "one IP address may have %d requests at once: wait %d s",
                           VISITORS_A_NETWORK, AT_ONCE_S);
    if (is_crowded)
        return http_refuse(connection, 400, 0, "the address has more than %d values: ask for less",
                           QUERY_VALUES_MAX);
    if (is_page && !is_read)
        return refuse_method(connection, "GET, HEAD");
    if (is_asked && is_in_site && !brings_body(connection, true))
        return send_elsewhere(connection, page);
    if (is_page && !is_asked) {
        *of_request = &page_request;
        return brings_body(connection, true) ? refuse_body(connection) : MHD_YES;
    }
    route = api_route_find(is_read ? "GET" : method, is_asked ? in_api : path, allowed);
    if (!route && *allowed)
        return refuse_method(connection, allowed);
    if (!route)
        return http_refuse(connection, 404, 0,
                           "there is nothing at this address: /docs/api.html lists the addresses");
    http.MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, keep_long, &long_name);
    if (long_name)
        return http_refuse(connection, 400, 0, "?%.20s= has more than %d bytes: ask for less",
                           long_name, API_QUERY_BYTES_MAX);
    if (!(route->flags & API_HAS_BODY) && brings_body(connection, false))
        return refuse_body(connection);
    if (route->flags & API_IS_HEAVY && !visitor_may_ask(connection, true))
        return http_refuse(connection, 429, AT_ONCE_S,
                           "one IP address may ask for %d listings, ladders and replays at once: "
                           "wait %d s",
                           HEAVY_A_NETWORK, AT_ONCE_S);
    request = make_request(connection, route, path, is_asked ? in_api : "");
    if (!request)
        return MHD_NO;
    request->is_embedded = match == MATCH_EMBEDDED;
    *of_request = request;
    return route->flags & API_HAS_BODY ? begin_upload(request) : MHD_YES;
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
    if (!*of_request || *of_request == &crowded_request)
        return begin_request(connection, path, method, of_request);
    if (*of_request != &page_request)
        return continue_request(*of_request, bytes, size);
    if (*size > 0) { /* a body of at most IGNORED_BYTES_MAX */
        *size = 0;
        return MHD_YES;
    }
    return send_page(connection, path);
}

static void request_ended(void *context, struct MHD_Connection *connection, void **of_request,
                          enum MHD_RequestTerminationCode code)
{
    struct request *request = *of_request;

    visitor_wait(connection, VISITOR_HEAD, 0);
    if (!request || request == &page_request || request == &crowded_request)
        return;
    if (request->question.upload_fd >= 0)
        close(request->question.upload_fd);
    free(request->question.answer.body);
    http_body_drop(request->question.body);
    free(request);
    *of_request = NULL;
}

/* ---- beginning and end ---- */

/* Writes why the web process cannot start; the value is `number`. */
#define FAIL(error, number, ...) (snprintf(error, WEB_ERROR_BYTES, __VA_ARGS__), number)

static int listen_unix(const char *path, char error[static WEB_ERROR_BYTES])
{
    int fd = message_listen(path, true);

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
    uint8_t *bytes;
    size_t size;
    int result = file_read(path, TEXT_BYTES_MAX, &bytes, &size);

    *text = (char *)bytes;
    return result < 0 ? FAIL(error, -EINVAL, "%s: %s", path, strerror(-result)) : 0;
}

/*
 * Opens everything that the process needs once it is confined, and changes the working directory to
 * the folder of the desk's socket.
 */
static int open_all(const struct web_options *options, char error[static WEB_ERROR_BYTES])
{
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

/* ---- the process ---- */

/* Waits for a signal. Then accepts no more connections, and gives running requests END_S to end. */
static void wait_for_end(struct MHD_Daemon *daemon)
{
    sigset_t ends;
    bool is_idle = false, has_looked = web.site_parent_fd < 0;

    while (visitors_watch())
        has_looked = has_looked || look_at_site();
    stop_signals(&ends);
    while (sigtimedwait(&ends, NULL, &(struct timespec){0}) >= 0)
        ;
    http.MHD_quiesce_daemon(daemon);
    for (int i = 0; i < END_S && !is_idle; i++) {
        is_idle = true;
        for (int kind = 0; kind < CLERK_KINDS; kind++)
            is_idle = is_idle && clerks_busy((enum clerk_kind)kind) == 0;
        sigtimedwait(&ends, NULL, &(struct timespec){.tv_nsec = is_idle ? 100000000 : 999999999});
    }
}

/* Starts libmicrohttpd's thread for the API and the pages. */
static struct MHD_Daemon *start_daemon(void)
{
    struct MHD_OptionItem more[4];
    int count = 0;

    more[count++] = (struct MHD_OptionItem){MHD_OPTION_LISTEN_SOCKET, web.listen_fd, NULL};
    if (web.certificate) {
        more[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, web.certificate};
        more[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, web.key};
    }
    more[count] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    return http.MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC |
            (web.certificate ? MHD_USE_TLS : 0),
        0, visitor_accept, NULL, handle, NULL, MHD_OPTION_ARRAY, more, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)VISITORS_MAX, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)WEB_IDLE_S,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)WEB_HEAD_BYTES_MAX,
        MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL, MHD_OPTION_URI_LOG_CALLBACK, look_at_query,
        NULL, MHD_OPTION_NOTIFY_COMPLETED, request_ended, NULL, MHD_OPTION_NOTIFY_CONNECTION,
        visitor_changed, NULL, MHD_OPTION_END);
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
    if (!daemon)
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
    result = visitors_open(web.has_proxy, &ends, options->warn_fn);
    if (result < 0)
        return FAIL(error, result, "the web process cannot begin: %s", strerror(-result));
    tell_ready(options);
    return serve(error);
}
