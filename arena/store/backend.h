/*
 * What a store needs of a back end, and what it does for one: for the files of arena/store/, its
 * back ends and tests; everybody else calls store.h and leases.h.
 */
#ifndef ARENA_STORE_BACKEND_H
#define ARENA_STORE_BACKEND_H

#include "arena/store/leases.h"
#include "arena/store/tables.h"

/*
 * What a back end does. store.c calls nothing else of it, with arguments that were checked and
 * never from two threads at a time, and checks every row that comes back. Functions are as the
 * store_ calls of their names; what is said of each here comes in addition.
 *
 * They return 0 or -errno. For -ENOENT, -EEXIST, -ECANCELED and -ENOMEM the store has words; of
 * anything else the back end tells store_explain, in one line. A write outside of begin and
 * commit is a transaction of its own: short, and whole or not at all. Each change of who plays
 * or of a season is an event, in the transaction of that change: see struct store_event.
 * Numbers of one season's openings, entries, batches and groups are the caller's; ids of bots and
 * seasons are the back end's: positive, ascending in order of their adding. Iteration may read in
 * batches, so that no transaction lasts while each_fn works; an each_fn may call any function that
 * reads, the one it was called by included. It stops the iteration by a result other than 0: then
 * -EINTR.
 */
struct store_backend {
    const char *scheme; /* of its URLs */

    /* Opens an address, the URL without its scheme, and sets the state. On failure too, close
       is called once. */
    int (*open)(struct store *store, const char *address, enum store_mode mode);
    void (*close)(struct store *store); /* state may be NULL */
    int (*version)(const struct store *store);
    int (*check)(struct store *store);
    int (*backup)(struct store *store, const char *path);
    int (*diagnose)(struct store *store, store_finding_fn *each_fn,
                    void *context); /* may be NULL */
    int (*begin)(struct store *store);
    int (*commit)(struct store *store); /* on failure rollback follows */
    void (*rollback)(struct store *store);
    int (*season_claim)(struct store *store, const char *name);
    void (*season_release)(struct store *store);

    int (*bot_add)(struct store *store, struct store_bot *bot, struct store_package given,
                   struct store_package built); /* sets id, previous_id and newest */
    int (*bot_find)(struct store *store, const char *name, const char *version,
                    struct store_bot *bot);
    int (*bots_each)(struct store *store, store_bot_fn *each_fn, void *context);
    int (*bot_retire)(struct store *store, const char *name, int64_t now_us);
    int (*bot_unretire)(struct store *store, const char *name);
    int (*ban_add)(struct store *store, const char *name, const char *author, bool void_games,
                   int64_t now_us);
    int (*ban_lift)(struct store *store, const char *name, const char *author, int64_t now_us);
    int (*manifest_read)(struct store *store, int64_t bot_id,
                         char **text); /* leaves NULL for none */
    int (*package_read)(struct store *store, const char *sha256, uint8_t **package, size_t *size);

    int (*submission_add)(struct store *store, struct store_submission *submission,
                          struct store_package package); /* sets id */
    int (*submissions_each)(struct store *store, bool only_open, store_submission_fn *each_fn,
                            void *context);
    int (*submission_advance)(struct store *store, int64_t id, enum store_submission_state state,
                              int64_t now_us);
    int (*submission_end)(struct store *store, int64_t id, int64_t bot_id, const char *report,
                          int64_t now_us);

    int (*season_add)(struct store *store, struct store_season *season,
                      const struct store_opening *opening);
    int (*season_find)(struct store *store, const char *name, struct store_season *season);
    int (*seasons_each)(struct store *store, store_season_fn *each_fn, void *context);
    int (*season_extend)(struct store *store, int64_t season_id, int64_t more_games);
    int (*season_begin_close)(struct store *store, int64_t season_id, int64_t until_us);
    int (*season_go_on)(struct store *store, int64_t season_id);
    int (*season_close)(struct store *store, int64_t season_id, int64_t now_us);
    int (*season_reopen)(struct store *store, int64_t season_id, int64_t budget_games,
                         const struct store_opening *opening);
    int (*openings_each)(struct store *store, int64_t season_id, store_opening_fn *each_fn,
                         void *context);
    int (*entries_each)(struct store *store, int64_t season_id, store_entry_fn *each_fn,
                        void *context);
    int (*groups_each)(struct store *store, int64_t season_id, store_group_fn *each_fn,
                       void *context);
    int (*batches_each)(struct store *store, int64_t season_id, store_batch_fn *each_fn,
                        void *context);
    int (*batch_add)(struct store *store, int64_t season_id, const struct store_batch *batch,
                     const struct store_entry *entries, size_t entry_count,
                     const struct store_group *groups, size_t group_count);
    int (*event_latest)(struct store *store, int64_t *event);
    int (*events_each)(struct store *store, int64_t season_id, store_event_fn *each_fn,
                       void *context);
    int (*roster_set)(struct store *store, int64_t season_id, const char *const *names,
                      size_t count); /* names are sound and have bots */
    int (*roster_each)(struct store *store, int64_t season_id, store_name_fn *each_fn,
                       void *context);

    int (*game_add)(struct store *store, int64_t season_id, const struct store_game *game,
                    const uint8_t *replay, size_t replay_bytes);
    int (*results_each)(struct store *store, int64_t season_id, int first_group,
                        store_game_fn *each_fn, void *context);
    int (*games_each)(struct store *store, int64_t season_id, store_game_fn *each_fn,
                      void *context);
    int (*replay_read)(struct store *store, int64_t season_id, int group, int rotation,
                       uint8_t **replay, size_t *size);
    int (*replays_prunable)(struct store *store, int64_t season_id, int64_t keep_games,
                            struct store_pruned *pruned);
    int (*replays_prune)(struct store *store, int64_t season_id, int64_t keep_games,
                         int64_t count_max, struct store_pruned *pruned);

    /* Leases: NULL where a back end has none. */
    int (*worker_add)(struct store *store, struct store_worker *worker);
    int (*workers_each)(struct store *store, store_worker_fn *each_fn, void *context);
    int (*worker_seats_each)(struct store *store, int64_t season_id, store_worker_seats_fn *each_fn,
                             void *context);
    int (*season_deal)(struct store *store, int64_t season_id, bool to_workers);
    int (*lease_claim)(struct store *store, const struct store_worker *worker,
                       const struct store_claim *claim, struct store_lease *leases);
    int (*lease_renew)(struct store *store, const struct store_worker *worker, int64_t lease_us,
                       store_lease_fn *each_fn, void *context);
    int (*lease_return)(struct store *store, const struct store_worker *worker,
                        const struct store_lease *lease);
    int (*lease_game_add)(struct store *store, const struct store_worker *worker,
                          const struct store_lease *lease, const struct store_game *game,
                          const uint8_t *replay, size_t replay_bytes);
    int (*lease_manifest_read)(struct store *store, const struct store_worker *worker,
                               int64_t bot_id, char **text);
    int (*lease_package_read)(struct store *store, const struct store_worker *worker,
                              const char *sha256, uint8_t **package, size_t *size);
    /* Of tables.h, for copies: NULL where a back end has no tables. */
    int (*rows_each)(struct store *store, const struct store_table *table, store_row_fn *each_fn,
                     void *context); /* by their keys; ends with what each_fn returns */
    int (*row_add)(struct store *store, const struct store_table *table,
                   const struct store_value *values);
    int (*rows_end)(struct store *store); /* all are there: counters go on behind them */

    int (*listen)(struct store *store, enum store_channel channel);
    int (*heard)(struct store *store);
};

/* As store_open, with a back end and an address of its own. */
int store_open_backend(struct store **store, const struct store_backend *backend,
                       const char *address, enum store_mode mode);

/* The back end's own, kept for it from its open to its close; NULL before. */
void *store_state(const struct store *store);
void store_set_state(struct store *store, void *state);

/* Sets what messages call the store: see store_where. */
void store_set_where(struct store *store, const char *where);

/*
 * What the events of a roster say: "all"; or "only a,b" and, for names that one has no room for,
 * "and c,d". Writes the next, from name *from on (0 at first), and moves that. False after the
 * last.
 */
bool store_roster_words(const char *const *names, size_t count, size_t *from,
                        char about[static STORE_ABOUT_BYTES]);

#endif
