/* SPDX-License-Identifier: MIT */
/*
 * `arena web` serves the site and the API; the daemon runs `arena desk`, which answers the requests
 * of `arena web`.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/options.h"
#include "arena/commands/submit.h"
#include "arena/web/api.h"
#include "arena/web/web.h"

static void tell_ready(const char *address)
{
    command_say("web: listens at %s", address);
    if (strncmp(address, "http://0.0.0.0:", 15) == 0 || strncmp(address, "http://[::]:", 12) == 0)
        command_say("web: %s is open to all machines without TLS, so others can read tokens: name "
                    "127.0.0.1, or give --tls and --key",
                    address);
}

static void warn(const char *words)
{
    command_say("web: %s", words);
}

/* Overwrites the environment, which may hold the store's password. */
static void wipe_environment(void)
{
    for (char **variable = environ; *variable; variable++)
        memset(*variable, 0, strlen(*variable));
    clearenv();
}

static struct web_options web = {.ready_fn = tell_ready,
                                 .warn_fn = warn,
                                 .inbox = "/var/tmp",
                                 .desk = "/run/arena/desk",
                                 .package_bytes = STORE_PACKAGE_BYTES_MAX};

static bool describes;

static const struct option web_options[] = {
    {"listen", "ADDRESS", "address and port (127.0.0.1:8080); a port alone: at 127.0.0.1",
     .text = &web.listen},
    {"unix", "PATH", "serve on a Unix socket, not an address: for a proxy on this machine",
     .text = &web.unix_path, .excludes = "listen"},
    {"site", "DIR",
     "the site that `arena serve --site` or `arena publish` writes; its parent "
     "folder should hold nothing else",
     .text = &web.site},
    {"tls", "FILE", "a certificate, for HTTPS without a proxy", .text = &web.certificate,
     .needs = "key"},
    {"key", "FILE", "the key of the certificate", .text = &web.key, .needs = "tls"},
    {"desk", "SOCKET", "the daemon's socket, as its option --desk names it (/run/arena/desk)",
     .text = &web.desk},
    {"inbox", "DIR", "folder for uploads that are under way (/var/tmp)", .text = &web.inbox},
    {"package-bytes", "N", "bytes of a package as an uncompressed tar (268435456)",
     .number = &web.package_bytes, .minimum = 1, .maximum = STORE_PACKAGE_BYTES_MAX},
    {"openapi", NULL, "print a description of the API for programs (OpenAPI 3.1), and end",
     .flag = &describes},
    {.name = NULL}};

/*
 * Says which of the site and the daemon's socket do not exist yet: the web process answers 503
 * until they do, so that services may start in any order. The daemon need not say this of its own
 * web process, which begins before both exist.
 */
static void tell_missing(void)
{
    int signal = 0;

    prctl(PR_GET_PDEATHSIG, &signal);
    if (signal)
        return;
    if (web.site && access(web.site, F_OK) < 0)
        command_say("web: --site %s: %s: there are no pages until `arena serve --site` or `arena "
                    "publish` writes them",
                    web.site, strerror(errno));
    if (access(web.desk, W_OK) < 0)
        command_say("web: --desk %s: %s: the API answers 503 until `arena serve --desk %s` runs",
                    web.desk, strerror(errno), web.desk);
}

static int run_web(int argc, char **argv)
{
    char error[WEB_ERROR_BYTES];

    if (describes)
        return command_print_json(api_describe());
    if (!web.listen && !web.unix_path)
        web.listen = "127.0.0.1:8080";
    tell_missing();
    wipe_environment();
    if (web_run(&web, error) < 0) {
        command_fail("web: %s", error);
        _exit(COMMAND_FAILED);
    }
    _exit(COMMAND_DONE); /* threads still run */
}

const struct command_line command_web = {
    .name = "web",
    .usage = "[--listen ADDRESS | --unix PATH] [--site DIR] [--tls FILE --key FILE]\n--openapi",
    .about =
        "Serves the site and the API (docs/api.md) until SIGTERM. This process asks the daemon "
        "for everything else, has no access to the store, and confines itself with Landlock "
        "and seccomp; if root starts the process, it changes to a user of its own.",
    .options = web_options,
    .run_fn = run_web};

static void tell_failed(const char *words)
{
    command_fail("desk: %s", words);
}

static struct desk_options desk = {
    .version = ARENA_VERSION, .bounds = QUEUE_BOUNDS_DEFAULT, .failed_fn = tell_failed};

static const struct option desk_options[] = {
    {"status", "FILE", "the daemon's status", .text = &desk.status_path},
    {"address", "URL", "public address of the site", .url = &desk.address},
    {"contact", "TEXT", "how to reach the organizer", .text = &desk.contact},
    ADMIT_OPTIONS(&desk.bounds),
    STORE_OPTIONS};

static int run_desk(int argc, char **argv)
{
    char home[PATH_MAX], analyses[PATH_MAX + 16];
    struct store *store;
    char *url;
    int status, error;

    status = store_option_open(STORE_WRITE, &store);
    if (status != COMMAND_DONE)
        return status;
    url = strdup(store_url(store));
    store_close(store);
    desk.url = url;
    desk.socket = argv[0];
    if (home_find(store_option_home, home) == 0) {
        snprintf(analyses, sizeof analyses, "%s/" ANALYSES, home);
        desk.analyses = analyses;
    }
    error = url ? desk_run(&desk) : -ENOMEM;
    free(url);
    return command_fail("desk: %s: %s", argv[0], strerror(-error));
}

const struct command_line command_desk = {
    .name = "desk",
    .usage = "[OPTION ...] SOCKET",
    .about = "Answers the questions of `arena web`: for `arena serve` only.",
    .options = desk_options,
    .least = 1,
    .arguments = "only the daemon runs this command",
    .run_fn = run_desk};
