#include "arena/trial/check.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/stop.h"
#include "arena/play/runner.h"
#include "arena/replay/forfeit_text.h"
#include "arena/store/store.h"
#include "arena/trial/solo.h"
#include "engine/draw.h"
#include "engine/notation.h"

/*
 * The check plays one game after another. The first game stands for all steps up to CHECK_END, and
 * more games follow until the bot has met every kind of turn; each later step has a game of its
 * own. When a game has ended, the check derives the entries of its steps and begins the next step.
 */

enum {
    /* Decisions before a game is cut: enough for a whole first draft and some placements. */
    CUT_AFTER = 12,
    MORE_GAMES = 4, /* maximum number of extra games to meet every kind of turn */
    END_AFTER = 3,  /* decisions before the bot's input ends without a message */
};

static const char *const step_names[CHECK_STEP_COUNT] = {
    [CHECK_MANIFEST] = "manifest",
    [CHECK_BUILD] = "build",
    [CHECK_START] = "start",
    [CHECK_HELLO] = "hello",
    [CHECK_DRAFT] = "turn: draft",
    [CHECK_PLACE] = "turn: place",
    [CHECK_BONUS] = "turn: bonus",
    [CHECK_END] = "end",
    [CHECK_SETTINGS] = "2 players, colored",
    [CHECK_SETTINGS + 1] = "2 players, gray",
    [CHECK_SETTINGS + 2] = "3 players, colored",
    [CHECK_SETTINGS + 3] = "3 players, gray",
    [CHECK_SETTINGS + 4] = "4 players, colored",
    [CHECK_SETTINGS + 5] = "4 players, gray",
    [CHECK_UNKNOWN_KEYS] = "unknown keys",
    [CHECK_END_OF_INPUT] = "end of input",
    [CHECK_EXIT] = "exit",
    [CHECK_SELF_PLAY] = "a game against itself",
    [CHECK_RANDOM] = "a game against chance",
};

const char *check_step_name(enum check_step step)
{
    return step_names[step];
}

bool check_manifest(const struct manifest *manifest, char error[static MANIFEST_ERROR_BYTES])
{
    const struct {
        const char *key, *text;
        bool may_lack;
    } texts[] = {{"version", manifest->version, false},
                 {"author", manifest->author, false},
                 {"language", manifest->language, true}};

    if (!store_name_is_valid(manifest->name)) {
        snprintf(error, MANIFEST_ERROR_BYTES, "\"name\" must be 1 to %d of a-z 0-9 - _",
                 STORE_NAME_BYTES_MAX);
        return false;
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if ((texts[i].may_lack && !*texts[i].text) || store_text_is_valid(texts[i].text))
            continue;
        snprintf(error, MANIFEST_ERROR_BYTES,
                 "\"%s\" must be 1 to %d bytes of UTF-8 without control characters", texts[i].key,
                 STORE_TEXT_BYTES_MAX);
        return false;
    }
    return true;
}

/* ---- entries of steps ---- */

void check_enter(struct check *check, enum check_step step, enum check_result result,
                 const char *words)
{
    struct check_entry *entry = &check->entries[step];

    entry->result = result;
    snprintf(entry->words, sizeof entry->words, "%s", words ? words : "");
    if (check->step_fn)
        check->step_fn(check->owner, check, step);
}

__attribute__((format(printf, 4, 5))) static void
enter(struct check *check, enum check_step step, enum check_result result, const char *format, ...)
{
    char words[CHECK_WORDS_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    check_enter(check, step, result, words);
}

/* Enters a forfeit in the step in which it occurred; takes ownership of the forfeit. */
static void enter_forfeit(struct check *check, enum check_step step, struct forfeit *forfeit,
                          int seat, const char *match)
{
    struct check_entry *entry = &check->entries[step];

    char *words = NULL;
    size_t size;
    FILE *stream = open_memstream(&words, &size);

    entry->forfeit = forfeit;
    entry->forfeit_seat = seat;
    snprintf(entry->match, sizeof entry->match, "%s", match);
    if (stream) {
        forfeit_text_cause(stream, forfeit);
        fclose(stream);
    }
    check_enter(check, step, CHECK_FAILED, words ? words : forfeit->words);
    free(words);
}

/* Enters steps first..end - 1 as skipped. */
static void skip(struct check *check, enum check_step first, enum check_step end, const char *words)
{
    for (int step = (int)first; step < (int)end; step++)
        check_enter(check, (enum check_step)step, CHECK_SKIPPED, words);
}

/*
 * True if the bot may be out only because the check shortened its clock. Such a forfeit proves
 * nothing.
 */
static bool is_of_clock(const struct check *check, enum wire_reason reason)
{
    return check->shortened && (reason == WIRE_TIMEOUT || reason == WIRE_CPU);
}

/*
 * Returns NULL if a bot exited correctly at the end of a game; else a text that says how it ended.
 */
static const char *leaving_fault(const struct sandbox_verdict *verdict)
{
    switch (verdict->end) {
    case SANDBOX_END_EXITED:
    case SANDBOX_END_KILLED: /* CHECK_EXIT reports it */
    case SANDBOX_END_KEEPER: /* another process killed the keeper: not the bot's fault */
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

/* Enters the turns of the first game: if the bot was out, the phase of its last decision failed. */
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
        check_enter(check, CHECK_END, CHECK_SKIPPED, "the game did not end");
        return;
    }
    fault = leaving_fault(&solo->verdict);
    if (fault)
        enter(check, CHECK_END, CHECK_FAILED, "after the end message: %s", fault);
    else
        check_enter(check, CHECK_END, CHECK_PASSED, NULL);
}

/*
 * Judges CHECK_START and CHECK_HELLO by the first game. Returns false, with all other steps
 * skipped, if the check cannot continue.
 */
static bool judge_start(struct check *check, struct solo *solo)
{
    if (solo->stage == SOLO_START) {
        enter_forfeit(check, CHECK_START, solo->forfeit, solo->seat, solo->terms.id);
        solo->forfeit = NULL;
        skip(check, CHECK_HELLO, CHECK_STEP_COUNT, "it does not start");
        return false;
    }
    check_enter(check, CHECK_START, CHECK_PASSED, NULL);
    if (solo->stage == SOLO_HELLO) {
        enter_forfeit(check, CHECK_HELLO, solo->forfeit, solo->seat, solo->terms.id);
        solo->forfeit = NULL;
        skip(check, CHECK_DRAFT, CHECK_STEP_COUNT, "it is never ready");
        return false;
    }
    check_enter(check, CHECK_HELLO, CHECK_PASSED, NULL);
    return true;
}

/*
 * Judges each kind of turn and CHECK_END by the first game; solo->met includes the phases that the
 * bot met in other games. Returns false, with all other steps skipped, if continuing is pointless.
 */
static bool judge_turns(struct check *check, struct solo *solo)
{
    bool silent = solo->forfeit && solo->forfeit->reason == WIRE_TIMEOUT;

    enter_turns(check, solo);
    enter_end(check, solo);
    if (check->us_count > 0 || !silent)
        return true;
    /* The bot would be late in each further game, too. */
    skip(check, CHECK_SETTINGS, CHECK_STEP_COUNT, "it answers no turn");
    return false;
}

/* Judges another game as one step. Takes ownership of the game's forfeit. */
static void judge_game(struct check *check, enum check_step step, struct solo *solo)
{
    const char *fault = solo->stage == SOLO_GONE ? leaving_fault(&solo->verdict) : NULL;

    if (solo->forfeit && is_of_clock(check, solo->forfeit->reason)) {
        enter(check, step, CHECK_SKIPPED, "too slow: the check had only %" PRId64 " ms a turn left",
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
              "still ran %d ms after its input had ended: a bot exits when it reads "
              "the end of its input",
              BOT_LEAVING_MS);
    } else {
        check_enter(check, step, CHECK_PASSED, NULL);
    }
}

/* Judges how the bot's processes exited in all games. */
static void judge_exit(struct check *check)
{
    if (check->leaving_count == 0)
        check_enter(check, CHECK_EXIT, CHECK_SKIPPED, "no game ended");
    else if (check->stayed_count > 0)
        enter(check, CHECK_EXIT, CHECK_FAILED,
              "%d of %d times it still ran %d ms after the end of the game", check->stayed_count,
              check->leaving_count, BOT_LEAVING_MS);
    else if (check->status != 0)
        enter(check, CHECK_EXIT, CHECK_PASSED, "with status %d; 0 is usual", check->status);
    else
        enter(check, CHECK_EXIT, CHECK_PASSED, "within %" PRId64 " ms of the end",
              check->leaving_max_us / 1000 + 1);
}

/*
 * Judges the game of the bot against itself. forfeit is the forfeit of the first seat that was out,
 * or NULL; takes ownership of it. match is the game's id.
 */
static void judge_self_play(struct check *check, struct forfeit *forfeit, int seat,
                            const char *match)
{
    if (!forfeit) {
        check_enter(check, CHECK_SELF_PLAY, CHECK_PASSED, NULL);
    } else if (is_of_clock(check, forfeit->reason)) {
        check_enter(check, CHECK_SELF_PLAY, CHECK_SKIPPED, "too slow for the shortened clock");
        forfeit_destroy(forfeit);
    } else {
        enter_forfeit(check, CHECK_SELF_PLAY, forfeit, seat, match);
    }
}

/* ---- the clock of a game ---- */

static int game_limit(const struct check *check)
{
    return check->game_limit ? check->game_limit : CHECK_GAMES;
}

struct wire_clock check_next_clock(const struct check *check, bool *shortened)
{
    const int64_t left_us = check->thinking_us - check->thought_us;
    const int64_t decision_count = (int64_t)check->us_count;
    /* A quick check plays parts of games; together they take about as long as two games. */
    int games_left = check->quick ? 2 : game_limit(check) - check->whole_count;
    struct wire_clock clock = check->clock;
    int64_t decisions_left, turn_ms;

    *shortened = false;
    if (!check->thinking_us || decision_count == 0 || check->whole_count == 0)
        return clock;
    decisions_left = decision_count * games_left / check->whole_count + 1;
    if (check->thought_us / decision_count * decisions_left <= left_us)
        return clock;
    turn_ms = left_us / decisions_left / 1000;
    if (turn_ms < CHECK_TURN_MS_MIN)
        turn_ms = CHECK_TURN_MS_MIN;
    if (turn_ms < clock.turn_ms)
        clock.turn_ms = turn_ms;
    clock.bank_ms = clock.gain_ms = 0;
    *shortened = true;
    return clock;
}

/* A running check. */
struct check_course {
    struct check *check;
    struct ev_loop *loop;
    struct transport transport;
    enum check_step step; /* step of the current game; CHECK_START is the first game, for all steps
                             up to CHECK_END */
    struct solo solo;     /* the first game; later, the game of the current step */
    struct solo more;     /* extra game, played because the bot has not met every kind of turn */
    int more_count;
    struct tail errors;
    bool was_stopped;

    struct runner *runner; /* plays the game against itself; may be NULL */
    struct runner_game game;
    bool begun;
    bool out; /* a seat of the game against itself was out */
    int seat; /* the first seat that was out */
    /* Forfeit of the first seat that was out; owned; NULL if memory ran out. */
    struct forfeit *forfeit;
};

static void next(struct check_course *course);

static int compare_us(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void sort_times(struct check *check)
{
    if (check->us_count > 0)
        qsort(check->us, check->us_count, sizeof *check->us, compare_us);
}

/* ---- the end of a check ---- */

static void destroy(struct check_course *course)
{
    if (!course)
        return;
    solo_finish(&course->solo);
    solo_finish(&course->more);
    runner_destroy(course->runner);
    forfeit_destroy(course->forfeit);
    free(course);
}

/* Ends the check with result 0, or -1 if the arena failed. */
static void end(struct check_course *course, int result)
{
    struct check *check = course->check;

    check->course = NULL;
    destroy(course);
    sort_times(check);
    check->ended_fn(check->ended_owner, check, result);
}

static void fail(struct check_course *course, const char *step, int error)
{
    course->check->failure = (struct sandbox_failure){.step = step, .error = error};
    end(course, -1);
}

/* ---- playing a game ---- */

static void decided(void *owner, int64_t us)
{
    struct check *check = ((struct check_course *)owner)->check;

    check->thought_us += us;
    if (check->us_count == check->us_room) {
        size_t room = check->us_room ? 2 * check->us_room : 1024;
        int64_t *grown = realloc(check->us, room * sizeof *grown);

        if (!grown)
            return; /* one missing sample does not matter */
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

/* Sets the terms of the next game, which to the bot look like the terms of a season's game. */
static void set_terms(struct check *check, struct match_terms *terms, int player_count,
                      enum board_side board, int seat)
{
    uint32_t number = 2 * (uint32_t)++check->game_count;
    uint64_t group = draw_number(check->seed, DRAW_SERIES, 0);

    check->last_clock = check_next_clock(check, &check->shortened);
    if (check->shortened)
        check->shortened_turn_ms = check->last_clock.turn_ms;
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

/* Records how a bot's process exited after a game. */
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

/*
 * Records the results that all games have. Returns false if the arena failed; the check has then
 * ended.
 */
static bool take_game(struct check_course *course, const struct solo *solo)
{
    struct check *check = course->check;

    if (check->errors_fn)
        check->errors_fn(check->owner, solo->terms.id, solo->seat, &course->errors);
    check->errors_bytes += solo->errors_bytes;
    count_memory(check, solo->verdict.memory_peak_bytes);
    if (solo->broken || course->was_stopped) {
        fail(course, solo->broken ? solo->failure.step : "stopped",
             solo->broken ? solo->failure.error : EINTR);
        return false;
    }
    if (solo->stage == SOLO_GONE && solo->end != SOLO_END_OF_INPUT)
        count_leaving(check, solo);
    return true;
}

static void seen(void *owner, const struct match *match, int seat)
{
    const struct check *check = ((struct check_course *)owner)->check;

    if (check->game_fn)
        check->game_fn(check->owner, match, seat);
}

static void hand_over(const struct check_course *course, const struct replay_origin *origin)
{
    const struct check *check = course->check;
    struct replay replay;

    if (!check->replay_fn || replay_from_match(&replay, origin) < 0)
        return; /* not a failure: the replay is only a copy for the author */
    check->replay_fn(check->owner, course->step, &replay);
    replay_finish(&replay);
}

static void over(void *owner, const struct solo *solo, const struct replay_origin *origin)
{
    (void)solo;
    hand_over(owner, origin);
}

/*
 * Plays one game of the bot against random players. The caller sets solo->end. Returns 0 or -errno.
 */
static int play(struct check_course *course, struct solo *solo, int player_count,
                enum board_side board, int seat)
{
    struct check *check = course->check;

    solo->source = check->source;
    solo->rules = &check->rules;
    solo->seat = seat;
    solo->decided_fn = decided;
    solo->seen_fn = seen;
    solo->over_fn = over;
    solo->owner = course;
    set_terms(check, &solo->terms, player_count, board, seat);
    check->whole_count += solo->end == SOLO_WHOLE;
    solo->errors = check->errors_fn ? &course->errors : NULL;
    return solo_start(solo, course->loop, &course->transport);
}

static void play_or_fail(struct check_course *course, struct solo *solo, int player_count,
                         enum board_side board, int seat)
{
    int error = course->was_stopped ? -EINTR : play(course, solo, player_count, board, seat);

    if (error)
        fail(course, course->was_stopped ? "stopped" : "memory", -error);
}

/* ---- the first game, and extra games until the bot has met every kind of turn ---- */

static bool has_met_all(const struct solo *solo)
{
    bool met = true;

    for (int phase = PHASE_DRAFT; phase < PHASE_OVER; phase++)
        met &= solo->met[phase];
    return met;
}

static void meet_all(struct check_course *course);

static void more_ended(void *owner, struct solo *more)
{
    struct check_course *course = owner;

    if (!take_game(course, more))
        return;
    for (int phase = PHASE_DRAFT; phase < PHASE_OVER; phase++)
        course->solo.met[phase] |= more->met[phase];
    solo_finish(more);
    meet_all(course);
}

static void meet_all(struct check_course *course)
{
    int game = course->more_count++;

    if (!course->solo.forfeit && !has_met_all(&course->solo) && game < MORE_GAMES) {
        course->more = (struct solo){.ended_fn = more_ended};
        play_or_fail(course, &course->more, 2, game % 2 ? BOARD_COLORED : BOARD_GRAY, game % 2);
        return;
    }
    if (judge_turns(course->check, &course->solo))
        next(course);
    else
        end(course, 0);
}

/* The first game has ended: judges start, hello, each kind of turn and the end. */
static void first_ended(void *owner, struct solo *solo)
{
    struct check_course *course = owner;

    if (!take_game(course, solo))
        return;
    if (judge_start(course->check, solo))
        meet_all(course);
    else
        end(course, 0);
}

/* ---- the game of one step ---- */

static void game_ended(void *owner, struct solo *solo)
{
    struct check_course *course = owner;

    if (!take_game(course, solo))
        return;
    judge_game(course->check, course->step, solo);
    next(course);
}

static void play_step(struct check_course *course, struct solo how, int player_count,
                      enum board_side board, int seat)
{
    solo_finish(&course->solo);
    course->solo = how;
    course->solo.ended_fn = game_ended;
    play_or_fail(course, &course->solo, player_count, board, seat);
}

/* ---- the game against itself, played as in a season ---- */

static bool next_game(void *owner, int slot, struct runner_game *game)
{
    struct check_course *course = owner;

    (void)slot;
    if (course->begun)
        return false;
    course->begun = true;
    *game = course->game;
    return true;
}

static void game_done(void *owner, const struct runner_game *game, const struct table *table)
{
    struct check_course *course = owner;
    struct check *check = course->check;
    struct replay replay;

    (void)game;
    if (check->replay_fn && replay_from_table(&replay, table) == 0) {
        check->replay_fn(check->owner, course->step, &replay);
        replay_finish(&replay);
    }
    for (size_t i = 0; i < table->match.decision_count; i++)
        if (!table->match.decisions[i].by_arena)
            decided(course, table->match.decisions[i].us);
    for (int seat = 0; seat < table->match.terms.player_count; seat++) {
        const struct tail *errors = &table->bots[seat].channel.errors_kept;

        count_memory(check, table->memory_peak_bytes[seat]);
        if (check->errors_fn)
            check->errors_fn(check->owner, table->match.terms.id, seat, errors);
        check->errors_bytes += errors->total_bytes;
        if (table->match.seats[seat].reason == WIRE_PLAYED || course->out)
            continue;
        course->out = true;
        course->seat = seat;
        if (table->forfeits[seat])
            course->forfeit = forfeit_copy(table->forfeits[seat]);
    }
}

static void game_went_on(void *owner, const struct runner_game *game, const struct table *table)
{
    (void)game;
    seen(owner, &table->match, CHECK_EVERY_SEAT);
}

static void self_play_ended(void *owner)
{
    struct check_course *course = owner;
    struct forfeit *forfeit = course->forfeit;
    struct sandbox_failure failure;

    if (runner_failed(course->runner, &failure)) {
        fail(course, failure.step, failure.error);
    } else if (course->was_stopped) {
        fail(course, "stopped", EINTR);
    } else if (course->out && !forfeit) {
        fail(course, "memory", ENOMEM);
    } else {
        course->forfeit = NULL;
        judge_self_play(course->check, forfeit, course->seat, course->game.terms.id);
        next(course);
    }
}

static void play_itself(struct check_course *course)
{
    struct check *check = course->check;
    const struct runner_options options = {.job_count = 1,
                                           .rules = check->rules,
                                           .owner = course,
                                           .next_fn = next_game,
                                           .done_fn = game_done,
                                           .step_fn = check->game_fn ? game_went_on : NULL};
    int error = -ENOMEM;

    course->game = (struct runner_game){.sources = {check->source, check->source}, .last = true};
    set_terms(check, &course->game.terms, 2, BOARD_COLORED, 0);
    check->whole_count++;
    course->runner = runner_create(&options, &course->transport);
    if (course->was_stopped)
        error = -EINTR;
    else if (course->runner)
        error = runner_start(course->runner, course->loop, self_play_ended, course);
    if (error)
        fail(course, course->was_stopped ? "stopped" : "memory", -error);
}

/* ---- the course of the whole check ---- */

/*
 * Plays the game of a setting. The bot gets the last seat or, on the gray board, the seat before
 * the last, so that it plays every seat in some setting.
 */
static void try_setting(struct check_course *course, int setting)
{
    int player_count = GAME_PLAYERS_MIN + setting / 2;
    struct solo how = {.end = course->check->quick ? SOLO_CUT : SOLO_WHOLE,
                       .stop_after = CUT_AFTER};

    play_step(course, how, player_count, setting % 2 == 0 ? BOARD_COLORED : BOARD_GRAY,
              player_count - 1 - setting % 2);
}

/* Returns why the game of a step is not played; NULL if the game is played. */
static const char *not_tried(const struct check *check, enum check_step step)
{
    bool further = step == CHECK_SELF_PLAY || step == CHECK_RANDOM;
    bool whole = further || step < CHECK_UNKNOWN_KEYS;

    if (check->quick)
        return further ? "not tried: --quick" : NULL;
    return whole && check->whole_count >= game_limit(check) ? "not tried: --check-games" : NULL;
}

/* Starts the game of the next step that plays a game. */
static void next(struct check_course *course)
{
    struct check *check = course->check;

    course->step = course->step < CHECK_SETTINGS ? CHECK_SETTINGS : course->step + 1;
    for (; course->step < CHECK_STEP_COUNT; course->step++) {
        const char *why = not_tried(check, course->step);

        if (why) {
            skip(check, course->step, course->step + 1, why);
            continue;
        }
        switch ((int)course->step) {
        case CHECK_UNKNOWN_KEYS:
            play_step(course,
                      (struct solo){.extra_keys = true, .end = SOLO_CUT, .stop_after = CUT_AFTER},
                      3, BOARD_GRAY, 0);
            return;
        case CHECK_END_OF_INPUT:
            play_step(course, (struct solo){.end = SOLO_END_OF_INPUT, .stop_after = END_AFTER}, 2,
                      BOARD_COLORED, 1);
            return;
        case CHECK_EXIT:
            judge_exit(check);
            continue;
        case CHECK_SELF_PLAY:
            play_itself(course);
            return;
        case CHECK_RANDOM:
            play_step(course, (struct solo){0}, 2, BOARD_COLORED, 1);
            return;
        default:
            try_setting(course, (int)(course->step - CHECK_SETTINGS));
            return;
        }
    }
    end(course, 0);
}

int check_start(struct check *check, struct ev_loop *loop, const struct transport *transport)
{
    struct check_course *course = calloc(1, sizeof *course);
    int error;

    if (!course)
        return -ENOMEM;
    check->course = course;
    course->check = check;
    course->loop = loop;
    course->transport = *transport;
    course->step = CHECK_START;
    course->solo.ended_fn = first_ended;
    error = play(course, &course->solo, 2, BOARD_COLORED, 0);
    if (error) {
        check->course = NULL;
        destroy(course);
    }
    return error;
}

void check_stop(struct check *check)
{
    struct check_course *course = check->course;

    if (!course)
        return;
    course->was_stopped = true;
    solo_stop(&course->solo);
    solo_stop(&course->more);
    if (course->runner)
        for (int i = 0; i < 2; i++) /* the second call gives up running games */
            runner_interrupt(course->runner);
}

/* ---- a check on a loop of its own ---- */

struct wait {
    struct await await;
    struct check *check;
    int result;
};

static void asked_to_stop(void *owner)
{
    check_stop(((struct wait *)owner)->check);
}

static void ended(void *owner, struct check *check, int result)
{
    struct wait *wait = owner;

    (void)check;
    wait->result = result;
    await_end(&wait->await);
}

int check_run(struct check *check)
{
    const struct transport transport = transport_of_sandbox(check->sandbox);
    struct wait wait = {.check = check};
    int error = await_open(&wait.await, asked_to_stop, &wait);

    if (error == 0) {
        check->ended_fn = ended;
        check->ended_owner = &wait;
        error = check_start(check, wait.await.loop, &transport);
        if (error == 0)
            await_run(&wait.await);
        await_close(&wait.await);
    }
    check->ended_owner = NULL;
    if (error) {
        check->failure = (struct sandbox_failure){.step = "event loop", .error = -error};
        return -1;
    }
    return wait.result;
}

/* ---- the clocks of seasons ---- */

bool check_is_too_slow(const struct check *check)
{
    bool failed = false;

    for (int step = 0; step < CHECK_STEP_COUNT; step++) {
        const struct check_entry *entry = &check->entries[step];

        if (entry->result != CHECK_FAILED)
            continue;
        if (!entry->forfeit ||
            (entry->forfeit->reason != WIRE_TIMEOUT && entry->forfeit->reason != WIRE_START &&
             entry->forfeit->reason != WIRE_CPU))
            return false;
        failed = true;
    }
    return failed;
}

/* Orders two seasons by how much time their clocks give for a turn, tightest first. */
static int compare_seasons(const void *a_pointer, const void *b_pointer)
{
    const struct wire_clock *a = &((const struct check_season *)a_pointer)->clock;
    const struct wire_clock *b = &((const struct check_season *)b_pointer)->clock;
    const int64_t differences[] = {a->turn_ms - b->turn_ms, a->bank_ms - b->bank_ms,
                                   a->gain_ms - b->gain_ms, a->start_ms - b->start_ms};

    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        if (differences[i])
            return differences[i] < 0 ? -1 : 1;
    return 0;
}

/*
 * Returns a new check for another clock, without callbacks for games, which the first check has
 * called.
 */
static struct check begin_again(const struct check *check, const struct wire_clock *clock)
{
    struct check again = {.sandbox = check->sandbox,
                          .source = check->source,
                          .rules = check->rules,
                          .clock = *clock,
                          .quick = check->quick,
                          .game_limit = check->game_limit,
                          .thinking_us = check->thinking_us};

    memcpy(again.seed, check->seed, sizeof again.seed);
    memcpy(again.name, check->name, sizeof again.name);
    return again;
}

/* Adds to the last failed entry for which seasons the bot is too slow, and which it fits. */
static void enter_seasons(struct check *check, const struct check_season *seasons, size_t count,
                          size_t fit_from)
{
    int step = CHECK_STEP_COUNT - 1;
    char words[CHECK_WORDS_BYTES];
    size_t size;

    while (check->entries[step].result != CHECK_FAILED)
        step--;
    size = (size_t)snprintf(words, sizeof words, "%s; too slow for", check->entries[step].words);
    for (size_t i = 0; i < count && size < sizeof words; i++)
        size += (size_t)snprintf(words + size, sizeof words - size, "%s %s (%" PRId64 " ms a turn)",
                                 i == 0          ? ""
                                 : i == fit_from ? "; it keeps the clock of"
                                                 : ",",
                                 seasons[i].name, seasons[i].clock.turn_ms);
    check_enter(check, (enum check_step)step, CHECK_FAILED, words);
}

int check_run_for_seasons(struct check *check, struct check_season *seasons, size_t count)
{
    size_t tried = 0;
    bool too_slow;
    int result;

    if (count > 0) {
        qsort(seasons, count, sizeof *seasons, compare_seasons);
        check->clock = seasons[0].clock;
    }
    result = check_run(check);
    if (result < 0 || count == 0 || !check_is_too_slow(check))
        return result;
    do {
        struct check again;

        do
            tried++;
        while (tried < count && compare_seasons(&seasons[tried], &seasons[tried - 1]) == 0);
        if (tried == count)
            break;
        again = begin_again(check, &seasons[tried].clock);
        result = check_run(&again);
        too_slow = result == 0 && check_is_too_slow(&again);
        if (result < 0)
            check->failure = again.failure;
        check_finish(&again);
    } while (too_slow);
    if (result == 0)
        enter_seasons(check, seasons, count, tried);
    return result;
}

bool check_is_fit(const struct check *check)
{
    for (int step = 0; step < CHECK_STEP_COUNT; step++)
        if (check->entries[step].result == CHECK_FAILED)
            return false;
    return true;
}

int64_t check_share_us(const struct check *check, int per_mille)
{
    size_t rank = (check->us_count * (size_t)per_mille + 999) / 1000;

    assert(per_mille >= 0 && per_mille <= 1000);
    if (check->us_count == 0)
        return 0;
    return check->us[rank > 0 ? rank - 1 : 0];
}

void check_finish(struct check *check)
{
    for (int step = 0; step < CHECK_STEP_COUNT; step++)
        forfeit_destroy(check->entries[step].forfeit);
    free(check->us);
    *check = (struct check){0};
}
