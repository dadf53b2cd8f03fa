/* From libseccomp's rules to the program that the kernel loads. */
#ifndef SANDBOX_FILTER_EXPORT_H
#define SANDBOX_FILTER_EXPORT_H

#include <seccomp.h>

#include "sandbox/filter.h"

enum {
    /* No process number is as large; stands in the built program for the child's own. */
    FILTER_PID_PLACEHOLDER = 0x7fb07e57,
};

/* Fills in a zeroed filter, whose code is malloc'ed. Returns 0 or -errno. */
int filter_export(struct filter *filter, scmp_filter_ctx context);

#endif
