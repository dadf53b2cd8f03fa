/* The rows of the back end in memory, and the transactions that change them. */
#ifndef TESTS_STORE_MEMORY_ROWS_H
#define TESTS_STORE_MEMORY_ROWS_H

#include "arena/store/backend.h"

struct kept_game {
    int64_t season_id;
    struct store_game game; /* its pointers are kept bytes */
    uint8_t *replay;
    size_t replay_bytes;
};

struct kept_package {
    char sha256[STORE_HASH_DIGITS + 1];
    uint8_t *bytes;
    size_t size;
};

struct kept_opening {
    int64_t season_id;
    struct store_opening opening;
};

struct kept_entry {
    int64_t season_id;
    struct store_entry entry;
};

struct kept_group {
    int64_t season_id;
    struct store_group group;
};

struct kept_batch {
    int64_t season_id;
    struct store_batch batch;
};

struct kept_ban {
    char *name, *author; /* either */
    bool void_games, lifted;
    int64_t banned_us;
};

struct kept_name {
    int64_t season_id; /* 0: taken off the roster */
    char name[STORE_NAME_BYTES_MAX + 1];
};

/* A growing array of rows of one kind. */
struct rows {
    char *rows;
    size_t count;
};

enum table {
    BOTS,
    PACKAGES,
    SUBMISSIONS,
    SEASONS,
    OPENINGS,
    ENTRIES,
    GROUPS,
    GAMES,
    EVENTS,
    BATCHES,
    BANS,
    ROSTER,
    TABLES,
};

struct content {
    struct rows tables[TABLES];
};

/* The contents of one address, for the life of the process. */
struct world {
    struct world *next;
    char *address;
    char claimed[STORE_NAME_BYTES_MAX + 1]; /* "" for none */
    bool in_transaction;
    struct content content;
};

/* One open store. */
struct memory {
    struct world *world;
    enum store_mode mode;
    bool in_transaction, holds_claim;
    struct content draft; /* in a transaction */
};

/* The rows that a store sees: those of its transaction, if it has one. */
size_t row_count(const struct store *store, enum table table);
void *row_at(const struct store *store, enum table table, size_t number);

/* Adds a copy of a row. Moves the other rows of its table. Returns 0 or -ENOMEM. */
int row_append(struct store *store, enum table table, const void *row);

/* Return copies for rows to point to, or NULL. They are never freed: tests are short. */
void *keep_bytes(const void *bytes, size_t size);
char *keep_text(const char *text);

/* Returns a copy, which the caller frees. */
void *copy_bytes(const void *bytes, size_t size);

/* Begins a write: outside a transaction it is one of its own, inside one it is part of it. */
int write_begin(struct store *store, bool *own);

/* Ends it, undone if there was an error. Returns that. */
int write_end(struct store *store, bool own, int error);

/* Each has the contract of the back end's function of that name. */
int memory_begin(struct store *store);
int memory_commit(struct store *store);
void memory_rollback(struct store *store);

#endif
