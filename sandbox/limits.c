/* SPDX-License-Identifier: MIT */
#include "sandbox/limits.h"

#include <stdio.h>

#include "sandbox/runtime.h"

/*
 * A build has no Internet: these variables make tools fail with a clear message instead of waiting.
 */
static char *const offline[] = {"npm_config_offline=true",
                                "npm_config_audit=false",
                                "npm_config_fund=false",
                                "CARGO_NET_OFFLINE=true",
                                "npm_config_update_notifier=false",
                                "GOPROXY=off",
                                "GOTOOLCHAIN=local",
                                "PIP_NO_INDEX=1",
                                "PIP_DISABLE_PIP_VERSION_CHECK=1"};

/*
 * Tells runtimes heap sizes below the memory limit, which they cannot find out: GOMEMLIMIT for Go,
 * NODE_OPTIONS for Node, JAVA_TOOL_OPTIONS for every JVM (which mentions this variable on standard
 * error).
 */
void environment_init(struct environment *environment, const struct sandbox_command *command,
                      const struct sandbox_limits *limits)
{
    const long long mib = limits->memory_bytes >> 20;
    const bool is_build = command->profile == SANDBOX_PROFILE_BUILD;
    const bool has_scratch = is_build || command->limits.scratch_bytes > 0;
    char **next = environment->variables;

    *next++ = "PATH=" RUNTIME_PATH;
    *next++ = "LANG=C.UTF-8";
    *next++ = has_scratch ? "HOME=/tmp" : "HOME=/";
    if (has_scratch)
        *next++ = "TMPDIR=/tmp";
    for (size_t i = 0; is_build && i < sizeof offline / sizeof *offline; i++)
        *next++ = offline[i];
    snprintf(environment->go_limit, sizeof environment->go_limit, "GOMEMLIMIT=%lldMiB",
             mib * 9 / 10);
    snprintf(environment->node_limit, sizeof environment->node_limit,
             "NODE_OPTIONS=--max-old-space-size=%lld", mib * 3 / 4);
    snprintf(environment->java_limit, sizeof environment->java_limit, "JAVA_TOOL_OPTIONS=-Xmx%lldm",
             mib * 3 / 5);
    *next++ = environment->go_limit;
    *next++ = environment->node_limit;
    *next++ = environment->java_limit;
    *next = NULL;
}

/* Soft limit of the stack: the usual size of a thread's stack. */
static const rlim_t STACK_SOFT_BYTES = 8 << 20;
static const rlim_t STACK_HARD_BYTES = 16 << 20;
static const rlim_t BUILD_FILE_BYTES = 2ll << 30;
static const rlim_t SIGNALS_PENDING_MAX = 256;

/*
 * A memory cgroup counts pages that a process uses. Mapped pages are bounded to this multiple of
 * the memory limit, because a machine that does not overcommit has no memory left for others.
 */
static const rlim_t MAPPED_TIMES_MEMORY = 4;

/*
 * Limit of the address space. It is large, because runtimes reserve address space that they never
 * use: Node 0.7 GiB, the JVM 9 GiB, WebAssembly 10 GiB. It only keeps page tables below 128 MiB.
 */
static const rlim_t ADDRESS_BYTES = 64ll << 30;

struct sandbox_limits limits_resolve(const struct sandbox_limits *asked)
{
    struct sandbox_limits resolved = *asked;

    if (resolved.memory_bytes <= 0)
        resolved.memory_bytes = SANDBOX_MEMORY_BYTES_DEFAULT;
    if (resolved.process_count < 1)
        resolved.process_count = 1;
    if (resolved.thread_count <= 0)
        resolved.thread_count = LIMITS_THREADS_DEFAULT;
    if (resolved.open_file_count <= 0)
        resolved.open_file_count = LIMITS_OPEN_FILES_DEFAULT;
    return resolved;
}

/*
 * What the kernel may keep for one process: 65,530 mappings (vm.max_map_count) of about 230 bytes,
 * and full pipes, of two descriptors and 64 KiB each.
 */
static const int64_t MAPPINGS_BYTES = 15 << 20;
static const int64_t PIPE_BYTES = 64 << 10;
/* For one thread: its stack in the kernel and its task. */
static const int64_t THREAD_BYTES = 32 << 10;
/* For a child: pipes (fs.pipe-user-pages-soft), and epoll watches (WATCHES_MAX in child.c). */
static const int64_t PIPES_BYTES_MAX = 64 << 20;
static const int64_t WATCHES_BYTES = 4 << 20;

enum {
    GUARDS = 2, /* processes that start and guard a child */
};

struct sandbox_share limits_share(const struct sandbox_limits *resolved, bool memory_cgroup)
{
    const int64_t processes = resolved->process_count;
    const int64_t pipes_bytes = processes * (resolved->open_file_count / 2) * PIPE_BYTES;
    struct sandbox_share share = {
        .memory_bytes = resolved->memory_bytes,
        .task_count = processes + resolved->thread_count + GUARDS,
    };

    if (!memory_cgroup)
        share.memory_bytes += processes * MAPPINGS_BYTES + WATCHES_BYTES +
                              (processes + resolved->thread_count) * THREAD_BYTES +
                              (pipes_bytes < PIPES_BYTES_MAX ? pipes_bytes : PIPES_BYTES_MAX);
    return share;
}

/*
 * Adds a limit, lowered to the arena's own hard limit, which the kernel does not let a child
 * exceed.
 */
static void add(struct limits *limits, int resource, rlim_t soft, rlim_t hard)
{
    struct rlimit own;

    if (getrlimit((__rlimit_resource_t)resource, &own) == 0 && own.rlim_max < hard)
        hard = own.rlim_max;
    if (soft > hard)
        soft = hard;
    limits->entries[limits->count++] =
        (struct limit){.resource = resource, .values = {.rlim_cur = soft, .rlim_max = hard}};
}

static void add_same(struct limits *limits, int resource, rlim_t value)
{
    add(limits, resource, value, value);
}

void limits_init(struct limits *limits, const struct sandbox_limits *resolved,
                 const struct limits_setting *setting)
{
    rlim_t file_bytes =
        setting->writable_folder ? BUILD_FILE_BYTES : (rlim_t)resolved->scratch_bytes;

    limits->count = 0;
    add_same(limits, RLIMIT_CORE,
             1); /* 1 byte, because at 0 the kernel would pipe core dumps to a program */
    add_same(limits, RLIMIT_FSIZE, file_bytes);
    add_same(limits, RLIMIT_MEMLOCK, 0);
    add_same(limits, RLIMIT_MSGQUEUE, 0);
    add_same(limits, RLIMIT_NICE, 0);
    add_same(limits, RLIMIT_RTPRIO, 0);
    /* A count of signals that all bots share would tell one bot about another. */
    add_same(limits, RLIMIT_SIGPENDING, setting->own_count ? SIGNALS_PENDING_MAX : 0);
    add_same(limits, RLIMIT_NOFILE, (rlim_t)resolved->open_file_count);
    add(limits, RLIMIT_STACK, STACK_SOFT_BYTES, STACK_HARD_BYTES);
    add_same(limits, RLIMIT_AS, ADDRESS_BYTES);
    if (setting->memory_cgroup)
        add_same(limits, RLIMIT_DATA, MAPPED_TIMES_MEMORY * (rlim_t)resolved->memory_bytes);
    else
        add_same(limits, RLIMIT_DATA,
                 (rlim_t)resolved->memory_bytes /
                     (rlim_t)(setting->data_shares > 1 ? setting->data_shares : 1));
    if (resolved->cpu_s > 0) /* the kernel sends SIGXCPU at the limit, and SIGKILL a second later */
        add(limits, RLIMIT_CPU, (rlim_t)resolved->cpu_s, (rlim_t)resolved->cpu_s + 1);
    if (setting->own_count) /* the kernel counts threads and the keeper as processes */
        add_same(limits, RLIMIT_NPROC,
                 (rlim_t)resolved->process_count + (rlim_t)resolved->thread_count);
}
