/* The functions of the back end in memory, by subject: a file for each. */
#ifndef TESTS_STORE_MEMORY_CALLS_H
#define TESTS_STORE_MEMORY_CALLS_H

#include "arena/store/backend.h"

/* Adds an event, in the transaction of the change that it describes. */
int event_add(struct store *store, int64_t season_id, const char *what, const char *about);

/* Adds a package, unless it is stored already. */
int package_add(struct store *store, const char *sha256, struct store_package package);

/* True if an opening of a season exists and is open. */
bool opening_is_open(struct store *store, int64_t season_id, int opening);

/* The functions below have the contract of the back end's function of that name. */

/* ---- bots ---- */

int memory_bot_add(struct store *store, struct store_bot *bot, struct store_package given,
                   struct store_package built);
int memory_bot_find(struct store *store, const char *name, const char *version,
                    struct store_bot *bot);
int memory_bots_each(struct store *store, store_bot_fn *each_fn, void *context);
int memory_bot_retire(struct store *store, const char *name, int64_t now_us);
int memory_bot_unretire(struct store *store, const char *name);
int memory_ban_add(struct store *store, const char *name, const char *author, bool void_games,
                   int64_t now_us);
int memory_ban_lift(struct store *store, const char *name, const char *author, int64_t now_us);
int memory_manifest_read(struct store *store, int64_t bot_id, char **text);
int memory_package_read(struct store *store, const char *sha256, uint8_t **package, size_t *size);

/* ---- submissions ---- */

int memory_submission_add(struct store *store, struct store_submission *submission,
                          struct store_package package);
int memory_submissions_each(struct store *store, bool only_open, store_submission_fn *each_fn,
                            void *context);
int memory_submission_advance(struct store *store, int64_t id, enum store_submission_state state,
                              int64_t now_us);
int memory_submission_end(struct store *store, int64_t id, int64_t bot_id, const char *report,
                          int64_t now_us);

/* ---- events, and who plays ---- */

int memory_event_latest(struct store *store, int64_t *event);
int memory_events_each(struct store *store, int64_t season_id, store_event_fn *each_fn,
                       void *context);
int memory_roster_set(struct store *store, int64_t season_id, const char *const *names,
                      size_t count);
int memory_roster_each(struct store *store, int64_t season_id, store_name_fn *each_fn,
                       void *context);

/* ---- seasons ---- */

int memory_season_find(struct store *store, const char *name, struct store_season *season);
int memory_season_add(struct store *store, struct store_season *season,
                      const struct store_opening *opening);
int memory_seasons_each(struct store *store, store_season_fn *each_fn, void *context);
int memory_season_extend(struct store *store, int64_t season_id, int64_t more_games);
int memory_season_begin_close(struct store *store, int64_t season_id, int64_t until_us);
int memory_season_go_on(struct store *store, int64_t season_id);
int memory_season_take_processor(struct store *store, int64_t season_id, const char *processor);
int memory_season_close(struct store *store, int64_t season_id, int64_t now_us);
int memory_season_reopen(struct store *store, int64_t season_id, int64_t budget_games,
                         const struct store_opening *opening);
int memory_openings_each(struct store *store, int64_t season_id, store_opening_fn *each_fn,
                         void *context);
int memory_entries_each(struct store *store, int64_t season_id, store_entry_fn *each_fn,
                        void *context);
int memory_groups_each(struct store *store, int64_t season_id, store_group_fn *each_fn,
                       void *context);
int memory_batches_each(struct store *store, int64_t season_id, store_batch_fn *each_fn,
                        void *context);
int memory_batch_add(struct store *store, int64_t season_id, const struct store_batch *batch,
                     const struct store_entry *entries, size_t entry_count,
                     const struct store_group *groups, size_t group_count);

/* ---- games ---- */

int memory_game_add(struct store *store, int64_t season_id, const struct store_game *game,
                    const uint8_t *replay, size_t replay_bytes);
int memory_results_each(struct store *store, int64_t season_id, int first_group,
                        store_game_fn *each_fn, void *context);
int memory_heads_each(struct store *store, int64_t season_id, store_game_fn *each_fn,
                      void *context);
int memory_replay_read(struct store *store, int64_t season_id, int group, int rotation,
                       uint8_t **replay, size_t *size);
int memory_replays_prunable(struct store *store, int64_t season_id, int64_t keep_games,
                            struct store_pruned *pruned);
int memory_replays_prune(struct store *store, int64_t season_id, int64_t keep_games,
                         int64_t count_max, struct store_pruned *pruned);

#endif
