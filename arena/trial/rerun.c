/* SPDX-License-Identifier: MIT */
#include "arena/trial/rerun.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/channel.h"
#include "arena/play/foreground.h"
#include "arena/play/source.h"

enum {
    /*
     * Pause before the requested decision. In the match, other players decided during this time.
     * The arena then finds bytes that the bot sends after its last answer.
     */
    REST_MS = 20,
};

enum rerun_stage {
    STAGE_START,
    STAGE_HELLO,
    STAGE_REST, /* pause before the request of `turn` */
    STAGE_TURN,
    STAGE_END, /* the rerun waits for the bot's process to end */
};

/* A rerun that is under way. stage says what the rerun waits for. */
struct rerun_course {
    struct rerun *rerun;
    struct foreground foreground;
    struct talk *talk;
    struct match match;
    enum rerun_stage stage;
    int64_t turn; /* turn of the current request, or of the next request during the pause */
    size_t size;
    int64_t limit_us;
};

/*
 * Stands for "no deadline". Does not overflow when it is summed over a match and multiplied by the
 * number of cores.
 */
static const int64_t no_limit_us = INT64_MAX / GAME_DECISIONS_MAX / 4096;

/* Returns true if a seat had to decide at a turn. */
static bool was_asked(const struct replay *replay, int64_t turn, int seat)
{
    return replay->out_turns[seat] == turn ||
           (turn >= 0 && turn < (int64_t)replay->decision_count &&
            replay->decisions[turn].seat == seat && !replay->decisions[turn].by_arena);
}

/* Returns the seat if exactly one bot of the match has that text in the field, else -1. */
static int only_seat(const struct replay *replay, const char *text, size_t field)
{
    int found = -1;

    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        if (strcmp((const char *)&replay->bots[seat] + field, text) != 0)
            continue;
        if (found >= 0)
            return -1;
        found = seat;
    }
    return found;
}

/* Returns the seat whose hello the user asks for. */
static int seat_of_hello(const struct replay *replay, const struct source *source,
                         char error[static REPLAY_ERROR_BYTES])
{
    int seat = -1, out_count = 0;

    if (source)
        seat = only_seat(replay, source->sha256, offsetof(struct replay_bot, sha256));
    if (source && seat < 0)
        seat = only_seat(replay, source->manifest.name, offsetof(struct replay_bot, name));
    for (int i = 0; i < replay->terms.player_count && seat < 0; i++)
        out_count += replay->out_turns[i] == FORFEIT_NOT_KNOWN;
    for (int i = 0; i < replay->terms.player_count && out_count == 1; i++)
        if (replay->out_turns[i] == FORFEIT_NOT_KNOWN)
            seat = i;
    if (seat < 0)
        return replay_differs(
            error, "every seat has a hello message: choose a seat with --seat N, from 0 to %d",
            replay->terms.player_count - 1);
    return seat;
}

int rerun_seat(const struct replay *replay, int64_t turn, int wanted, const struct source *source,
               char error[static REPLAY_ERROR_BYTES])
{
    if (turn == FORFEIT_NOT_KNOWN)
        return wanted >= 0 ? wanted : seat_of_hello(replay, source, error);
    for (int seat = 0; seat < replay->terms.player_count; seat++)
        if (was_asked(replay, turn, seat) && (wanted < 0 || wanted == seat))
            return seat;
    return replay_differs(
        error, "no bot %shad to decide at turn %" PRId64 ": the replay has %zu decisions",
        wanted >= 0 ? "of that seat " : "", turn, replay->decision_count);
}

const struct forfeit *rerun_recorded_forfeit(const struct replay *replay, int seat, int64_t turn)
{
    return replay->out_turns[seat] == turn ? replay->forfeits[seat] : NULL;
}

int64_t rerun_memory_bytes(const struct rerun *rerun)
{
    int64_t then = rerun->replay->memory_bytes;

    return then > 0 && then < rerun->memory_bytes_max ? then : rerun->memory_bytes_max;
}

/* ---- requests ---- */

/* Ends the bot, and then the rerun, whose outcome is set. */
static void end(struct rerun_course *course)
{
    course->stage = STAGE_END;
    talk_end(course->talk);
}

static void record_fault(struct rerun_course *course)
{
    struct rerun *rerun = course->rerun;

    rerun->outcome = course->turn == rerun->turn ? RERUN_FAULT : RERUN_EARLIER;
    rerun->forfeit = forfeit_create(&course->talk->bot, course->turn);
    if (!rerun->forfeit)
        rerun->outcome = RERUN_BROKEN;
    else if (rerun->patience == 0)
        rerun->forfeit->limit_us = FORFEIT_NOT_KNOWN;
}

/* Sends the packed request. */
static void ask(struct rerun_course *course)
{
    struct rerun *rerun = course->rerun;
    bool hello = course->turn == FORFEIT_NOT_KNOWN;

    course->stage = hello ? STAGE_HELLO : STAGE_TURN;
    if (course->turn == rerun->turn) {
        rerun->request_bytes = course->size;
        memcpy(rerun->request, course->talk->bot.channel.request, course->size);
        rerun->limit_us = course->limit_us;
        if (rerun->before_fn)
            rerun->before_fn(rerun, course->talk);
    }
    talk_ask(course->talk, course->size, rerun->patience ? course->limit_us : no_limit_us,
             hello ? WIRE_START : WIRE_TIMEOUT);
}

static void say_hello(struct rerun_course *course)
{
    const struct rerun *rerun = course->rerun;

    course->turn = FORFEIT_NOT_KNOWN;
    course->size = match_pack_hello(&course->match, rerun->seat, course->talk->bot.channel.request);
    course->limit_us = rerun->clock.start_ms * 1000 * rerun->patience;
    ask(course);
}

/* Packs `other` of the rerun, and leaves the match as it was. */
static void pack_other(struct rerun_course *course, const struct action *played)
{
    struct rerun *rerun = course->rerun;
    struct match_seat *asked = &course->match.seats[rerun->seat];
    const struct match_seat before = *asked;

    asked->actions = !asked->actions;
    rerun->other_bytes = match_pack_request(&course->match, rerun->seat, played, rerun->other);
    *asked = before;
}

static void ask_turn(struct rerun_course *course)
{
    struct match *match = &course->match;
    const struct rerun *rerun = course->rerun;
    const struct action *played = NULL;

    course->turn = (int64_t)match->decision_count;
    course->limit_us = match_limit_us(match, rerun->seat) * rerun->patience;
    if (rerun->tells_played)
        played = &rerun->replay->decisions[course->turn].action;
    if (course->turn == rerun->turn)
        pack_other(course, played);
    course->size =
        match_pack_request(match, rerun->seat, played, course->talk->bot.channel.request);
    if (course->turn == rerun->turn) {
        course->stage = STAGE_REST;
        talk_rest(course->talk, REST_MS);
    } else {
        ask(course);
    }
}

/* ---- the course of the match ---- */

/*
 * Advances to the bot's next decision, but not past `turn`. Returns true if there is such a
 * decision; false if the replay breaks the rules, which is then the outcome.
 */
static bool reach_decision(struct rerun_course *course)
{
    const struct rerun *rerun = course->rerun;
    const struct replay *replay = rerun->replay;
    struct match *match = &course->match;

    while (match->phase == MATCH_PLAYING) {
        int64_t turn = (int64_t)match->decision_count;
        int seat = game_turn(&match->game);

        if (seat == GAME_NOBODY)
            break;
        if (turn != rerun->turn)
            replay_take_out(replay, match, turn);
        if (match->phase != MATCH_PLAYING || turn > rerun->turn)
            break;
        if (match->seats[seat].reason != WIRE_PLAYED)
            match_step(match);
        else if (seat == rerun->seat)
            return true;
        else if (turn >= (int64_t)replay->decision_count)
            break;
        else if (replay_answer(replay, match, seat, course->rerun->error) < 0)
            break;
    }
    if (!*rerun->error)
        replay_differs(course->rerun->error,
                       "no game has a turn %" PRId64 ": by the rules, every game ends earlier",
                       rerun->turn);
    return false;
}

static void advance(struct rerun_course *course)
{
    if (reach_decision(course))
        ask_turn(course);
    else
        end(course);
}

static void take_ready(struct rerun_course *course)
{
    const struct channel *channel = &course->talk->bot.channel;
    struct rerun *rerun = course->rerun;
    struct wire_ready ready;
    const char *fault = answer_read_ready(channel->reply, channel->scan.offset, &ready);

    if (fault) {
        bot_fail(&course->talk->bot, WIRE_BAD, fault);
        return;
    }
    match_ready(&course->match, rerun->seat, ready.actions);
    if (rerun->turn == FORFEIT_NOT_KNOWN) {
        rerun->outcome = RERUN_ANSWERED;
        end(course);
        return;
    }
    replay_take_out(rerun->replay, &course->match, FORFEIT_NOT_KNOWN);
    match_begin(&course->match);
    advance(course);
}

/* Compares the bot's answer with the recorded answer, and plays the recorded one. */
static void take_act(struct rerun_course *course)
{
    const struct channel *channel = &course->talk->bot.channel;
    struct rerun *rerun = course->rerun;
    struct match *match = &course->match;
    enum wire_reason reason = WIRE_BAD;
    struct action action;
    struct wire_act act;
    const char *fault = answer_read_act(channel->reply, channel->scan.offset, &act);

    if (!fault)
        fault = match_find_action(match, &act, &action, &reason);
    if (fault) {
        bot_fail(&course->talk->bot, reason, fault);
        return;
    }
    if (rerun->answer_fn)
        rerun->answer_fn(rerun->answer_context, course->turn, action, &act);
    if (course->turn == rerun->turn) {
        rerun->outcome = RERUN_ANSWERED;
        rerun->action = action;
        rerun->game = match->game;
        rerun->note_bytes = act.note_bytes;
        memcpy(rerun->note, act.note, act.note_bytes);
        end(course);
        return;
    }
    rerun->answer_count++;
    rerun->equal_count +=
        action_compare(action, rerun->replay->decisions[course->turn].action) == 0;
    if (replay_answer(rerun->replay, match, rerun->seat, rerun->error) < 0)
        end(course);
    else
        advance(course);
}

/* Records that the bot is out, or that the arena failed. */
static void take_failure(struct rerun_course *course, enum talk_outcome outcome)
{
    if (outcome == TALK_FAULT)
        record_fault(course);
    else
        course->rerun->failure = course->talk->bot.failure;
    end(course);
}

static void talk_done(void *owner, enum talk_outcome outcome)
{
    struct rerun_course *course = owner;
    struct rerun *rerun = course->rerun;

    if (outcome != TALK_DONE) {
        take_failure(course, outcome);
        return;
    }
    switch (course->stage) {
    case STAGE_START:
        say_hello(course);
        return;
    case STAGE_REST:
        ask(course);
        return;
    case STAGE_HELLO:
    case STAGE_TURN:
        rerun->us = course->talk->bot.charge.used_us;
        if (course->stage == STAGE_HELLO)
            take_ready(course);
        else
            take_act(course);
        return;
    case STAGE_END:
        foreground_end(&course->foreground);
        return;
    }
}

static void asked_to_stop(void *owner)
{
    struct rerun_course *course = owner;

    talk_stop(course->talk);
}

/* Makes the match and the conversation with the bot, and waits for their end. */
static int run(struct rerun_course *course, const struct transport *transport)
{
    const struct rerun *rerun = course->rerun;
    const struct table_rules rules = {.memory_bytes = rerun_memory_bytes(rerun)};
    struct match_terms terms = rerun->replay->terms;

    course->talk = talk_create(course->foreground.loop, transport, course, talk_done);
    if (!course->talk)
        return -ENOMEM;
    if (!rerun->replay->names_told)
        memset(terms.names, 0, sizeof terms.names);
    terms.clock = rerun->clock;
    match_init(&course->match, &terms);
    course->talk->bot.errors_fn = rerun->errors_fn;
    talk_start(course->talk, rerun->source, &rules);
    foreground_wait(&course->foreground);
    match_finish(&course->match);
    talk_destroy(course->talk);
    return 0;
}

void rerun_run(struct rerun *rerun, struct sandbox *sandbox)
{
    const struct transport transport = transport_of_sandbox(sandbox);
    struct rerun_course *course = calloc(1, sizeof *course);
    int error = course ? foreground_open_once(&course->foreground, asked_to_stop, course) : -ENOMEM;

    rerun->outcome = RERUN_BROKEN;
    if (error == 0) {
        course->rerun = rerun;
        course->turn = FORFEIT_NOT_KNOWN;
        error = run(course, &transport);
        foreground_close(&course->foreground);
    }
    if (error)
        rerun->failure = (struct sandbox_failure){.step = "event loop", .error = -error};
    free(course);
}

void rerun_finish(struct rerun *rerun)
{
    forfeit_destroy(rerun->forfeit);
    rerun->forfeit = NULL;
}
