/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a connection, as the web process reads them: libmicrohttpd, heads, bodies, paths and
 * pages. This file takes the clerks' place: it answers each question at once, and checks that the
 * desk would read the same question. libmicrohttpd has no thread here, but runs between what the
 * client does. A second passes with each input: otherwise nearly all requests would be too many of
 * one client.
 */
#include "arena/web/web.c" /* NOLINT(bugprone-suspicious-include) */

#include <linux/sockios.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "arena/base/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum {
    ANSWER_BYTES = 1 << 20,
    WAIT_MS = 10,
    WAITS_MAX = 1000, /* in a row, in which neither side does anything: it hangs */
};

#define MORE_FUNCTIONS(FUNCTION)                                                                   \
    FUNCTION(MHD_add_connection) FUNCTION(MHD_run_wait) FUNCTION(MHD_start_daemon_va)

LIBRARY(more, MORE_FUNCTIONS)

/* With bytes that no answer repeats as they are. */
#define SECRET "\1secret\1"

static char room[] = "/tmp/fuzz-request-XXXXXX";
static struct MHD_Daemon *daemon_of_all;
static _Atomic int64_t now_us = 1;

int64_t __wrap_clock_now_us(void);

int64_t __wrap_clock_now_us(void)
{
    return now_us;
}

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* ---- what replaces the clerks and the events ---- */

static void require_same(const char *a, const char *b)
{
    require(!a ? !b : b && strcmp(a, b) == 0);
}

bool clerks_ask(struct question *question)
{
    static const int statuses[] = {200, 201, 401, 404, 429};
    const struct api_request *api = &question->api;
    json_t *json = api_request_json(api);
    struct api_request again;
    char allowed[API_METHODS_BYTES];

    require(api_route_find(api->method, api->path, allowed) == question->route);
    if (json) {
        api_request_read(json, &again);
        require_same(api->path, again.path);
        for (int i = 0; i < API_PARAMETERS; i++)
            require_same(api->query[i], again.query[i]);
        require_same(api->token_sha256, again.token_sha256);
    }
    if (json && !api->is_head) /* a status that depends on the question */
        api_refuse(&question->answer, statuses[strlen(api->path) % 5], "%s", api->path);
    else
        api_refuse(&question->answer, json ? 200 : 400, "%s", "");
    json_decref(json);
    http.MHD_suspend_connection(question->connection);
    http.MHD_resume_connection(question->connection);
    return false;
}

int clerks_open_upload(void)
{
    return memfd_create("upload", MFD_CLOEXEC);
}

int clerks_find_desk(const char *path)
{
    return 0;
}

int clerks_start(int inbox_fd, int64_t package_bytes)
{
    return 0;
}

int clerks_busy(enum clerk_kind kind)
{
    return 0;
}

/* ---- the process ---- */

static void put(const char *name, const char *text)
{
    char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", room, name);
    file = fopen(path, "we");
    require(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void warn(const char *words)
{
}

static void *watch(void *context)
{
    while (visitors_watch())
        ;
    return NULL;
}

static struct MHD_Daemon *start_without_thread(unsigned flags, uint16_t port,
                                               MHD_AcceptPolicyCallback accept_fn, void *accepts,
                                               MHD_AccessHandlerCallback handle_fn, void *handles,
                                               ...)
{
    struct MHD_Daemon *daemon;
    va_list options;

    va_start(options, handles);
    daemon = more.MHD_start_daemon_va(flags & ~(unsigned)MHD_USE_INTERNAL_POLLING_THREAD, port,
                                      accept_fn, accepts, handle_fn, handles, options);
    va_end(options);
    return daemon;
}

static void remove_room(void)
{
    tree_remove(room);
}

/* A site, and files that no answer may contain: beside the site, and hidden in it. */
static void begin(void)
{
    static const struct web_options options = {.package_bytes = 4096};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char site[64], live[64], link[96];
    pthread_t thread;
    sigset_t none;

    sigemptyset(&none);
    require(mkdtemp(room) && http_load() && LIBRARY_LOAD(more, "libmicrohttpd.so.12"));
    atexit(remove_room);
    snprintf(site, sizeof site, "%s/site", room);
    snprintf(link, sizeof link, "%s/link.html", site);
    snprintf(live, sizeof live, "%s/.site.live", room);
    require(mkdir(live, 0700) == 0 && mkdir(site, 0700) == 0 && symlink("../secret", link) == 0);
    put("secret", SECRET);
    put("site/.hidden", SECRET);
    put("site/site.keys", SECRET);
    put("site/index.html", "<html>");
    put("site/a b.css", "a {}");
    put(".site.live/games.json", "{}");
    put(".site.live/index.html", "<html>");
    put(".site.live/cup-000001-0.jsonl", "{}\n");
    put(".site.live/.draft", SECRET);
    web.site_parent_fd = open_site(site);
    web.options = &options;
    web.has_proxy = true;
    web.listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    require(bind(web.listen_fd, (struct sockaddr *)&address, sizeof(sa_family_t)) == 0 &&
            listen(web.listen_fd, 1) == 0);
    require(visitors_open(true, &none, warn) == 0);
    require(pthread_create(&thread, NULL, watch, NULL) == 0);
    http.MHD_start_daemon = start_without_thread;
    daemon_of_all = start_daemon();
    require(daemon_of_all);
}

/* An answer consists of heads that only we write, and contains no secret. */
static void check(const char *answer, size_t size)
{
    static const char *const names[] = {
        "HTTP/1.",
        "Access-Control-Allow-Origin: ",
        "Cache-Control: ",
        "Connection: ",
        "Content-Encoding: ",
        "Content-Length: ",
        "Content-Security-Policy: ",
        "Content-Type: ",
        "Date: ",
        "ETag: ",
        "Location: ",
        "Referrer-Policy: ",
        "Allow: ",
        "Retry-After: ",
        "Vary: ",
        "WWW-Authenticate: ",
        "X-Content-Type-Options: ",
    };
    const char *end = memmem(answer, size, "\r\n\r\n", 4);

    require(!memmem(answer, size, SECRET, strlen(SECRET)));
    require(size == 0 || end);
    for (const char *line = answer; size > 0 && line <= end; line = strstr(line, "\r\n") + 2) {
        size_t i = 0;

        while (i < sizeof names / sizeof *names && strncmp(line, names[i], strlen(names[i])) != 0)
            i++;
        require(i < sizeof names / sizeof *names);
    }
}

/* Runs libmicrohttpd; waits for what may be done. */
static void run(int *waits)
{
    require(++*waits <= WAITS_MAX);
    require(more.MHD_run_wait(daemon_of_all, WAIT_MS) == MHD_YES);
}

/*
 * Sends the bytes, until libmicrohttpd has read them: it does not notice an end of the bytes that
 * comes together with them, and would keep the connection until its time limit.
 */
static void send_all(int socket, const uint8_t *bytes, size_t size)
{
    int left = 1, waits = 0;

    while (size > 0 || (ioctl(socket, SIOCOUTQ, &left) == 0 && left > 0)) {
        const ssize_t sent = size > 0 ? send(socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT) : 0;

        if (sent < 0 && errno != EAGAIN)
            return; /* it was answered and closed */
        if (sent > 0) {
            bytes += sent;
            size -= (size_t)sent;
            waits = 0;
        }
        run(&waits);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static char answer[ANSWER_BYTES + 1];
    const struct sockaddr_un address = {.sun_family = AF_UNIX};
    int ends[2], waits = 0;
    size_t got = 0;
    ssize_t part;

    if (!daemon_of_all)
        begin();
    now_us += 1000000;
    require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    require(more.MHD_add_connection(daemon_of_all, ends[1], (const struct sockaddr *)&address,
                                    sizeof address) == MHD_YES);
    send_all(ends[0], bytes, size);
    shutdown(ends[0], SHUT_WR);
    while ((part = recv(ends[0], answer + got, ANSWER_BYTES - got, MSG_DONTWAIT)) != 0) {
        if (part > 0) {
            got += (size_t)part;
            waits = 0;
        } else if (errno == EAGAIN) {
            run(&waits);
        } else {
            break;
        }
    }
    answer[got] = '\0';
    require(part == 0 || errno == ECONNRESET);
    check(answer, got);
    close(ends[0]);
    return 0;
}
