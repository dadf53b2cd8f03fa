/* SPDX-License-Identifier: MIT */
#include "arena/trial/check.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"
#include "arena/base/clock.h"
#include "arena/base/memory.h"
#include "arena/play/foreground.h"
#include "arena/play/runner.h"
#include "arena/replay/forfeit_text.h"
#include "arena/store/names.h"
#include "engine/draw.h"
#include "engine/notation.h"

/*
 * The check has a runner play one game after another, in which the arena plays random actions for
 * all other seats: this takes no opponents' processes or thinking time, and to the bot the game
 * looks like any other. The first game stands for all steps up to CHECK_END, and more games follow
 * until the bot has met every kind of turn; each later step has a game of its own. When a game has
 * ended, the check derives the entries of its steps; when the runner asks for the next game, it
 * gets the game of the next step.
 *
 * A bot that thinks so long that the check will shorten its clock first plays a few decisions of
 * each setting under the clock that was asked for, so that no setting stays untried.
 *
 * A deadline that the bot missed because other programs had the processors proves nothing: the game
 * is played again, and after CHECK_REPEATS such games the check ends without a verdict. A start
 * that the bot slept through is tried once more, as in a season.
 */

enum {
    /* Decisions of the bot in a short game: a whole first draft and some placements. */
    CUT_AFTER = 12,
    TRIED_AFTER = 5, /* decisions of a slow bot in each setting, before whole games */
    MORE_GAMES = 4,  /* maximum number of extra games to meet every kind of turn */
    END_AFTER = 3,   /* decisions after which the bot's input ends without the message `end` */
    EVERY_SEAT = -1, /* seat in the game against itself, in which the bot plays all seats */
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
        const char *key, *text, *example;
        bool may_lack;
    } texts[] = {{"version", manifest->version, "1"},
                 {"author", manifest->author, "Your Name"},
                 {"language", manifest->language, "", .may_lack = true}};
    char author[STORE_TEXT_BYTES_MAX + 1], fault[NAME_FAULT_BYTES];

    if (!store_name_is_valid(manifest->name)) {
        snprintf(error, MANIFEST_ERROR_BYTES, "\"name\" must be %s", STORE_NAME_RULE);
        return false;
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if ((texts[i].may_lack && !*texts[i].text) || store_text_is_valid(texts[i].text))
            continue;
        if (!*texts[i].text) {
            snprintf(error, MANIFEST_ERROR_BYTES, "\"%s\" is missing: add \"%s\": \"%s\"",
                     texts[i].key, texts[i].key, texts[i].example);
            return false;
        }
        snprintf(
            error, MANIFEST_ERROR_BYTES,
            "\"%s\" must be 1 to %d bytes of UTF-8 without control characters and direction marks",
            texts[i].key, STORE_TEXT_BYTES_MAX);
        return false;
    }
    if (store_author_name_read(manifest->author, author, fault))
        return true;
    snprintf(error, MANIFEST_ERROR_BYTES, "\"author\" %s", fault);
    return false;
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

/*
 * Records a forfeit as the result of the step in which it occurred; takes ownership of the forfeit.
 */
static void enter_forfeit(struct check *check, enum check_step step, struct forfeit *forfeit,
                          int seat, const char *match)
{
    struct check_entry *entry = &check->entries[step];

    char *words = NULL;
    size_t size;
    FILE *stream = memory_stream(&words, &size);

    entry->forfeit = forfeit;
    entry->forfeit_seat = seat;
    snprintf(entry->match, sizeof entry->match, "%s", match);
    forfeit_text_cause(stream, forfeit);
    memory_stream_end(stream);
    check_enter(check, step, CHECK_FAILED, words);
    free(words);
}

/* Sets the result of steps first..end - 1 to skipped. */
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
    case SANDBOX_END_KILLED:  /* CHECK_EXIT reports it */
    case SANDBOX_END_KEEPER:  /* another process killed the arena's process that guards the bot: not
                                 the bot's fault */
    case SANDBOX_END_STARVED: /* nor is this */
        return NULL;
    case SANDBOX_END_SIGNALED:
        return strsignal(verdict->signal);
    case SANDBOX_END_FORBIDDEN:
        return "the bot made a forbidden system call";
    case SANDBOX_END_MEMORY:
        return "the bot ran out of memory";
    case SANDBOX_END_CPU:
        return "the bot ran out of processor time";
    }
    return NULL;
}

/* ---- judging games ---- */

/* How a game ended for the bot. */
struct outcome {
    enum {
        NOT_STARTED,
        NOT_READY,
        OUT,
        STAYED
    } stage;                 /* OUT: after its hello */
    struct forfeit *forfeit; /* owned; NULL if the bot stayed */
    enum phase phase;        /* phase of the last decision, if OUT */
    int seat;                /* the bot's seat; if the bot has all seats, the first that was out */
    char match[WIRE_MATCH_BYTES_MAX];
    struct sandbox_verdict verdict; /* how the bot's process ended */
};

static void enter_outcome(struct check *check, enum check_step step, struct outcome *outcome)
{
    enter_forfeit(check, step, outcome->forfeit, outcome->seat, outcome->match);
    outcome->forfeit = NULL;
}

/*
 * Judges CHECK_START and CHECK_HELLO by the first game. Returns false, with all other steps
 * skipped, if the check cannot continue.
 */
static bool judge_start(struct check *check, struct outcome *first)
{
    if (first->stage == NOT_STARTED) {
        enter_outcome(check, CHECK_START, first);
        skip(check, CHECK_HELLO, CHECK_STEP_COUNT, "the bot does not start");
        return false;
    }
    check_enter(check, CHECK_START, CHECK_PASSED, NULL);
    if (first->stage == NOT_READY) {
        enter_outcome(check, CHECK_HELLO, first);
        skip(check, CHECK_DRAFT, CHECK_STEP_COUNT, "the bot is never ready");
        return false;
    }
    check_enter(check, CHECK_HELLO, CHECK_PASSED, NULL);
    return true;
}

/*
 * Judges each kind of turn and CHECK_END by the first game; met says in which phases the bot
 * decided in any game. Returns false, with all other steps skipped, if continuing is pointless.
 */
static bool judge_turns(struct check *check, struct outcome *first,
                        const bool met[static PHASE_OVER])
{
    const bool silent = first->forfeit && first->forfeit->reason == WIRE_TIMEOUT;
    const char *fault = leaving_fault(&first->verdict);

    for (int phase = PHASE_DRAFT; phase < PHASE_OVER; phase++) {
        enum check_step step = (enum check_step)(CHECK_DRAFT + phase);

        if (first->stage == OUT && (int)first->phase == phase)
            enter_outcome(check, step, first);
        else if (met[phase])
            check_enter(check, step, CHECK_PASSED, NULL);
        else
            enter(check, step, CHECK_SKIPPED, "no game had a turn of this kind (%s)",
                  notation_phases[phase]);
    }
    if (first->stage != STAYED)
        check_enter(check, CHECK_END, CHECK_SKIPPED, "the game did not end");
    else if (fault)
        enter(check, CHECK_END, CHECK_FAILED, "after the bot got the end message: %s", fault);
    else
        check_enter(check, CHECK_END, CHECK_PASSED, NULL);
    if (check->us_count > 0 || !silent)
        return true;
    /* The bot would be late in each further game, too. */
    skip(check, CHECK_SETTINGS, CHECK_STEP_COUNT, "the bot does not answer any turn");
    return false;
}

/*
 * Judges another game as one step, of which the bot has played a few decisions before if it is
 * tried.
 */
static void judge_game(struct check *check, enum check_step step, bool is_tried,
                       struct outcome *outcome)
{
    const char *fault = leaving_fault(&outcome->verdict);

    if (outcome->forfeit && is_of_clock(check, outcome->forfeit->reason))
        enter(check, step, is_tried ? CHECK_PASSED : CHECK_SKIPPED,
              "%sthe bot was too slow: the check had only %" PRId64 " ms a turn left",
              is_tried ? "a few decisions, but no whole game: " : "", check->last_clock.turn_ms);
    else if (outcome->forfeit)
        enter_outcome(check, step, outcome);
    else if (fault)
        enter(check, step, CHECK_FAILED, "after the game had ended: %s", fault);
    else if (step == CHECK_END_OF_INPUT && outcome->verdict.end == SANDBOX_END_KILLED)
        enter(check, step, CHECK_FAILED,
              "the bot still ran %d ms after its input had ended: let the bot exit when it reads "
              "the end of its input",
              BOT_LEAVING_MS);
    else
        check_enter(check, step, CHECK_PASSED, NULL);
}

static void judge_exit(struct check *check)
{
    if (check->leaving_count == 0)
        check_enter(check, CHECK_EXIT, CHECK_SKIPPED, "no game ended");
    else if (check->stayed_count > 0)
        enter(check, CHECK_EXIT, CHECK_FAILED,
              "in %d of %d games the bot still ran %d ms after the end message: let the bot exit "
              "when it reads this message",
              check->stayed_count, check->leaving_count, BOT_LEAVING_MS);
    else if (*check->last_text)
        enter(check, CHECK_EXIT, CHECK_PASSED,
              "warning: the bot prints text to standard output, which came only when it exited: "
              "\"%.*s\"; print it to standard error: when the bot's buffer is full, the text comes "
              "earlier, and the bot forfeits",
              (int)strcspn(check->last_text, "\n"), check->last_text);
    else if (check->status != 0)
        enter(check, CHECK_EXIT, CHECK_PASSED, "the bot exited with status %d; 0 is usual",
              check->status);
    else
        enter(check, CHECK_EXIT, CHECK_PASSED,
              "the bot exited within %" PRId64 " ms of the end message",
              check->leaving_max_us / 1000 + 1);
}

/* ---- the clock of a game ---- */

struct wire_clock check_next_clock(const struct check *check, bool *shortened)
{
    const int64_t left_us = check->thinking_us - check->thought_us;
    const int64_t decision_count = (int64_t)check->us_count;
    const int limit = check->game_limit ? check->game_limit : CHECK_GAMES;
    /* Extra games, to meet every kind of turn, may have taken the place of those to come. */
    const int games_left = check->whole_count < limit ? limit - check->whole_count : 1;
    struct wire_clock clock = check->clock;
    int64_t decisions_left, turn_ms;

    *shortened = false;
    if (check->quick || !check->thinking_us || decision_count == 0 || check->whole_count == 0)
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

/* ---- games ---- */

/* A running check. */
struct check_course {
    struct check *check;
    struct runner *runner;
    struct table_trial trial; /* how the current game differs from a match */
    int seat;                 /* the bot's seat in the current game, or EVERY_SEAT */
    uint64_t random;          /* random state for the actions of seats without a bot */
    enum check_step step;     /* of the current game; CHECK_START: all steps up to CHECK_END */
    int first_count;          /* the first game and extra games, to meet every kind of turn */
    int64_t first_us;         /* the bot's thinking time in the first game */
    bool met[PHASE_OVER];     /* by phase: the bot made a decision in that phase */
    struct outcome first;
    bool is_trying; /* the bot plays a few decisions of each setting */
    bool tried[CHECK_UNKNOWN_KEYS - CHECK_SETTINGS]; /* by setting */
    bool is_again;    /* the next game repeats the last one, because the machine was too busy */
    int64_t until_us; /* when the check ends as starved */
    bool is_over;     /* no further game is played */
    bool was_stopped;
};

size_t check_add_keys(uint8_t *message, size_t size, size_t room)
{
    /* "later": {"kind": null, "list": [1, -2, 1.5, true, "text"]}: values of several types */
    static const uint8_t first[] =
        "\xa5later\x82\xa4kind\xc0\xa4list\x95\x01\xfe\xca\x3f\xc0\x00\x00"
        "\xc3\xa4text";
    /* "even_later": binary data and a 64-bit number */
    static const uint8_t last[] =
        "\xaa"
        "even_later\x92\xc4\x03\x00\xff\x80\xcf\xff\xff\xff\xff\xff\xff\xff"
        "\xff";
    const size_t first_bytes = sizeof first - 1, last_bytes = sizeof last - 1;

    assert(size > 0 && message[0] >= 0x80 && message[0] <= 0x8d);
    if (size + first_bytes + last_bytes > room)
        return size;
    memmove(message + 1 + first_bytes, message + 1, size - 1);
    memcpy(message + 1, first, first_bytes);
    memcpy(message + size + first_bytes, last, last_bytes);
    message[0] = (uint8_t)(message[0] + 2);
    return size + first_bytes + last_bytes;
}

/*
 * Plays a random action for a seat without a bot, but a placement while one is possible, so that
 * the game progresses.
 */
static void play_by_chance(void *owner, struct match *match, int seat)
{
    struct check_course *course = owner;
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(&match->game, actions);
    size_t first = 0, place_count = 0;
    struct wire_act act = {.turn = (int64_t)match->decision_count, .kind = WIRE_ACT_ACTION};
    struct match_times times = {0};
    enum wire_reason reason;

    for (size_t i = 0; i < count; i++)
        if (actions[i].kind == ACTION_PLACE && place_count++ == 0)
            first = i; /* actions of one kind follow each other in the list */
    if (place_count > 0)
        count = place_count;
    act.action = actions[first + draw_below(draw_next(&course->random), (uint32_t)count)];
    match_answer(match, seat, &act, &times, &reason);
}

/* Sets the terms of the next game, which to the bot look like the terms of a season's game. */
static void set_terms(struct check_course *course, struct match_terms *terms, int player_count,
                      enum board_side board, int seat)
{
    struct check *check = course->check;
    uint32_t number = 2 * (uint32_t)++check->game_count;
    uint64_t group = draw_number(check->seed, DRAW_SERIES, 0);

    check->last_clock = check_next_clock(check, &check->shortened);
    if (course->is_trying) {
        check->last_clock = check->clock;
        check->shortened = false;
    }
    if (check->shortened)
        check->shortened_turn_ms = check->last_clock.turn_ms;
    *terms = (struct match_terms){
        .player_count = player_count, .board = board, .clock = check->last_clock};
    snprintf(terms->id, sizeof terms->id, "season-%06u-%d",
             draw_below(group, 2000) + (unsigned)check->game_count, seat == EVERY_SEAT ? 0 : seat);
    for (uint32_t half = 0; half < 2; half++) {
        uint64_t word = draw_number(check->seed, DRAW_SERIES, number + half);

        for (int byte = 0; byte < 8; byte++)
            terms->seed[8 * half + (uint32_t)byte] = (uint8_t)(word >> (8 * byte));
    }
}

/*
 * Prepares a game of the bot at a seat, in which the arena plays random actions for the other
 * seats.
 */
static void prepare(struct check_course *course, struct runner_game *game, struct table_trial trial,
                    int player_count, enum board_side board, int seat)
{
    struct check *check = course->check;

    *game = (struct runner_game){.trial = &course->trial};
    for (int other = 0; other < player_count; other++)
        if (other == seat || seat == EVERY_SEAT)
            game->sources[other] = check->source;
    course->trial = trial;
    course->trial.play_fn = play_by_chance;
    course->trial.owner = course;
    course->seat = seat;
    set_terms(course, &game->terms, player_count, board, seat);
    course->random = draw_number(game->terms.seed, DRAW_BOT, GAME_PLAYERS_MAX);
    check->whole_count += trial.stop_after == 0;
}

static void add_time(struct check *check, int64_t us)
{
    check->thought_us += us;
    if (ARRAY_GROW(check->us, check->us_count, 1) == 0) /* one missing sample does not matter */
        check->us[check->us_count++] = us;
}

/* Records the bot's decisions: their times and phases. */
static void take_decisions(struct check_course *course, const struct match *match)
{
    static const enum phase phases[] = {[ACTION_DRAFT] = PHASE_DRAFT,
                                        [ACTION_PLACE] = PHASE_PLACE,
                                        [ACTION_BONUS] = PHASE_BONUS,
                                        [ACTION_PASS] = PHASE_PLACE};

    for (size_t i = 0; i < match->decision_count; i++) {
        if (match->decisions[i].by_arena ||
            (course->seat != EVERY_SEAT && match->events[i].seat != course->seat))
            continue;
        course->met[phases[match->events[i].action.kind]] = true;
        add_time(course->check, match->decisions[i].us);
    }
}

static void count_leaving(struct check *check, const struct table *table, int seat)
{
    const struct sandbox_verdict *verdict = &table->bots[seat].verdict;

    check->leaving_count++;
    if (!*check->last_text)
        strcpy(check->last_text, table->bots[seat].last_text);
    if (table->leaving_us[seat] > check->leaving_max_us)
        check->leaving_max_us = table->leaving_us[seat];
    if (verdict->end == SANDBOX_END_KILLED)
        check->stayed_count++;
    else if (verdict->end == SANDBOX_END_EXITED && verdict->status != 0)
        check->status = verdict->status;
}

/* Records what one process of the bot did in a game, and the first forfeit of the game. */
static void take_seat(struct check_course *course, const struct table *table, int seat,
                      struct outcome *outcome)
{
    struct check *check = course->check;
    const struct bot *bot = &table->bots[seat];
    const struct forfeit *forfeit = table->forfeits[seat];
    const bool is_in = table->match.seats[seat].reason == WIRE_PLAYED;

    if (check->errors_fn)
        check->errors_fn(check->owner, table->match.terms.id, seat, &bot->channel.errors_kept);
    check->errors_bytes += bot->channel.errors_kept.total_bytes;
    if (table->memory_peak_bytes[seat] > check->memory_peak_bytes)
        check->memory_peak_bytes = table->memory_peak_bytes[seat];
    if (is_in && course->seat != EVERY_SEAT && !course->trial.is_silent)
        count_leaving(check, table, seat);
    if (outcome->forfeit)
        return;
    outcome->seat = seat;
    outcome->verdict = bot->verdict;
    if (is_in)
        return;
    outcome->forfeit = forfeit ? forfeit_copy(forfeit) : NULL;
    if (!outcome->forfeit) {
        check->failure = (struct sandbox_failure){.step = "memory", .error = ENOMEM};
        return;
    }
    outcome->phase = game_phase(&table->match.game);
    outcome->stage = forfeit->turn != FORFEIT_NOT_KNOWN ? OUT
                     : forfeit->request_bytes > 0       ? NOT_READY
                                                        : NOT_STARTED;
}

/* True if the game of a table may be kept as a replay: it was not cut, or the bot was out. */
static bool is_replay(const struct check_course *course, const struct outcome *outcome)
{
    return !course->trial.message_fn && (outcome->forfeit || course->trial.stop_after == 0);
}

static bool is_setting(enum check_step step)
{
    return step >= CHECK_SETTINGS && step < CHECK_UNKNOWN_KEYS;
}

/* Judges a few decisions in a setting. A pass is entered later, by the whole game. */
static void judge_trial(struct check_course *course, struct outcome *outcome)
{
    course->tried[course->step - CHECK_SETTINGS] = true;
    if (outcome->forfeit || leaving_fault(&outcome->verdict))
        judge_game(course->check, course->step, true, outcome);
}

/* Ends a check for which the machine was too busy, without a verdict on the steps that are left. */
static void starve(struct check_course *course)
{
    struct check *check = course->check;

    check->is_starved = course->is_over = true;
    for (int step = (int)course->step; step < CHECK_STEP_COUNT; step++)
        if (check->entries[step].result == CHECK_SKIPPED)
            check_enter(check, (enum check_step)step, CHECK_SKIPPED,
                        "the machine was too busy to try this step: other programs used the "
                        "processors");
}

static void judge(struct check_course *course, struct outcome *outcome)
{
    struct check *check = course->check;

    if (outcome->forfeit && outcome->forfeit->cause == LATE_STARVED) {
        course->is_again = check->repeat_count < CHECK_REPEATS;
        if (course->is_again)
            check->repeat_count++;
        else
            starve(course);
        return;
    }
    if (course->is_trying) {
        judge_trial(course, outcome);
    } else if (course->step != CHECK_START) {
        judge_game(check, course->step,
                   is_setting(course->step) && course->tried[course->step - CHECK_SETTINGS],
                   outcome);
    } else if (course->first_count == 1) {
        course->is_over = !judge_start(check, outcome);
        course->first_us = check->thought_us;
        course->first = *outcome;
        outcome->forfeit = NULL;
    }
}

static void game_done(void *owner, const struct runner_game *game, const struct table *table)
{
    struct check_course *course = owner;
    struct check *check = course->check;
    struct outcome outcome = {.stage = STAYED};
    struct replay replay;

    snprintf(outcome.match, sizeof outcome.match, "%s", game->terms.id);
    take_decisions(course, &table->match);
    for (int seat = 0; seat < game->terms.player_count; seat++)
        if (game->sources[seat])
            take_seat(course, table, seat, &outcome);
    if (check->replay_fn && is_replay(course, &outcome) && replay_from_table(&replay, table) == 0) {
        check->replay_fn(check->owner, course->step, &replay);
        replay_finish(&replay);
    }
    if (!course->was_stopped && !check->failure.step)
        judge(course, &outcome);
    forfeit_destroy(outcome.forfeit);
}

/* ---- the course of the whole check ---- */

/* Returns true if a quick check may take no more of the bot's thinking time. */
static bool is_spent(const struct check_course *course)
{
    return course->check->quick &&
           course->check->thought_us - course->first_us > CHECK_QUICK_S * INT64_C(1000000);
}

/* Prepares the first game, or an extra game. Returns false once the bot has met every kind of turn.
 */
static bool next_first(struct check_course *course, struct runner_game *game)
{
    const int number = course->first_count++;
    bool met_all = true;

    if (number == 0) {
        prepare(course, game, (struct table_trial){0}, 2, BOARD_COLORED, 0);
        return true;
    }
    for (int phase = PHASE_DRAFT; phase < PHASE_OVER; phase++)
        met_all &= course->met[phase];
    if (course->first.forfeit || met_all || number > MORE_GAMES || is_spent(course))
        return false;
    prepare(course, game, (struct table_trial){0}, 2, number % 2 ? BOARD_GRAY : BOARD_COLORED,
            (number - 1) % 2);
    return true;
}

/* Returns why the game of a step is not played; NULL if the game is played. */
static const char *not_tried(const struct check_course *course)
{
    const struct check *check = course->check;
    bool further = course->step == CHECK_SELF_PLAY || course->step == CHECK_RANDOM;
    bool whole = further || course->step < CHECK_UNKNOWN_KEYS;

    if (course->step == CHECK_EXIT)
        return NULL;
    if (check->quick && further)
        return "the option --quick left out this step";
    if (is_spent(course))
        return "the option --quick left out this step, because the bot used up its 5 s of "
               "thinking: check without --quick";
    return !check->quick && whole && check->game_limit && check->whole_count >= check->game_limit
               ? "the option --check-games left out this step"
               : NULL;
}

/* Prepares the game of the current step. Returns false if the step has no game. */
static bool prepare_step(struct check_course *course, struct runner_game *game)
{
    struct check *check = course->check;
    const struct table_trial whole = {0};
    struct table_trial cut = {.stop_after = CUT_AFTER};
    const struct table_trial keys = {.stop_after = CUT_AFTER, .message_fn = check_add_keys};
    const struct table_trial silent = {.stop_after = END_AFTER, .is_silent = true};
    const int setting = (int)course->step - CHECK_SETTINGS;
    const int player_count = GAME_PLAYERS_MIN + setting / 2;
    const char *why = not_tried(course);

    if (course->is_trying) {
        cut.stop_after = TRIED_AFTER;
        why = NULL;
    }
    if (is_setting(course->step) && check->entries[course->step].result == CHECK_FAILED)
        return false; /* after a few decisions */
    if (why && is_setting(course->step) && course->tried[course->step - CHECK_SETTINGS]) {
        enter(check, course->step, CHECK_PASSED, "a few decisions, but no whole game: %s", why);
    } else if (why) {
        check_enter(check, course->step, CHECK_SKIPPED, why);
    } else if (course->step == CHECK_EXIT) {
        judge_exit(check);
        return false;
    } else if (course->step == CHECK_UNKNOWN_KEYS) {
        prepare(course, game, keys, 3, BOARD_GRAY, 0);
    } else if (course->step == CHECK_END_OF_INPUT) {
        prepare(course, game, silent, 2, BOARD_COLORED, 1);
    } else if (course->step == CHECK_SELF_PLAY) {
        prepare(course, game, whole, 2, BOARD_COLORED, EVERY_SEAT);
    } else if (course->step == CHECK_RANDOM) {
        prepare(course, game, whole, 2, BOARD_COLORED, 1);
    } else {
        /*
         * The bot gets the last seat or, on the gray board, the seat before the last, so that it
         * plays every seat in some setting.
         */
        prepare(course, game, check->quick || course->is_trying ? cut : whole, player_count,
                setting % 2 == 0 ? BOARD_COLORED : BOARD_GRAY, player_count - 1 - setting % 2);
    }
    return !why;
}

/* True if the whole games that are left would make the check shorten the bot's clock. */
static bool is_slow(const struct check *check)
{
    bool shortened;

    check_next_clock(check, &shortened);
    return shortened;
}

/* Moves on to the next step. A slow bot passes through the settings twice. */
static void next_step(struct check_course *course)
{
    course->step++;
    if (course->is_trying && course->step == CHECK_UNKNOWN_KEYS) {
        course->is_trying = false;
        course->step = CHECK_SETTINGS;
    }
}

/* Skips, with these words, the steps that are left. */
static void leave_out(struct check *check, const char *words)
{
    for (int step = CHECK_SETTINGS; step < CHECK_STEP_COUNT; step++)
        if (check->entries[step].result == CHECK_SKIPPED && !*check->entries[step].words)
            check_enter(check, (enum check_step)step, CHECK_SKIPPED, words);
}

/* Returns true, and skips the steps that are left, if more of them would show nothing new. */
static bool stops_early(struct check_course *course)
{
    struct check *check = course->check;
    const bool is_late = check->stops_late && check_is_too_slow(check);

    if (is_late)
        leave_out(check, "the bot is too slow");
    else if (check_hangs(check))
        leave_out(check, "the bot missed the deadline in two games already");
    else
        return false;
    return true;
}

static bool next_game(void *owner, int slot, struct runner_game *game)
{
    struct check_course *course = owner;
    struct check *check = course->check;
    bool has_game = false;

    if (course->is_over || course->was_stopped || check->failure.step)
        return false;
    if (clock_now_us() > course->until_us) {
        starve(course);
        return false;
    }
    if (course->is_again) {
        course->is_again = false;
        check->game_count--;
        check->whole_count -= course->trial.stop_after == 0;
        if (course->step == CHECK_START)
            course->first_count--;
        else
            course->step--;
    }
    if (course->step == CHECK_START) {
        if (next_first(course, game))
            return true;
        if (!judge_turns(check, &course->first, course->met))
            return false;
        course->is_trying = is_slow(check);
        course->step = CHECK_SETTINGS - 1;
    }
    if (stops_early(course))
        return false;
    while (!has_game && course->step + 1 < CHECK_STEP_COUNT) {
        next_step(course);
        has_game = prepare_step(course, game);
    }
    course->is_over = !has_game;
    return has_game && !course->was_stopped;
}

static void destroy(struct check_course *course)
{
    runner_destroy(course->runner);
    forfeit_destroy(course->first.forfeit);
    free(course);
}

static int compare_us(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* All games have ended, and no process of the bot is left. */
static void games_ended(void *owner)
{
    struct check_course *course = owner;
    struct check *check = course->check;
    struct sandbox_failure failure;

    if (runner_failed(course->runner, &failure))
        check->failure = failure;
    else if (course->was_stopped)
        check->failure = (struct sandbox_failure){.step = "stopped", .error = EINTR};
    check->course = NULL;
    destroy(course);
    if (check->us_count > 0)
        qsort(check->us, check->us_count, sizeof *check->us, compare_us);
    check->ended_fn(check->ended_owner, check, check->failure.step ? -1 : 0);
}

int check_start(struct check *check, struct ev_loop *loop, const struct transport *transport)
{
    struct check_course *course = calloc(1, sizeof *course);
    const struct runner_options options = {.job_count = 1,
                                           .repeats_starts = true,
                                           .rules = check->rules,
                                           .owner = course,
                                           .next_fn = next_game,
                                           .done_fn = game_done};
    int error = -ENOMEM;

    if (!course)
        return error;
    check->course = course;
    course->check = check;
    course->step = CHECK_START;
    course->until_us = check->until_us
                           ? check->until_us
                           : clock_now_us() + check->thinking_us + CHECK_WALL_S * INT64_C(1000000);
    course->runner = runner_create(&options, transport);
    if (course->runner)
        error = runner_start(course->runner, loop, games_ended, course);
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
    for (int i = 0; i < 2; i++) /* the second call stops running games */
        runner_interrupt(course->runner);
}

/* ---- a check on a loop of its own ---- */

struct wait {
    struct foreground foreground;
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

    wait->result = result;
    foreground_end(&wait->foreground);
}

int check_run(struct check *check)
{
    const struct transport transport = transport_of_sandbox(check->sandbox);
    struct wait wait = {.check = check};
    int error = foreground_open_once(&wait.foreground, asked_to_stop, &wait);

    if (error == 0) {
        check->ended_fn = ended;
        check->ended_owner = &wait;
        error = check_start(check, wait.foreground.loop, &transport);
        if (error == 0)
            foreground_wait(&wait.foreground);
        foreground_close(&wait.foreground);
    }
    check->ended_owner = NULL;
    if (error) {
        check->failure = (struct sandbox_failure){.step = "event loop", .error = -error};
        return -1;
    }
    return wait.result;
}

/* ---- the result ---- */

bool check_is_too_slow(const struct check *check)
{
    bool failed = false;

    for (int step = 0; step < CHECK_STEP_COUNT; step++) {
        const struct check_entry *entry = &check->entries[step];

        if (entry->result != CHECK_FAILED)
            continue;
        if (!entry->forfeit ||
            (entry->forfeit->cause == LATE_NOT && entry->forfeit->reason != WIRE_CPU))
            return false;
        failed = true;
    }
    return failed;
}

bool check_hangs(const struct check *check)
{
    int late_count = 0;

    for (int step = 0; step < CHECK_STEP_COUNT; step++)
        late_count +=
            check->entries[step].forfeit && check->entries[step].forfeit->reason == WIRE_TIMEOUT;
    return late_count >= 2 &&
           late_count * (check->clock.turn_ms + check->clock.bank_ms) >= CHECK_HUNG_MS;
}

static bool has_failed(const struct check *check)
{
    for (int step = 0; step < CHECK_STEP_COUNT; step++)
        if (check->entries[step].result == CHECK_FAILED)
            return true;
    return false;
}

bool check_is_fit(const struct check *check)
{
    return !check->is_starved && !has_failed(check);
}

bool check_is_undecided(const struct check *check)
{
    return check->is_starved && !has_failed(check);
}

int64_t check_share_us(const struct check *check, int per_mille)
{
    size_t rank = (check->us_count * (size_t)per_mille + 999) / 1000;

    assert(per_mille >= 0 && per_mille <= 1000);
    if (check->us_count == 0)
        return 0;
    return check->us[rank > 0 ? rank - 1 : 0];
}

void check_clear(struct check *check)
{
    struct check request = {.sandbox = check->sandbox,
                            .source = check->source,
                            .rules = check->rules,
                            .clock = check->clock,
                            .stops_late = check->stops_late,
                            .quick = check->quick,
                            .game_limit = check->game_limit,
                            .until_us = check->until_us,
                            .thinking_us = check->thinking_us,
                            .errors_fn = check->errors_fn,
                            .replay_fn = check->replay_fn,
                            .step_fn = check->step_fn,
                            .owner = check->owner};

    for (int step = 0; step < CHECK_START; step++) /* the caller's, without forfeits */
        request.entries[step] = check->entries[step];
    memcpy(request.seed, check->seed, sizeof request.seed);
    memcpy(request.name, check->name, sizeof request.name);
    check_finish(check);
    *check = request;
}

void check_finish(struct check *check)
{
    for (int step = 0; step < CHECK_STEP_COUNT; step++)
        forfeit_destroy(check->entries[step].forfeit);
    free(check->us);
    *check = (struct check){0};
}
