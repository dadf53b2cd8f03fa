/* The SQLite back end: one file, arena.db in the folder named by the URL. */
#ifndef ARENA_STORE_SQLITE_SQLITE_H
#define ARENA_STORE_SQLITE_SQLITE_H

#include "arena/store/backend.h"

extern const struct store_backend sqlite_backend;

#endif
