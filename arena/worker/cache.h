/*
 * Packages that a worker has fetched, kept on this machine as plain files named by their hash.
 * Workers on one machine may share a cache, which outlives them; it has a limited size. Whoever
 * unpacks a package checks its hash, and removes a file that is damaged.
 */
#ifndef ARENA_WORKER_CACHE_H
#define ARENA_WORKER_CACHE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache {
    char folder[PATH_MAX / 2];
    int64_t bytes_max; /* the packages that were unpacked least recently are removed beyond this */
};

/*
 * Creates the folder if it does not exist. Returns 0 or -errno: -EPERM if others may write to it,
 * and so change what is run here.
 */
int cache_open(struct cache *cache, const char *folder, int64_t bytes_max);

/* Writes the path of a package's file. */
void cache_path(const struct cache *cache, const char *sha256, char path[static PATH_MAX]);

/* True if a package is there; it then counts as used. */
bool cache_has(const struct cache *cache, const char *sha256);

/*
 * To add a package: begin, write its bytes to the descriptor, and end. Others never see a part of
 * it. cache_end closes the descriptor, and keeps the package only if error is 0. Return the
 * descriptor, or 0; or -errno.
 */
int cache_begin(const struct cache *cache, const char *sha256);
int cache_end(const struct cache *cache, const char *sha256, int fd, int error);

/*
 * False if all programs of a package in the cache are for other machines; true also if it has no
 * machine code (scripts).
 */
bool cache_runs_here(const struct cache *cache, const char *sha256);

#endif
