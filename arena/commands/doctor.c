/*
 * arena doctor: finds out what this machine supports. It does not read settings, but tries: it
 * creates the real sandbox, attacks the sandbox from inside, and makes every installed runtime echo
 * a thousand lines. Then it names the settings of the service unit, the container and the machine
 * that are in the way.
 */
#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/commands/commands.h"
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
    FOLDER_BYTES = 32,
    PATIENCE_MS = 10000, /* longest wait until a bot has used processor time, on a busy machine */
    SETTLE_MS = 100,     /* time that a stop may take to reach another core */
    STOPPED_MS = 300,
    USED_US_MAX = 1000,
};

enum result {
    PASS = 0,
    DEGRADED = 1, /* bots run, but without the protection of this layer */
    FAIL = 2,     /* a layer that should work does not */
    NOTE = 3,     /* the line is about the machine, not the sandbox */
    RESULTS,
};

struct doctor {
    struct sandbox *sandbox;
    char folder[FOLDER_BYTES];              /* folder of the bot that makes the attempts */
    int attempt_fd;                         /* descriptor of the program attempt.c */
    struct probe_message lines[LINE_COUNT]; /* the lines that each runtime must echo */
    json_t *checks; /* JSON array of the lines; NULL: each line is printed as text at once */
    int counts[RESULTS];
};

/* ---- the report ---- */

/*
 * Reports a test of a layer: what was tried, the outcome, and how to fix a failure (not shown if
 * the test passed).
 */
static void report(struct doctor *doctor, enum result result, const char *layer, const char *tried,
                   const char *came_back, const char *mend)
{
    static const char *const names[RESULTS] = {"PASS", "DEGRADED", "FAIL", "NOTE"};

    doctor->counts[result]++;
    if (result == PASS)
        mend = "";
    if (doctor->checks)
        json_array_append_new(
            doctor->checks, json_pack("{s:s, s:s, s:s, s:s, s:s}", "result", names[result], "layer",
                                      layer, "tried", tried, "came_back", came_back, "mend", mend));
    else
        plain_text_printf(stdout, "%-8s  %-14s  %s: %s%s%s\n", names[result], layer, tried,
                          came_back, *mend ? "; fix: " : "", mend);
}

static void print_end(const struct doctor *doctor)
{
    static const char *const tiers[] = {[SANDBOX_TIER_NONE] = "none",
                                        [SANDBOX_TIER_LITE] = "lite",
                                        [SANDBOX_TIER_FULL] = "full",
                                        [SANDBOX_TIER_FULL_CG] = "full, with control groups"};
    const char *tier = tiers[sandbox_tier(doctor->sandbox)];

    if (doctor->checks) {
        json_t *whole = json_pack("{s:s, s:O}", "tier", tier, "checks", doctor->checks);

        json_dumpf(whole, stdout, JSON_INDENT(1));
        putchar('\n');
        json_decref(whole);
    } else {
        plain_text_printf(stdout, "\ntier: %s; %d passed, %d degraded, %d failed\n", tier,
                          doctor->counts[PASS], doctor->counts[DEGRADED], doctor->counts[FAIL]);
    }
}

/* ---- layers ---- */

/* clang-format off */
static const struct {
    uint32_t layer;
    const char *tried;
    const char *mend;
} layers[] = {
    {SANDBOX_LAYER_NO_NEW_PRIVS, "set no_new_privs", "use Linux 3.5 or later"},
    {SANDBOX_LAYER_SECCOMP, "load the filter of system calls", "use a kernel with CONFIG_SECCOMP_FILTER"},
    {SANDBOX_LAYER_NOTIFY, "be notified of forbidden calls", "use Linux 5.0 or later; until then forbidden calls are refused without a notice"},
    {SANDBOX_LAYER_RLIMITS, "set every limit", ""},
    {SANDBOX_LAYER_CAPS, "drop all capabilities", ""},
    {SANDBOX_LAYER_LANDLOCK_FS, "restrict files by Landlock", "use Linux 5.13 or later with landlock in the boot parameter lsm="},
    {SANDBOX_LAYER_LANDLOCK_NET, "restrict TCP by Landlock", "use Linux 6.7 or later; until then the filter of system calls refuses sockets"},
    {SANDBOX_LAYER_LANDLOCK_SCOPE, "restrict signals by Landlock", "use Linux 6.12 or later; until then the filter of system calls checks signals"},
    {SANDBOX_LAYER_USER_NS, "make a user namespace and map one id in it", "set sysctl user.max_user_namespaces=10000 and kernel.unprivileged_userns_clone=1, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0; start a container with --security-opt seccomp=unconfined; or start the arena as root"},
    {SANDBOX_LAYER_PID_NS, "make a PID namespace", "see user_ns"},
    {SANDBOX_LAYER_MOUNT_NS, "make a mount namespace", "see user_ns"},
    {SANDBOX_LAYER_IPC_NS, "make an IPC namespace", "see user_ns"},
    {SANDBOX_LAYER_UTS_NS, "make a UTS namespace", "see user_ns"},
    {SANDBOX_LAYER_CGROUP_NS, "make a cgroup namespace", "see user_ns"},
    {SANDBOX_LAYER_NET_NS, "make an empty network", "see user_ns, and set sysctl user.max_net_namespaces=10000; until then the filter of system calls refuses sockets"},
    {SANDBOX_LAYER_ROOT, "give bots a file system of read-only mounts", "see user_ns; AppArmor must allow mounts in the user namespace"},
    {SANDBOX_LAYER_PROC, "mount /proc with subset=pid", "use a container that does not mask parts of /proc; until then Java does not start"},
    {SANDBOX_LAYER_CGROUP_MEMORY, "count memory in a control group", "start the arena in a delegated control group (systemd-run --user --scope -p Delegate=yes arena ...) or as root; until then RLIMIT_DATA and a watch by the arena limit memory"},
    {SANDBOX_LAYER_CGROUP_PIDS, "count processes in a control group", "see cgroup_memory; until then RLIMIT_NPROC limits processes"},
};
/* clang-format on */

static void check_layers(struct doctor *doctor, uint32_t held)
{
    struct sandbox_failure shortfall = sandbox_shortfall(doctor->sandbox);
    bool is_root = geteuid() == 0, has_id = !is_root || held & SANDBOX_LAYER_UID;
    char not_held[TEXT_BYTES_MAX] = "unavailable";

    if (shortfall.step)
        snprintf(not_held, sizeof not_held, "unavailable (%s: %s)", shortfall.step,
                 strerror(shortfall.error));
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        bool holds = held & layers[i].layer;

        report(doctor, holds ? PASS : DEGRADED, sandbox_layer_name(layers[i].layer),
               layers[i].tried, holds ? "done" : not_held, layers[i].mend);
    }
    report(doctor, has_id ? PASS : FAIL, sandbox_layer_name(SANDBOX_LAYER_UID),
           is_root ? "give each bot an unprivileged id" : "run bots as an ordinary user",
           !is_root ? "the arena is not root"
           : has_id ? "done"
                    : "not done",
           "start the arena as an ordinary user");
}

/* ---- attempts of a bot ---- */

/*
 * Landlock refuses a path with EACCES; a path that is not in the bot's root fails with ENOENT. The
 * first row must succeed: this proves that the attempts pass paths to the kernel correctly.
 */
#define SUCCESS     "success"
#define HELD        "held" /* the program exits with 0 if the layer works */
#define NOT_IN_ROOT "not in the root"
#define OF_PROC     "of /proc"
#define HOLE        "this is a security hole: do not run untrusted bots here"
#define MORE_MEMORY "give the arena a control group for memory: see cgroup_memory"

#define DIGITS(number) #number
#define NUMBER(macro)  DIGITS(macro)
#define CALL(name, ...)                                                                            \
    {                                                                                              \
        "attempt", "call", NUMBER(SYS_##name), __VA_ARGS__                                         \
    }

/* clang-format off */
static const struct attempt {
    const char *layer;
    const char *tried;
    const char *argv[10];
    const char *expected; /* an errno name, "forbidden", or one of the macros above */
    const char *mend;     /* NULL: a failure is a security hole */
    int process_count;    /* processes that the bot may have, in a tier that allows as many */
    enum result otherwise; /* result if the attempt fails; 0: FAIL */
} attempts[] = {
    {"landlock_fs", "read a file of its own", CALL(openat, "-100", "@Echo.java", "0"), SUCCESS},
    {"seccomp", "start a second process", CALL(clone, "17"), "EPERM"},
    {"seccomp", "clone3", CALL(clone3, "0"), "ENOSYS"},
    {"seccomp", "open an Internet socket", CALL(socket, "2", "1"), "EPERM"},
    {"seccomp", "open a netlink socket", CALL(socket, "16", "3"), "EPERM"},
    {"seccomp", "set up io_uring", CALL(io_uring_setup, "8"), "ENOSYS"},
    {"seccomp", "make an anonymous file", CALL(memfd_create, "@x"), "ENOSYS"},
    {"seccomp", "make a user namespace", CALL(unshare, "268435456"), "forbidden"},
    {"seccomp", "trace a process", CALL(ptrace, "16", "1"), "forbidden"},
    {"seccomp", "mount a file system", CALL(mount, "@none", "@/", "@tmpfs"), "forbidden"},
    {"seccomp", "load a kernel program", CALL(bpf, "0"), "forbidden"},
    {"seccomp", "read a keyring of the kernel", CALL(keyctl, "0", "-3"), "forbidden"},
    {"seccomp", "move to another processor core", CALL(sched_setaffinity, "0", "8", "@xxxxxxxx"), "EPERM"},
    {"seccomp", "write a file into its folder", CALL(openat, "-100", "@own", "65", "420"), "EROFS"},
    {"landlock_fs", "read the list of users", CALL(openat, "-100", "@/etc/passwd", "0"), NOT_IN_ROOT},
    {"landlock_fs", "list the root", CALL(openat, "-100", "@/", "65536"), "EACCES"},
    {"landlock_fs", "list /tmp", CALL(openat, "-100", "@/tmp", "65536"), "EACCES"},
    {"landlock_fs", "list /var", CALL(openat, "-100", "@/var", "65536"), NOT_IN_ROOT},
    {"landlock_fs", "read /proc/loadavg", CALL(openat, "-100", "@/proc/loadavg", "0"), NOT_IN_ROOT},
    {"landlock_fs", "find out which pages of memory other processes use", CALL(openat, "-100", "@/proc/self/pagemap", "0"), OF_PROC},
    {"landlock_fs", "list the sockets of its network", CALL(openat, "-100", "@/proc/self/net/unix", "0"), OF_PROC},
    {"seccomp", "wake other processes that wait at a page of a file", CALL(futex, "@x", "1", "1"), "EPERM"},
    {"seccomp", "send SIGCONT, which would undo a freeze", CALL(kill, "0", "18"), "EPERM"},
    {"seccomp", "make a timer that sends SIGCONT", CALL(timer_create, "1", "@x"), "EPERM"},
    {"uid", "become root", CALL(setuid, "0"), "EPERM EINVAL"},
    {"rlimits", "have the kernel pass its core dump to a program", {"attempt", "core"}, HELD},
    {"notify", "learn how much memory the machine has", {"attempt", "counts", "64"}, HELD, "use Linux 5.0 or later, and set sysctl kernel.yama.ptrace_scope to 0 or 1", .otherwise = DEGRADED},
    {"memory", "use twice the memory that it may use", {"attempt", "touch", "128"}, "ENOMEM", MORE_MEMORY, 1},
    {"memory", "use more memory than it may use, in two processes", {"attempt", "touch", "48", "2"}, "ENOMEM", MORE_MEMORY, 2},
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
    if (probe->verdict.end == SANDBOX_END_MEMORY)
        return strcmp(expected, "ENOMEM") == 0;
    if (probe->verdict.end != SANDBOX_END_EXITED)
        return false;
    if (probe->verdict.status == 0)
        return strcmp(expected, SUCCESS) == 0 || strcmp(expected, HELD) == 0;
    name = strerrorname_np(probe->verdict.status);
    return name && strstr(expected, name);
}

/* Writes the result of an attempt: the name of its errno, or how the process ended. */
static void describe_attempt(const struct probe *probe, char *text, size_t capacity)
{
    if (probe->verdict.end != SANDBOX_END_EXITED)
        probe_describe(probe, text, capacity);
    else
        snprintf(text, capacity, "%s",
                 probe->verdict.status == 0 ? "it succeeded"
                                            : strerrorname_np(probe->verdict.status));
}

/* Returns the command that starts the doctor's test bot, which tries one forbidden thing. */
static struct sandbox_command command_of(const struct doctor *doctor, const char *const *argv)
{
    return (struct sandbox_command){
        .folder = doctor->folder, .argv = argv, .executable_fd = doctor->attempt_fd, .cpu = -1};
}

/* Runs a command to its end. Reports a failure to start the command, and returns false. */
static bool run_probe(struct doctor *doctor, const struct sandbox_command *command, int line_count,
                      const char *layer, const char *tried, struct probe *probe)
{
    if (probe_run(doctor->sandbox, command, doctor->lines, line_count, LIMIT_MS, probe) == 0)
        return true;
    report(doctor, FAIL, layer, tried, probe->failure.step, strerror(probe->failure.error));
    return false;
}

static void check_attempts(struct doctor *doctor)
{
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        const struct attempt *attempt = &attempts[i];
        struct sandbox_command command = command_of(doctor, attempt->argv);
        char came_back[TEXT_BYTES_MAX];
        struct probe probe;
        bool passed;

        if (attempt->process_count > 1 && sandbox_tier(doctor->sandbox) < SANDBOX_TIER_FULL)
            continue;
        if (strcmp(attempt->argv[1], "call") != 0)
            command.limits =
                (struct sandbox_limits){.memory_bytes = (int64_t)MEMORY_TRIED_MIB << 20,
                                        .process_count = attempt->process_count};
        if (!run_probe(doctor, &command, 0, attempt->layer, attempt->tried, &probe))
            continue;
        passed = is_expected(&probe, attempt->expected);
        describe_attempt(&probe, came_back, sizeof came_back);
        report(doctor,
               passed               ? PASS
               : attempt->otherwise ? attempt->otherwise
                                    : FAIL,
               attempt->layer, attempt->tried,
               passed && strcmp(attempt->expected, HELD) == 0
                   ? "the sandbox refused it, or the arena answered it"
                   : came_back,
               attempt->mend ? attempt->mend : HOLE);
    }
}

/* ---- freezing ---- */

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
        snprintf(words, capacity, "it used %lld us", (long long)used_us);
    return result == 0 && used_us < USED_US_MAX;
}

static void check_stop(struct doctor *doctor, const char *tried, const char *const *argv,
                       int process_count)
{
    struct sandbox_command command = command_of(doctor, argv);
    char came_back[TEXT_BYTES_MAX];
    bool held;

    command.limits.process_count = process_count;
    held = stop_holds(doctor->sandbox, &command, came_back, sizeof came_back);
    report(doctor, held ? PASS : FAIL, "freeze", tried, came_back,
           "do not use --freeze on this machine; --pin gives each game a core of its own");
}

static void check_stops(struct doctor *doctor)
{
    static const char *const one[] = {"attempt", "burn", "1", NULL};
    static const char *const two[] = {"attempt", "burn", "2", NULL};

    check_stop(doctor, "run while it is stopped", one, 1);
    if (sandbox_tier(doctor->sandbox) >= SANDBOX_TIER_FULL)
        check_stop(doctor, "run in two processes while they are stopped", two, 2);
}

/* ---- runtimes, starts and builds ---- */

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
    struct sandbox_command command = command_of(doctor, argv);
    char tried[TEXT_BYTES_MAX], came_back[TEXT_BYTES_MAX], end[128], mend[TEXT_BYTES_MAX];
    struct probe probe;
    bool passed;

    command.executable_fd = executable_fd;
    snprintf(tried, sizeof tried, "echo %d lines through %s", LINE_COUNT, name);
    if (!run_probe(doctor, &command, LINE_COUNT, "runtime", tried, &probe) ||
        (probe.setup == SANDBOX_SETUP_REFUSED && probe.failure.error == ENOENT))
        return; /* the runtime is not installed */
    passed = probe.answered_count == LINE_COUNT;
    probe_describe(&probe, end, sizeof end);
    if (passed)
        snprintf(came_back, sizeof came_back, "all came back, in %lld ms",
                 (long long)probe.taken_us / 1000);
    else
        snprintf(came_back, sizeof came_back, "%d came back; %s; %.*s", probe.answered_count, end,
                 (int)strcspn(probe.errors, "\n"), probe.errors);
    snprintf(mend, sizeof mend,
             "`arena trace BOT` shows which system calls of %s the sandbox refuses", name);
    report(doctor, passed ? PASS : DEGRADED, "runtime", tried, came_back, mend);
}

static const char *const echo[] = {"attempt", "echo", NULL};

static void check_runtimes(struct doctor *doctor)
{
    static char lines[LINE_COUNT][16];

    for (int i = 0; i < LINE_COUNT; i++) {
        int length = snprintf(lines[i], sizeof lines[i], "line %d\n", i);

        doctor->lines[i] = (struct probe_message){lines[i], (size_t)length, .is_echoed = true};
    }
    check_echo(doctor, "a static program", echo, doctor->attempt_fd);
    for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
        check_echo(doctor, runtimes[i][0], runtimes[i], -1);
}

static int compare(const void *left, const void *right)
{
    int64_t difference = *(const int64_t *)left - *(const int64_t *)right;

    return (difference > 0) - (difference < 0);
}

static void check_start(struct doctor *doctor)
{
    const struct sandbox_command command = command_of(doctor, echo);
    int64_t taken_us[START_COUNT];
    char came_back[TEXT_BYTES_MAX];
    struct probe probe;

    for (int i = 0; i < START_COUNT; i++) {
        if (!run_probe(doctor, &command, 0, "start", "start 20 bots", &probe))
            return;
        taken_us[i] = probe.setup_us;
    }
    qsort(taken_us, START_COUNT, sizeof *taken_us, compare);
    snprintf(came_back, sizeof came_back, "median %lld us, best %lld us",
             (long long)taken_us[START_COUNT / 2], (long long)taken_us[0]);
    report(doctor, NOTE, "start", "start 20 bots", came_back, "");
}

/* Tests whether a build process can connect over its own loopback interface. */
static void check_build(struct doctor *doctor)
{
    static const char layer[] = "loopback", tried[] = "connect to itself over TCP in a build";
    static const char *const argv[] = {"attempt", "loopback", NULL};
    struct sandbox_command command = command_of(doctor, argv);
    char came_back[TEXT_BYTES_MAX];
    struct probe probe;
    bool held;

    if (sandbox_tier(doctor->sandbox) < SANDBOX_TIER_FULL) {
        report(doctor, DEGRADED, layer, tried, "nothing is built in this tier",
               "get the full tier: see user_ns and root");
        return;
    }
    command.profile = SANDBOX_PROFILE_BUILD;
    command.limits.process_count = 2;
    if (!run_probe(doctor, &command, 0, layer, tried, &probe))
        return;
    held = is_expected(&probe, HELD);
    describe_attempt(&probe, came_back, sizeof came_back);
    report(doctor, held ? PASS : DEGRADED, layer, tried, held ? "done" : came_back,
           "see net_ns; /proc/sys/net must be writable (a container may mount it read-only); until "
           "then Gradle does not run in a build");
}

/* ---- settings of the service unit, the container and the machine ---- */

/* Reads the first line of a file without its line end; "" on failure. */
static void read_line(const char *path, char line[static TEXT_BYTES_MAX])
{
    FILE *file = fopen(path, "re");

    if (!file || !fgets(line, TEXT_BYTES_MAX, file))
        *line = '\0';
    if (file)
        fclose(file);
    line[strcspn(line, "\n")] = '\0';
}

/* Returns true if the first line of a file is the given text. */
static bool has_value(const char *path, const char *value)
{
    char line[TEXT_BYTES_MAX];

    read_line(path, line);
    return strcmp(line, value) == 0;
}

/* Returns the cure if a mount covers a part of /proc. */
static const char *cure_of_cover(const char *point)
{
    return strcmp(point, "/proc/kmsg") == 0 ? "leave ProtectKernelLogs= out of the service unit"
           : strstr(point, "name")          ? "leave ProtectHostname= out of the service unit"
                                   : "leave ProtectKernelTunables= out of the service unit; a "
                                     "container must not mask parts of /proc";
}

/*
 * Reports mounts that are in the way: the kernel refuses to mount /proc in a user namespace if a
 * mount covers a part of /proc. held: the layers (enum sandbox_layer bits) that protect bots
 * nevertheless.
 */
static void check_mounts(struct doctor *doctor, uint32_t held)
{
    FILE *mounts = fopen("/proc/self/mountinfo", "re");
    char line[2 * TEXT_BYTES_MAX], cover[TEXT_BYTES_MAX] = "", came_back[TEXT_BYTES_MAX + 16];
    bool groups_are_read_only = false;

    while (mounts && fgets(line, sizeof line, mounts)) {
        char point[TEXT_BYTES_MAX], options[TEXT_BYTES_MAX];

        if (sscanf(line, "%*s %*s %*s %*s %511s %511s", point, options) != 2)
            continue;
        if (strncmp(point, "/proc/", 6) == 0 && !*cover &&
            strcmp(point, "/proc/sys/fs/binfmt_misc") != 0) /* every system has this mount */
            strcpy(cover, point);
        if (strncmp(point, "/sys/fs/cgroup", 14) == 0)
            groups_are_read_only = strncmp(options, "ro", 2) == 0;
    }
    if (mounts)
        fclose(mounts);
    snprintf(came_back, sizeof came_back, "%s is covered", cover);
    if (*cover)
        report(doctor, held & SANDBOX_LAYER_PROC ? NOTE : DEGRADED, "service",
               "see all of /proc, so that each bot can get a /proc of its own", came_back,
               cure_of_cover(cover));
    if (groups_are_read_only)
        report(doctor, held & SANDBOX_LAYER_CGROUP_MEMORY ? NOTE : DEGRADED, "service",
               "write to control groups", "control groups are read-only",
               "leave ProtectControlGroups= out of the service unit, and set Delegate=memory pids "
               "cpu; give a container a control group of its own");
}

static bool can_unshare(int flags)
{
    pid_t pid = fork();
    int status = 1;

    if (pid == 0)
        _exit(unshare(flags) == 0 ? 0 : 1);
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static void check_namespaces(struct doctor *doctor)
{
    const char *mend =
        has_value("/proc/sys/user/max_user_namespaces", "0")
            ? "sysctl user.max_user_namespaces=10000"
        : has_value("/proc/sys/kernel/unprivileged_userns_clone", "0")
            ? "sysctl kernel.unprivileged_userns_clone=1"
        : has_value("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1")
            ? "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or a profile of AppArmor for "
              "this program with the rule userns"
            : "leave RestrictNamespaces= out of the service unit, and any SystemCallFilter= that "
              "lacks unshare and clone; start a container with --security-opt seccomp=unconfined";

    if (!can_unshare(CLONE_NEWUSER) || !can_unshare(CLONE_NEWUSER | CLONE_NEWNET))
        report(doctor, geteuid() == 0 ? NOTE : DEGRADED, "service", "make a user namespace",
               "not allowed", mend);
}

static void check_writable_code(struct doctor *doctor)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        return;
    if (mprotect(page, 4096, PROT_READ | PROT_EXEC) < 0)
        report(doctor, DEGRADED, "service", "run code that it wrote itself, as a JIT compiler does",
               "not allowed",
               "leave MemoryDenyWriteExecute= out of the service unit: Java, node and others "
               "compile while they run");
    munmap(page, 4096);
}

/* clang-format off */
static const struct {
    const char *path;
    const char *good; /* beginning of a value that needs no note */
    const char *tried;
    const char *mend;
} settings[] = {
    {"/proc/sys/kernel/randomize_va_space", "2", "addresses are randomised", "sysctl kernel.randomize_va_space=2"},
    {"/proc/sys/kernel/unprivileged_bpf_disabled", "2", "only root may load BPF programs into the kernel", "sysctl kernel.unprivileged_bpf_disabled=2"},
    {"/proc/sys/dev/tty/legacy_tiocsti", "0", "no process can type into another's terminal", "sysctl dev.tty.legacy_tiocsti=0"},
    {"/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise]", "huge pages are used on request only, so that timings are even", "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"},
    {"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance", "the clock rate of the processor is steady", "cpupower frequency-set -g performance"},
    {"/sys/devices/system/cpu/smt/active", "0", "hyper-threading is off, so that no two bots share a core", "echo off > /sys/devices/system/cpu/smt/control, or --jobs at half the threads with --pin"},
};
/* clang-format on */

/* Adds a note for each setting of the machine that makes games less fair or less safe. */
static void note_settings(struct doctor *doctor)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        char value[TEXT_BYTES_MAX];

        read_line(settings[i].path, value);
        if (*value)
            report(doctor, NOTE, "machine", settings[i].tried, value,
                   strncmp(value, settings[i].good, strlen(settings[i].good)) == 0
                       ? ""
                       : settings[i].mend);
    }
}

/* ---- the sandbox and the machine ---- */

static int examine(struct doctor *doctor)
{
    const struct sandbox_command command = command_of(doctor, echo);
    struct probe probe;

    if (probe_run(doctor->sandbox, &command, NULL, 0, LIMIT_MS, &probe) < 0)
        return command_fail("a bot cannot be confined on this machine: %s: %s", probe.failure.step,
                            strerror(probe.failure.error));
    check_layers(doctor, probe.layers);
    check_mounts(doctor, probe.layers);
    check_namespaces(doctor);
    check_writable_code(doctor);
    check_attempts(doctor);
    check_stops(doctor);
    check_build(doctor);
    check_runtimes(doctor);
    check_start(doctor);
    note_settings(doctor);
    print_end(doctor);
    return doctor->counts[FAIL] > 0 || sandbox_tier(doctor->sandbox) < SANDBOX_TIER_LITE
               ? COMMAND_FAILED
               : COMMAND_DONE;
}

/* Creates the folder of the bot, with a program in Java. Returns false, with errno set, on failure.
 */
static bool make_folder(char folder[static FOLDER_BYTES])
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
    fputs("import java.io.*; public class Echo { public static void main(String[] a) throws "
          "Exception { BufferedReader in = new BufferedReader(new InputStreamReader(System.in)); "
          "for (String l; (l = in.readLine()) != null;) { System.out.print(l + \"\\n\"); "
          "System.out.flush(); } } }\n",
          file);
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

static int run(bool as_json)
{
    const struct sandbox_options options = {.require = SANDBOX_TIER_NONE,
                                            .lost_fn = command_tell_lost};
    struct sandbox_failure failure = {0};
    static struct doctor doctor; /* static, because it is too large for the stack */
    int status;

    if (sandbox_create(&doctor.sandbox, &options, &failure) < 0)
        return command_fail("the sandbox cannot be prepared: %s: %s", failure.step,
                            strerror(failure.error));
    doctor.checks = as_json ? json_array() : NULL;
    doctor.attempt_fd = sandbox_attempt_program();
    if (doctor.attempt_fd < 0)
        status = command_fail("the program that attacks the sandbox cannot be written: %s",
                              strerror(-doctor.attempt_fd));
    else if (!make_folder(doctor.folder))
        status = command_fail("cannot make a folder in /tmp: %s", strerror(errno));
    else
        status = examine(&doctor);
    remove_folder(doctor.folder);
    if (doctor.attempt_fd >= 0)
        close(doctor.attempt_fd);
    json_decref(doctor.checks);
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
        snprintf(schema, sizeof schema, "version %d, the same as this arena's",
                 store_version(store));
        tell(look, "PASS", "schema", schema, "");
        error = store_diagnose(store, tell_finding, look);
    }
    if (error) {
        look->has_failed = true;
        tell(
            look, "FAIL", "reachable", store_failure(store),
            "check that the server runs and accepts connections from this machine "
            "(listen_addresses, pg_hba.conf, firewall), and that URL, user and password are right");
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
        {"calls", NULL, "only print how the sandbox rules on each system call", .flag = &calls,
         .excludes = "json store"},
        {"json", NULL, "one JSON object", .flag = &json},
        {"store", "URL", "test a store, not the sandbox: durability, clock, connections and more",
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
