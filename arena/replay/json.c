/* SPDX-License-Identifier: MIT */
#include "arena/replay/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/replay/forfeit_text.h"
#include "arena/base/plain_text.h"
#include "engine/notation.h"
#include "sandbox/sandbox.h"
#include "arena/base/json.h"

enum {
    DECODED_CHARS = 4096, /* maximum number of characters of a message as text */
};

static json_t *counts_json(const uint8_t counts[static GAME_COLORS])
{
    json_t *array = json_array();

    for (int color = 0; color < GAME_COLORS; color++)
        json_array_append_new(array, json_integer(counts[color]));
    return array;
}

static json_t *stars_json(const struct position_seat *seat)
{
    json_t *stars = json_array();

    for (int star = 0; star < GAME_STARS; star++) {
        json_t *spaces = json_array();

        for (int space = 0; space < GAME_SPACES; space++)
            json_array_append_new(spaces, json_integer(seat->stars[star][space]));
        json_array_append_new(stars, spaces);
    }
    return stars;
}

static json_t *seat_json(const struct position_seat *seat)
{
    return json_pack("{s:i, s:o, s:o, s:b, s:o}", "score", (int)seat->score, "hand",
                     counts_json(seat->hand), "corners", counts_json(seat->corners), "passed",
                     (int)seat->passed, "stars", stars_json(seat));
}

static json_t *state_json(const struct position *state)
{
    json_t *displays = json_array();
    json_t *players = json_array();

    for (int display = 0; display < 2 * state->player_count + 1; display++)
        json_array_append_new(displays, counts_json(state->displays[display]));
    for (int seat = 0; seat < state->player_count; seat++)
        json_array_append_new(players, seat_json(&state->seats[seat]));
    return json_pack("{s:s, s:i, s:s, s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "board", notation_boards[state->board], "round", state->round, "phase",
                     notation_phases[state->phase], "player", state->player, "wild", state->wild,
                     "start", state->start, "token", state->token, "bonus", state->bonus,
                     "displays", displays, "center", counts_json(state->center), "supply",
                     counts_json(state->supply), "bag", counts_json(state->bag), "tower",
                     counts_json(state->tower), "players", players);
}

json_t *replay_json_action(struct action action)
{
    const char *kind = action.kind <= ACTION_PASS ? notation_kinds[action.kind] : NULL;
    const int8_t *number = action.number;

    switch ((enum action_kind)action.kind) {
    case ACTION_DRAFT:
        return json_pack("[s, i, i]", kind, number[0], number[1]);
    case ACTION_PLACE:
        return json_pack("[s, i, i, i, i]", kind, number[0], number[1], number[2], number[3]);
    case ACTION_BONUS:
    case ACTION_PASS:
        return json_pack("[s, o]", kind, counts_json((const uint8_t *)number));
    }
    return json_null();
}

json_t *replay_json_clock(const struct wire_clock *clock)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "turn_ms", (json_int_t)clock->turn_ms, "bank_ms",
                     (json_int_t)clock->bank_ms, "gain_ms", (json_int_t)clock->gain_ms, "start_ms",
                     (json_int_t)clock->start_ms);
}

/* Returns the names of the sandbox layers whose bits are set. */
static json_t *layers_json(uint32_t layers)
{
    json_t *array = json_array();

    for (uint32_t layer = 1; layer; layer <<= 1)
        if ((layers & layer) && sandbox_layer_name(layer))
            json_array_append_new(array, json_string(sandbox_layer_name(layer)));
    return array;
}

json_t *replay_json_reasons(const struct wire_end *result)
{
    json_t *array = json_array();

    for (int seat = 0; seat < result->player_count; seat++)
        json_array_append_new(array, json_string(wire_reason_name(result->reasons[seat])));
    return array;
}

/* Returns an integer, or null for FORFEIT_NOT_KNOWN. */
static json_t *known_json(int64_t number)
{
    return number == FORFEIT_NOT_KNOWN ? json_null() : json_integer(number);
}

/* Returns a message as text: as JSON if the message is complete, else byte by byte. */
static json_t *decoded_json(const uint8_t *bytes, size_t size, const struct forfeit_whole *whole)
{
    struct json_words words;

    json_words_begin(&words);
    if (forfeit_left_out(whole, size))
        plain_text_print(words.stream, bytes, size, DECODED_CHARS);
    else
        forfeit_text_print_message(words.stream, bytes, size, DECODED_CHARS);
    return json_words_end(&words);
}

/*
 * Adds the size and hash of the whole text, and the number of bytes missing after its first part.
 */
static void add_whole(json_t *json, const char *name, size_t kept_bytes,
                      const struct forfeit_whole *whole)
{
    char key[32];

    snprintf(key, sizeof key, "%s_bytes", name);
    json_object_set_new(json, key, json_integer((json_int_t)whole->bytes));
    snprintf(key, sizeof key, "%s_sha256", name);
    json_object_set_new(json, key, json_hex(whole->sha256, sizeof whole->sha256));
    snprintf(key, sizeof key, "%s_left_out", name);
    json_object_set_new(json, key, json_integer((json_int_t)forfeit_left_out(whole, kept_bytes)));
}

json_t *replay_json_forfeit(const struct forfeit *forfeit, const char *command)
{
    json_t *json;

    if (!forfeit)
        return json_null();
    json =
        json_pack("{s:s, s:s, s:o, s:o, s:I, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                  "reason", wire_reason_name(forfeit->reason), "words", forfeit->words, "turn",
                  known_json(forfeit->turn), "limit_us", known_json(forfeit->limit_us), "wall_us",
                  (json_int_t)forfeit->wall_us, "cpu_us", known_json(forfeit->cpu_us), "delay_us",
                  (json_int_t)forfeit->delay_us, "status", known_json(forfeit->status), "signal",
                  forfeit->signal ? json_integer(forfeit->signal) : json_null(), "call",
                  *forfeit->call ? json_string(forfeit->call) : json_null(), "request",
                  json_hex(forfeit->request, forfeit->request_bytes), "reply",
                  json_hex(forfeit->reply, forfeit->reply_bytes), "stderr",
                  json_text(forfeit->errors, forfeit->errors_bytes), "command",
                  command ? json_string(command) : json_null());
    if (!json)
        return NULL;
    json_object_set_new(
        json, "request_decoded",
        decoded_json(forfeit->request, forfeit->request_bytes, &forfeit->request_whole));
    json_object_set_new(json, "reply_decoded",
                        decoded_json(forfeit->reply, forfeit->reply_bytes, &forfeit->reply_whole));
    add_whole(json, "request", forfeit->request_bytes, &forfeit->request_whole);
    add_whole(json, "reply", forfeit->reply_bytes, &forfeit->reply_whole);
    add_whole(json, "stderr", forfeit->errors_bytes, &forfeit->errors_whole);
    return json;
}

json_t *replay_json_header(const struct replay *replay)
{
    const struct match_terms *terms = &replay->terms;
    json_t *bots = json_array();
    json_t *layers = json_array();

    for (int seat = 0; seat < terms->player_count; seat++) {
        const struct replay_bot *bot = &replay->bots[seat];

        json_array_append_new(
            bots, json_pack("{s:o, s:o, s:o}", "name", json_text(bot->name, strlen(bot->name)),
                            "version", json_text(bot->version, strlen(bot->version)), "sha256",
                            json_text(bot->sha256, strlen(bot->sha256))));
        json_array_append_new(layers, layers_json(replay->layers[seat]));
    }
    return json_pack("{s:o, s:o, s:s, s:i, s:o, s:o, s:o, s:o}", "match",
                     json_text(terms->id, strlen(terms->id)), "seed",
                     json_hex(terms->seed, sizeof terms->seed), "board",
                     notation_boards[terms->board], "players", terms->player_count, "bots", bots,
                     "clock", replay_json_clock(&terms->clock), "started",
                     json_time(replay->started_s * 1000000), "layers", layers);
}

json_t *replay_json_legal(const struct game *game)
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game, actions);
    json_t *array = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, replay_json_action(actions[i]));
    return array;
}

json_t *replay_json_decision(const struct replay_decision *decision, const struct match *match)
{
    struct position state;
    json_t *line;

    game_view(&match->game, &state);
    line = json_pack("{s:I, s:i, s:o, s:o, s:s, s:I}", "turn", (json_int_t)match->decision_count,
                     "seat", decision->seat, "state", state_json(&state), "action",
                     replay_json_action(decision->action), "by",
                     decision->by_arena ? "arena" : "bot", "us", (json_int_t)decision->us);
    if (decision->note)
        json_object_set_new(line, "note", json_text(decision->note, decision->note_bytes));
    return line;
}

json_t *replay_json_end(const struct replay *replay, const struct match *match)
{
    const struct wire_end *result = &replay->result;
    json_t *forfeits = json_array();
    struct position state;

    game_view(&match->game, &state);
    for (int seat = 0; seat < result->player_count; seat++)
        json_array_append_new(forfeits, replay_json_forfeit(replay->forfeits[seat], NULL));
    return json_pack("{s:b, s:o, s:o, s:o, s:o, s:o}", "end", 1, "scores",
                     json_ints(result->scores, result->player_count), "ranks",
                     json_ints(result->ranks, result->player_count), "reason",
                     replay_json_reasons(result), "state", state_json(&state), "forfeits",
                     forfeits);
}

json_t *replay_json_turn(const struct replay *replay, const struct replay_decision *decision,
                         const struct match *match)
{
    static const char *const parts[] = {"action", "by", "us"};
    const int seat = game_turn(&match->game);
    const struct replay_decision none = {.seat = seat};
    json_t *line = replay_json_decision(decision ? decision : &none, match);
    bool is_out = replay->out_turns[seat] == (int64_t)match->decision_count;

    for (size_t i = 0; i < sizeof parts / sizeof *parts && !decision; i++)
        json_object_set_new(line, parts[i], json_null());
    json_object_set_new(line, "legal", replay_json_legal(&match->game));
    json_object_set_new(line, "forfeit",
                        replay_json_forfeit(is_out ? replay->forfeits[seat] : NULL, NULL));
    return line;
}

struct lines {
    FILE *stream;
    const struct replay *replay;
    bool has_legal;
};

static void write_line(FILE *stream, json_t *line)
{
    json_dumpf(line, stream, JSON_COMPACT | JSON_REAL_PRECISION(12));
    fputc('\n', stream);
    json_decref(line);
}

static void write_step(void *self, struct match *match, const struct replay_decision *decision)
{
    const struct lines *lines = self;
    json_t *line =
        decision ? replay_json_decision(decision, match) : replay_json_end(lines->replay, match);

    /*
     * A match that ended early has no next decision: show what the last bot that went out could
     * have played.
     */
    if (lines->has_legal && !game_is_over(&match->game))
        json_object_set_new(line, "legal", replay_json_legal(&match->game));
    write_line(lines->stream, line);
}

int replay_json_write(FILE *stream, const struct replay *replay, bool has_legal,
                      char error[static REPLAY_ERROR_BYTES])
{
    struct lines lines = {stream, replay, has_legal};

    write_line(stream, replay_json_header(replay));
    return replay_verify(replay, write_step, &lines, error);
}
