/*
 * Bots that a worker has downloaded from its store, kept on this machine. Packages are kept by hash
 * in a cache of limited size, which workers on one machine may share and which outlives them; the
 * bots' records are in a folder of the worker's own. To the process that unpacks packages a depot
 * looks like a store that contains nothing else.
 */
#ifndef ARENA_STORE_DEPOT_DEPOT_H
#define ARENA_STORE_DEPOT_DEPOT_H

#include "arena/store/backend.h"

/* Reads bots, manifests and packages; its addresses come from depot_url. */
extern const struct store_backend depot_backend;

struct depot;

/*
 * Creates a depot, and the folder cache if it does not exist. The oldest packages are removed once
 * the cache exceeds bytes_max. Returns 0 or -errno.
 */
int depot_create(struct depot **depot, const char *cache, int64_t bytes_max);

/* Removes the worker's own folder; the cache stays. Accepts NULL. */
void depot_destroy(struct depot *depot);

/* Returns the URL of the depot for a process on this machine; owned by the depot. */
const char *depot_url(const struct depot *depot);

/*
 * Reads a package from the cache and checks its hash; removes it if it is damaged. The caller frees
 * *package. Returns 0, -ENOENT or -errno.
 */
int depot_package_read(struct depot *depot, const char *sha256, uint8_t **package, size_t *size);

/*
 * Stores a package, or a bot with its manifest (NULL: it is in the submitted package). Returns 0 or
 * -errno.
 */
int depot_package_add(struct depot *depot, const char *sha256, struct store_package package);
int depot_bot_add(struct depot *depot, const struct store_bot *bot, const char *manifest);

/*
 * False if all programs of a package are for other machines; true also if it has no machine code
 * (scripts).
 */
bool depot_package_runs_here(struct store_package package);

#endif
