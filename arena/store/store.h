/*
 * What the arena keeps: bots and their versions as packages, seasons and their
 * schedule, and every game with its replay. One interface for all back ends: store.c and
 * its neighbors check limits and rows and word the messages, a back end (struct
 * store_backend of backend.h) keeps the rows. sqlite/ is one.
 *
 * Ratings are not kept: they are a function of the games. Every call that writes is
 * one transaction: after a SIGKILL, a power cut, a full disk or an error it has happened
 * whole or not at all. One thread at a time; several processes may share a store.
 *
 * Calls return 0 or -errno; store_failure then tells it in one line for the user:
 *   -ENOENT no such thing, -EEXIST there already, -ENOSPC disk full, -EROFS cannot be
 *   written, -EBUSY held by another process, -EBADMSG not a store or damaged,
 *   -ENOTSUP written by a newer arena, -EINTR an each_fn asked to stop, -ECANCELED the
 *   opening is closed, -ESTALE something was changed meanwhile: read again, -EINVAL a row or a
 *   URL that no store takes, -EPERM others may write it, or another author's, -ENODATA a replay
 *   that was pruned.
 *
 * An each_fn may read from the store; what it reads may be newer than what it is told. It may
 * not write, begin or end a transaction: these calls return -EDEADLK.
 */
#ifndef ARENA_STORE_STORE_H
#define ARENA_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/state.h"
#include "sdk/wire.h"

enum store_limits {
    STORE_NAME_BYTES_MAX = 32, /* of a bot's or a season's name */
    STORE_TEXT_BYTES_MAX = 64, /* of a version, an author, a language */
    STORE_HASH_DIGITS = 64,    /* SHA-256 in hex */
    STORE_DIGEST_BYTES = 32,   /* SHA-256 */
    STORE_GAME_ID_BYTES = 64,  /* room for a game's id, NUL included */
    STORE_PACKAGE_BYTES_MAX = 256 << 20,
    STORE_REPORT_BYTES_MAX = 1 << 20,
    STORE_MANIFEST_BYTES_MAX = 64 << 10,
    STORE_REPLAY_BYTES_MAX = 16 << 20,
    STORE_FORFEITS_BYTES_MAX = 1 << 20,               /* of a game's forfeits as JSON */
    STORE_TIMES_BYTES_MAX = 4096,                     /* of a seat's packed times */
    STORE_WHERE_BYTES = 4096 + 64,                    /* of what a store is called in messages */
    STORE_ABOUT_BYTES = 2 * STORE_TEXT_BYTES_MAX + 2, /* of an event's words, NUL included */
};

enum store_mode {
    STORE_READ = 0,   /* must exist; also from a disk that cannot be written */
    STORE_WRITE = 1,  /* must exist */
    STORE_CREATE = 2, /* made, with its folder, if it does not exist */
};

struct store;

/*
 * Opens the store of a URL and brings an older one up to date. sqlite:PATH is a folder with
 * arena.db in it, or that file; a plain path means the same. Whatever it returns, *store is
 * set (NULL only for -ENOMEM), tells store_failure, and is the caller's to close.
 */
int store_open(struct store **store, const char *url, enum store_mode mode);

/* Takes NULL. */
void store_close(struct store *store);

/* The URL that opens the same store again, in this process or another; the store's own. */
const char *store_url(const struct store *store);

/* What messages call the store: the path of a file, say; the store's own. */
const char *store_where(const struct store *store);

/* Why the last call failed, in one line; the store's own string, good until the next call. */
const char *store_failure(const struct store *store);

/* Sets store_failure's line, for what a caller or a back end finds wrong. Returns error. */
int store_explain(struct store *store, int error, const char *line);
int store_refuse(struct store *store, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Says which row is damaged and how. Returns -EBADMSG. row is "id 3", "group 7, rotation 0". */
int store_damaged(struct store *store, const char *table, const char *row, const char *column,
                  const char *fault);

/* The schema's version, as stored. */
int store_version(const struct store *store);

/* 0 if every page, index and reference is sound, else -EBADMSG. Reads everything. */
int store_check(struct store *store);

/* Something that an operator should know, found by asking the store's server. */
struct store_finding {
    bool is_well;
    const char *check; /* what was looked at: "clock" */
    const char *found;
    const char *cure; /* "" if it is well */
};

typedef void store_finding_fn(void *context, const struct store_finding *finding);

/* Tells of each thing that was looked at; of nothing where a back end has no server. 0 or -errno.
 */
int store_diagnose(struct store *store, store_finding_fn *each_fn, void *context);

/*
 * Writes a copy of the whole store, as of one moment, to a file that must not exist. Others may
 * go on writing meanwhile. -EEXIST, or -ENOTSUP from a back end that has tools of its own.
 */
int store_backup(struct store *store, const char *path);

/*
 * Several calls as one transaction: nothing is kept until the commit. A failed call
 * leaves only store_rollback to do. They do not nest.
 */
int store_begin(struct store *store);
int store_commit(struct store *store);
void store_rollback(struct store *store);

/*
 * Claims a season for this process, so that nobody else plays it: until the release, the
 * store's close or the process's end, however it ends. -EBUSY if it is claimed elsewhere.
 */
int store_season_claim(struct store *store, const char *name);
void store_season_release(struct store *store);

/* ---- bots ---- */

/* One version of one name; all versions are kept for ever. */
struct store_bot {
    int64_t id;          /* ascending in order of submission, from 1 */
    int64_t previous_id; /* the version before it, 0 if none */
    char name[STORE_NAME_BYTES_MAX + 1];
    char version[STORE_TEXT_BYTES_MAX + 1];
    char author[STORE_TEXT_BYTES_MAX + 1];
    char language[STORE_TEXT_BYTES_MAX + 1];
    char sha256[STORE_HASH_DIGITS + 1];       /* of the package as its author gave it */
    char built_sha256[STORE_HASH_DIGITS + 1]; /* of what is run: the same without a build */
    /* Of the package as given without its bot.json: equal for one bot under several names. "" for
       a version that an older arena took in. */
    char content_sha256[STORE_HASH_DIGITS + 1];
    bool taken_over;      /* its author took the name over from another */
    const char *manifest; /* to be added with it: the text of its bot.json, borrowed. NULL in what
                             is read: store_manifest_read */
    int64_t submitted_us; /* since 1970 */
    int64_t retired_us;   /* since 1970, 0 while it plays */
    int64_t banned_us;    /* since 1970, 0 unless its name or author is */
    bool voided;          /* banned, and its games do not count */
    bool newest;          /* no later version of its name */
};

/* Returns 0 to go on, else iteration ends with -EINTR. Pointers are good for the call. */
typedef int store_bot_fn(void *context, const struct store_bot *bot);

/* A folder as a tar archive: see archive.h. Bytes are borrowed. */
struct store_package {
    const uint8_t *bytes;
    size_t size;
};

/*
 * Adds a version with its package as given and as built (equal hashes: only one is kept).
 * Sets id, previous_id and newest. -EEXIST if the name has that version already; -EPERM if the
 * name belongs to another author, unless taken_over is set, which stays so only where it mattered.
 */
int store_bot_add(struct store *store, struct store_bot *bot, struct store_package given,
                  struct store_package built);

/* Would it be added, by its name, version, author and taken_over? 0, or as store_bot_add. */
int store_bot_check(struct store *store, const struct store_bot *bot);

/* The newest version of a name, or the one given (NULL: newest). */
int store_bot_find(struct store *store, const char *name, const char *version,
                   struct store_bot *bot);

/* All versions, by id. */
int store_bots_each(struct store *store, store_bot_fn *each_fn, void *context);

/* Takes every version of a name out of play; a version submitted later plays again. */
int store_bot_retire(struct store *store, const char *name, int64_t now_us);

/* Lets a retired name play again. -EEXIST if it is not retired. */
int store_bot_unretire(struct store *store, const char *name);

/*
 * Bans a name, or all bots of an author (the other is NULL): whatever is submitted under it,
 * now or later, does not play. With void_games what it played counts no more. -ENOENT if there
 * is no such bot, -EEXIST if it is banned so already.
 */
int store_ban_add(struct store *store, const char *name, const char *author, bool void_games,
                  int64_t now_us);

/* Lifts that ban; voided games count again. -EEXIST if there is none. */
int store_ban_lift(struct store *store, const char *name, const char *author, int64_t now_us);

/*
 * The text of a version's bot.json as it was submitted, the only manifest it is ever run by; the
 * caller frees *text. NULL if an older arena took it in: then it is in the package as given.
 */
int store_manifest_read(struct store *store, int64_t bot_id, char **text);

/* A package's bytes; the caller frees *package. */
int store_package_read(struct store *store, const char *sha256, uint8_t **package, size_t *size);

/* ---- submissions that wait for a daemon ---- */

enum store_submission_state {
    STORE_RECEIVED = 0, /* its package is kept as given */
    STORE_BUILDING = 1,
    STORE_CHECKING = 2,
    STORE_ADMITTED = 3, /* a bot of the store */
    STORE_REFUSED = 4,  /* its report says why */
};

struct store_submission {
    int64_t id; /* ascending in order of arrival, from 1 */
    char name[STORE_NAME_BYTES_MAX + 1];
    char version[STORE_TEXT_BYTES_MAX + 1];
    char author[STORE_TEXT_BYTES_MAX + 1];
    char sha256[STORE_HASH_DIGITS + 1]; /* of the package as given */
    enum store_submission_state state;
    bool takes_over;     /* the operator lets it have a name of another author's */
    int64_t received_us; /* since 1970, as all moments here; 0: not yet */
    int64_t building_us;
    int64_t checking_us;
    int64_t ended_us;
    int64_t bot_id;     /* STORE_ADMITTED: which bot it is; else 0 */
    const char *report; /* one JSON object: what came of build and check; NULL before its end.
                           Borrowed */
};

typedef int store_submission_fn(void *context, const struct store_submission *submission);

/* Keeps a package that was received. Sets id and state. */
int store_submission_add(struct store *store, struct store_submission *submission,
                         struct store_package package);

/* All of them, by id. */
int store_submissions_each(struct store *store, store_submission_fn *each_fn, void *context);

/* Those that have not ended, by id. */
int store_submissions_open_each(struct store *store, store_submission_fn *each_fn, void *context);

/*
 * An open one is now being built (also again, after a crash) or checked. -ECANCELED if it has
 * ended.
 */
int store_submission_advance(struct store *store, int64_t id, enum store_submission_state state,
                             int64_t now_us);

/*
 * It has ended: admitted as a bot, or refused (bot_id 0). -ECANCELED if it has before: a
 * submission ends once, whoever works on it. In one transaction with store_bot_add.
 */
int store_submission_end(struct store *store, int64_t id, int64_t bot_id, const char *report,
                         int64_t now_us);

/* ---- seasons ---- */

enum store_board {
    STORE_BOARD_COLORED = 0,
    STORE_BOARD_GRAY = 1,
    STORE_BOARD_BOTH = 2, /* in turns */
};

/* How bots are run: what changes results beside the board and the clock. */
struct store_play {
    int64_t memory_bytes; /* of a bot */
    int tier;             /* enum sandbox_tier: the least that bots are confined by */
    bool freeze;          /* a bot is stopped while it is not its turn */
    bool pin;             /* each game has a core of its own */
};

/* The terms, which never change but for budget and close. */
struct store_season {
    int64_t id;
    char name[STORE_NAME_BYTES_MAX + 1];
    int player_counts[GAME_PLAYERS_MAX - GAME_PLAYERS_MIN + 1]; /* ascending, without doubles */
    int player_count_count;
    enum store_board board;
    struct wire_clock clock;
    struct store_play play;
    bool authors_free;     /* bots of one author may meet */
    bool is_practice;      /* unrated elsewhere: bots are told names, rated seasons come first */
    bool publishes_errors; /* the site shows what a bot that forfeited wrote to standard error */
    bool prunes;           /* replays are kept for a while only: */
    int64_t keep_games;    /* those of all forfeits and of so many other games, the newest */
    int64_t budget_games;
    bool until_decided;                       /* may end before the budget */
    bool same_cpu;                            /* is played on processors of one model */
    char processor[STORE_TEXT_BYTES_MAX + 1]; /* that model; "": that of the first to play */
    int64_t created_us;                       /* since 1970 */
    int64_t closing_us; /* 0, or no more games begin; then (since 1970) those under way are void */
    int64_t closed_us;  /* since 1970, 0 while open */
};

/* A stretch of a season under one secret seed. */
struct store_opening {
    int number; /* from 0 */
    uint8_t seed[GAME_SEED_BYTES];
    char commitment[STORE_HASH_DIGITS + 1]; /* SHA-256 of the seed's bytes */
    bool by_hand;                           /* given on the command line, so not secret */
    int64_t opened_us;                      /* since 1970 */
    int64_t closed_us;                      /* since 1970, 0 while open */
};

/* A bot's place in a season's lists. */
struct store_entry {
    int number; /* from 0, in order of entering */
    int64_t bot_id;
    int batch; /* the first it can play in */
};

/* All games of one set of bots: player_count games, one for each rotation. */
struct store_group {
    int number; /* from 0 over the whole season */
    int batch;
    int opening; /* under which it was chosen; its games may be played under later ones */
    int player_count;
    enum board_side board;
    int base[GAME_PLAYERS_MAX]; /* entries; in game r seat s holds base[(s + r) mod player_count] */
};

/* One step of the schedule, chosen and stored as a whole. */
struct store_batch {
    int number;       /* from 0 */
    int opening;      /* under which it was chosen */
    int64_t event;    /* the last one that the choice knew */
    unsigned seating; /* bit m: tables of m seats are in the opening stage after it */
};

/* Something that changed who plays, or a season: an operator's act or a submission. */
struct store_event {
    int64_t id;        /* ascending in order of time */
    int64_t time_us;   /* since 1970, exact to a second */
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

/* Adds a season with its first opening; sets its id. */
int store_season_add(struct store *store, struct store_season *season,
                     const struct store_opening *opening);
int store_season_find(struct store *store, const char *name, struct store_season *season);
int store_seasons_each(struct store *store, store_season_fn *each_fn, void *context);

/* Raises the budget of an open season. -EEXIST if it is closed. */
int store_season_extend(struct store *store, int64_t season_id, int64_t more_games);

/*
 * Lets no more games begin; whoever plays it gives up those that are still under way at until_us
 * (since 1970). The seed stays secret. Once more replaces that moment. -EEXIST if it is closed.
 */
int store_season_begin_close(struct store *store, int64_t season_id, int64_t until_us);

/* Takes that back. -EEXIST if it is closed, or open. */
int store_season_go_on(struct store *store, int64_t season_id);

/* Closes season and opening. -EEXIST if it is closed already. */
int store_season_close(struct store *store, int64_t season_id, int64_t now_us);

/*
 * Opens a closed season anew, with a new opening and budget: games that were not played yet
 * take their seeds from it, for that of the old one is known by now. -EEXIST if it is open.
 */
int store_season_reopen(struct store *store, int64_t season_id, int64_t budget_games,
                        const struct store_opening *opening);

/* Each by its number. */
int store_openings_each(struct store *store, int64_t season_id, store_opening_fn *each_fn,
                        void *context);
int store_entries_each(struct store *store, int64_t season_id, store_entry_fn *each_fn,
                       void *context);
int store_groups_each(struct store *store, int64_t season_id, store_group_fn *each_fn,
                      void *context);

/* By its number; none of those that a store of schema 3 has. */
int store_batches_each(struct store *store, int64_t season_id, store_batch_fn *each_fn,
                       void *context);

/*
 * Adds one more batch of the schedule with its entries and groups, all or none. -ESTALE if there
 * was an event after batch->event, -ECANCELED if its opening is closed.
 */
int store_batch_add(struct store *store, int64_t season_id, const struct store_batch *batch,
                    const struct store_entry *entries, size_t entry_count,
                    const struct store_group *groups, size_t group_count);

/* The id of the last event, 0 if there was none: a cheap look at whether anything changed. */
int store_event_latest(struct store *store, int64_t *event);

/* Those of a season and of all seasons, by id. */
int store_events_each(struct store *store, int64_t season_id, store_event_fn *each_fn,
                      void *context);

/* Who may take part from the next batch on, by name; none: all. -ENOENT for a name without bot. */
int store_roster_set(struct store *store, int64_t season_id, const char *const *names,
                     size_t count);
int store_roster_each(struct store *store, int64_t season_id, store_name_fn *each_fn,
                      void *context);

/* ---- games ---- */

struct store_seat {
    int entry;
    int score; /* points */
    int rank;  /* 1 = won; shared */
    enum wire_reason reason;
    int decision_count;
    int64_t us;           /* time to answer, summed */
    int64_t us_max;       /* the longest */
    const uint8_t *times; /* how long its decisions took, packed by latency_pack; borrowed */
    size_t times_bytes;
    uint64_t checksum; /* over all this and whose it is; filled in by the store */
};

struct store_game {
    int group;
    int rotation;
    int player_count;
    struct store_seat seats[GAME_PLAYERS_MAX];
    /* Below: not told by store_results_each. */
    int opening;                   /* under which it was played */
    bool seed_known;               /* false in rows of schema 1: the replay has the seed */
    uint8_t seed[GAME_SEED_BYTES]; /* the game's own */
    struct store_play play;        /* how its bots were run; memory 0 in rows of schema 3 */
    int64_t worker_id;             /* who played it: leases.h; 0: not known */
    int64_t delay_us;     /* the arena's own, summed over its decisions; 0 before schema 7 */
    int64_t started_us;   /* since 1970 */
    int64_t wall_us;      /* from the first spawn to the result */
    uint32_t layers;      /* enum sandbox_layer bits that held for every bot */
    int decision_count;   /* of all seats and of the arena */
    const char *forfeits; /* JSON array by seat, NULL if all played; borrowed */
    bool is_pruned;       /* its replay is not kept any more; in no checksum */
    /* Filled in by the store. */
    bool checksum_known;                       /* false in rows of older arenas   */
    uint8_t replay_sha256[STORE_DIGEST_BYTES]; /* of its replay file's bytes */
    uint8_t checksum[STORE_DIGEST_BYTES];      /* SHA-256 over all this and its seats */
};

typedef int store_game_fn(void *context, const struct store_game *game);

/*
 * Keeps a played game, with its replay file's bytes, and with that marks it as played.
 * -EEXIST if it is: a game counts once, whoever brings it. -ECANCELED if its opening is closed:
 * the seed is published, so the game is void.
 */
int store_game_add(struct store *store, int64_t season_id, const struct store_game *game,
                   const uint8_t *replay, size_t replay_bytes);

/* Every game by group and rotation: what ratings need. */
int store_results_each(struct store *store, int64_t season_id, store_game_fn *each_fn,
                       void *context);

/* The same from a group on. */
int store_results_from(struct store *store, int64_t season_id, int first_group,
                       store_game_fn *each_fn, void *context);

/* The same as all of them with everything but replays. */
int store_games_each(struct store *store, int64_t season_id, store_game_fn *each_fn, void *context);

/*
 * A game's replay file; the caller frees *replay. -ENOENT if there is no such game, -ENODATA if its
 * replay was pruned.
 */
int store_replay_read(struct store *store, int64_t season_id, int group, int rotation,
                      uint8_t **replay, size_t *size);

/* The same by a game's id: what `arena replay` asks. */
int store_replay_find(struct store *store, const char *id, uint8_t **replay, size_t *size);

/* Replays that are pruned. */
struct store_pruned {
    int64_t count;
    int64_t bytes; /* of the store, free for what comes */
};

enum store_prune_limits {
    STORE_KEEP_MAX = 1000000000,
};

/*
 * What store_replays_prune would take of a season in all: the replays of games that nobody
 * forfeited, but for the newest keep_games, by group and rotation. Changes nothing.
 */
int store_replays_prunable(struct store *store, int64_t season_id, int64_t keep_games,
                           struct store_pruned *pruned);

/*
 * Takes at most count_max of them, the oldest first, in one transaction; *pruned tells how many.
 * The results stay.
 */
int store_replays_prune(struct store *store, int64_t season_id, int64_t keep_games,
                        int64_t count_max, struct store_pruned *pruned);

/* ---- a game's id: SEASON-%06d-%d, group and rotation ---- */

void store_game_id(char id[static STORE_GAME_ID_BYTES], const char *season, int group,
                   int rotation);

/* Takes an id apart; false if it is none. */
bool store_game_id_parse(const char *id, char season[static STORE_NAME_BYTES_MAX + 1], int *group,
                         int *rotation);

/* True for a name of a bot or a season: 1 to 32 of a-z 0-9 - _. */
bool store_name_is_valid(const char *name);

/* True for 1 to 64 bytes of UTF-8 without control characters. */
bool store_text_is_valid(const char *text);

#endif
