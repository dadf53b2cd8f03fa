/* SPDX-License-Identifier: MIT */
/* A build from start to end: its callbacks, and what it printed. */
#include "arena/play/build.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/base/tree.h"
#include "sandbox/sandbox.h"

static char room[] = "/tmp/build-test-XXXXXX";
static struct sandbox *sandbox;

static void make_room(void)
{
    const struct sandbox_options options = {.require = SANDBOX_TIER_FULL};
    struct sandbox_failure failure = {0};

    cr_assert_not_null(mkdtemp(room));
    cr_assert_eq(setenv("TMPDIR", room, 1), 0);
    cr_assert_eq(sandbox_create(&sandbox, &options, &failure), 0, "%s", failure.step);
}

static char *printed; /* what the last build printed, if that was kept */

static void remove_room(void)
{
    free(printed);
    sandbox_destroy(sandbox);
    tree_remove(room);
}

TestSuite(build, .init = make_room, .fini = remove_room);

/* Runs a script as the build of an empty folder. */
static int run(const char *script, struct build_order *order,
               char error[static MANIFEST_ERROR_BYTES])
{
    static char folder[128];
    char text[1024];
    struct manifest manifest;
    int result;

    snprintf(folder, sizeof folder, "%s/bot", room);
    cr_assert_eq(mkdir(folder, 0755), 0);
    snprintf(text, sizeof text, "{\"name\": \"slow\", \"run\": [\"./slow\"], \"build\": [%s]}",
             script);
    cr_assert_eq(manifest_parse(&manifest, text, strlen(text), error), 0, "%s", error);
    order->manifest = &manifest;
    order->folder = folder;
    order->sandbox = sandbox;
    free(printed);
    printed = NULL;
    result = build_run(order, &printed, error);
    manifest_finish(&manifest);
    return result;
}

struct progress {
    int count, last_s;
};

static void note_progress(void *owner, const char *name, int elapsed_s)
{
    struct progress *progress = owner;

    cr_expect_str_eq(name, "slow");
    cr_expect_eq(elapsed_s, elapsed_s < 0 ? -1 : progress->last_s + 1, "%d after %d", elapsed_s,
                 progress->last_s);
    progress->count++;
    progress->last_s = elapsed_s;
}

/* progress_fn is also called at the end, so that the display can be removed. */
Test(build, its_seconds_are_told_and_their_end)
{
    char error[MANIFEST_ERROR_BYTES] = "";
    struct progress progress = {0};
    struct build_order order = {.owner = &progress, .progress_fn = note_progress};

    cr_expect_eq(run("\"sleep\", \"1.2\"", &order, error), 0, "%s", error);
    cr_expect_geq(progress.count, 2);
    cr_expect_eq(progress.last_s, -1, "the end was not told");
}

Test(build, what_it_waits_for_a_processor_is_not_charged)
{
    static const struct {
        int64_t passed_us, load_us;
        bool is_ready;
        int64_t charged_us;
        const char *why;
    } rows[] = {
        {1000, 1000, true, 1000, "one process that computes"},
        {1000, 300, true, 300, "it waits for a processor"},
        {1000, 4000, true, 1000, "four processes on four cores"},
        {1000, 0, false, 1000, "it sleeps"},
        {1000, 300, false, 1000, "it computes and sleeps"},
        {1000, -1, true, 1000, "not known"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(build_charge_us(rows[i].passed_us, rows[i].load_us, rows[i].is_ready),
                     rows[i].charged_us, "%s", rows[i].why);
}

enum {
    HOGS = 6,
};

/* Several processes that compute beside the build on one core of the machine. */
Test(build, a_busy_machine_does_not_make_it_late, .timeout = 600)
{
    static const char computes[] =
        "\"python3\", \"-c\", \"import time\\nwhile time.process_time() < 0.8: pass\"";
    char error[MANIFEST_ERROR_BYTES] = "";
    struct build_order order = {.time_ms = 2500, .wall_ms = 500000};
    cpu_set_t before, one;
    pid_t hogs[HOGS];

    cr_assert_eq(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (size_t cpu = 0; CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &before))
            CPU_SET(cpu, &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    for (int i = 0; i < HOGS; i++) {
        hogs[i] = fork();
        if (hogs[i] == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0)
            for (;;)
                ;
    }
    cr_expect_eq(run(computes, &order, error), 0, "%s", error);
    tree_remove(order.folder);
    order.wall_ms = 1;
    cr_expect_eq(run(computes, &order, error), PACKAGE_STARVED, "%s", error);
    cr_expect_not_null(strstr(error, "too busy for the build"), "%s", error);
    tree_remove(order.folder);
    for (int i = 0; i < HOGS; i++) {
        kill(hogs[i], SIGKILL);
        waitpid(hogs[i], NULL, 0);
    }
    sched_setaffinity(0, sizeof before, &before);
    /* What sleeps, or computes for too long, is late all the same. */
    order = (struct build_order){.time_ms = 1000, .wall_ms = 500000};
    cr_expect_eq(run("\"sleep\", \"1000\"", &order, error), PACKAGE_REFUSED);
    cr_expect(strstr(error, "the build took longer than 1 s: shorten it"), "%s", error);
    tree_remove(order.folder);
    cr_expect_eq(run("\"sh\", \"-c\", \"(while :; do :; done) & (while :; do :; done); wait\"",
                     &order, error),
                 PACKAGE_REFUSED);
    tree_remove(order.folder);
}

Test(build, a_short_one_tells_no_progress)
{
    char error[MANIFEST_ERROR_BYTES] = "";
    struct progress progress = {0};
    struct build_order order = {.owner = &progress, .progress_fn = note_progress};

    cr_expect_eq(run("\"true\"", &order, error), 0, "%s", error);
    cr_expect(progress.count == 0 || progress.last_s == -1);
}

Test(build, what_it_printed_is_kept_if_it_fails)
{
    char error[MANIFEST_ERROR_BYTES] = "";
    struct build_order order = {0};

    cr_expect_eq(run("\"sh\", \"-c\", \"echo one; echo two >&2; exit 3\"", &order, error),
                 PACKAGE_REFUSED);
    cr_expect_str_eq(error, "the build exited with 3: two");
    cr_assert_not_null(printed);
    cr_expect_str_eq(printed, "one\ntwo\n");
    tree_remove(order.folder);
    cr_expect_eq(run("\"sh\", \"-c\", \"exit 3\"", &order, error), PACKAGE_REFUSED);
    cr_expect_str_eq(error, "the build exited with 3 and printed no text");
    tree_remove(order.folder);
    cr_expect_eq(run("\"sh\", \"-c\", \"echo one\"", &order, error), 0, "%s", error);
    cr_expect_null(printed);
}

/* The loop may see both at once, as here, where it is held meanwhile. */
static void hold_loop(void *owner, const char *name, int elapsed_s)
{
    if (elapsed_s == 1)
        usleep(600000);
}

Test(build, what_it_printed_comes_before_the_error)
{
    char error[MANIFEST_ERROR_BYTES] = "";
    struct build_order order = {.progress_fn = hold_loop};

    cr_expect_eq(run("\"sh\", \"-c\", \"sleep 1.2; echo one; echo two >&2; sleep 0.6; exit 3\"",
                     &order, error),
                 PACKAGE_REFUSED);
    cr_assert_not_null(printed);
    cr_expect_str_eq(printed, "one\ntwo\n");
    tree_remove(order.folder);
}

Test(build, may_print_more_than_a_pipe_holds, .timeout = 120)
{
    static const char told[] = "the build exited with 3: the end";
    char error[MANIFEST_ERROR_BYTES] = "";
    struct build_order order = {0};

    cr_expect_eq(run("\"sh\", \"-c\", \"seq 100000; seq 100000 >&2; echo the end >&2; exit 3\"",
                     &order, error),
                 PACKAGE_REFUSED);
    cr_expect_eq(strncmp(error, told, strlen(told)), 0, "%s", error);
    tree_remove(order.folder);
}

Test(build, its_last_line_is_told_cut_to_511_bytes)
{
    static const char begin[] = "the build exited with 3: ";
    char error[MANIFEST_ERROR_BYTES] = "";
    struct build_order order = {0};

    for (int length = 510; length <= 512; length++) {
        char script[96];

        snprintf(script, sizeof script,
                 "\"sh\", \"-c\", \"head -c %d /dev/zero | tr '\\\\0' x; exit 3\"", length);
        cr_expect_eq(run(script, &order, error), PACKAGE_REFUSED);
        cr_assert_eq(strncmp(error, begin, strlen(begin)), 0, "%s", error);
        cr_expect_eq(strspn(error + strlen(begin), "x"), length < 511 ? (size_t)length : 511, "%s",
                     error);
        tree_remove(order.folder);
    }
}

/* The signal is held, as the arena does; it stays pending for whoever looks. */
Test(build, one_is_stopped_when_the_arena_is)
{
    char error[MANIFEST_ERROR_BYTES] = "";
    struct build_order order = {0};
    sigset_t stop;

    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    cr_assert_eq(sigprocmask(SIG_BLOCK, &stop, NULL), 0);
    kill(getpid(), SIGTERM);
    cr_expect_eq(run("\"sleep\", \"100\"", &order, error), PACKAGE_FAILED);
    cr_expect_str_eq(error, "the arena stopped the build");
}

/* A bot may be pinned to a core; compilers use all cores. */
Test(build, runs_on_all_cores)
{
    char error[MANIFEST_ERROR_BYTES] = "", script[128];
    struct build_order order = {0};
    cpu_set_t cores;

    cr_assert_eq(sched_getaffinity(0, sizeof cores, &cores), 0);
    snprintf(script, sizeof script, "\"sh\", \"-c\", \"[ $(nproc) = %d ]\"", CPU_COUNT(&cores));
    cr_expect_eq(run(script, &order, error), 0, "%s", error);
}

Test(build, reads_of_its_own_processes)
{
    char error[MANIFEST_ERROR_BYTES] = "";
    struct build_order order = {0};

    cr_expect_eq(run("\"sh\", \"-c\", \"sleep 60 & until grep -q sleep /proc/$!/comm; do kill -0 "
                     "$! || exit 1;"
                     " done; ls /proc >/dev/null\"",
                     &order, error),
                 0, "%s", error);
}

/* ---- a build whose folder takes long to measure ---- */

static bool is_large;
static bool is_watched; /* while its folder was measured */
static int watch_count;

int __real_tree_measure(const char *path, const struct tree_size *enough, struct tree_size *size,
                        void (*meanwhile_fn)(void *owner), void *owner);
int __wrap_tree_measure(const char *path, const struct tree_size *enough, struct tree_size *size,
                        void (*meanwhile_fn)(void *owner), void *owner);
bool __real_sandbox_child_watch(struct sandbox_child *child);
bool __wrap_sandbox_child_watch(struct sandbox_child *child);

int __wrap_tree_measure(const char *path, const struct tree_size *enough, struct tree_size *size,
                        void (*meanwhile_fn)(void *owner), void *owner)
{
    const int before_count = watch_count;

    for (int i = 0; is_large && meanwhile_fn && i < 60000 && watch_count == before_count; i++) {
        meanwhile_fn(owner);
        usleep(1000);
    }
    is_watched |= watch_count > before_count;
    return __real_tree_measure(path, enough, size, meanwhile_fn, owner);
}

bool __wrap_sandbox_child_watch(struct sandbox_child *child)
{
    watch_count++;
    return __real_sandbox_child_watch(child);
}

/* A build with 190,000 files held more memory than its limit for a minute. */
Test(build, its_memory_is_looked_at_however_large_its_folder_is)
{
    char error[MANIFEST_ERROR_BYTES] = "";
    struct build_order order = {0};

    is_large = true;
    cr_expect_eq(run("\"sleep\", \"1\"", &order, error), 0, "%s", error);
    cr_expect(is_watched);
}
