#include "arena/trial/check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/foreground.h"
#include "arena/trial/budget.h"
#include "arena/trial/solo.h"
#include "engine/draw.h"
#include "engine/notation.h"

enum {
    CUT_AFTER = 12, /* decisions: a whole first draft and some placements */
    MORE_GAMES = 4, /* at most, until every kind of turn was met */
    END_AFTER = 3,  /* decisions before the input just ends */
};

/* ---- entries ---- */

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

/* The step in which a forfeit showed; takes it over. */
static void enter_forfeit(struct check *check, enum check_step step, struct forfeit *forfeit,
                          int seat)
{
    check->entries[step].forfeit = forfeit;
    check->entries[step].forfeit_seat = seat;
    enter(check, step, CHECK_FAILED, "%s: %s", wire_reason_name(forfeit->reason), forfeit->words);
}

static void skip(struct check *check, enum check_step first, enum check_step end, const char *words)
{
    for (int step = (int)first; step < (int)end; step++)
        check_enter(check, (enum check_step)step, CHECK_SKIPPED, words);
}

/* ---- games ---- */

static void count_decision(void *owner, int64_t us)
{
    struct check *check = owner;

    check->thought_us += us;
    if (check->us_count == check->us_room) {
        size_t room = check->us_room ? 2 * check->us_room : 1024;
        int64_t *grown = realloc(check->us, room * sizeof *grown);

        if (!grown)
            return; /* one sample fewer decides nothing */
        check->us = grown;
        check->us_room = room;
    }
    check->us[check->us_count++] = us;
}

static void count_memory(struct check *check, int64_t bytes)
{
    if (bytes > check->memory_peak_bytes)
        check->memory_peak_bytes = bytes;
}

static int game_limit(const struct check *check)
{
    return check->game_limit ? check->game_limit : CHECK_GAMES;
}

/* The clock of the next game, shortened if all that is to come would take too long. */
static void set_clock(struct check *check)
{
    const struct budget budget = {.thinking_us = check->thinking_us,
                                  .used_us = check->thought_us,
                                  .decision_count = check->us_count,
                                  .game_count = check->whole_count,
                                  .games_left = check->quick
                                                    ? 2 /* as much in parts */
                                                    : game_limit(check) - check->whole_count};

    check->last_clock = budget_clock(&budget, &check->clock, &check->shortened);
}

/* The terms of the check's next game: the same to a bot as those of a season's. */
static void set_terms(struct check *check, struct match_terms *terms, int player_count,
                      enum board_side board, int seat)
{
    uint32_t number = 2 * (uint32_t)++check->game_count;
    uint64_t group = draw_number(check->seed, DRAW_SERIES, 0);

    set_clock(check);
    *terms = (struct match_terms){
        .player_count = player_count, .board = board, .clock = check->last_clock};
    snprintf(terms->id, sizeof terms->id, "season-%06u-%d",
             draw_below(group, 2000) + (unsigned)check->game_count, seat);
    for (uint32_t half = 0; half < 2; half++) {
        uint64_t word = draw_number(check->seed, DRAW_SERIES, number + half);

        for (int byte = 0; byte < 8; byte++)
            terms->seed[8 * half + (uint32_t)byte] = (uint8_t)(word >> (8 * byte));
    }
}

/* How the process of a game left after its end. */
static void count_leaving(struct check *check, const struct solo *solo)
{
    check->leaving_count++;
    if (solo->leaving_us > check->leaving_max_us)
        check->leaving_max_us = solo->leaving_us;
    if (solo->verdict.end == SANDBOX_END_KILLED)
        check->stayed_count++;
    else if (solo->verdict.end == SANDBOX_END_EXITED && solo->verdict.status != 0)
        check->status = solo->verdict.status;
}

/* Plays one game of the bot among players by chance. False if the arena failed. */
static bool play(struct check *check, struct solo *solo, int player_count, enum board_side board,
                 int seat)
{
    static struct tail errors; /* too large for a stack */

    solo->sandbox = check->sandbox;
    solo->source = check->source;
    solo->rules = &check->rules;
    solo->seat = seat;
    solo->decided_fn = count_decision;
    solo->owner = check;
    set_terms(check, &solo->terms, player_count, board, seat);
    check->whole_count += solo->end == SOLO_WHOLE;
    solo->errors = check->errors_fn ? &errors : NULL;
    solo_play(solo);
    if (check->errors_fn)
        check->errors_fn(check->owner, solo->terms.id, seat, &errors);
    check->errors_bytes += solo->errors_bytes;
    count_memory(check, solo->verdict.memory_peak_bytes);
    if (solo->broken) {
        check->failure = solo->failure;
        return false;
    }
    if (solo->stage == SOLO_GONE && solo->end != SOLO_END_OF_INPUT)
        count_leaving(check, solo);
    return true;
}

/* NULL if a bot that was to leave did so unharmed; else what became of it. */
static const char *leaving_fault(const struct sandbox_verdict *verdict)
{
    switch (verdict->end) {
    case SANDBOX_END_EXITED:
    case SANDBOX_END_KILLED: /* the exit step's */
    case SANDBOX_END_KEEPER: /* nothing it did */
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

/* ---- steps ---- */

/* The turns of the first game: the phase in which it went out, if it did, failed. */
static void enter_turns(struct check *check, struct solo *solo)
{
    for (int phase = PHASE_DRAFT; phase < PHASE_OVER; phase++) {
        enum check_step step = (enum check_step)(CHECK_DRAFT + phase);

        if (solo->forfeit && solo->stage == SOLO_PLAYING && (int)solo->phase == phase) {
            enter_forfeit(check, step, solo->forfeit, solo->seat);
            solo->forfeit = NULL;
        } else if (solo->met[phase]) {
            check_enter(check, step, CHECK_PASSED, NULL);
        } else {
            enter(check, step, CHECK_SKIPPED, "no choice of a %s came up", notation_phases[phase]);
        }
    }
}

/* Plays more games until every kind of turn was met. False if the arena failed. */
static bool meet_all(struct check *check, struct solo *first)
{
    for (int game = 0; game < MORE_GAMES; game++) {
        struct solo more = {0};
        bool met = true;

        for (int phase = PHASE_DRAFT; phase < PHASE_OVER; phase++)
            met &= first->met[phase];
        if (met)
            return true;
        if (!play(check, &more, 2, game % 2 ? BOARD_COLORED : BOARD_GRAY, game % 2)) {
            solo_finish(&more);
            return false;
        }
        for (int phase = PHASE_DRAFT; phase < PHASE_OVER; phase++)
            first->met[phase] |= more.met[phase];
        solo_finish(&more);
    }
    return true;
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

/* Start, hello, each kind of turn, end: one game. Returns 1 if more can be tried, 0 if not,
   -1 if the arena failed. */
static int check_messages(struct check *check)
{
    struct solo solo = {0};
    int result = -1;
    bool silent;

    if (!play(check, &solo, 2, BOARD_COLORED, 0))
        goto out;
    result = 0;
    if (solo.stage == SOLO_START) {
        enter_forfeit(check, CHECK_START, solo.forfeit, solo.seat);
        solo.forfeit = NULL;
        skip(check, CHECK_HELLO, CHECK_STEP_COUNT, "it does not start");
        goto out;
    }
    check_enter(check, CHECK_START, CHECK_PASSED, NULL);
    if (solo.stage == SOLO_HELLO) {
        enter_forfeit(check, CHECK_HELLO, solo.forfeit, solo.seat);
        solo.forfeit = NULL;
        skip(check, CHECK_DRAFT, CHECK_STEP_COUNT, "it is never ready");
        goto out;
    }
    check_enter(check, CHECK_HELLO, CHECK_PASSED, NULL);
    silent = solo.forfeit && solo.forfeit->reason == WIRE_TIMEOUT;
    if (!solo.forfeit && !meet_all(check, &solo))
        goto out;
    enter_turns(check, &solo);
    enter_end(check, &solo);
    result = 1;
    if (check->us_count == 0 && silent) { /* each further game would wait as long */
        skip(check, CHECK_SETTINGS, CHECK_STEP_COUNT, "it answers no turn");
        result = 0;
    }
out:
    solo_finish(&solo);
    return result;
}

/* Is it out only because the check shortened its clock? Then nothing is known. */
static bool is_of_clock(const struct check *check, enum wire_reason reason)
{
    return check->shortened && (reason == WIRE_TIMEOUT || reason == WIRE_CPU);
}

/* One more game, as one step. Returns 0, or -1 if the arena failed. */
static int check_game(struct check *check, enum check_step step, struct solo *solo,
                      int player_count, enum board_side board, int seat)
{
    const char *fault;

    if (!play(check, solo, player_count, board, seat))
        return -1;
    fault = solo->stage == SOLO_GONE ? leaving_fault(&solo->verdict) : NULL;
    if (solo->forfeit && is_of_clock(check, solo->forfeit->reason)) {
        enter(check, step, CHECK_SKIPPED,
              "slower than the clock of %" PRId64 " ms a turn that the check had left for it",
              check->last_clock.turn_ms);
        forfeit_destroy(solo->forfeit);
        solo->forfeit = NULL;
    } else if (solo->forfeit) {
        enter_forfeit(check, step, solo->forfeit, solo->seat);
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
    return 0;
}

static int check_settings(struct check *check)
{
    for (int i = 0; i < CHECK_SETTING_COUNT; i++) {
        struct solo solo = {.end = check->quick ? SOLO_CUT : SOLO_WHOLE, .stop_after = CUT_AFTER};
        int player_count = GAME_PLAYERS_MIN + i / 2;
        enum board_side board = i % 2 == 0 ? BOARD_COLORED : BOARD_GRAY;

        if (!check->quick && check->whole_count >= game_limit(check)) {
            skip(check, (enum check_step)(CHECK_SETTINGS + i), CHECK_SETTINGS + CHECK_SETTING_COUNT,
                 "not tried: --check-games");
            break;
        }

        /* So that it sits in every seat: the last, and the one before. */
        if (check_game(check, (enum check_step)(CHECK_SETTINGS + i), &solo, player_count, board,
                       player_count - 1 - i % 2) < 0)
            return -1;
    }
    return 0;
}

static void enter_exit(struct check *check)
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

/* ---- the game against itself: as seasons play ---- */

struct self_play {
    struct check *check;
    struct runner_game game;
    bool begun;
    bool out;                /* one of its seats went out: */
    int seat;                /* this one */
    struct forfeit *forfeit; /* the first's, owned; NULL if memory had no room */
};

static bool next_game(void *owner, int slot, struct runner_game *game)
{
    struct self_play *self = owner;

    (void)slot;
    if (self->begun)
        return false;
    self->begun = true;
    *game = self->game;
    return true;
}

static void game_done(void *owner, const struct runner_game *game, const struct table *table)
{
    struct self_play *self = owner;

    (void)game;
    for (size_t i = 0; i < table->match.decision_count; i++)
        if (!table->match.decisions[i].by_arena)
            count_decision(self->check, table->match.decisions[i].us);
    for (int seat = 0; seat < table->match.terms.player_count; seat++) {
        count_memory(self->check, table->memory_peak_bytes[seat]);
        if (self->check->errors_fn)
            self->check->errors_fn(self->check->owner, table->match.terms.id, seat,
                                   &table->bots[seat].channel.errors_kept);
        self->check->errors_bytes += table->bots[seat].channel.errors_kept.total_bytes;
        if (table->match.seats[seat].reason == WIRE_PLAYED || self->out)
            continue;
        self->out = true;
        self->seat = seat;
        if (table->forfeits[seat])
            self->forfeit = forfeit_copy(table->forfeits[seat]);
    }
}

static int check_self_play(struct check *check)
{
    struct self_play self = {.check = check,
                             .game = {.sources = {check->source, check->source}, .last = true}};
    const struct runner_options options = {.job_count = 1,
                                           .rules = check->rules,
                                           .owner = &self,
                                           .next_fn = next_game,
                                           .done_fn = game_done};
    struct transport transport = transport_of_sandbox(check->sandbox);
    struct runner *runner = runner_create(&options, &transport);
    int result;

    if (!runner) {
        check->failure = (struct sandbox_failure){.step = "memory", .error = ENOMEM};
        return -1;
    }
    set_terms(check, &self.game.terms, 2, BOARD_COLORED, 0);
    check->whole_count++;
    result = foreground_play(runner, &check->failure);
    if (result == 0 && runner_was_stopped(runner)) {
        check->failure = (struct sandbox_failure){.step = "stopped", .error = EINTR};
        result = -1;
    }
    if (result == 0 && self.out && !self.forfeit) {
        check->failure = (struct sandbox_failure){.step = "memory", .error = ENOMEM};
        result = -1;
    }
    if (result == 0 && self.out && is_of_clock(check, self.forfeit->reason)) {
        check_enter(check, CHECK_SELF_PLAY, CHECK_SKIPPED, "slower than the clock that was left");
        forfeit_destroy(self.forfeit);
    } else if (result == 0 && self.out)
        enter_forfeit(check, CHECK_SELF_PLAY, self.forfeit, self.seat);
    else if (result == 0)
        check_enter(check, CHECK_SELF_PLAY, CHECK_PASSED, NULL);
    else
        forfeit_destroy(self.forfeit);
    runner_destroy(runner);
    return result;
}

/* ---- the whole ---- */

/* Against itself and against chance, unless enough was played. */
static int check_further_games(struct check *check)
{
    struct solo chance = {0};
    int result;

    if (check->quick) {
        skip(check, CHECK_SELF_PLAY, CHECK_STEP_COUNT, "not tried: --quick");
        return 0;
    }
    if (check->whole_count >= game_limit(check)) {
        skip(check, CHECK_SELF_PLAY, CHECK_STEP_COUNT, "not tried: --check-games");
        return 0;
    }
    result = check_self_play(check);
    if (result < 0)
        return result;
    if (check->whole_count >= game_limit(check)) {
        skip(check, CHECK_RANDOM, CHECK_STEP_COUNT, "not tried: --check-games");
        return 0;
    }
    return check_game(check, CHECK_RANDOM, &chance, 2, BOARD_COLORED, 1);
}

int check_run(struct check *check)
{
    struct solo keys = {.extra_keys = true, .end = SOLO_CUT, .stop_after = CUT_AFTER};
    struct solo input = {.end = SOLO_END_OF_INPUT, .stop_after = END_AFTER};
    int result = check_messages(check);

    if (result > 0) {
        result = check_settings(check);
        if (result == 0)
            result = check_game(check, CHECK_UNKNOWN_KEYS, &keys, 3, BOARD_GRAY, 0);
        if (result == 0)
            result = check_game(check, CHECK_END_OF_INPUT, &input, 2, BOARD_COLORED, 1);
        if (result == 0)
            enter_exit(check);
        if (result == 0)
            result = check_further_games(check);
    }
    check_sort(check);
    return result;
}
