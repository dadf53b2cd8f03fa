/*
 * Computes the filters of most children when the project is built. At run time, libseccomp would
 * take some milliseconds per filter, a fifth of the duration of a short match.
 */
#include <stdio.h>

#include "sandbox/filter.h"

/* filter_init, which this program links but does not call, needs a table. */
const struct filter_entry filter_table[1];
const size_t filter_table_count = 0;

static const unsigned variants[] = {
    /*
     * bots: one process or several, each with and without a memory cgroup; one process in the lite
     * tier
     */
    FILTER_PID_NAMESPACE | FILTER_MEMORY_CGROUP | FILTER_NOTIFY,
    FILTER_PID_NAMESPACE | FILTER_NOTIFY,
    FILTER_PID_NAMESPACE | FILTER_MEMORY_CGROUP | FILTER_NOTIFY | FILTER_PROCESSES,
    FILTER_PID_NAMESPACE | FILTER_NOTIFY | FILTER_PROCESSES,
    FILTER_NOTIFY,
    /* builds */
    FILTER_PID_NAMESPACE | FILTER_MEMORY_CGROUP | FILTER_NOTIFY | FILTER_PROCESSES |
        FILTER_WRITABLE | FILTER_BUILD,
    FILTER_PID_NAMESPACE | FILTER_NOTIFY | FILTER_PROCESSES | FILTER_WRITABLE | FILTER_BUILD,
    /* builds with a loopback interface */
    FILTER_PID_NAMESPACE | FILTER_MEMORY_CGROUP | FILTER_NOTIFY | FILTER_PROCESSES |
        FILTER_WRITABLE | FILTER_BUILD | FILTER_LOOPBACK,
    FILTER_PID_NAMESPACE | FILTER_NOTIFY | FILTER_PROCESSES | FILTER_WRITABLE | FILTER_BUILD |
        FILTER_LOOPBACK,
};

enum {
    VARIANTS = sizeof variants / sizeof *variants
};

static int print_code(int number)
{
    struct filter filter;

    if (filter_build(&filter, variants[number]) < 0)
        return 1;
    printf("static const struct sock_filter code_%d[] = {\n", number);
    for (int i = 0; i < filter.length; i++)
        printf("    {0x%x, %d, %d, 0x%x},\n", filter.code[i].code, filter.code[i].jt,
               filter.code[i].jf, filter.code[i].k);
    printf("};\n\n");
    filter_finish(&filter);
    return 0;
}

int main(void)
{
    printf("/* Made by sandbox/tables/make_filters.c. */\n#include \"sandbox/filter.h\"\n\n");
    for (int i = 0; i < VARIANTS; i++)
        if (print_code(i))
            return 1;
    printf("const struct filter_entry filter_table[] = {\n");
    for (int i = 0; i < VARIANTS; i++)
        printf("    {%u, code_%d, sizeof code_%d / sizeof *code_%d},\n", variants[i], i, i, i);
    printf("};\n\nconst size_t filter_table_count = %d;\n", VARIANTS);
    return fflush(stdout) == 0 ? 0 : 1;
}
