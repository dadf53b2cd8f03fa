/* SPDX-License-Identifier: MIT */
/* Verifying: each kind of difference is found, although the checksum is valid. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/draw.h"
#include "tests/replay/sample.h"

enum {
    THE_END = -1, /* found in the result, not at a decision */
    OUT_SEAT = 1,
};

static size_t first_decision(const struct replay *replay, bool by_arena, int kind)
{
    for (size_t i = 0; i < replay->decision_count; i++)
        if (replay->decisions[i].by_arena == by_arena && replay->decisions[i].action.kind == kind)
            return i;
    cr_assert_fail("the sample has no such decision");
    return 0;
}

/* A function that alters the replay and returns the decision at which verifying must detect that.
 */
#define ALTERATION(name, ...)                                                                      \
    static int name(struct replay *replay)                                                         \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }

/* A color that was on no display: no legal action. */
ALTERATION(illegal_action, replay->decisions[2].action = (struct action){ACTION_DRAFT, {100, 0}};
           return 2)
ALTERATION(other_action, {
    static struct action legal[GAME_ACTIONS_MAX];
    struct game game;

    game_init(&game, replay->terms.player_count, replay->terms.board, replay->terms.seed);
    game_legal_actions(&game, legal);
    replay->decisions[0].action =
        legal[action_compare(legal[0], replay->decisions[0].action) == 0 ? 1 : 0];
    return 0;
})
ALTERATION(action_of_a_stand_in, {
    int turn = (int)first_decision(replay, true, ACTION_PASS);

    replay->decisions[turn].action.number[0]++;
    return turn;
})
ALTERATION(hash_of_a_bot, replay->decisions[5].hash ^= 1; return 5)
ALTERATION(hash_of_a_stand_in, {
    int turn = (int)first_decision(replay, true, ACTION_DRAFT);

    replay->decisions[turn].hash ^= UINT64_C(1) << 63;
    return turn;
})
ALTERATION(hash_of_the_last, replay->decisions[replay->decision_count - 1].hash++;
           return (int)replay->decision_count - 1)
ALTERATION(seat, replay->decisions[3].seat = (replay->decisions[3].seat + 1) % 3; return 3)
ALTERATION(bot_as_stand_in, replay->decisions[4].by_arena = true; return 4)
ALTERATION(stand_in_as_bot, {
    int turn = (int)first_decision(replay, true, ACTION_DRAFT);

    replay->decisions[turn].by_arena = false;
    return turn;
})
ALTERATION(last_decision_gone, return (int)--replay->decision_count)
ALTERATION(first_decision_gone, memmove(replay->decisions, replay->decisions + 1,
                                        --replay->decision_count * sizeof *replay->decisions);
           return 0)
ALTERATION(one_decision_more, {
    size_t count = replay->decision_count++;

    replay->decisions = realloc(replay->decisions, (count + 1) * sizeof *replay->decisions);
    replay->decisions[count] = replay->decisions[count - 1];
    return (int)count;
})
ALTERATION(seed, replay->terms.seed[15] ^= 1; return 0)
ALTERATION(board, replay->terms.board = BOARD_COLORED; return 0)
ALTERATION(score, replay->result.scores[2]++; return THE_END)
ALTERATION(score_of_who_is_out, replay->result.scores[OUT_SEAT]--; return THE_END)
ALTERATION(rank, replay->result.ranks[0] = 3 - replay->result.ranks[0]; return THE_END)
ALTERATION(earlier_out, {
    int64_t turn = replay->out_turns[OUT_SEAT];

    while (replay->decisions[--turn].seat != OUT_SEAT)
        continue;
    replay->out_turns[OUT_SEAT] = turn;
    return (int)turn;
})
ALTERATION(later_out, replay->out_turns[OUT_SEAT] += 6; return (int)replay->out_turns[OUT_SEAT] - 6)
ALTERATION(never_out, {
    int turn = (int)replay->out_turns[OUT_SEAT];

    replay->out_turns[OUT_SEAT] = REPLAY_STAYED;
    replay->result.reasons[OUT_SEAT] = WIRE_PLAYED;
    forfeit_destroy(replay->forfeits[OUT_SEAT]);
    replay->forfeits[OUT_SEAT] = NULL;
    return turn;
})
ALTERATION(another_out, replay->out_turns[0] = (int64_t)replay->decision_count - 1;
           replay->result.reasons[0] = WIRE_CRASH; return (int)replay->decision_count - 1)
ALTERATION(out_beyond_the_end, replay->out_turns[0] = GAME_DECISIONS_MAX;
           replay->result.reasons[0] = WIRE_CRASH; return THE_END)

static const struct {
    const char *rule;
    int (*alter_fn)(struct replay *replay);
} rows[] = {
    {"an illegal action", illegal_action},
    {"another legal action", other_action},
    {"a stand-in's action", action_of_a_stand_in},
    {"a hash after a bot's action", hash_of_a_bot},
    {"a hash after a stand-in's action", hash_of_a_stand_in},
    {"the last hash", hash_of_the_last},
    {"a seat", seat},
    {"a bot's action as a stand-in's", bot_as_stand_in},
    {"a stand-in's action as a bot's", stand_in_as_bot},
    {"the last decision is gone", last_decision_gone},
    {"the first decision is gone", first_decision_gone},
    {"one decision too many", one_decision_more},
    {"the seed", seed},
    {"the board", board},
    {"a score", score},
    {"the score of a bot that is out", score_of_who_is_out},
    {"a rank", rank},
    {"out earlier", earlier_out},
    {"out later", later_out},
    {"never out", never_out},
    {"another one out at the end", another_out},
    {"out after the end", out_beyond_the_end},
};

/* Packs the altered replay again, with a valid checksum, then reads and verifies it. */
static int verify(const struct replay *replay, char error[static REPLAY_ERROR_BYTES])
{
    struct replay again;
    uint8_t *bytes;
    size_t size = sample_packed(replay, &bytes);
    int result;

    cr_assert_eq(replay_unpack(&again, bytes, size, error), 0, "%s", error);
    result = replay_verify(&again, NULL, NULL, error);
    replay_finish(&again);
    free(bytes);
    return result;
}

Test(verify, finds_each_kind_of_difference)
{
    char error[REPLAY_ERROR_BYTES];
    struct replay replay;

    sample_replay(&replay);
    cr_expect_eq(verify(&replay, error), 0, "%s", error);
    replay_finish(&replay);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char where[32];
        int turn;

        sample_replay(&replay);
        turn = rows[i].alter_fn(&replay);
        if (turn == THE_END)
            strcpy(where, "result: ");
        else
            snprintf(where, sizeof where, "decision %d: ", turn);
        cr_expect_eq(verify(&replay, error), -1, "%s: was not found", rows[i].rule);
        cr_expect_eq(strncmp(error, where, strlen(where)), 0, "%s: '%s' where '%s' is due",
                     rows[i].rule, error, where);
        replay_finish(&replay);
    }
}

/* What is shown, and in which order. */
struct seen {
    size_t count;
    bool end;
};

static void see(void *self, struct match *match, const struct replay_decision *decision)
{
    struct seen *seen = self;

    cr_assert_not(seen->end);
    if (!decision) {
        seen->end = true;
        return;
    }
    cr_expect_eq(match->decision_count, seen->count);
    cr_expect_eq(game_turn(&match->game), decision->seat);
    seen->count++;
}

Test(verify, shows_each_decision_before_it_is_played)
{
    char error[REPLAY_ERROR_BYTES];
    struct seen seen = {0};
    struct replay replay;

    sample_replay(&replay);
    cr_assert_eq(replay_verify(&replay, see, &seen, error), 0, "%s", error);
    cr_expect_eq(seen.count, replay.decision_count);
    cr_expect(seen.end);
    replay_finish(&replay);
}
