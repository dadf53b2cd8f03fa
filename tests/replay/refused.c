/* Replays come from anybody: what no match could have recorded is refused, a rule a row. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/replay/sample.h"

static void reason_past_the_last(struct replay *replay)
{
    replay->result.reasons[1] = (enum wire_reason)WIRE_REASON_COUNT;
}

static void seat_past_the_last(struct replay *replay)
{
    replay->decisions[2].seat = replay->terms.player_count;
}

static void seat_before_the_first(struct replay *replay)
{
    replay->decisions[2].seat = -1;
}

static void rank_of_nobody(struct replay *replay)
{
    replay->result.ranks[0] = 0;
}

static void rank_past_the_last(struct replay *replay)
{
    replay->result.ranks[0] = GAME_PLAYERS_MAX + 1;
}

static void time_that_runs_back(struct replay *replay)
{
    replay->decisions[0].us = -1;
}

static const struct {
    const char *rule;
    void (*spoil_fn)(struct replay *replay);
    const char *words;
} rows[] = {
    {"reasons end before WIRE_REASON_COUNT", reason_past_the_last, "result is broken"},
    {"seats end before the number of players", seat_past_the_last, "decision is broken"},
    {"seats begin at 0", seat_before_the_first, "decision is broken"},
    {"ranks begin at 1", rank_of_nobody, "result is broken"},
    {"ranks end at the number of seats", rank_past_the_last, "result is broken"},
    {"no decision takes less than no time", time_that_runs_back, "decision is broken"},
};

Test(refused, what_no_match_records)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char error[REPLAY_ERROR_BYTES] = "";
        struct replay replay, again;
        uint8_t *bytes;
        size_t size;

        sample_replay(&replay);
        rows[i].spoil_fn(&replay);
        size = sample_packed(&replay, &bytes);
        cr_assert_eq(replay_unpack(&again, bytes, size, error), -1, "%s", rows[i].rule);
        cr_expect(strstr(error, rows[i].words), "%s: %s", rows[i].rule, error);
        free(bytes);
        replay_finish(&replay);
    }
}
