/*
 * Bots that a worker fetched from its store, kept on this machine: packages by their hash in a
 * cache of bounded size, which workers of one machine may share and which outlives them, and who
 * the bots are in a folder of the worker's own. To the process that unpacks packages it is a store
 * that has nothing else.
 */
#ifndef ARENA_STORE_DEPOT_DEPOT_H
#define ARENA_STORE_DEPOT_DEPOT_H

#include "arena/store/backend.h"

/* Reads bots, manifests and packages; of an address that depot_url gave. */
extern const struct store_backend depot_backend;

struct depot;

/*
 * cache is made if it is not there; older packages leave it once it holds more than bytes_max.
 * 0 or -errno.
 */
int depot_create(struct depot **depot, const char *cache, int64_t bytes_max);

/* Removes the worker's own folder; the cache stays. Takes NULL. */
void depot_destroy(struct depot *depot);

/* Names it for a process of this machine; the depot's own. */
const char *depot_url(const struct depot *depot);

/*
 * A package of the cache, checked against what was kept, for the caller to free; a damaged one is
 * removed. 0, -ENOENT or -errno.
 */
int depot_package_read(struct depot *depot, const char *sha256, uint8_t **package, size_t *size);

/* Keeps a package, or a bot with its manifest (NULL: it is in the package as given). 0 or -errno.
 */
int depot_package_add(struct depot *depot, const char *sha256, struct store_package package);
int depot_bot_add(struct depot *depot, const struct store_bot *bot, const char *manifest);

/*
 * False for a package whose programs are all for other machines; true for one without programs of
 * any machine (scripts) too.
 */
bool depot_package_runs_here(struct store_package package);

#endif
