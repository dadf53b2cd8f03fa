/*
 * The PostgreSQL back end: a database that a URL names, postgresql://USER@HOST:PORT/DATABASE with
 * all that libpq takes in it. Without libpq in the build it refuses to open, and says what to do.
 */
#ifndef ARENA_STORE_POSTGRES_POSTGRES_H
#define ARENA_STORE_POSTGRES_POSTGRES_H

#include "arena/store/backend.h"

extern const struct store_backend postgres_backend;

#endif
