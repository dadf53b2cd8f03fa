/* SPDX-License-Identifier: MIT */
/*
 * A running season: the schedule in memory; every change is stored before it is made there. Plays
 * nothing itself: season_next returns a game, the caller plays it (with bots in a sandbox, or with
 * a function in a test), and season_record stores its result. A season whose process is killed at
 * any moment continues with the same games when it is loaded again.
 */
#ifndef ARENA_SEASON_SEASON_H
#define ARENA_SEASON_SEASON_H

#include "arena/season/breaker.h"
#include "arena/season/dates.h"
#include "arena/season/roster.h"
#include "arena/season/schedule.h"
#include "arena/season/seed.h"
#include "arena/store/games.h"

struct season {
    struct store *store; /* borrowed */
    struct store_season terms;
    struct store_opening opening; /* the latest opening */
    int64_t event;                /* number of the last store event that was read */
    int connection;   /* store_connection() when the schedule was last compared with the store */
    bool is_outdated; /* the store lacks games or batches of the schedule: load the season again */
    bool is_voided;   /* is_outdated because an organizer has voided games, which is no fault */
    struct breaker watch;    /* of the games that were recorded since the season was loaded */
    int64_t (*now_fn)(void); /* the clock of its dates, since 1970; a test sets another one */
    struct roster roster;
    struct schedule schedule;
};

/* A game that the caller of season_next must play. */
struct season_game {
    char id[STORE_GAME_ID_BYTES];
    int group, rotation;
    int player_count;
    enum board_side board;
    int opening; /* from whose secret the game's seed is derived */
    uint8_t seed[GAME_SEED_BYTES];
    int entries[GAME_PLAYERS_MAX]; /* indexed by seat */
};

enum season_step {
    SEASON_GAME = 0,    /* *game is the game to play */
    SEASON_WAIT = 1,    /* no game can start until a running game is recorded */
    SEASON_SPENT = 2,   /* the budget is used up, or the dates are past */
    SEASON_DECIDED = 3, /* the order of all neighbors on the ladder is certain (rating/fit.h) */
    SEASON_CLOSED = 4,  /* the season is closed or being closed: no game begins */
    SEASON_RESTS = 5,   /* no game is due yet, or the season is paused: ask again later */
};

/*
 * Draws a seed (or uses *by_hand if not NULL), commits to the seed and adds the season to the
 * store; sets terms->id. Returns 0 or -errno (see store_failure).
 */
int season_create(struct store *store, struct store_season *terms, const uint8_t *by_hand,
                  int64_t now_us);

/*
 * Reopens a closed season with another seed (*by_hand if not NULL) and another budget. A season
 * that is still being closed keeps its seed. Returns 0 or -errno (see store_failure).
 */
int season_reopen(struct store *store, const struct store_season *terms, int64_t budget_games,
                  const uint8_t *by_hand, int64_t now_us);

/* Loads a season. Returns 0, or -errno (see store_failure) with nothing to finish. */
int season_load(struct season *season, struct store *store, const char *name);

/*
 * Loads only the terms and the roster, which is enough to tell of games (report/game.h) and costs
 * the same however many there are. Games whose bots entered since are not for roster_has_players.
 * Returns the same as season_load.
 */
int season_load_roster(struct season *season, struct store *store, const char *name);

/* Frees the memory of a season, which may be zeroed; does not close the store. */
void season_finish(struct season *season);

/*
 * Returns what to do next (enum season_step), or -errno. First reads changes made by other
 * processes: a new budget, a close, a reopening or a ban of games applies at once; a change in who
 * plays applies from the next batch on. Stores a batch before returning the batch's first game.
 * Fails with -EDOM if the bots cannot fill a table, and with -ESTALE if the store's server has lost
 * something that the schedule rests on: the season must be loaded again. store_failure explains all
 * errors but -EDOM.
 */
int season_next(struct season *season, struct season_game *game);

/*
 * season_next for a season whose games workers play: stores the batches that are due. Returns
 * SEASON_WAIT while games are left to be played, and never SEASON_GAME.
 */
int season_deal(struct season *season);

/*
 * Reads results that were stored since the last call by other processes, or by this process if it
 * lost its connection before the store confirmed them. Returns 0 or -errno (see store_failure).
 */
int season_read_results(struct season *season);

/* Fills in a game of the schedule. The caller sets group and rotation. */
void season_fill_game(const struct season *season, struct season_game *game);

/*
 * Reads changes as season_next does, without choosing a game. games: the running games. Sets
 * given_up[i] if game i is void: the season was closed since the game was chosen, the game's time
 * to end is over (now_us, since 1970), or one of its bots was banned with its games. Returns 1 if
 * anything changed, 0 if not, or -errno (see store_failure).
 */
int season_look(struct season *season, int64_t now_us, const struct season_game *games,
                size_t count, bool *given_up);

/*
 * Begins a transaction of the store (store_begin) for writes that depend on the schedule. Fails
 * with -ESTALE, as season_next does, if the server has lost batches or games of the schedule.
 */
int season_begin(struct season *season);

/* False if the season is closed or being closed, so that no game begins. */
bool season_is_open(const struct season *season);

/*
 * Stores a played game. Returns 0 or -errno (see store_failure). After an error the caller records
 * the game again or calls season_return; after -ECANCELED the game is void, because the season was
 * closed meanwhile, and the caller must call season_return.
 */
int season_record(struct season *season, const struct store_game *game, const uint8_t *replay,
                  size_t replay_bytes);

/*
 * Counts the forfeits of a stored game, and pauses the season if bots forfeit much more often than
 * before, and most of them; if the store cannot be told, the next game tries again. season_record
 * calls it; who stores games otherwise does, too.
 */
void season_watch(struct season *season, const struct store_game *game);

/* Forgets the forfeits that were counted. */
void season_watch_anew(struct season *season);

/*
 * Removes some of the replays that the season's terms do not keep. Returns how many, 0 if none is
 * left to remove, or -errno (see store_failure).
 */
int64_t season_prune(struct season *season);

/* Gives back a game that season_next returned and that will not be played in this run. */
void season_return(struct season *season, const struct season_game *game);

/* In a season without games: returns how many games all first meetings take, or -errno. */
int64_t season_first_meeting_games(struct season *season);

/*
 * Returns how many games the season will have: the budget in whole groups, or what its dates come
 * to with the bots of now; less void games.
 */
int64_t season_game_budget(const struct season *season);

/*
 * Reads when the next group of games is due, in which bots that wait may play: *next_us, since
 * 1970. 0: nobody knows, because the season goes by a budget, or no group can begin any more.
 * Returns 0 or -errno (see store_failure).
 */
int season_read_next(struct store *store, const char *name, int64_t *next_us);

/* Counts what is stored of the season, as the schedule knows it; void games are not told apart. */
struct store_season_counts season_counts(const struct season *season);

#endif
