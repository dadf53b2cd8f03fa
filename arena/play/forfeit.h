/*
 * What a bot's author needs to know about a forfeit: why, when, what was measured,
 * what the bot last read and wrote, and how to see it again. A plain record; does no I/O.
 */
#ifndef ARENA_PLAY_FORFEIT_H
#define ARENA_PLAY_FORFEIT_H

#include <stddef.h>
#include <stdint.h>

#include "sdk/wire.h"

enum forfeit_limits {
    FORFEIT_ERRORS_BYTES = 4096, /* kept of the end of standard error */
    FORFEIT_CALL_BYTES = 32,     /* name of a system call, NUL included */
    FORFEIT_WORDS_BYTES = 96,    /* one line, NUL included */
    FORFEIT_NOT_KNOWN = -1,      /* a time, a limit, a status, a turn before the first */
};

struct forfeit {
    enum wire_reason reason;
    char words[FORFEIT_WORDS_BYTES]; /* the reason in one line */
    int64_t turn;                    /* the decision; FORFEIT_NOT_KNOWN in the hello phase */
    int64_t limit_us;                /* that the request had */
    int64_t wall_us;                 /* from the request to the fault */
    int64_t cpu_us;                  /* processor time in it, or FORFEIT_NOT_KNOWN */
    int64_t delay_us;                /* the arena's own, at most */
    int status;                      /* exit status, or FORFEIT_NOT_KNOWN */
    int signal;                      /* that it died of, or 0 */
    char call[FORFEIT_CALL_BYTES];   /* the forbidden system call, or "" */
    uint8_t *request;                /* the last request, owned */
    size_t request_bytes;
    uint8_t *reply; /* the last bytes received, owned */
    size_t reply_bytes;
    char *errors; /* the end of standard error, owned */
    size_t errors_bytes;
};

struct bot;

/* A record of bot's fault at turn. Returns NULL when memory is out. */
struct forfeit *forfeit_create(const struct bot *bot, int64_t turn);

/* Of a bot that could not be started, for that reason. Returns NULL when memory is out. */
struct forfeit *forfeit_create_unfit(const char *words);

/* A copy that owns its bytes. NULL when memory is out. */
struct forfeit *forfeit_copy(const struct forfeit *forfeit);

/* Takes NULL. */
void forfeit_destroy(struct forfeit *forfeit);

#endif
