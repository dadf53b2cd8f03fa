/* SPDX-License-Identifier: MIT */
#include "arena/replay/replay.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "arena/base/memory.h"

int replay_differs(char error[static REPLAY_ERROR_BYTES], const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error, REPLAY_ERROR_BYTES, format, arguments);
    va_end(arguments);
    return -1;
}

int replay_seat_asked(const struct replay *replay, size_t turn)
{
    if (turn < replay->decision_count)
        return replay->decisions[turn].seat;
    for (int seat = 0; seat < replay->terms.player_count && turn == replay->decision_count; seat++)
        if (replay->out_turns[seat] == (int64_t)turn)
            return seat;
    return GAME_NOBODY;
}

void replay_take_out(const struct replay *replay, struct match *match, int64_t turn)
{
    for (int seat = 0; seat < replay->terms.player_count && match->phase != MATCH_OVER; seat++)
        if (replay->out_turns[seat] == turn && match->seats[seat].reason == WIRE_PLAYED)
            match_out(match, seat, replay->result.reasons[seat]);
}

int64_t replay_bank_us(const struct match *match, const struct replay_decision *decision)
{
    const struct wire_clock *clock = &match->terms.clock;

    if (clock->bank_ms == 0 && clock->gain_ms == 0)
        return -1;
    return clock_spend(clock, match->seats[decision->seat].bank_us, decision->us);
}

int replay_answer(const struct replay *replay, struct match *match, int seat,
                  char error[static REPLAY_ERROR_BYTES])
{
    size_t turn = match->decision_count;
    const struct replay_decision *recorded = &replay->decisions[turn];
    struct wire_act act = {
        .turn = (int64_t)turn, .kind = WIRE_ACT_ACTION, .action = recorded->action};
    struct match_times times = {.us = recorded->us};
    enum wire_reason reason;
    const char *fault;

    if (recorded->seat != seat)
        return replay_differs(
            error, "decision %zu: the replay records seat %d, but by the rules seat %d decides",
            turn, recorded->seat, seat);
    fault = match_answer(match, seat, &act, &times, &reason);
    if (fault)
        return replay_differs(error, "decision %zu: seat %d: %s", turn, seat, fault);
    return 0;
}

int replay_play_next(const struct replay *replay, struct match *match,
                     char error[static REPLAY_ERROR_BYTES])
{
    int seat = game_turn(&match->game);

    if (seat != GAME_NOBODY && match->seats[seat].reason == WIRE_PLAYED)
        return replay_answer(replay, match, seat, error);
    match_step(match);
    return 0;
}

/* Compares the decisions that were played, from number `from` on, with the recorded decisions. */
static int compare_played(const struct replay *replay, const struct match *match, size_t from,
                          char error[static REPLAY_ERROR_BYTES])
{
    for (size_t i = from; i < match->decision_count; i++) {
        const struct replay_decision *recorded = &replay->decisions[i];
        const char *other;

        if (i >= replay->decision_count)
            return replay_differs(
                error,
                "decision %zu: the match continues, but the replay does not record this decision",
                i);
        other = recorded->seat != match->events[i].seat              ? "another seat"
                : recorded->by_arena != match->decisions[i].by_arena ? "player (bot or arena)"
                : action_compare(recorded->action, match->events[i].action) ? "action"
                : recorded->hash != match->decisions[i].hash                ? "hash"
                                                                            : NULL;
        if (other)
            return replay_differs(
                error, "decision %zu: the replay records another %s than the rules give", i, other);
    }
    return 0;
}

static int compare_result(const struct replay *replay, const struct match *match,
                          char error[static REPLAY_ERROR_BYTES])
{
    const struct wire_end *recorded = &replay->result;
    struct wire_end right;

    if (match->phase != MATCH_OVER)
        return replay_differs(error, "decision %zu: the replay ends here, but the match goes on",
                              match->decision_count);
    if (match->decision_count != replay->decision_count)
        return replay_differs(
            error, "decision %zu: the replay records this decision, but the match was over",
            match->decision_count);
    match_result(match, &right);
    for (int seat = 0; seat < right.player_count; seat++)
        if (right.scores[seat] != recorded->scores[seat] ||
            right.ranks[seat] != recorded->ranks[seat] ||
            right.reasons[seat] != recorded->reasons[seat])
            return replay_differs(
                error,
                "result: seat %d: the replay records score %d, rank %d, %s, but score %d, rank %d, "
                "%s is right",
                seat, recorded->scores[seat], recorded->ranks[seat],
                wire_reason_name(recorded->reasons[seat]), right.scores[seat], right.ranks[seat],
                wire_reason_name(right.reasons[seat]));
    return 0;
}

static int play_all(const struct replay *replay, struct match *match, replay_step_fn *step_fn,
                    void *self, char error[static REPLAY_ERROR_BYTES])
{
    replay_take_out(replay, match, -1);
    match_begin(match);
    while (match->phase == MATCH_PLAYING) {
        size_t turn = match->decision_count;
        int seat = game_turn(&match->game);

        if (seat != GAME_NOBODY)
            replay_take_out(replay, match, (int64_t)turn);
        if (match->phase == MATCH_OVER)
            break;
        if (seat != GAME_NOBODY && turn >= replay->decision_count)
            return replay_differs(
                error, "decision %zu: the replay ends here, but the match goes on", turn);
        if (seat != GAME_NOBODY && step_fn)
            step_fn(self, match, &replay->decisions[turn]);
        if (replay_play_next(replay, match, error) < 0 ||
            compare_played(replay, match, turn, error) < 0)
            return -1;
    }
    if (step_fn)
        step_fn(self, match, NULL);
    return compare_result(replay, match, error);
}

int replay_verify(const struct replay *replay, replay_step_fn *step_fn, void *self,
                  char error[static REPLAY_ERROR_BYTES])
{
    struct match *match = memory_need(sizeof *match);
    int result;

    *match = (struct match){0};
    match_init(match, &replay->terms);
    result = play_all(replay, match, step_fn, self, error);
    match_finish(match);
    free(match);
    return result;
}
