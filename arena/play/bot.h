/*
 * One bot's process as the arena deals with it: started, asked, answered, and ended
 * in whatever way it ends. Knows the transport and the clock of one request; knows no
 * rules, seats or matches. Its owner gives the loop and is called back.
 *
 *     NONE -start-> SETUP -> IDLE -ask-> ASKED -reply-> IDLE ... -leave-> LEAVING -> GONE
 *
 * A bot at fault goes from ASKED (or CLOSING, which waits up to BOT_CLOSING_MS to see
 * whether an ended output means an ended process) to KILLED and GONE. What a bot does
 * while IDLE takes effect when it is next asked.
 */
#ifndef ARENA_PLAY_BOT_H
#define ARENA_PLAY_BOT_H

#include <ev.h>

#include "arena/play/alarm.h"
#include "arena/play/channel.h"
#include "arena/play/charge.h"
#include "arena/play/fault.h"
#include "arena/play/pace.h"
#include "arena/play/transport.h"

enum bot_limits {
    BOT_STARTING_MS = 120000, /* for the start of its process, after those asked for before */
    BOT_SETUP_MS = 20000,     /* for the arena's side of a start */
    BOT_CLOSING_MS = 100,     /* from the end of its output to its exit */
    BOT_LEAVING_MS = 1000,    /* from the end of its input to its exit */
};

enum bot_state {
    BOT_NONE = 0,
    BOT_SETUP = 1,   /* being started and confined */
    BOT_IDLE = 2,    /* nothing is due */
    BOT_ASKED = 3,   /* a reply is due */
    BOT_CLOSING = 4, /* its output or input is closed: is it exiting? */
    BOT_LEAVING = 5, /* told the end; may exit by itself */
    BOT_KILLED = 6,  /* by the arena; not yet dead */
    BOT_GONE = 7,    /* dead and reaped, or given up by the sandbox */
};

struct bot {
    enum bot_state state;
    struct ev_loop *loop;
    struct pace *pace; /* of the loop; also tells the time */
    const struct transport *transport;
    struct bot_errand *starting; /* its process is being started beside the loop; or NULL */
    bool has_child;
    struct sandbox_child child;
    struct sandbox_verdict verdict; /* once GONE */
    struct sandbox_failure failure; /* for broken_fn */
    struct bot_fault fault;         /* once at fault */
    bool at_fault;
    bool freeze;    /* stop it while nothing is due */
    int core_count; /* it may run on */
    ev_io input;    /* stdin: a request that does not fit at once */
    ev_io output;   /* stdout */
    ev_io errors;   /* stderr */
    ev_io setup;
    ev_io notify;
    ev_io death;
    struct alarm alarm;
    struct charge charge;         /* for the last request */
    int64_t limit_us;             /* of this request */
    int64_t bank_us;              /* of that, what is left for later if it is not used */
    enum wire_reason late_reason; /* what it is not to answer it in time */
    int64_t answered_cpu_us;      /* processor time used up to its last reply */
    int64_t allowed_us;           /* wall time that it was allowed over all requests */
    int64_t used_cpu_us;          /* by the last reply: since the one before */
    int64_t replied_woke_us;      /* the wake-up of the loop that brought it */
    struct channel channel;       /* requests are written to channel.request by the owner */

    void *owner;
    void (*started_fn)(struct bot *bot); /* its program runs: IDLE */
    void (*replied_fn)(struct bot *bot); /* the channel has one whole message: IDLE */
    void (*failed_fn)(struct bot *bot);  /* out: fault says why; KILLED or GONE */
    void (*broken_fn)(struct bot *bot);  /* the arena failed: failure; KILLED or GONE */
    void (*gone_fn)(struct bot *bot);    /* GONE after LEAVING or KILLED */
    /* Its standard error as it comes, beside what the channel keeps. May be NULL. */
    void (*errors_fn)(struct bot *bot, const char *bytes, size_t size);
};

/*
 * Starts a bot, and borrows loop, pace and transport until bot_finish, the transport until its
 * errands are done; fields owner, *_fn, freeze and core_count are set beforehand. Returns 0, or
 * -errno with bot->failure set: then it is NONE again. With transport->errands a start that fails
 * is told by broken_fn.
 */
int bot_start(struct bot *bot, struct ev_loop *loop, struct pace *pace,
              const struct transport *transport, const struct sandbox_command *command);

/*
 * Sends channel.request[0..size) and waits for the reply until limit_us from now; after that
 * the bot is out for late_reason (WIRE_TIMEOUT; WIRE_START for a hello). Field bank_us is
 * set beforehand: processor time is allowed for a bank once, not with each request. The bot is
 * IDLE, or GONE if it died while idle. A fault that is known at once is told before this returns.
 */
void bot_ask(struct bot *bot, size_t size, int64_t limit_us, enum wire_reason late_reason);

/* Puts a bot that just replied out for what it said. */
void bot_fail(struct bot *bot, enum wire_reason reason, const char *words);

/* Sends channel.request[0..size), closes the bot's input and lets it exit. The bot is IDLE or GONE.
 */
void bot_leave(struct bot *bot, size_t size);

/* Sends channel.request[0..size) and expects nothing: the bot is IDLE and stays so, for another
 * match. */
void bot_tell(struct bot *bot, size_t size);

/* Kills it, whatever it is doing; gone_fn follows. */
void bot_kill(struct bot *bot);

/* The memory watch, for machines without cgroups: every 50 ms, in any state. */
void bot_watch(struct bot *bot);

/* Frees its descriptors, killing and reaping first if need be: with transport->errands some time
   after this returns, else before. Takes a NONE or zeroed one. */
void bot_finish(struct bot *bot);

#endif
