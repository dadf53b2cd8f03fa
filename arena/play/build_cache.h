/*
 * Builds that were made before, by what went into them: the package, the command and the tier of
 * the sandbox. A folder below the home, for one user; several arenas may use it at once. What
 * cannot be kept or is damaged is built again: no call here is an error for the caller.
 */
#ifndef ARENA_PLAY_BUILD_CACHE_H
#define ARENA_PLAY_BUILD_CACHE_H

#include <stdbool.h>

#include "arena/play/package.h"

enum build_cache_limits {
    BUILD_CACHE_COUNT_MAX = 64, /* builds; those not used for longest go first */
    BUILD_CACHE_MIB_MAX = 4096, /* of all of them */
};

/* What a build depends on. */
struct build_key {
    const char *package_sha256;
    const char *const *command; /* argv, NULL ended */
    int tier;                   /* enum sandbox_tier */
};

/*
 * Copies the build of that key to target, which must not exist, with plain modes. Returns true,
 * or false with nothing at target if there is none or it is not what was kept.
 */
bool build_cache_take(const char *cache, const struct build_key *key, const char *target);

/* Keeps a copy of the folder under that key, and removes what is then too much. */
void build_cache_keep(const char *cache, const struct build_key *key, const char *folder);

#endif
