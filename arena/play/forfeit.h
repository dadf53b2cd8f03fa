/*
 * What a bot's author needs to know about a forfeit: the reason, the turn, the measurements, what
 * the bot last read and wrote, and what is needed to repeat the forfeit. A plain record; does no
 * I/O.
 */
#ifndef ARENA_PLAY_FORFEIT_H
#define ARENA_PLAY_FORFEIT_H

#include <stddef.h>
#include <stdint.h>

#include "sdk/wire.h"

enum forfeit_limits {
    FORFEIT_PART_BYTES = 4096, /* size of each kept part of a text: first and last */
    FORFEIT_KEPT_BYTES = 2 * FORFEIT_PART_BYTES,
    FORFEIT_DIGEST_BYTES = 32, /* size of a SHA-256 */
    FORFEIT_CALL_BYTES = 32,   /* size of a system call's name, NUL included */
    FORFEIT_WORDS_BYTES = 192, /* room for one line, NUL included */
    FORFEIT_NOT_KNOWN = -1,    /* value of an unknown time, limit or status; as a turn: the hello */
};

/*
 * A text before it was cut. Bots may write texts of any length: of a text longer than
 * FORFEIT_KEPT_BYTES, only the first and the last FORFEIT_PART_BYTES are kept, one after the other.
 */
struct forfeit_whole {
    uint64_t bytes;
    uint8_t
        sha256[FORFEIT_DIGEST_BYTES]; /* of the whole text; of standard error: of the kept part */
};

struct forfeit {
    enum wire_reason reason;
    char words[FORFEIT_WORDS_BYTES]; /* the reason in one line */
    int64_t turn;                    /* number of the decision; FORFEIT_NOT_KNOWN: the hello */
    int64_t limit_us;                /* time limit of the request */
    int64_t wall_us;                 /* time from the request to the fault */
    int64_t cpu_us;                  /* processor time spent on the request, or FORFEIT_NOT_KNOWN */
    int64_t delay_us;                /* maximum of the arena's own delay */
    int status;                      /* exit status, or FORFEIT_NOT_KNOWN */
    int signal;                      /* number of the signal that ended the bot, or 0 */
    char call[FORFEIT_CALL_BYTES];   /* name of the forbidden system call, or "" */
    /*
     * The kept parts of the last request, of the last bytes received and of standard error; owned.
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
 * Creates the record of a bot's fault at the decision with number `turn`. Returns NULL if memory
 * runs out.
 */
struct forfeit *forfeit_create(const struct bot *bot, int64_t turn);

/*
 * Creates the record of a bot that could not be started; words are the reason. Returns NULL if
 * memory runs out.
 */
struct forfeit *forfeit_create_unfit(const char *words);

/* Returns a deep copy, or NULL if memory runs out. */
struct forfeit *forfeit_copy(const struct forfeit *forfeit);

/*
 * Cuts a text to the parts that are kept, and describes the whole text in *whole. Returns
 * *kept_bytes bytes, which the caller frees, or NULL if memory runs out.
 */
void *forfeit_keep(const void *text, size_t size, size_t *kept_bytes, struct forfeit_whole *whole);

/* Returns how many bytes of a text were cut out between its two parts. */
uint64_t forfeit_left_out(const struct forfeit_whole *whole, size_t kept_bytes);

/* Frees the record. Accepts NULL. */
void forfeit_destroy(struct forfeit *forfeit);

#endif
