/*
 * A cache of finished builds, keyed by their inputs: the package, the command and the sandbox tier.
 * It is a folder in the user's home; several arenas may use it at once. Its failures are not
 * reported: a build that cannot be kept or is damaged is simply built again.
 */
#ifndef ARENA_PLAY_BUILD_CACHE_H
#define ARENA_PLAY_BUILD_CACHE_H

#include <stdbool.h>

#include "arena/play/package.h"

enum build_cache_limits {
    BUILD_CACHE_COUNT_MAX = 64, /* builds; the least recently used is removed first */
    BUILD_CACHE_MIB_MAX = 4096, /* total size of all builds */
};

/* The inputs of a build. */
struct build_key {
    const char *package_sha256;
    const char *const *command; /* argv, NULL ended */
    int tier;                   /* enum sandbox_tier */
};

/*
 * Copies the build of that key to target, which must not exist, with plain modes. Returns false,
 * with nothing at target, if there is no such build or it was changed since it was kept.
 */
bool build_cache_take(const char *cache, const struct build_key *key, const char *target);

/* Keeps a copy of the folder under that key, then removes builds beyond the limits. */
void build_cache_keep(const char *cache, const struct build_key *key, const char *folder);

#endif
