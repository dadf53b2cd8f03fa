/*
 * A season as it goes on: the schedule in memory, every step of it in the store first.
 * Plays nothing itself: season_next tells a game, season_record brings it back; who plays
 * it (bots in a sandbox, or a function in a test) is the caller's affair. Killed at any
 * instant and loaded again, it goes on with the same games.
 */
#ifndef ARENA_SEASON_SEASON_H
#define ARENA_SEASON_SEASON_H

#include "arena/season/roster.h"
#include "arena/season/schedule.h"
#include "arena/season/seed.h"
#include "arena/store/store.h"

struct season {
    struct store *store; /* borrowed */
    struct store_season terms;
    struct store_opening opening; /* the latest */
    int64_t event;                /* the last of the store's that is known here */
    struct roster roster;
    struct schedule schedule;
};

/* One game to be played. */
struct season_game {
    char id[STORE_GAME_ID_BYTES];
    int group, rotation;
    int player_count;
    enum board_side board;
    int opening; /* whose seed gave the game's; store_game has both */
    uint8_t seed[GAME_SEED_BYTES];
    int entries[GAME_PLAYERS_MAX]; /* by seat */
};

enum season_step {
    SEASON_GAME = 0,    /* *game is to be played */
    SEASON_WAIT = 1,    /* nothing to start before a game that runs is recorded */
    SEASON_SPENT = 2,   /* the budget allows no more */
    SEASON_DECIDED = 3, /* every two neighbors are: rating/decided.h */
    SEASON_CLOSED = 4,  /* closed, or being closed: nothing more begins */
};

/*
 * Draws a seed (or takes *by_hand), commits to it and adds the season to the store; sets
 * terms->id. Returns 0 or -errno (store_failure tells).
 */
int season_create(struct store *store, struct store_season *terms, const uint8_t *by_hand,
                  int64_t now_us);

/*
 * Opens a closed season anew: another seed, another budget; or lets one that is only being
 * closed go on under its seed. 0 or -errno (likewise).
 */
int season_reopen(struct store *store, const struct store_season *terms, int64_t budget_games,
                  const uint8_t *by_hand, int64_t now_us);

/* Reads all of a season. Returns 0 or -errno (store_failure tells); then nothing to finish. */
int season_load(struct season *season, struct store *store, const char *name);

/* Takes a zeroed one. */
void season_finish(struct season *season);

/*
 * What to do next (enum season_step), or -errno. Looks first at what was changed from outside:
 * the budget, a close, a reopening or a ban of games, at once; who plays, with the next batch.
 * -EDOM when no table can be seated from the bots that there are, else store_failure tells. A batch
 * is stored before its first game is told.
 */
int season_next(struct season *season, struct season_game *game);

/*
 * The same for a season whose games are played elsewhere: takes in what was stored since, and
 * chooses and stores the batches that are due. Never SEASON_GAME: SEASON_WAIT while games are to be
 * played, then SEASON_SPENT or SEASON_DECIDED; or SEASON_CLOSED, or -errno.
 */
int season_deal(struct season *season);

/*
 * Looks as season_next does at what was changed, without going on; cheap where nothing was. Says
 * of each game, which are told and under way, whether it is given up: its opening is closed, or
 * the time for what is under way is up, or somebody in it was banned with all games. now_us is
 * since 1970. Returns 1 if anything was changed, 0, or -errno (store_failure tells).
 */
int season_look(struct season *season, int64_t now_us, const struct season_game *games,
                size_t count, bool *given_up);

/* False for one that is closed, or being closed: no game begins. */
bool season_is_open(const struct season *season);

/*
 * Keeps a played game; fills in under which terms. 0 or -errno (store_failure tells): it is then
 * to be recorded again, or returned. -ECANCELED when the season was closed meanwhile: the game
 * is void, and only to be returned.
 */
int season_record(struct season *season, const struct store_game *game, const uint8_t *replay,
                  size_t replay_bytes);

/*
 * Removes replays that the terms do not keep, a bounded number of them: short enough to be called
 * between games. Returns how many are gone, 0: nothing is left to remove; or -errno (likewise).
 */
int64_t season_prune(struct season *season);

/* A game that was told is not going to be played in this run. */
void season_return(struct season *season, const struct season_game *game);

/*
 * How many games the opening stage of all table sizes takes with the bots that there are now; of
 * a season without games. -errno on failure (store_failure tells).
 */
int64_t season_opening_games(struct season *season);

/* How many games the schedule comes to: the budget in whole groups, less those that are void and
   not played. */
int64_t season_game_budget(const struct season *season);

#endif
