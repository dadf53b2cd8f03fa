/* SPDX-License-Identifier: MIT */
/*
 * Hostile programs against the sandbox: a row per attack, with how it must end and what it must
 * print. The programs are in attacks/. Runs as the user who starts the tests and, if that is root,
 * again as an ordinary user.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/calls.h"
#include "tests/hostile/stage.h"
#include "tests/sandbox/confined.h"

enum {
    MEMORY_BYTES = 96 << 20,
    SCRATCH_BYTES = 1 << 20,
    LIMIT_MS = 240000, /* on a machine that is busy; who is to be ended ends long before */
    SHORT_MS = 300,
    LEAVING_MS = 60000,
};

/* What a row needs beyond the default. */
enum needs {
    NEEDS_NOTHING = 0,
    NEEDS_SCRATCH = 1 << 0,
    NEEDS_PROCESSES = 1 << 1,
    NEEDS_CPU_LIMIT = 1 << 2,
    NEEDS_KILLING = 1 << 3, /* it does not end by itself */
    NEEDS_FULL = 1 << 4,    /* the lite tier does not hold this: docs/sandbox.md says so */
    NEEDS_WATCH = 1 << 5,   /* nothing fails: the watch kills */
};

struct row {
    const char *attack; /* of the attack program */
    enum sandbox_end end;
    int value;           /* status, or the signal of SIGNALED */
    const char *call;    /* of FORBIDDEN */
    const char *answers; /* word by word, "|" between alternatives; one with "*" stands for all */
    unsigned needs;
};

#define EXITED(attack, answers)                                                                    \
    {                                                                                              \
        attack, SANDBOX_END_EXITED, 0, NULL, answers, 0                                            \
    }
#define EXITED_WITH(attack, answers, needs)                                                        \
    {                                                                                              \
        attack, SANDBOX_END_EXITED, 0, NULL, answers, needs                                        \
    }
#define FORBIDDEN(attack, call)                                                                    \
    {                                                                                              \
        attack, SANDBOX_END_FORBIDDEN, 0, call, "", 0                                              \
    }
#define SIGNALED(attack, signal)                                                                   \
    {                                                                                              \
        attack, SANDBOX_END_SIGNALED, signal, NULL, "", 0                                          \
    }
#define KILLED(attack)                                                                             \
    {                                                                                              \
        attack, SANDBOX_END_KILLED, 0, NULL, NULL, NEEDS_KILLING                                   \
    }
/* Killed for memory if a cgroup counts it, else an allocation fails. */
#define BOMB(attack, answers)                                                                      \
    {                                                                                              \
        attack, SANDBOX_END_MEMORY, 0, NULL, answers, 0                                            \
    }

/* One row per attack. */
/* clang-format off */
static const struct row rows[] = {
    /* Processes and threads. */
    EXITED("fork", "EPERM"),
    EXITED("vfork", "EPERM"),
    EXITED("clone-process", "EPERM"),
    EXITED("clone3", "ENOSYS"),
    EXITED("clone-namespace", "EPERM"),
    EXITED("clone-brother", "EPERM"),
    EXITED_WITH("clone-brother", "EPERM", NEEDS_PROCESSES), /* the arena's child, for ever */
    EXITED("clone-pidfd", "EPERM EPERM"),
    EXITED_WITH("clone-pidfd", "EPERM EPERM", NEEDS_PROCESSES),
    EXITED("fork-bomb", "EPERM few"),
    EXITED_WITH("fork-bomb", "EAGAIN few", NEEDS_PROCESSES),
    EXITED_WITH("thread-bomb", "EAGAIN few", NEEDS_FULL),
    EXITED("setsid", "EPERM"),
    EXITED("setpgid", "EPERM"),
    EXITED_WITH("setsid", "EPERM", NEEDS_PROCESSES),
    EXITED_WITH("setpgid", "EPERM", NEEDS_PROCESSES),
    EXITED_WITH("daemon", "left a daemon", NEEDS_PROCESSES),
    EXITED_WITH("clone-namespace", "EPERM", NEEDS_PROCESSES),
    EXITED("affinity", "EPERM"),
    EXITED("priority", "EPERM"),
    EXITED("real-time", "EPERM"),
    EXITED("raise-limits", "none"),
    EXITED("core-limit", "1 1"), /* 0 does not stop a core that is piped to a program */
    EXITED_WITH("core-limit", "1 1", NEEDS_PROCESSES),
    EXITED("change-core-limit", "done done done 1 1"),
    EXITED_WITH("change-core-limit", "done done done 1 1", NEEDS_PROCESSES),
    EXITED("limit-another", "EPERM"),
    EXITED("setuid-root", "EPERM|EINVAL"),
    EXITED("setgid-root", "EPERM|EINVAL"),
    EXITED("who", "nobody"),
    EXITED("exec-setuid", "nobody|EACCES"),
    EXITED("dumpable", "ENOSYS|EINVAL"),
    EXITED("subreaper", "ENOSYS|EINVAL"),
    EXITED("no-pdeathsig", "ENOSYS|EINVAL"),
    EXITED("any-tracer", "ENOSYS|EINVAL"),
    EXITED("count-processes", "alone"),
    EXITED("others-clocks", "none"),

    /* Memory. */
    BOMB("private-bomb", "ENOMEM"),
    BOMB("shared-bomb", "ENOMEM"),
    BOMB("growing-bomb", "ENOMEM"),
    BOMB("heap-bomb", "ENOMEM"),
    {"many-hold", SANDBOX_END_MEMORY, 0, NULL, "bounded", NEEDS_PROCESSES},
    {"many-hold-in-threads", SANDBOX_END_MEMORY, 0, NULL, "bounded", NEEDS_PROCESSES},
    {"many-tables", SANDBOX_END_MEMORY, 0, NULL, "bounded", NEEDS_PROCESSES},
    {"hold-behind-vfork", SANDBOX_END_MEMORY, 0, NULL, "bounded", NEEDS_PROCESSES},
    EXITED_WITH("many-share", "shared", NEEDS_PROCESSES),
    EXITED_WITH("start-while-large", "started", NEEDS_PROCESSES),
    EXITED_WITH("wait-alone", "EPERM EPERM", NEEDS_PROCESSES),
    {"sockets-hold", SANDBOX_END_MEMORY, 0, NULL, "bounded", NEEDS_PROCESSES},
    {"sockets-hold-without-first-thread", SANDBOX_END_MEMORY, 0, NULL, "bounded", NEEDS_PROCESSES},
    EXITED("sockets-of-one", "bounded"),
    {"hold-read-only", SANDBOX_END_MEMORY, 0, NULL, "bounded", NEEDS_WATCH},
    {"hold-under-a-name", SANDBOX_END_MEMORY, 0, NULL, "bounded", NEEDS_WATCH},
    {"hold-without-first-thread", SANDBOX_END_MEMORY, 0, NULL, "bounded", NEEDS_WATCH},
    {"hold-under-a-name", SANDBOX_END_MEMORY, 0, NULL, "bounded", NEEDS_PROCESSES},
    {"hold-without-first-thread", SANDBOX_END_MEMORY, 0, NULL, "bounded", NEEDS_PROCESSES},
    {"many-threads", SANDBOX_END_MEMORY, 0, NULL, "bounded", NEEDS_WATCH},
    EXITED("memfd-bomb", "ENOSYS"),
    EXITED("secret-bomb", "ENOSYS"),
    EXITED("segment-bomb", "ENOSYS"),
    {"table-bomb", SANDBOX_END_MEMORY, 0, NULL, "bounded", NEEDS_WATCH},
    EXITED("pipe-bomb", "EMFILE few"),
    EXITED("watch-bomb", "ENOSPC bounded"),
    SIGNALED("stack-overflow", 11),
    EXITED("mlock", "EPERM"),
    EXITED("mincore", "EPERM"),
    EXITED("huge-pages", "ENOMEM"),
    EXITED("promises", "few"),

    /* Files. */
    EXITED("read-secrets", "EACCES|ENOENT*"),
    EXITED("read-neighbours", "EACCES|ENOENT*"),
    EXITED("read-machine", "EACCES|ENOENT*"),
    EXITED("read-keeper", "EACCES|ENOENT|EPERM*"),
    EXITED("write-memory-file", "EROFS"),
    EXITED("overwrite-keeper", "EROFS"),
    EXITED("write-everywhere", "EROFS*"),
    EXITED("temporary-file", "EROFS"),
    EXITED("change-folder", "EPERM|EROFS*"),
    EXITED_WITH("write-everywhere",
                "EACCES|EROFS|ENOENT EACCES|EROFS|ENOENT EACCES|EROFS|ENOENT "
                "/tmp/own done EACCES|EROFS|ENOENT EACCES|EROFS|ENOENT EACCES|EROFS|ENOENT",
                NEEDS_SCRATCH),
    EXITED_WITH("change-folder", "EACCES|EROFS|EPERM|EXDEV|ENOENT*", NEEDS_SCRATCH),
    EXITED_WITH("fill-scratch", "ENOSPC|EFBIG bounded", NEEDS_SCRATCH),
    EXITED_WITH("many-files", "ENOSPC bounded", NEEDS_SCRATCH),
    EXITED_WITH("sparse-file", "EFBIG", NEEDS_SCRATCH),
    {"sparse-file-kills", SANDBOX_END_SIGNALED, 25, NULL, "", NEEDS_SCRATCH},
    EXITED_WITH("link-to-secrets", "done|EACCES EACCES|ENOENT EXDEV|EACCES|EPERM", NEEDS_SCRATCH),
    EXITED_WITH("run-written", "EACCES", NEEDS_SCRATCH),
    EXITED("open-until-full", "EMFILE few"),
    EXITED("list-descriptors", "0 1 2"),
    EXITED("lock-shared", "EPERM|ENOSYS*"),
    EXITED("pipe-signals", "done ENOSYS|EINVAL ENOSYS|EINVAL ENOSYS|EINVAL"),
    EXITED_WITH("leave-root", "done top ENOENT|EACCES ENOENT|EACCES", NEEDS_FULL),

    /* Signals, time and output. */
    EXITED("kill-1", "alive|EPERM"),
    EXITED("stop-1", "alive"),
    EXITED("kill-all", "alive"),
    EXITED("tkill", "EPERM"),
    EXITED("sigqueue", "EPERM"),
    KILLED("stop-self"),
    SIGNALED("abort", 6),
    SIGNALED("sigterm", 15),
    SIGNALED("sigkill", 9),
    SIGNALED("segfault", 11),
    SIGNALED("divide", 8),
    SIGNALED("trap", 4),
    {"exit-7", SANDBOX_END_EXITED, 7, NULL, "", 0},
    EXITED("alarm-storm", "done"),
    EXITED("timer-bomb", "EPERM"),
    EXITED("wake-itself", "EPERM EPERM EPERM done"),
    EXITED_WITH("wake-itself", "EPERM EPERM EPERM done", NEEDS_PROCESSES),
    EXITED("queue-to-itself", "done|EAGAIN"),
    KILLED("sleep"),
    KILLED("burn"),
    {"burn", SANDBOX_END_CPU, 0, NULL, "", NEEDS_CPU_LIMIT},
    {"burn-on", SANDBOX_END_CPU, 0, NULL, "", NEEDS_CPU_LIMIT},
    KILLED("flood"),
    KILLED("flood-errors"),
    KILLED("close-output"),

    /* Its neighbors. */
    EXITED("page-counts", "EACCES|ENOENT*"),
    EXITED_WITH("page-counts", "EACCES|ENOENT*", NEEDS_PROCESSES),
    EXITED("network-tables", "EACCES|ENOENT*"),
    EXITED_WITH("network-tables", "EACCES|ENOENT*", NEEDS_PROCESSES),
    EXITED_WITH("count-links", "done own", NEEDS_FULL),
    EXITED_WITH("runtime-files", "done*", NEEDS_FULL),
    EXITED("wake-at-file", "EPERM*"),
    EXITED_WITH("wake-at-file", "EPERM*", NEEDS_PROCESSES),
    EXITED("wait-shared", "ETIMEDOUT done"),
    EXITED("wait-for-many", "EPERM"),
    EXITED("machine-counts", "done alone its limit EFAULT"),
    EXITED_WITH("machine-counts", "done alone its limit EFAULT", NEEDS_PROCESSES),
    FORBIDDEN("machine-counts-for-ever", "sysinfo"),
    EXITED("move-pages", "done done done done EINVAL ENOSYS|EINVAL done done ENOSYS ENOSYS"),
    EXITED("socket-numbers", "done ENOSYS ENOSYS ENOSYS"),
    EXITED("interrupt-others", "EINVAL EINVAL EINVAL done done"),
    EXITED("keep-ids", "done done done done done EPERM|EINVAL EPERM"),

    /* The kernel. */
    EXITED("sockets", "EPERM*"),
    EXITED("datagram-pair", "EPERM|ENOSYS*"),
    EXITED("addressed-send", "done EPERM EPERM EPERM"),
    EXITED("urgent-bytes", "done EPERM EPERM EPERM done"),
    EXITED("pass-descriptors", "done EPERM"),
    FORBIDDEN("trace-me", "ptrace"),
    FORBIDDEN("trace-1", "ptrace"),
    FORBIDDEN("read-memory", "process_vm_readv"),
    FORBIDDEN("mount", "mount"),
    EXITED("own-filter", "ENOSYS ENOSYS|EINVAL"),
    EXITED("own-landlock", "ENOSYS"),
    EXITED("io-uring", "ENOSYS"),
    EXITED("openat2", "ENOSYS*"),
    EXITED("tiocsti", "ENOSYS|ENOTTY*"),
    EXITED("personality", "EPERM"),
    EXITED("shared-keys", "ENOSYS*"),
    FORBIDDEN("int80", NULL),
    FORBIDDEN("x32", NULL),
    EXITED("unknown-call", "ENOSYS"),
};
/* clang-format on */

static bool is_among(const char *word, size_t length, const char *alternatives, size_t room)
{
    while (room > 0) {
        const char *bar = memchr(alternatives, '|', room);
        size_t span = bar ? (size_t)(bar - alternatives) : room;

        if (span == length && memcmp(word, alternatives, span) == 0)
            return true;
        if (!bar)
            return false;
        alternatives += span + 1;
        room -= span + 1;
    }
    return false;
}

/* True if the output matches the pattern, word by word. */
static bool answers_match(const char *answers, const char *output)
{
    bool all = *answers && answers[strlen(answers) - 1] == '*';
    size_t word_count = 0;

    for (;;) {
        size_t length, room;

        output += strspn(output, " \n");
        length = strcspn(output, " \n");
        if (length == 0)
            return all ? word_count > 0 : *answers == '\0';
        room = strcspn(answers, " *");
        if (!is_among(output, length, answers, room))
            return false;
        word_count++;
        output += length;
        if (!all) {
            answers += room;
            answers += strspn(answers, " ");
        }
    }
}

/* True if the kernel has the calls of 32-bit programs: without them int80 is a protection fault. */
static bool has_int80(void)
{
#if defined(__x86_64__)
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        long result;

        signal(SIGSEGV, SIG_DFL);
        __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L /* getpid */) : "memory");
        _exit(0);
    }
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status);
#else
    return true;
#endif
}

static void expect_row(const struct row *row, const struct confined_run *run)
{
    const struct sandbox_verdict *verdict = &run->verdict;
    bool counted = run->layers & SANDBOX_LAYER_CGROUP_MEMORY;
    bool answered = row->answers && answers_match(row->answers, run->output);

    cr_expect_eq(run->spawned, 0, "%s: %s", row->attack, run->failure.step);
    if (row->end == SANDBOX_END_MEMORY) { /* or an allocation that failed */
        bool watched = counted || row->needs & (NEEDS_PROCESSES | NEEDS_WATCH);

        cr_expect((watched && verdict->end == SANDBOX_END_MEMORY) ||
                      (verdict->end == SANDBOX_END_EXITED && answered),
                  "%s: end %d signal %d '%s'", row->attack, verdict->end, verdict->signal,
                  run->output);
        return;
    }
    if (strcmp(row->attack, "int80") == 0 && !has_int80()) {
        cr_expect_eq(verdict->signal, SIGSEGV, "int80: end %d", verdict->end);
        return;
    }
    cr_expect_eq(verdict->end, row->end, "%s: end %d status %d signal %d call %s '%s' %s",
                 row->attack, verdict->end, verdict->status, verdict->signal, verdict->call,
                 run->output, run->errors);
    if (row->end == SANDBOX_END_EXITED)
        cr_expect_eq(verdict->status, row->value, "%s: status %d", row->attack, verdict->status);
    if (row->end == SANDBOX_END_SIGNALED)
        cr_expect_eq(verdict->signal, row->value, "%s: signal %d", row->attack, verdict->signal);
    if (row->call)
        cr_expect(verdict->call && strcmp(verdict->call, row->call) == 0, "%s: call %s",
                  row->attack, verdict->call);
    if (row->answers)
        cr_expect(answered, "%s: '%s' is not '%s'", row->attack, run->output, row->answers);
}

static void run_row(struct sandbox *sandbox, const struct row *row)
{
    static struct confined_run run;
    const char *const argv[] = {stage_program, row->attack, NULL};
    const struct sandbox_command command = {
        .folder = stage_folder,
        .argv = argv,
        .executable_fd = -1,
        .cpu = -1,
        .limits = {.memory_bytes = MEMORY_BYTES,
                   .cpu_s = row->needs & NEEDS_CPU_LIMIT ? 1 : 0,
                   .process_count = row->needs & NEEDS_PROCESSES ? 8 : 1,
                   .scratch_bytes = row->needs & NEEDS_SCRATCH ? SCRATCH_BYTES : 0}};

    confined_run(sandbox, &command, NULL, row->needs & NEEDS_KILLING ? SHORT_MS : LIMIT_MS, &run);
    expect_row(row, &run);
}

static void run_rows(bool ordinary, enum sandbox_tier at_most)
{
    struct sandbox *sandbox;
    int descriptor_count, mount_count, left;

    stage_lay(ordinary);
    descriptor_count = confined_count_descriptors();
    mount_count = stage_count_mounts();
    sandbox = confined_open(at_most);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (sandbox_tier(sandbox) < SANDBOX_TIER_FULL &&
            (rows[i].needs & (NEEDS_SCRATCH | NEEDS_PROCESSES | NEEDS_FULL)))
            continue; /* scratch and processes are refused there: see tests/sandbox */
        run_row(sandbox, &rows[i]);
        left = stage_await_none(LEAVING_MS); /* some have much to give back */
        cr_expect_eq(left, 0, "%s left %d processes", rows[i].attack, left);
    }
    sandbox_destroy(sandbox);
    cr_expect_eq(waitpid(-1, NULL, WNOHANG | __WALL), -1, "a child is left");
    cr_expect_eq(confined_count_descriptors(), descriptor_count, "descriptors are left");
    /* Fewer there may be: what another program mounted before goes here, too, with its folder. */
    cr_expect_leq(stage_count_mounts(), mount_count, "mounts are left: %d were there", mount_count);
    stage_remove();
}

Test(hostile, each_attack_is_expected_to_end_somehow)
{
    FILE *missing =
        popen("for name in $(" ATTACK_PROGRAM " names); do"
              "    grep -qF \"\\\"$name\\\"\" " HOSTILE_TESTS "/*.c || echo $name; done",
              "r");
    char name[64];

    cr_assert_not_null(missing);
    while (fgets(name, sizeof name, missing))
        cr_expect(false, "attack %.*s: add a row to tests/hostile/observe.c",
                  (int)strcspn(name, "\n"), name);
    cr_expect_eq(pclose(missing), 0);
}

Test(hostile, as_started, .timeout = 900)
{
    run_rows(false, SANDBOX_TIER_FULL_CG);
}

Test(hostile, without_control_groups, .timeout = 900)
{
    run_rows(false, SANDBOX_TIER_FULL);
}

Test(hostile, as_an_ordinary_user, .timeout = 900)
{
    run_rows(true, SANDBOX_TIER_FULL_CG);
}

Test(hostile, in_the_lite_tier, .timeout = 900)
{
    run_rows(false, SANDBOX_TIER_LITE);
}

Test(hostile, in_the_lite_tier_as_an_ordinary_user, .timeout = 900)
{
    run_rows(true, SANDBOX_TIER_LITE);
}

/*
 * Every call of the table that is not allowed, with arguments 0: refused, or reported and killed.
 */
Test(hostile, every_call_not_allowed, .timeout = 900)
{
    struct sandbox *sandbox;
    size_t count;
    const struct call *calls = call_table(&count);

    stage_lay(false);
    sandbox = confined_open(SANDBOX_TIER_FULL_CG);
    for (size_t i = 0; i < count; i++) {
        static struct confined_run run;
        char number[16];
        const char *const argv[] = {stage_program, "call", number, NULL};
        const struct sandbox_command command = {
            .folder = stage_folder, .argv = argv, .executable_fd = -1, .cpu = -1};

        if (calls[i].number < 0 || calls[i].ruling == CALL_ALLOWED ||
            calls[i].ruling == CALL_TESTED || calls[i].ruling == CALL_IGNORED ||
            calls[i].ruling == CALL_ANSWERED)
            continue;
        snprintf(number, sizeof number, "%d", calls[i].number);
        confined_run(sandbox, &command, NULL, LIMIT_MS, &run);
        if (calls[i].ruling == CALL_FORBIDDEN)
            cr_expect(run.verdict.end == SANDBOX_END_FORBIDDEN && run.verdict.call &&
                          strcmp(run.verdict.call, calls[i].name) == 0,
                      "%s: end %d call %s", calls[i].name, run.verdict.end, run.verdict.call);
        else
            cr_expect_str_eq(run.output,
                             calls[i].ruling == CALL_UNSUPPORTED ? "EOPNOTSUPP\n" : "EPERM\n",
                             "%s: %s", calls[i].name, run.output);
    }
    sandbox_destroy(sandbox);
    stage_remove();
}
