/*
 * One bot's process: starts it, asks it, reads its replies and handles every way in which it can
 * end. Knows the transport and the clock of one request; knows no rules, seats or matches. Its
 * owner provides the loop and is called back.
 *
 *   NONE -start-> SETUP -> IDLE -ask-> ASKED -reply-> IDLE ... -leave-> LEAVING -> GONE
 *
 * A bot at fault goes from ASKED to KILLED and GONE, perhaps through CLOSING, which waits up to
 * BOT_CLOSING_MS to see whether a bot that closed its output exits. What a bot does while IDLE
 * takes effect at the next request.
 */
#ifndef ARENA_PLAY_BOT_H
#define ARENA_PLAY_BOT_H

#include <ev.h>

#include "arena/play/alarm.h"
#include "arena/play/channel.h"
#include "arena/play/pace.h"
#include "sandbox/sandbox.h"

struct mailbox;

/*
 * How bots are started, watched and ended: a table of functions, implemented by the sandbox or, in
 * a test, by a socketpair. A bot and the arena communicate over the descriptors of struct
 * sandbox_child. The functions have the contracts of those in sandbox.h.
 */
struct transport {
    void *context; /* passed to spawn_fn: the sandbox */
    bool watches;  /* watch_fn must be called every 50 ms, since nothing else limits memory */
    bool blocks;   /* spawn_fn and finish_fn take too long to run on a loop */
    struct mailbox *errands; /* whose thread calls these two; NULL: they run on the loop */
    int (*spawn_fn)(void *context, const struct sandbox_command *command,
                    struct sandbox_child *child, struct sandbox_failure *failure);
    void (*abort_fn)(void *context); /* makes a spawn_fn that hangs return; may be NULL */
    enum sandbox_setup (*setup_fn)(struct sandbox_child *child, struct sandbox_failure *failure);
    bool (*notified_fn)(struct sandbox_child *child);
    int64_t (*cpu_us_fn)(const struct sandbox_child *child);
    int64_t (*queued_us_fn)(const struct sandbox_child *child); /* NULL: not known */
    bool (*watch_fn)(struct sandbox_child *child);
    int (*freeze_fn)(struct sandbox_child *child, bool frozen);
    void (*kill_fn)(struct sandbox_child *child);
    enum sandbox_departure (*departure_fn)(const struct sandbox_child *child); /* NULL: it stays */
    bool (*reap_fn)(struct sandbox_child *child, struct sandbox_verdict *verdict);
    void (*finish_fn)(struct sandbox_child *child);
};

/* Returns the transport of a sandbox, which it borrows. */
struct transport transport_of_sandbox(struct sandbox *sandbox);

/* Why a bot is out, and the measurements of the request that it failed. */
struct bot_fault {
    enum wire_reason reason;
    const char *words; /* one static line that explains the reason */
    int64_t limit_us;  /* limit of the request */
    int64_t wall_us;   /* from the request to the fault */
    int64_t cpu_us;    /* processor time spent on it, -1: unknown */
    int64_t delay_us;  /* the arena's own delay */
    int64_t queued_us; /* time that it waited for a processor meanwhile, or up to BOT_QUEUE_MS
                          before; -1: unknown */
    bool late;         /* the deadline passed without a whole answer; the process lived */
    bool ended;        /* the process died by itself; the bot's verdict says how */
};

enum bot_limits {
    BOT_STARTING_MS = 120000, /* to start its process, from when its turn has come */
    BOT_SETUP_MS = 20000,     /* for the arena's part of the set-up */
    BOT_CLOSING_MS = 100,     /* from the end of its output to its exit, or to the next look */
    BOT_LEAVING_MS = 1000,    /* from the end of its input to its exit */
    BOT_QUEUE_MS = 1000,      /* between looks at how long it waited for a processor */
};

enum bot_state {
    BOT_NONE = 0,
    BOT_SETUP = 1,   /* being started and confined */
    BOT_IDLE = 2,    /* no reply is expected */
    BOT_ASKED = 3,   /* a reply is expected */
    BOT_CLOSING = 4, /* it closed its output or input, and may be exiting */
    BOT_LEAVING = 5, /* was sent the end; may exit by itself */
    BOT_KILLED = 6,  /* killed by the arena; not yet dead */
    BOT_GONE = 7,    /* dead and reaped, or given up by the sandbox */
};

struct bot {
    enum bot_state state;
    struct ev_loop *loop;
    struct pace *pace; /* pace of the loop; also provides the time */
    const struct transport *transport;
    struct bot_errand *starting; /* its process is being started by another thread; or NULL */
    bool has_child;
    struct sandbox_child child;
    struct sandbox_verdict verdict; /* once GONE */
    struct sandbox_failure failure; /* reason for broken_fn */
    struct bot_fault fault;         /* once at fault */
    bool at_fault;
    bool freeze;    /* stop it while no reply is expected */
    int core_count; /* cores that it may run on */
    ev_io input;    /* stdin: the rest of a request that did not fit at once */
    ev_io output;   /* stdout */
    ev_io errors;   /* stderr */
    ev_io setup;
    ev_io notify;
    ev_io death;
    struct alarm alarm;
    int64_t closing_until_us; /* in CLOSING: for how long it may be on its way out */
    struct charge charge;     /* time charged for the last request */
    int64_t limit_us;         /* time limit of the current request */
    int64_t bank_us;          /* the part of limit_us that stays in the bank if it is not used */
    enum wire_reason late_reason;    /* the fault if no reply comes in time */
    int64_t answered_cpu_us;         /* total processor time at its last reply */
    int64_t allowed_us;              /* wall time allowed for all its requests */
    int64_t used_cpu_us;             /* processor time from the reply before to the last reply */
    int64_t replied_woke_us;         /* the loop's wake-up that delivered the last reply */
    int64_t queued_us, queued_at_us; /* the last such look: what it told, -1: nothing; and when */
    struct channel channel;          /* the owner writes requests to channel.request */

    void *owner;
    void (*started_fn)(struct bot *bot); /* its program runs: IDLE */
    void (*replied_fn)(struct bot *bot); /* the channel has one complete message: IDLE */
    void (*failed_fn)(struct bot *bot);  /* out, for the reason in fault; KILLED or GONE */
    void (*broken_fn)(struct bot *bot);  /* the arena failed, see failure; KILLED or GONE */
    void (*gone_fn)(struct bot *bot);    /* GONE after LEAVING or KILLED */
    /* Receives its standard error as it arrives, besides what the channel keeps. May be NULL. */
    void (*errors_fn)(struct bot *bot, const char *bytes, size_t size);
};

/*
 * Starts a bot. Set owner, the *_fn fields, freeze and core_count first. Borrows loop and pace
 * until bot_finish, and transport until its errands are done. Returns 0, or -errno with
 * bot->failure set, and the bot is NONE again. With transport->errands, a failed start is reported
 * to broken_fn.
 */
int bot_start(struct bot *bot, struct ev_loop *loop, struct pace *pace,
              const struct transport *transport, const struct sandbox_command *command);

/*
 * Sends channel.request[0..size) and waits for the reply until limit_us from now; after that the
 * bot is out for late_reason (WIRE_TIMEOUT; WIRE_START for a hello). Set bank_us first: processor
 * time is allowed for a bank once, not with each request. The bot must be IDLE, or GONE if it died
 * while idle. A fault that is already known is reported before this returns.
 */
void bot_ask(struct bot *bot, size_t size, int64_t limit_us, enum wire_reason late_reason);

/* Declares a bot that just replied to be at fault, for the contents of its reply. */
void bot_fail(struct bot *bot, enum wire_reason reason, const char *words);

/*
 * Sends channel.request[0..size), closes the bot's input and lets it exit. The bot must be IDLE or
 * GONE.
 */
void bot_leave(struct bot *bot, size_t size);

/*
 * Sends channel.request[0..size) and expects no reply. The bot must be IDLE and stays so, for
 * another match.
 */
void bot_tell(struct bot *bot, size_t size);

/* Kills the bot in any state; gone_fn follows. */
void bot_kill(struct bot *bot);

/* Checks the bot's memory on machines without cgroups. Call every 50 ms, in any state. */
void bot_watch(struct bot *bot);

/*
 * Closes its descriptors; kills and reaps it first if necessary. With transport->errands this
 * happens some time after the call returns. Accepts a bot that is NONE or zeroed.
 */
void bot_finish(struct bot *bot);

#endif
