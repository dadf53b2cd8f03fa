#include "arena/trial/rerun.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/answer.h"
#include "arena/replay/course.h"

enum {
    REST_MS = 20, /* before the request that is asked for: what the bot does behind its last
                     answer shows in time, as it did while others played */
};

/* Stands for no deadline; summed over a match, and times every core, it still fits. */
static const int64_t no_limit_us = INT64_MAX / GAME_DECISIONS_MAX / 4096;

int rerun_seat(const struct replay *replay, int64_t turn, int wanted,
               char error[static REPLAY_ERROR_BYTES])
{
    int found = -1;

    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        bool asked = replay->out_turns[seat] == turn ||
                     (turn == FORFEIT_NOT_KNOWN && wanted == seat) ||
                     (turn >= 0 && turn < (int64_t)replay->decision_count &&
                      replay->decisions[turn].seat == seat && !replay->decisions[turn].by_arena);

        if (!asked || (wanted >= 0 && wanted != seat))
            continue;
        if (found >= 0)
            return course_differs(error, "several bots went out in the hello: add --seat N");
        found = seat;
    }
    if (found < 0 && turn == FORFEIT_NOT_KNOWN)
        return course_differs(error, "which seat's hello is meant: add --seat N, from 0 to %d",
                              replay->terms.player_count - 1);
    if (found < 0)
        return course_differs(error, "no bot %swas asked at turn %" PRId64 ": it has %zu decisions",
                              wanted >= 0 ? "of that seat " : "", turn, replay->decision_count);
    return found;
}

const struct forfeit *rerun_recorded_forfeit(const struct replay *replay, int seat, int64_t turn)
{
    return replay->out_turns[seat] == turn ? replay->forfeits[seat] : NULL;
}

/* ---- what the bot says ---- */

/* It went out at turn. */
static void record_fault(struct rerun *rerun, const struct talk *talk, int64_t turn)
{
    rerun->outcome = turn == rerun->turn ? RERUN_FAULT : RERUN_EARLIER;
    rerun->forfeit = forfeit_create(&talk->bot, turn);
    if (!rerun->forfeit)
        rerun->outcome = RERUN_BROKEN;
    else if (rerun->no_limits)
        rerun->forfeit->limit_us = FORFEIT_NOT_KNOWN;
}

static bool ask(struct rerun *rerun, struct talk *talk, int64_t turn, size_t size, int64_t limit_us)
{
    if (turn == rerun->turn) {
        if (turn != FORFEIT_NOT_KNOWN)
            talk_rest(talk, REST_MS);
        rerun->request_bytes = size;
        memcpy(rerun->request, talk->bot.channel.request, size);
        rerun->limit_us = limit_us;
        if (rerun->before_fn)
            rerun->before_fn(rerun, talk);
    }
    switch (talk_ask(talk, size, rerun->no_limits ? no_limit_us : limit_us,
                     turn == FORFEIT_NOT_KNOWN ? WIRE_START : WIRE_TIMEOUT)) {
    case TALK_DONE:
        rerun->us = talk->bot.charge.used_us;
        rerun->cpu_us = talk->bot.used_cpu_us;
        return true;
    case TALK_FAULT:
        record_fault(rerun, talk, turn);
        return false;
    case TALK_BROKEN:
    case TALK_WAITING:
        break;
    }
    rerun->outcome = RERUN_BROKEN;
    rerun->failure = talk->bot.failure;
    return false;
}

/* Puts it out for what it answered. */
static bool refuse(struct rerun *rerun, struct talk *talk, int64_t turn, enum wire_reason reason,
                   const char *fault)
{
    if (talk_fail(talk, reason, fault) == TALK_BROKEN) {
        rerun->outcome = RERUN_BROKEN;
        rerun->failure = talk->bot.failure;
    } else {
        record_fault(rerun, talk, turn);
    }
    return false;
}

static bool say_hello(struct rerun *rerun, struct talk *talk, struct match *match)
{
    size_t size = match_pack_hello(match, rerun->seat, talk->bot.channel.request);
    struct wire_ready ready;
    const char *fault;

    if (!ask(rerun, talk, FORFEIT_NOT_KNOWN, size, match->terms.clock.start_ms * 1000))
        return false;
    fault = answer_read_ready(talk->bot.channel.reply, talk->bot.channel.scan.offset, &ready);
    if (fault)
        return refuse(rerun, talk, FORFEIT_NOT_KNOWN, WIRE_BAD, fault);
    rerun->actions = ready.actions;
    match_ready(match, rerun->seat, ready.actions);
    return true;
}

/* Asks for the decision that is due; the action that was answered into *action. */
static bool ask_turn(struct rerun *rerun, struct talk *talk, struct match *match,
                     struct action *action)
{
    int64_t turn = (int64_t)match->decision_count;
    int64_t limit_us = match_limit_us(match, rerun->seat);
    size_t size = match_pack_request(match, rerun->seat, talk->bot.channel.request);
    enum wire_reason reason = WIRE_BAD;
    struct wire_act act;
    const char *fault;

    if (!ask(rerun, talk, turn, size, limit_us))
        return false;
    fault = answer_read_act(talk->bot.channel.reply, talk->bot.channel.scan.offset, &act);
    if (!fault)
        fault = match_find_action(match, &act, action, &reason);
    if (fault)
        return refuse(rerun, talk, turn, reason, fault);
    return true;
}

/* ---- the course of the match ---- */

/* One decision of the rerun's seat: what it says, then what it said. False ends the rerun. */
static bool decide(struct rerun *rerun, struct talk *talk, struct match *match)
{
    int64_t turn = (int64_t)match->decision_count;
    struct action action;

    if (!ask_turn(rerun, talk, match, &action))
        return false;
    if (turn == rerun->turn) {
        rerun->outcome = RERUN_ANSWERED;
        rerun->action = action;
        return false;
    }
    rerun->answer_count++;
    rerun->equal_count += action_compare(action, rerun->replay->decisions[turn].action) == 0;
    return course_answer(rerun->replay, match, rerun->seat, rerun->error) == 0;
}

/* From the first decision to that of turn. The outcome stays RERUN_BROKEN if the record is none
   of a match by the rules. */
static void play(struct rerun *rerun, struct talk *talk, struct match *match)
{
    const struct replay *replay = rerun->replay;

    course_take_out(replay, match, FORFEIT_NOT_KNOWN);
    match_begin(match);
    while (match->phase == MATCH_PLAYING) {
        int64_t turn = (int64_t)match->decision_count;
        int seat = game_turn(&match->game);

        if (seat == GAME_NOBODY)
            break;
        if (turn != rerun->turn)
            course_take_out(replay, match, turn);
        if (match->phase != MATCH_PLAYING || turn > rerun->turn)
            break;
        if (match->seats[seat].reason != WIRE_PLAYED) {
            match_step(match);
        } else if (seat == rerun->seat) {
            if (!decide(rerun, talk, match))
                return;
        } else if (turn >= (int64_t)replay->decision_count ||
                   course_answer(replay, match, seat, rerun->error) < 0) {
            break;
        }
    }
    if (!*rerun->error)
        course_differs(rerun->error, "turn %" PRId64 " is never come to by the rules", rerun->turn);
}

int64_t rerun_memory_bytes(const struct rerun *rerun)
{
    int64_t then = rerun->replay->memory_bytes;

    return then > 0 && then < rerun->memory_bytes_max ? then : rerun->memory_bytes_max;
}

static void start_and_play(struct rerun *rerun, struct talk *talk, struct match *match)
{
    const struct table_rules rules = {.memory_bytes = rerun_memory_bytes(rerun)};

    talk->bot.errors_fn = rerun->errors_fn;
    switch (talk_start(talk, rerun->source, &rules)) {
    case TALK_DONE:
        if (!say_hello(rerun, talk, match))
            return;
        if (rerun->turn == FORFEIT_NOT_KNOWN)
            rerun->outcome = RERUN_ANSWERED;
        else
            play(rerun, talk, match);
        return;
    case TALK_FAULT:
        record_fault(rerun, talk, FORFEIT_NOT_KNOWN);
        return;
    case TALK_BROKEN:
    case TALK_WAITING:
        rerun->failure = talk->bot.failure;
        return;
    }
}

void rerun_run(struct rerun *rerun, struct sandbox *sandbox)
{
    struct talk *talk = talk_create(sandbox);
    struct match *match = calloc(1, sizeof *match);
    struct match_terms terms = rerun->replay->terms;

    rerun->outcome = RERUN_BROKEN;
    if (!rerun->replay->names_told)
        memset(terms.names, 0, sizeof terms.names);
    if (talk && match) {
        match_init(match, &terms);
        start_and_play(rerun, talk, match);
        match_finish(match);
    } else {
        course_differs(rerun->error, "it does not fit in memory");
    }
    free(match);
    talk_destroy(talk);
}

void rerun_finish(struct rerun *rerun)
{
    forfeit_destroy(rerun->forfeit);
    rerun->forfeit = NULL;
}
