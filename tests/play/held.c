/*
 * A loop that is held while bots think, with real bots: two that think 5 ms play a game beside
 * others whose owner holds the loop for 300 ms before each game. What a bot is charged is compared
 * with the time that it measured itself and wrote in its notes.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/play/thinker.h"
#include "arena/play/runner.h"
#include "arena/play/source.h"

enum {
    HELD_MS = 300,
    HOLDS = 12,
    MARGIN_US = HELD_MS * 1000 / 2, /* beyond what the bot measured */
    BANK_MS = 1500, /* the holds fill more than two of them, what the bots think a seventh of one */
};

/* The result of the thinking bots' game. */
struct held {
    struct thinker thinking, quick;
    bool begun;
    int hold_count;
    int judged_count; /* decisions */
    int held_count;   /* of them, with the arena's own delay of half a hold and more */
    int beyond_count; /* of them, charged MARGIN_US and more beyond what the bot measured */
    enum wire_reason reasons[2];
};

static bool next_game(void *owner, int slot, struct runner_game *game)
{
    struct held *held = owner;
    const struct timespec hold = {.tv_nsec = HELD_MS * 1000000L};

    if (slot == 0 ? held->begun : held->hold_count == HOLDS)
        return false;
    *game = (struct runner_game){.number = (uint64_t)slot};
    game->terms.player_count = 2;
    game->terms.clock = (struct wire_clock){.bank_ms = BANK_MS, .start_ms = 20000};
    snprintf(game->terms.id, sizeof game->terms.id, "held-%d", slot);
    for (int seat = 0; seat < 2; seat++)
        game->sources[seat] = slot == 0 ? &held->thinking.source : &held->quick.source;
    if (slot == 0) {
        held->begun = true;
    } else if (held->hold_count++ > 0) {
        nanosleep(&hold, NULL);
    }
    return true;
}

static void judge(struct held *held, const struct match *match, size_t turn)
{
    const struct match_decision *decision = &match->decisions[turn];
    char note[32];
    int64_t beyond_us;

    snprintf(note, sizeof note, "%.*s", (int)decision->note_bytes,
             match->notes + decision->note_offset);
    beyond_us = decision->us - atoll(note);

    held->judged_count++;
    held->held_count += decision->delay_us >= MARGIN_US;
    held->beyond_count += beyond_us >= MARGIN_US;
}

static void game_done(void *owner, const struct runner_game *game, const struct table *table)
{
    struct held *held = owner;

    if (game->number != 0)
        return;
    for (size_t i = 0; i < table->match.decision_count; i++)
        if (!table->match.decisions[i].by_arena)
            judge(held, &table->match, i);
    memcpy(held->reasons, table->result.reasons, sizeof held->reasons);
}

Test(held, a_bot_is_not_charged_for_a_loop_that_was_held, .timeout = 120)
{
    struct held held = {0};
    struct runner_options options = {
        .job_count = 2, .owner = &held, .next_fn = next_game, .done_fn = game_done};
    struct stage *stage = stage_create(NULL);
    struct sandbox *sandbox;
    struct sandbox_failure failure;
    struct transport transport;
    struct runner *runner;

    thinker_open(&held.thinking, "5000", stage->path, 0);
    thinker_open(&held.quick, "0", stage->path, 1);
    cr_assert_eq(
        sandbox_create(&sandbox, &(struct sandbox_options){.require = SANDBOX_TIER_LITE}, &failure),
        0);
    transport = transport_of_sandbox(sandbox);
    runner = runner_create(&options, &transport);
    cr_assert_eq(runner_play(runner, &failure), 0, "%s: %s", failure.step, strerror(failure.error));
    runner_destroy(runner);

    cr_expect_eq(held.reasons[0], WIRE_PLAYED);
    cr_expect_eq(held.reasons[1], WIRE_PLAYED);
    cr_expect_gt(held.judged_count, 0);
    cr_expect_gt(held.held_count, 0, "no decision was held: this shows nothing");
    /* The machine may be busy for once or twice as long; the holds are many more. */
    cr_expect_leq(held.beyond_count, HOLDS / 4, "%d decisions were charged for the loop",
                  held.beyond_count);
    thinker_close(&held.thinking);
    thinker_close(&held.quick);
    stage_destroy(stage);
    sandbox_destroy(sandbox);
}
