/* Creates struct sandbox, once per arena, and detects what the machine supports. */
#include "sandbox/prepared.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/aside.h"
#include "sandbox/death.h"
#include "sandbox/landlock.h"

/* ---- the helper programs, embedded in the arena's executable ---- */

#define CARRY(name, path)                                                                          \
    __asm__(".pushsection .rodata\n" #name "_start:\n.incbin \"" path "\"\n" #name                 \
            "_end:\n.popsection\n");                                                               \
    extern const char name##_start[], name##_end[]

CARRY(keeper_image, KEEPER_PATH);
CARRY(attempt_image, ATTEMPT_PATH);

static int open_image(const char *name, const char *start, const char *end)
{
    ssize_t size_bytes = end - start;
    int image_fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int error = 0;

    if (image_fd < 0)
        return -errno;
    errno = EIO;
    if (write(image_fd, start, (size_t)size_bytes) != size_bytes ||
        fcntl(image_fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) < 0)
        error = errno;
    if (error) {
        close(image_fd);
        return -error;
    }
    return image_fd;
}

int sandbox_attempt_program(void)
{
    return open_image("attempt", attempt_image_start, attempt_image_end);
}

/* ---- what the machine offers ---- */

/*
 * If the arena runs as root, each slot has a UID that no other process of the machine has. So even
 * if other layers fail, bots cannot signal each other or share limits per UID. No distribution and
 * no systemd range assigns UIDs this high. In a container that maps too few UIDs, all children
 * share UID_SHARED, the UID of the user nobody.
 */
static const uid_t UID_FIRST = 1900000000;
static const uid_t UID_SHARED = 65534;

/*
 * Reads /proc/self/uid_map or gid_map. Returns true if the IDs from `first` on exist in the arena's
 * user namespace.
 */
static bool are_ids_mapped(const char *map, uid_t first, unsigned count)
{
    FILE *file = fopen(map, "re");
    unsigned long inside, outside, length;
    bool found = false;

    if (!file)
        return false;
    while (!found && fscanf(file, "%lu %lu %lu", &inside, &outside, &length) == 3)
        found = first >= inside && first + count <= inside + length;
    fclose(file);
    return found;
}

static bool are_mapped(uid_t first, unsigned count)
{
    return are_ids_mapped("/proc/self/uid_map", first, count) &&
           are_ids_mapped("/proc/self/gid_map", first, count);
}

int machine_probe(struct machine *machine, struct sandbox_failure *failure)
{
    uint32_t action = SECCOMP_RET_USER_NOTIF;

    *machine = (struct machine){.landlock_abi = landlock_abi(), .root = geteuid() == 0};
    machine->proc = machine->network = machine->loopback = true;
    machine->seccomp_notify = syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
    if (!machine->root)
        return 0;
    machine->uid_shared = !are_mapped(UID_FIRST, SLOTS_MAX);
    if (machine->uid_shared && !are_mapped(UID_SHARED, 1)) {
        *failure = (struct sandbox_failure){.step = "an unprivileged id", .error = EINVAL};
        return -EINVAL;
    }
    return 0;
}

uid_t machine_slot_uid(const struct machine *machine, int slot_index)
{
    if (!machine->root)
        return 0;
    return machine->uid_shared ? UID_SHARED : UID_FIRST + (uid_t)slot_index;
}

/* ---- preparing ---- */

enum {
    DESCRIPTORS = 16384, /* entries of the descriptor table: 128 KiB, enough for a thousand bots */
};

/* clang-format off */
static const char *const layer_names[] = {
    "no_new_privs", "seccomp", "notify", "rlimits", "landlock_fs", "landlock_net",
    "landlock_scope", "user_ns", "pid_ns", "mount_ns", "ipc_ns", "uts_ns", "cgroup_ns",
    "net_ns", "root", "proc", "caps", "cgroup_memory", "cgroup_pids", "uid",
};
/* clang-format on */

const char *sandbox_layer_name(uint32_t layer)
{
    for (size_t i = 0; i < sizeof layer_names / sizeof *layer_names; i++)
        if (layer == 1u << i)
            return layer_names[i];
    return NULL;
}

int sandbox_fail(struct sandbox_failure *failure, const char *step, int error)
{
    *failure = (struct sandbox_failure){.step = step, .error = error};
    return -error;
}

/*
 * Opens /dev/null on each of the descriptors 0 to 2 that is closed. A child moves its pipes to 0 to
 * 2, so none of its pipes may have been created there.
 */
static int occupy_standard_descriptors(void)
{
    int fd;

    do {
        fd = open("/dev/null", O_RDWR);
        if (fd < 0)
            return -errno;
    } while (fd <= STDERR_FILENO);
    close(fd);
    return 0;
}

/*
 * Raises the arena's limit of open descriptors, because the arena needs some fifteen per child.
 * Children close inherited descriptors and get a limit of their own.
 */
static void allow_descriptors(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit); /* if it fails, fewer bots can run */
}

/*
 * Makes the kernel enlarge the arena's descriptor table now. In a process with several threads, the
 * kernel would wait for all processors to enlarge the table, which takes milliseconds.
 */
static void widen_descriptors(void)
{
    int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, DESCRIPTORS - 1);

    if (fd >= 0) /* fails if the limit is lower: then only few bots can play */
        close(fd);
}

static int open_stacks(struct sandbox *sandbox)
{
    char *stacks = mmap(NULL, 2 * CONFINE_STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    if (stacks == MAP_FAILED)
        return -errno;
    sandbox->stacks = stacks;
    sandbox->outer_stack_top = stacks + CONFINE_STACK_BYTES;
    sandbox->inner_stack_top = stacks + (ptrdiff_t)(2 * CONFINE_STACK_BYTES);
    return 0;
}

/* Tries the full tier: starts, as if it were a bot, the keeper's program, which exits at once. */
static bool try_full(struct sandbox *sandbox)
{
    const char *const argv[] = {"keeper", NULL};
    const struct sandbox_command command = {
        .folder = "/usr", .argv = argv, .executable_fd = sandbox->keeper_fd, .cpu = -1};
    struct sandbox_child child;

    if (sandbox_spawn(sandbox, &command, &child, &sandbox->machine.full_failure) < 0)
        return false;
    sandbox_child_finish(&child);
    return true;
}

/* Tries the full tier with control groups, then without: some machines let the arena create a
 * group but let no child join it. */
static bool try_cgroups(struct sandbox *sandbox)
{
    if (try_full(sandbox))
        return true;
    if (sandbox->cgroups.version == 0)
        return false;
    sandbox->machine.cgroup_failure = sandbox->machine.full_failure;
    for (int i = 0; i < SLOTS_MAX; i++)
        cgroup_finish(&sandbox->slots[i].cgroup, &sandbox->cgroups, i);
    cgroup_site_finish(&sandbox->cgroups);
    return try_full(sandbox);
}

/*
 * Sets sandbox->tier by trying to start children, because the machine's settings are not enough:
 * some machines allow namespaces but forbid mounts.
 */
static void choose_tier(struct sandbox *sandbox, enum sandbox_tier at_most)
{
    if (sandbox->machine.landlock_abi == 0)
        return;
    if (at_most < SANDBOX_TIER_FULL_CG)
        cgroup_site_finish(&sandbox->cgroups);
    if (at_most < SANDBOX_TIER_FULL) {
        sandbox->tier = at_most;
        return;
    }
    sandbox->tier = SANDBOX_TIER_FULL;
    if (!try_cgroups(sandbox)) {
        sandbox->machine.proc = false; /* some containers forbid to mount /proc */
        if (!try_full(sandbox)) {
            sandbox->tier = SANDBOX_TIER_LITE;
            return;
        }
    }
    if (sandbox->cgroups.folders[CGROUP_MEMORY][0])
        sandbox->tier = SANDBOX_TIER_FULL_CG;
}

static int prepare(struct sandbox *sandbox, struct sandbox_failure *failure)
{
    int result = occupy_standard_descriptors();

    if (result < 0)
        return sandbox_fail(failure, "open /dev/null", -result);
    /* If SIGCHLD is ignored, as a parent process may arrange, the kernel itself reaps children. */
    signal(SIGCHLD, SIG_DFL);
    allow_descriptors();
    widen_descriptors();
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
        return sandbox_fail(failure, "not dumpable", errno);
    result = machine_probe(&sandbox->machine, failure);
    if (result < 0)
        return result;
    for (int i = 0; i < SLOTS_MAX; i++)
        slot_init(&sandbox->slots[i], machine_slot_uid(&sandbox->machine, i));
    result = open_stacks(sandbox);
    if (result < 0)
        return sandbox_fail(failure, "stacks", -result);
    if (pipe2(sandbox->life_fds, O_CLOEXEC) < 0)
        return sandbox_fail(failure, "pipe", errno);
    sandbox->keeper_fd = open_image("keeper", keeper_image_start, keeper_image_end);
    if (sandbox->keeper_fd < 0)
        return sandbox_fail(failure, "keeper", -sandbox->keeper_fd);
    cgroup_site_init(&sandbox->cgroups);
    result = runtime_init(&sandbox->runtime);
    return result < 0 ? sandbox_fail(failure, "runtimes", -result) : 0;
}

int sandbox_create(struct sandbox **sandbox, const struct sandbox_options *options,
                   struct sandbox_failure *failure)
{
    struct sandbox *made = calloc(1, sizeof *made);
    int result;

    *sandbox = NULL;
    if (!made)
        return sandbox_fail(failure, "memory", ENOMEM);
    made->keeper_fd = made->life_fds[0] = made->life_fds[1] = -1;
    pthread_mutex_init(&made->mutex, NULL);
    pthread_mutex_init(&made->starting_mutex, NULL);
    made->lost_fn = options ? options->lost_fn : NULL;
    for (int i = 0; i < SLOTS_MAX; i++)
        slot_init(&made->slots[i], 0);
    result = prepare(made, failure);
    if (result == 0) {
        choose_tier(made, options && options->at_most ? options->at_most : SANDBOX_TIER_FULL_CG);
        made->tier_is_known = true;
        if (made->tier < (options ? options->require : SANDBOX_TIER_LITE))
            result = sandbox_fail(failure, "the confinement asked for", ENOTSUP);
    }
    if (result < 0) {
        sandbox_destroy(made);
        return result;
    }
    *sandbox = made;
    return 0;
}

void sandbox_destroy(struct sandbox *sandbox)
{
    if (!sandbox || pthread_mutex_trylock(&sandbox->mutex) != 0)
        return; /* a thread that hangs in sandbox_spawn still uses the sandbox */
    pthread_mutex_unlock(&sandbox->mutex);
    for (int i = 0; i < FILTER_VARIANTS; i++)
        filter_finish(&sandbox->filters[i]);
    aside_await(death_now_us() + (int64_t)SANDBOX_DYING_MS * 1000);
    for (int i = 0; i < SLOTS_MAX; i++)
        slot_finish(sandbox, &sandbox->slots[i]);
    cgroup_site_finish(&sandbox->cgroups);
    runtime_finish(&sandbox->runtime);
    close_fd(&sandbox->keeper_fd);
    close_fd(&sandbox->life_fds[0]);
    close_fd(&sandbox->life_fds[1]);
    if (sandbox->stacks)
        munmap(sandbox->stacks, 2 * CONFINE_STACK_BYTES);
    pthread_mutex_destroy(&sandbox->mutex);
    pthread_mutex_destroy(&sandbox->starting_mutex);
    free(sandbox);
}

enum sandbox_tier sandbox_tier(const struct sandbox *sandbox)
{
    return sandbox->tier;
}

struct sandbox_failure sandbox_shortfall(const struct sandbox *sandbox)
{
    const struct machine *machine = &sandbox->machine;

    if (sandbox->tier < SANDBOX_TIER_FULL)
        return machine->full_failure;
    if (machine->cgroup_failure.step || sandbox->tier == SANDBOX_TIER_FULL_CG)
        return machine->cgroup_failure;
    return (struct sandbox_failure){.step = "find a control group to write", .error = ENOENT};
}
