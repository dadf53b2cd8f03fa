/*
 * The arena's data: bots and their versions as packages, seasons and their schedule, and every game
 * with its replay, in a file (SQLite) or on a server (PostgreSQL). This header has the store
 * itself, its bots and its seasons; submissions.h, games.h and leases.h declare the rest.
 *
 * Ratings are not stored: they are computed from the games. Every call that writes is one
 * transaction: after a SIGKILL, a power failure, a full disk or an error, it has happened
 * completely or not at all. One thread at a time may use a store; several processes may share one.
 *
 * Calls return 0 or -errno; store_failure then explains it in one line for the user:
 *   -ENOENT it does not exist, -EEXIST it exists already, -ENOSPC disk full,
 *   -EROFS not writable, -EBUSY in use by another process, -EBADMSG not a store or
 *   damaged, -ENOTSUP written by a newer arena, -EINTR each_fn ended the iteration,
 *   -ECANCELED the opening is closed, -ESTALE changed by others meanwhile: read again,
 *   -EINVAL an invalid row or URL, -EPERM others can write to it, or the name has another
 *   author, -ENODATA the replay was pruned, -ERANGE beyond a limit, -EOWNERDEAD the claim of the
 *   season was lost; from a server also -ENOTCONN no answer, -EIO it failed, -EACCES not permitted.
 *
 * An each_fn may read from the store; what it reads may be newer than its arguments. It must not
 * write, begin or end a transaction: these calls return -EDEADLK.
 */
#ifndef ARENA_STORE_STORE_H
#define ARENA_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/state.h"
#include "sdk/wire.h"

enum store_limits {
    STORE_NAME_BYTES_MAX = 32,           /* name of a bot or a season */
    STORE_TEXT_BYTES_MAX = 64,           /* version, author or language */
    STORE_HASH_DIGITS = 64,              /* SHA-256 in hex */
    STORE_DIGEST_BYTES = 32,             /* SHA-256 */
    STORE_GAME_ID_BYTES = 64,            /* room for a game's id, NUL included */
    STORE_BUDGET_GAMES_MAX = 1000000000, /* of a season */
    STORE_PACKAGE_BYTES_MAX = 256 << 20,
    STORE_REPORT_BYTES_MAX = 1 << 20,
    STORE_MANIFEST_BYTES_MAX = 64 << 10,
    STORE_REPLAY_BYTES_MAX = 16 << 20,
    STORE_FORFEITS_BYTES_MAX = 1 << 20,               /* a game's forfeits as JSON */
    STORE_TIMES_BYTES_MAX = 4096,                     /* a seat's packed times */
    STORE_WHERE_BYTES = 4096 + 64,                    /* the store's name in messages */
    STORE_ABOUT_BYTES = 2 * STORE_TEXT_BYTES_MAX + 2, /* an event's text, NUL included */
};

enum store_mode {
    STORE_READ = 0,   /* must exist; works on a read-only disk */
    STORE_WRITE = 1,  /* must exist */
    STORE_CREATE = 2, /* created, with its folder, if it does not exist */
};

struct store;

enum store_channel {
    STORE_CHANNEL_WORK = 0,    /* there may be groups to lease, or leases that end */
    STORE_CHANNEL_RESULTS = 1, /* a game was delivered */
};

/*
 * Opens the store at a URL and upgrades an older one. sqlite:PATH is a folder with arena.db in it,
 * or that file; a plain path means the same. *store is set even after a failure (NULL only for
 * -ENOMEM): it has the message of store_failure, and the caller closes it.
 */
int store_open(struct store **store, const char *url, enum store_mode mode);

/* Accepts NULL. */
void store_close(struct store *store);

/* Returns the URL that opens the same store again, in any process; owned by the store. */
const char *store_url(const struct store *store);

/* Returns the store's name in messages, for example the path of a file; owned by the store. */
const char *store_where(const struct store *store);

/* Returns why the last call failed, in one line; owned by the store, valid until the next call. */
const char *store_failure(const struct store *store);

/* Sets store_failure's line, for an error that a caller found. Returns error. */
int store_explain(struct store *store, int error, const char *line);
int store_refuse(struct store *store, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports which row is damaged, and how. Returns -EBADMSG. row is "id 3", "group 7, rotation 0". */
int store_damaged(struct store *store, const char *table, const char *row, const char *column,
                  const char *fault);

/* Returns the version of the stored schema. */
int store_version(const struct store *store);

/* Reads everything. Returns 0 if every page, index and reference is valid, else -EBADMSG. */
int store_check(struct store *store);

/* The result of one check of the store's server, for the operator. */
struct store_finding {
    bool is_well;
    const char *check; /* what was checked: "clock" */
    const char *found;
    const char *cure; /* "" if is_well */
};

typedef void store_finding_fn(void *context, const struct store_finding *finding);

/*
 * True for an error that passes by itself, or when somebody mends the server: the connection or a
 * commit is lost (-ENOTCONN, -ECONNABORTED), the server's disk is full, fails or is read-only
 * (-ENOSPC, -EIO, -EROFS), others hold a row for long (-EBUSY, -EAGAIN). The same call may succeed
 * later. Any other error is final: the same call would fail again.
 */
bool store_error_passes(int error);

/* Calls each_fn for each check; never if the store has no server. Returns 0 or -errno. */
int store_diagnose(struct store *store, store_finding_fn *each_fn, void *context);

/*
 * Writes a consistent copy of the whole store to a file that must not exist. Others may write to
 * the store meanwhile. Fails with -EEXIST, or -ENOTSUP if its server has tools of its own.
 */
int store_backup(struct store *store, const char *path);

/*
 * Combine several calls into one transaction: nothing is stored before the commit. After a failed
 * call only store_rollback is possible. Transactions do not nest.
 */
int store_begin(struct store *store);
int store_commit(struct store *store);
void store_rollback(struct store *store);

/*
 * Claims a season, so that no other process plays it, until the store is closed or the
 * process ends, however it ends. Fails with -EBUSY if another process has claimed it.
 */
int store_season_claim(struct store *store, const char *name);

/* The same without the moment that store_season_claim waits for a process that is just dying. */
int store_season_try_claim(struct store *store, const char *name);

/* ---- bots ---- */

/* One version of a bot; all versions are kept for ever. */
struct store_bot {
    int64_t id;          /* ascending in order of submission, from 1 */
    int64_t previous_id; /* the previous version, 0 if none */
    char name[STORE_NAME_BYTES_MAX + 1];
    char version[STORE_TEXT_BYTES_MAX + 1];
    char author[STORE_TEXT_BYTES_MAX + 1];
    char language[STORE_TEXT_BYTES_MAX + 1];
    char sha256[STORE_HASH_DIGITS + 1]; /* hash of the package as submitted */
    /* Of the package that is run; the same if there is no build. */
    char built_sha256[STORE_HASH_DIGITS + 1];
    /* Of the package without bot.json: equal for one bot under several names; "": unknown. */
    char content_sha256[STORE_HASH_DIGITS + 1];
    bool taken_over;      /* its author took the name over from another author */
    const char *manifest; /* the text of its bot.json, borrowed, to be stored with it; NULL in rows
                             that are read: store_manifest_read */
    int64_t submitted_us; /* since 1970 */
    int64_t retired_us;   /* since 1970, 0 if it is not retired */
    int64_t banned_us;    /* since 1970, 0 unless its name or author is banned */
    bool voided;          /* banned, and its games do not count */
    bool newest;          /* the latest version of its name */
};

/* Returns 0 to continue, else iteration ends with -EINTR. Pointers are valid during the call. */
typedef int store_bot_fn(void *context, const struct store_bot *bot);

/* A folder as a tar archive: see archive.h. Bytes are borrowed. */
struct store_package {
    const uint8_t *bytes;
    size_t size;
};

/*
 * Adds a version with its package as submitted and as built (if the hashes are equal, only one is
 * stored). Sets id, previous_id and newest. Fails with -EEXIST if the name has that version
 * already; with -EPERM if the name belongs to another author, unless taken_over is set. taken_over
 * is cleared if the name did not belong to another author.
 */
int store_bot_add(struct store *store, struct store_bot *bot, struct store_package given,
                  struct store_package built);

/* Returns what store_bot_add would return for this name, version, author and taken_over. */
int store_bot_check(struct store *store, const struct store_bot *bot);

/* Finds a version of a name; version NULL: the newest. */
int store_bot_find(struct store *store, const char *name, const char *version,
                   struct store_bot *bot);

/* All versions, in order of id. */
int store_bots_each(struct store *store, store_bot_fn *each_fn, void *context);

/* Retires all versions of a name: they no longer play. A version submitted later plays again. */
int store_bot_retire(struct store *store, const char *name, int64_t now_us);

/* Makes a retired name active again. Fails with -EEXIST if it is not retired. */
int store_bot_unretire(struct store *store, const char *name);

/*
 * Bans a name, or all bots of an author (the other argument is NULL): current and later bots of
 * that name or author do not play. With void_games, its games no longer count. An author may be
 * banned before the first bot. Fails with -ENOENT if there is no bot of that name, -EEXIST if it is
 * already banned in this way.
 */
int store_ban_add(struct store *store, const char *name, const char *author, bool void_games,
                  int64_t now_us);

/* Lifts such a ban; voided games count again. Fails with -EEXIST if there is none. */
int store_ban_lift(struct store *store, const char *name, const char *author, int64_t now_us);

/*
 * Reads a version's bot.json as it was submitted, the only manifest with which it is run. The
 * caller frees *text.
 */
int store_manifest_read(struct store *store, int64_t bot_id, char **text);

/* Reads a package. The caller frees *package. */
int store_package_read(struct store *store, const char *sha256, uint8_t **package, size_t *size);

/* ---- seasons ---- */

enum store_board {
    STORE_BOARD_COLORED = 0,
    STORE_BOARD_GRAY = 1,
    STORE_BOARD_BOTH = 2, /* alternating */
};

/* How bots are run: what affects results besides the board and the clock. */
struct store_play {
    int64_t memory_bytes; /* limit of one bot */
    int tier;             /* the lowest enum sandbox_tier that may confine bots */
    bool freeze;          /* bots are stopped while it is not their turn */
    bool pin;             /* each game has a core of its own */
};

/* A season's terms, which never change except for the budget and the times of closing. */
struct store_season {
    int64_t id;
    char name[STORE_NAME_BYTES_MAX + 1];
    int player_counts[GAME_PLAYERS_MAX - GAME_PLAYERS_MIN + 1]; /* ascending, without duplicates */
    int player_count_count;
    enum store_board board;
    struct wire_clock clock;
    struct store_play play;
    bool authors_free; /* bots of one author may meet */
    bool is_practice;  /* counts for nothing else; bots get others' names, rated seasons go first */
    bool publishes_errors; /* the site shows the standard error of a bot that forfeited */
    bool prunes;           /* old replays are removed: */
    int64_t keep_games;    /* all with forfeits are kept, and this many of the newest others */
    int64_t budget_games;
    bool until_decided; /* may end before the budget is used up, once the ladder is decided */
    bool same_cpu;      /* is played on processors of a single model only */
    char processor[STORE_TEXT_BYTES_MAX + 1]; /* that model; "": the first player's */
    int64_t created_us;                       /* since 1970 */
    int64_t closing_us; /* if not 0, no game begins, and at this time (since 1970) running games
                           become void */
    int64_t closed_us;  /* since 1970, 0 while open */
};

/* The part of a season that uses one secret seed. */
struct store_opening {
    int number; /* from 0 */
    uint8_t seed[GAME_SEED_BYTES];
    char commitment[STORE_HASH_DIGITS + 1]; /* SHA-256 of the seed's bytes */
    bool by_hand;                           /* given on the command line, so not secret */
    bool copied; /* this store is a backup: another one goes on with the seed, and publishes it */
    int64_t opened_us; /* since 1970 */
    int64_t closed_us; /* since 1970, 0 while open */
};

/* A bot in a season. */
struct store_entry {
    int number; /* from 0, in the order in which they entered */
    int64_t bot_id;
    int batch; /* the first batch in which it can play */
};

/* All games of one set of bots: player_count games, one per rotation. */
struct store_group {
    int number; /* from 0, over the whole season */
    int batch;
    int opening; /* the opening in which it was chosen; its games may be played in later ones */
    int player_count;
    enum board_side board;
    int base[GAME_PLAYERS_MAX]; /* entries; in game r, seat s has base[(s + r) mod player_count] */
};

/* One step of the schedule, chosen and stored as a whole. */
struct store_batch {
    int number;       /* from 0 */
    int opening;      /* the opening in which it was chosen */
    int64_t event;    /* the last event that was known when it was chosen */
    unsigned seating; /* bit m: after this batch, tables of m seats are in the opening stage */
};

/* A change of a season or of who plays: by an operator or a submission. */
struct store_event {
    int64_t id;        /* ascending in order of time */
    int64_t time_us;   /* since 1970, in whole seconds */
    int64_t season_id; /* 0: all seasons */
    char what[16];     /* submit, retire, unretire, ban, void, unban, new, extend, closing, close,
                          reopen, roster */
    char about[STORE_ABOUT_BYTES]; /* NAME@VERSION, an author, a number of games, ... */
};

typedef int store_event_fn(void *context, const struct store_event *event);
typedef int store_batch_fn(void *context, const struct store_batch *batch);
typedef int store_name_fn(void *context, const char *name);
typedef int store_season_fn(void *context, const struct store_season *season);
typedef int store_opening_fn(void *context, const struct store_opening *opening);
typedef int store_entry_fn(void *context, const struct store_entry *entry);
typedef int store_group_fn(void *context, const struct store_group *group);

/* Adds a season with its first opening. Sets its id. */
int store_season_add(struct store *store, struct store_season *season,
                     const struct store_opening *opening);
int store_season_find(struct store *store, const char *name, struct store_season *season);
int store_seasons_each(struct store *store, store_season_fn *each_fn, void *context);

/* Raises the budget of an open season. Fails with -EEXIST if it is closed, with -ERANGE if the
   budget would exceed STORE_BUDGET_GAMES_MAX. */
int store_season_extend(struct store *store, int64_t season_id, int64_t more_games);

/*
 * Stops new games; running games are given up at until_us (since 1970). The seed stays secret.
 * Another call replaces until_us. Fails with -EEXIST if the season is closed.
 */
int store_season_begin_close(struct store *store, int64_t season_id, int64_t until_us);

/* Reverts store_season_begin_close. Fails with -EEXIST if the season is closed or open. */
int store_season_go_on(struct store *store, int64_t season_id);

/* Closes the season and its opening. Fails with -EEXIST if it is already closed. */
int store_season_close(struct store *store, int64_t season_id, int64_t now_us);

/*
 * Reopens a closed season with a new opening and budget. Games not played yet get their seeds from
 * the new opening, because the old one's seed is published. Fails with -EEXIST if the season is
 * open, with -ERANGE for a budget over STORE_BUDGET_GAMES_MAX.
 */
int store_season_reopen(struct store *store, int64_t season_id, int64_t budget_games,
                        const struct store_opening *opening);

/* Each in order of number. */
int store_openings_each(struct store *store, int64_t season_id, store_opening_fn *each_fn,
                        void *context);
int store_entries_each(struct store *store, int64_t season_id, store_entry_fn *each_fn,
                       void *context);
int store_groups_each(struct store *store, int64_t season_id, store_group_fn *each_fn,
                      void *context);
int store_batches_each(struct store *store, int64_t season_id, store_batch_fn *each_fn,
                       void *context);

/*
 * Adds the next batch of the schedule with its entries and groups, all or none. Fails with -ESTALE
 * if there was an event after batch->event, -ECANCELED if its opening is closed.
 */
int store_batch_add(struct store *store, int64_t season_id, const struct store_batch *batch,
                    const struct store_entry *entries, size_t entry_count,
                    const struct store_group *groups, size_t group_count);

/* Reads the id of the last event, 0 if there is none: a cheap check for changes. */
int store_event_latest(struct store *store, int64_t *event);

/* Events of one season and of all seasons, in order of id. */
int store_events_each(struct store *store, int64_t season_id, store_event_fn *each_fn,
                      void *context);

/* Sets who may play from the next batch on; count 0: all. -ENOENT for a name without a bot. */
int store_roster_set(struct store *store, int64_t season_id, const char *const *names,
                     size_t count);
int store_roster_each(struct store *store, int64_t season_id, store_name_fn *each_fn,
                      void *context);

/* True for a valid name of a bot or a season: 1 to 32 characters of a-z, 0-9, - and _. */
bool store_name_is_valid(const char *name);

/* True for 1 to 64 bytes of UTF-8 without control characters. */
bool store_text_is_valid(const char *text);

#endif
