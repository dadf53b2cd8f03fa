#include "arena/web/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arena/web/http.h"

extern const char web_live_html[], web_live_js[], web_live_css[]; /* generated from site/live/ */

static int site_parent_fd = -1;
static char site_name[NAME_MAX + 1];
static const char *boards = "";

void pages_set_boards(const char *script)
{
    boards = script;
}

int pages_open(const char *site)
{
    char whole[PATH_MAX], copy[PATH_MAX];

    if (snprintf(whole, sizeof whole, "%s", site) >= (int)sizeof whole)
        return -ENAMETOOLONG;
    strcpy(copy, whole);
    if (snprintf(site_name, sizeof site_name, "%s", basename(copy)) >= (int)sizeof site_name)
        return -ENAMETOOLONG;
    site_parent_fd = open(dirname(whole), O_PATH | O_DIRECTORY | O_CLOEXEC);
    return site_parent_fd < 0 ? -errno : site_parent_fd;
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
    site_fd = open_beneath(site_parent_fd, site_name, O_PATH | O_DIRECTORY);
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
        {"/live-boards.js", "text/javascript; charset=utf-8", boards},
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

enum MHD_Result pages_send(struct MHD_Connection *connection, const char *path)
{
    const char *known;
    struct MHD_Response *response;
    struct stat stat;
    char mark[64];
    bool is_known, is_found;
    int fd;

    if (send_own_page(connection, path))
        return MHD_YES;
    fd = site_parent_fd >= 0 && path_is_plain(path) ? open_page(path, &stat) : -1;
    is_found = fd >= 0;
    if (!is_found && site_parent_fd >= 0)
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
