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
};

struct request {
    struct daemon_options daemon;
    struct play_options play;
    const char *home;
    char bound_texts[BOUNDS][64];
    const char *admit_options[BOUNDS + 1];
    int admit_count;
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
        store_option_print(json_pack("{s:s, s:s, s:s, s:s}", "time", when, "event",
                                     daemon_event_name(event), "name", name, "words", words));
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
    int64_t number;

    if (!play_options_number(text, 1, INT64_C(1) << 40, &number))
        return command_refuse("--%s %s: is not a whole number above 0", bounds[bound], text);
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
    if (flock(*fd, LOCK_EX | LOCK_NB) < 0) {
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

static int serve_store(struct request *request, struct store *store)
{
    char folder[PATH_MAX], status_file[PATH_MAX], site_error[FOLDER_ERROR_BYTES];
    int fd = -1, error;
    int job_count = request->play.job_count;
    int status = serve_files_folder(folder, store, request->home);

    if (status == COMMAND_DONE)
        status = take_lock(folder, &fd);
    if (status != COMMAND_DONE)
        return status;
    if (serve_files_path(status_file, folder, SERVE_FILES_STATUS) < 0)
        return command_refuse("%s: the path is too long", folder);
    status = clear_site(request->daemon.site);
    if (status != COMMAND_DONE) {
        close(fd);
        return status;
    }
    if (job_count == 0) /* the sandbox needs at least one, for builds and checks */
        request->play.job_count = 1;
    status = play_options_open_sandbox(&request->play, GAME_PLAYERS_MAX, &request->daemon.sandbox);
    if (status == COMMAND_DONE) {
        request->daemon.url = store_url(store);
        request->daemon.folder = folder;
        request->daemon.status = status_file;
        request->daemon.admit_options = request->admit_options;
        request->daemon.job_count = job_count == 0 ? 0 : request->play.job_count;
        request->daemon.log_fn = log_event;
        error = daemon_run(&request->daemon);
        if (request->daemon.site) /* a publication may have been killed at the end */
            folder_remove_left(request->daemon.site, site_error);
        if (error)
            status = command_fail("the daemon cannot start: %s", strerror(-error));
        sandbox_destroy(request->daemon.sandbox);
    }
    unlink(status_file);
    close(fd);
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
                              .play = play_options_default};
    struct store *store;
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
    status = store_option_open(request.home, STORE_CREATE, &store);
    if (status != COMMAND_DONE)
        return status;
    status = serve_store(&request, store);
    store_close(store);
    return status;
}
