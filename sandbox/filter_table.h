/*
 * The filters that most children have, computed when the project is built (tables/make_filters.c),
 * as filter_build makes them.
 */
#ifndef SANDBOX_FILTER_TABLE_H
#define SANDBOX_FILTER_TABLE_H

#include <stddef.h>

#include "sandbox/filter.h"

struct filter_entry {
    struct filter_variant variant;
    const struct sock_filter *code;
    unsigned short length;
};

extern const struct filter_entry filter_table[];
extern const size_t filter_table_count;

#endif
