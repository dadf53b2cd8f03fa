/*
 * Table of the system calls that the sandbox knows by name, each with its ruling and the reason. A
 * call that is not in the table fails with ENOSYS, for which C libraries and runtimes have a
 * fallback. filter.c compiles the table into a BPF program; docs/sandbox.md prints it.
 */
#ifndef SANDBOX_CALLS_H
#define SANDBOX_CALLS_H

#include <stddef.h>

enum call_ruling {
    CALL_ALLOWED,   /* with any arguments: the kernel caches this, so it costs nothing */
    CALL_TESTED,    /* allowed with some arguments, which filter.c lists */
    CALL_WRITES,    /* allowed if the child has a scratch or is a build; else EPERM */
    CALL_PROCESSES, /* allowed where the program may start processes; else EPERM */
    CALL_BUILDS,    /* allowed in a build; else EPERM */
    CALL_LOOPBACK,  /* allowed, with some arguments, in a build whose network is its own; else EPERM
                     */
    CALL_LOCKS,     /* the arena makes the call for a build, on the build's own files; else EPERM */
    CALL_IGNORED,   /* returns success and has no effect */
    CALL_ANSWERED,  /* the arena answers, with the child's limits instead of the machine's */
    CALL_UNSUPPORTED, /* EOPNOTSUPP: as on a file system without such a thing */
    CALL_REFUSED,     /* EPERM: honest programs try it and can do without */
    CALL_FORBIDDEN,   /* no honest program makes it: it is recorded and the child is killed */
};

struct call {
    const char *name;
    int number; /* the call's number on this architecture; negative if it does not exist there */
    enum call_ruling ruling;
    const char *reason; /* why it is allowed, or what refusing it prevents */
};

/* Returns the whole table, in the order of docs/sandbox.md. */
const struct call *call_table(size_t *count);

/* The entry of a system call, or NULL. */
const struct call *call_find(int number);

/* Returns the name of a call, from the table or from libseccomp, or NULL if it has none. Static. */
const char *call_name(int number);

/* "allowed", "forbidden", ... */
const char *call_ruling_name(enum call_ruling ruling);

#endif
