/*
 * What the files between store.h and a back end share: the open store, how its calls begin
 * and end, and what a sound row is. For these files only.
 */
#ifndef ARENA_STORE_CORE_H
#define ARENA_STORE_CORE_H

#include "arena/store/backend.h"

enum store_transaction {
    STORE_NO_TRANSACTION = 0,
    STORE_IN_TRANSACTION = 1,
    STORE_BROKEN_TRANSACTION = 2, /* a call of it failed: only the rollback is left */
};

struct store {
    const struct store_backend *backend;
    void *state; /* the back end's own */
    enum store_transaction transaction;
    int each_depth; /* each_fn that are under way */
    char url[STORE_WHERE_BYTES];
    char where[STORE_WHERE_BYTES];
    char failure[STORE_WHERE_BYTES + 512];
};

/* Begins a call that reads: forgets the line of the call before. */
void core_begin(struct store *store);

/* Ends any call: an error that nobody explained gets a line. Returns error. */
int core_end(struct store *store, int error);

/* Begins a call that writes; an error means that it may not. */
int core_begin_write(struct store *store);

/* Ends it: an error breaks the caller's transaction. Returns error. */
int core_end_write(struct store *store, int error);

/* ---- rows ---- */

/* What is wrong with a row. */
struct row_fault {
    const char *table;
    char row[80]; /* "group 7, rotation 0" */
    const char *column;
    const char *words; /* "out of range" */
};

/* True for a row that may be kept, and told to others; else *fault says why not. */
bool row_bot_is_sound(const struct store_bot *bot, struct row_fault *fault);
bool row_submission_is_sound(const struct store_submission *submission, struct row_fault *fault);
bool row_season_is_sound(const struct store_season *season, struct row_fault *fault);
bool row_opening_is_sound(const struct store_opening *opening, struct row_fault *fault);
bool row_entry_is_sound(const struct store_entry *entry, struct row_fault *fault);
bool row_batch_is_sound(const struct store_batch *batch, struct row_fault *fault);
bool row_event_is_sound(const struct store_event *event, struct row_fault *fault);
bool row_group_is_sound(const struct store_group *group, struct row_fault *fault);
bool row_worker_is_sound(const struct store_worker *worker, struct row_fault *fault);

/* The seats of a game, and the rest of it. */
bool row_result_is_sound(const struct store_game *game, struct row_fault *fault);
bool row_game_is_sound(const struct store_game *game, struct row_fault *fault);

/* True for 64 digits of lower-case hex. */
bool row_hash_is_sound(const char *hash);

/* ---- checksums ---- */

/* Over a seat and the game that it belongs to; never 0, which stands for a row without one. */
uint64_t checksum_of_seat(int64_t season_id, const struct store_game *game, int seat);

/* Over a game's row, its seats' checksums, as they are kept or computed, and its replay's hash. */
void checksum_of_game(int64_t season_id, const struct store_game *game,
                      uint8_t checksum[static STORE_DIGEST_BYTES]);

void checksum_of_bytes(const uint8_t *bytes, size_t size,
                       uint8_t checksum[static STORE_DIGEST_BYTES]);

/* A copy of a game with its checksums. 0, or -EINVAL for one that may not be kept. */
int core_seal_game(struct store *store, int64_t season_id, const struct store_game *game,
                   const uint8_t *replay, size_t replay_bytes, struct store_game *sealed);

/* Words for why a back end did not keep a game. Returns error. */
int core_explain_game(struct store *store, const struct store_game *game, int error);

/* A row that came from the back end: says that the store is damaged. Returns -EBADMSG. */
int core_damaged(struct store *store, const struct row_fault *fault);

/* A row that was to be kept. Returns -EINVAL. */
int core_refuse_row(struct store *store, const struct row_fault *fault);

/* ---- iteration ---- */

/* What stands between a back end and an each_fn. */
struct passing {
    struct store *store;
    void *each_fn; /* store_bot_fn, store_game_fn ... */
    void *context;
    int64_t next;      /* the number that the next row must have, or exceed */
    bool detailed;     /* of games */
    int64_t season_id; /* likewise */
    int error;         /* what ended the iteration, 0 if each_fn did */
};

/* What an iteration came to: the error of the row, or the back end's. */
int core_end_passing(struct passing *passing, int error);

#endif
