/* SPDX-License-Identifier: MIT */
/*
 * Table of system calls, each with its ruling and the reason for the ruling. A call that is not in
 * the table fails with ENOSYS, for which C libraries and runtimes have a fallback. filter.c
 * compiles the table into a BPF program; `arena doctor --calls` prints the table.
 */
#ifndef SANDBOX_CALLS_H
#define SANDBOX_CALLS_H

#include <stddef.h>

enum call_ruling {
    CALL_ALLOWED,   /* allowed with any arguments; the kernel caches this ruling, so that the filter
                       costs no time */
    CALL_TESTED,    /* allowed with the arguments that filter.c lists */
    CALL_WRITES,    /* allowed if the child has a writable folder or /tmp; else EPERM */
    CALL_PROCESSES, /* allowed if the child may have several processes; else EPERM */
    CALL_BUILDS,    /* allowed in a build; else EPERM */
    CALL_LOOPBACK, /* allowed, with some arguments, in a build with a private network; else EPERM */
    CALL_IGNORED,  /* the call returns success and has no effect */
    CALL_ANSWERED, /* the arena answers the call with the child's limits instead of the machine's */
    CALL_UNSUPPORTED, /* the call fails with EOPNOTSUPP, as on a file system that does not support
                         the call */
    CALL_REFUSED, /* the call fails with EPERM; honest programs try the call and work without it */
    CALL_FORBIDDEN, /* the arena records the call and kills the child; no honest program makes this
                       call */
};

struct call {
    const char *name;
    int number; /* call number on this architecture; negative if the call does not exist there */
    enum call_ruling ruling;
    const char *reason; /* why the call is allowed, or what its refusal prevents */
};

/* Returns the whole table, in the order of `arena doctor --calls`, and sets *count to its length.
 */
const struct call *call_table(size_t *count);

/* Returns the table entry of a system call, or NULL. */
const struct call *call_find(int number);

/*
 * Returns the name of a system call, from the table or from libseccomp: a static string, or NULL if
 * the number has no name.
 */
const char *call_name(int number);

/* Returns the word for a ruling, such as "allowed". */
const char *call_ruling_name(enum call_ruling ruling);

#endif
