/* SPDX-License-Identifier: MIT */
/*
 * The record of a forfeit for the bot's author: the reason, the turn, the measurements, the last
 * message to and from the bot, and its standard error. A plain record; does no I/O.
 */
#ifndef ARENA_PLAY_FORFEIT_H
#define ARENA_PLAY_FORFEIT_H

#include <stddef.h>
#include <stdint.h>

#include "arena/play/pace.h"
#include "sdk/wire.h"

enum forfeit_limits {
    FORFEIT_PART_BYTES = 4096, /* size of each of the two parts of a text that the record keeps */
    FORFEIT_KEPT_BYTES = 2 * FORFEIT_PART_BYTES,
    FORFEIT_DIGEST_BYTES = 32, /* size of a SHA-256 */
    FORFEIT_CALL_BYTES = 32,   /* size of a system call's name, NUL included */
    FORFEIT_WORDS_BYTES = 192,
    FORFEIT_NOT_KNOWN = -1, /* an unknown time, limit or status; as a turn: the hello */
};

/*
 * Size and hash of a text of which the record keeps at most FORFEIT_KEPT_BYTES: of a longer text,
 * the first and the last FORFEIT_PART_BYTES.
 */
struct forfeit_whole {
    uint64_t bytes;
    uint8_t sha256[FORFEIT_DIGEST_BYTES]; /* hash of the whole text; for standard error, of the kept
                                             parts */
};

struct forfeit {
    enum wire_reason reason;
    enum late_cause cause;           /* of a missed deadline; not in replays */
    char words[FORFEIT_WORDS_BYTES]; /* the reason in one line */
    int64_t turn;                    /* number of the decision; FORFEIT_NOT_KNOWN: the hello */
    int64_t limit_us;                /* time limit of the request */
    int64_t wall_us;                 /* time from the request to the fault */
    int64_t cpu_us;                  /* processor time spent on the request, or FORFEIT_NOT_KNOWN */
    int64_t delay_us;                /* most time that the arena itself took to notice the answer */
    int status;                      /* exit status, or FORFEIT_NOT_KNOWN */
    int signal;                      /* number of the signal that ended the bot, or 0 */
    char call[FORFEIT_CALL_BYTES];
    /*
     * What the record keeps of the last request, of the last bytes received and of standard error;
     * owned.
     */
    uint8_t *request;
    size_t request_bytes;
    uint8_t *reply;
    size_t reply_bytes;
    char *errors;
    size_t errors_bytes;
    struct forfeit_whole request_whole, reply_whole, errors_whole;
};

struct bot;

/*
 * Creates the record of a bot's fault at decision number `turn`. Returns NULL if memory runs out.
 */
struct forfeit *forfeit_create(const struct bot *bot, int64_t turn);

/* Returns a deep copy, or NULL if memory runs out. */
struct forfeit *forfeit_copy(const struct forfeit *forfeit);

/*
 * Cuts a text to the parts that the record keeps, and describes the whole text in *whole. Returns
 * *kept_bytes bytes, which the caller frees, or NULL if memory runs out.
 */
void *forfeit_keep(const void *text, size_t size, size_t *kept_bytes, struct forfeit_whole *whole);

/* Returns how many bytes of a text were cut out between its two parts. */
uint64_t forfeit_left_out(const struct forfeit_whole *whole, size_t kept_bytes);

/* Frees the record. Accepts NULL. */
void forfeit_destroy(struct forfeit *forfeit);

#endif
