/* arena serve: the daemon. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/play_options.h"
#include "arena/commands/serve_files.h"
#include "arena/commands/store_option.h"
#include "arena/replay/json.h"
#include "arena/replay/plain_text.h"
#include "arena/serve/daemon.h"
#include "arena/site/folder.h"

static const char usage[] =
    "usage: arena serve [--jobs N] [--site DIR] [--every SECONDS] [OPTION ...]\n"
    "\n"
    "Plays every open season, admits what `arena submit --queue` submits, and publishes the site,\n"
    "until SIGTERM or Ctrl-C. `arena status` and `arena live` show how it is doing.\n"
    "\n"
    "  --site DIR             publish the site there when there are new results (`arena publish`)\n"
    "  --every SECONDS        at most this often (60)\n"
    "  --metrics FILE         write metrics for Prometheus there every second\n"
    "  --drain SECONDS        when told to stop: wait this long for games under way (30)\n"
    "  --json                 log one JSON object per line\n"
    "  --packages-a-day N     packages that one author may submit per day (20)\n"
    "  --package-bytes N      size of a package, unpacked (268435456)\n"
    "  --bots-an-author N     bots of one author in play (10)\n"
    "  --build-seconds N      time that a build may take (600)\n"
    "  --check-seconds N      thinking time that a check allows (120)\n"
    "  --jobs N               games at a time, of all seasons (1); 0: play nothing\n";

enum serve_option {
    OPTION_SITE = PLAY_OPTION_END,
    OPTION_EVERY,
    OPTION_METRICS,
    OPTION_DRAIN,
    OPTION_JSON,
    OPTION_HOME,
    OPTION_HELP,
    OPTION_ADMIT, /* the limits of admissions follow it */
};

/* Limits that are passed on to `arena admit` unchanged. */
static const char *const bounds[] = {"packages-a-day", "package-bytes", "bots-an-author",
                                     "build-seconds", "check-seconds"};

enum {
    BOUNDS = sizeof bounds / sizeof *bounds,
    BUILD_BOUND = 3, /* in bounds */
    CHECK_BOUND = 4,
    SECONDS_MAX = 86400,
    ADMIT_SLACK_S = 1080, /* that admitting may take beside the bot's build and thinking */
    LOCK_WAIT_MS = 2000, /* a daemon that was killed leaves its lock to its children for a moment */
    LOCK_PAUSE_MS = 20,
};

struct request {
    struct daemon_options daemon;
    struct play_options play;
    const char *home;
    char bound_texts[BOUNDS][64];
    int64_t build_s, check_s;
    const char *admit_options[BOUNDS + 1];
    int admit_count;
    bool log_is_stuck; /* at the end */
};

static bool logs_json;

static void log_event(enum daemon_event event, const char *name, const char *words)
{
    char when[32];
    time_t now = time(NULL);
    struct tm utc;

    gmtime_r(&now, &utc);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (logs_json) {
        store_option_print(json_pack("{s:s, s:s, s:s, s:o}", "time", when, "event",
                                     daemon_event_name(event), "name", name, "words",
                                     replay_json_text(words, strlen(words))));
    } else {
        plain_text_printf(stdout, "%s %s%s%s: %s\n", when, daemon_event_name(event),
                          *name ? " " : "", name, words);
    }
    fflush(stdout);
}

static int take_seconds(const char *option, const char *text, int *seconds)
{
    int64_t number;

    if (!play_options_number(text, 0, 86400, &number))
        return command_refuse("--%s %s: is not a number of seconds from 0 to 86400", option, text);
    *seconds = (int)number;
    return COMMAND_DONE;
}

static int take_bound(struct request *request, int bound, const char *text)
{
    bool is_time = bound == BUILD_BOUND || bound == CHECK_BOUND;
    int64_t number;

    if (is_time && !play_options_number(text, 1, SECONDS_MAX, &number))
        return command_refuse("--%s %s: is not a number of seconds from 1 to %d", bounds[bound],
                              text, SECONDS_MAX);
    if (!is_time && !play_options_number(text, 1, INT64_C(1) << 40, &number))
        return command_refuse("--%s %s: is not a whole number above 0", bounds[bound], text);
    if (is_time)
        *(bound == BUILD_BOUND ? &request->build_s : &request->check_s) = number;
    snprintf(request->bound_texts[bound], sizeof request->bound_texts[bound], "--%s=%s",
             bounds[bound], text);
    if (request->admit_count < BOUNDS)
        request->admit_options[request->admit_count++] = request->bound_texts[bound];
    return COMMAND_DONE;
}

static int take_option(struct request *request, int option, const char *argument)
{
    switch (option) {
    case OPTION_SITE:
        request->daemon.site = argument;
        return COMMAND_DONE;
    case OPTION_EVERY:
        return take_seconds("every", argument, &request->daemon.every_s);
    case OPTION_METRICS:
        request->daemon.metrics = argument;
        return COMMAND_DONE;
    case OPTION_DRAIN:
        return take_seconds("drain", argument, &request->daemon.drain_s);
    case OPTION_JSON:
        logs_json = true;
        return COMMAND_DONE;
    case OPTION_HOME:
        request->home = argument;
        return COMMAND_DONE;
    case PLAY_OPTION_JOBS:
        if (strcmp(argument, "0") == 0) {
            request->play.job_count = 0;
            return COMMAND_DONE;
        }
        return play_options_take(&request->play, option, argument);
    default:
        return take_bound(request, option - OPTION_ADMIT, argument);
    }
}

/* Takes the lock that allows one daemon per home; it is held as long as the daemon lives. */
static int take_lock(const char *folder, int *fd)
{
    char path[PATH_MAX], pid[16];

    if (serve_files_path(path, folder, SERVE_FILES_LOCK) < 0)
        return command_refuse("%s: the path is too long", folder);
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (*fd < 0)
        return command_fail("%s: %s", path, strerror(errno));
    for (int waited_ms = 0; flock(*fd, LOCK_EX | LOCK_NB) < 0; waited_ms += LOCK_PAUSE_MS) {
        if (waited_ms < LOCK_WAIT_MS) {
            nanosleep(&(struct timespec){.tv_nsec = LOCK_PAUSE_MS * 1000000L}, NULL);
            continue;
        }
        close(*fd);
        return command_refuse(
            "%s: another `arena serve` runs on this home: `arena status` shows how it is doing",
            folder);
    }
    snprintf(pid, sizeof pid, "%d\n", (int)getpid());
    if (ftruncate(*fd, 0) < 0 || write(*fd, pid, strlen(pid)) < 0)
        return command_fail("%s: %s", path, strerror(errno));
    return COMMAND_DONE;
}

/* Removes what a publication left that was killed with an earlier daemon. */
static int clear_site(const char *site)
{
    char error[FOLDER_ERROR_BYTES];

    if (site && folder_remove_left(site, error) < 0)
        return command_refuse("--site %s: %s", site, error);
    return COMMAND_DONE;
}

/* Runs the daemon in its home, whose lock is held. */
static int run(struct request *request, const char *folder)
{
    struct daemon_options *options = &request->daemon;
    char site_error[FOLDER_ERROR_BYTES];
    int job_count = request->play.job_count;
    int error, status;

    if (job_count == 0) /* the sandbox needs at least one, for builds and checks */
        request->play.job_count = 1;
    status = play_options_open_sandbox(&request->play, GAME_PLAYERS_MAX, &options->sandbox);
    if (status != COMMAND_DONE)
        return status;
    options->folder = folder;
    options->admit_options = request->admit_options;
    options->admit_s = (int)(request->build_s + request->check_s) + ADMIT_SLACK_S;
    options->job_count = job_count;
    options->log_fn = log_event;
    error = daemon_run(options);
    if (options->site) /* a publication may have been killed at the end */
        folder_remove_left(options->site, site_error);
    if (error < 0)
        status = command_fail("the daemon cannot start: %s", strerror(-error));
    sandbox_destroy(options->sandbox);
    request->log_is_stuck = error == DAEMON_LOG_IS_STUCK;
    return status;
}

/* Locks the home and runs the daemon there. */
static int serve(struct request *request, const char *folder)
{
    char status_file[PATH_MAX];
    int fd = -1, status;

    if (serve_files_path(status_file, folder, SERVE_FILES_STATUS) < 0)
        return command_refuse("%s: the path is too long", folder);
    status = take_lock(folder, &fd);
    if (status != COMMAND_DONE)
        return status;
    unlink(status_file); /* of a daemon that was killed */
    status = clear_site(request->daemon.site);
    if (status == COMMAND_DONE) {
        request->daemon.status = status_file;
        status = run(request, folder);
    }
    unlink(status_file);
    close(fd);
    return status;
}

/* Finds the home and the store's URL. The store is closed again: the daemon opens its own. */
static int find_home(struct request *request, char folder[static PATH_MAX], char **url)
{
    struct store *store;
    int status = store_option_open(request->home, STORE_CREATE, &store);

    if (status != COMMAND_DONE)
        return status;
    status = serve_files_folder(folder, store, request->home);
    *url = strdup(store_url(store));
    store_close(store);
    if (status == COMMAND_DONE && !*url)
        status = command_fail("out of memory");
    return status;
}

int command_serve(int argc, char **argv)
{
    static const struct option options[] = {
        {"site", required_argument, NULL, OPTION_SITE},
        {"every", required_argument, NULL, OPTION_EVERY},
        {"metrics", required_argument, NULL, OPTION_METRICS},
        {"drain", required_argument, NULL, OPTION_DRAIN},
        {"json", no_argument, NULL, OPTION_JSON},
        {"home", required_argument, NULL, OPTION_HOME},
        {"help", no_argument, NULL, OPTION_HELP},
        {"jobs", required_argument, NULL, PLAY_OPTION_JOBS},
        {"packages-a-day", required_argument, NULL, OPTION_ADMIT},
        {"package-bytes", required_argument, NULL, OPTION_ADMIT + 1},
        {"bots-an-author", required_argument, NULL, OPTION_ADMIT + 2},
        {"build-seconds", required_argument, NULL, OPTION_ADMIT + 3},
        {"check-seconds", required_argument, NULL, OPTION_ADMIT + 4},
        {NULL, 0, NULL, 0}};
    struct request request = {.daemon = {.every_s = 60, .drain_s = 30},
                              .build_s = 600,
                              .check_s = 120,
                              .play = play_options_default};
    char folder[PATH_MAX], *url = NULL;
    int option, status;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        if (option == OPTION_HELP || option == 'h') {
            printf("%s%s", usage, store_option_help);
            return COMMAND_DONE;
        }
        if (option == '?' || option == ':')
            return play_options_refuse("serve", option, argv);
        status = take_option(&request, option, optarg);
        if (status != COMMAND_DONE)
            return status;
    }
    if (optind < argc)
        return command_refuse("serve: %s: takes no arguments", argv[optind]);
    if (request.home) /* for the commands that it starts */
        setenv("ARENA_HOME", request.home, 1);
    status = find_home(&request, folder, &url);
    if (status == COMMAND_DONE) {
        request.daemon.url = url;
        status = serve(&request, folder);
    }
    free(url);
    if (request.log_is_stuck) /* a thread waits in stdio, which an orderly exit would wait for */
        _exit(status);
    return status;
}
