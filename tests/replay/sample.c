/* SPDX-License-Identifier: MIT */
#include "tests/replay/sample.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox/sandbox.h"

enum {
    OUT_SEAT = 1,
    OUT_TURN = 10,
};

static struct match match; /* of the last sample: its notes are borrowed */

static const char note[] = "first\0second \xe2\x82\xac";

/* Places where it can: such matches have the most decisions. */
static int64_t choose(const struct action *legal, size_t count, int64_t turn)
{
    for (size_t i = 0; i < count; i++)
        if (legal[i].kind == ACTION_PLACE)
            return (int64_t)i;
    return turn * 5 % (int64_t)count;
}

static void play_long(size_t note_bytes)
{
    enum wire_reason reason;
    int seat;

    match_begin(&match);
    while ((seat = match_next(&match)) != GAME_NOBODY) {
        static struct action legal[GAME_ACTIONS_MAX];
        int64_t turn = (int64_t)match.decision_count;
        const struct match_times times = {.us = 60000 + turn, .cpu_us = turn};
        struct wire_act act = {.turn = turn, .has_note = true, .note_bytes = note_bytes};

        act.index = choose(legal, game_legal_actions(&match.game, legal), turn);
        for (size_t i = 0; i < note_bytes; i++)
            act.note[i] = (char)('a' + (turn + (int64_t)i * 7) % 26);
        cr_assert_null(match_answer(&match, seat, &act, &times, &reason));
    }
}

static const struct match_terms sample_terms = {.id = "000012-2",
                                                .seed = {1, 2, 3, 255},
                                                .player_count = 3,
                                                .board = BOARD_GRAY,
                                                .clock = {100, 500, 10, 3000}};

static void play_match(void)
{
    enum wire_reason reason;
    int seat;

    match_begin(&match);
    while ((seat = match_next(&match)) != GAME_NOBODY) {
        int64_t turn = (int64_t)match.decision_count;
        const struct match_times times = {.us = turn * 1000, .cpu_us = turn, .delay_us = 1};
        static struct action legal[GAME_ACTIONS_MAX];
        struct wire_act act = {.turn = turn, .has_note = turn % 5 == 0};

        if (seat == OUT_SEAT && turn >= OUT_TURN) {
            match_out(&match, seat, WIRE_TIMEOUT);
            continue;
        }
        act.index = turn * 5 % (int64_t)game_legal_actions(&match.game, legal);
        act.note_bytes = sizeof note - 1;
        memcpy(act.note, note, sizeof note);
        cr_assert_null(match_answer(&match, seat, &act, &times, &reason));
    }
}

static struct forfeit *make_forfeit(int64_t turn)
{
    struct forfeit *forfeit = calloc(1, sizeof *forfeit);

    *forfeit = (struct forfeit){.reason = WIRE_TIMEOUT,
                                .words = "no complete answer by the deadline",
                                .turn = turn,
                                .limit_us = 600000,
                                .wall_us = 600012,
                                .cpu_us = FORFEIT_NOT_KNOWN,
                                .delay_us = 12,
                                .status = FORFEIT_NOT_KNOWN,
                                .signal = 9,
                                .call = "ptrace"};
    forfeit->request = forfeit_keep((uint8_t[300]){0}, 300, &forfeit->request_bytes,
                                    &forfeit->request_whole); /* past what one byte counts */
    forfeit->reply = forfeit_keep("\x81", 1, &forfeit->reply_bytes, &forfeit->reply_whole);
    forfeit->errors = forfeit_keep("\xff\n.", 3, &forfeit->errors_bytes, &forfeit->errors_whole);
    return forfeit;
}

/* Fills in what a replay takes over from the match. */
static void take_match(struct replay *replay)
{
    *replay = (struct replay){.terms = match.terms,
                              .bots = {{"greedy", "1", "00ff"}, {"Zo\xc3\xab", "", "11"}, {"c"}},
                              .layers = {1, 0xffffffff, SANDBOX_LAYER_UID},
                              .memory_bytes = 64 << 20,
                              .started_s = 1767225600,
                              .decision_count = match.decision_count};
    match_result(&match, &replay->result);
    replay->decisions = calloc(match.decision_count, sizeof *replay->decisions);
    for (size_t i = 0; i < match.decision_count; i++) {
        const struct match_decision *decision = &match.decisions[i];

        replay->decisions[i] = (struct replay_decision){
            .seat = match.events[i].seat,
            .by_arena = decision->by_arena,
            .action = match.events[i].action,
            .us = decision->us,
            .cpu_us = decision->cpu_us,
            .delay_us = decision->delay_us,
            .hash = decision->hash,
            .note = decision->note_bytes ? match.notes + decision->note_offset : NULL,
            .note_bytes = decision->note_bytes};
    }
    for (int seat = 0; seat < match.terms.player_count; seat++) {
        replay->out_turns[seat] = replay->result.reasons[seat] == WIRE_PLAYED
                                      ? REPLAY_STAYED
                                      : match.seats[seat].out_turn;
        memcpy(replay->terms.names[seat], replay->bots[seat].name, sizeof replay->bots[seat].name);
    }
}

static void renew_match(const struct match_terms *terms)
{
    match_finish(&match);
    memset(&match, 0, sizeof match);
    match_init(&match, terms);
}

void sample_replay(struct replay *replay)
{
    renew_match(&sample_terms);
    play_match();
    take_match(replay);
    replay->forfeits[OUT_SEAT] = make_forfeit(match.seats[OUT_SEAT].out_turn);
}

void sample_long(struct replay *replay, int players, size_t note_bytes)
{
    struct match_terms terms = sample_terms;

    terms.player_count = players;
    renew_match(&terms);
    play_long(note_bytes);
    take_match(replay);
}

size_t sample_packed(const struct replay *replay, uint8_t **bytes)
{
    size_t size = replay_pack(replay, bytes);

    cr_assert_gt(size, 0);
    return size;
}
