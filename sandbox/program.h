/* SPDX-License-Identifier: MIT */
/*
 * Compiles seccomp programs with libseccomp, each in a process of its own: libseccomp 2.5 crashes,
 * or runs for ever, if it gets no memory. Then compiling fails, and the arena goes on. A process
 * that has not ended after 20 s is killed, and another one tries.
 */
#ifndef SANDBOX_PROGRAM_H
#define SANDBOX_PROGRAM_H

#include <linux/filter.h>
#include <seccomp.h>
#include <stdint.h>

/* Adds the rules. Runs in the other process, with a copy of the arena's memory. Returns 0 or
 * -errno. */
typedef int program_rules_fn(scmp_filter_ctx context, const void *self);

/*
 * Sets *code and *length to the program of these rules; calls for which there is none get the
 * default action. The caller frees *code. Returns 0 or -errno.
 */
int program_compile(uint32_t default_action, program_rules_fn *rules_fn, const void *self,
                    struct sock_filter **code, unsigned short *length);

#endif
