/*
 * Another back end, for tests: everything in memory, for the life of the process. Written from
 * store.h, submissions.h and games.h of arena/store/ alone, to check that these headers describe
 * the interface completely.
 */
#ifndef TESTS_STORE_MEMORY_H
#define TESTS_STORE_MEMORY_H

#include "arena/store/backend.h"

/*
 * Stores with the same address are the same store. An address exists once it was opened with
 * STORE_CREATE.
 */
extern const struct store_backend memory_backend;

#endif
