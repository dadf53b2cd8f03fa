/*
 * A thread that owns a season and its store while the season is played. The thread chooses games
 * and stores results, so that the loop that serves the bots never waits for either: choosing a
 * large batch can take seconds, and a slow disk any time. The loop sends requests to the thread and
 * gets answers through callbacks (play/mailbox.h).
 *
 * The thread stores results in the order in which they arrive, each in its own transaction. It
 * reports a game as stored once the transaction is committed; if the process is killed, uncommitted
 * games are lost and will be played again.
 */
#ifndef ARENA_SEASON_SEASON_THREAD_H
#define ARENA_SEASON_SEASON_THREAD_H

#include <ev.h>

#include "arena/season/progress.h"
#include "arena/season/result.h"
#include "arena/season/season.h"

enum season_thread_limits {
    SEASON_THREAD_FAILURE_BYTES = 4096 + 256,
    SEASON_THREAD_LOOK_MAX = 1024, /* maximum number of games in one season_thread_look */
};

/* A game to be played, and its bots. */
struct season_pick {
    struct season_game game;
    struct store_bot bots[GAME_PLAYERS_MAX]; /* indexed by seat */
};

/* The answer to season_thread_look. */
struct season_view {
    bool changed; /* the answer to season_thread_ask may be different now */
    bool is_open; /* the season is open: games may begin */
    /* The void ones among the games of the request; borrowed. */
    const struct season_game *void_games;
    size_t void_count;
};

/* The state of the season, as of the last callback. */
struct season_standing {
    int64_t stored_count; /* games in the store */
    int64_t budget_games; /* the budget, rounded up to whole groups */
    struct leaders leaders;
};

struct season_thread;

struct season_thread_options {
    /* Nobody else may use the season or its store until season_thread_destroy. */
    struct season *season;
    bool finds_leaders; /* update the leaders after each batch */
    void *owner;

    /*
     * The answer to season_thread_ask: an enum season_step and, for SEASON_GAME, the game,
     * borrowed; or -errno from season_next, with a line of text in failure.
     */
    void (*told_fn)(void *owner, int step, const struct season_pick *pick, const char *failure);

    /*
     * A result was stored (error is 0), or will not be stored in this run (error is -errno, with a
     * line of text in failure). The result is borrowed.
     */
    void (*stored_fn)(void *owner, const struct game_result *result, int error,
                      const char *failure);

    /*
     * The answer to season_thread_look, borrowed; NULL, with a line of text in failure, if the
     * store cannot be read.
     */
    void (*looked_fn)(void *owner, const struct season_view *view, const char *failure);
};

/* Starts the thread. The thread's callbacks are called on the loop. Returns NULL with errno set. */
struct season_thread *season_thread_create(struct ev_loop *loop,
                                           const struct season_thread_options *options);

/*
 * Finishes pending requests, including results to be stored, without further callbacks. Then calls
 * ended_fn on the loop; ended_fn may destroy the thread.
 */
void season_thread_end(struct season_thread *thread, void (*ended_fn)(void *owner));

/*
 * Does what season_thread_end does, but blocks until all is done, and frees the thread. Accepts
 * NULL.
 */
void season_thread_destroy(struct season_thread *thread);

/* Requests the next game. Only one such request may be pending. Returns 0 or -ENOMEM. */
int season_thread_ask(struct season_thread *thread);

/*
 * Requests a look for changes made by other processes, and which of the given running games must be
 * given up because of them: see season_look. Copies the games. Only one such request may be
 * pending. Returns 0 or -ENOMEM.
 */
int season_thread_look(struct season_thread *thread, const struct season_game *games, size_t count);

/* Gives back a game that will not be played in this run. Returns 0 or -ENOMEM. */
int season_thread_return(struct season_thread *thread, const struct season_game *game);

/*
 * Sends a result to be stored, and takes ownership of the result even on failure. Returns 0 or
 * -ENOMEM.
 */
int season_thread_store(struct season_thread *thread, struct game_result *result);

/* Returns the state of the season. Call on the loop's thread only. */
const struct season_standing *season_thread_standing(const struct season_thread *thread);

#endif
