#include "arena/trial/check_judge.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/notation.h"

static void enter(struct check *check, enum check_step step, enum check_result result,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

static void enter(struct check *check, enum check_step step, enum check_result result,
                  const char *format, ...)
{
    char words[CHECK_WORDS_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    check_enter(check, step, result, words);
}

/* Enters a forfeit in the step in which it occurred; takes ownership of it. */
static void enter_forfeit(struct check *check, enum check_step step, struct forfeit *forfeit,
                          int seat, const char *match)
{
    struct check_entry *entry = &check->entries[step];

    entry->forfeit = forfeit;
    entry->forfeit_seat = seat;
    snprintf(entry->match, sizeof entry->match, "%s", match);
    enter(check, step, CHECK_FAILED, "%s: %s", wire_reason_name(forfeit->reason), forfeit->words);
}

void check_skip(struct check *check, enum check_step first, enum check_step end, const char *words)
{
    for (int step = (int)first; step < (int)end; step++)
        check_enter(check, (enum check_step)step, CHECK_SKIPPED, words);
}

/*
 * True if the bot may be out only because the check shortened its clock. Then its loss proves
 * nothing.
 */
static bool is_of_clock(const struct check *check, enum wire_reason reason)
{
    return check->shortened && (reason == WIRE_TIMEOUT || reason == WIRE_CPU);
}

/* Returns NULL if a bot exited correctly at the end of a game, else what happened to it. */
static const char *leaving_fault(const struct sandbox_verdict *verdict)
{
    switch (verdict->end) {
    case SANDBOX_END_EXITED:
    case SANDBOX_END_KILLED: /* the exit step reports it */
    case SANDBOX_END_KEEPER: /* not the bot's fault */
        return NULL;
    case SANDBOX_END_SIGNALED:
        return strsignal(verdict->signal);
    case SANDBOX_END_FORBIDDEN:
        return "it made a forbidden system call";
    case SANDBOX_END_MEMORY:
        return "it ran out of memory";
    case SANDBOX_END_CPU:
        return "it ran out of processor time";
    }
    return NULL;
}

/* Enters the turns of the first game: if the bot was out, the phase of that decision failed. */
static void enter_turns(struct check *check, struct solo *solo)
{
    for (int phase = PHASE_DRAFT; phase < PHASE_OVER; phase++) {
        enum check_step step = (enum check_step)(CHECK_DRAFT + phase);

        if (solo->forfeit && solo->stage == SOLO_PLAYING && (int)solo->phase == phase) {
            enter_forfeit(check, step, solo->forfeit, solo->seat, solo->terms.id);
            solo->forfeit = NULL;
        } else if (solo->met[phase]) {
            check_enter(check, step, CHECK_PASSED, NULL);
        } else {
            enter(check, step, CHECK_SKIPPED, "no turn of this kind came up (%s)",
                  notation_phases[phase]);
        }
    }
}

static void enter_end(struct check *check, const struct solo *solo)
{
    const char *fault;

    if (solo->stage != SOLO_GONE) {
        check_enter(check, CHECK_END, CHECK_SKIPPED, "the game did not come to its end");
        return;
    }
    fault = leaving_fault(&solo->verdict);
    if (fault)
        enter(check, CHECK_END, CHECK_FAILED, "after the end message: %s", fault);
    else
        check_enter(check, CHECK_END, CHECK_PASSED, NULL);
}

bool check_judge_start(struct check *check, struct solo *solo)
{
    if (solo->stage == SOLO_START) {
        enter_forfeit(check, CHECK_START, solo->forfeit, solo->seat, solo->terms.id);
        solo->forfeit = NULL;
        check_skip(check, CHECK_HELLO, CHECK_STEP_COUNT, "it does not start");
        return false;
    }
    check_enter(check, CHECK_START, CHECK_PASSED, NULL);
    if (solo->stage == SOLO_HELLO) {
        enter_forfeit(check, CHECK_HELLO, solo->forfeit, solo->seat, solo->terms.id);
        solo->forfeit = NULL;
        check_skip(check, CHECK_DRAFT, CHECK_STEP_COUNT, "it is never ready");
        return false;
    }
    check_enter(check, CHECK_HELLO, CHECK_PASSED, NULL);
    return true;
}

bool check_judge_turns(struct check *check, struct solo *solo)
{
    bool silent = solo->forfeit && solo->forfeit->reason == WIRE_TIMEOUT;

    enter_turns(check, solo);
    enter_end(check, solo);
    if (check->us_count > 0 || !silent)
        return true;
    /* Each further game would take as long to fail. */
    check_skip(check, CHECK_SETTINGS, CHECK_STEP_COUNT, "it answers no turn");
    return false;
}

void check_judge_game(struct check *check, enum check_step step, struct solo *solo)
{
    const char *fault = solo->stage == SOLO_GONE ? leaving_fault(&solo->verdict) : NULL;

    if (solo->forfeit && is_of_clock(check, solo->forfeit->reason)) {
        enter(check, step, CHECK_SKIPPED,
              "slower than the clock of %" PRId64 " ms a turn that the check had left for it",
              check->last_clock.turn_ms);
        forfeit_destroy(solo->forfeit);
        solo->forfeit = NULL;
    } else if (solo->forfeit) {
        enter_forfeit(check, step, solo->forfeit, solo->seat, solo->terms.id);
        solo->forfeit = NULL;
    } else if (fault) {
        enter(check, step, CHECK_FAILED, "after the game: %s", fault);
    } else if (solo->end == SOLO_END_OF_INPUT && solo->verdict.end == SANDBOX_END_KILLED) {
        enter(check, step, CHECK_FAILED,
              "was still there %d ms after its input ended: a bot "
              "that reads the end of its input exits",
              BOT_LEAVING_MS);
    } else {
        check_enter(check, step, CHECK_PASSED, NULL);
    }
}

void check_judge_exit(struct check *check)
{
    if (check->leaving_count == 0)
        check_enter(check, CHECK_EXIT, CHECK_SKIPPED, "no game came to its end");
    else if (check->stayed_count > 0)
        enter(check, CHECK_EXIT, CHECK_FAILED,
              "%d of %d times it was still there %d ms after the end", check->stayed_count,
              check->leaving_count, BOT_LEAVING_MS);
    else if (check->status != 0)
        enter(check, CHECK_EXIT, CHECK_PASSED, "with status %d; 0 is usual", check->status);
    else
        enter(check, CHECK_EXIT, CHECK_PASSED, "within %" PRId64 " ms of the end",
              check->leaving_max_us / 1000 + 1);
}

void check_judge_self_play(struct check *check, struct forfeit *forfeit, int seat,
                           const char *match)
{
    if (!forfeit) {
        check_enter(check, CHECK_SELF_PLAY, CHECK_PASSED, NULL);
    } else if (is_of_clock(check, forfeit->reason)) {
        check_enter(check, CHECK_SELF_PLAY, CHECK_SKIPPED, "slower than the shortened clock");
        forfeit_destroy(forfeit);
    } else {
        enter_forfeit(check, CHECK_SELF_PLAY, forfeit, seat, match);
    }
}
