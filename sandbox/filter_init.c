#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox/filter_export.h"
#include "sandbox/filter_table.h"

static bool is_same(const struct filter_variant *a, const struct filter_variant *b)
{
    return a->processes == b->processes && a->writable == b->writable && a->build == b->build &&
           a->loopback == b->loopback && a->pid_namespace == b->pid_namespace &&
           a->memory_cgroup == b->memory_cgroup && a->notify == b->notify && a->trace == b->trace;
}

/* A copy of its own, since the child's PID is written into it. */
static int copy(struct filter *filter, const struct filter_entry *entry)
{
    const size_t size = entry->length * sizeof *entry->code;
    int result;

    *filter = (struct filter){.code = malloc(size), .length = entry->length};
    if (!filter->code)
        return -ENOMEM;
    memcpy(filter->code, entry->code, size);
    result = filter_find_pid_places(filter);
    if (result < 0)
        filter_finish(filter);
    return result;
}

int filter_init(struct filter *filter, const struct filter_variant *variant)
{
    for (size_t i = 0; i < filter_table_count; i++)
        if (is_same(variant, &filter_table[i].variant))
            return copy(filter, &filter_table[i]);
    return filter_build(filter, variant);
}
