/*
 * A thread that owns a season and its store while the season is played. It chooses games and stores
 * results, so that the loop that serves the bots waits for neither: planning a large batch can take
 * seconds, and a slow disk any time. The loop sends requests and is called back.
 *
 * Results are stored in the order in which they arrive, each in its own transaction. A game is
 * reported as stored once its transaction is committed; if the process is killed, games not yet
 * committed are lost and will be played again.
 */
#ifndef ARENA_SEASON_WORKER_H
#define ARENA_SEASON_WORKER_H

#include <ev.h>

#include "arena/season/leaders.h"
#include "arena/season/result.h"
#include "arena/season/season.h"

enum worker_limits {
    WORKER_FAILURE_BYTES = 4096 + 256,
    WORKER_LOOK_MAX = 1024, /* most games in one worker_look */
};

/* A game to be played, and its bots. */
struct worker_game {
    struct season_game game;
    struct store_bot bots[GAME_PLAYERS_MAX]; /* by seat */
};

/* The result of worker_look. */
struct worker_view {
    bool changed;                         /* worker_ask may return something else than before */
    bool is_open;                         /* games may begin */
    const struct season_game *void_games; /* those of the given games that are void; borrowed */
    size_t void_count;
};

/* The state of the season, as of the last callback. */
struct worker_standing {
    int64_t stored_count; /* games in the store */
    int64_t budget_games; /* in whole groups */
    struct leaders leaders;
};

struct worker;

struct worker_options {
    struct season *season; /* nobody else may use it or its store until worker_destroy */
    bool finds_leaders;    /* update leaders after each batch */
    void *owner;

    /*
     * The answer to worker_ask: enum season_step and, for SEASON_GAME, the game, borrowed; or
     * -errno as from season_next, with a line of text.
     */
    void (*told_fn)(void *owner, int step, const struct worker_game *game, const char *failure);

    /*
     * A result was stored (error 0), or was not and will not be in this run (-errno, with a line of
     * text). The result is borrowed.
     */
    void (*stored_fn)(void *owner, const struct game_result *result, int error,
                      const char *failure);

    /*
     * The answer to worker_look, borrowed; NULL, with a line of text, if the store cannot be read.
     */
    void (*looked_fn)(void *owner, const struct worker_view *view, const char *failure);
};

/* Starts the thread. Callbacks come from the loop. Returns NULL with errno set. */
struct worker *worker_create(struct ev_loop *loop, const struct worker_options *options);

/*
 * Finishes pending work, including results to be stored, without further callbacks. Then calls
 * ended_fn from the loop, which may destroy the worker.
 */
void worker_end(struct worker *worker, void (*ended_fn)(void *owner));

/* The same, but blocks until all is done. Accepts NULL. */
void worker_destroy(struct worker *worker);

/* Requests the next game. Only one request may be pending. Returns 0 or -ENOMEM. */
int worker_ask(struct worker *worker);

/*
 * Requests a look at changes made by others, and which of these running games are given up because
 * of them: see season_look. Copies the games. Only one request may be pending. Returns 0 or
 * -ENOMEM.
 */
int worker_look(struct worker *worker, const struct season_game *games, size_t count);

/* Gives back a game that will not be played in this run. Returns 0 or -ENOMEM. */
int worker_return(struct worker *worker, const struct season_game *game);

/* Queues a result to be stored, and takes ownership of it in any case. Returns 0 or -ENOMEM. */
int worker_store(struct worker *worker, struct game_result *result);

/* Returns the state of the season. Call on the loop's thread only. */
const struct worker_standing *worker_standing(const struct worker *worker);

#endif
