/* SPDX-License-Identifier: MIT */
/*
 * arena doctor: finds out whether this machine can confine bots. The doctor creates the real
 * sandbox, attacks the sandbox from inside, and starts every installed runtime in it. Then the
 * doctor names the settings of the service unit, the container and the machine that are in the way.
 * With --store the doctor examines a store instead.
 */
#include <errno.h>
#include <jansson.h>
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
#include "arena/commands/options.h"
#include "arena/base/plain_text.h"
#include "sandbox/calls.h"

enum {
    LIMIT_MS = 20000,
    MEMORY_TRIED_MIB = 64,
    TEXT_BYTES_MAX = 512,
};

enum result {
    PASS = 0,
    DEGRADED = 1, /* bots run, but without the protection of this layer */
    FAIL = 2,     /* a layer of the sandbox does not work, but should */
    NOTE = 3,     /* a remark about the machine, not about the sandbox */
    RESULTS,
};

static struct doctor {
    struct sandbox *sandbox;
    char *folder;   /* folder of the test bot, which attacks the sandbox */
    int attempt_fd; /* descriptor of the program that tries to break out (attempt.c) */
    json_t *checks; /* JSON array of the results; NULL: print each result as text at once */
    int counts[RESULTS];
} doctor;

/* ---- the report ---- */

/* Reports a test of a layer. `cure` says how to fix a failure, and is not shown after PASS. */
static void report(enum result result, const char *layer, const char *check, const char *found,
                   const char *cure)
{
    static const char *const names[RESULTS] = {"PASS", "DEGRADED", "FAIL", "NOTE"};

    doctor.counts[result]++;
    if (result == PASS)
        cure = "";
    if (doctor.checks)
        json_array_append_new(doctor.checks, json_pack("{s:s, s:s, s:s, s:s, s:s}", "result",
                                                       names[result], "layer", layer, "check",
                                                       check, "found", found, "cure", cure));
    else
        plain_text_printf(stdout, "%-8s  %-14s  %s: %s%s%s\n", names[result], layer, check, found,
                          *cure ? "; fix: " : "", cure);
}

static void print_end(void)
{
    const enum sandbox_tier reached = sandbox_tier(doctor.sandbox);
    const char *tier =
        reached == SANDBOX_TIER_FULL_CG ? "full, with control groups" : sandbox_tiers[reached];

    if (doctor.checks) {
        command_print_json(json_pack("{s:s, s:O}", "tier", tier, "checks", doctor.checks));
    } else {
        plain_text_printf(stdout, "\ntier: %s; %d passed, %d degraded, %d failed\n", tier,
                          doctor.counts[PASS], doctor.counts[DEGRADED], doctor.counts[FAIL]);
    }
}

/* ---- layers ---- */

#define USER_NS "do what the line user_ns says"

/* clang-format off */
static const struct {
    uint32_t layer;
    const char *check;
    const char *cure;
} layers[] = {
    {SANDBOX_LAYER_NO_NEW_PRIVS, "set no_new_privs", "use Linux 3.5 or later"},
    {SANDBOX_LAYER_SECCOMP, "filter system calls", "use a kernel with CONFIG_SECCOMP_FILTER"},
    {SANDBOX_LAYER_NOTIFY, "report forbidden system calls to the arena", "use Linux 5.0 or later; until then forbidden calls fail, but the arena does not learn of them"},
    {SANDBOX_LAYER_RLIMITS, "set every resource limit", ""},
    {SANDBOX_LAYER_CAPS, "drop all capabilities", ""},
    {SANDBOX_LAYER_LANDLOCK_FS, "restrict access to files with Landlock", "use Linux 5.13 or later with landlock in the boot parameter lsm="},
    {SANDBOX_LAYER_LANDLOCK_NET, "restrict TCP with Landlock", "use Linux 6.7 or later; until then only the system call filter keeps bots off the network"},
    {SANDBOX_LAYER_LANDLOCK_SCOPE, "restrict signals with Landlock", "use Linux 6.12 or later; until then only the system call filter keeps bots from signalling other processes"},
    {SANDBOX_LAYER_USER_NS, "make a user namespace and map one id in it", "set sysctl user.max_user_namespaces=10000 and kernel.unprivileged_userns_clone=1, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0; start a container with --security-opt seccomp=unconfined; or start the arena as root"},
    {SANDBOX_LAYER_PID_NS, "make a PID namespace", USER_NS},
    {SANDBOX_LAYER_MOUNT_NS, "make a mount namespace", USER_NS},
    {SANDBOX_LAYER_IPC_NS, "make an IPC namespace", USER_NS},
    {SANDBOX_LAYER_UTS_NS, "make a UTS namespace", USER_NS},
    {SANDBOX_LAYER_CGROUP_NS, "make a cgroup namespace", USER_NS},
    {SANDBOX_LAYER_NET_NS, "make an empty network", USER_NS " and set sysctl user.max_net_namespaces=10000; until then only the system call filter keeps bots off the network"},
    {SANDBOX_LAYER_ROOT, "give bots a file system of read-only mounts", USER_NS " and have AppArmor allow mounts in user namespaces"},
    {SANDBOX_LAYER_PROC, "mount /proc with subset=pid", "use a container that does not mask parts of /proc; until then Java does not start"},
    {SANDBOX_LAYER_CGROUP_MEMORY, "count memory in a control group", "start the arena in a delegated control group (systemd-run --user --scope -p Delegate=yes arena ...) or as root; until then RLIMIT_DATA and checks by the arena limit memory"},
    {SANDBOX_LAYER_CGROUP_PIDS, "count processes in a control group", "follow the advice in the line cgroup_memory; until then RLIMIT_NPROC limits processes"},
};
/* clang-format on */

static void check_layers(uint32_t held)
{
    struct sandbox_failure shortfall = sandbox_shortfall(doctor.sandbox);
    bool is_root = geteuid() == 0, has_id = !is_root || held & SANDBOX_LAYER_UID;
    char not_held[TEXT_BYTES_MAX] = "unavailable";

    if (shortfall.step)
        snprintf(not_held, sizeof not_held, "unavailable (%s: %s)", shortfall.step,
                 strerror(shortfall.error));
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        bool holds = held & layers[i].layer;

        report(holds ? PASS : DEGRADED, sandbox_layer_name(layers[i].layer), layers[i].check,
               holds ? "done" : not_held, layers[i].cure);
    }
    report(has_id ? PASS : FAIL, sandbox_layer_name(SANDBOX_LAYER_UID),
           is_root ? "give each bot an unprivileged id" : "run bots as an ordinary user",
           !is_root ? "the arena is not root"
           : has_id ? "done"
                    : "not done",
           "start the arena as an ordinary user");
}

/* ---- attempts of a bot ---- */

/*
 * Expected outcomes. Landlock refuses a path with EACCES; a path outside the bot's root folder
 * fails with ENOENT. The first attempt must succeed, which proves that the attempts pass paths to
 * the kernel correctly.
 */
#define SUCCESS "success"
#define HELD    "held" /* outcome of a program that exits with 0 if the layer works */
#define NO_PATH "ENOENT EACCES"
#define HOLE    "this is a security hole: do not run untrusted bots here"
#define MORE_MEMORY                                                                                \
    "give the arena a control group for memory: follow the advice in the line cgroup_memory"

#define DIGITS(number) #number
#define NUMBER(macro)  DIGITS(macro)
#define CALL(name, ...)                                                                            \
    {                                                                                              \
        "attempt", "call", NUMBER(SYS_##name), __VA_ARGS__                                         \
    }

/* clang-format off */
static const struct attempt {
    const char *layer;
    const char *check;
    const char *argv[10];
    const char *expected; /* expected outcome: "forbidden", SUCCESS, HELD or names of errnos */
    const char *cure;     /* advice after another outcome; NULL: a security hole */
    int process_count;    /* number of processes that the bot may have; 0: the default */
    enum result otherwise; /* result to report after an outcome that was not expected; 0: FAIL */
} attempts[] = {
    {"landlock_fs", "list its own folder", CALL(openat, "-100", "@.", "65536"), SUCCESS},
    {"landlock_fs", "read the list of users", CALL(openat, "-100", "@/etc/passwd", "0"), NO_PATH},
    {"landlock_fs", "list the root", CALL(openat, "-100", "@/", "65536"), "EACCES"},
    {"landlock_fs", "list /tmp", CALL(openat, "-100", "@/tmp", "65536"), "EACCES"},
    {"landlock_fs", "read /proc/self/pagemap, which says where pages of memory lie", CALL(openat, "-100", "@/proc/self/pagemap", "0"), NO_PATH},
    {"seccomp", "start a second process", CALL(clone, "17"), "EPERM"},
    {"seccomp", "open an Internet socket", CALL(socket, "2", "1"), "EPERM"},
    {"seccomp", "set up io_uring", CALL(io_uring_setup, "8"), "ENOSYS"},
    {"seccomp", "make a user namespace", CALL(unshare, "268435456"), "forbidden"},
    {"seccomp", "trace a process", CALL(ptrace, "16", "1"), "forbidden"},
    {"seccomp", "mount a file system", CALL(mount, "@none", "@/", "@tmpfs"), "forbidden"},
    {"seccomp", "write a file into its folder", CALL(openat, "-100", "@own", "65", "420"), "EROFS"},
    {"uid", "become root", CALL(setuid, "0"), "EPERM EINVAL"},
    {"rlimits", "crash, so that the kernel passes a core dump to a program", {"attempt", "core"}, HELD},
    {"notify", "learn how much memory the machine has", {"attempt", "counts", "64"}, HELD, "use Linux 5.0 or later, and set sysctl kernel.yama.ptrace_scope to 0 or 1", .otherwise = DEGRADED},
    {"memory", "use twice the memory limit", {"attempt", "touch", "128"}, "ENOMEM", MORE_MEMORY, 1},
    {"memory", "exceed the memory limit with two processes", {"attempt", "touch", "48", "2"}, "ENOMEM", MORE_MEMORY, 2},
};
/* clang-format on */

static bool is_expected(const struct probe *probe, const char *expected)
{
    const char *name;

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

static void describe_attempt(const struct probe *probe, char *text, size_t capacity)
{
    if (probe->verdict.end != SANDBOX_END_EXITED)
        probe_describe(probe, text, capacity);
    else
        snprintf(text, capacity, "%s",
                 probe->verdict.status == 0 ? "it succeeded"
                                            : strerrorname_np(probe->verdict.status));
}

static struct sandbox_command command_of(const char *const *argv)
{
    return (struct sandbox_command){
        .folder = doctor.folder, .argv = argv, .executable_fd = doctor.attempt_fd, .cpu = -1};
}

/* Runs a command to its end. Reports a failure to start the command, and returns false. */
static bool run_probe(const struct sandbox_command *command, const char *layer, const char *check,
                      struct probe *probe)
{
    if (probe_run(doctor.sandbox, command, NULL, 0, LIMIT_MS, probe) == 0)
        return true;
    report(FAIL, layer, check, probe->failure.step, strerror(probe->failure.error));
    return false;
}

static void check_attempts(void)
{
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        const struct attempt *attempt = &attempts[i];
        struct sandbox_command command = command_of(attempt->argv);
        char found[TEXT_BYTES_MAX];
        struct probe probe;
        bool passed;

        if (attempt->process_count > 1 && sandbox_tier(doctor.sandbox) < SANDBOX_TIER_FULL)
            continue;
        if (strcmp(attempt->argv[1], "call") != 0)
            command.limits =
                (struct sandbox_limits){.memory_bytes = (int64_t)MEMORY_TRIED_MIB << 20,
                                        .process_count = attempt->process_count};
        if (!run_probe(&command, attempt->layer, attempt->check, &probe))
            continue;
        passed = is_expected(&probe, attempt->expected);
        describe_attempt(&probe, found, sizeof found);
        report(passed               ? PASS
               : attempt->otherwise ? attempt->otherwise
                                    : FAIL,
               attempt->layer, attempt->check,
               passed && strcmp(attempt->expected, HELD) == 0 ? "the sandbox prevented it" : found,
               attempt->cure ? attempt->cure : HOLE);
    }
}

/* ---- runtimes and builds ---- */

/* clang-format off */
static const char *const runtimes[][4] = {
    {"sh", "-c", ":"}, {"python3", "-c", "pass"}, {"perl", "-e", "1"}, {"node", "-e", "1"},
    {"lua5.4", "-e", "x = 1"}, {"ruby", "-e", "1"}, {"php", "-r", "1;"}, {"java", "-version"},
};
/* clang-format on */

static void check_runtime(const char *const *argv)
{
    struct sandbox_command command = command_of(argv);
    char check[TEXT_BYTES_MAX], found[TEXT_BYTES_MAX], end[128], cure[TEXT_BYTES_MAX];
    struct probe probe;
    bool passed;

    command.executable_fd = -1;
    snprintf(check, sizeof check, "start %s", argv[0]);
    if (!run_probe(&command, "runtime", check, &probe) ||
        (probe.setup == SANDBOX_SETUP_REFUSED && probe.failure.error == ENOENT))
        return; /* the runtime is not installed */
    passed = is_expected(&probe, SUCCESS);
    probe_describe(&probe, end, sizeof end);
    snprintf(found, sizeof found, "%s in %lld ms%s%.*s", end, (long long)probe.taken_us / 1000,
             passed ? "" : "; ", passed ? 0 : (int)strcspn(probe.errors, "\n"), probe.errors);
    snprintf(cure, sizeof cure,
             "`arena check --trace BOT` shows which system calls of %s the sandbox refuses",
             argv[0]);
    report(passed ? PASS : DEGRADED, "runtime", check, found, cure);
}

static void check_build(void)
{
    static const char layer[] = "loopback", check[] = "connect to 127.0.0.1 in a build";
    static const char *const argv[] = {"attempt", "loopback", NULL};
    struct sandbox_command command = command_of(argv);
    char found[TEXT_BYTES_MAX];
    struct probe probe;
    bool held;

    if (sandbox_tier(doctor.sandbox) < SANDBOX_TIER_FULL) {
        report(DEGRADED, layer, check, "only the full tier builds bots",
               "follow the advice in the lines user_ns and root");
        return;
    }
    command.profile = SANDBOX_PROFILE_BUILD;
    command.limits.process_count = 2;
    if (!run_probe(&command, layer, check, &probe))
        return;
    held = is_expected(&probe, HELD);
    describe_attempt(&probe, found, sizeof found);
    report(
        held ? PASS : DEGRADED, layer, check, held ? "done" : found,
        "follow the advice in the line net_ns, and let the arena write to /proc/sys/net, which a "
        "container may mount read-only; until then Gradle does not run in a build");
}

/* ---- settings of the service unit, the container and the machine ---- */

static bool has_value(const char *path, const char *value)
{
    FILE *file = fopen(path, "re");
    char line[TEXT_BYTES_MAX] = "";
    bool has = file && fgets(line, sizeof line, file) && strncmp(line, value, strlen(value)) == 0 &&
               line[strlen(value)] == '\n';

    if (file)
        fclose(file);
    return has;
}

static const char *cure_of_cover(const char *point)
{
    return strcmp(point, "/proc/kmsg") == 0 ? "leave ProtectKernelLogs= out of the service unit"
           : strstr(point, "name")          ? "leave ProtectHostname= out of the service unit"
                                   : "leave ProtectKernelTunables= out of the service unit; a "
                                     "container must not mask parts of /proc";
}

/*
 * Reports mounts that cover a part of /proc, because the kernel then refuses to mount /proc in a
 * user namespace. held: the layers (enum sandbox_layer bits) that protect bots nevertheless.
 */
static void check_mounts(uint32_t held)
{
    FILE *mounts = fopen("/proc/self/mountinfo", "re");
    char line[2 * TEXT_BYTES_MAX], cover[TEXT_BYTES_MAX] = "", found[TEXT_BYTES_MAX + 16];
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
    snprintf(found, sizeof found, "%s is covered", cover);
    if (*cover)
        report(held & SANDBOX_LAYER_PROC ? NOTE : DEGRADED, "service",
               "see all of /proc, so that each bot can get a /proc of its own", found,
               cure_of_cover(cover));
    if (groups_are_read_only)
        report(held & SANDBOX_LAYER_CGROUP_MEMORY ? NOTE : DEGRADED, "service",
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

static void check_namespaces(void)
{
    const char *cure =
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
        report(geteuid() == 0 ? NOTE : DEGRADED, "service", "make a user namespace", "not allowed",
               cure);
}

/* A kernel without Landlock has no such call, or says that it is switched off. */
static void check_landlock(void)
{
    if (syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* its version */) >= 0 ||
        errno == ENOSYS || errno == EOPNOTSUPP)
        return;
    report(DEGRADED, "service", "ask the kernel for Landlock", strerrorname_np(errno),
           "have SystemCallFilter= of the service unit, or the container's filter, let "
           "landlock_create_ruleset, landlock_add_rule and landlock_restrict_self through; start a "
           "container with --security-opt seccomp=unconfined");
}

static void check_writable_code(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        return;
    if (mprotect(page, 4096, PROT_READ | PROT_EXEC) < 0)
        report(DEGRADED, "service",
               "write machine code to memory and run this code, as a JIT compiler does",
               "not allowed",
               "leave MemoryDenyWriteExecute= out of the service unit: Java, node and others "
               "compile while they run");
    munmap(page, 4096);
}

/* ---- the whole test ---- */

static int examine(void)
{
    static const char *const echo[] = {"attempt", "echo", NULL};
    const struct sandbox_command command = command_of(echo);
    struct probe probe;

    if (probe_run(doctor.sandbox, &command, NULL, 0, LIMIT_MS, &probe) < 0)
        return command_fail("this machine cannot confine bots: %s: %s", probe.failure.step,
                            strerror(probe.failure.error));
    check_layers(probe.layers);
    check_mounts(probe.layers);
    check_namespaces();
    check_landlock();
    check_writable_code();
    check_attempts();
    check_build();
    for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
        check_runtime(runtimes[i]);
    print_end();
    return doctor.counts[FAIL] > 0 || sandbox_tier(doctor.sandbox) < SANDBOX_TIER_LITE
               ? COMMAND_FAILED
               : COMMAND_DONE;
}

static int check_sandbox(void)
{
    const struct sandbox_options options = {.require = SANDBOX_TIER_NONE,
                                            .lost_fn = command_tell_lost};
    struct sandbox_failure failure = {0};
    char folder[] = "/tmp/doctor-XXXXXX";
    int status;

    if (sandbox_create(&doctor.sandbox, &options, &failure) < 0)
        return command_fail("cannot set up the sandbox: %s: %s", failure.step,
                            strerror(failure.error));
    doctor.folder = folder;
    doctor.checks = options_json ? json_array() : NULL;
    doctor.attempt_fd = sandbox_attempt_program();
    if (doctor.attempt_fd < 0)
        status =
            command_fail("cannot write the test program that tries to break out of the sandbox: %s",
                         strerror(-doctor.attempt_fd));
    else if (!mkdtemp(folder) || chmod(folder, 0755) < 0)
        status = command_fail("cannot make a folder in /tmp: %s", strerror(errno));
    else
        status = examine();
    rmdir(folder);
    if (doctor.attempt_fd >= 0)
        close(doctor.attempt_fd);
    json_decref(doctor.checks);
    sandbox_destroy(doctor.sandbox);
    return status;
}

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

/* Adds a result to the JSON array `checks`; without one, prints the result as text. */
static void tell(json_t *checks, const char *result, const char *check, const char *found,
                 const char *cure)
{
    if (checks)
        json_array_append_new(checks, json_pack("{s:s, s:s, s:s, s:s}", "result", result, "check",
                                                check, "found", found, "cure", cure));
    else
        plain_text_printf(stdout, "%-4s  %-16s  %s%s%s\n", result, check, found,
                          *cure ? "; fix: " : "", cure);
}

static void tell_finding(void *context, const struct store_finding *finding)
{
    tell(context, finding->is_well ? "PASS" : "WARN", finding->check, finding->found,
         finding->cure);
}

/* Reports why a store could not be opened, although its server or folder was reached. */
static void tell_unusable(json_t *checks, const struct store *store, int error)
{
    if (strncmp(store_url(store), "postgres", 8) == 0)
        tell(checks, "PASS", "reachable", store_where(store), "");
    tell(checks, "FAIL", "schema", store_failure(store),
         error == -ENOENT ? "the first command that writes makes the store: `arena season new NAME "
                            "--store URL`; or correct the URL"
                          : "");
}

static int check_store(void)
{
    json_t *checks = options_json ? json_array() : NULL;
    struct store *store;
    int error = store_open(&store, store_option_url, STORE_READ), status = COMMAND_DONE;
    bool is_reached = store && error != -ENOTCONN && error != -EINVAL && error != -ENOTSUP;

    if (error && is_reached) {
        tell_unusable(checks, store, error);
    } else if (!error) {
        tell(checks, "PASS", "reachable", store_where(store), "");
        tell(checks, "PASS", "schema", "the store's tables have the form that this arena needs",
             "");
        error = store_diagnose(store, tell_finding, checks);
        is_reached = !error;
    }
    if (!is_reached)
        tell(checks, "FAIL", "reachable", store_failure(store),
             error == -ENOTCONN ? "check that the server runs and accepts connections from this "
                                  "machine (listen_addresses, pg_hba.conf, firewall), and that "
                                  "URL, user and password are right"
                                : "");
    store_close(store);
    if (checks)
        status =
            command_print_json(json_pack("{s:b, s:o}", "reachable", is_reached, "checks", checks));
    return error ? COMMAND_FAILED : status;
}

/* ---- the command ---- */

static bool prints_calls;

static const struct option options[] = {
    {"calls", NULL, "print which system calls the sandbox allows; test nothing",
     .flag = &prints_calls, .excludes = "json store"},
    OPTION_JSON("one JSON object"),
    {"store", "URL", "test a store, not the sandbox: durability, clock, encryption and more",
     .text = &store_option_url},
    {0}};

static int run(int argc, char **argv)
{
    return store_option_url ? check_store() : prints_calls ? print_calls() : check_sandbox();
}

const struct command_line command_doctor = {
    .name = "doctor",
    .usage = "[--json]\n--calls\n--store URL [--json]",
    .about = "Tests the sandbox on this machine: every layer, attacks from inside, and each "
             "installed runtime. Prints a line per test: PASS, DEGRADED (bots run with one "
             "layer less), FAIL or NOTE; what the test tried, what happened, and how to fix "
             "it. Exit status 1 if a test failed.",
    .options = options,
    .run_fn = run};
