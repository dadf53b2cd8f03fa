/* SPDX-License-Identifier: MIT */
/*
 * The SDK for bots in C: fill in a struct of callbacks and call sdk_run. The SDK speaks the wire
 * protocol on standard input and output, gives the bot a struct game for searching, ignores
 * messages of unknown types, and returns from sdk_run when the input ends. What a bot prints goes
 * to standard error, also what it prints to standard output while sdk_run runs.
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
 * C++ can include this header directly. The manual leads from nothing to a ladder
 * entry: docs/sdk.md, or /docs/sdk.html on the site of an arena.
 */
#ifndef SDK_SDK_H
#define SDK_SDK_H

#include "engine/game.h"
#include "engine/public.h"
#include "sdk/policy.h"
#include "sdk/wire.h"

PUBLIC_BEGIN

/*
 * A random generator for a bot's own choices. The SDK seeds the generator from hello->seed, so that
 * a bot makes the same choices when the arena repeats a match.
 */
struct sdk_random {
    uint64_t state;
};

/* Returns 64 random bits. */
uint64_t sdk_random_next(struct sdk_random *random) LINK_NAME(sdk_random_next);

/* Returns a random number below count, which is at least 1. */
size_t sdk_random_below(struct sdk_random *random, size_t count) LINK_NAME(sdk_random_below);

struct sdk_spent; /* what sdk_should_stop remembers of a turn */

/* Input of a decision. All pointers are valid only until play_fn returns. */
struct sdk_turn {
    const struct wire_hello *hello; /* the terms of this match; hello->seat is the bot's seat */
    int64_t turn;                   /* number of the decision in the match, counted from 0 */
    int64_t bank_ms;                /* time in the bank, in addition to hello->clock.turn_ms */
    const struct position *state;   /* everything that players at the table can see */
    const struct game *game; /* a game in this position, to copy and search with; its future draws
                                are not those of the match */
    const struct action *actions; /* every legal action, in ascending order */
    size_t action_count;          /* number of actions, at least 1 */
    const struct wire_event
        *events; /* actions of all seats since this bot's last action, which is the first of them */
    size_t event_count;
    struct sdk_random *random; /* generator for the bot's own random choices */
    char *note; /* note for the replay: write up to WIRE_NOTE_BYTES_MAX bytes and a NUL, or call
                   sdk_note */
    int64_t received_us;         /* time (sdk_now_us) at which the SDK had read the whole request */
    const struct action *played; /* in an analysis (arena analyse): the action that was played in
                                    the match; else NULL */
    int32_t *expects;            /* set by sdk_expect */
    int64_t bank_used_ms; /* time that the bot's previous answer took from the bank; 0 if the turn's
                             own time sufficed */
    struct sdk_spent *spent; /* kept by sdk_should_stop */
};

struct sdk_bot {
    const char *name;    /* the bot's name, which the arena logs */
    const char *version; /* the bot's version, which the arena logs */

    /* Makes a decision. Must return one of turn->actions. Required. */
    struct action (*play_fn)(void *self, const struct sdk_turn *turn);

    /* Called when a match begins. Optional. */
    void (*hello_fn)(void *self, const struct wire_hello *hello);

    /* Called when a match is over. Optional. */
    void (*end_fn)(void *self, const struct wire_end *end);
};

/*
 * Plays until the input ends, and passes `self` to every callback. Returns the exit status for
 * main: 0 at the end of the input; 1, after a line on standard error, if the arena sent an invalid
 * message or the output is closed. A crash writes a line to standard error that names its place,
 * unless the bot handles the signal itself.
 */
int sdk_run(const struct sdk_bot *bot, void *self) LINK_NAME(sdk_run);

/* ---- time, in microseconds of a monotonic clock ---- */

int64_t sdk_now_us(void) LINK_NAME(sdk_now_us);

/*
 * True once a search has used up the time that sdk_stop_us gives an answer, counted as the arena
 * counts it: the time in which the bot computed or slept, but not the time in which other programs
 * kept it from a processor. So on a busy machine a search goes on after the moment sdk_stop_us.
 * Call it at least ten times in a search: one sleep makes the time between two calls count as a
 * whole. A call reads the clock (0.02 us), and once in 100 us the use of the processor
 * (0.3 us). Never fails; without turn->spent all time counts. For one thread. A bot of several
 * processes (`processes` in its manifest) pays for waits, too, and needs sdk_stop_us.
 */
bool sdk_should_stop(const struct sdk_turn *turn) LINK_NAME(sdk_should_stop);

/*
 * Returns the time left for this answer, at least 0: hello->clock.turn_ms plus the whole bank,
 * minus the time since received_us, in which the bot may have waited for a processor. Keep a
 * reserve, because the arena started its clock slightly earlier, when it wrote the request.
 */
int64_t sdk_time_left_us(const struct sdk_turn *turn) LINK_NAME(sdk_time_left_us);

/*
 * Returns the moment (sdk_now_us) until which a bot may search for this answer: most of the turn's
 * time, and a fiftieth of the bank, so that it lasts for the match. It leaves the answer 15 % and a
 * reserve that shrinks with the clock: of 1,000 ms a turn 846 ms are used, of 100 ms 81, of 4
 * ms 1.7. Look at the clock at least ten times in that. Waits for a processor count, unlike in
 * sdk_should_stop.
 */
int64_t sdk_stop_us(const struct sdk_turn *turn) LINK_NAME(sdk_stop_us);

/* ---- logs and notes ---- */

/*
 * Writes one line to standard error, formatted as by printf; the arena keeps the beginning and the
 * end of a bot's standard error for its author.
 */
void sdk_log(const char *format, ...) LINK_NAME(sdk_log) __attribute__((format(printf, 1, 2)));

/*
 * Sets the note that the replay shows with this decision, formatted as by printf and cut to at most
 * WIRE_NOTE_BYTES_MAX bytes, never within a character. A second call replaces the first.
 */
void sdk_note(const struct sdk_turn *turn, const char *format, ...) LINK_NAME(sdk_note)
    __attribute__((format(printf, 2, 3)));

/*
 * In an analysis, tells the arena the lead over the mean of the other seats that the bot expects at
 * the end of the match, in hundredths of a point: after its best action, and after turn->played.
 * Has no effect in a match.
 */
void sdk_expect(const struct sdk_turn *turn, int32_t best_centipoints, int32_t played_centipoints)
    LINK_NAME(sdk_expect);

/* Returns the version of the library in use, such as "0.1.0"; a static string. */
const char *sdk_version(void) LINK_NAME(sdk_version);

PUBLIC_END

#endif
