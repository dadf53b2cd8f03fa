/* SPDX-License-Identifier: MIT */
/*
 * A table: the bots of one match, the referee, and the event loop. Translates what happens to
 * processes into what happens in the match. Plays one match at a time. A person may play one seat:
 * the owner of the table then passes on the person's decisions.
 */
#ifndef ARENA_PLAY_TABLE_H
#define ARENA_PLAY_TABLE_H

#include <stddef.h>

#include "arena/play/bot.h"
#include "arena/play/forfeit.h"
#include "arena/play/match.h"
#include "arena/play/source.h"

/* How the arena starts all bots of a run. */
struct table_rules {
    int64_t memory_bytes; /* memory limit of each bot; 0: the sandbox's default */
    bool freeze;          /* stop a bot's process while it is not the bot's turn */
    bool net_namespace;   /* give each bot an empty network namespace */
};

/*
 * Returns the command that starts a bot under these rules on core cpu (-1: any core). The command
 * borrows from source.
 */
struct sandbox_command table_command(const struct source *source, const struct table_rules *rules,
                                     int cpu);

/*
 * Returns the core for table `number`, or -1 for any core. Consecutive tables get different cores
 * of those that this process may use.
 */
int table_core(int number);

/* Returns how many cores a bot may use if it was started on core cpu (-1: any core). */
int table_core_count(int cpu);

/* How a game for checking a bot differs from a match. */
struct table_trial {
    /* Plays the decision of a seat that has no bot (sources[seat] is NULL), with match_answer. */
    void (*play_fn)(void *owner, struct match *match, int seat);
    /* Changes a message for a bot, and returns its new size. May be NULL. */
    size_t (*message_fn)(uint8_t *message, size_t size, size_t room);
    size_t stop_after; /* number of the bot's decisions after which all other seats are out; 0: no
                          limit */
    bool is_silent;    /* the table closes the bot's input without sending the result */
    void *owner;
};

enum table_state {
    TABLE_FREE = 0,    /* no match */
    TABLE_PLAYING = 1, /* the match runs: from the start of the first bot to the result */
    TABLE_ENDING = 2,  /* the match has a result; bots are leaving */
    TABLE_VOID = 3,    /* the arena failed, or table_stop was called; bots are being killed */
};

struct table {
    enum table_state state;
    struct ev_loop *loop;
    struct pace *pace;
    const struct transport *transport;
    const struct table_rules *rules;
    const struct source *sources[GAME_PLAYERS_MAX]; /* bots by seat, borrowed */
    const struct table_trial
        *trial;          /* how the game differs from a match, set by the owner; NULL: a match */
    size_t answer_count; /* number of decisions of bots so far */
    int cpu;             /* core on which the bots run, or -1 for all cores */
    bool must_fit;       /* other games run: a bot starts only if there is memory for all bots */
    int hello_count;     /* number of seats that are neither ready nor out yet */
    int game_count;      /* games that ran when this one began, itself included; set by the owner */
    /* Programs of the machine that ran or wanted to, at the result: mean of a minute, times 100. */
    int load_percent; /* -1: unknown */
    int64_t
        pressed_us; /* time of the game in which some program waited for a processor; -1: unknown */
    /*
     * How long each bot waited for a processor: in the whole match; or, if it missed a deadline, in
     * that request. -1: unknown.
     */
    int64_t waited_us[GAME_PLAYERS_MAX];
    int64_t begun_us, wall_us;         /* start of the first bot; time from there to the result */
    int64_t started_s;                 /* start of the first bot, seconds since 1970 */
    struct sandbox_failure failure;    /* why the match is void; step is NULL after table_stop */
    uint32_t layers[GAME_PLAYERS_MAX]; /* enum sandbox_layer bits active for each bot */
    int64_t memory_peak_bytes[GAME_PLAYERS_MAX]; /* set once the bot is gone */
    int64_t leaving_us[GAME_PLAYERS_MAX];        /* time from the result until the bot was gone */
    struct forfeit *forfeits[GAME_PLAYERS_MAX];
    struct wire_end result; /* result of a match that is not void */
    struct match match;
    struct bot bots[GAME_PLAYERS_MAX];
    ev_timer done; /* calls done_fn from the loop, so that done_fn may destroy the table */
    void *owner;
    /*
     * Called when every seat is ready or out, before the first decision. May play decisions with
     * match_answer, and may call table_stop. May be NULL.
     */
    void (*begun_fn)(struct table *table);
    /*
     * Called after begun_fn and after each answer. May read the match, must not change it. May be
     * NULL.
     */
    void (*step_fn)(struct table *table);
    /*
     * Called when a person has to decide. The owner then calls table_answer or table_take_out, but
     * not before the callback has returned.
     */
    void (*asked_fn)(struct table *table, int seat);
    /*
     * Called when the table is ENDING or VOID and every process is gone. The owner reads the
     * result, then calls table_clear.
     */
    void (*done_fn)(struct table *table);
};

/*
 * Borrows all arguments. The caller then sets owner and the *_fn fields. Returns NULL if memory
 * runs out.
 */
struct table *table_create(struct ev_loop *loop, struct pace *pace,
                           const struct transport *transport, const struct table_rules *rules);

/* Kills processes that still live, and frees the table. Accepts NULL. */
void table_destroy(struct table *table);

/* Starts a match of the bots in sources (by seat) on a FREE table. */
void table_play(struct table *table, const struct match_terms *terms,
                const struct source *const sources[static GAME_PLAYERS_MAX]);

/*
 * Plays the decision of the person at a seat, a legal action for which the person took us. Does
 * nothing at a table that does not play, as table_take_out does.
 */
void table_answer(struct table *table, int seat, struct action action, int64_t us);

/* Takes the person who has to decide out of the match. */
void table_take_out(struct table *table, int seat, enum wire_reason reason);

/* Makes the current match void, if there is one. done_fn follows. */
void table_stop(struct table *table);

/* Clears a match that has ended. The table is then FREE. */
void table_clear(struct table *table);

/* Checks the memory of all bots at the table. The runner calls this every 50 ms. */
void table_watch(struct table *table);

#endif
