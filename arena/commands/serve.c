/* SPDX-License-Identifier: MIT */
/*
 * The daemon: `arena serve` runs it, and `arena status` shows its state. Other commands find a
 * daemon by two files in its home: a lock, which the daemon holds while it runs, and its status,
 * which it writes every second.
 */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arena/base/array.h"
#include "arena/base/clock.h"
#include "arena/base/file.h"
#include "arena/commands/bot_argument.h"
#include "arena/commands/commands.h"
#include "arena/commands/options.h"
#include "arena/commands/submit.h"
#include "arena/play/build.h"
#include "arena/play/foreground.h"
#include "arena/base/place.h"
#include "arena/base/plain_text.h"
#include "arena/report/model.h"
#include "arena/serve/daemon.h"
#include "arena/site/folder.h"
#include "arena/store/store.h"

enum {
    SECONDS_MAX = 86400,
    WEB_FOLDER_MODE = 0711,
    BOUNDS = 8,
    PACKAGE_BYTES = 1, /* index of --package-bytes in admit_options */
    /* Seconds that `arena admit` may take besides the bot's build and thinking time. */
    ADMIT_SLACK_S = 1080,
    /* Time to wait for the lock, which children of a killed daemon keep for a moment. */
    LOCK_WAIT_MS = 2000,
    LOCK_PAUSE_MS = 20,
    STATUS_BYTES_MAX = 16 << 20,
    STALE_S = 10, /* age of an outdated status; a daemon writes its status every second */
};

/* ---- the daemon's files ---- */

struct files {
    char folder[PATH_MAX];
    char lock[PATH_MAX + 16], status[PATH_MAX + 16];
    char told[PATH_MAX + 16]; /* what `arena tell` has told */
};

/*
 * Sets the path of the folder for the daemon's files, and creates the folder: the folder of the
 * store's file, or the home if the store is NULL or on a server. Returns a command's status.
 */
static int find_files(struct files *files, const struct store *store)
{
    const char *where = store ? store_where(store) : "", *slash = strrchr(where, '/');
    int error = 0;

    if (store && strncmp(store_url(store), "sqlite:", 7) == 0 && slash && slash != where)
        snprintf(files->folder, PATH_MAX, "%.*s", (int)(slash - where), where);
    else
        error = home_find(store_option_home, files->folder);
    if (error)
        return command_refuse(
            "no home folder: set HOME or ARENA_HOME, or name a folder with --home");
    error = home_create(files->folder);
    if (error)
        return command_fail("%s: %s%s", files->folder, strerror(-error), place_cure(error));
    snprintf(files->lock, sizeof files->lock, "%s/serve.lock", files->folder);
    snprintf(files->status, sizeof files->status, "%s/serve.json", files->folder);
    snprintf(files->told, sizeof files->told, "%s/told.json", files->folder);
    return COMMAND_DONE;
}

/*
 * Returns whether a lock is held, and sets *pid: 0 if its process cannot be seen, or has ended; and
 * *error, as errno, if the arena cannot look.
 */
static bool is_locked(const char *path, pid_t *pid, int *error)
{
    struct flock lock = {.l_type = F_WRLCK};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool is_told = fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0;

    *error = is_told || errno == ENOENT ? 0 : errno;
    if (fd >= 0)
        close(fd);
    *pid = lock.l_pid > 0 ? lock.l_pid : 0;
    return is_told && lock.l_type != F_UNLCK;
}

/*
 * Returns whether a daemon holds the lock. A bot that is starting shares the daemon's descriptors
 * (sandbox/spawn.c), and keeps the lock for a moment after the daemon was killed. In a PID
 * namespace the kernel names no process then, as for a daemon in a namespace that this process
 * cannot see: so it is looked at until the moment is over.
 */
static bool is_held(const char *path, int *error)
{
    const int64_t until_us = clock_now_us() + LOCK_WAIT_MS * INT64_C(1000);
    pid_t pid;
    bool held;

    while ((held = is_locked(path, &pid, error)) && pid == 0 && clock_now_us() < until_us)
        usleep(LOCK_PAUSE_MS * 1000);
    return held && (pid == 0 || kill(pid, 0) == 0 || errno != ESRCH);
}

/*
 * Adds an error to a status whose file is old: the daemon hangs, or cannot write the file because
 * the disk is full.
 */
static void tell_age(json_t *status, const char *path)
{
    struct stat file;
    long long age_s =
        stat(path, &file) == 0 ? (long long)(clock_time_us() / 1000000 - file.st_mtime) : 0;

    if (age_s >= STALE_S)
        json_array_append_new(
            json_object_get(status, "errors"),
            json_sprintf("this status is %lld s old: the daemon hangs, or cannot write %s: is the "
                         "disk full?",
                         age_s, path));
}

/*
 * True if no store is named, and a daemon runs in the home: also one whose store is on a server,
 * which a user who asks for the status need not know.
 */
static bool runs_at_home(void)
{
    const char *store = getenv("ARENA_STORE");
    char home[PATH_MAX], lock[PATH_MAX + 16];
    int error;

    if ((store && *store) || home_find(store_option_home, home) < 0)
        return false;
    snprintf(lock, sizeof lock, "%s/serve.lock", home);
    return is_held(lock, &error);
}

/*
 * Returns the last status of the daemon that runs in this home, as a new reference. Returns NULL
 * and *status COMMAND_DONE if no daemon runs, NULL and another *status if the arena cannot tell.
 */
static json_t *read_status(int *status)
{
    struct store *store = NULL;
    struct files files;
    json_t *told;
    uint8_t *text = NULL;
    size_t size;
    int error;

    *status = COMMAND_DONE;
    if (!store_option_is_server() && !runs_at_home()) /* do not connect: it may be down */
        *status = store_option_open(STORE_READ, &store);
    if (*status != COMMAND_DONE)
        return NULL;
    *status = find_files(&files, store);
    store_close(store);
    if (*status != COMMAND_DONE)
        return NULL;
    if (is_held(files.lock, &error) && !error)
        error = file_read(files.status, STATUS_BYTES_MAX, &text, &size);
    else if (!error)
        return NULL;
    if (error && error != -ENOENT) {
        *status = command_fail("the status of the daemon of %s cannot be read: %s", files.folder,
                               strerror(abs(error)));
        return NULL;
    }
    told = error ? NULL : json_loadb((const char *)text, size, 0, NULL);
    free(text);
    tell_age(told, files.status);
    return told;
}

/* ---- serve ---- */

static struct request {
    struct daemon_options daemon;
    struct play_options play;
    struct queue_bounds bounds;
    char bound_texts[BOUNDS][64];
    const char *admit_options[BOUNDS + 1];
    const char *web, *desk; /* address of the web process; socket at which the daemon's desk process
                               answers the web process */
    const char *on_event;   /* program that is told news; NULL: none */
    struct daemon_service services[4];
    const char *tell_arguments[7], *web_arguments[12], *desk_arguments[BOUNDS + 10];
} request = {.daemon = {.every_s = 60, .drain_s = 30, .patience_s = 120, .analyse_percent = 25},
             .bounds = QUEUE_BOUNDS_DEFAULT,
             .play = PLAY_OPTIONS_DEFAULT};

static void log_event(const char *event, const char *name, const char *words)
{
    command_log(event, name, words);
}

/* Takes the lock that allows one daemon per home. The daemon holds the lock until it exits. */
static int take_lock(const struct files *files, int *fd)
{
    const struct flock lock = {.l_type = F_WRLCK};
    char pid[16];

    *fd = open(files->lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    /* Whoever can open the file could hold its lock, and no daemon would start. */
    if (*fd < 0 || fchmod(*fd, 0600) < 0)
        return command_fail("%s: %s%s", files->lock, strerror(errno), place_cure(errno));
    for (int waited_ms = 0; fcntl(*fd, F_SETLK, &lock) < 0; waited_ms += LOCK_PAUSE_MS) {
        if (waited_ms < LOCK_WAIT_MS) {
            nanosleep(&(struct timespec){.tv_nsec = LOCK_PAUSE_MS * 1000000L}, NULL);
            continue;
        }
        close(*fd);
        return command_refuse(
            "%s: another `arena serve` runs on this home: `arena status` shows how it is doing",
            files->folder);
    }
    snprintf(pid, sizeof pid, "%d\n", (int)getpid());
    if (ftruncate(*fd, 0) < 0 || write(*fd, pid, strlen(pid)) < 0)
        return command_fail("%s: %s%s", files->lock, strerror(errno), place_cure(errno));
    return COMMAND_DONE;
}

/* Refuses a path whose parent folder does not exist. */
static int check_above(const char *option, const char *path)
{
    char copy[PATH_MAX];

    if (path && (snprintf(copy, sizeof copy, "%s", path) >= (int)sizeof copy ||
                 access(dirname(copy), F_OK)))
        return command_refuse("--%s %s: the parent folder is missing: make that folder first",
                              option, path);
    return COMMAND_DONE;
}

/* Refuses a site that `arena publish` could not replace. */
static int check_target(const char *site)
{
    char error[FOLDER_ERROR_BYTES];
    int status = check_above("site", site);

    if (status == COMMAND_DONE && site && folder_check(site, error) < 0)
        status = command_refuse("--site %s: %s", site, error);
    return status;
}

static int run(const char *folder)
{
    struct daemon_options *options = &request.daemon;
    int error, status;

    status = play_options_open_sandbox(&request.play, &options->sandbox);
    if (status != COMMAND_DONE)
        return status;
    options->folder = folder;
    options->admit_options = request.admit_options;
    options->admit_s =
        (int)(BUILD_WALL_TIMES * request.bounds.build_seconds + request.bounds.check_seconds) +
        CHECK_WALL_S + ADMIT_SLACK_S;
    options->job_count = request.play.job_count;
    options->log_fn = log_event;
    error = daemon_run(options);
    if (error < 0)
        status = command_fail("the daemon cannot start: %s", strerror(-error));
    sandbox_destroy(options->sandbox);
    return status;
}

/*
 * Refuses a site whose parent folder contains the home. The web process may read that whole parent
 * folder, because each publication puts a new folder in place of the site.
 */
static int check_site(const char *site, const char *folder)
{
    char parent[PATH_MAX], home[PATH_MAX], copy[PATH_MAX];
    const char *above;
    size_t size;

    if (snprintf(copy, sizeof copy, "%s", site) >= (int)sizeof copy)
        return command_refuse("--site %s: %s", site, strerror(ENAMETOOLONG));
    above = dirname(copy);
    if (!realpath(above, parent) && errno == ENOENT)
        return command_refuse("--site %s: there is no folder %s, in which the site would be made: "
                              "`mkdir -p %s` first",
                              site, above, above);
    if (!realpath(above, parent) || !realpath(folder, home))
        return command_refuse_errno(errno, "--site %s: %s", site, strerror(errno));
    size = strlen(parent);
    if (strncmp(home, parent, size) == 0 && (!home[size] || home[size] == '/' || size == 1))
        return command_refuse(
            "--site %s: the home %s lies in the parent folder of this site: with --web, name a "
            "site whose parent folder holds nothing secret, such as %s/web/site",
            site, folder, folder);
    return COMMAND_DONE;
}

/* Makes the daemon run `arena tell`, which tells the organizer's program news. */
static void add_tell(const struct files *files, struct daemon_service *service)
{
    const char **argument = request.tell_arguments;

    *argument++ = "tell";
    *argument++ = "--status";
    *argument++ = files->status;
    *argument++ = "--state";
    *argument++ = files->told;
    *argument = request.on_event;
    *service = (struct daemon_service){"tell", request.tell_arguments, .has_store = true};
}

/* Makes the daemon run `arena desk` (the process that answers API requests) and `arena web`. */
static int add_services(const struct files *files, char socket[static PATH_MAX + 32],
                        char site[static PATH_MAX + 32])
{
    const char **argument = request.desk_arguments;
    char web[PATH_MAX + 16];
    int count = 0, status;

    request.daemon.services = request.services;
    if (request.on_event)
        add_tell(files, &request.services[count++]);
    if (!request.web && !request.desk)
        return COMMAND_DONE;
    snprintf(web, sizeof web, "%s/web", files->folder);
    snprintf(site, PATH_MAX + 32, "%s/site", web);
    snprintf(socket, PATH_MAX + 32, "%s/desk", web);
    /* The web process must enter the folder, whatever the umask. */
    if ((mkdir(web, WEB_FOLDER_MODE) < 0 && errno != EEXIST) || chmod(web, WEB_FOLDER_MODE) < 0)
        return command_fail("%s: %s%s", web, strerror(errno), place_cure(errno));
    if (!request.desk)
        request.desk = socket;
    *argument++ = "desk";
    *argument++ = "--status";
    *argument++ = files->status;
    if (request.daemon.address) {
        *argument++ = "--address";
        *argument++ = request.daemon.address;
    }
    if (request.daemon.contact) {
        *argument++ = "--contact";
        *argument++ = request.daemon.contact;
    }
    for (int i = 0; i < BOUNDS; i++)
        *argument++ = request.admit_options[i];
    *argument = request.desk;
    request.services[count++] =
        (struct daemon_service){"desk", request.desk_arguments, .has_store = true};
    request.daemon.is_web = true;
    if (request.web) {
        if (!request.daemon.site)
            request.daemon.site = site;
        status = check_site(request.daemon.site, files->folder);
        if (status != COMMAND_DONE)
            return status;
        argument = request.web_arguments;
        *argument++ = "web";
        *argument++ = request.admit_options[PACKAGE_BYTES];
        *argument++ = "--listen";
        *argument++ = request.web;
        *argument++ = "--site";
        *argument++ = request.daemon.site;
        *argument++ = "--desk";
        *argument = request.desk;
        request.services[count++] = (struct daemon_service){"web", request.web_arguments};
    }
    return COMMAND_DONE;
}

static int serve(const struct files *files)
{
    char socket[PATH_MAX + 32], site[PATH_MAX + 32];
    int fd = -1, status = take_lock(files, &fd);

    if (status != COMMAND_DONE)
        return status;
    unlink(files->status); /* a daemon that was killed has left its status */
    status = add_services(files, socket, site) ?: check_target(request.daemon.site);
    if (status == COMMAND_DONE) {
        request.daemon.status = files->status;
        if (request.play.job_count == 0 && !store_option_is_server())
            log_event("warning", "",
                      "--jobs 0 with a store in SQLite: nobody plays the seasons, because workers "
                      "need a store in PostgreSQL: give --jobs 1 or more");
        status = run(files->folder);
    }
    unlink(files->status);
    close(fd);
    return status;
}

/*
 * Finds the home and the URL of the store. Closes the store again, because the daemon makes its own
 * connection.
 */
static int find_home(struct files *files, char **url)
{
    struct store *store;
    int status = store_option_open(STORE_CREATE, &store);

    if (status != COMMAND_DONE)
        return status;
    status = find_files(files, store);
    *url = strdup(store_url(store));
    store_close(store);
    return status == COMMAND_DONE && !*url ? command_fail("out of memory") : status;
}

/* Writes the bounds on submissions as options of `arena admit` and `arena desk`. */
static void pass_bounds(void)
{
    static const struct option bounds[] = {ADMIT_OPTIONS(&request.bounds)};
    int count = 0;

    for (const struct option *bound = bounds; bound < bounds + 1 + BOUNDS; bound++)
        if (bound->name) {
            snprintf(request.bound_texts[count], sizeof request.bound_texts[count], "--%s=%lld",
                     bound->name, (long long)*bound->number);
            request.admit_options[count] = request.bound_texts[count];
            count++;
        }
}

static const struct option serve_options[] = {
    {"jobs", "N", "games at a time, of all seasons (1); 0: play nothing",
     .count = &request.play.job_count, .maximum = RUNNER_JOBS_MAX},
    {"site", "DIR", "publish the site in DIR when there are new results (`arena publish`)",
     .text = &request.daemon.site},
    {"address", "URL",
     "public address of the site, for the pictures that others show with its links",
     .url = &request.daemon.address},
    {"contact", "TEXT",
     "how to reach the organizer, for the home page: a mail or web address, or words",
     .text = &request.daemon.contact},
    {"program", "FILE",
     "offer the program for download: an archive that arena/packaging/portable.sh wrote",
     .text = &request.daemon.program},
    {"web", "ADDRESS",
     "serve the site and the API (`arena web`) at this address and port, such as "
     "127.0.0.1:8080; a port alone: at 127.0.0.1",
     .text = &request.web},
    {"desk", "SOCKET",
     "socket at which the daemon answers an `arena web` that somebody else starts",
     .text = &request.desk},
    {"on-event", "PROGRAM",
     "run PROGRAM for each news, with the news as JSON on its standard input: for chat and mail",
     .text = &request.on_event},
    {"analyse", "PERCENT",
     "share of the machine's processors for analysing finished games while it is idle (25), never "
     "beside rated games that leave fewer than two processors free; 0: none",
     .count = &request.daemon.analyse_percent, .maximum = 100},
    {"every", "SECONDS", "shortest time between two publications of the site (60)",
     .count = &request.daemon.every_s, .maximum = SECONDS_MAX, .unit = "seconds"},
    {"metrics", "FILE", "write metrics for Prometheus to FILE every second",
     .text = &request.daemon.metrics},
    {"drain", "SECONDS", "longest wait for the games under way when the daemon stops (30)",
     .count = &request.daemon.drain_s, .maximum = SECONDS_MAX, .unit = "seconds"},
    {"patience", "SECONDS",
     "time of a submission's build and check beside all games, before one game fewer is played "
     "(120)",
     .count = &request.daemon.patience_s, .minimum = 1, .maximum = SECONDS_MAX, .unit = "seconds"},
    OPTION_JSON("log one JSON object per line"),
    ADMIT_OPTIONS(&request.bounds),
    STORE_OPTIONS};

static int run_serve(int argc, char **argv)
{
    struct files files;
    char *url = NULL;
    int status;

    if (request.on_event && access(request.on_event, X_OK) < 0)
        return command_refuse_errno(errno, "--on-event %s: %s: name a program that can be run",
                                    request.on_event, strerror(errno));
    if (request.daemon.program && access(request.daemon.program, R_OK) < 0)
        return command_refuse_errno(errno, "--program %s: %s: name the archive to offer",
                                    request.daemon.program, strerror(errno));
    if (request.play.job_count == 0) /* this daemon plays no challenge: let nobody wait for one */
        request.bounds.challenge_games = 0;
    pass_bounds();
    store_actor = "daemon";
    if (store_option_home) /* commands that the daemon starts use the same home */
        setenv("ARENA_HOME", store_option_home, 1);
    status = check_above("metrics", request.daemon.metrics) ?: check_above("desk", request.desk)
                 ?: find_home(&files, &url);
    if (status == COMMAND_DONE) {
        request.daemon.url = url;
        status = serve(&files);
    }
    free(url);
    return status;
}

const struct command_line command_serve = {
    .name = "serve",
    .usage = "[--jobs N] [--site DIR] [--web ADDRESS] [OPTION ...]",
    .about = "Plays every open season, admits what `arena submit --queue` submits, and "
             "publishes the site, until SIGTERM or Ctrl-C. `arena status` shows what the "
             "daemon does.",
    .options = serve_options,
    .run_fn = run_serve};

/* ---- status ---- */

static long long integer(const json_t *object, const char *key)
{
    return (long long)json_integer_value(json_object_get(object, key));
}

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value ? value : "";
}

static void print_season(const json_t *season)
{
    const json_t *budget = json_object_get(season, "budget");
    const long long all = json_is_integer(budget) ? integer(season, "budget") : 0;

    plain_text_printf(stdout, "  %-32s %8lld ", text(season, "season"), integer(season, "games"));
    if (all)
        plain_text_printf(stdout, "of %lld ", all);
    plain_text_printf(stdout, "game%s", plain_text_s(all ? all : integer(season, "games")));
    if (integer(season, "void") > 0)
        plain_text_printf(stdout, ", %lld void", integer(season, "void"));
    plain_text_printf(stdout, "; %s", text(season, "reason"));
    if (integer(season, "left") > 0 && json_is_integer(json_object_get(season, "idle_s")))
        plain_text_printf(stdout, "; last game %lld s ago", integer(season, "idle_s"));
    putchar('\n');
}

/* Prints how many seasons are open, as far as the daemon could read the store. */
static void print_seasons_head(const json_t *status, const char *store)
{
    const size_t count = json_array_size(json_object_get(status, "seasons"));
    const long long elsewhere = integer(status, "elsewhere");

    if (strcmp(store, "up") != 0 && strcmp(store, "full") != 0 && count == 0) {
        puts("seasons     unknown: the store was not read yet");
        return;
    }
    plain_text_printf(stdout, "seasons     %zu open%s", count,
                      strcmp(store, "down") == 0 ? " when the store last answered" : "");
    if (elsewhere)
        plain_text_printf(stdout, ", %lld of them played by another process", elsewhere);
    putchar('\n');
}

/* Writes how much room is left; less than a GiB in MiB. */
static void write_room(int64_t bytes, const char *store, char room[static 48])
{
    if (bytes == 0 && strcmp(store, "unread") == 0)
        snprintf(room, 48, "unknown: the disk was not looked at yet");
    else if (bytes < INT64_C(1) << 30)
        snprintf(room, 48, "%lld MiB free", (long long)(bytes >> 20));
    else
        snprintf(room, 48, "%.1f GiB free", (double)bytes / (1 << 30));
}

static void print_status(const json_t *status)
{
    const char *store = text(status, "store");
    char disk[48];
    const json_t *seasons = json_object_get(status, "seasons");
    const json_t *errors = json_object_get(status, "errors");

    write_room(integer(status, "disk_free_bytes"), store, disk);
    plain_text_printf(stdout,
                      "runs        process %lld, since %s\n"
                      "games       %lld since then, %.2f a second, %lld under way on %lld job%s\n"
                      "queue       %lld submission%s\n"
                      "longest     %.3f ms for which the event loop was blocked\n"
                      "disk        %s\n",
                      integer(status, "pid"), text(status, "since"), integer(status, "games"),
                      json_number_value(json_object_get(status, "games_per_s")),
                      integer(status, "playing_count"), integer(status, "jobs"),
                      plain_text_s(integer(status, "jobs")), integer(status, "queue"),
                      plain_text_s(integer(status, "queue")),
                      (double)integer(status, "longest_hold_us") / 1000, disk);
    if (strcmp(store, "up") != 0 && strcmp(store, "unread") != 0)
        plain_text_printf(stdout, "store       %s since %s\n",
                          strcmp(store, "full") == 0 ? "has no room left on its disk"
                                                     : "does not answer",
                          text(status, "store_since"));
    if (*text(status, "published"))
        plain_text_printf(stdout, "site        published at %s\n", text(status, "published"));
    print_seasons_head(status, store);
    for (size_t i = 0; i < json_array_size(seasons); i++)
        print_season(json_array_get(seasons, i));
    for (size_t i = 0; i < json_array_size(errors); i++)
        plain_text_printf(stdout, "error       %s\n", json_string_value(json_array_get(errors, i)));
}

static int show_status(int argc, char **argv)
{
    bool is_running;
    int status;
    json_t *told = read_status(&status);

    if (status != COMMAND_DONE)
        return status;
    is_running = told != NULL;
    if (!told)
        told = json_pack("{s:b, s:[], s:[]}", "running", 0, "seasons", "errors");
    if (options_json)
        command_print_json(columns_row_json(&status_columns, told, NULL, READER_ORGANIZER));
    else if (is_running)
        print_status(told);
    else
        puts("no daemon runs on this home: `arena serve` starts one");
    json_decref(told);
    return is_running ? COMMAND_DONE : COMMAND_FAILED;
}

/* The daemon of this home, whatever its store. */
static const struct option status_options[] = {
    OPTION_JSON("one JSON object"), STORE_OPTION_HOME, {0}};

const struct command_line command_status = {
    .name = "status",
    .is_remote = true,
    .usage = "[--json]",
    .about = "Shows whether an `arena serve` runs on this home, and its state: games, "
             "seasons, waiting submissions, the longest time for which its loop was blocked, "
             "its last errors. Exit status 1 if no daemon runs, 2 if there is no store yet.",
    .options = status_options,
    .run_fn = show_status};
