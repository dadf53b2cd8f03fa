/* arena serve: runs the daemon. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/play_options.h"
#include "arena/commands/status.h"
#include "arena/commands/store_option.h"
#include "arena/commands/submit.h"
#include "arena/serve/daemon.h"
#include "arena/site/folder.h"

enum {
    SECONDS_MAX = 86400,
    BOUNDS = 6,
    ADMIT_SLACK_S = 1080, /* time for `arena admit` besides the bot's build and its thinking time */
    LOCK_WAIT_MS = 2000,  /* children of a killed daemon keep its lock for a moment */
    LOCK_PAUSE_MS = 20,
};

struct request {
    struct daemon_options daemon;
    struct play_options play;
    struct queue_bounds bounds;
    char bound_texts[BOUNDS][64];
    const char *admit_options[BOUNDS + 1];
    bool log_is_stuck; /* the log could not be written when the daemon ended */
};

static bool logs_json;

static void log_event(enum daemon_event event, const char *name, const char *words)
{
    command_log(logs_json, daemon_event_name(event), name, words);
}

/* Takes the lock that allows one daemon per home. The daemon holds it as long as it lives. */
static int take_lock(const char *folder, int *fd)
{
    char path[PATH_MAX], pid[16];

    if (status_path(path, folder, STATUS_LOCK) < 0)
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

/* Removes the files of a publication that was killed together with an earlier daemon. */
static int clear_site(const char *site)
{
    char error[FOLDER_ERROR_BYTES];

    if (site && folder_remove_left(site, error) < 0)
        return command_refuse("--site %s: %s", site, error);
    return COMMAND_DONE;
}

/* Runs the daemon in its home. The caller holds the home's lock. */
static int run(struct request *request, const char *folder)
{
    struct daemon_options *options = &request->daemon;
    char site_error[FOLDER_ERROR_BYTES];
    int error, status;

    status = play_options_open_sandbox(&request->play, &options->sandbox);
    if (status != COMMAND_DONE)
        return status;
    options->folder = folder;
    options->admit_options = request->admit_options;
    options->admit_s =
        (int)(request->bounds.build_seconds + request->bounds.check_seconds) + ADMIT_SLACK_S;
    options->job_count = request->play.job_count;
    options->log_fn = log_event;
    error = daemon_run(options);
    if (options->site) /* the daemon may have killed a publication at its end */
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

    if (status_path(status_file, folder, STATUS_FILE) < 0)
        return command_refuse("%s: the path is too long", folder);
    status = take_lock(folder, &fd);
    if (status != COMMAND_DONE)
        return status;
    unlink(status_file); /* the status file of a daemon that was killed */
    status = clear_site(request->daemon.site);
    if (status == COMMAND_DONE) {
        request->daemon.status = status_file;
        status = run(request, folder);
    }
    unlink(status_file);
    close(fd);
    return status;
}

/*
 * Finds the home and the URL of the store. Closes the store again, because the daemon opens it
 * itself.
 */
static int find_home(char folder[static PATH_MAX], char **url)
{
    struct store *store;
    int status = store_option_open(STORE_CREATE, &store);

    if (status != COMMAND_DONE)
        return status;
    status = status_make_folder(folder, store);
    *url = strdup(store_url(store));
    store_close(store);
    if (status == COMMAND_DONE && !*url)
        status = command_fail("out of memory");
    return status;
}

/* Writes the bounds on submissions as options of `arena admit`. */
static void pass_bounds(struct request *request)
{
    const struct queue_bounds *bounds = &request->bounds;
    const struct {
        const char *name;
        int64_t value;
    } passed[BOUNDS] = {
        {"packages-a-day", bounds->packages_a_day}, {"package-bytes", bounds->package_bytes},
        {"built-bytes", bounds->built_bytes},       {"bots-an-author", bounds->bots_an_author},
        {"build-seconds", bounds->build_seconds},   {"check-seconds", bounds->check_seconds}};

    for (int i = 0; i < BOUNDS; i++) {
        snprintf(request->bound_texts[i], sizeof request->bound_texts[i], "--%s=%lld",
                 passed[i].name, (long long)passed[i].value);
        request->admit_options[i] = request->bound_texts[i];
    }
}

int command_serve(int argc, char **argv)
{
    struct request request = {.daemon = {.every_s = 60, .drain_s = 30},
                              .bounds = queue_bounds_default,
                              .play = play_options_default};
    const struct option options[] = {
        {"jobs", "N", "games at a time, of all seasons (1); 0: play nothing",
         .count = &request.play.job_count, .maximum = RUNNER_JOBS_MAX},
        {"site", "DIR", "publish the site there when there are new results (`arena publish`)",
         .text = &request.daemon.site},
        {"every", "SECONDS", "at most this often (60)", .count = &request.daemon.every_s,
         .maximum = SECONDS_MAX, .unit = "seconds"},
        {"metrics", "FILE", "write metrics for Prometheus there every second",
         .text = &request.daemon.metrics},
        {"drain", "SECONDS", "when told to stop: wait this long for games under way (30)",
         .count = &request.daemon.drain_s, .maximum = SECONDS_MAX, .unit = "seconds"},
        {"json", NULL, "log one JSON object per line", .flag = &logs_json},
        ADMIT_OPTIONS(&request.bounds),
        STORE_OPTIONS};
    const struct command_line line = {
        .name = "serve",
        .usage = "[--jobs N] [--site DIR] [--every SECONDS] [OPTION ...]",
        .about = "Plays every open season, admits what `arena submit --queue` submits, and "
                 "publishes the site, until SIGTERM or Ctrl-C. `arena status` and `arena live` "
                 "show how it is doing.",
        .options = options};
    char folder[PATH_MAX], *url = NULL;
    int status;

    if (!options_read(&line, &argc, argv, &status))
        return status;
    pass_bounds(&request);
    if (store_option_home) /* for the commands that the daemon starts */
        setenv("ARENA_HOME", store_option_home, 1);
    status = find_home(folder, &url);
    if (status == COMMAND_DONE) {
        request.daemon.url = url;
        status = serve(&request, folder);
    }
    free(url);
    if (request.log_is_stuck) /* exit() would wait for the thread that still waits in stdio */
        _exit(status);
    return status;
}
