/* The layout of a depot's folders, known to both of its sides. For these files only. */
#ifndef ARENA_STORE_DEPOT_DEPOT_FILE_H
#define ARENA_STORE_DEPOT_DEPOT_FILE_H

#include <stddef.h>
#include <stdint.h>

#define DEPOT_PACKAGES "packages"      /* symbolic link to the cache */
#define DEPOT_BOT      "bot-%lld.json" /* a bot's record, by id */

/* Reads a package from the cache: see depot_package_read. */
int depot_file_read(const char *cache, const char *sha256, uint8_t **package, size_t *size);

#endif
