/* SPDX-License-Identifier: MIT */
/*
 * One bot's process: starts it, asks it, reads its replies and handles every way in which it can
 * end. Knows the transport and the clock of one request; knows no rules, seats or matches. The
 * owner of the bot provides the loop; the bot calls the owner back. The usual states of a bot are
 * NONE, SETUP, then IDLE and ASKED in turn, LEAVING, GONE. A bot at fault goes from ASKED to
 * KILLED, then GONE; a bot that closed its output first goes to CLOSING, in which the arena waits
 * for its exit. While a bot is IDLE, the arena reads nothing from it before the next request.
 */
#ifndef ARENA_PLAY_BOT_H
#define ARENA_PLAY_BOT_H

#include <ev.h>

#include "arena/play/alarm.h"
#include "arena/play/channel.h"
#include "arena/play/pace.h"
#include "arena/play/watch.h"
#include "sandbox/sandbox.h"

struct mailbox;

/*
 * How bots are started, watched and ended: a table of functions. The sandbox implements it; in
 * tests, a socketpair does. A bot and the arena communicate over the descriptors of struct
 * sandbox_child. The functions have the contracts of the sandbox's functions (sandbox.h).
 */
struct transport {
    void *context; /* the sandbox; passed to spawn_fn and abort_fn */
    bool watches;  /* watch_fn must be called every 50 ms, since nothing else limits memory */
    bool blocks;   /* spawn_fn and finish_fn take too long to run on a loop */
    struct mailbox *errands; /* thread that runs spawn_fn and finish_fn; NULL: the loop runs them */
    int (*spawn_fn)(void *context, const struct sandbox_command *command,
                    struct sandbox_child *child, struct sandbox_failure *failure);
    void (*abort_fn)(void *context); /* makes a hanging spawn_fn return; may be NULL */
    enum sandbox_setup (*setup_fn)(struct sandbox_child *child, struct sandbox_failure *failure);
    bool (*notified_fn)(struct sandbox_child *child);
    int64_t (*cpu_us_fn)(const struct sandbox_child *child);
    int64_t (*queued_us_fn)(struct sandbox_child *child, int64_t since_us); /* NULL: not known */
    bool (*watch_fn)(struct sandbox_child *child);
    int (*freeze_fn)(struct sandbox_child *child, bool frozen);
    void (*kill_fn)(struct sandbox_child *child);
    enum sandbox_departure (*departure_fn)(const struct sandbox_child *child); /* or NULL */
    bool (*reap_fn)(struct sandbox_child *child, struct sandbox_verdict *verdict);
    void (*finish_fn)(struct sandbox_child *child);
};

/* Returns a transport to a sandbox. The transport borrows the sandbox. */
struct transport transport_of_sandbox(struct sandbox *sandbox);

/* Why a bot is out, and the measurements of the request that it failed. */
struct bot_fault {
    enum wire_reason reason;
    const char *words; /* one static line that explains the reason */
    int64_t limit_us;  /* time limit of the request */
    int64_t wall_us;   /* time from the request to the fault */
    int64_t cpu_us;    /* processor time that the bot spent on the request, -1: unknown */
    int64_t delay_us;  /* the arena's own delay, in microseconds */
    int64_t queued_us; /* time during the request for which other programs kept the bot from a
                          processor; -1: unknown */
    bool late;         /* no complete answer by the deadline, although the process was alive */
    bool ended;        /* the process ended by itself; the bot's verdict says how */
};

enum bot_limits {
    BOT_SETUP_MS = 20000,  /* limit for the arena's part of the set-up */
    BOT_CLOSING_MS = 100,  /* time from the end of the bot's output until the arena checks whether
                              the bot exits */
    BOT_LEAVING_MS = 1000, /* time from the end of the bot's input until the arena kills it */
};

enum bot_state {
    BOT_NONE = 0,
    BOT_SETUP = 1,   /* being started and confined */
    BOT_IDLE = 2,    /* no reply is expected */
    BOT_ASKED = 3,   /* a reply is expected */
    BOT_CLOSING = 4, /* the bot closed its output or input, and may be exiting */
    BOT_LEAVING = 5, /* the arena sent the end of the match; the bot may exit by itself */
    BOT_KILLED = 6,  /* the arena has killed the process, which is not dead yet */
    BOT_GONE = 7,    /* the process is dead and reaped, or the sandbox has given it up */
};

struct bot {
    enum bot_state state;
    struct ev_loop *loop;
    struct pace *pace; /* when the loop polled and slept; also provides the time */
    const struct transport *transport;
    struct bot_errand *starting; /* start of the process in another thread; NULL: none */
    bool has_child;
    struct sandbox_child child;
    struct sandbox_verdict verdict; /* how the process ended; set once the bot is GONE */
    struct sandbox_failure failure; /* why the arena failed; set before broken_fn is called */
    struct bot_fault fault;         /* the fault; set if at_fault */
    bool at_fault;
    bool freeze;         /* stop the bot's process while the arena expects no reply */
    int core_count;      /* number of cores that the bot may run on */
    int process_count;   /* that it may have; processor time is known of the first alone */
    struct watch input;  /* stdin: writes the rest of a request that did not fit into the pipe */
    struct watch output; /* stdout */
    struct watch errors; /* stderr */
    struct watch setup;
    struct watch notify;
    struct watch death;
    struct alarm alarm;
    int64_t leave_us;         /* in BOT_LEAVING: when the arena asked the bot to leave */
    int64_t closing_until_us; /* in BOT_CLOSING: moment at which the arena kills a bot that has not
                                 exited */
    struct charge charge;     /* time charged for the last request */
    int excused_count; /* number of the bot's system calls whose wait for the arena was not charged
                        */
    int64_t limit_us;  /* time limit of the current request */
    int64_t bank_us;   /* part of limit_us that comes from the seat's bank */
    enum wire_reason late_reason; /* the fault if no reply comes within limit_us */
    int64_t answered_cpu_us;      /* total processor time of the bot at its last reply */
    int64_t allowed_us;           /* wall time that all requests to the bot together allowed */
    int64_t used_cpu_us;          /* processor time between the last two replies */
    /* When the loop woke up to read the bot's last reply (pace->woke_us). */
    int64_t replied_woke_us;
    int64_t queued_us, queued_at_us; /* time the bot has waited for a processor in all, -1: unknown;
                                        and when the arena read it */
    struct channel channel;          /* the owner writes requests to channel.request */
    char last_text[64]; /* begins what the bot wrote to standard output after the match, or "" */

    void *owner;
    /* Called when the bot's program runs; the bot is now IDLE. */
    void (*started_fn)(struct bot *bot);
    void (*replied_fn)(struct bot *bot); /* called when the channel has one complete message; the
                                            bot is now IDLE */
    void (*failed_fn)(struct bot *bot);  /* called when the bot is out (see fault); the bot is now
                                            KILLED or GONE */
    void (*broken_fn)(struct bot *bot);  /* called when the arena failed (see failure); the bot is
                                            now KILLED or GONE */
    /* Called when the bot was LEAVING or KILLED, and is now GONE. */
    void (*gone_fn)(struct bot *bot);
    /* Receives the bot's standard error as it arrives. May be NULL. */
    void (*errors_fn)(struct bot *bot, const char *bytes, size_t size);
};

/*
 * Starts a bot. The caller sets owner, the *_fn fields, freeze and core_count first. Borrows loop
 * and pace until bot_finish, and transport until its thread has done all work for bots. Returns 0;
 * or -errno with bot->failure set, and the bot is NONE again. If a thread starts the bot
 * (transport->errands), a failed start is reported to broken_fn instead.
 */
int bot_start(struct bot *bot, struct ev_loop *loop, struct pace *pace,
              const struct transport *transport, const struct sandbox_command *command);

/*
 * Sends channel.request[0..size) and waits limit_us for the reply; after that time the bot is out
 * for late_reason (WIRE_TIMEOUT; WIRE_START for a hello). The caller sets bank_us first. The bot
 * must be IDLE, or GONE if it died while IDLE. A fault that is already known is reported to
 * failed_fn before the function returns.
 */
void bot_ask(struct bot *bot, size_t size, int64_t limit_us, enum wire_reason late_reason);

/* Declares a bot that just replied to be at fault because of the contents of its reply. */
void bot_fail(struct bot *bot, enum wire_reason reason, const char *words);

/*
 * Sends channel.request[0..size), closes the bot's input and lets the bot exit. The bot must be
 * IDLE or GONE.
 */
void bot_leave(struct bot *bot, size_t size);

/* Returns how long the bot has waited for a processor since its start; -1: unknown. */
int64_t bot_waited_us(struct bot *bot);

/* Kills the bot in any state. Calls gone_fn once the process is dead. */
void bot_kill(struct bot *bot);

/*
 * Checks the bot's memory on machines without cgroups, and reads how long the bot has waited for a
 * processor. The owner calls this every 50 ms, in any state of the bot.
 */
void bot_watch(struct bot *bot);

/*
 * Kills and reaps the process if necessary, and closes the bot's descriptors; the thread of
 * transport->errands may do both after the function has returned. Accepts a bot that is NONE or
 * zeroed.
 */
void bot_finish(struct bot *bot);

#endif
