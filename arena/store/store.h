/* SPDX-License-Identifier: MIT */
/*
 * The arena's store: bots and their versions as packages, seasons and their schedules, and every
 * game with its replay, in a file (SQLite) or on a server (PostgreSQL). This header declares the
 * store itself, bots and seasons; submissions.h, games.h and leases.h declare everything else.
 *
 * The store has no ratings: the arena computes them from the games. Every function that writes is
 * one transaction: after a SIGKILL, a power failure, a full disk or an error, the store has all of
 * its changes or none. Only one thread at a time may use a handle; several processes may use one
 * store.
 *
 * Functions return 0 or -errno; store_failure then explains the error to the user in one line:
 *   -ENOENT there is no such thing; -EEXIST it already exists; -ENOSPC the disk is full;
 *   -EROFS not writable; -EBUSY another process uses it; -EBADMSG not a store, or damaged;
 *   -ENOTSUP the store's schema is not this arena's; -EINTR each_fn ended the iteration;
 *   -ECANCELED the opening is closed; -ESTALE another process changed the store: read again;
 *   -EINVAL an invalid row or URL; -EPERM other users can write to the store, or the name
 *   belongs to another author; -ENODATA the replay was pruned; -ERANGE a limit is exceeded;
 *   -EOWNERDEAD the claim of the season was lost; and from a server -ENOTCONN no answer,
 *   -EIO the server failed, -EACCES not permitted.
 *
 * An each_fn may read from the store, but may see newer data than in its arguments. It must neither
 * write nor begin or end a transaction.
 */
#ifndef ARENA_STORE_STORE_H
#define ARENA_STORE_STORE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/state.h"
#include "sdk/wire.h"

enum store_limits {
    STORE_SCHEMA_VERSION = 1,   /* raised with each change of the schema: see upgrades.c */
    STORE_NAME_BYTES_MAX = 32,  /* longest name of a bot or a season */
    STORE_TEXT_BYTES_MAX = 64,  /* longest version, author or language of a bot */
    STORE_HASH_DIGITS = 64,     /* digits of a SHA-256 in hex */
    STORE_DIGEST_BYTES = 32,    /* bytes of a SHA-256 */
    STORE_CLOCK_DECISIONS = 40, /* about as many decisions as a bot makes in a game */
    STORE_GAME_ID_BYTES = 64,   /* room for a game's id, NUL included */
    STORE_PAUSED_BYTES = 256,
    STORE_BUDGET_GAMES_MAX = 1000000000, /* largest budget of a season */
    STORE_LIVE_DELAY_S_MAX = 600,        /* longest delay of a season's running games */
    STORE_PACKAGE_BYTES_MAX = 256 << 20,
    STORE_REPORT_BYTES_MAX = 1 << 20,
    STORE_MANIFEST_BYTES_MAX = 64 << 10,
    STORE_REPLAY_BYTES_MAX = 16 << 20,
    STORE_FORFEITS_BYTES_MAX = 1 << 20, /* maximum size of a game's forfeits, as JSON */
    STORE_MACHINE_BYTES_MAX = 1024, /* maximum size of a game's record of its machine, as JSON */
    STORE_TIMES_BYTES_MAX = 4096,   /* maximum size of a seat's packed decision times */
    STORE_WHERE_BYTES = 4096 + 64,  /* room for the store's name in messages */
    STORE_WHO_BYTES = 65,           /* room for who acted, NUL included */
    STORE_ABOUT_BYTES = 2 * STORE_TEXT_BYTES_MAX + 2, /* room for an event's text, NUL included */
};

enum store_mode {
    STORE_READ = 0,   /* the store must exist; its disk may be read-only */
    STORE_WRITE = 1,  /* the store must exist */
    STORE_CREATE = 2, /* the store and its folder are created if they do not exist */
};

struct store;

enum store_channel {
    /* There may be new groups of games to claim, or a claimed group has changed. */
    STORE_CHANNEL_WORK = 0,
    STORE_CHANNEL_RESULTS = 1, /* a worker delivered a game */
};

/*
 * Opens the store at a URL. sqlite:PATH names a folder with the file arena.db in it, or that file
 * itself; a plain path means the same. *store is NULL only for -ENOMEM: after any other failure,
 * store_failure(*store) returns the message, and the caller closes *store.
 */
int store_open(struct store **store, const char *url, enum store_mode mode);

/* Closes a store and releases its claims. Accepts NULL. */
void store_close(struct store *store);

/* Returns the URL under which any process can open this store again; owned by the store. */
const char *store_url(const struct store *store);

/* Returns the store's name in messages, for example the path of a file; owned by the store. */
const char *store_where(const struct store *store);

/* Returns the version of the schema from which store_open upgraded the store; 0: it did not. */
int store_upgraded_from(const struct store *store);

/* Returns why the last call failed, in one line; owned by the store, valid until the next call. */
const char *store_failure(const struct store *store);

/*
 * From now on, calls fail with -ETIMEDOUT once is_over_fn returns true, because nobody waits for
 * them. The store asks is_over_fn before each statement, and at least ten times a second while one
 * runs; but not in a transaction, which runs to its end. NULL: all calls run to their end.
 */
void store_watch(struct store *store, bool (*is_over_fn)(void *owner), void *owner);

/* Set the line that store_failure returns, for an error that the caller found. Return error. */
int store_explain(struct store *store, int error, const char *line);
int store_refuse(struct store *store, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As store_refuse, for a damaged row, such as "group 7, rotation 0". Returns -EBADMSG. */
int store_damaged(struct store *store, const char *table, const char *row, const char *column,
                  const char *fault);

/* Returns 0 if every page, index and reference of the store is valid, else -EBADMSG. */
int store_check(struct store *store);

/* The result of one check of the store's server, for the organizer. */
struct store_finding {
    bool is_well;
    const char *check, *found; /* name of the check, for example "clock"; the finding */
    const char *cure;          /* what the organizer should do; "" if is_well */
};

typedef void store_finding_fn(void *context, const struct store_finding *finding);

/*
 * Returns true if the same call may succeed later: the connection or a commit was lost (-ENOTCONN,
 * -ECONNABORTED); the server's disk is full, fails or is read-only (-ENOSPC, -EIO, -EROFS); another
 * process locked a row for long (-EBUSY, -EAGAIN).
 */
bool store_error_passes(int error);

/* Calls each_fn with the result of each check of the store's server; a file has no checks. */
int store_diagnose(struct store *store, store_finding_fn *each_fn, void *context);

/*
 * Writes or reserves half a MiB on the store's disk, and removes it. Returns 0, -ENOSPC if the disk
 * is full, or another -errno.
 */
int store_try_room(struct store *store);

/*
 * Writes a consistent copy of the store to a new file, while other processes may write to it. Fails
 * with -EEXIST if the file exists, -ENOTSUP if the store's server has backup tools of its own.
 */
int store_backup(struct store *store, const char *path);

/*
 * Combine several calls into one transaction: the store changes only at the commit. After a call in
 * the transaction failed, only store_rollback is possible. Transactions do not nest. A server ends
 * a transaction in which the process sends nothing for 8 s, or after store_begin_slow for 2
 * minutes.
 */
int store_begin(struct store *store);
int store_begin_slow(struct store *store);
int store_commit(struct store *store);
void store_rollback(struct store *store);

/* Commits if error is 0; rolls back after an error, also of the commit. Returns the error. */
int store_end(struct store *store, int error);

/*
 * Returns a number that grows when the store connects to its server again: the server may then have
 * lost its last commits, because a standby took its place. Always 0 for a store in a file.
 */
int store_connection(const struct store *store);

/*
 * Claims a season, so that no other process plays it. The claim lasts until the store is closed or
 * the process ends in any way; it replaces an earlier claim of this store. Fails with -EBUSY if
 * another process has claimed the season; with `waits`, only after waiting a moment for that
 * process, which may just be dying. A process that stood still for too long may lose its claim: the
 * store then refuses all that the process writes, with -EOWNERDEAD.
 */
int store_season_claim(struct store *store, const char *name, bool waits);

/* Fails with -EOWNERDEAD, as all writes do, if this store had a claim and has lost it. */
int store_claim_check(struct store *store);

enum store_claim_limits {
    STORE_OWNER_BYTES = 128,
};

/*
 * Writes who has claimed a season, such as "process 12 of alpha"; "" if nobody has. In SQLite this
 * process must not have claimed the season itself. Returns 0 or -errno.
 */
int store_claim_read(struct store *store, const char *name, char owner[static STORE_OWNER_BYTES]);

/*
 * Ends another process's claim on a season, whose later games then do not count. Fails with -ENOENT
 * if nobody has claimed the season; with -EBUSY in SQLite, where a claim lasts as long as its
 * process.
 */
int store_claim_release(struct store *store, const char *name);

/* ---- bots ---- */

/* One version of a bot. The store keeps all versions for ever. */
struct store_bot {
    int64_t id;          /* id of the version, from 1, ascending in order of submission */
    int64_t previous_id; /* id of the previous version; 0: none */
    char name[STORE_NAME_BYTES_MAX + 1];
    char version[STORE_TEXT_BYTES_MAX + 1];
    char author[STORE_TEXT_BYTES_MAX + 1];
    char language[STORE_TEXT_BYTES_MAX + 1];
    char sha256[STORE_HASH_DIGITS + 1];         /* hash of the package as it was submitted */
    char built_sha256[STORE_HASH_DIGITS + 1];   /* hash of the package that is run */
    char content_sha256[STORE_HASH_DIGITS + 1]; /* hash without bot.json; "": unknown */
    bool taken_over; /* the author took the name over from another author */
    bool reference;  /* others are measured against the version, which holds no rank */
    /*
     * The most generous clock for which the bot was found too slow: it enters no season whose clock
     * is not more generous (store_clock_is_tighter). All 0: none.
     */
    struct wire_clock too_fast;
    /* The text of bot.json, borrowed; NULL in bots that the store returns. */
    const char *manifest;
    int64_t submitted_us; /* since 1970 */
    int64_t retired_us;   /* time of retirement, since 1970; 0: not retired */
    int64_t banned_us;    /* time of the ban, since 1970; 0: neither name nor author is banned */
    bool voided;          /* the bot is banned, and its games do not count */
    bool newest;          /* the bot is the latest version of its name */
};

/*
 * Called for each bot. Returns 0 to continue; any other value ends the iteration with -EINTR.
 * Pointers are valid during the call only.
 */
typedef int store_bot_fn(void *context, const struct store_bot *bot);
typedef int store_name_fn(void *context, const char *name);

/* A folder packed as a tar archive (archive.h). The bytes are borrowed. */
struct store_package {
    const uint8_t *bytes;
    size_t size;
};

/*
 * True if clock a gives a bot less time than clock b: for a game of STORE_CLOCK_DECISIONS, or else
 * for its start.
 */
bool store_clock_is_tighter(const struct wire_clock *a, const struct wire_clock *b);

/* True if the bot is known to be too slow for a season with this clock. */
bool store_bot_is_too_slow(const struct store_bot *bot, const struct wire_clock *clock);

/*
 * Adds a version of a bot with its packages as submitted and as built. Sets id, previous_id and
 * newest. Fails with -EEXIST if the name already has that version; with -EPERM if the name belongs
 * to another author, unless taken_over is set. Clears taken_over if the name belonged to nobody
 * else.
 */
int store_bot_add(struct store *store, struct store_bot *bot, struct store_package given,
                  struct store_package built);

/* Returns what store_bot_add would return for the name, version, author and taken_over of a bot. */
int store_bot_check(struct store *store, const struct store_bot *bot);

/* Finds a version of a name; version NULL: the newest version. */
int store_bot_find(struct store *store, const char *name, const char *version,
                   struct store_bot *bot);

/* Calls each_fn for the name of each reference bot that plays: neither retired nor banned. */
int store_references_each(struct store *store, store_name_fn *each_fn, void *context);

/*
 * Finds the first version with the same files as a stored bot, bot.json aside, that another author
 * submitted, or the same author under another name. Fails with -ENOENT, without a message, if no
 * older version is the same.
 */
int store_bot_find_same(struct store *store, const struct store_bot *bot, struct store_bot *first);

/*
 * Call each_fn for all versions of all bots, in order of id; or for those that were submitted
 * before the deadline of a season, as if there were no others, and those that have entered the
 * season and do not play on since its deadline moved (not newest).
 */
int store_bots_each(struct store *store, store_bot_fn *each_fn, void *context);
int store_bots_of_season(struct store *store, int64_t season_id, store_bot_fn *each_fn,
                         void *context);

/* Retires all versions of a name, which then play no more. A later version plays again. */
int store_bot_retire(struct store *store, const char *name, int64_t now_us);

/* Makes a retired name active again. Fails with -EEXIST if the name is not retired. */
int store_bot_unretire(struct store *store, const char *name);

/*
 * Bans a name or an author (the other argument is NULL): bots of that name or author do not play,
 * even if they are submitted later. With void_games, their games no longer count. An author may be
 * banned before the first submission. Fails with -ENOENT if no bot has the name, -EEXIST if the
 * name or author is already banned in this way.
 */
int store_ban_add(struct store *store, const char *name, const char *author, bool void_games,
                  int64_t now_us);

/* Lifts a ban; voided games count again. Fails with -EEXIST if there is no such ban. */
int store_ban_lift(struct store *store, const char *name, const char *author, int64_t now_us);

/* Reads the bot.json with which the arena runs a version. The caller frees *text. */
int store_manifest_read(struct store *store, int64_t bot_id, char **text);

/* Reads a package. The caller frees *package. */
int store_package_read(struct store *store, const char *sha256, uint8_t **package, size_t *size);

/* ---- seasons ---- */

enum store_board {
    STORE_BOARD_COLORED = 0,
    STORE_BOARD_GRAY = 1,
    STORE_BOARD_BOTH = 2, /* colored and gray boards alternate */
};

/* The names of enum store_board, and NULL. */
extern const char *const store_boards[];

/* How bots are run. */
struct store_play {
    int64_t memory_bytes; /* memory limit of one bot */
    int tier;             /* the lowest enum sandbox_tier that may confine bots */
    bool freeze;          /* the arena stops each bot while it is not the bot's turn */
    bool pin;             /* each game is played on a processor core of its own */
};

/* The terms of a season. Only its budget and its dates may change. */
struct store_season {
    int64_t id;
    char name[STORE_NAME_BYTES_MAX + 1];
    /* Table sizes, ascending, without duplicates. */
    int player_counts[GAME_PLAYERS_MAX - GAME_PLAYERS_MIN + 1];
    int player_count_count;
    enum store_board board;
    struct wire_clock clock;
    struct store_play play;
    bool authors_free;                       /* bots of one author may meet in a game */
    char division[STORE_TEXT_BYTES_MAX + 1]; /* for people to read; "": none */
    bool is_practice;      /* rated seasons are played first, and bots get each other's names */
    bool publishes_errors; /* the site shows the standard error of a bot that forfeited */
    bool prunes;           /* old replays are removed, except those that keep_games describes */
    int64_t keep_games;    /* newest replays that are kept, besides all replays with forfeits */
    int64_t budget_games;
    /*
     * A season by dates (season/dates.h): games that each bot may play a day; budget_games is then
     * the largest possible. 0: the season has a budget.
     */
    int64_t games_a_day;
    bool until_decided; /* the season ends once the ladder is decided */
    /* The times below are in microseconds since 1970; 0: none. */
    int64_t from_us, until_us; /* a daemon plays from from_us on, and closes at until_us */
    int64_t deadline_us;       /* versions that authors submit later do not enter the season */
    int live_delay_s;          /* delay before pages show a running game; -1: never */
    int64_t created_us;
    int64_t closing_us; /* no game begins any more, and those that still run then become void */
    int64_t closed_us;
    int64_t decided_us; /* since then the order of the bots is certain, and no batch was added */
    int64_t voided_us;  /* the season was a mistake: it counts for nobody, and pages leave it out */
    char
        paused[STORE_PAUSED_BYTES]; /* why no game begins until the season is resumed; "": it may */
    int64_t league_id;              /* the season is a division of this league; 0: of none */
    int round;                      /* of the league, from 1 */
};

/*
 * An opening: a period in which a season is open, from its creation or reopening to its closing.
 * The seeds of the games are derived from the opening's secret seed.
 */
struct store_opening {
    int number; /* from 0 */
    uint8_t seed[GAME_SEED_BYTES];
    char commitment[STORE_HASH_DIGITS + 1]; /* SHA-256 of the seed's bytes */
    bool by_hand;      /* the organizer gave the seed on the command line, so it is not secret */
    bool copied;       /* this store is a backup: the original store will publish the seed */
    int64_t opened_us; /* since 1970 */
    int64_t closed_us; /* time of closing, since 1970; 0: this opening is not closed */
};

/* An entry: a version of a bot in a season. */
struct store_entry {
    int number; /* number in the season, from 0, in the order in which bots entered the season */
    int64_t bot_id;
    int batch; /* number of the first batch in which the bot can play */
};

/* A group: the games of one set of bots, one game per rotation, player_count games in all. */
struct store_group {
    int number; /* number of the group, from 0, counted over the whole season */
    int batch;
    int opening; /* in which the group was chosen; its games may be played in a later one */
    int player_count;
    enum board_side board;
    int base[GAME_PLAYERS_MAX]; /* entries: in game r, seat s has base[(s + r) % player_count] */
};

/* A batch: groups that the schedule chose in one step, stored together. */
struct store_batch {
    int number;    /* from 0 */
    int opening;   /* in which the batch was chosen */
    int64_t event; /* id of the last event that the schedule knew when it chose the batch */
    unsigned meeting_sizes; /* bit m: with m players, some bots still have to meet */
    int connection;         /* store_connection when the batch was chosen; not stored */
};

/* An event: a change of a season or of the bots that play, by an organizer or a submission. */
struct store_event {
    int64_t id; /* from 1, ascending in order of time */
    int64_t time_us;
    int64_t season_id;  /* 0: the event is about all seasons */
    bool is_of_account; /* about an account, its tokens or a submission: no season tells it */
    char what[16];      /* submit, retire, ban, new, extend, closing, organizer-token, ... */
    char about[STORE_ABOUT_BYTES]; /* NAME@VERSION, an author, a number of games, ... */
    char who[STORE_WHO_BYTES];     /* USER@HOST of a command; "daemon"; author-ID through the API */
};

typedef int store_event_fn(void *context, const struct store_event *event);
typedef int store_batch_fn(void *context, const struct store_batch *batch);
/* A league: seasons in rounds, a division each, with promotion and relegation between them. */
struct store_league {
    int64_t id;
    char name[STORE_NAME_BYTES_MAX + 1];
    char divisions[STORE_TEXT_BYTES_MAX + 1]; /* best first: "A,B,C" */
    int place_count;    /* bots of a division; the last one takes all others */
    int promoted_count; /* bots that go up, and down, between two divisions after a round */
    int64_t created_us; /* since 1970 */
};

typedef int store_league_fn(void *context, const struct store_league *league);

/* Adds a league, and sets its id. Fails with -EEXIST if there is one of that name. */
int store_league_add(struct store *store, struct store_league *league);
int store_league_find(struct store *store, const char *name, struct store_league *league);
int store_leagues_each(struct store *store, store_league_fn *each_fn, void *context);

typedef int store_season_fn(void *context, const struct store_season *season);
typedef int store_opening_fn(void *context, const struct store_opening *opening);
typedef int store_entry_fn(void *context, const struct store_entry *entry);
typedef int store_group_fn(void *context, const struct store_group *group);

/* Adds a season and its first opening. Sets the season's id. */
int store_season_add(struct store *store, struct store_season *season,
                     const struct store_opening *opening);
int store_season_find(struct store *store, const char *name, struct store_season *season);
int store_seasons_each(struct store *store, store_season_fn *each_fn, void *context);

/*
 * Adds more_games to the budget of a season. Fails with -EEXIST if the season is closed, with
 * -ERANGE if the budget would exceed STORE_BUDGET_GAMES_MAX.
 */
int store_season_extend(struct store *store, int64_t season_id, int64_t more_games);

/*
 * Sets the times from_us, deadline_us and until_us of a season to those of `dates`, and adds
 * more_games to the season's budget unless more_games is 0: both or neither. Fails with -EEXIST if
 * the season is closed, or if from_us changes and the season has begun; else as
 * store_season_extend().
 */
int store_season_date(struct store *store, const struct store_season *dates, int64_t more_games);

/*
 * Lets no game of an open season begin, for a reason that people read; "" lets them begin again.
 * Fails with -EEXIST if the season is closed, or is not paused and words is "".
 */
int store_season_pause(struct store *store, int64_t season_id, const char *words);

/*
 * Makes a closed season void, or counting again. Fails with -EEXIST if the season is open, or is
 * that already.
 */
int store_season_void(struct store *store, int64_t season_id, bool is_void);

/* Removes a season and its events. Fails with -EEXIST if the season is open or has games. */
int store_season_remove(struct store *store, int64_t season_id);

/*
 * Removes the games of an open season that a worker played and began at from_us or later, so that
 * they are played again. Returns their number; -ENOENT if there is none. The batches that were
 * chosen after these games stay.
 */
int store_games_void(struct store *store, const struct store_season *season, int64_t worker_id,
                     int64_t from_us);

/*
 * Begins to close a season: no new game begins, and games that still run at until_us (since 1970)
 * are stopped. The seed stays secret until store_season_close. Another call replaces until_us.
 * Fails with -EEXIST if the season is closed.
 */
int store_season_begin_close(struct store *store, int64_t season_id, int64_t until_us);

/*
 * Closes a season whose until_us is past at now_us, in two calls: the first one begins to close it,
 * wait_us before the second one closes it. Does nothing if nothing is due, because the season has
 * another until_us since the caller read it, or another process was faster.
 */
int store_season_end(struct store *store, int64_t season_id, int64_t now_us, int64_t wait_us);

/* Reverts store_season_begin_close. Fails with -EEXIST unless the season is closing. */
int store_season_go_on(struct store *store, int64_t season_id);

/* Closes a season and its opening. Fails with -EEXIST if the season is already closed. */
int store_season_close(struct store *store, int64_t season_id, int64_t now_us);

/*
 * Reopens a closed season with a new opening and budget, and without its until_us if that time is
 * past. Games that are not played yet get their seeds from the new opening, because the seed of the
 * old one is published. Fails with -EEXIST if the season is open, -ERANGE as store_season_extend().
 */
int store_season_reopen(struct store *store, int64_t season_id, int64_t budget_games,
                        const struct store_opening *opening);

/* Call each_fn for all rows of a season, in order of their numbers. */
int store_openings_each(struct store *store, int64_t season_id, store_opening_fn *each_fn,
                        void *context);
int store_entries_each(struct store *store, int64_t season_id, store_entry_fn *each_fn,
                       void *context);
int store_groups_each(struct store *store, int64_t season_id, store_group_fn *each_fn,
                      void *context);
int store_batches_each(struct store *store, int64_t season_id, store_batch_fn *each_fn,
                       void *context);

/*
 * Adds the next batch of the schedule with its new bots and groups, all or none. Fails with -ESTALE
 * if an event was added after batch->event or the store has connected again since, -ECANCELED if
 * the batch's opening is closed.
 */
int store_batch_add(struct store *store, int64_t season_id, const struct store_batch *batch,
                    const struct store_entry *entries, size_t entry_count,
                    const struct store_group *groups, size_t group_count);

struct store_season_counts {
    int64_t entries, batches, groups;
    int64_t scheduled; /* games of all groups */
    int64_t played;    /* games that are stored */
    /* Games of groups with a bot that is banned together with its games: all, and those stored. */
    int64_t void_scheduled, void_played;
};

int store_season_count(struct store *store, int64_t season_id, struct store_season_counts *counts);

/*
 * How fast a season was played: the games of the hour before its newest game, as far as they are of
 * its newest 1024 groups.
 */
struct store_pace {
    int64_t game_count;
    int64_t first_us; /* start of the first of these games, since 1970 */
    int64_t last_us;  /* end of the last of these games; 0: the season has no game */
};

int store_season_pace(struct store *store, int64_t season_id, struct store_pace *pace);

/*
 * Records that the order of the season's bots is certain, so that the season plays no more games
 * until the next batch.
 */
int store_season_decide(struct store *store, int64_t season_id, int64_t now_us);

/* Reads the id of the last event, 0 if there is none. */
int store_event_latest(struct store *store, int64_t *event);

/* Who adds events in this process: "daemon"; or NULL: the user who logged in, as USER@HOST. */
extern const char *store_actor;

/* From now on, `who` adds the events of this connection; "": store_actor. */
void store_act_as(struct store *store, const char *who);

/*
 * Calls each_fn for the events of a season and the events about all seasons, without those about
 * accounts and tokens, in order of id.
 */
int store_events_each(struct store *store, int64_t season_id, store_event_fn *each_fn,
                      void *context);

/*
 * Calls each_fn for the first 16 events after the event with that id; season is the name of the
 * event's season, or "" if the event is about all seasons.
 */
typedef int store_change_fn(void *context, const struct store_event *event, const char *season);
int store_changes_each(struct store *store, int64_t event, store_change_fn *each_fn, void *context);

/*
 * Sets the names of the bots that may play a season from the next batch on; count 0: all bots.
 * Fails with -ENOENT if no bot has one of the names.
 */
int store_roster_set(struct store *store, int64_t season_id, const char *const *names,
                     size_t count);
int store_roster_each(struct store *store, int64_t season_id, store_name_fn *each_fn,
                      void *context);

/*
 * What the name of a bot or a season must be. Not "-1" or "--json", which commands take for
 * options.
 */
#define STORE_NAME_RULE "1 to 32 characters a-z 0-9 - _, the first of them a letter or digit"

/* Returns true for a name that keeps STORE_NAME_RULE. */
bool store_name_is_valid(const char *name);

/*
 * Returns true for 1 to 64 bytes of UTF-8 without control characters and characters that change the
 * direction of text.
 */
bool store_text_is_valid(const char *text);

/*
 * Writes the path of the arena's home folder: `option` (the value of --home) if it is not NULL;
 * else $ARENA_HOME; else the folder pavilion in $XDG_DATA_HOME or ~/.local/share. Returns 0,
 * -ENOENT if none of these is set, or -ENAMETOOLONG.
 */
int home_find(const char *option, char path[static PATH_MAX]);

/* Creates a folder and its parents; only the owner may use the folder. Returns 0 or -errno. */
int home_create(const char *path);

#endif
