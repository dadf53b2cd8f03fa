/* SPDX-License-Identifier: MIT */
/* What a child gets, what it does not, and how its end is reported. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/prepared.h"
#include "tests/sandbox/confined.h"

enum {
    LIMIT_MS = 10000,
    CALLS_LIMIT_MS = 240000, /* for so many answers on a busy machine */
    WARM_COUNT = 100,        /* starts until most of what is kept for the next ones is there */
    SLACK = 60,              /* a busy machine keeps more */
};

static int first_core(void)
{
    cpu_set_t cores;
    int core = 0;

    sched_getaffinity(0, sizeof cores, &cores);
    while (!CPU_ISSET((size_t)core, &cores))
        core++;
    return core;
}

static struct sandbox *open_sandbox(void)
{
    struct sandbox *sandbox;
    struct sandbox_failure failure = {0};
    int result = sandbox_create(&sandbox, NULL, &failure);

    cr_assert_eq(result, 0, "%s: %s", failure.step, strerror(-result));
    return sandbox;
}

/* Creates a bot's folder inside one that only the arena may enter, as the arena does. */
static const char *make_folder(void)
{
    static char folder[] = "/tmp/arena-XXXXXX/bot";
    char *slash = strrchr(folder, '/');

    *slash = '\0';
    cr_assert_not_null(mkdtemp(folder));
    *slash = '/';
    cr_assert_eq(mkdir(folder, 0755), 0);
    return folder;
}

static void remove_folder(const char *folder)
{
    char command[256];

    snprintf(command, sizeof command, "rm -r \"$(dirname %s)\"", folder);
    cr_assert_eq(system(command), 0);
}

static void write_file(const char *folder, const char *name, const char *text, mode_t mode)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
    chmod(path, mode);
}

struct output_row {
    const char *rule;
    const char *argv[6];
    const char *input;
    const char *output;
};

/* One row per case. */
/* clang-format off */
static const struct output_row output_rows[] = {
    {"its input reaches its output", {"cat"}, "hello", "hello"},
    {"a file of its folder runs", {"./own", "one"}, NULL, "own one\n"},
    {"its folder is its working directory", {"sh", "-c", "exec cat own.txt"}, NULL, "text\n"},
    {"a clean environment",
     {"env"},
     NULL,
     "PATH=/usr/local/bin:/usr/bin:/bin\nLANG=C.UTF-8\nHOME=/\nGOMEMLIMIT=691MiB\n"
     "NODE_OPTIONS=--max-old-space-size=576\nJAVA_TOOL_OPTIONS=-Xmx460m\n"},
    {"nothing of the arena's is readable",
     {"perl", "-e", "opendir(my $d, '/tmp') or print 'no'"},
     NULL,
     "no"},
    {"no list of users",
     {"perl", "-e", "open(my $f, '<', '/etc/passwd') or print 'no'"},
     NULL,
     "no"},
    {"python", {"python3", "-c", "print(sum(range(5)))"}, NULL, "10\n"},
    {"perl", {"perl", "-e", "print 6*7"}, NULL, "42"},
};
/* clang-format on */

Test(spawn, what_a_child_sees)
{
    struct sandbox *sandbox = open_sandbox();
    const char *folder = make_folder();

    write_file(folder, "own", "#!/bin/sh\necho own $1\n", 0755);
    write_file(folder, "own.txt", "text\n", 0644);
    for (size_t i = 0; i < sizeof output_rows / sizeof *output_rows; i++) {
        const struct output_row *row = &output_rows[i];
        const struct sandbox_command command = {
            .folder = folder, .argv = row->argv, .executable_fd = -1, .cpu = -1};
        static struct confined_run run;

        confined_run(sandbox, &command, row->input, 5000, &run);
        cr_expect_eq(run.spawned, 0, "%s: %s: %d", row->rule, run.failure.step, run.spawned);
        cr_expect_str_eq(run.output, row->output, "%s: '%s' (end %d signal %d call %s) %s",
                         row->rule, run.output, run.verdict.end, run.verdict.signal,
                         run.verdict.call, run.errors);
    }
    remove_folder(folder);
    sandbox_destroy(sandbox);
}

/* Two programs that compute without end, on one processor. */
Test(spawn, waiting_for_a_processor_is_measured, .timeout = 60)
{
    static const char *const argv[] = {"sh", "-c", "while :; do :; done", NULL};
    struct sandbox *sandbox = open_sandbox();
    const char *folder = make_folder();
    const struct sandbox_command command = {
        .folder = folder, .argv = argv, .executable_fd = -1, .cpu = first_core()};
    struct sandbox_failure failure;
    struct sandbox_child children[2];

    for (int i = 0; i < 2; i++)
        cr_assert_eq(sandbox_spawn(sandbox, &command, &children[i], &failure), 0);
    for (int i = 0; i < 2; i++)
        while (sandbox_child_queued_us(&children[i], 0) < 50000)
            usleep(1000);
    for (int i = 0; i < 2; i++)
        sandbox_child_finish(&children[i]);
    remove_folder(folder);
    sandbox_destroy(sandbox);
}

/* A build whose children nobody waits for: no process keeps their times. */
Test(spawn, a_group_counts_processes_that_nobody_waits_for, .timeout = 240)
{
    static const char script[] =
        "$SIG{CHLD} = q(IGNORE); for (1 .. 20) { pipe R, W; unless (fork) {"
        " 1 while (times)[0] + (times)[1] < 0.05; exit } close W; sysread R, $x, 1 }"
        " syswrite STDOUT, q(x); sleep 1000";
    const char *const argv[] = {"perl", "-e", script, NULL};
    struct sandbox *sandbox = open_sandbox();
    const char *folder = make_folder();
    const struct sandbox_command command = {.folder = folder,
                                            .argv = argv,
                                            .executable_fd = -1,
                                            .profile = SANDBOX_PROFILE_BUILD,
                                            .limits = {.process_count = 16},
                                            .cpu = -1};
    struct pollfd output = {.events = POLLIN};
    struct sandbox_failure failure;
    struct sandbox_child child;
    bool is_ready;

    if (sandbox_tier(sandbox) != SANDBOX_TIER_FULL_CG)
        cr_skip_test("no control group counts processor time");
    cr_assert_eq(sandbox_spawn(sandbox, &command, &child, &failure), 0);
    output.fd = child.stdout_fd;
    cr_expect_eq(poll(&output, 1, CALLS_LIMIT_MS), 1);
    cr_expect_geq(sandbox_child_load_us(&child, &is_ready), 900000, "20 times 50 ms");
    sandbox_child_finish(&child);
    remove_folder(folder);
    sandbox_destroy(sandbox);
}

/* Of a program that does not run at the moment, among others that compute on its processor. */
Test(spawn, a_wait_for_a_processor_counts_before_it_has_ended, .timeout = 60)
{
    static const char *const argv[] = {"sh", "-c", "while :; do :; done", NULL};
    struct sandbox *sandbox = open_sandbox();
    const char *folder = make_folder();
    const struct sandbox_command command = {
        .folder = folder, .argv = argv, .executable_fd = -1, .cpu = first_core()};
    struct sandbox_failure failure;
    struct sandbox_child children[4];
    int64_t cpu_us, queued_us;

    for (int i = 0; i < 4; i++)
        cr_assert_eq(sandbox_spawn(sandbox, &command, &children[i], &failure), 0);
    while (sandbox_child_queued_us(&children[0], 0) < 50000)
        usleep(1000);
    do {
        cpu_us = sandbox_child_cpu_us(&children[0]);
        queued_us = sandbox_child_queued_us(&children[0], 0);
        usleep(4000);
        queued_us = sandbox_child_queued_us(&children[0], 0) - queued_us;
    } while (sandbox_child_cpu_us(&children[0]) != cpu_us);
    cr_expect_geq(queued_us, 4000, "it did not run, and waited for %lld us", (long long)queued_us);
    for (int i = 0; i < 4; i++)
        sandbox_child_finish(&children[i]);
    remove_folder(folder);
    sandbox_destroy(sandbox);
}

#ifdef __aarch64__
#define MACHINE EM_AARCH64
#else
#define MACHINE EM_X86_64
#endif

/* execve() says EIO to such a file, as it does when a disk fails. */
static void write_elf_with_interpreter_beyond_its_end(const char *folder, const char *name)
{
    struct {
        Elf64_Ehdr header;
        Elf64_Phdr segments[2];
    } file = {.header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                                     EV_CURRENT},
                         .e_type = ET_DYN,
                         .e_machine = MACHINE,
                         .e_version = EV_CURRENT,
                         .e_phoff = sizeof file.header,
                         .e_ehsize = sizeof file.header,
                         .e_phentsize = sizeof *file.segments,
                         .e_phnum = 2},
              .segments = {{.p_type = PT_INTERP, .p_offset = 1 << 20, .p_filesz = 28},
                           {.p_type = PT_LOAD, .p_filesz = 64, .p_memsz = 64, .p_flags = PF_R}}};
    char path[PATH_MAX];
    FILE *stream;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    stream = fopen(path, "w");
    cr_assert_not_null(stream);
    fwrite(&file, 1, sizeof file, stream);
    fclose(stream);
    chmod(path, 0755);
}

Test(spawn, a_program_that_cannot_run_is_refused)
{
    static const char *const names[] = {"./none", "no-such-program", "./plain.txt", "./garbage",
                                        "./cut"};
    struct sandbox *sandbox = open_sandbox();
    const char *folder = make_folder();

    write_file(folder, "plain.txt", "text\n", 0644);
    write_file(folder, "garbage",
               "\x7f"
               "ELF garbage",
               0755);
    write_elf_with_interpreter_beyond_its_end(folder, "cut");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *const argv[] = {names[i], NULL};
        const struct sandbox_command command = {
            .folder = folder, .argv = argv, .executable_fd = -1, .cpu = -1};
        static struct confined_run run;

        confined_run(sandbox, &command, NULL, 5000, &run);
        cr_expect_eq(run.spawned, 0, "%s: %s", names[i], run.failure.step);
        cr_expect_eq(run.setup, SANDBOX_SETUP_REFUSED, "%s: set-up %d", names[i], run.setup);
        cr_expect_gt(run.failure.error, 0);
    }
    remove_folder(folder);
    sandbox_destroy(sandbox);
}

Test(spawn, arguments_too_large_are_refused)
{
    static char large[1 << 20];
    const char *const argv[] = {"true", large, NULL};
    struct sandbox *sandbox = open_sandbox();
    const char *folder = make_folder();
    const struct sandbox_command command = {
        .folder = folder, .argv = argv, .executable_fd = -1, .cpu = -1};
    static struct confined_run run;

    memset(large, 'x', sizeof large - 1);
    confined_run(sandbox, &command, NULL, 5000, &run);
    cr_expect_eq(run.setup, SANDBOX_SETUP_REFUSED);
    cr_expect_eq(run.failure.error, E2BIG);
    remove_folder(folder);
    sandbox_destroy(sandbox);
}

Test(spawn, a_step_that_fails_leaves_nothing)
{
    const char *const argv[] = {"true", NULL};
    const struct sandbox_command command = {
        .folder = "/nonexistent", .argv = argv, .executable_fd = -1, .cpu = -1};
    struct sandbox *sandbox = open_sandbox();
    struct sandbox_failure failure = {0};
    struct sandbox_child child;

    cr_expect_lt(sandbox_spawn(sandbox, &command, &child, &failure), 0);
    cr_expect_str_eq(failure.step, "open the bot's folder");
    sandbox_child_finish(&child);
    sandbox_destroy(sandbox);
}

/* The child's own side of the set-up: it never ran, and the arena learns which step failed. */
Test(spawn, a_step_of_the_child_that_fails_leaves_nothing)
{
    const char *const argv[] = {"true", NULL};
    const char *folder = make_folder();
    const struct sandbox_command command = {
        .folder = folder, .argv = argv, .executable_fd = -1, .cpu = 1000 /* no such core */};

    for (enum sandbox_tier tier = SANDBOX_TIER_LITE; tier <= SANDBOX_TIER_FULL_CG; tier++) {
        const struct sandbox_options options = {.require = SANDBOX_TIER_LITE, .at_most = tier};
        struct sandbox_failure failure = {0};
        const int descriptor_count = confined_count_descriptors();
        struct sandbox *sandbox;
        struct sandbox_child child;

        cr_assert_eq(sandbox_create(&sandbox, &options, &failure), 0, "%s", failure.step);
        for (int i = 0; i < 3; i++) {
            cr_expect_eq(sandbox_spawn(sandbox, &command, &child, &failure), -EINVAL);
            cr_expect_str_eq(failure.step, "sched_setaffinity");
            sandbox_child_finish(&child);
        }
        sandbox_destroy(sandbox); /* it reaps a keeper that ended late */
        cr_expect_eq(confined_count_descriptors(), descriptor_count);
        cr_expect_eq(waitpid(-1, NULL, WNOHANG | __WALL), -1, "a child is left");
    }
    remove_folder(folder);
}

Test(spawn, a_child_has_a_session_of_its_own)
{
    const char *const argv[] = {"cat", NULL};
    const char *folder = make_folder();
    const struct sandbox_command command = {
        .folder = folder, .argv = argv, .executable_fd = -1, .cpu = -1};

    for (enum sandbox_tier tier = SANDBOX_TIER_LITE; tier <= SANDBOX_TIER_FULL_CG; tier++) {
        const struct sandbox_options options = {.require = SANDBOX_TIER_LITE, .at_most = tier};
        struct sandbox_failure failure = {0};
        struct sandbox *sandbox;
        struct sandbox_child child;

        cr_assert_eq(sandbox_create(&sandbox, &options, &failure), 0, "%s", failure.step);
        cr_assert_eq(sandbox_spawn(sandbox, &command, &child, &failure), 0, "%s", failure.step);
        cr_expect_gt(getsid(child.pid), 0);
        cr_expect_neq(getsid(child.pid), getsid(0));
        cr_expect_neq(getpgid(child.pid), getpgid(0));
        sandbox_child_finish(&child);
        sandbox_destroy(sandbox);
    }
    remove_folder(folder);
}

/* Empty groups can be removed by anybody who may create some. */
Test(spawn, groups_that_were_removed_are_made_anew)
{
    static const char *const argv[] = {"true", NULL};
    const char *folder = make_folder();
    const struct sandbox_command command = {
        .folder = folder, .argv = argv, .executable_fd = -1, .cpu = -1};
    struct sandbox *sandbox = open_sandbox();
    char removal[160];

    snprintf(
        removal, sizeof removal,
        "find /sys/fs/cgroup -depth -type d -path '*/pavilion-*-%d*' -exec rmdir {} + 2>/dev/null",
        (int)getpid());
    for (int i = 0; i < 3; i++) {
        static struct confined_run run;

        confined_run(sandbox, &command, NULL, 5000, &run);
        cr_expect_eq(run.spawned, 0, "run %d: %s: %s", i, run.failure.step,
                     strerror(run.failure.error));
        cr_expect_eq(run.verdict.end, SANDBOX_END_EXITED);
        for (int waited_ms = 0; system(removal) != 0; waited_ms += 10) {
            cr_assert_lt(waited_ms, 5000, "what was in them has not left");
            usleep(10000);
        }
    }
    remove_folder(folder);
    sandbox_destroy(sandbox);
}

Test(spawn, a_sandbox_that_is_gone_holds_no_descriptor)
{
    static const char *const argv[] = {"true", NULL};
    static struct confined_run run;
    const char *folder = make_folder();
    const struct sandbox_command command = {
        .folder = folder, .argv = argv, .executable_fd = -1, .cpu = -1};
    int before = confined_count_descriptors();

    for (int i = 0; i < 3; i++) {
        struct sandbox *sandbox = open_sandbox();

        confined_run(sandbox, &command, NULL, LIMIT_MS, &run);
        cr_expect_eq(run.verdict.end, SANDBOX_END_EXITED, "%s", run.errors);
        sandbox_destroy(sandbox);
        cr_expect_eq(confined_count_descriptors(), before, "time %d: %d of %d", i,
                     confined_count_descriptors(), before);
    }
    remove_folder(folder);
}

/* How many control groups this process has made. */
static int count_groups(void)
{
    char command[128];
    int count = -1;
    FILE *found;

    snprintf(command, sizeof command,
             "find /sys/fs/cgroup -type d -path '*pavilion-*-%d*' 2>/dev/null | wc -l",
             (int)getpid());
    found = popen(command, "r");
    cr_assert(found && fscanf(found, "%d", &count) == 1);
    pclose(found);
    return count;
}

/* 300 bots one after the other, or as many as SPAWN_COUNT says. */
Test(spawn, many_leave_nothing, .timeout = 3600)
{
    static struct confined_run run;
    const char *const argv[] = {"true", NULL};
    const struct sandbox_command command = {
        .folder = "/usr", .argv = argv, .executable_fd = -1, .cpu = -1};
    const int count = getenv("SPAWN_COUNT") ? atoi(getenv("SPAWN_COUNT")) : 300;
    struct sandbox *sandbox = open_sandbox();
    int descriptor_count = 0, group_count = 0;

    for (int i = 0; i < count; i++) {
        confined_run(sandbox, &command, NULL, LIMIT_MS, &run);
        cr_assert_eq(run.verdict.end, SANDBOX_END_EXITED, "bot %d: %s", i, run.errors);
        if (i == WARM_COUNT) {
            descriptor_count = confined_count_descriptors();
            group_count = count_groups();
        }
    }
    cr_expect_lt(confined_count_descriptors(), descriptor_count + SLACK);
    cr_expect_lt(count_groups(), group_count + SLACK);
    sandbox_destroy(sandbox);
    cr_expect_eq(waitpid(-1, NULL, WNOHANG | __WALL), -1, "a process is left");
}

/* System calls made from Python, which itself calls sysinfo a few times. */
static const struct {
    const char *rule;
    const char *script;
    enum sandbox_profile profile;
    enum sandbox_end end;
    const char *answer; /* its output, or the call it is killed for */
} call_rows[] = {
    {"sysinfo is answered 30,000 times", "for _ in range(29000): lib.sysinfo(room)",
     SANDBOX_PROFILE_BOT, SANDBOX_END_EXITED, ""},
    {"and then is a forbidden call", "for _ in range(31000): lib.sysinfo(room)",
     SANDBOX_PROFILE_BOT, SANDBOX_END_FORBIDDEN, "sysinfo"},
    {"a core limit that a bot sets is taken and stays",
     "import resource as r; r.setrlimit(r.RLIMIT_CORE, (0, 0)); print(r.getrlimit(r.RLIMIT_CORE))",
     SANDBOX_PROFILE_BOT, SANDBOX_END_EXITED, "(1, 1)\n"},
    {"another limit that a bot sets holds",
     "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (9, 9));"
     " print(r.getrlimit(r.RLIMIT_NOFILE))",
     SANDBOX_PROFILE_BOT, SANDBOX_END_EXITED, "(9, 9)\n"},
    {"a bot's timer sends nothing but SIGALRM", "print(lib.timer_create(0, event, room))",
     SANDBOX_PROFILE_BOT, SANDBOX_END_EXITED, "-1\n"},
    {"a timer without an event is a bot's", "print(lib.syscall(222, 1, None, room))",
     SANDBOX_PROFILE_BOT, SANDBOX_END_EXITED, "0\n"},
    {"the C library's has one in any case", "print(lib.timer_create(1, None, room))",
     SANDBOX_PROFILE_BOT, SANDBOX_END_EXITED, "-1\n"},
    {"an alarm and a timer descriptor do instead",
     "print(lib.alarm(9), lib.alarm(0), lib.timerfd_create(1, 0) > 2)", SANDBOX_PROFILE_BOT,
     SANDBOX_END_EXITED, "0 9 True\n"},
    {"a build's timer sends what it likes", "print(lib.timer_create(0, event, room))",
     SANDBOX_PROFILE_BUILD, SANDBOX_END_EXITED, "0\n"},
    {"a build writes to /dev/null, and to no device whose mappings would share memory",
     "print(lib.open(b'/dev/null', 2) > 2, lib.open(b'/dev/zero', 0) > 2,"
     " lib.open(b'/dev/zero', 2), lib.open(b'/dev/urandom', 2))",
     SANDBOX_PROFILE_BUILD, SANDBOX_END_EXITED, "True True -1 -1\n"},
};

Test(spawn, calls_are_answered_as_documented)
{
    static struct confined_run run;
    const char *folder = make_folder();
    struct sandbox *sandbox = open_sandbox();

    for (size_t i = 0; i < sizeof call_rows / sizeof *call_rows; i++) {
        char script[512];
        const char *const argv[] = {"python3", "-c", script, NULL};
        const struct sandbox_command command = {.folder = folder,
                                                .argv = argv,
                                                .executable_fd = -1,
                                                .cpu = -1,
                                                .profile = call_rows[i].profile,
                                                .limits = {.process_count = 4}};

        snprintf(script, sizeof script,
                 "import ctypes\n"
                 "lib = ctypes.CDLL(None)\n"
                 "room = ctypes.create_string_buffer(256)\n"
                 "event = (ctypes.c_int * 16)(0, 0, 10, 0)\n" /* SIGUSR1 */
                 "%s\n",
                 call_rows[i].script);
        confined_run(sandbox, &command, NULL, CALLS_LIMIT_MS, &run);
        cr_assert_eq(run.spawned, 0, "%s: %s", call_rows[i].rule, run.failure.step);
        cr_expect_eq(run.verdict.end, call_rows[i].end, "%s: end %d status %d call %s: %s",
                     call_rows[i].rule, run.verdict.end, run.verdict.status, run.verdict.call,
                     run.errors);
        if (call_rows[i].end == SANDBOX_END_FORBIDDEN)
            cr_expect_str_eq(run.verdict.call, call_rows[i].answer, "%s", call_rows[i].rule);
        else
            cr_expect_str_eq(run.output, call_rows[i].answer, "%s: '%s' %s", call_rows[i].rule,
                             run.output, run.errors);
    }
    sandbox_destroy(sandbox);
    remove_folder(folder);
}

/*
 * What the kernel may keep for processes beside their memory limit, where no group counts it: 64
 * processes of 65,000 mappings took 0.9 GiB.
 */
static const struct {
    const char *rule;
    int process_count;
    bool memory_cgroup;
    int64_t least_mib, most_mib;
} promises[] = {
    {"a group counts everything", 64, true, 100, 100},
    {"one process", 1, false, 100 + 19, 100 + 40},
    {"64 processes", 64, false, 100 + 64 * 15, 100 + 64 * 15 + 80},
};

Test(spawn, a_bot_may_take_its_limit_and_what_the_kernel_keeps_for_it)
{
    for (size_t i = 0; i < sizeof promises / sizeof *promises; i++) {
        const struct sandbox_limits asked = {.memory_bytes = 100 << 20,
                                             .process_count = promises[i].process_count};
        const struct sandbox_limits resolved = limits_resolve(&asked);
        const int64_t bytes = limits_share(&resolved, promises[i].memory_cgroup).memory_bytes;

        cr_expect_geq(bytes, promises[i].least_mib << 20, "%s: %lld", promises[i].rule,
                      (long long)bytes);
        cr_expect_leq(bytes, promises[i].most_mib << 20, "%s: %lld", promises[i].rule,
                      (long long)bytes);
    }
}

/* Three bots of 200 MiB in a group of 614 MiB, of which the arena keeps 64 MiB. */
Test(spawn, a_bot_that_must_fit_waits_for_the_memory_of_others, .timeout = 120)
{
    const char *const argv[] = {"cat", NULL};
    const char *folder = make_folder();
    struct sandbox *sandbox = open_sandbox();
    struct sandbox_command command = {.folder = folder,
                                      .argv = argv,
                                      .executable_fd = -1,
                                      .cpu = -1,
                                      .limits = {.memory_bytes = 200 << 20},
                                      .must_fit = true};
    struct sandbox_child children[3] = {0};
    struct sandbox_failure failure = {0};
    int result;

    sandbox->home.memory_bytes = 614 << 20;
    for (int i = 0; i < 2; i++)
        cr_assert_eq(sandbox_spawn(sandbox, &command, &children[i], &failure), 0, "%s",
                     failure.step);
    cr_expect_eq(sandbox_spawn(sandbox, &command, &children[2], &failure), -ENOMEM);
    cr_expect_str_eq(failure.step, "the memory that all bots may take");
    command.must_fit = false; /* the only game of all */
    cr_expect_eq(sandbox_spawn(sandbox, &command, &children[2], &failure), 0, "%s", failure.step);
    sandbox_child_finish(&children[0]);
    sandbox_child_finish(&children[1]);
    command.must_fit = true;
    /* On a busy machine the kernel needs a while to end what was finished. */
    while ((result = sandbox_spawn(sandbox, &command, &children[0], &failure)) == -ENOMEM)
        usleep(10000);
    cr_expect_eq(result, 0, "%s", failure.step);
    sandbox_child_finish(&children[0]);
    sandbox_child_finish(&children[2]);
    sandbox_destroy(sandbox);
    remove_folder(folder);
}

/*
 * A bot of 64 processes may have 194 tasks, one of one process 131; the arena keeps 512. Otherwise
 * a bot that takes all of them would make another one fail as that starts a thread.
 */
Test(spawn, a_bot_that_must_fit_waits_for_the_threads_of_others)
{
    const char *const argv[] = {"cat", NULL};
    const char *folder = make_folder();
    struct sandbox *sandbox = open_sandbox();
    struct sandbox_command command = {
        .folder = folder, .argv = argv, .executable_fd = -1, .cpu = -1, .must_fit = true};
    struct sandbox_child large = {0}, small = {0};
    struct sandbox_failure failure = {0};

    sandbox->home.task_count = 512 + 194 + 130;
    command.limits.process_count = 64;
    cr_assert_eq(sandbox_spawn(sandbox, &command, &large, &failure), 0, "%s", failure.step);
    command.limits.process_count = 1;
    cr_expect_eq(sandbox_spawn(sandbox, &command, &small, &failure), -EAGAIN);
    cr_expect_str_eq(failure.step, "the processes and threads that all bots may have");
    sandbox->home.task_count++;
    cr_expect_eq(sandbox_spawn(sandbox, &command, &small, &failure), 0, "%s", failure.step);
    sandbox_child_finish(&small);
    sandbox_child_finish(&large);
    sandbox_destroy(sandbox);
    remove_folder(folder);
}
