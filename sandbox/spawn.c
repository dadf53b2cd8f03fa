#include "sandbox/sandbox.h"

static const char *const layer_names[] = {
    "no_new_privs", "seccomp", "notify",     "rlimits",  "landlock_fs", "landlock_net",  "landlock_scope",
    "user_ns",      "pid_ns",  "mount_ns",   "ipc_ns",   "uts_ns",      "cgroup_ns",     "net_ns",
    "root",         "proc",    "caps",       "cgroup_memory", "cgroup_pids", "uid",
};

const char *sandbox_layer_name(uint32_t layer)
{
    for (size_t i = 0; i < sizeof layer_names / sizeof *layer_names; i++)
        if (layer == 1u << i)
            return layer_names[i];
    return NULL;
}
