/*
 * A running season: the schedule in memory, with every change stored first. Plays nothing itself:
 * season_next returns a game, season_record stores its result; the caller plays it (with bots in a
 * sandbox, or a function in a test). A season that is killed at any moment and loaded again
 * continues with the same games.
 */
#ifndef ARENA_SEASON_SEASON_H
#define ARENA_SEASON_SEASON_H

#include "arena/season/roster.h"
#include "arena/season/schedule.h"
#include "arena/season/seed.h"
#include "arena/store/games.h"

struct season {
    struct store *store; /* borrowed */
    struct store_season terms;
    struct store_opening opening; /* the latest */
    int64_t event;                /* the store's last event that was read */
    struct roster roster;
    struct schedule schedule;
};

/* One game to be played. */
struct season_game {
    char id[STORE_GAME_ID_BYTES];
    int group, rotation;
    int player_count;
    enum board_side board;
    int opening; /* the opening from whose seed the game's seed is derived; store_game has both */
    uint8_t seed[GAME_SEED_BYTES];
    int entries[GAME_PLAYERS_MAX]; /* by seat */
};

enum season_step {
    SEASON_GAME = 0,    /* a game to play: *game */
    SEASON_WAIT = 1,    /* no game can start before a running one is recorded */
    SEASON_SPENT = 2,   /* the budget is used up */
    SEASON_DECIDED = 3, /* all neighbors on the ladder are decided: rating/decided.h */
    SEASON_CLOSED = 4,  /* closed, or being closed: no game begins */
};

/*
 * Draws a seed (or uses *by_hand), commits to it and adds the season to the store; sets terms->id.
 * Returns 0 or -errno (see store_failure).
 */
int season_create(struct store *store, struct store_season *terms, const uint8_t *by_hand,
                  int64_t now_us);

/*
 * Reopens a closed season with another seed and another budget; one that is still being closed
 * continues with its seed. Returns 0 or -errno (see store_failure).
 */
int season_reopen(struct store *store, const struct store_season *terms, int64_t budget_games,
                  const uint8_t *by_hand, int64_t now_us);

/* Loads a season. Returns 0, or -errno (see store_failure) with nothing to finish. */
int season_load(struct season *season, struct store *store, const char *name);

/* Accepts a zeroed season. */
void season_finish(struct season *season);

/*
 * Returns what to do next (enum season_step), or -errno. Reads changes made by others first: a new
 * budget, a close, a reopening or a ban of games applies at once; a change in who plays applies
 * with the next batch. Stores a batch before it returns the batch's first game. Fails with -EDOM if
 * the bots cannot fill a table, else see store_failure.
 */
int season_next(struct season *season, struct season_game *game);

/*
 * The same for a season whose games are played by others: chooses and stores the batches that are
 * due. Returns SEASON_WAIT while games are left to be played, then SEASON_SPENT or SEASON_DECIDED;
 * SEASON_CLOSED; or -errno. Never SEASON_GAME.
 */
int season_deal(struct season *season);

/*
 * Reads the results that were stored since the last call by others, or by this process where it
 * lost its connection and does not know it. Returns 0 or -errno (see store_failure).
 */
int season_read_results(struct season *season);

/* Fills in a game of the schedule as it is to be played now; its group and rotation are given. */
void season_fill_game(const struct season *season, struct season_game *game);

/*
 * Reads changes as season_next does, without choosing a game; cheap if there are none. games:
 * the running games that season_next returned. Sets given_up[i] if game i is void: the season was
 * closed after it began, its time to finish is over, or a bot in it was banned with its games.
 * now_us is since 1970. Returns 1 if anything changed, 0 if not, or -errno (see store_failure).
 */
int season_look(struct season *season, int64_t now_us, const struct season_game *games,
                size_t count, bool *given_up);

/* False if the season is closed or being closed: no game begins. */
bool season_is_open(const struct season *season);

/*
 * Stores a played game, with the terms it was played under. Returns 0 or -errno (see
 * store_failure): then record it again, or return it. Returns -ECANCELED if the season was closed
 * meanwhile: the game is void, and must be returned.
 */
int season_record(struct season *season, const struct store_game *game, const uint8_t *replay,
                  size_t replay_bytes);

/*
 * Removes a limited number of replays that the terms do not keep: quick enough to be called between
 * games. Returns how many it removed, 0 if none is left to remove, or -errno (see store_failure).
 */
int64_t season_prune(struct season *season);

/* Gives back a game from season_next that will not be played in this run. */
void season_return(struct season *season, const struct season_game *game);

/*
 * Returns how many games the opening stage of all table sizes takes with the current bots, for a
 * season without games; or -errno (see store_failure).
 */
int64_t season_opening_games(struct season *season);

/*
 * Returns how many games the schedule has: the budget in whole groups, less the void games that
 * were not played.
 */
int64_t season_game_budget(const struct season *season);

#endif
