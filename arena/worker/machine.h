/* What a worker reports about its machine. */
#ifndef ARENA_WORKER_MACHINE_H
#define ARENA_WORKER_MACHINE_H

#include "arena/store/leases.h"

/* Fills in host, processor, architecture and core_count. */
void machine_describe(struct store_worker *worker);

/* Returns how many random games per second one core plays, measured for about 200 ms. */
int64_t machine_calibrate(void);

#endif
