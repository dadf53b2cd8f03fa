/* Converts libseccomp's rules into the program that the kernel loads. */
#ifndef SANDBOX_FILTER_EXPORT_H
#define SANDBOX_FILTER_EXPORT_H

#include <seccomp.h>

#include "sandbox/filter.h"

enum {
    /* Stands for the child's own PID in the built program; no real PID is as large. */
    FILTER_PID_PLACEHOLDER = 0x7fb07e57,
};

/* Fills in a zeroed filter; its code is malloc'ed. Returns 0 or -errno. */
int filter_export(struct filter *filter, scmp_filter_ctx context);

/* Finds where the code holds the placeholder. Returns 0, or -E2BIG if there are too many places. */
int filter_find_pid_places(struct filter *filter);

#endif
