/* SPDX-License-Identifier: MIT */
/*
 * From top to bottom: a seat's clock; explanations of illegal answers, for the bot's author; the
 * referee.
 */
#include "arena/play/match.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"
#include "engine/board.h"
#include "engine/draw.h"
#include "engine/notation.h"

/* ---- the clock ---- */

/*
 * Parses a number of milliseconds, which ends at a comma or at the end of the text. Returns -1 if
 * the text is invalid.
 */
static int64_t parse_ms(const char **text)
{
    int64_t ms = 0;
    const char *digit = *text;

    for (; *digit >= '0' && *digit <= '9'; digit++) {
        ms = ms * 10 + (*digit - '0');
        if (ms > CLOCK_MS_MAX)
            return -1;
    }
    if (digit == *text || (*digit && *digit != ','))
        return -1;
    *text = digit;
    return ms;
}

/* Returns the part of the clock that has this name, or NULL if no part has it. */
static int64_t *find_part(struct wire_clock *clock, const char *name, size_t size)
{
    struct {
        const char *name;
        int64_t *ms;
    } parts[] = {{"turn", &clock->turn_ms},
                 {"bank", &clock->bank_ms},
                 {"gain", &clock->gain_ms},
                 {"start", &clock->start_ms}};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strlen(parts[i].name) == size && memcmp(parts[i].name, name, size) == 0)
            return parts[i].ms;
    return NULL;
}

const char *clock_parse(const char *text, struct wire_clock *clock)
{
    struct wire_clock read = *clock;
    bool more = true;

    while (more) {
        size_t size = strcspn(text, "=,");
        int64_t *part = find_part(&read, text, size);

        if (!part || text[size] != '=')
            return "write a clock as turn=MS,bank=MS,gain=MS,start=MS";
        text += size + 1;
        *part = parse_ms(&text);
        if (*part < 0)
            return "each part of a clock is a whole number of milliseconds, at most 86400000";
        more = *text == ',';
        text += more;
    }
    if (read.turn_ms == 0 && read.bank_ms == 0)
        return "turn and bank are both 0, so that no bot could answer in time: give one of them "
               "time";
    if (read.start_ms == 0)
        return "start is 0, so that no bot could be ready in time: give start at least 1 ms";
    *clock = read;
    return NULL;
}

int64_t clock_spend(const struct wire_clock *clock, int64_t bank_us, int64_t used_us)
{
    int64_t beyond_us = used_us - clock->turn_ms * 1000;

    if (beyond_us > 0)
        bank_us = beyond_us < bank_us ? bank_us - beyond_us : 0;
    return bank_us + clock->gain_ms * 1000;
}

/* ---- why an answer is illegal ---- */

/* A line that is written piece by piece; text beyond the line's room is cut off. */
struct line {
    char *text;
    size_t used;
};

static void say(struct line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct line *line, const char *format, ...)
{
    va_list arguments;
    int length;

    if (line->used >= ILLEGAL_BYTES - 1)
        return;
    va_start(arguments, format);
    length = vsnprintf(line->text + line->used, ILLEGAL_BYTES - line->used, format, arguments);
    va_end(arguments);
    line->used += length > 0 ? (size_t)length : 0;
}

static bool is_color(int color)
{
    return color >= 0 && color < GAME_COLORS;
}

static void explain_draft(struct line *line, const struct position *position,
                          const struct action *action)
{
    const int source = action->number[0], color = action->number[1];
    const int displays = 2 * position->player_count + 1;
    const uint8_t *tiles;

    if (source < GAME_SOURCE_CENTER || source >= displays) {
        say(line, "there is no display %d: displays are 0 to %d, and -1 is the center", source,
            displays - 1);
    } else if (!is_color(color)) {
        say(line, "there is no color %d: colors are 0 to %d", color, GAME_COLORS - 1);
    } else {
        tiles = source == GAME_SOURCE_CENTER ? position->center : position->displays[source];
        if (source == GAME_SOURCE_CENTER)
            say(line, "the center ");
        else
            say(line, "display %d ", source);
        if (tiles[color] == 0)
            say(line, "has no %s tile", notation_color_names[color]);
        else /* the only rule left that the action can break */
            say(line,
                "also has tiles of other colors: the wild color, %s, may be chosen only where all "
                "tiles are wild",
                notation_color_names[color]);
    }
}

static void explain_place(struct line *line, const struct position *position,
                          const struct action *action)
{
    const int star = action->number[0], place = action->number[1];
    const int color = action->number[2], wilds = action->number[3];
    const struct position_seat *seat = &position->seats[position->player];
    int cost, own;

    if (star < 0 || star >= GAME_STARS || place < 0 || place >= GAME_SPACES) {
        say(line, "there is no star %d with a position %d: stars are 0 to %d, positions 0 to %d",
            star, place, GAME_STARS - 1, GAME_SPACES - 1);
        return;
    }
    if (!is_color(color)) {
        say(line, "there is no color %d: colors are 0 to %d", color, GAME_COLORS - 1);
        return;
    }
    if (seat->stars[star][place] != GAME_EMPTY) {
        say(line, "star %d, position %d is filled", star, place);
        return;
    }
    cost = board_costs[position->board][star][place];
    own = cost - wilds;
    if (own < 1 || wilds < 0)
        say(line,
            "star %d, position %d costs %d tiles, at least one of them %s, but the action pays %d "
            "wild tiles",
            star, place, cost, notation_color_names[color], wilds);
    else if (own > seat->hand[color])
        say(line,
            "the space costs %d tiles; with %d wild tiles it needs %d %s tiles, but the hand has "
            "%d",
            cost, wilds, own, notation_color_names[color], seat->hand[color]);
    else if (wilds > 0 && color == position->wild)
        say(line, "%s is the wild color of this round: give 0 as the number of wild tiles",
            notation_color_names[color]);
    else if (wilds > seat->hand[position->wild])
        say(line, "the action pays %d wild tiles, but the hand has %d %s tiles", wilds,
            seat->hand[position->wild], notation_color_names[position->wild]);
    else
        say(line, "star %d does not accept %s tiles now", star, notation_color_names[color]);
}

/*
 * If an action takes fewer than 0 or more than from[color] tiles of a color, explains this fault
 * and returns true. Sets *total to the number of tiles that the action takes.
 */
static bool explain_tiles(struct line *line, const struct action *action, const uint8_t *from,
                          const char *what, int *total)
{
    *total = 0;
    for (int color = 0; color < GAME_COLORS; color++) {
        const int count = action->number[color];

        if (count < 0 || count > from[color]) {
            say(line, "the action takes %d %s tiles, but the %s has %d", count,
                notation_color_names[color], what, from[color]);
            return true;
        }
        *total += count;
    }
    return false;
}

static void explain_action(struct line *line, const struct position *position,
                           const struct action *action)
{
    int total;

    if (position->phase == PHASE_DRAFT && action->kind == ACTION_DRAFT) {
        explain_draft(line, position, action);
    } else if (position->phase == PHASE_PLACE && action->kind == ACTION_PLACE) {
        explain_place(line, position, action);
    } else if (position->phase == PHASE_PLACE && action->kind == ACTION_PASS) {
        if (!explain_tiles(line, action, position->seats[position->player].hand, "hand", &total))
            say(line, "the action keeps %d tiles, but a player may keep at most %d", total,
                GAME_CORNERS);
    } else if (position->phase == PHASE_BONUS && action->kind == ACTION_BONUS) {
        if (!explain_tiles(line, action, position->supply, "supply", &total))
            say(line, "the action takes %d bonus tiles, but the player is due %d", total,
                position->bonus);
    } else {
        say(line, "a %s is due", notation_phases[position->phase]);
        if (action->kind <= ACTION_PASS)
            say(line, ", not a %s", notation_kinds[action->kind]);
    }
}

static long distance(const struct action *a, const struct action *b)
{
    long sum = a->kind == b->kind ? 0 : 1000000;

    for (int i = 0; i < GAME_ACTION_NUMBERS; i++)
        sum = 3 * sum / 2 + labs((long)a->number[i] - b->number[i]);
    return sum;
}

static void say_nearest(struct line *line, const struct action *action, const struct action *legal,
                        size_t legal_count)
{
    char text[NOTATION_ACTION_BYTES];
    size_t nearest = 0;

    for (size_t i = 1; i < legal_count; i++)
        if (distance(action, &legal[i]) < distance(action, &legal[nearest]))
            nearest = i;
    notation_write_action(legal[nearest], text);
    say(line, "; the nearest legal action is %s", text);
}

void illegal_explain(char words[static ILLEGAL_BYTES], const struct game *game,
                     const struct wire_act *act, const struct action *legal, size_t legal_count)
{
    struct line line = {.text = words};
    char text[NOTATION_ACTION_BYTES];
    struct position position;

    *words = '\0';
    switch (act->kind) {
    case WIRE_ACT_INDEX:
        if (act->index < 0)
            say(&line, "action %" PRId64 " is not one of the %zu legal actions: the first is 0",
                act->index, legal_count);
        else
            say(&line, "action %" PRId64 " is not one of the %zu legal actions: the last is %zu",
                act->index, legal_count, legal_count - 1);
        notation_write_action(legal[act->index < 0 ? 0 : legal_count - 1], text);
        say(&line, ", %s", text);
        return;
    case WIRE_ACT_ACTION:
        notation_write_action(act->action, text);
        say(&line, "%s: ", text);
        game_view(game, &position);
        explain_action(&line, &position, &act->action);
        say_nearest(&line, &act->action, legal, legal_count);
        return;
    case WIRE_ACT_OTHER:
        say(&line, "the answer holds neither an action nor the index (0 to %zu) of an action",
            legal_count - 1);
        return;
    }
}

/* ---- the referee ---- */

void match_init(struct match *match, const struct match_terms *terms)
{
    match->terms = *terms;
    match->phase = MATCH_HELLO;
    match->decision_count = 0;
    match->notes = NULL;
    match->note_bytes = 0;
    match->legal_count = 0;
    game_init(&match->game, terms->player_count, terms->board, terms->seed);
    for (int seat = 0; seat < terms->player_count; seat++)
        match->seats[seat] = (struct match_seat){
            .actions = true, .bank_us = terms->clock.bank_ms * 1000, .reason = WIRE_PLAYED};
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
    /* During the hello the match goes on: match_begin decides whether the match is over. */
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

/* Returns the number of legal actions. Makes the list only once per decision. */
static size_t list_legal(struct match *match)
{
    if (match->legal_count == 0)
        match->legal_count = game_legal_actions(&match->game, match->legal);
    return match->legal_count;
}

/*
 * Returns the action that the arena plays in place of a bot that is out (docs/protocol.md,
 * "Stand-ins").
 */
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
        assert(false && "a stand-in played an illegal action");
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
    return match->terms.clock.turn_ms * 1000 + match->seats[seat].bank_us;
}

size_t match_pack_request(struct match *match, int seat, const struct action *played,
                          uint8_t *buffer)
{
    struct match_seat *asked = &match->seats[seat];
    struct wire_turn turn = {
        .turn = (int64_t)match->decision_count,
        .bank_ms = asked->bank_us / 1000,
        .events = match->events + asked->told_count,
        .event_count = match->decision_count - asked->told_count,
    };

    if (played) {
        turn.has_played = true;
        turn.played = *played;
    }
    game_view(&match->game, &turn.state);
    if (asked->actions) {
        turn.action_count = list_legal(match);
        turn.actions = match->legal;
    }
    asked->told_count = match->decision_count;
    return wire_pack_turn(buffer, WIRE_MESSAGE_BYTES_MAX, &turn);
}

/*
 * Finds the legal action that a bot's act message names. Returns false if the message names none.
 */
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

/* Stores a bot's note. Drops the note if memory runs out, because no result depends on a note. */
static void keep_note(struct match *match, const struct wire_act *act,
                      struct match_decision *decision)
{
    if (!act->has_note || act->note_bytes == 0 ||
        ARRAY_GROW(match->notes, match->note_bytes, act->note_bytes) < 0)
        return;
    memcpy(match->notes + match->note_bytes, act->note, act->note_bytes);
    decision->note_offset = (uint32_t)match->note_bytes;
    decision->note_bytes = (uint32_t)act->note_bytes;
    match->note_bytes += act->note_bytes;
}

static const char *wrong_turn(const struct match *match, const struct wire_act *act)
{
    return act->turn < (int64_t)match->decision_count
               ? "the answer is for an earlier turn"
               : "the answer is for a later turn, for which the arena has not asked yet";
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
 * Returns a number by which seats rank; greater is better. Seats that are not out rank above all
 * others, by score. Seats that are out rank by the decision at which they went out.
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
