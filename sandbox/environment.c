#include "sandbox/environment.h"

#include <assert.h>
#include <stdio.h>

#include "sandbox/runtime.h"

/* A build has no network. These make tools that would wait for one fail with a clear message. */
#define ENVIRONMENT_OFFLINE                                                                        \
    "npm_config_offline=true", "npm_config_audit=false", "npm_config_fund=false",                  \
        "npm_config_update_notifier=false", "CARGO_NET_OFFLINE=true", "GOPROXY=off",               \
        "GOTOOLCHAIN=local", "PIP_NO_INDEX=1", "PIP_DISABLE_PIP_VERSION_CHECK=1"

static char *const plain[] = {
    "PATH=" RUNTIME_PATH,
    "LANG=C.UTF-8",
    "HOME=/",
    NULL,
};

/* The environment with a scratch, where programs put their temporary files. */
static char *const with_scratch[] = {
    "PATH=" RUNTIME_PATH, "LANG=C.UTF-8", "HOME=/tmp", "TMPDIR=/tmp", NULL,
};

static char *const of_build[] = {
    "PATH=" RUNTIME_PATH, "LANG=C.UTF-8", "HOME=/tmp", "TMPDIR=/tmp", ENVIRONMENT_OFFLINE, NULL,
};

static char *const *choose(const struct sandbox_command *command)
{
    if (command->profile == SANDBOX_PROFILE_BUILD)
        return of_build;
    return command->limits.scratch_bytes > 0 ? with_scratch : plain;
}

/*
 * Limits that runtimes cannot detect themselves: a heap size that leaves room for other memory. Go
 * reads the first, Node the second, every JVM the third (and reports it on standard error).
 */
void environment_init(struct environment *environment, const struct sandbox_command *command,
                      const struct sandbox_limits *limits)
{
    const long long mib = limits->memory_bytes >> 20;
    char *const *chosen = choose(command);
    size_t count = 0;

    for (; chosen[count]; count++)
        environment->variables[count] = chosen[count];
    snprintf(environment->go_limit, sizeof environment->go_limit, "GOMEMLIMIT=%lldMiB",
             mib * 9 / 10);
    snprintf(environment->node_limit, sizeof environment->node_limit,
             "NODE_OPTIONS=--max-old-space-size=%lld", mib * 3 / 4);
    snprintf(environment->java_limit, sizeof environment->java_limit, "JAVA_TOOL_OPTIONS=-Xmx%lldm",
             mib * 3 / 5);
    assert(count + 4 <= sizeof environment->variables / sizeof *environment->variables);
    environment->variables[count++] = environment->go_limit;
    environment->variables[count++] = environment->node_limit;
    environment->variables[count++] = environment->java_limit;
    environment->variables[count] = NULL;
}
