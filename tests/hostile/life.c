/* SPDX-License-Identifier: MIT */
/* What survives what, which user runs what, and which bots can communicate. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/prepared.h"
#include "tests/hostile/stage.h"
#include "tests/sandbox/confined.h"

enum {
    LIMIT_MS = 60000,    /* on a machine that is busy */
    STARTING_MS = 60000, /* until all of an arena's bots run */
    DEATH_MS = 60000,    /* until none of them is left */
};

/*
 * Runs an arena with bots that sleep, use processor time and, if possible, leave daemons; kills it
 * in the middle.
 */
static void kill_an_arena(bool ordinary, enum sandbox_tier at_most)
{
    int ready[2];
    pid_t arena;
    int running = 0;
    char byte;

    stage_lay(ordinary);
    cr_assert_eq(pipe(ready), 0);
    arena = fork();
    if (arena == 0) {
        struct sandbox *sandbox = confined_open(at_most);
        bool full = sandbox_tier(sandbox) >= SANDBOX_TIER_FULL;

        stage_start(sandbox, "sleep", (struct sandbox_limits){0});
        stage_start(sandbox, "burn", (struct sandbox_limits){0});
        stage_start(sandbox, "stop-self", (struct sandbox_limits){0});
        stage_start(sandbox, full ? "daemon" : "sleep",
                    (struct sandbox_limits){.process_count = full ? 8 : 1});
        if (write(ready[1], "x", 1) == 1)
            pause();
        _exit(1);
    }
    cr_assert_eq(read(ready[0], &byte, 1), 1);
    for (int waited_ms = 0; running < 4 && waited_ms < STARTING_MS; waited_ms += 10) {
        usleep(10000);
        running = stage_count_left(); /* a daemon's parent ends: the next count may be lower */
    }
    cr_expect_geq(running, 4, "only %d run", running);
    kill(arena, SIGKILL);
    running = stage_await_none(DEATH_MS);
    cr_expect_eq(running, 0, "%d live on", running);
    waitpid(arena, NULL, 0);
    sandbox_destroy(confined_open(SANDBOX_TIER_FULL_CG)); /* the next one tidies up */
    cr_expect_eq(stage_count_groups(arena), 0, "control groups are left");
    stage_remove();
}

Test(life, no_bot_outlives_the_arena)
{
    kill_an_arena(false, SANDBOX_TIER_FULL_CG);
}

Test(life, no_bot_outlives_an_ordinary_users_arena)
{
    kill_an_arena(true, SANDBOX_TIER_FULL_CG);
}

Test(life, no_bot_outlives_the_arena_in_the_lite_tier)
{
    kill_an_arena(false, SANDBOX_TIER_LITE);
}

Test(life, no_bot_outlives_an_ordinary_users_arena_in_the_lite_tier)
{
    kill_an_arena(true, SANDBOX_TIER_LITE);
}

/*
 * The kernel kills a process of the arena's group, whose counter does not say which: a bot that
 * kills itself at that time has lost, in whatever way it does it.
 */
static void let_it_kill_itself(const char *attack, int process_count)
{
    static const char before[] = "oom_kill 0\n", after[] = "oom_kill 1\n";
    struct sandbox *sandbox = confined_open(SANDBOX_TIER_FULL);
    struct cgroup_home home = sandbox->home;
    struct sandbox_verdict verdict = {0};
    struct sandbox_child child;
    bool ended = false;

    sandbox->home.events_fd = memfd_create("events", MFD_CLOEXEC);
    cr_assert_gt(pwrite(sandbox->home.events_fd, before, strlen(before), 0), 0);
    child = stage_start(sandbox, attack, (struct sandbox_limits){.process_count = process_count});
    cr_assert_gt(pwrite(sandbox->home.events_fd, after, strlen(after), 0), 0);
    for (int waited_ms = 0; !ended && waited_ms < DEATH_MS; waited_ms += 10) {
        poll(&(struct pollfd){.fd = child.pid_fd, .events = POLLIN}, 1, 10);
        sandbox_child_notified(&child);
        ended = sandbox_child_reap(&child, &verdict);
    }
    cr_expect(ended && verdict.end == SANDBOX_END_SIGNALED && verdict.signal == SIGKILL,
              "%s, %d processes: end %d, signal %d", attack, process_count, verdict.end,
              verdict.signal);
    sandbox_child_finish(&child);
    close(sandbox->home.events_fd);
    sandbox->home = home;
    sandbox_destroy(sandbox);
}

Test(life, a_bot_that_kills_itself_is_not_excused)
{
    stage_lay(false);
    for (int process_count = 1; process_count <= 8; process_count += 7) {
        let_it_kill_itself("sigkill", process_count);
        let_it_kill_itself("sigkill-thread", process_count);
        let_it_kill_itself("limit-time", process_count);
    }
    stage_remove();
}

static void read_to_end(struct sandbox_child *child, char *text, size_t capacity)
{
    struct sandbox_verdict verdict;
    size_t length = 0;
    ssize_t got;

    poll(&(struct pollfd){.fd = child->pid_fd, .events = POLLIN}, 1, LIMIT_MS);
    cr_expect(sandbox_child_reap(child, &verdict));
    cr_expect_eq(verdict.end, SANDBOX_END_EXITED, "end %d call %s", verdict.end, verdict.call);
    while (length < capacity - 1 &&
           (got = read(child->stdout_fd, text + length, capacity - 1 - length)) > 0)
        length += (size_t)got;
    text[length] = '\0';
}

/* Same folder, same runtimes, same UID outside: two bots cannot be closer. */
static void let_two_talk(bool ordinary, enum sandbox_tier at_most)
{
    struct sandbox *sandbox;
    struct sandbox_limits limits = {0};
    struct sandbox_child receiver, sender;
    char heard[256], sent[256];

    stage_lay(ordinary);
    sandbox = confined_open(at_most);
    if (sandbox_tier(sandbox) >= SANDBOX_TIER_FULL)
        limits.scratch_bytes = 1 << 20;
    receiver = stage_start(sandbox, "receive", limits);
    sender = stage_start(sandbox, "send", limits);
    read_to_end(&receiver, heard, sizeof heard);
    read_to_end(&sender, sent, sizeof sent);
    /* Each writes a file in its own scratch, and sees only that file. */
    cr_expect_str_eq(heard, "nothing\n", "heard by %s", heard);
    cr_expect_str_eq(sent, "sent\n", "%s", sent);
    sandbox_child_finish(&receiver);
    sandbox_child_finish(&sender);
    sandbox_destroy(sandbox);
    stage_remove();
}

Test(life, two_bots_cannot_exchange_a_byte)
{
    let_two_talk(false, SANDBOX_TIER_FULL_CG);
}

Test(life, two_bots_of_an_ordinary_user_cannot_exchange_a_byte)
{
    let_two_talk(true, SANDBOX_TIER_FULL_CG);
}

/*
 * Pending signals are counted per UID: if bots share one, the count would reveal what another does.
 */
Test(life, bots_that_share_an_id_queue_no_signals)
{
    static struct confined_run run;
    const char *const argv[] = {stage_program, "queue-to-itself", NULL};
    struct sandbox_command command = {.argv = argv, .executable_fd = -1, .cpu = -1};
    struct sandbox *sandbox;

    stage_lay(true);
    command.folder = stage_folder;
    sandbox = confined_open(SANDBOX_TIER_LITE);
    confined_run(sandbox, &command, NULL, LIMIT_MS, &run);
    cr_expect_str_eq(run.output, "EAGAIN\n", "'%s' %s", run.output, run.failure.step);
    sandbox_destroy(sandbox);
    stage_remove();
}

static int seal_program(void)
{
    char path[128], block[65536];
    int from, to = memfd_create("bot", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    ssize_t length;

    snprintf(path, sizeof path, "%s/%s", stage_folder, stage_program + 2);
    from = open(path, O_RDONLY | O_CLOEXEC);
    while ((length = read(from, block, sizeof block)) > 0)
        cr_assert_eq(write(to, block, (size_t)length), length);
    close(from);
    fcntl(to, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
    /* The author changes the file after it was taken in. */
    cr_assert_eq(truncate(path, 0), 0);
    return to;
}

Test(life, what_was_sealed_is_what_runs)
{
    static struct confined_run run;
    struct sandbox *sandbox;
    const char *const argv[] = {"bot", "who", NULL};
    struct sandbox_command command = {.folder = stage_folder, .argv = argv, .cpu = -1};

    stage_lay(false);
    command.executable_fd = seal_program();
    cr_expect_lt(write(command.executable_fd, "x", 1), 0);
    sandbox = confined_open(SANDBOX_TIER_FULL_CG);
    confined_run(sandbox, &command, NULL, LIMIT_MS, &run);
    cr_expect_str_eq(run.output, "nobody\n", "'%s' %s", run.output, run.failure.step);
    close(command.executable_fd);
    sandbox_destroy(sandbox);
    stage_remove();
}

static void build(bool ordinary)
{
    static struct confined_run run;
    const char *const argv[] = {
        "sh", "-c",
        "echo 'int main(void){return 0;}' > a.c && gcc a.c -o a && ./a && "
        "printf 'all: b c\\nb c: a.c\\n\\tgcc a.c -o $@\\n' > Makefile && "
        "make -s -j2 && ./b && ./c && echo built; echo x > /usr/x; cat ../secret",
        NULL};
    const struct sandbox_command command = {
        .folder = stage_folder,
        .argv = argv,
        .executable_fd = -1,
        .cpu = -1,
        .profile = SANDBOX_PROFILE_BUILD,
        .limits = {.process_count = 32, .scratch_bytes = 64 << 20}};
    struct sandbox *sandbox;
    char path[128];
    struct stat stat_of_it;

    stage_lay(ordinary);
    sandbox = confined_open(SANDBOX_TIER_FULL_CG);
    confined_run(sandbox, &command, NULL, LIMIT_MS, &run);
    cr_expect_str_eq(run.output, "built\n", "'%s' %s %s", run.output, run.errors, run.failure.step);
    snprintf(path, sizeof path, "%s/a", stage_folder);
    cr_expect_eq(stat(path, &stat_of_it), 0);
    cr_expect_eq(stat_of_it.st_uid, geteuid(), "the build's folder is the arena's again");
    sandbox_destroy(sandbox);
    stage_remove();
}

Test(life, a_build_writes_its_own_folder_only)
{
    build(false);
}

Test(life, an_ordinary_users_build_writes_its_own_folder_only)
{
    build(true);
}

Test(life, a_name_like_that_of_an_exiting_process_gains_no_time)
{
    struct sandbox *sandbox;
    struct sandbox_child child;

    stage_lay(false);
    sandbox = confined_open(SANDBOX_TIER_FULL_CG);
    child = stage_start(sandbox, "stay-under-a-name", (struct sandbox_limits){0});
    cr_assert(stage_speaks(&child, STARTING_MS));
    cr_expect_eq(sandbox_child_departure(&child), SANDBOX_STAYS);
    sandbox_child_finish(&child);
    sandbox_destroy(sandbox);
    stage_remove();
}

Test(life, less_than_required_is_refused)
{
    const struct sandbox_options options = {.require = SANDBOX_TIER_FULL,
                                            .at_most = SANDBOX_TIER_LITE};
    struct sandbox_failure failure = {0};
    struct sandbox *sandbox;

    cr_expect_lt(sandbox_create(&sandbox, &options, &failure), 0);
    cr_expect_null(sandbox);
    cr_expect_not_null(failure.step);
}

Test(life, the_lite_tier_refuses_what_it_cannot_confine)
{
    static const struct sandbox_limits asked[] = {{.process_count = 2}, {.scratch_bytes = 4096}};
    struct sandbox *sandbox;

    stage_lay(false);
    sandbox = confined_open(SANDBOX_TIER_LITE);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        static struct confined_run run;
        const char *const argv[] = {stage_program, "who", NULL};
        const struct sandbox_command command = {.folder = stage_folder,
                                                .argv = argv,
                                                .executable_fd = -1,
                                                .cpu = -1,
                                                .limits = asked[i]};

        confined_run(sandbox, &command, NULL, LIMIT_MS, &run);
        cr_expect_lt(run.spawned, 0);
    }
    sandbox_destroy(sandbox);
    stage_remove();
}
