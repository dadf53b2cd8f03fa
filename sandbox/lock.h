/*
 * flock for builds. Compilers lock their caches, but a lock on a system file would affect every
 * other process that has it open. The arena therefore makes the call for the build, on the same
 * open file that it has checked.
 */
#ifndef SANDBOX_LOCK_H
#define SANDBOX_LOCK_H

#include <linux/seccomp.h>

enum {
    LOCK_WAITS = 1,
};

/*
 * Makes the flock call of a waiting thread, as its notification describes it. Does not block.
 * Returns 0 or -errno: -EPERM if the descriptor is neither a file nor a folder, or is on a
 * read-only mount, as all system files are in a build's root. Returns LOCK_WAITS if somebody else
 * holds the lock: a thread beside the arena answers the call once it has it, or forgets it once
 * its caller is gone; -ENOLCK if 64 calls wait so already.
 */
int lock_file(int notify_fd, const struct seccomp_notif *call);

#endif
