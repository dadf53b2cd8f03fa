/*
 * The system calls this sandbox knows by name, each with its ruling and the reason
 * for it. What is not in the table is answered with ENOSYS, on which C libraries and
 * runtimes fall back. filter.c turns the table into a program; docs/sandbox.md prints it.
 */
#ifndef SANDBOX_CALLS_H
#define SANDBOX_CALLS_H

#include <stddef.h>

enum call_ruling {
    CALL_ALLOWED,   /* whatever its arguments: costs nothing, the kernel caches it */
    CALL_TESTED,    /* allowed with some arguments: filter.c says which */
    CALL_WRITES,    /* allowed where something is writable, a scratch or a build; else EPERM */
    CALL_PROCESSES, /* allowed where several processes are; else EPERM */
    CALL_BUILDS,    /* allowed to a build; else EPERM */
    CALL_LOCKS,     /* made by the arena for a build, on its own files; else EPERM */
    CALL_IGNORED,   /* answered with success, without effect */
    CALL_ANSWERED,  /* answered by the arena, with the child's limits in place of the machine's */
    CALL_REFUSED,   /* EPERM: honest programs try it and live without */
    CALL_FORBIDDEN, /* no honest program makes it: named, and the caller killed */
};

struct call {
    const char *name;
    int number; /* of this machine; negative where it has no such call */
    enum call_ruling ruling;
    const char *reason; /* why allowed, or what refusing it stops */
};

/* The whole table, in the order in which the document prints it. */
const struct call *call_table(size_t *count);

/* The entry of a system call, or NULL. */
const struct call *call_find(int number);

/* Its name, from the table or from libseccomp; "call N" has no name: NULL. Static. */
const char *call_name(int number);

/* "allowed", "forbidden", ... */
const char *call_ruling_name(enum call_ruling ruling);

#endif
