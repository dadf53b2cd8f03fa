/*
 * A second back end, for tests: everything in memory, for the life of the process. Written
 * from arena/store/store.h alone, so that the interface is what that header says.
 */
#ifndef TESTS_STORE_MEMORY_H
#define TESTS_STORE_MEMORY_H

#include "arena/store/backend.h"

/* Stores of one address are one store. An address is known once it was opened to be made. */
extern const struct store_backend memory_backend;

#endif
