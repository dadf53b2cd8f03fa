/* arena worker: plays games of a store that several machines share. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/play_options.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"
#include "arena/store/home.h"
#include "arena/worker/host.h"
#include "arena/worker/machine.h"

static const char usage[] =
    "usage: arena worker --store URL [--jobs N] [--name W] [OPTION ...]\n"
    "\n"
    "Plays games of the seasons that `arena serve --jobs 0` schedules, on this machine, until\n"
    "SIGTERM or Ctrl-C. Any number of workers share a store; `arena workers` lists them.\n"
    "\n"
    "  --jobs N           games at a time (1)\n"
    "  --name W           its name in lists (the machine's name)\n"
    "  --lease SECONDS    after this much silence its groups go to others (30)\n"
    "  --drain SECONDS    when told to stop: wait this long for groups that have begun (30)\n"
    "  --cache DIR        where packages are kept (packages in the XDG cache folder's pavilion)\n"
    "  --cache-bytes N    disk space that they may use there (4294967296)\n"
    "  --require TIER     refuse to work under a weaker sandbox\n"
    "  --json             log one JSON object per line\n";

enum worker_option {
    OPTION_NAME = PLAY_OPTION_END,
    OPTION_LEASE,
    OPTION_DRAIN,
    OPTION_CACHE,
    OPTION_CACHE_BYTES,
    OPTION_JSON,
    OPTION_HOME,
    OPTION_HELP,
};

enum {
    CACHE_BYTES_MIN = 2 * STORE_PACKAGE_BYTES_MAX, /* one is unpacked, the next is fetched */
};

struct request {
    struct play_options play;
    struct host_options host;
    const char *home;
    const char *cache;
    int64_t cache_bytes;
};

static bool logs_json;

static void log_event(enum host_event event, const char *name, const char *words)
{
    char when[32];
    time_t now = time(NULL);
    struct tm utc;

    gmtime_r(&now, &utc);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (logs_json)
        store_option_print(json_pack("{s:s, s:s, s:s, s:s}", "time", when, "event",
                                     host_event_name(event), "name", name, "words", words));
    else
        plain_text_printf(stdout, "%s %s%s%s: %s\n", when, host_event_name(event), *name ? " " : "",
                          name, words);
    fflush(stdout);
}

static int take_seconds(const char *option, const char *text, int64_t minimum, int64_t *seconds)
{
    if (!play_options_number(text, minimum, 86400, seconds))
        return command_refuse("--%s %s: is not a number of seconds from %lld to 86400", option,
                              text, (long long)minimum);
    return COMMAND_DONE;
}

static int take_option(struct request *request, int option, const char *argument)
{
    struct host_options *host = &request->host;
    int64_t number = 0;
    int status = COMMAND_DONE;

    switch (option) {
    case OPTION_NAME:
        if (!store_text_is_valid(argument))
            return command_refuse("--name: write 1 to 64 bytes of text");
        snprintf(host->worker.name, sizeof host->worker.name, "%s", argument);
        return COMMAND_DONE;
    case OPTION_LEASE:
        status = take_seconds("lease", argument, 3, &number);
        host->lease_us = number * 1000000;
        return status;
    case OPTION_DRAIN:
        status = take_seconds("drain", argument, 0, &number);
        host->drain_s = (int)number;
        return status;
    case OPTION_CACHE:
        request->cache = argument;
        return COMMAND_DONE;
    case OPTION_CACHE_BYTES:
        if (!play_options_number(argument, CACHE_BYTES_MIN, INT64_C(1) << 50,
                                 &request->cache_bytes))
            return command_refuse("--cache-bytes %s: is not a number of bytes from %d, which two "
                                  "packages may take",
                                  argument, (int)CACHE_BYTES_MIN);
        return COMMAND_DONE;
    case OPTION_JSON:
        logs_json = true;
        return COMMAND_DONE;
    case OPTION_HOME:
        request->home = argument;
        return COMMAND_DONE;
    default:
        return play_options_take(&request->play, option, argument);
    }
}

/* Writes the path of the cache's folder. */
static int find_cache(const struct request *request, char path[static PATH_MAX])
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length;

    if (request->cache)
        length = snprintf(path, PATH_MAX, "%s", request->cache);
    else if (xdg && *xdg == '/')
        length = snprintf(path, PATH_MAX, "%s/pavilion/packages", xdg);
    else if (home && *home)
        length = snprintf(path, PATH_MAX, "%s/.cache/pavilion/packages", home);
    else
        return command_refuse("neither --cache, XDG_CACHE_HOME nor HOME says where packages go");
    if (length >= PATH_MAX / 2)
        return command_refuse("%.64s...: the path of the cache is too long", path);
    return COMMAND_DONE;
}

/*
 * Takes the lock of the one worker per machine that listens for notifications, as long as it lives.
 */
static bool take_ear(const char *cache, int *fd)
{
    char path[PATH_MAX + 16];

    snprintf(path, sizeof path, "%s.listener", cache);
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    return *fd >= 0 && flock(*fd, LOCK_EX | LOCK_NB) == 0;
}

/* Registers the worker under a fresh identity. */
static int register_worker(struct request *request, struct store *store)
{
    struct store_worker *worker = &request->host.worker;
    int error;

    machine_describe(worker);
    if (!*worker->name)
        strcpy(worker->name, worker->host);
    worker->job_count = request->play.job_count;
    worker->tier = (int)sandbox_tier(request->host.sandbox);
    worker->playouts_s = machine_calibrate();
    if (getrandom(worker->identity, sizeof worker->identity, 0) != (ssize_t)sizeof worker->identity)
        return command_fail("no random identity: %s", strerror(errno));
    error = store_worker_add(store, worker);
    return error == -ENOTSUP ? command_refuse("%s", store_failure(store))
                             : store_option_status(store, error);
}

static int tell(const struct host_report *report)
{
    if (logs_json)
        store_option_print(json_pack("{s:s, s:I, s:I, s:I}", "event", "summary", "games",
                                     (json_int_t)report->game_count, "forfeits",
                                     (json_int_t)report->forfeit_count, "refused",
                                     (json_int_t)report->refused_count));
    else
        printf("%lld games stored, %lld forfeits, %lld games refused\n",
               (long long)report->game_count, (long long)report->forfeit_count,
               (long long)report->refused_count);
    return report->failed ? command_fail("%s", report->error) : COMMAND_DONE;
}

static int work_in(struct request *request, struct store *store, struct sandbox *sandbox,
                   const char *cache)
{
    struct transport transport;
    struct host_report report;
    int fd = -1, status, error;

    error = depot_create(&request->host.depot, cache, request->cache_bytes);
    if (error == -EPERM)
        return command_refuse("%s: others may write to this cache of packages: give --cache a "
                              "folder of your own, mode 0700",
                              cache);
    if (error)
        return command_refuse("%s: the cache of packages: %s", cache, strerror(-error));
    status = register_worker(request, store);
    if (status == COMMAND_DONE) {
        transport = transport_of_sandbox(sandbox);
        request->host.transport = &transport;
        request->host.store = store;
        request->host.listens = take_ear(cache, &fd);
        host_run(&request->host, &report);
        status = tell(&report);
        if (fd >= 0)
            close(fd);
    }
    depot_destroy(request->host.depot);
    return status;
}

static int work(struct request *request)
{
    char cache[PATH_MAX];
    struct sandbox *sandbox;
    struct store *store;
    int status = find_cache(request, cache);

    if (status == COMMAND_DONE)
        status = store_option_open(request->home, STORE_WRITE, &store);
    if (status != COMMAND_DONE)
        return status;
    status = play_options_open_sandbox(&request->play, GAME_PLAYERS_MAX, &sandbox);
    if (status == COMMAND_DONE) {
        request->host.sandbox = sandbox;
        status = work_in(request, store, sandbox, cache);
        sandbox_destroy(sandbox);
    }
    store_close(store);
    return status;
}

int command_worker(int argc, char **argv)
{
    static const struct option options[] = {
        {"jobs", required_argument, NULL, PLAY_OPTION_JOBS},
        {"require", required_argument, NULL, PLAY_OPTION_REQUIRE},
        {"name", required_argument, NULL, OPTION_NAME},
        {"lease", required_argument, NULL, OPTION_LEASE},
        {"drain", required_argument, NULL, OPTION_DRAIN},
        {"cache", required_argument, NULL, OPTION_CACHE},
        {"cache-bytes", required_argument, NULL, OPTION_CACHE_BYTES},
        {"json", no_argument, NULL, OPTION_JSON},
        {"home", required_argument, NULL, OPTION_HOME},
        {"help", no_argument, NULL, OPTION_HELP},
        {NULL, 0, NULL, 0}};
    struct request request = {.play = play_options_default,
                              .host = {.lease_us = 30000000, .drain_s = 30, .log_fn = log_event},
                              .cache_bytes = INT64_C(4) << 30};
    int option, status;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (option == OPTION_HELP) {
            printf("%s%s", usage, store_option_help);
            return COMMAND_DONE;
        }
        if (option == '?' || option == ':')
            return play_options_refuse("worker", option, argv);
        status = take_option(&request, option, optarg);
        if (status != COMMAND_DONE)
            return status;
    }
    if (optind < argc)
        return command_refuse("worker: %s: takes no arguments", argv[optind]);
    return work(&request);
}
