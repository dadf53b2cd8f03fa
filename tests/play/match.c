/* SPDX-License-Identifier: MIT */
/* The referee without processes: bots are lines of a script, times are numbers. */
#include "arena/play/match.h"

#include <criterion/criterion.h>
#include <string.h>

#include "engine/draw.h"

enum {
    STAYS = GAME_DECISIONS_MAX, /* out at no decision */
    BY_SCORE = 0,               /* a rank that the score decides */
    HELLO = -1,
    ANSWER_US = 1500,
};

static const struct match_terms *terms_of(int player_count, enum board_side board)
{
    static struct match_terms terms;

    terms = (struct match_terms){.id = "000000-0",
                                 .seed = {7, 1, 2, 3},
                                 .player_count = player_count,
                                 .board = board,
                                 .clock = {100, 500, 0, 5000},
                                 .names = {"a", "b", "c", "d"}};
    return &terms;
}

/* ---- whole matches ---- */

/* What the script observed in one match. */
struct played {
    struct match match;
    struct wire_end end;
    size_t told_count[GAME_PLAYERS_MAX]; /* events, by the requests */
    int request_count[GAME_PLAYERS_MAX];
};

/* Reads the request of the seat to act, as its bot would, and compares it with the match. */
static void check_request(struct played *played, int seat)
{
    static struct action legal[GAME_ACTIONS_MAX], actions[GAME_ACTIONS_MAX];
    static struct wire_event events[WIRE_EVENTS_MAX];
    static uint8_t bytes[WIRE_MESSAGE_BYTES_MAX];
    struct match *match = &played->match;
    struct position state;
    struct wire_turn turn;
    size_t size = match_pack_request(match, seat, NULL, bytes);
    const char *fault = wire_unpack_turn(bytes, size, &turn, actions, events);

    cr_assert_null(fault, "%s", fault);
    cr_assert_eq(turn.turn, (int64_t)match->decision_count);
    game_view(&match->game, &state);
    cr_assert_arr_eq(&turn.state, &state, sizeof state);
    cr_assert_eq(turn.bank_ms, match->seats[seat].bank_us / 1000);
    /* Even seats want the actions, odd ones do not. */
    cr_assert_eq(turn.actions != NULL, seat % 2 == 0);
    if (turn.actions) {
        cr_assert_eq(turn.action_count, game_legal_actions(&match->game, legal));
        cr_assert_arr_eq(turn.actions, legal, turn.action_count * sizeof *legal);
    }
    cr_assert_eq(played->told_count[seat] + turn.event_count, match->decision_count);
    for (size_t i = 0; i < turn.event_count; i++) {
        const struct wire_event *event = &match->events[played->told_count[seat] + i];

        cr_assert_eq(turn.events[i].seat, event->seat);
        cr_assert_eq(action_compare(turn.events[i].action, event->action), 0);
    }
    played->told_count[seat] = match->decision_count;
    played->request_count[seat]++;
}

/* Returns the index of a legal action; if a placement is possible, of a placement. */
static size_t choose(const struct match *match)
{
    static struct action legal[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(&match->game, legal);

    if (legal[0].kind == ACTION_PLACE)
        while (legal[count - 1].kind == ACTION_PASS)
            count--;
    return match->decision_count * 7 % count;
}

/* Answers with an index or with an action written out. */
static void answer(struct played *played, int seat)
{
    static struct action legal[GAME_ACTIONS_MAX];
    struct match *match = &played->match;
    size_t choice = choose(match);
    struct wire_act act = {.turn = (int64_t)match->decision_count, .index = (int64_t)choice};
    struct match_times times = {.us = ANSWER_US};
    enum wire_reason reason;

    if (match->decision_count % 3 == 0) {
        game_legal_actions(&match->game, legal);
        act.kind = WIRE_ACT_ACTION;
        act.action = legal[choice];
    }
    cr_assert_null(match_answer(match, seat, &act, &times, &reason));
}

/* Plays to the end; each seat is out at its first decision from out_turns[seat] on. */
static void play(struct played *played, const struct match_terms *terms,
                 const int out_turns[static GAME_PLAYERS_MAX])
{
    struct match *match = &played->match;
    int seat;

    memset(played, 0, sizeof *played);
    match_init(match, terms);
    for (seat = 0; seat < terms->player_count; seat++)
        if (out_turns[seat] == HELLO)
            match_out(match, seat, WIRE_START);
        else
            match_ready(match, seat, seat % 2 == 0);
    match_begin(match);
    while ((seat = match_next(match)) != GAME_NOBODY) {
        check_request(played, seat);
        if ((int)match->decision_count >= out_turns[seat])
            match_out(match, seat, WIRE_TIMEOUT);
        else
            answer(played, seat);
    }
    cr_assert_eq(match->phase, MATCH_OVER);
    match_result(match, &played->end);
}

/* Plays the recorded decisions again and compares every stand-in with the rule in the protocol. */
static void check_stand_ins(const struct match *match)
{
    static struct action legal[GAME_ACTIONS_MAX];
    struct game game;

    game_init(&game, match->terms.player_count, match->terms.board, match->terms.seed);
    for (size_t i = 0; i < match->decision_count; i++) {
        struct action action = match->events[i].action;
        int seat = game_turn(&game);
        const struct match_seat *asked = &match->seats[seat];
        bool out = asked->reason != WIRE_PLAYED && (int64_t)i >= asked->out_turn;

        cr_assert_eq(match->events[i].seat, seat);
        cr_assert_eq(match->decisions[i].by_arena, out, "decision %zu", i);
        cr_assert_eq(match->decisions[i].us, out ? 0 : ANSWER_US);
        if (out && game_phase(&game) == PHASE_PLACE) {
            cr_assert_eq(action.kind, ACTION_PASS);
            for (int color = 0; color < GAME_COLORS; color++)
                cr_assert_eq(action.number[color], 0, "decision %zu keeps tiles", i);
        } else if (out) {
            uint64_t number = draw_number(match->terms.seed, 7, (uint32_t)i);
            size_t count = game_legal_actions(&game, legal);

            cr_assert_eq(action_compare(action, legal[((number >> 32) * count) >> 32]), 0);
        }
        cr_assert(game_apply(&game, action));
        cr_assert_eq(game_hash(&game), match->decisions[i].hash);
    }
    cr_assert_eq(game_hash(&game), game_hash(&match->game));
}

/* A row a case. */
/* clang-format off */
static const struct {
    const char *rule;
    int player_count;
    int out_turns[GAME_PLAYERS_MAX];
    int ranks[GAME_PLAYERS_MAX];
    int decision_count; /* STAYS: played to the end of the game */
} rows[] = {
    {"two, nobody out", 2, {STAYS, STAYS}, {0, 0}, STAYS},
    {"three, nobody out", 3, {STAYS, STAYS, STAYS}, {0, 0, 0}, STAYS},
    {"four, nobody out", 4, {STAYS, STAYS, STAYS, STAYS}, {0, 0, 0, 0}, STAYS},
    {"two: one out in the hello", 2, {STAYS, HELLO}, {1, 2}, 0},
    {"two: one out at the first decision", 2, {0, STAYS}, {2, 1}, 0},
    {"two: one out later", 2, {STAYS, 9}, {1, 2}, 9},
    {"two: both out in the hello", 2, {HELLO, HELLO}, {1, 1}, 0},
    {"three: one out, two play on", 3, {3, STAYS, STAYS}, {3, 0, 0}, STAYS},
    {"three: one out in the hello, two play on", 3, {STAYS, HELLO, STAYS}, {0, 3, 0}, STAYS},
    {"three: two out, the later is better", 3, {6, STAYS, 5}, {2, 1, 3}, 6},
    {"three: the other way about", 3, {3, STAYS, 8}, {3, 1, 2}, 8},
    {"three: two out in the hello share", 3, {HELLO, STAYS, HELLO}, {2, 1, 2}, 0},
    {"three: all out in the hello", 3, {HELLO, HELLO, HELLO}, {1, 1, 1}, 0},
    {"four: one out in the hello", 4, {HELLO, STAYS, STAYS, STAYS}, {4, 0, 0, 0}, STAYS},
    {"four: two share behind two", 4, {HELLO, STAYS, HELLO, STAYS}, {3, 0, 3, 0}, STAYS},
    {"four: three share behind one", 4, {HELLO, HELLO, HELLO, STAYS}, {2, 2, 2, 1}, 0},
    {"four: out one by one", 4, {4, 5, 6, STAYS}, {4, 3, 2, 1}, 6},
    {"four: hello, then one, two stay", 4, {STAYS, 13, HELLO, STAYS}, {0, 3, 4, 0}, STAYS},
    {"four: all out in the hello", 4, {HELLO, HELLO, HELLO, HELLO}, {1, 1, 1, 1}, 0},
    {"four: the last three at their first", 4, {STAYS, 0, 0, 0}, {1, 4, 3, 2}, 3},
};
/* clang-format on */

Test(match, who_is_out_and_who_plays_on)
{
    static struct played played;

    for (enum board_side board = BOARD_COLORED; board <= BOARD_GRAY; board++)
        for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
            const char *rule = rows[row].rule;
            bool over;

            play(&played, terms_of(rows[row].player_count, board), rows[row].out_turns);
            over = game_is_over(&played.match.game);
            cr_expect_eq(over, rows[row].decision_count == STAYS, "%s", rule);
            if (!over)
                cr_expect_eq((int)played.match.decision_count, rows[row].decision_count,
                             "%s: %zu decisions", rule, played.match.decision_count);
            for (int seat = 0; seat < rows[row].player_count; seat++) {
                int rank = rows[row].ranks[seat];
                bool out = rows[row].out_turns[seat] != STAYS;

                cr_expect_eq(played.end.reasons[seat] == WIRE_PLAYED, !out, "%s", rule);
                cr_expect_eq(played.end.scores[seat], game_score(&played.match.game, seat));
                if (rank != BY_SCORE)
                    cr_expect_eq(played.end.ranks[seat], rank, "%s: seat %d: rank %d", rule, seat,
                                 played.end.ranks[seat]);
                else
                    cr_expect_leq(played.end.ranks[seat], match_in_count(&played.match), "%s",
                                  rule);
            }
            check_stand_ins(&played.match);
            match_finish(&played.match);
        }
}

Test(match, a_stand_in_chooses_bonus_tiles)
{
    static struct played played;
    static struct action legal[GAME_ACTIONS_MAX];
    const int out_turns[GAME_PLAYERS_MAX] = {STAYS, STAYS, STAYS, STAYS};
    struct match *match = &played.match;
    int seat;

    /* Finds a choice of bonus tiles, then plays the same match up to there. */
    play(&played, terms_of(3, BOARD_COLORED), out_turns);
    match_finish(match);
    match_init(match, terms_of(3, BOARD_COLORED));
    match_begin(match);
    memset(played.told_count, 0, sizeof played.told_count);
    while ((seat = match_next(match)) != GAME_NOBODY && game_phase(&match->game) != PHASE_BONUS)
        answer(&played, seat);
    cr_assert_neq(seat, GAME_NOBODY, "this match has no bonus tiles: choose another seed");
    cr_assert_gt(game_legal_actions(&match->game, legal), 1);
    match_out(match, seat, WIRE_CRASH);
    cr_expect_eq(match->seats[seat].out_turn, (int64_t)match->decision_count);
    match_step(match);
    cr_expect_eq(match->events[match->decision_count - 1].action.kind, ACTION_BONUS);
    check_stand_ins(match);
    match_finish(match);
}

/* ---- the hello ---- */

Test(match, hello_tells_the_terms_and_no_draws)
{
    static struct match match;
    static uint8_t bytes[WIRE_MESSAGE_BYTES_MAX];
    const struct match_terms *terms = terms_of(4, BOARD_GRAY);

    match_init(&match, terms);
    for (int seat = 0; seat < 4; seat++) {
        struct wire_hello hello;
        const char *fault = wire_unpack_hello(bytes, match_pack_hello(&match, seat, bytes), &hello);

        cr_assert_null(fault, "%s", fault);
        cr_expect_str_eq(hello.match, "000000-0");
        cr_expect_eq(hello.seat, seat);
        cr_expect_eq(hello.player_count, 4);
        cr_expect_eq(hello.board, BOARD_GRAY);
        cr_expect_str_eq(hello.names[3], "d");
        cr_expect_eq(hello.clock.bank_ms, 500);
        cr_expect_eq(hello.seed, draw_number(terms->seed, 9, (uint32_t)seat) >> 11);
    }
    match_finish(&match);
}

/* ---- answers ---- */

/* One row per case; the match is at decision 4, which has count legal actions. */
/* clang-format off */
static const struct {
    const char *rule;
    struct wire_act act;
    int beyond;              /* with an index: from the count of legal actions */
    enum wire_reason reason; /* WIRE_PLAYED: taken */
} answers[] = {
    {"the first index", {.turn = 4, .index = 0}, 0, WIRE_PLAYED},
    {"the last index", {.turn = 4, .index = -1}, 1, WIRE_PLAYED},
    {"one index too many", {.turn = 4, .index = 0}, 1, WIRE_ILLEGAL},
    {"a negative index", {.turn = 4, .index = -1}, 0, WIRE_ILLEGAL},
    {"the least index", {.turn = 4, .index = INT64_MIN}, 0, WIRE_ILLEGAL},
    {"the greatest index", {.turn = 4, .index = INT64_MAX}, 0, WIRE_ILLEGAL},
    {"no action at all", {.turn = 4, .kind = WIRE_ACT_OTHER}, 0, WIRE_ILLEGAL},
    {"a draft of nothing", {.turn = 4, .kind = WIRE_ACT_ACTION, .action = {ACTION_DRAFT, {100, 1}}}, 0, WIRE_ILLEGAL},
    {"a draft of no color", {.turn = 4, .kind = WIRE_ACT_ACTION, .action = {ACTION_DRAFT, {0, -1}}}, 0, WIRE_ILLEGAL},
    {"a pass in the draft", {.turn = 4, .kind = WIRE_ACT_ACTION, .action = {ACTION_PASS, {0}}}, 0, WIRE_ILLEGAL},
    {"a placement in the draft", {.turn = 4, .kind = WIRE_ACT_ACTION, .action = {ACTION_PLACE, {0, 0, 2, 0}}}, 0, WIRE_ILLEGAL},
    {"bonus tiles that nobody owes", {.turn = 4, .kind = WIRE_ACT_ACTION, .action = {ACTION_BONUS, {1}}}, 0, WIRE_ILLEGAL},
    {"an earlier turn", {.turn = 3}, 0, WIRE_BAD},
    {"the first turn again", {.turn = 0}, 0, WIRE_BAD},
    {"a turn to come", {.turn = 5}, 0, WIRE_BAD},
    {"a negative turn", {.turn = -1}, 0, WIRE_BAD},
    {"a wrong turn comes before an illegal action", {.turn = 5, .kind = WIRE_ACT_OTHER}, 0, WIRE_BAD},
};
/* clang-format on */

static void begin_at_decision_4(struct match *match)
{
    static struct played played;

    memset(&played, 0, sizeof played);
    match_init(&played.match, terms_of(2, BOARD_COLORED));
    match_begin(&played.match);
    for (int i = 0; i < 4; i++)
        answer(&played, match_next(&played.match));
    *match = played.match;
}

Test(match, answers)
{
    static struct match match, before;
    static struct action legal[GAME_ACTIONS_MAX];
    const struct match_times times = {.us = 150001, .cpu_us = 5, .delay_us = 6};

    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        const char *rule = answers[i].rule;
        struct wire_act act = answers[i].act;
        enum wire_reason reason = WIRE_PLAYED, found = WIRE_PLAYED;
        struct action action;
        const char *fault;
        int seat;

        begin_at_decision_4(&match);
        seat = match_next(&match);
        act.index += answers[i].beyond * (int64_t)game_legal_actions(&match.game, legal);
        before = match;
        fault = match_find_action(&match, &act, &action, &found);
        cr_expect_eq(fault != NULL, answers[i].reason != WIRE_PLAYED, "%s", rule);
        cr_expect_eq(found, answers[i].reason, "%s: %s", rule, wire_reason_name(found));
        fault = match_answer(&match, seat, &act, &times, &reason);
        cr_expect_eq(fault != NULL, answers[i].reason != WIRE_PLAYED, "%s", rule);
        cr_expect_eq(reason, answers[i].reason, "%s: %s", rule, wire_reason_name(reason));
        if (fault) {
            cr_expect_eq(match.decision_count, 4, "%s", rule);
            cr_expect_eq(game_hash(&match.game), game_hash(&before.game), "%s", rule);
            cr_expect_eq(match.seats[seat].bank_us, before.seats[seat].bank_us, "%s", rule);
            cr_expect_eq(match.seats[seat].us, before.seats[seat].us, "%s", rule);
        } else {
            cr_expect_eq(match.decision_count, 5, "%s", rule);
            cr_expect_eq(match.seats[seat].bank_us, 449999, "%s", rule);
            cr_expect_eq(match.seats[seat].us, before.seats[seat].us + 150001, "%s", rule);
            cr_expect_eq(match.decisions[4].cpu_us, 5);
            cr_expect_eq(match.decisions[4].delay_us, 6);
        }
        match_finish(&match);
    }
}

Test(match, notes_are_kept_byte_for_byte)
{
    static struct match match;
    const struct match_times times = {0};
    static const char note[] = "first\0second";
    enum wire_reason reason;

    match_init(&match, terms_of(2, BOARD_COLORED));
    match_begin(&match);
    for (int64_t turn = 0; turn < 40; turn++) {
        struct wire_act act = {.turn = turn, .has_note = turn % 3 > 0};
        int seat = match_next(&match);

        act.note_bytes = turn % 3 == 1 ? 0 : sizeof note - 1;
        memcpy(act.note, note, sizeof note);
        *act.note = (char)('0' + turn);
        cr_assert_null(match_answer(&match, seat, &act, &times, &reason));
    }
    for (size_t i = 0; i < 40; i++) {
        const struct match_decision *decision = &match.decisions[i];

        cr_assert_eq(decision->note_bytes, i % 3 == 2 ? sizeof note - 1 : 0, "decision %zu", i);
        if (decision->note_bytes == 0)
            continue;
        cr_expect_eq(match.notes[decision->note_offset], (char)('0' + i));
        cr_expect_arr_eq(match.notes + decision->note_offset + 1, note + 1, sizeof note - 2);
    }
    match_finish(&match);
}

/* ---- ranks ---- */

/* A row a case. */
/* clang-format off */
static const struct {
    const char *rule;
    int player_count;
    int scores[GAME_PLAYERS_MAX];
    int out_turns[GAME_PLAYERS_MAX];
    int ranks[GAME_PLAYERS_MAX];
} standings[] = {
    {"by score", 2, {50, 60}, {STAYS, STAYS}, {2, 1}},
    {"a shared victory", 2, {60, 60}, {STAYS, STAYS}, {1, 1}},
    {"two share the first rank", 3, {60, 60, 50}, {STAYS, STAYS, STAYS}, {1, 1, 3}},
    {"two share the second", 3, {50, 60, 50}, {STAYS, STAYS, STAYS}, {2, 1, 2}},
    {"four in two pairs", 4, {5, 6, 6, 5}, {STAYS, STAYS, STAYS, STAYS}, {3, 1, 1, 3}},
    {"all alike", 4, {7, 7, 7, 7}, {STAYS, STAYS, STAYS, STAYS}, {1, 1, 1, 1}},
    {"who is out is behind any score", 3, {1, 200, 1}, {STAYS, 80, STAYS}, {1, 3, 1}},
    {"out: later is better, whatever the score", 4, {1, 50, 5, 9}, {STAYS, 10, 20, 15}, {1, 4, 2, 3}},
    {"out at one decision: they share", 4, {1, 50, 5, 9}, {STAYS, 20, 10, 20}, {1, 2, 4, 2}},
    {"out before the first is behind out at the first", 3, {5, 5, 5}, {HELLO, 0, STAYS}, {3, 2, 1}},
    {"out before the first: they share", 4, {9, 8, 5, 5}, {HELLO, HELLO, STAYS, STAYS}, {3, 3, 1, 1}},
};
/* clang-format on */

Test(match, ranks)
{
    static struct match match;

    for (size_t i = 0; i < sizeof standings / sizeof *standings; i++) {
        struct wire_end end;

        match_init(&match, terms_of(standings[i].player_count, BOARD_COLORED));
        for (int seat = 0; seat < standings[i].player_count; seat++) {
            match.game.seats[seat].score = standings[i].scores[seat];
            if (standings[i].out_turns[seat] == STAYS)
                continue;
            match.seats[seat].reason = WIRE_EXIT;
            match.seats[seat].out_turn = standings[i].out_turns[seat];
        }
        match.phase = MATCH_OVER;
        match_result(&match, &end);
        for (int seat = 0; seat < standings[i].player_count; seat++) {
            cr_expect_eq(end.ranks[seat], standings[i].ranks[seat], "%s: seat %d: rank %d",
                         standings[i].rule, seat, end.ranks[seat]);
            cr_expect_eq(end.scores[seat], standings[i].scores[seat]);
        }
        match_finish(&match);
    }
}
