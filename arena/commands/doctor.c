/*
 * arena doctor: finds out what this machine supports. It does not read settings, but tries: it
 * creates the real sandbox, attacks the sandbox from inside, and makes every installed runtime echo
 * a thousand lines.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/doctor.h"
#include "arena/commands/probe.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"
#include "sandbox/calls.h"

enum {
    LINE_COUNT = 1000,
    LIMIT_MS = 20000,
    START_COUNT = 20,
    MEMORY_TRIED_MIB = 64,
    TEXT_BYTES_MAX = 512,
    ATTEMPT_ARGUMENTS_MAX = 6,
    FOLDER_BYTES = 32,
    PATIENCE_MS = 10000, /* longest wait until a bot has used processor time, on a busy machine */
    SETTLE_MS = 100,     /* time that a stop may take to reach another core */
    STOPPED_MS = 300,
    USED_US_MAX = 1000,
};

struct doctor {
    struct sandbox *sandbox;
    char folder[FOLDER_BYTES];              /* folder of the bot that makes the attempts */
    int attempt_fd;                         /* descriptor of the program attempt.c */
    struct probe_message lines[LINE_COUNT]; /* the lines that each runtime must echo */
    struct doctor_report report;
};

/* ---- the report ---- */

static const char *const result_names[REPORT_RESULTS] = {"PASS", "DEGRADED", "FAIL", "NOTE"};

static void doctor_report_init(struct doctor_report *report, bool as_json)
{
    *report = (struct doctor_report){.checks = as_json ? json_array() : NULL};
}

static void doctor_report_finish(struct doctor_report *report)
{
    json_decref(report->checks);
    report->checks = NULL;
}

void doctor_report_add(struct doctor_report *report, enum report_result result, const char *layer,
                       const char *tried, const char *came_back, const char *mend)
{
    report->counts[result]++;
    if (result == REPORT_PASS)
        mend = "";
    if (report->checks)
        json_array_append_new(report->checks,
                              json_pack("{s:s, s:s, s:s, s:s, s:s}", "result", result_names[result],
                                        "layer", layer, "tried", tried, "came_back", came_back,
                                        "mend", mend));
    else
        plain_text_printf(stdout, "%-8s  %-14s  %s: %s%s%s\n", result_names[result], layer, tried,
                          came_back, *mend ? "; fix: " : "", mend);
}

static const char *tier_name(enum sandbox_tier tier)
{
    switch (tier) {
    case SANDBOX_TIER_NONE:
        return "none";
    case SANDBOX_TIER_LITE:
        return "lite";
    case SANDBOX_TIER_FULL:
        return "full";
    case SANDBOX_TIER_FULL_CG:
        return "full, with control groups";
    }
    return "";
}

static void print_end(const struct doctor_report *report, enum sandbox_tier tier)
{
    if (report->checks) {
        json_t *whole = json_pack("{s:s, s:O}", "tier", tier_name(tier), "checks", report->checks);

        json_dumpf(whole, stdout, JSON_INDENT(1));
        putchar('\n');
        json_decref(whole);
    } else {
        plain_text_printf(stdout, "\ntier: %s; %d passed, %d degraded, %d failed\n",
                          tier_name(tier), report->counts[REPORT_PASS],
                          report->counts[REPORT_DEGRADED], report->counts[REPORT_FAIL]);
    }
}

/* ---- the folder of the bot that makes the attempts ---- */

#define ECHO_JAVA                                                                                  \
    "import java.io.*; public class Echo { public static void main(String[] a) throws "            \
    "Exception { BufferedReader in = new BufferedReader(new InputStreamReader(System.in)); "       \
    "for (String l; (l = in.readLine()) != null;) { System.out.print(l + \"\\n\"); "               \
    "System.out.flush(); } } }\n"

/* Creates the folder and writes its path. Returns false, with errno set, on failure. */
static bool lay_folder(char folder[static FOLDER_BYTES])
{
    char path[64];
    FILE *file;

    strcpy(folder, "/tmp/doctor-XXXXXX");
    if (!mkdtemp(folder) || chmod(folder, 0755) < 0)
        return false;
    snprintf(path, sizeof path, "%s/Echo.java", folder);
    file = fopen(path, "we");
    if (!file)
        return false;
    fputs(ECHO_JAVA, file);
    fclose(file);
    return chmod(path, 0644) == 0;
}

static void remove_folder(const char *folder)
{
    char path[64];

    snprintf(path, sizeof path, "%s/Echo.java", folder);
    unlink(path);
    rmdir(folder);
}

/* ---- layers ---- */

/* clang-format off */
static const struct {
    uint32_t layer;
    const char *tried;
    const char *mend;
} layers[] = {
    {SANDBOX_LAYER_NO_NEW_PRIVS, "set no_new_privs", "a kernel of 3.5 or later"},
    {SANDBOX_LAYER_SECCOMP, "load the filter of system calls", "a kernel with CONFIG_SECCOMP_FILTER"},
    {SANDBOX_LAYER_NOTIFY, "be notified of forbidden calls", "a kernel of 5.0 or later; the calls are refused anyway"},
    {SANDBOX_LAYER_RLIMITS, "set every limit", ""},
    {SANDBOX_LAYER_CAPS, "drop all capabilities", ""},
    {SANDBOX_LAYER_LANDLOCK_FS, "restrict files by Landlock", "a kernel of 5.13 or later with landlock in its lsm= list"},
    {SANDBOX_LAYER_LANDLOCK_NET, "restrict TCP by Landlock", "a kernel of 6.7 or later; sockets are refused anyway"},
    {SANDBOX_LAYER_LANDLOCK_SCOPE, "restrict signals by Landlock", "a kernel of 6.12 or later; the filter checks signals anyway"},
    {SANDBOX_LAYER_USER_NS, "make a user namespace and map one id in it", "sysctl user.max_user_namespaces and kernel.unprivileged_userns_clone=1; on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0; in a container --security-opt seccomp=unconfined, or start as root"},
    {SANDBOX_LAYER_PID_NS, "make a PID namespace", "as for user_ns"},
    {SANDBOX_LAYER_MOUNT_NS, "make a mount namespace", "as for user_ns"},
    {SANDBOX_LAYER_IPC_NS, "make an IPC namespace", "as for user_ns"},
    {SANDBOX_LAYER_UTS_NS, "make a UTS namespace", "as for user_ns"},
    {SANDBOX_LAYER_CGROUP_NS, "make a cgroup namespace", "as for user_ns"},
    {SANDBOX_LAYER_NET_NS, "make an empty network", "as for user_ns, and sysctl user.max_net_namespaces; sockets are refused anyway"},
    {SANDBOX_LAYER_ROOT, "build a root of read-only binds and pivot into it", "as for user_ns; mounts must be allowed there, which AppArmor may forbid"},
    {SANDBOX_LAYER_PROC, "mount /proc with subset=pid", "a container that does not mask its own /proc; without it Java does not start"},
    {SANDBOX_LAYER_CGROUP_MEMORY, "count memory in a control group", "start in a delegated group: systemd-run --user --scope -p Delegate=yes arena ..., or as root; without it RLIMIT_DATA and a watch limit memory"},
    {SANDBOX_LAYER_CGROUP_PIDS, "count processes in a control group", "the same as for cgroup_memory; without it RLIMIT_NPROC limits processes"},
};
/* clang-format on */

static void check_layers(struct doctor *doctor, uint32_t held)
{
    struct sandbox_failure shortfall = sandbox_shortfall(doctor->sandbox);
    char not_held[TEXT_BYTES_MAX] = "unavailable";

    if (shortfall.step)
        snprintf(not_held, sizeof not_held, "unavailable (%s: %s)", shortfall.step,
                 strerror(shortfall.error));
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        bool holds = held & layers[i].layer;

        doctor_report_add(&doctor->report, holds ? REPORT_PASS : REPORT_DEGRADED,
                          sandbox_layer_name(layers[i].layer), layers[i].tried,
                          holds ? "done" : not_held, layers[i].mend);
    }
    if (geteuid() != 0)
        doctor_report_add(&doctor->report, REPORT_PASS, sandbox_layer_name(SANDBOX_LAYER_UID),
                          "run bots as an ordinary user", "the arena is not root", "");
    else
        doctor_report_add(&doctor->report, held & SANDBOX_LAYER_UID ? REPORT_PASS : REPORT_FAIL,
                          sandbox_layer_name(SANDBOX_LAYER_UID), "give each bot an unprivileged id",
                          held & SANDBOX_LAYER_UID ? "done" : "not done",
                          "start the arena as an ordinary user");
}

/* ---- attacks ---- */

/*
 * Landlock refuses a path with EACCES; a path that is not in the bot's root fails with ENOENT. The
 * first row must succeed: this proves that the attempts pass paths to the kernel correctly.
 */
#define SUCCESS     "success"
#define NOT_IN_ROOT "not in the root"
#define OF_PROC     "of /proc"

/* clang-format off */
static const struct {
    const char *layer;
    const char *tried;
    long number;
    const char *arguments[ATTEMPT_ARGUMENTS_MAX];
    const char *expected; /* an errno name, "forbidden", or one of the macros above */
} attacks[] = {
    {"landlock_fs", "read a file of its own", SYS_openat, {"-100", "@Echo.java", "0"}, SUCCESS},
    {"seccomp", "start a second process", SYS_clone, {"17"}, "EPERM"},
    {"seccomp", "clone3", SYS_clone3, {"0"}, "ENOSYS"},
    {"seccomp", "open an Internet socket", SYS_socket, {"2", "1"}, "EPERM"},
    {"seccomp", "open a netlink socket", SYS_socket, {"16", "3"}, "EPERM"},
    {"seccomp", "set up io_uring", SYS_io_uring_setup, {"8"}, "ENOSYS"},
    {"seccomp", "make an anonymous file", SYS_memfd_create, {"@x"}, "ENOSYS"},
    {"seccomp", "make a user namespace", SYS_unshare, {"268435456"}, "forbidden"},
    {"seccomp", "trace a process", SYS_ptrace, {"16", "1"}, "forbidden"},
    {"seccomp", "mount a file system", SYS_mount, {"@none", "@/", "@tmpfs"}, "forbidden"},
    {"seccomp", "load a kernel program", SYS_bpf, {"0"}, "forbidden"},
    {"seccomp", "reach for a keyring", SYS_keyctl, {"0", "-3"}, "forbidden"},
    {"seccomp", "leave its core", SYS_sched_setaffinity, {"0", "8", "@xxxxxxxx"}, "EPERM"},
    {"seccomp", "write a file into its folder", SYS_openat, {"-100", "@own", "65", "420"}, "EROFS"},
    {"landlock_fs", "read the list of users", SYS_openat, {"-100", "@/etc/passwd", "0"}, NOT_IN_ROOT},
    {"landlock_fs", "list the root", SYS_openat, {"-100", "@/", "65536"}, "EACCES"},
    {"landlock_fs", "list /tmp", SYS_openat, {"-100", "@/tmp", "65536"}, "EACCES"},
    {"landlock_fs", "list /var", SYS_openat, {"-100", "@/var", "65536"}, NOT_IN_ROOT},
    {"landlock_fs", "read /proc/loadavg", SYS_openat, {"-100", "@/proc/loadavg", "0"}, NOT_IN_ROOT},
    {"landlock_fs", "find out which pages of memory other processes use", SYS_openat, {"-100", "@/proc/self/pagemap", "0"}, OF_PROC},
    {"landlock_fs", "list the sockets of its network", SYS_openat, {"-100", "@/proc/self/net/unix", "0"}, OF_PROC},
    {"seccomp", "wake others at a page of a file", SYS_futex, {"@x", "1", "1"}, "EPERM"},
    {"seccomp", "signal SIGCONT, which undoes a stop", SYS_kill, {"0", "18"}, "EPERM"},
    {"seccomp", "make a timer that signals SIGCONT", SYS_timer_create, {"1", "@x"}, "EPERM"},
    {"uid", "become root", SYS_setuid, {"0"}, "EPERM EINVAL"},
};
/* clang-format on */

/* Returns the name of the errno with which an attempt must fail if the layers `held` are active. */
static const char *denial(const char *expected, uint32_t held)
{
    bool rooted = held & SANDBOX_LAYER_ROOT;

    if (strcmp(expected, NOT_IN_ROOT) == 0)
        return rooted ? "ENOENT" : "EACCES";
    if (strcmp(expected, OF_PROC) == 0)
        return rooted && !(held & SANDBOX_LAYER_PROC) ? "ENOENT" : "EACCES";
    return expected;
}

static bool is_expected(const struct probe *probe, const char *expected)
{
    const char *name;

    expected = denial(expected, probe->layers);
    if (probe->verdict.end == SANDBOX_END_FORBIDDEN)
        return strcmp(expected, "forbidden") == 0;
    if (probe->verdict.end != SANDBOX_END_EXITED)
        return false;
    if (probe->verdict.status == 0)
        return strcmp(expected, SUCCESS) == 0;
    name = strerrorname_np(probe->verdict.status);
    return name && strstr(expected, name);
}

static int attempt_with(struct doctor *doctor, const char *const *argv,
                        const struct sandbox_limits *limits, struct probe *probe)
{
    const struct sandbox_command command = {.folder = doctor->folder,
                                            .argv = argv,
                                            .executable_fd = doctor->attempt_fd,
                                            .cpu = -1,
                                            .limits = *limits};

    return probe_run(doctor->sandbox, &command, NULL, 0, LIMIT_MS, probe);
}

static int attempt(struct doctor *doctor, const char *const *argv, struct probe *probe)
{
    return attempt_with(doctor, argv, &(struct sandbox_limits){0}, probe);
}

/* Writes the result of an attempt: the name of its errno, or how the process ended. */
static void describe_attempt(const struct probe *probe, char *text, size_t capacity)
{
    if (probe->verdict.end != SANDBOX_END_EXITED)
        probe_describe(probe, text, capacity);
    else if (probe->verdict.status == 0)
        snprintf(text, capacity, "it succeeded");
    else
        snprintf(text, capacity, "%s", strerrorname_np(probe->verdict.status));
}

static void check_attacks(struct doctor *doctor)
{
    for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++) {
        const char *argv[4 + ATTEMPT_ARGUMENTS_MAX] = {"attempt", "call"};
        char number[16], came_back[TEXT_BYTES_MAX];
        struct probe probe;

        snprintf(number, sizeof number, "%ld", attacks[i].number);
        argv[2] = number;
        for (int j = 0; j < ATTEMPT_ARGUMENTS_MAX; j++)
            argv[3 + j] = attacks[i].arguments[j];
        if (attempt(doctor, argv, &probe) < 0) {
            doctor_report_add(&doctor->report, REPORT_FAIL, attacks[i].layer, attacks[i].tried,
                              probe.failure.step, strerror(probe.failure.error));
            continue;
        }
        describe_attempt(&probe, came_back, sizeof came_back);
        doctor_report_add(&doctor->report,
                          is_expected(&probe, attacks[i].expected) ? REPORT_PASS : REPORT_FAIL,
                          attacks[i].layer, attacks[i].tried, came_back,
                          "this is a security hole: do not run untrusted bots here");
    }
}

static void check_memory(struct doctor *doctor, const char *tried, const char *const *argv,
                         int process_count)
{
    const struct sandbox_limits limits = {.memory_bytes = (int64_t)MEMORY_TRIED_MIB << 20,
                                          .process_count = process_count};
    char came_back[TEXT_BYTES_MAX];
    struct probe probe;
    bool stopped;

    if (attempt_with(doctor, argv, &limits, &probe) < 0) {
        doctor_report_add(&doctor->report, REPORT_FAIL, "memory", tried, probe.failure.step,
                          strerror(probe.failure.error));
        return;
    }
    stopped = probe.verdict.end == SANDBOX_END_MEMORY ||
              (probe.verdict.end == SANDBOX_END_EXITED && probe.verdict.status == ENOMEM);
    describe_attempt(&probe, came_back, sizeof came_back);
    doctor_report_add(&doctor->report, stopped ? REPORT_PASS : REPORT_FAIL, "memory", tried,
                      came_back, "give the arena a control group for memory: see cgroup_memory");
}

/* Runs a test of a layer, whose program exits with 0 if the layer works, and reports the result. */
static void check_held(struct doctor *doctor, const char *layer, const char *tried,
                       const char *const *argv, enum report_result otherwise, const char *mend)
{
    const struct sandbox_limits limits = {.memory_bytes = (int64_t)MEMORY_TRIED_MIB << 20};
    char came_back[TEXT_BYTES_MAX] = "it was not started";
    struct probe probe;
    bool held = attempt_with(doctor, argv, &limits, &probe) == 0;

    if (held) {
        held = probe.verdict.end == SANDBOX_END_EXITED && probe.verdict.status == 0;
        describe_attempt(&probe, came_back, sizeof came_back);
    }
    doctor_report_add(&doctor->report, held ? REPORT_PASS : otherwise, layer, tried,
                      held ? "refused, or answered by the arena" : came_back, mend);
}

static void rest(struct sandbox_child *child, int ms)
{
    sandbox_child_notified(child);
    sandbox_child_watch(child);
    poll(NULL, 0, ms);
}

/*
 * Starts a command whose processes use processor time without end, freezes them, and measures how
 * much time the first process still uses. Returns true if that is almost none. Writes the measured
 * time or the error to words.
 */
static bool stop_holds(struct sandbox *sandbox, const struct sandbox_command *command, char *words,
                       size_t capacity)
{
    struct sandbox_failure failure = {0};
    struct sandbox_child child;
    int64_t used_us = 0;
    int result = sandbox_spawn(sandbox, command, &child, &failure);

    if (result < 0) {
        snprintf(words, capacity, "%s: %s", failure.step, strerror(failure.error));
        return false;
    }
    for (int waited_ms = 0; waited_ms < PATIENCE_MS && sandbox_child_cpu_us(&child) < USED_US_MAX;
         waited_ms++)
        rest(&child, 1);
    result = sandbox_child_freeze(&child, true);
    rest(&child, SETTLE_MS);
    used_us = -sandbox_child_cpu_us(&child);
    for (int waited_ms = 0; waited_ms < STOPPED_MS; waited_ms += SETTLE_MS / 2)
        rest(&child, SETTLE_MS / 2);
    used_us += sandbox_child_cpu_us(&child);
    if (result == 0)
        result = sandbox_child_freeze(&child, false);
    sandbox_child_finish(&child);
    if (result < 0)
        snprintf(words, capacity, "%s", strerror(-result));
    else
        snprintf(words, capacity, "it used %" PRId64 " us", used_us);
    return result == 0 && used_us < USED_US_MAX;
}

static void check_stop(struct doctor *doctor, const char *tried, const char *const *argv,
                       int process_count)
{
    const struct sandbox_command command = {.folder = doctor->folder,
                                            .argv = argv,
                                            .executable_fd = doctor->attempt_fd,
                                            .cpu = -1,
                                            .limits = {.process_count = process_count}};
    char came_back[TEXT_BYTES_MAX];
    bool held = stop_holds(doctor->sandbox, &command, came_back, sizeof came_back);

    doctor_report_add(&doctor->report, held ? REPORT_PASS : REPORT_FAIL, "freeze", tried, came_back,
                      "play without --freeze here, bots one at a time on a core each: --pin");
}

/* Runs the tests for which a single system call is not enough. */
static void check_verbs(struct doctor *doctor, bool several)
{
    static const char *const verbs[][5] = {
        {"attempt", "core"},      {"attempt", "counts", "64"},     {"attempt", "touch", "128"},
        {"attempt", "burn", "1"}, {"attempt", "touch", "48", "2"}, {"attempt", "burn", "2"}};

    check_held(doctor, "rlimits", "have the kernel pipe its core to a program", verbs[0],
               REPORT_FAIL, "this is a security hole: do not run untrusted bots here");
    check_held(doctor, "notify", "learn how much memory the machine has", verbs[1], REPORT_DEGRADED,
               "a kernel of 5.0 or later, and sysctl kernel.yama.ptrace_scope of 0 or 1");
    check_memory(doctor, "use twice its memory", verbs[2], 1);
    check_stop(doctor, "run while it is stopped", verbs[3], 1);
    if (!several)
        return;
    check_memory(doctor, "use more than its memory in two processes", verbs[4], 2);
    check_stop(doctor, "run in two processes while they are stopped", verbs[5], 2);
}

/* ---- runtimes ---- */

/* clang-format off */
static const char *const runtimes[][4] = {
    {"sh", "-c", "while read l; do echo \"$l\"; done"},
    {"python3", "-uc", "import sys\nfor l in sys.stdin: sys.stdout.write(l)"},
    {"perl", "-e", "$| = 1; while (<STDIN>) { print }"},
    {"node", "-e", "process.stdin.on('data', d => process.stdout.write(d))"},
    {"lua5.4", "-e", "for l in io.lines() do io.write(l, '\\n') io.flush() end"},
    {"ruby", "-e", "$stdout.sync = true; while l = gets; print l; end"},
    {"php", "-r", "while (($l = fgets(STDIN)) !== false) { echo $l; }"},
    {"java", "Echo.java"},
};
/* clang-format on */

static void check_echo(struct doctor *doctor, const char *name, const char *const *argv,
                       int executable_fd)
{
    const struct sandbox_command command = {
        .folder = doctor->folder, .argv = argv, .executable_fd = executable_fd, .cpu = -1};
    char tried[TEXT_BYTES_MAX], came_back[TEXT_BYTES_MAX], end[128], mend[TEXT_BYTES_MAX];
    struct probe probe;

    snprintf(tried, sizeof tried, "echo %d lines through %s", LINE_COUNT, name);
    if (probe_run(doctor->sandbox, &command, doctor->lines, LINE_COUNT, LIMIT_MS, &probe) < 0) {
        doctor_report_add(&doctor->report, REPORT_FAIL, "runtime", tried, probe.failure.step,
                          strerror(probe.failure.error));
        return;
    }
    if (probe.setup == SANDBOX_SETUP_REFUSED && probe.failure.error == ENOENT)
        return; /* the runtime is not installed */
    probe_describe(&probe, end, sizeof end);
    if (probe.answered_count == LINE_COUNT)
        snprintf(came_back, sizeof came_back, "all came back, in %lld ms",
                 (long long)probe.taken_us / 1000);
    else
        snprintf(came_back, sizeof came_back, "%d came back; %s; %.*s", probe.answered_count, end,
                 (int)strcspn(probe.errors, "\n"), probe.errors);
    snprintf(mend, sizeof mend, "`arena trace` tells which calls %s was refused", name);
    doctor_report_add(&doctor->report,
                      probe.answered_count == LINE_COUNT ? REPORT_PASS : REPORT_DEGRADED, "runtime",
                      tried, came_back, mend);
}

static void check_runtimes(struct doctor *doctor)
{
    static char lines[LINE_COUNT][16];
    const char *const own[] = {"attempt", "echo", NULL};

    for (int i = 0; i < LINE_COUNT; i++) {
        int length = snprintf(lines[i], sizeof lines[i], "line %d\n", i);

        doctor->lines[i] = (struct probe_message){lines[i], (size_t)length, .is_echoed = true};
    }
    check_echo(doctor, "a static program", own, doctor->attempt_fd);
    for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
        check_echo(doctor, runtimes[i][0], runtimes[i], -1);
}

/* ---- starts ---- */

static int compare(const void *left, const void *right)
{
    int64_t difference = *(const int64_t *)left - *(const int64_t *)right;

    return (difference > 0) - (difference < 0);
}

static void check_start(struct doctor *doctor)
{
    const char *const argv[] = {"attempt", "echo", NULL};
    int64_t taken_us[START_COUNT];
    char came_back[TEXT_BYTES_MAX];
    struct probe probe;

    for (int i = 0; i < START_COUNT; i++) {
        if (attempt(doctor, argv, &probe) < 0)
            return;
        taken_us[i] = probe.setup_us;
    }
    qsort(taken_us, START_COUNT, sizeof *taken_us, compare);
    snprintf(came_back, sizeof came_back, "median %lld us, best %lld us",
             (long long)taken_us[START_COUNT / 2], (long long)taken_us[0]);
    doctor_report_add(&doctor->report, REPORT_NOTE, "start", "start 20 bots", came_back, "");
}

/* Tests whether a build process can connect over its own loopback interface. */
static void check_build(struct doctor *doctor)
{
    static const char layer[] = "loopback", tried[] = "talk to itself over TCP in a build";
    const char *const argv[] = {"attempt", "loopback", NULL};
    const struct sandbox_command command = {.folder = doctor->folder,
                                            .argv = argv,
                                            .executable_fd = doctor->attempt_fd,
                                            .cpu = -1,
                                            .profile = SANDBOX_PROFILE_BUILD,
                                            .limits = {.process_count = 2}};
    char came_back[TEXT_BYTES_MAX] = "done";
    struct probe probe;
    bool held;

    if (sandbox_tier(doctor->sandbox) < SANDBOX_TIER_FULL) {
        doctor_report_add(&doctor->report, REPORT_DEGRADED, layer, tried,
                          "nothing is built in this tier", "the full tier: see user_ns and root");
        return;
    }
    held = probe_run(doctor->sandbox, &command, NULL, 0, LIMIT_MS, &probe) == 0;
    if (!held)
        snprintf(came_back, sizeof came_back, "%s: %s", probe.failure.step,
                 strerror(probe.failure.error));
    held = held && probe.verdict.end == SANDBOX_END_EXITED && probe.verdict.status == 0;
    if (!held && probe.verdict.end == SANDBOX_END_EXITED && probe.verdict.status != 0)
        snprintf(came_back, sizeof came_back, "%s", strerrorname_np(probe.verdict.status));
    doctor_report_add(
        &doctor->report, held ? REPORT_PASS : REPORT_DEGRADED, layer, tried, came_back,
        "as for net_ns, and a /proc/sys/net that can be written (a container may mount it "
        "read-only); without it Gradle does not run in a build");
}

static int examine(struct doctor *doctor)
{
    const char *const argv[] = {"attempt", "echo", NULL};
    enum sandbox_tier tier = sandbox_tier(doctor->sandbox);
    struct probe probe;

    if (attempt(doctor, argv, &probe) < 0)
        return command_fail("a bot cannot be confined here: %s: %s", probe.failure.step,
                            strerror(probe.failure.error));
    check_layers(doctor, probe.layers);
    doctor_machine_check(&doctor->report, probe.layers);
    check_attacks(doctor);
    check_verbs(doctor, tier >= SANDBOX_TIER_FULL);
    check_build(doctor);
    check_runtimes(doctor);
    check_start(doctor);
    doctor_machine_note(&doctor->report);
    print_end(&doctor->report, tier);
    return doctor->report.counts[REPORT_FAIL] > 0 || tier < SANDBOX_TIER_LITE ? COMMAND_FAILED
                                                                              : COMMAND_DONE;
}

static int run(bool as_json)
{
    const struct sandbox_options options = {.require = SANDBOX_TIER_NONE,
                                            .lost_fn = command_tell_lost};
    struct sandbox_failure failure = {0};
    static struct doctor doctor;
    int status;

    if (sandbox_create(&doctor.sandbox, &options, &failure) < 0)
        return command_fail("the sandbox cannot be prepared: %s: %s", failure.step,
                            strerror(failure.error));
    doctor_report_init(&doctor.report, as_json);
    doctor.attempt_fd = sandbox_attempt_program();
    if (doctor.attempt_fd < 0)
        status = command_fail("the program that attacks cannot be written: %s",
                              strerror(-doctor.attempt_fd));
    else if (!lay_folder(doctor.folder))
        status = command_fail("a folder below /tmp cannot be made: %s", strerror(errno));
    else
        status = examine(&doctor);
    remove_folder(doctor.folder);
    if (doctor.attempt_fd >= 0)
        close(doctor.attempt_fd);
    doctor_report_finish(&doctor.report);
    sandbox_destroy(doctor.sandbox);
    return status;
}

/* Prints the table of system calls in docs/sandbox.md. */
static int print_calls(void)
{
    size_t count;
    const struct call *calls = call_table(&count);

    puts("| call | ruling | reason |\n| --- | --- | --- |");
    for (size_t i = 0; i < count; i++)
        plain_text_printf(stdout, "| `%s` | %s | %s |\n", calls[i].name,
                          call_ruling_name(calls[i].ruling), calls[i].reason);
    return COMMAND_DONE;
}

/* ---- the store ---- */

struct store_look {
    json_t *checks; /* JSON array of the lines; NULL: each line is printed as text at once */
    bool has_failed;
};

static void tell(struct store_look *look, const char *result, const char *check, const char *found,
                 const char *cure)
{
    if (look->checks)
        json_array_append_new(look->checks,
                              json_pack("{s:s, s:s, s:s, s:s}", "result", result, "check", check,
                                        "found", found, "cure", cure));
    else
        plain_text_printf(stdout, "%-4s  %-16s  %s%s%s\n", result, check, found,
                          *cure ? "; fix: " : "", cure);
}

static void tell_finding(void *context, const struct store_finding *finding)
{
    tell(context, finding->is_well ? "PASS" : "WARN", finding->check, finding->found,
         finding->cure);
}

static void look_at_store(struct store_look *look, struct store *store, const char *url)
{
    char schema[64];
    int error = store_open(&store, url, STORE_READ);

    if (!error) {
        tell(look, "PASS", "reachable", store_where(store), "");
        snprintf(schema, sizeof schema, "version %d, as this arena has it", store_version(store));
        tell(look, "PASS", "schema", schema, "");
        error = store_diagnose(store, tell_finding, look);
    }
    if (error) {
        look->has_failed = true;
        tell(look, "FAIL", "reachable", store_failure(store),
             "see that the server runs and takes connections from here (listen_addresses, "
             "pg_hba.conf, firewall), and that URL, user and password are right");
    }
    store_close(store);
}

static int check_store(bool as_json)
{
    struct store_look look = {.checks = as_json ? json_array() : NULL};
    int status = COMMAND_DONE;

    look_at_store(&look, NULL, store_option_url);
    if (as_json)
        status = command_print_json(
            json_pack("{s:b, s:o}", "reachable", !look.has_failed, "checks", look.checks));
    return look.has_failed ? COMMAND_FAILED : status;
}

/* ---- the command ---- */

int command_doctor(int argc, char **argv)
{
    bool json = false, calls = false;
    const struct option options[] = {
        {"calls", NULL, "only print the system calls and their rulings", .flag = &calls,
         .excludes = "json store"},
        {"json", NULL, "one JSON object", .flag = &json},
        {"store", "URL", "only test a store: what its operator should know",
         .text = &store_option_url},
        {0}};
    const struct command_line line = {
        .name = "doctor",
        .usage = "[--json]\n--calls\n--store URL [--json]",
        .about = "Tests the sandbox on this machine: every layer, attacks from inside, and each "
                 "runtime that is installed. Prints a line for each: PASS, DEGRADED (bots run with "
                 "one layer less), FAIL or NOTE; what was tried, what happened, and how to fix it. "
                 "Exit status 1 if anything failed.",
        .options = options};
    int status;

    if (!options_read(&line, &argc, argv, &status))
        return status;
    if (store_option_url)
        return check_store(json);
    return calls ? print_calls() : run(json);
}
