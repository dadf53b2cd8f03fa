/*
 * The packages that a worker has fetched, kept on this machine as plain files named by their hash.
 * Workers on one machine may share a cache; its files stay when the workers end. Whoever unpacks a
 * package checks its hash, and removes the file if it is damaged.
 */
#ifndef ARENA_WORKER_CACHE_H
#define ARENA_WORKER_CACHE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache {
    char folder[PATH_MAX / 2];
    /* Limit for all packages together; the least recently used ones are removed. */
    int64_t bytes_max;
};

/*
 * Creates the folder if it does not exist. Returns 0 or -errno: -EPERM if other users may write to
 * the folder, because they could then change the programs that run here.
 */
int cache_open(struct cache *cache, const char *folder, int64_t bytes_max);

/* Writes the path of the file of a package; the file need not exist. */
void cache_path(const struct cache *cache, const char *sha256, char path[static PATH_MAX]);

/* Returns true if the cache has a package, and marks the package as used now. */
bool cache_has(const struct cache *cache, const char *sha256);

/*
 * To add a package, call cache_begin, write the package to the descriptor, and call cache_end. The
 * package appears in the cache only when it is complete. cache_begin returns the descriptor or
 * -errno. cache_end closes the descriptor, and keeps the package only if error is 0; it returns 0
 * or -errno.
 */
int cache_begin(const struct cache *cache, const char *sha256);
int cache_end(const struct cache *cache, const char *sha256, int fd, int error);

/*
 * Returns false if the package has machine code, but none for this machine. Returns true for a
 * package without machine code (scripts).
 */
bool cache_runs_here(const struct cache *cache, const char *sha256);

#endif
