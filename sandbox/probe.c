#include "sandbox/prepared.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/landlock.h"

/*
 * If the arena runs as root, each slot has a UID that nobody else on the machine uses, so that even
 * if other layers fail, neither signals nor limits per UID reach from one bot to another. No
 * distribution and no systemd range assigns UIDs this high. If they do not exist (a container maps
 * few), all children share the UID of nobody.
 */
static const uid_t UID_FIRST = 1900000000;
static const uid_t UID_SHARED = 65534;

/* Reads /proc/self/uid_map or gid_map. Returns true if these IDs are mapped here. */
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
