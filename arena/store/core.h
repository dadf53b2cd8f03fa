/*
 * Shared by the files between store.h and a back end: the open store, how its calls begin and end,
 * and which rows are valid. Only for these files.
 */
#ifndef ARENA_STORE_CORE_H
#define ARENA_STORE_CORE_H

#include "arena/store/backend.h"

enum store_transaction {
    STORE_NO_TRANSACTION = 0,
    STORE_IN_TRANSACTION = 1,
    STORE_BROKEN_TRANSACTION = 2, /* a call in it failed: only rollback is possible */
};

struct store {
    const struct store_backend *backend;
    void *state; /* owned by the back end */
    enum store_transaction transaction;
    int each_depth; /* nested each_fn calls */
    char url[STORE_WHERE_BYTES];
    char where[STORE_WHERE_BYTES];
    char failure[STORE_WHERE_BYTES + 512];
};

/* Begins a call that reads: clears the previous call's message. */
void core_begin(struct store *store);

/* Every call returns through this: if error has no message yet, sets a general one. Returns error.
 */
int core_end(struct store *store, int error);

/* Begins a call that writes. Fails with -errno if the call is not allowed. */
int core_begin_write(struct store *store);

/* Ends a call that writes: an error breaks the caller's transaction. Returns error. */
int core_end_write(struct store *store, int error);

/* ---- rows ---- */

/* Why a row is not valid. */
struct row_fault {
    const char *table;
    char row[80]; /* "group 7, rotation 0" */
    const char *column;
    const char *words; /* "out of range" */
};

/* True if a row is valid and may be stored or passed on; else *fault says why not. */
bool row_bot_is_sound(const struct store_bot *bot, struct row_fault *fault);
bool row_submission_is_sound(const struct store_submission *submission, struct row_fault *fault);
bool row_season_is_sound(const struct store_season *season, struct row_fault *fault);
bool row_opening_is_sound(const struct store_opening *opening, struct row_fault *fault);
bool row_entry_is_sound(const struct store_entry *entry, struct row_fault *fault);
bool row_batch_is_sound(const struct store_batch *batch, struct row_fault *fault);
bool row_event_is_sound(const struct store_event *event, struct row_fault *fault);
bool row_group_is_sound(const struct store_group *group, struct row_fault *fault);
bool row_worker_is_sound(const struct store_worker *worker, struct row_fault *fault);

/* The first checks a game's seats, the second the rest of it. */
bool row_result_is_sound(const struct store_game *game, struct row_fault *fault);
bool row_game_is_sound(const struct store_game *game, struct row_fault *fault);

/* True for 64 lower-case hex digits. */
bool row_hash_is_sound(const char *hash);

/* ---- checksums ---- */

/* Computed over a seat and its game's key; never 0, which stands for a row without a checksum. */
uint64_t checksum_of_seat(int64_t season_id, const struct store_game *game, int seat);

/* Computed over a game's row, its seats' checksums (stored or computed), and its replay's hash. */
void checksum_of_game(int64_t season_id, const struct store_game *game,
                      uint8_t checksum[static STORE_DIGEST_BYTES]);

void checksum_of_bytes(const uint8_t *bytes, size_t size,
                       uint8_t checksum[static STORE_DIGEST_BYTES]);

/* Copies a game and adds its checksums. Returns 0, or -EINVAL if the game may not be stored. */
int core_seal_game(struct store *store, int64_t season_id, const struct store_game *game,
                   const uint8_t *replay, size_t replay_bytes, struct store_game *sealed);

/* Sets the message for a back end's failure to store a game. Returns error. */
int core_explain_game(struct store *store, const struct store_game *game, int error);

/* Reports an invalid row from the back end: the store is damaged. Returns -EBADMSG. */
int core_damaged(struct store *store, const struct row_fault *fault);

/* Reports an invalid row that a caller wants to store. Returns -EINVAL. */
int core_refuse_row(struct store *store, const struct row_fault *fault);

/* ---- iteration ---- */

/* The state of an iteration, between a back end and the caller's each_fn. */
struct passing {
    struct store *store;
    void *each_fn; /* a function such as store_bot_fn or store_game_fn */
    void *context;
    int64_t next;      /* the number that the next row must have, or a lower bound */
    bool detailed;     /* for games: all columns, not only the results */
    int64_t season_id; /* for games: their season */
    int error;         /* why the iteration ended, 0 if each_fn ended it */
};

/* Returns the result of an iteration: the error of the row, else error, the back end's. */
int core_end_passing(struct passing *passing, int error);

#endif
