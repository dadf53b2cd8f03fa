/*
 * A table: the bots of one match, the referee between them, and the event loop under
 * all. Turns what happens to processes into what happens in the match. Plays one match
 * at a time; in a series the same processes stay for the next.
 */
#ifndef ARENA_PLAY_TABLE_H
#define ARENA_PLAY_TABLE_H

#include "arena/play/bot.h"
#include "arena/play/forfeit.h"
#include "arena/play/match.h"
#include "arena/play/source.h"

/* How bots are run, the same for all matches of a run. */
struct table_rules {
    int64_t memory_bytes; /* of each bot; 0: the sandbox's default */
    bool freeze;          /* bots are stopped while it is not their turn */
    bool net_namespace;   /* each has an empty network of its own */
};

/* How a bot is to be started by these rules, on that core (-1: on any). Borrows the source. */
struct sandbox_command table_command(const struct source *source, const struct table_rules *rules,
                                     int cpu);

/* The core that the table of a number keeps to: those that this process may use, in turn; -1: any.
 */
int table_core(int number);

/* How many cores such a bot may run on. */
int table_core_count(int cpu);

enum table_state {
    TABLE_FREE = 0,    /* no match; bots of a series may sit and wait */
    TABLE_PLAYING = 1, /* from the first start to the result */
    TABLE_ENDING = 2,  /* the result is known; bots are leaving */
    TABLE_VOID = 3,    /* the arena failed, or was told to stop: bots are being killed */
};

struct table {
    enum table_state state;
    struct ev_loop *loop;
    struct pace *pace;
    const struct transport *transport;
    const struct table_rules *rules;
    const struct source *sources[GAME_PLAYERS_MAX]; /* by seat, borrowed */
    int cpu;                                     /* the core that its bots run on, or -1 for all */
    bool last;                                   /* no further match with these processes */
    int hello_count;                             /* seats that are neither ready nor out yet */
    int64_t begun_us, wall_us;                   /* the first start; from there to the result */
    int64_t started_s;                           /* the same as time of day, seconds since 1970 */
    struct sandbox_failure failure;              /* of a void match; step NULL when told to stop */
    uint32_t layers[GAME_PLAYERS_MAX];           /* that held for each seat: enum sandbox_layer */
    int64_t memory_peak_bytes[GAME_PLAYERS_MAX]; /* of the process, once it is gone */
    struct forfeit *forfeits[GAME_PLAYERS_MAX];
    struct wire_end result; /* unless void */
    struct match match;
    struct bot bots[GAME_PLAYERS_MAX];
    ev_timer done; /* tells the owner from a stack of its own */
    void *owner;
    void (*begun_fn)(struct table *table); /* all are ready or out, nothing was decided: decisions
                                              may be played here (match_answer). May be NULL */
    void (*step_fn)(struct table *table);  /* after begun_fn and after each answer: look at the
                                              match, change nothing. May be NULL */
    void (*done_fn)(struct table *table);  /* ENDING or VOID, and every process gone (or waiting,
                                              in a series): read it, then table_clear */
};

/* Borrows all but its owner's calls; done_fn and owner are set. NULL when memory is out. */
struct table *table_create(struct ev_loop *loop, struct pace *pace,
                           const struct transport *transport, const struct table_rules *rules);

/* Kills what still lives. Takes NULL. */
void table_destroy(struct table *table);

/*
 * Starts a match of sources by seat on a FREE table. Processes that sit there from a
 * series are used again (they must be of the same sources); last: nothing follows.
 */
void table_play(struct table *table, const struct match_terms *terms,
                const struct source *const sources[static GAME_PLAYERS_MAX], bool last);

/* Ends the match that is played, if any, as void. done_fn follows. */
void table_stop(struct table *table);

/* Forgets the match that ended: the table is FREE again. */
void table_clear(struct table *table);

/* The memory watch of all its bots: every 50 ms. */
void table_watch(struct table *table);

#endif
