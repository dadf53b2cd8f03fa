/* SPDX-License-Identifier: MIT */
/*
 * What a worker may deliver: the judge takes every honest game as it was played, and refuses a lie
 * in words. Here are the lies that need a judge alone; tests/worker/lies.py tells the others.
 */
#include "arena/season/judge.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEATS = 3,
    OUT_SEAT = 1,
    OUT_TURN = 10, /* or the first turn of that seat from here on */
};

static const int64_t now_us = INT64_C(1767225600000000);
static const int64_t wall_us = 20000000;

static struct roster_member members[SEATS];
static struct season season;
static struct season_game game;
static struct match match; /* the notes of the replay are borrowed from it */

static void make_season(void)
{
    for (int i = 0; i < SEATS; i++) {
        struct store_bot *bot = &members[i].bot;

        snprintf(bot->name, sizeof bot->name, "bot%d", i);
        strcpy(bot->version, "1");
        memset(bot->sha256, "abc"[i], STORE_HASH_DIGITS);
    }
    season = (struct season){.roster = {.members = members, .count = SEATS},
                             .terms = {.clock = {100, 500, 10, 3000},
                                       .play = {.memory_bytes = 64 << 20},
                                       .created_us = now_us - 1000000}};
    game = (struct season_game){.id = "cup-000012-2",
                                .group = 12,
                                .rotation = 2,
                                .player_count = SEATS,
                                .board = BOARD_GRAY,
                                .seed = {1, 2, 3, 255},
                                .entries = {2, 0, 1}};
}

static struct forfeit *make_forfeit(enum wire_reason reason, int64_t turn, int64_t limit_us)
{
    struct wire_act act = {.turn = turn, .kind = WIRE_ACT_INDEX, .index = 100000};
    struct forfeit *forfeit = calloc(1, sizeof *forfeit);
    uint8_t reply[64];
    size_t reply_bytes = reason == WIRE_ILLEGAL ? wire_pack_act(reply, sizeof reply, &act) : 0;

    *forfeit = (struct forfeit){.reason = reason,
                                .words = "as the arena says it",
                                .turn = turn,
                                .limit_us = limit_us,
                                .wall_us = limit_us + 12,
                                .cpu_us = FORFEIT_NOT_KNOWN,
                                .status = FORFEIT_NOT_KNOWN};
    forfeit->request = forfeit_keep("\x80", 1, &forfeit->request_bytes, &forfeit->request_whole);
    forfeit->reply = forfeit_keep(reply, reply_bytes, &forfeit->reply_bytes, &forfeit->reply_whole);
    forfeit->errors = forfeit_keep("", 0, &forfeit->errors_bytes, &forfeit->errors_whole);
    return forfeit;
}

/* Plays a match; OUT_SEAT is out for a reason (WIRE_PLAYED: it stays), all others play on. */
static void play(struct replay *replay, enum wire_reason out)
{
    struct match_terms terms = {.player_count = SEATS, .board = game.board};
    struct forfeit *forfeit = NULL;
    enum wire_reason reason;
    int seat;

    strcpy(terms.id, game.id);
    memcpy(terms.seed, game.seed, sizeof terms.seed);
    terms.clock = season.terms.clock;
    match_finish(&match);
    memset(&match, 0, sizeof match);
    match_init(&match, &terms);
    if (out == WIRE_START) {
        forfeit = make_forfeit(out, -1, 0);
        match_out(&match, OUT_SEAT, out);
    }
    match_begin(&match);
    while ((seat = match_next(&match)) != GAME_NOBODY) {
        int64_t turn = (int64_t)match.decision_count;
        const struct match_times times = {.us = 1000 + turn, .cpu_us = turn, .delay_us = 1};
        static struct action legal[GAME_ACTIONS_MAX];
        struct wire_act act = {.turn = turn};

        if (seat == OUT_SEAT && turn >= OUT_TURN && out != WIRE_PLAYED) {
            forfeit = make_forfeit(out, turn, match_limit_us(&match, seat));
            match_out(&match, seat, out);
            continue;
        }
        act.index = turn * 5 % (int64_t)game_legal_actions(&match.game, legal);
        cr_assert_null(match_answer(&match, seat, &act, &times, &reason));
    }
    *replay = (struct replay){.terms = terms,
                              .layers = {1, 1, 1},
                              .memory_bytes = season.terms.play.memory_bytes,
                              .started_s = now_us / 1000000,
                              .decision_count = match.decision_count,
                              .out_turns = {REPLAY_STAYED, REPLAY_STAYED, REPLAY_STAYED}};
    if (out != WIRE_PLAYED)
        replay->out_turns[OUT_SEAT] = match.seats[OUT_SEAT].out_turn;
    replay->forfeits[OUT_SEAT] = forfeit;
    match_result(&match, &replay->result);
    replay->decisions = calloc(GAME_DECISIONS_MAX, sizeof *replay->decisions);
    for (size_t i = 0; i < match.decision_count; i++)
        replay->decisions[i] = (struct replay_decision){.seat = match.events[i].seat,
                                                        .by_arena = match.decisions[i].by_arena,
                                                        .action = match.events[i].action,
                                                        .us = match.decisions[i].us,
                                                        .cpu_us = match.decisions[i].cpu_us,
                                                        .delay_us = match.decisions[i].delay_us,
                                                        .hash = match.decisions[i].hash};
    for (int i = 0; i < SEATS; i++) {
        const struct store_bot *bot = &members[game.entries[i]].bot;

        strcpy(replay->bots[i].name, bot->name);
        strcpy(replay->bots[i].version, bot->version);
        strcpy(replay->bots[i].sha256, bot->sha256);
    }
}

/* A delivery of an honest game, by a worker with two cores. */
static const struct store_delivery honestly = {
    .wall_us = wall_us, .held_us = wall_us + 5000000, .core_count = 2};

static struct game_result *judge(struct replay *replay, struct store_delivery delivery,
                                 char words[static JUDGE_WORDS_BYTES])
{
    struct game_result *result;

    delivery.replay_bytes = replay_pack(replay, &delivery.replay);
    cr_assert_gt(delivery.replay_bytes, 0);
    result = judge_delivery(&season, &game, &delivery, now_us, words);
    free(delivery.replay);
    return result;
}

/* ---- honest games ---- */

static const enum wire_reason honest[] = {
    WIRE_PLAYED, WIRE_START, WIRE_TIMEOUT,   WIRE_ILLEGAL, WIRE_BAD,
    WIRE_EXIT,   WIRE_CRASH, WIRE_FORBIDDEN, WIRE_MEMORY,  WIRE_CPU,
};

Test(judge, an_honest_game_is_taken_as_it_was_played)
{
    make_season();
    for (size_t row = 0; row < sizeof honest / sizeof *honest; row++) {
        char words[JUDGE_WORDS_BYTES];
        struct game_result *result;
        struct replay replay;

        play(&replay, honest[row]);
        result = judge(&replay, honestly, words);
        cr_assert_not_null(result, "%s: %s", wire_reason_name(honest[row]), words);
        cr_expect_eq(result->game.group, 12);
        cr_expect_eq(result->game.rotation, 2);
        cr_expect_eq(result->game.wall_us, wall_us);
        cr_expect_eq(result->game.started_us, now_us);
        cr_expect_eq((size_t)result->game.decision_count, replay.decision_count);
        cr_expect_eq(result->forfeits != NULL, honest[row] != WIRE_PLAYED);
        for (int seat = 0; seat < SEATS; seat++) {
            cr_expect_eq(result->game.seats[seat].entry, game.entries[seat]);
            cr_expect_eq(result->game.seats[seat].score, replay.result.scores[seat]);
            cr_expect_eq(result->game.seats[seat].rank, replay.result.ranks[seat]);
            cr_expect_eq(result->game.seats[seat].reason, replay.result.reasons[seat]);
        }
        result_destroy(result);
        replay_finish(&replay);
    }
}

/* ---- lies ---- */

struct telling {
    struct replay *replay;
    struct store_delivery delivery;
};

static struct replay_decision *first_of_a_bot(struct replay *replay)
{
    struct replay_decision *decision = replay->decisions;

    while (decision->by_arena)
        decision++;
    return decision;
}

#define LIE(name, ...)                                                                             \
    static void name(struct telling *telling)                                                      \
    {                                                                                              \
        struct replay *replay = telling->replay;                                                   \
        struct forfeit *forfeit = replay->forfeits[OUT_SEAT];                                      \
        (void)forfeit;                                                                             \
        __VA_ARGS__;                                                                               \
    }

LIE(with_another_bank, replay->terms.clock.bank_ms = 0)
LIE(a_delay_that_overflows, first_of_a_bot(replay)->delay_us = INT64_MAX)
LIE(a_slow_move, {
    first_of_a_bot(replay)->us = 100000000;
    telling->delivery.wall_us = telling->delivery.held_us = 200000000;
})
/* Three hours, as a machine tells whose clocks lie. */
LIE(years_of_computing, first_of_a_bot(replay)->cpu_us = INT64_C(10800000000))
LIE(computing_beside_a_forfeit, forfeit->cpu_us = INT64_C(10800000000))
LIE(more_cores_than_there_are, {
    for (size_t i = 0; i < replay->decision_count; i++)
        if (replay->decisions[i].seat == 0 && !replay->decisions[i].by_arena)
            replay->decisions[i].cpu_us = 3 * wall_us / 20; /* of more than 20 decisions */
})
LIE(longer_than_the_game, forfeit->wall_us = wall_us + 2000000)
LIE(waits_longer_than_the_game, first_of_a_bot(replay)->delay_us = wall_us + 2000000)
LIE(a_forfeit_that_waits, forfeit->delay_us = wall_us + 2000000)
LIE(longer_than_the_claim, telling->delivery.held_us = 5000000)
LIE(stayed_after_all, {
    replay->result.reasons[OUT_SEAT] = WIRE_PLAYED;
    replay->out_turns[OUT_SEAT] = REPLAY_STAYED;
    forfeit_destroy(forfeit);
    replay->forfeits[OUT_SEAT] = NULL;
})
LIE(out_earlier, replay->out_turns[OUT_SEAT] = 0)
LIE(out_later, replay->out_turns[OUT_SEAT] = (int64_t)replay->decision_count)
LIE(late_after_a_short_limit, forfeit->limit_us = 1000)
LIE(a_forfeit_of_years, forfeit->wall_us = INT64_MAX)
LIE(a_legal_action, {
    struct wire_act act = {.turn = forfeit->turn, .kind = WIRE_ACT_INDEX, .index = 0};
    uint8_t bytes[64];
    size_t size = wire_pack_act(bytes, sizeof bytes, &act);

    free(forfeit->reply);
    forfeit->reply = forfeit_keep(bytes, size, &forfeit->reply_bytes, &forfeit->reply_whole);
})
LIE(no_action_at_all, {
    free(forfeit->reply);
    forfeit->reply = forfeit_keep("\xc1", 1, &forfeit->reply_bytes, &forfeit->reply_whole);
})

static const struct lie {
    const char *name;
    enum wire_reason out;
    void (*tell_fn)(struct telling *telling);
    const char *words; /* part of the refusal */
} lies[] = {
    {"another bank", WIRE_PLAYED, with_another_bank, "clock differs from the season's clock"},
    {"a delay that overflows", WIRE_PLAYED, a_delay_that_overflows, "negative or longer than 11"},
    {"a move beyond its clock", WIRE_PLAYED, a_slow_move, "but the clock allowed"},
    {"a decision of three hours of computing", WIRE_PLAYED, years_of_computing,
     "of processor time, but the game took 20000000 us on 2 cores"},
    {"a forfeit of three hours of computing", WIRE_CPU, computing_beside_a_forfeit,
     "of processor time, but the game took"},
    {"more computing than the cores can do", WIRE_PLAYED, more_cores_than_there_are,
     "of processor time, but the game took"},
    {"a forfeit longer than its game", WIRE_CRASH, longer_than_the_game,
     "the forfeit of seat 1 took 22000000 us, "},
    {"a forfeit whose answer waited for longer", WIRE_CRASH, a_forfeit_that_waits,
     "of which it waited 22000000 us for the arena, but the whole game took only 20000000 us"},
    {"answers that waited for longer than the game", WIRE_PLAYED, waits_longer_than_the_game,
     "us for the arena, but the whole game took only 20000000 us"},
    {"a game longer than its worker held the group", WIRE_PLAYED, longer_than_the_claim,
     "delivered it 5000000 us after it claimed the group"},
    {"a forfeit kept secret", WIRE_EXIT, stayed_after_all, "decision"},
    {"a forfeit too early", WIRE_EXIT, out_earlier, "decision"},
    {"a forfeit too late", WIRE_EXIT, out_later, "decision"},
    {"late after another limit", WIRE_TIMEOUT, late_after_a_short_limit,
     "a time limit that the season's clock does not set"},
    {"a forfeit of years", WIRE_CRASH, a_forfeit_of_years,
     "has no explanation, or a time that no game can have"},
    {"an illegal answer that is legal", WIRE_ILLEGAL, a_legal_action,
     "the recorded answer has no illegal action"},
    {"an illegal answer that is none", WIRE_ILLEGAL, no_action_at_all,
     "the recorded answer has no illegal action"},
};

Test(judge, lies_are_refused_in_words)
{
    make_season();
    for (size_t row = 0; row < sizeof lies / sizeof *lies; row++) {
        const struct lie *lie = &lies[row];
        char words[JUDGE_WORDS_BYTES] = "";
        struct game_result *result;
        struct replay replay;
        struct telling telling = {.replay = &replay, .delivery = honestly};

        play(&replay, lie->out);
        lie->tell_fn(&telling);
        result = judge(&replay, telling.delivery, words);
        cr_expect_null(result, "%s: is taken", lie->name);
        cr_expect(strstr(words, lie->words), "%s: \"%s\"", lie->name, words);
        result_destroy(result);
        replay_finish(&replay);
    }
}

/* ---- bytes that are not those of a replay ---- */

static void expect_refused(const char *name, uint8_t *bytes, size_t size)
{
    char words[JUDGE_WORDS_BYTES] = "";
    struct store_delivery delivery = honestly;
    struct game_result *result;

    delivery.replay = bytes;
    delivery.replay_bytes = size;
    result = judge_delivery(&season, &game, &delivery, now_us, words);

    cr_expect_null(result, "%s: is taken", name);
    cr_expect_str_not_empty(words, "%s: is refused without a word", name);
    result_destroy(result);
}

Test(judge, bytes_that_are_no_replay_are_refused)
{
    struct replay replay;
    uint8_t *bytes;
    size_t size;

    make_season();
    play(&replay, WIRE_TIMEOUT);
    size = replay_pack(&replay, &bytes);
    bytes = realloc(bytes, size + 1);
    bytes[size] = 0xc0;
    expect_refused("nothing", bytes, 0);
    expect_refused("one byte too many", bytes, size + 1);
    expect_refused("more than 16 MiB", bytes, (size_t)STORE_REPLAY_BYTES_MAX + 1);
    for (size_t cut = 1; cut < size; cut += size / 50)
        expect_refused("a part", bytes, cut);
    for (size_t at = 0; at < size; at += size / 200) {
        bytes[at] ^= 0x10;
        expect_refused("a flipped bit", bytes, size);
        bytes[at] ^= 0x10;
    }
    free(bytes);
    replay_finish(&replay);
}
