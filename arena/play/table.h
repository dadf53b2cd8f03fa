/*
 * A table: the bots of one match, its referee, and the event loop. Translates events of the
 * processes into events of the match. Plays one match at a time; in a series the same processes
 * stay for the next one.
 */
#ifndef ARENA_PLAY_TABLE_H
#define ARENA_PLAY_TABLE_H

#include <stddef.h>

#include "arena/play/bot.h"
#include "arena/play/forfeit.h"
#include "arena/play/match.h"
#include "arena/play/source.h"

/* How bots are run, for all matches of a run. */
struct table_rules {
    int64_t memory_bytes; /* limit of each bot; 0: the sandbox's default */
    bool freeze;          /* stop bots while it is not their turn */
    bool net_namespace;   /* give each bot an empty network namespace */
};

/*
 * Returns the command that starts a bot under these rules, on core cpu (-1: any). Borrows the
 * source.
 */
struct sandbox_command table_command(const struct source *source, const struct table_rules *rules,
                                     int cpu);

/*
 * Returns the core for the table of that number, taken in turn from those that this process may
 * use; -1: any.
 */
int table_core(int number);

/* Returns how many cores a bot with that cpu may run on. */
int table_core_count(int cpu);

enum table_state {
    TABLE_FREE = 0,    /* no match; the processes of a series may wait */
    TABLE_PLAYING = 1, /* from the first start to the result */
    TABLE_ENDING = 2,  /* the result is known; bots are leaving */
    TABLE_VOID = 3,    /* the arena failed or stopped the match: bots are being killed */
};

struct table {
    enum table_state state;
    struct ev_loop *loop;
    struct pace *pace;
    const struct transport *transport;
    const struct table_rules *rules;
    const struct source *sources[GAME_PLAYERS_MAX]; /* by seat, borrowed */
    int cpu;                           /* the core that its bots run on, or -1 for all */
    bool last;                         /* the processes play no further match */
    int hello_count;                   /* seats that are neither ready nor out yet */
    int64_t begun_us, wall_us;         /* the first start; the time from there to the result */
    int64_t started_s;                 /* the first start as time of day, seconds since 1970 */
    struct sandbox_failure failure;    /* of a void match; step NULL if it was stopped */
    uint32_t layers[GAME_PLAYERS_MAX]; /* enum sandbox_layer bits that were active for each seat */
    int64_t memory_peak_bytes[GAME_PLAYERS_MAX]; /* known once the process is gone */
    struct forfeit *forfeits[GAME_PLAYERS_MAX];
    struct wire_end result; /* unless void */
    struct match match;
    struct bot bots[GAME_PLAYERS_MAX];
    ev_timer done; /* calls the owner from the loop, so that the owner may destroy the table */
    void *owner;
    /*
     * All seats are ready or out, and nothing is decided yet: decisions may be played here
     * (match_answer). May be NULL.
     */
    void (*begun_fn)(struct table *table);
    /* After begun_fn and after each answer: may read the match, must not change it. May be NULL. */
    void (*step_fn)(struct table *table);
    /*
     * The table is ENDING or VOID, and every process is gone or waits for the next match of a
     * series: read the result, then call table_clear.
     */
    void (*done_fn)(struct table *table);
};

/*
 * Borrows all arguments. Set owner and the *_fn fields afterwards. Returns NULL if memory runs out.
 */
struct table *table_create(struct ev_loop *loop, struct pace *pace,
                           const struct transport *transport, const struct table_rules *rules);

/* Kills processes that still live. Accepts NULL. */
void table_destroy(struct table *table);

/*
 * Starts a match of sources by seat on a FREE table. Processes that stayed from a series are used
 * again (they must be of the same sources). last: no further match follows.
 */
void table_play(struct table *table, const struct match_terms *terms,
                const struct source *const sources[static GAME_PLAYERS_MAX], bool last);

/* Ends the current match, if any, as void. done_fn follows. */
void table_stop(struct table *table);

/* Clears the match that ended: the table is FREE again. */
void table_clear(struct table *table);

/* Checks the memory of all its bots. Call every 50 ms. */
void table_watch(struct table *table);

/* The processor that bots run on: how fast a bot thinks depends on its model. */

/*
 * Writes the model of this machine's processor, in ASCII, cut to size; its architecture if the
 * kernel tells no model.
 */
void processor_model(char *model, size_t size);

#endif
