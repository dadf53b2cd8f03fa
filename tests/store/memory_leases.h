/* Workers and leases of the back end in memory, written from arena/store/leases.h alone. */
#ifndef TESTS_STORE_MEMORY_LEASES_H
#define TESTS_STORE_MEMORY_LEASES_H

#include "arena/store/backend.h"

/* Each has the contract of the back end's function of that name. */
int memory_worker_add(struct store *store, struct store_worker *worker);
int memory_workers_each(struct store *store, store_worker_fn *each_fn, void *context);
int memory_worker_seats_each(struct store *store, int64_t season_id, store_worker_seats_fn *each_fn,
                             void *context);
int memory_season_deal(struct store *store, int64_t season_id, bool to_workers);
int memory_lease_claim(struct store *store, const struct store_worker *worker,
                       const struct store_claim *claim, struct store_lease *leases);
int memory_lease_renew(struct store *store, const struct store_worker *worker, int64_t lease_us,
                       store_lease_fn *each_fn, void *context);
int memory_leases_count(struct store *store, int64_t season_id);
int memory_lease_return(struct store *store, const struct store_worker *worker,
                        const struct store_lease *lease);
int memory_lease_game_add(struct store *store, const struct store_worker *worker,
                          const struct store_lease *lease, const struct store_game *game,
                          const uint8_t *replay, size_t replay_bytes);
int memory_lease_manifest_read(struct store *store, const struct store_worker *worker,
                               int64_t bot_id, char **text);
int memory_lease_package_read(struct store *store, const struct store_worker *worker,
                              const char *sha256, size_t from_byte, struct store_part *part);

#endif
