/*
 * A bot in C: fill in a struct of callbacks and call sdk_run. The SDK reads and writes the wire
 * protocol on standard input and output, keeps a struct game for searching, and exits when its
 * input ends; it ignores messages of unknown types. Print to standard error, never to standard
 * output.
 *
 *   static struct action play(void *self, const struct sdk_turn *turn)
 *   {
 *       (void)self;
 *       return turn->actions[sdk_random_below(turn->random, turn->action_count)];
 *   }
 *   int main(void)
 *   {
 *       return sdk_run(&(struct sdk_bot){.name = "mine", .version = "1", .play_fn = play}, NULL);
 *   }
 *
 * C++ can include this header directly. docs/sdk.md leads from nothing to a ladder entry.
 */
#ifndef SDK_SDK_H
#define SDK_SDK_H

#include "engine/game.h"
#include "engine/public.h"
#include "sdk/wire.h"

PUBLIC_BEGIN

/*
 * A small generator for a bot's own choices, seeded by the hello's seed, so that a rerun repeats
 * them.
 */
struct sdk_random {
    uint64_t state;
};

/* Returns 64 random bits. */
uint64_t sdk_random_next(struct sdk_random *random);

/* Returns a random number below count, which is at least 1. */
size_t sdk_random_below(struct sdk_random *random, size_t count);

/* All that a bot receives for a decision. Everything is borrowed for the call. */
struct sdk_turn {
    const struct wire_hello *hello; /* the terms of this match; hello->seat is the bot's seat */
    int64_t turn;                   /* counts from 0 over the match */
    int64_t bank_ms;                /* left in the bank, in addition to hello->clock.turn_ms */
    const struct position *state;   /* what everybody at the table can see */
    const struct game *game; /* the same, to copy and search with; its draws are random, different
                                from the match's */
    const struct action *actions;    /* every legal action, ascending */
    size_t action_count;             /* at least 1 */
    const struct wire_event *events; /* actions since this bot last decided, including its own */
    size_t event_count;
    struct sdk_random *random; /* the bot's own randomness */
    char *note; /* for the replay: write up to WIRE_NOTE_BYTES_MAX bytes and a NUL, or call sdk_note
                 */
    int64_t received_us;  /* when the request was completely read, on sdk_now_us's clock */
    int64_t bank_used_ms; /* what the previous answer cost from the bank; 0 while answers take no
                             longer than hello->clock.turn_ms */
};

struct sdk_bot {
    const char *name;    /* for the log */
    const char *version; /* for the log */

    /* Makes a decision. Must return one of turn->actions. Required. */
    struct action (*play_fn)(void *self, const struct sdk_turn *turn);

    /* A match begins. Optional. */
    void (*hello_fn)(void *self, const struct wire_hello *hello);

    /* The match is over. Optional. */
    void (*end_fn)(void *self, const struct wire_end *end);
};

/*
 * Plays until the input ends. self is passed to every callback. Returns the exit status for main: 0
 * at the end of input; 1, after a line on standard error, if the arena sent something that this SDK
 * does not understand, or the output is closed.
 */
int sdk_run(const struct sdk_bot *bot, void *self);

/* ---- time, in microseconds of a monotonic clock ---- */

int64_t sdk_now_us(void);

/*
 * Returns the time left for this answer: hello->clock.turn_ms plus the whole bank, minus the time
 * since the request was read; at least 0. The arena's clock started slightly earlier, when it wrote
 * the request: keep a reserve.
 */
int64_t sdk_time_left_us(const struct sdk_turn *turn);

/* ---- logs and notes ---- */

/*
 * Writes one line to standard error, formatted as by printf; the arena keeps the beginning and the
 * end of a bot's standard error for its author.
 */
void sdk_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Sets the note that the replay shows with this decision, formatted as by printf and cut to at most
 * WIRE_NOTE_BYTES_MAX bytes, never within a character. A second call replaces the first.
 */
void sdk_note(const struct sdk_turn *turn, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the version of the library in use, such as "0.1.0"; a static string. */
const char *sdk_version(void);

PUBLIC_END

#endif
