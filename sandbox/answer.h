/*
 * Calls that the arena answers in the kernel's place, since the kernel would tell of the whole
 * machine: how many processes run on it, how busy it is, how much memory is free.
 */
#ifndef SANDBOX_ANSWER_H
#define SANDBOX_ANSWER_H

#include <linux/seccomp.h>
#include <stdint.h>

/*
 * Answers sysinfo: the child's memory limit as the whole memory, all of it free, one process, no
 * load. Where the child's memory cannot be written (a machine that forbids it to everybody), the
 * kernel answers after all. Does not block.
 */
void answer_sysinfo(int notify_fd, const struct seccomp_notif *call, int64_t memory_bytes);

#endif
