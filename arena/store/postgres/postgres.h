/*
 * The PostgreSQL back end: a database named by a URL, postgresql://USER@HOST:PORT/DATABASE, with
 * all parameters that libpq accepts. If the build has no libpq, it refuses to open and says what to
 * do.
 */
#ifndef ARENA_STORE_POSTGRES_POSTGRES_H
#define ARENA_STORE_POSTGRES_POSTGRES_H

#include "arena/store/backend.h"

extern const struct store_backend postgres_backend;

#endif
