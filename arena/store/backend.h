/*
 * The interface between a store and its back ends. Only for the files of arena/store/, its back
 * ends and tests; all others use the four headers of its calls, which store.h names.
 */
#ifndef ARENA_STORE_BACKEND_H
#define ARENA_STORE_BACKEND_H

#include "arena/store/leases.h"
#include "arena/store/submissions.h"
#include "arena/store/tables.h"

/*
 * The functions of a back end. store.c calls only these, with checked arguments and from one thread
 * at a time, and checks every row that they return. Each function has the contract of the store_
 * function of the same name; comments here only add to it.
 *
 * They return 0 or -errno. The store has messages for -ENOENT, -EEXIST, -ECANCELED and -ENOMEM; for
 * any other error the back end calls store_explain with one line. A write outside begin and commit
 * is a short transaction of its own, all or nothing. Each change of a season or of who plays adds
 * an event in its own transaction: see struct store_event. The caller numbers the openings,
 * entries, batches and groups of a season; the back end assigns the ids of bots and seasons,
 * positive and ascending.
 *
 * An iteration may read in pages, so that no transaction is open while each_fn runs. each_fn may
 * call any function that reads, including the one that called it. If each_fn returns anything but
 * 0, the iteration ends with -EINTR.
 */
struct store_backend {
    const char *scheme; /* scheme of its URLs */

    /*
     * Opens an address, which is the URL without its scheme, and sets the state. close is called
     * once, even after a failure.
     */
    int (*open)(struct store *store, const char *address, enum store_mode mode);
    void (*close)(struct store *store); /* state may be NULL */
    int (*version)(const struct store *store);
    int (*check)(struct store *store);
    int (*backup)(struct store *store, const char *path);
    int (*diagnose)(struct store *store, store_finding_fn *each_fn,
                    void *context); /* may be NULL */
    int (*begin)(struct store *store);
    int (*commit)(struct store *store); /* after a failure rollback is called */
    void (*rollback)(struct store *store);
    int (*season_claim)(struct store *store, const char *name, bool waits);
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
                         char **text); /* leaves *text NULL if there is none */
    int (*package_read)(struct store *store, const char *sha256, uint8_t **package, size_t *size);
    void (*package_forget)(struct store *store, const char *sha256); /* of a cache alone */

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
    int (*season_take_processor)(struct store *store, int64_t season_id,
                                 const char *processor); /* sets it if it is empty */
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
                      size_t count); /* names are valid and have bots */
    int (*roster_each)(struct store *store, int64_t season_id, store_name_fn *each_fn,
                       void *context);

    int (*game_add)(struct store *store, int64_t season_id, const struct store_game *game,
                    const uint8_t *replay, size_t replay_bytes);
    int (*results_each)(struct store *store, int64_t season_id, int first_group,
                        store_game_fn *each_fn, void *context);
    int (*games_each)(struct store *store, int64_t season_id, int first_group,
                      store_game_fn *each_fn, void *context);
    int (*heads_each)(struct store *store, int64_t season_id, store_game_fn *each_fn,
                      void *context);
    int (*replay_read)(struct store *store, int64_t season_id, int group, int rotation,
                       uint8_t **replay, size_t *size);
    int (*replays_prunable)(struct store *store, int64_t season_id, int64_t keep_games,
                            struct store_pruned *pruned);
    int (*replays_prune)(struct store *store, int64_t season_id, int64_t keep_games,
                         int64_t count_max, struct store_pruned *pruned);

    /* Leases; NULL if the back end has none. */
    int (*worker_add)(struct store *store, struct store_worker *worker);
    int (*workers_each)(struct store *store, store_worker_fn *each_fn, void *context);
    int (*worker_seats_each)(struct store *store, int64_t season_id, store_worker_seats_fn *each_fn,
                             void *context);
    int (*season_deal)(struct store *store, int64_t season_id, bool to_workers);
    int (*lease_claim)(struct store *store, const struct store_worker *worker,
                       const struct store_claim *claim, struct store_lease *leases);
    int (*lease_renew)(struct store *store, const struct store_worker *worker, int64_t lease_us,
                       store_lease_fn *each_fn, void *context);
    int (*leases_count)(struct store *store, int64_t season_id);
    int (*lease_return)(struct store *store, const struct store_worker *worker,
                        const struct store_lease *lease);
    int (*lease_game_add)(struct store *store, const struct store_worker *worker,
                          const struct store_lease *lease, const struct store_game *game,
                          const uint8_t *replay, size_t replay_bytes);
    int (*lease_manifest_read)(struct store *store, const struct store_worker *worker,
                               int64_t bot_id, char **text);
    int (*lease_package_read)(struct store *store, const struct store_worker *worker,
                              const char *sha256, size_t from_byte, struct store_part *part);
    /* For copies, see tables.h; NULL if the back end has no tables. */
    int (*rows_each)(struct store *store, const struct store_table *table, store_row_fn *each_fn,
                     void *context); /* by key; ends with what each_fn returns */
    int (*row_add)(struct store *store, const struct store_table *table,
                   const struct store_value *values);
    int (*rows_end)(struct store *store); /* all rows are added: sets the id counters accordingly */

    int (*listen)(struct store *store, enum store_channel channel);
    int (*heard)(struct store *store);
};

/* The same as store_open, with a given back end and address. */
int store_open_backend(struct store **store, const struct store_backend *backend,
                       const char *address, enum store_mode mode);

/* The back end's own state, from its open to its close; NULL before. */
void *store_state(const struct store *store);
void store_set_state(struct store *store, void *state);

/* Sets the name of the store in messages: see store_where. */
void store_set_where(struct store *store, const char *where);

/*
 * Writes the text of the next event about a roster: "all"; or "only a,b" and, for names that do not
 * fit, "and c,d". *from is the first name to write, 0 at first, and is advanced. Returns false
 * after the last.
 */
bool store_roster_words(const char *const *names, size_t count, size_t *from,
                        char about[static STORE_ABOUT_BYTES]);

#endif
