/* Within the sandbox: what the files that build a filter share. */
#ifndef SANDBOX_FILTER_RULES_H
#define SANDBOX_FILTER_RULES_H

#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/filter.h"

/* A filter being built; error is that of the first rule that failed. */
struct filter_building {
    scmp_filter_ctx context;
    const struct filter_variant *variant;
    int error;
};

/* Adds a rule for a call whose arguments pass all tests. A negative number stands for no call. */
void filter_add(struct filter_building *building, uint32_t action, int number, unsigned test_count,
                const struct scmp_arg_cmp *tests);

void filter_add_if(struct filter_building *building, uint32_t action, int number,
                   const struct scmp_arg_cmp test);

/* Allows a call if the low 32 bits of the argument are one of the values. */
void filter_add_values(struct filter_building *building, int number, unsigned argument,
                       const uint32_t *values, size_t count);

#define FILTER_ADD_VALUES(building, number, argument, values)                                      \
    filter_add_values(building, number, argument, values, sizeof(values) / sizeof *(values))

/* Adds what a child may do with sockets (filter_sockets.c). */
void filter_add_sockets(struct filter_building *building);

#endif
