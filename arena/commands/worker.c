/* SPDX-License-Identifier: MIT */
/*
 * Workers, which play games of a store on a server: `arena worker` runs one, `arena workers` lists
 * them.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "arena/commands/commands.h"
#include "arena/commands/bot_argument.h"
#include "arena/commands/options.h"
#include "arena/base/plain_text.h"
#include "arena/report/workers.h"
#include "arena/store/store.h"
#include "arena/worker/worker.h"
#include "arena/base/clock.h"

/* ---- worker ---- */

enum {
    /* Room for two packages: one is unpacked while the next is fetched. */
    CACHE_BYTES_MIN = 2 * STORE_PACKAGE_BYTES_MAX,
    SECONDS_MAX = 86400,
};

static void log_event(enum worker_event event, const char *name, const char *words)
{
    command_log(worker_event_name(event), name, words);
}

static struct {
    struct play_options play;
    struct worker_options worker;
    const char *cache;
    int64_t cache_bytes;
} request = {.play = PLAY_OPTIONS_DEFAULT,
             .worker = {.lease_us = 30000000, .drain_s = 30, .log_fn = log_event},
             .cache_bytes = INT64_C(4) << 30};

/* Writes the path of the package cache's folder. Returns a command's status. */
static int find_cache(char path[static PATH_MAX])
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length;

    if (request.cache)
        length = snprintf(path, PATH_MAX, "%s", request.cache);
    else if (xdg && *xdg == '/')
        length = snprintf(path, PATH_MAX, "%s/pavilion/packages", xdg);
    else if (home && *home)
        length = snprintf(path, PATH_MAX, "%s/.cache/pavilion/packages", home);
    else
        return command_refuse("no folder for the bots' packages: set HOME or XDG_CACHE_HOME, or "
                              "name a folder with --cache");
    if (length >= PATH_MAX / 2)
        return command_refuse("%.64s...: the path of the cache is too long", path);
    return COMMAND_DONE;
}

/* Returns the error of a user who names a store that workers cannot share, as -EINVAL. */
static int of_user(int error)
{
    return error == -ENOTSUP ? -EINVAL : error;
}

static int register_worker(struct store *store)
{
    struct store_worker *worker = &request.worker.worker;

    worker_describe(worker);
    if (!*worker->name)
        strcpy(worker->name, worker->host);
    strcpy(worker->version, ARENA_VERSION);
    worker->job_count = request.play.job_count;
    worker->tier = (int)sandbox_tier(request.worker.sandbox);
    if (getrandom(worker->identity, sizeof worker->identity, 0) != (ssize_t)sizeof worker->identity)
        return command_fail("cannot get random bytes for the worker's identity: %s",
                            strerror(errno));
    return of_user(store_worker_add(store, worker));
}

static int tell(const struct worker_report *report)
{
    if (options_json)
        command_print_json(json_pack("{s:s, s:I, s:I, s:I}", "event", "summary", "games",
                                     (json_int_t)report->game_count, "forfeits",
                                     (json_int_t)report->forfeit_count, "refused",
                                     (json_int_t)report->refused_count));
    else
        printf("%lld game%s delivered, %lld forfeit%s, %lld refused by the store\n",
               (long long)report->game_count, plain_text_s(report->game_count),
               (long long)report->forfeit_count, plain_text_s(report->forfeit_count),
               (long long)report->refused_count);
    return report->failed ? command_fail("%s", report->error) : COMMAND_DONE;
}

static int work_in(struct store *store, struct sandbox *sandbox, const char *folder)
{
    struct transport transport = transport_of_sandbox(sandbox);
    struct worker_report report;
    struct cache cache;
    int status, error = cache_open(&cache, folder, request.cache_bytes);

    if (error == -EPERM)
        return command_refuse("%s: other users may write to this cache of packages: give --cache "
                              "a folder of your own, mode 0700",
                              folder);
    if (error)
        return command_refuse_errno(-error, "%s: cannot keep packages in this folder: %s", folder,
                                    strerror(-error));
    request.worker.sandbox = sandbox;
    status = register_worker(store);
    if (status != COMMAND_DONE)
        return status;
    request.worker.cache = &cache;
    request.worker.transport = &transport;
    request.worker.store = store;
    worker_run(&request.worker, &report);
    return tell(&report);
}

static int work(struct store_call *call)
{
    char folder[PATH_MAX];
    struct sandbox *sandbox = NULL;
    int status = find_cache(folder) ?: play_options_open_sandbox(&request.play, &sandbox)
                     ?: work_in(call->store, sandbox, folder);

    sandbox_destroy(sandbox);
    return status;
}

/* Sets the worker's name, which has room for STORE_TEXT_BYTES_MAX bytes and a NUL. */
static int take_name(void *name, const char *text)
{
    if (!store_text_is_valid(text))
        return command_refuse("--name: a worker's name is 1 to 64 bytes of text");
    strcpy(name, text);
    return COMMAND_DONE;
}

static const struct option worker_options[] = {
    PLAY_OPTION_JOBS(&request.play),
    {"name", "W", "the worker's name in `arena workers` (the machine's name)", .take_fn = take_name,
     .context = request.worker.worker.name},
    {"lease", "SECONDS",
     "seconds of silence of this worker after which other workers play its games (30)",
     .number = &request.worker.lease_us, .minimum = 3, .maximum = SECONDS_MAX, .scale = 1000000,
     .unit = "seconds"},
    {"drain", "SECONDS", "longest wait for the games under way when the worker stops (30)",
     .count = &request.worker.drain_s, .maximum = SECONDS_MAX, .unit = "seconds"},
    {"cache", "DIR", "folder for packages of bots (pavilion/packages in the XDG cache folder)",
     .text = &request.cache},
    {"cache-bytes", "N", "bytes that packages may use on the disk (4294967296)",
     .number = &request.cache_bytes, .minimum = CACHE_BYTES_MIN, .maximum = INT64_C(1) << 50,
     .unit = "bytes"},
    PLAY_OPTION_REQUIRE(&request.play),
    OPTION_JSON("log one JSON object per line"),
    STORE_OPTIONS};

const struct command_line command_worker = {
    .name = "worker",
    .usage = "--store URL [--jobs N] [--name W] [OPTION ...]",
    .about = "Plays games of the seasons that `arena serve --jobs 0` schedules, on this "
             "machine, until SIGTERM or Ctrl-C. Any number of workers share a store; `arena "
             "workers` lists them.",
    .options = worker_options,
    .store_fn = work,
    .mode = STORE_WRITE};

/* ---- workers ---- */

/* Returns the role that the user wrote after a worker's name; NULL: none. */
static const char *role_of(const struct store_call *call)
{
    return call->argc > 2 ? call->argv[2] : NULL;
}

static int release(struct store_call *call)
{
    const char *name = call->argv[1];
    int count = store_workers_release(call->store, name, role_of(call));

    if (count >= 0)
        plain_text_printf(stdout, "%s: %d group%s given back\n", name, count, plain_text_s(count));
    return count < 0 ? of_user(count) : COMMAND_DONE;
}

static int list_workers(struct store_call *call)
{
    struct report_workers report;
    struct columns_rows rows = {.row_bytes = sizeof *report.workers};
    int status = of_user(report_workers_load(&report, call->store, clock_time_us()));

    rows.rows = report.workers;
    rows.count = report.count;
    if (status == COMMAND_DONE)
        status = command_print_table("workers", &report_workers_columns, &rows,
                                     "no workers yet: `arena worker --store URL` starts one");
    for (int i = 0; i < report.count && status == COMMAND_DONE && !options_json; i++) {
        if (*report.workers[i].worker.aside && !report.workers[i].worker.ended_us)
            plain_text_printf(stdout, "worker %lld is set aside: %s\n",
                              (long long)report.workers[i].worker.id,
                              report.workers[i].worker.aside);
        if (*report.workers[i].worker.refusal)
            plain_text_printf(stdout, "worker %lld: the last refused game: %s\n",
                              (long long)report.workers[i].worker.id,
                              report.workers[i].worker.refusal);
    }
    free(report.workers);
    return status;
}

static int drain(struct store_call *call)
{
    const char *name = call->argv[1];
    int error = store_workers_drain(call->store, name, role_of(call));

    if (!error)
        plain_text_printf(
            stdout,
            "%s: finishes the groups that it has begun, and ends; one that is started "
            "later plays\n",
            name);
    return of_user(error);
}

/* Prints what a superuser has to do: the league's owner cannot end another role's sessions. */
static int bar(const char *role)
{
    if (!command_is_role(role))
        return command_refuse("%s: a role's name is 1 to 32 characters from a-z, 0-9 and _", role);
    plain_text_printf(
        stdout,
        "-- For the server's superuser: arena workers bar %s | sudo -u postgres psql DATABASE\n"
        "ALTER ROLE \"%s\" NOLOGIN;\n"
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '%s';\n"
        "SELECT format('ROLLBACK PREPARED %%L', gid) FROM pg_prepared_xacts\n"
        "    WHERE owner = '%s' AND database = current_database() \\gexec\n"
        "-- Its groups go to other workers, as soon as its sessions have ended.\n"
        "UPDATE dealt_group SET worker = NULL\n"
        "    WHERE worker IN (SELECT id FROM worker WHERE role = '%s');\n"
        "-- To let it work again: ALTER ROLE \"%s\" LOGIN;\n",
        role, role, role, role, role, role);
    return COMMAND_DONE;
}

static const struct option workers_options[] = {OPTION_WIDE, OPTION_JSON("one JSON object"),
                                                STORE_OPTIONS};

static int run_workers(int argc, char **argv)
{
    if (argc == 0)
        return store_command(&command_workers, STORE_READ, list_workers, argc, argv);
    if ((argc == 2 || (argc == 3 && strcmp(argv[0], "bar") != 0)) && !options_wide &&
        !options_json) {
        if (strcmp(argv[0], "release") == 0)
            return store_command(&command_workers, STORE_WRITE, release, argc, argv);
        if (strcmp(argv[0], "drain") == 0)
            return store_command(&command_workers, STORE_WRITE, drain, argc, argv);
        if (strcmp(argv[0], "bar") == 0)
            return bar(argv[1]);
    }
    return command_refuse("workers: %s", command_workers.arguments);
}

const struct command_line command_workers = {
    .name = "workers",
    .is_remote = true,
    .usage = "[--wide] [--json]\ndrain NAME [ROLE]\nrelease NAME [ROLE]\nbar ROLE",
    .about =
        "Lists each run of a worker: its games, the games that the daemon refused and why, "
        "and a residual: above 3, bots are late on this machine more often than the same bots "
        "elsewhere. A role of PostgreSQL with 8 refused games gets no more games; nor does a "
        "worker that the daemon set aside, because bots forfeit there much more often than "
        "elsewhere.\n\n`drain` has the workers of that name finish the groups that they have "
        "begun, and end. `release` gives all unfinished games of the workers of that name to "
        "other workers, lets workers play again that were set aside, and sets the number of "
        "refused games of their role to 0. Workers choose their names: if those of several roles "
        "have "
        "the name, write the ROLE after it. `bar` prints SQL with which the server's superuser "
        "ends a role's sessions and keeps the role out.",
    .options = workers_options,
    .most = 3,
    .arguments =
        "write `arena workers`, or one of drain NAME [ROLE], release NAME [ROLE] and bar ROLE",
    .run_fn = run_workers};
