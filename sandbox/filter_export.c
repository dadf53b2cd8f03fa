#include "sandbox/filter_export.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* libseccomp 2.5 can export only to a descriptor. */
static int read_program(struct filter *filter, scmp_filter_ctx context)
{
    int program_fd = memfd_create("filter", MFD_CLOEXEC);
    off_t size_bytes;
    int result;

    if (program_fd < 0)
        return -errno;
    result = seccomp_export_bpf(context, program_fd);
    if (result < 0)
        goto out;
    size_bytes = lseek(program_fd, 0, SEEK_END);
    filter->code = malloc((size_t)size_bytes);
    if (!filter->code) {
        result = -ENOMEM;
        goto out;
    }
    filter->length = (unsigned short)((size_t)size_bytes / sizeof *filter->code);
    if (pread(program_fd, filter->code, (size_t)size_bytes, 0) != size_bytes)
        result = -EIO;
out:
    close(program_fd);
    return result;
}

int filter_find_pid_places(struct filter *filter)
{
    for (unsigned short i = 0; i < filter->length; i++) {
        if (filter->code[i].k != FILTER_PID_PLACEHOLDER)
            continue;
        if (filter->pid_place_count == FILTER_PID_PLACES_MAX)
            return -E2BIG;
        filter->pid_places[filter->pid_place_count++] = i;
    }
    return 0;
}

int filter_export(struct filter *filter, scmp_filter_ctx context)
{
    int result = read_program(filter, context);

    return result < 0 ? result : filter_find_pid_places(filter);
}
