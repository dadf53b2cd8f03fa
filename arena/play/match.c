#include "arena/play/match.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/clock.h"
#include "arena/play/illegal.h"
#include "engine/draw.h"

void match_init(struct match *match, const struct match_terms *terms)
{
    match->terms = *terms;
    match->phase = MATCH_HELLO;
    match->decision_count = 0;
    match->notes = NULL;
    match->note_bytes = match->note_room = 0;
    match->legal_count = 0;
    game_init(&match->game, terms->player_count, terms->board, terms->seed);
    for (int seat = 0; seat < terms->player_count; seat++)
        match->seats[seat] = (struct match_seat){
            .actions = true, .bank_us = clock_bank_us(&terms->clock), .reason = WIRE_PLAYED};
}

void match_finish(struct match *match)
{
    free(match->notes);
    match->notes = NULL;
}

size_t match_pack_hello(const struct match *match, int seat, uint8_t *buffer)
{
    const struct match_terms *terms = &match->terms;
    struct wire_hello hello = {.seat = seat,
                               .player_count = terms->player_count,
                               .board = terms->board,
                               .clock = terms->clock,
                               .seed = draw_number(terms->seed, DRAW_BOT, (uint32_t)seat) >> 11};

    memcpy(hello.match, terms->id, sizeof hello.match);
    memcpy(hello.names, terms->names, sizeof hello.names);
    return wire_pack_hello(buffer, WIRE_MESSAGE_BYTES_MAX, &hello);
}

void match_ready(struct match *match, int seat, bool actions)
{
    assert(match->phase == MATCH_HELLO);
    match->seats[seat].actions = actions;
}

int match_in_count(const struct match *match)
{
    int count = 0;

    for (int seat = 0; seat < match->terms.player_count; seat++)
        count += match->seats[seat].reason == WIRE_PLAYED;
    return count;
}

void match_out(struct match *match, int seat, enum wire_reason reason)
{
    assert(match->phase != MATCH_OVER && match->seats[seat].reason == WIRE_PLAYED);
    match->seats[seat].reason = reason;
    match->seats[seat].out_turn = match->phase == MATCH_HELLO ? -1 : (int64_t)match->decision_count;
    /* During the hello, all seats are decided before anything else happens: match_begin. */
    if (match->phase == MATCH_PLAYING && match_in_count(match) <= 1)
        match->phase = MATCH_OVER;
}

void match_begin(struct match *match)
{
    assert(match->phase == MATCH_HELLO);
    match->phase = match_in_count(match) <= 1 ? MATCH_OVER : MATCH_PLAYING;
}

/* Plays a legal action of the seat to act and records it. */
static bool play(struct match *match, int seat, struct action action,
                 const struct match_decision *decision)
{
    size_t index = match->decision_count;

    assert(index < GAME_DECISIONS_MAX);
    if (!game_apply(&match->game, action))
        return false;
    match->decisions[index] = *decision;
    match->decisions[index].hash = game_hash(&match->game);
    match->events[index] = (struct wire_event){.seat = seat, .action = action};
    match->decision_count++;
    match->legal_count = 0;
    return true;
}

/* Returns how many legal actions there are; computes them once per decision. */
static size_t list_legal(struct match *match)
{
    if (match->legal_count == 0)
        match->legal_count = game_legal_actions(&match->game, match->legal);
    return match->legal_count;
}

/* Returns the arena's action for a bot that is out: docs/protocol.md, "Stand-ins". */
static struct action stand_in(struct match *match)
{
    uint64_t number;

    if (game_phase(&match->game) == PHASE_PLACE)
        return (struct action){.kind = ACTION_PASS};
    number = draw_number(match->terms.seed, DRAW_STAND_IN, (uint32_t)match->decision_count);
    return match->legal[draw_below(number, (uint32_t)list_legal(match))];
}

void match_step(struct match *match)
{
    int seat = game_turn(&match->game);

    assert(match->phase == MATCH_PLAYING);
    if (seat == GAME_NOBODY) {
        match->phase = MATCH_OVER;
        return;
    }
    list_legal(match);
    if (!play(match, seat, stand_in(match), &(struct match_decision){.by_arena = true}))
        assert(false && "a stand-in plays by the rules");
}

int match_next(struct match *match)
{
    while (match->phase == MATCH_PLAYING) {
        int seat = game_turn(&match->game);

        if (seat != GAME_NOBODY && match->seats[seat].reason == WIRE_PLAYED)
            return seat;
        match_step(match);
    }
    return GAME_NOBODY;
}

int64_t match_limit_us(const struct match *match, int seat)
{
    return clock_limit_us(&match->terms.clock, match->seats[seat].bank_us);
}

size_t match_pack_request(struct match *match, int seat, uint8_t *buffer)
{
    struct match_seat *asked = &match->seats[seat];
    struct wire_turn turn = {
        .turn = (int64_t)match->decision_count,
        .bank_ms = asked->bank_us / 1000,
        .events = match->events + asked->told_count,
        .event_count = match->decision_count - asked->told_count,
    };

    game_view(&match->game, &turn.state);
    if (asked->actions) {
        turn.action_count = list_legal(match);
        turn.actions = match->legal;
    }
    asked->told_count = match->decision_count;
    return wire_pack_turn(buffer, WIRE_MESSAGE_BYTES_MAX, &turn);
}

/* Finds the legal action that an act names. Returns false if it names none. */
static bool find_action(struct match *match, const struct wire_act *act, struct action *action)
{
    switch (act->kind) {
    case WIRE_ACT_INDEX:
        if (act->index < 0 || act->index >= (int64_t)list_legal(match))
            return false;
        *action = match->legal[act->index];
        return true;
    case WIRE_ACT_ACTION:
        *action = act->action;
        return true;
    case WIRE_ACT_OTHER:
        return false;
    }
    return false;
}

/* Stores a note. If memory runs out, drops it, because it affects nothing. */
static void keep_note(struct match *match, const struct wire_act *act,
                      struct match_decision *decision)
{
    size_t needed = match->note_bytes + act->note_bytes;

    if (!act->has_note || act->note_bytes == 0)
        return;
    if (needed > match->note_room) {
        char *notes = realloc(match->notes, needed * 2);

        if (!notes)
            return;
        match->notes = notes;
        match->note_room = needed * 2;
    }
    memcpy(match->notes + match->note_bytes, act->note, act->note_bytes);
    decision->note_offset = (uint32_t)match->note_bytes;
    decision->note_bytes = (uint32_t)act->note_bytes;
    match->note_bytes = needed;
}

static const char *wrong_turn(const struct match *match, const struct wire_act *act)
{
    return act->turn < (int64_t)match->decision_count ? "an answer to an earlier turn"
                                                      : "an answer to a turn that has not come";
}

static const char *explain(struct match *match, const struct wire_act *act)
{
    const size_t count = list_legal(match);

    illegal_explain(match->illegal, &match->game, act, match->legal, count);
    return match->illegal;
}

const char *match_find_action(struct match *match, const struct wire_act *act,
                              struct action *action, enum wire_reason *reason)
{
    struct game copy = match->game;

    if (act->turn != (int64_t)match->decision_count) {
        *reason = WIRE_BAD;
        return wrong_turn(match, act);
    }
    if (!find_action(match, act, action) || !game_apply(&copy, *action)) {
        *reason = WIRE_ILLEGAL;
        return explain(match, act);
    }
    return NULL;
}

const char *match_answer(struct match *match, int seat, const struct wire_act *act,
                         const struct match_times *times, enum wire_reason *reason)
{
    struct match_seat *asked = &match->seats[seat];
    struct match_decision decision = {
        .us = times->us, .cpu_us = times->cpu_us, .delay_us = times->delay_us};
    struct action action;

    assert(match->phase == MATCH_PLAYING && game_turn(&match->game) == seat);
    if (act->turn != (int64_t)match->decision_count) {
        *reason = WIRE_BAD;
        return wrong_turn(match, act);
    }
    if (!find_action(match, act, &action) || !play(match, seat, action, &decision)) {
        *reason = WIRE_ILLEGAL;
        return explain(match, act);
    }
    keep_note(match, act, &match->decisions[match->decision_count - 1]);
    asked->us += times->us;
    asked->bank_us = clock_spend(&match->terms.clock, asked->bank_us, times->us);
    return NULL;
}

/*
 * Returns how a seat ranks, greater is better: those that are not out by score, above all others;
 * those that are out by how late that happened.
 */
static int64_t standing(const struct match *match, int seat)
{
    const struct match_seat *asked = &match->seats[seat];

    if (asked->reason != WIRE_PLAYED)
        return asked->out_turn - GAME_DECISIONS_MAX - 1;
    return game_score(&match->game, seat);
}

void match_result(const struct match *match, struct wire_end *end)
{
    end->player_count = match->terms.player_count;
    for (int seat = 0; seat < end->player_count; seat++) {
        end->scores[seat] = game_score(&match->game, seat);
        end->reasons[seat] = match->seats[seat].reason;
        end->ranks[seat] = 1;
        for (int other = 0; other < end->player_count; other++)
            end->ranks[seat] += standing(match, other) > standing(match, seat);
    }
    game_view(&match->game, &end->state);
}
