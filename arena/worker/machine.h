/*
 * What a worker tells of the machine it runs on.
 */
#ifndef ARENA_WORKER_MACHINE_H
#define ARENA_WORKER_MACHINE_H

#include "arena/store/leases.h"

/* Fills in host, processor, architecture and core_count. */
void machine_describe(struct store_worker *worker);

/* Random games a second on one core, measured for about 200 ms. */
int64_t machine_calibrate(void);

#endif
