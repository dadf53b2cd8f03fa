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
    FORFEIT_PART_BYTES = 4096, /* kept of the beginning of a text, and of its end */
    FORFEIT_KEPT_BYTES = 2 * FORFEIT_PART_BYTES,
    FORFEIT_DIGEST_BYTES = 32, /* SHA-256 */
    FORFEIT_CALL_BYTES = 32,   /* name of a system call, NUL included */
    FORFEIT_WORDS_BYTES = 192, /* one line, NUL included */
    FORFEIT_NOT_KNOWN = -1,    /* a time, a limit, a status, a turn before the first */
};

/*
 * What a text was before it was cut. Bots write what they like: of more than FORFEIT_KEPT_BYTES
 * only the beginning and the end are kept, one behind the other, FORFEIT_PART_BYTES each.
 */
struct forfeit_whole {
    uint64_t bytes;
    uint8_t sha256[FORFEIT_DIGEST_BYTES]; /* of all; of standard error: of what is kept */
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
    /* What is kept of the last request, the last bytes received and standard error; owned. */
    uint8_t *request;
    size_t request_bytes;
    uint8_t *reply;
    size_t reply_bytes;
    char *errors;
    size_t errors_bytes;
    struct forfeit_whole request_whole, reply_whole, errors_whole;
};

struct bot;

/* A record of bot's fault at turn. Returns NULL when memory is out. */
struct forfeit *forfeit_create(const struct bot *bot, int64_t turn);

/* Of a bot that could not be started, for that reason. Returns NULL when memory is out. */
struct forfeit *forfeit_create_unfit(const char *words);

/* A copy that owns its bytes. NULL when memory is out. */
struct forfeit *forfeit_copy(const struct forfeit *forfeit);

/*
 * What is kept of a text, and what it was. Returns bytes to be freed, *kept_bytes of them, or
 * NULL when memory is out.
 */
void *forfeit_keep(const void *text, size_t size, size_t *kept_bytes, struct forfeit_whole *whole);

/* Bytes of a text that were left out behind its first FORFEIT_PART_BYTES. */
uint64_t forfeit_left_out(const struct forfeit_whole *whole, size_t kept_bytes);

/* Takes NULL. */
void forfeit_destroy(struct forfeit *forfeit);

#endif
