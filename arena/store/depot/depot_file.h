/* What both sides of a depot know of its folders. For these files only. */
#ifndef ARENA_STORE_DEPOT_DEPOT_FILE_H
#define ARENA_STORE_DEPOT_DEPOT_FILE_H

#include <stddef.h>
#include <stdint.h>

#define DEPOT_PACKAGES "packages"      /* leads to the cache */
#define DEPOT_BOT      "bot-%lld.json" /* by id */

/* Reads a package from the cache: see depot_package_read. */
int depot_file_read(const char *cache, const char *sha256, uint8_t **package, size_t *size);

#endif
