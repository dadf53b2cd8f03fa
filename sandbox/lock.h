/*
 * flock for builds: compilers lock their caches, but a lock on a file of the system would reach
 * whoever else has it open. The arena makes the call in the build's place, on the very descriptor
 * that it has looked at.
 */
#ifndef SANDBOX_LOCK_H
#define SANDBOX_LOCK_H

#include <linux/seccomp.h>

/*
 * Makes the flock that a thread waits in, as its notification tells. Does not block. Returns 0 or
 * -errno: -EPERM for what is neither file nor folder or is mounted read-only, as all of the
 * system's are in a build's root; -EINTR where it would have to wait, so that it asks again.
 */
int lock_file(int notify_fd, const struct seccomp_notif *call);

#endif
