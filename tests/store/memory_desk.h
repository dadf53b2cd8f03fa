/* What the files of leases in memory share. */
#ifndef TESTS_STORE_MEMORY_DESK_H
#define TESTS_STORE_MEMORY_DESK_H

#include "tests/store/memory_leases.h"

enum {
    RUNS_MAX = 16,
    HELD_MAX = 256,
    DEALT_MAX = 16,
    BOTS_MAX = 64,
};

/* A group's lease: it stays, with its token, when nobody holds the group. */
struct held {
    int64_t season_id;
    int group;
    int64_t worker_id; /* 0: nobody */
    int64_t token, until_us;
};

/* What the leases of one store are made of. No part of transactions: each change is one. */
struct desk {
    struct desk *next;
    char url[STORE_WHERE_BYTES];
    struct store_worker runs[RUNS_MAX];
    int run_count;
    struct held held[HELD_MAX];
    int held_count;
    int64_t dealt[DEALT_MAX]; /* seasons that workers play */
    int dealt_count;
};

int64_t desk_now_us(void); /* since 1970 */
struct desk *desk_of(const struct store *store);

/* The run of a worker, by its identity; NULL if it has not registered. */
struct store_worker *desk_run_of(const struct store *store, const struct store_worker *worker);

#endif
