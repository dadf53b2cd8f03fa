/* SPDX-License-Identifier: MIT */
/* arena sprt: tests whether a new bot is better than an old one. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/commands.h"
#include "arena/commands/options.h"
#include "arena/rating/sprt.h"
#include "arena/base/plain_text.h"
#include "arena/report/columns.h"
#include "arena/season/seed.h"

enum {
    PLAYERS = 2,
    GROUPS_DEFAULT = 50000,
    GROUPS_MAX = 1000000,
};

/* A group that is being played, or whose result waits for earlier groups. */
struct group {
    int halves; /* points of NEW in the group's games so far, in half points */
    int played_count;
};

static struct test {
    struct play_options play;
    char **names; /* arguments that name NEW and OLD */
    double elo0, elo1, alpha, beta;
    int64_t group_limit;
    uint8_t seed[GAME_SEED_BYTES];
    bool same_draws;
    struct bot_room room;
    struct source sources[PLAYERS];
    struct runner *runner;
    struct sprt sprt;
    struct sprt_state state;
    struct group *groups;  /* the groups by number */
    int64_t begun_count;   /* number of games begun */
    int64_t counted_count; /* number of groups that the test has counted */
} test = {.play = PLAY_OPTIONS_FROZEN,
          .elo0 = 0,
          .elo1 = 10,
          .alpha = 0.05,
          .beta = 0.05,
          .group_limit = GROUPS_DEFAULT};

/* ---- the games ---- */

static bool next_game(void *owner, int slot, struct runner_game *game)
{
    int64_t group = test.begun_count / PLAYERS;
    int rotation = (int)(test.begun_count % PLAYERS);

    if (group == test.group_limit || test.state.verdict != SPRT_OPEN)
        return false;
    *game = (struct runner_game){.number = (uint64_t)test.begun_count++};
    snprintf(game->terms.id, sizeof game->terms.id, "%06d-%d", (int)group, rotation);
    if (test.same_draws)
        seed_of_group(test.seed, (int)group, game->terms.seed);
    else
        seed_of_game(test.seed, (int)group, rotation, game->terms.seed);
    game->terms.player_count = PLAYERS;
    game->terms.board = test.play.board;
    game->terms.clock = test.play.clock;
    for (int seat = 0; seat < PLAYERS; seat++)
        game->sources[seat] = &test.sources[(seat + rotation) % PLAYERS];
    return true;
}

/*
 * Counts groups in the order of their numbers, not in the order in which they end, and counts none
 * after the verdict, so that the result does not depend on the number of jobs.
 */
static void count_groups(void)
{
    while (test.counted_count < test.group_limit && test.state.verdict == SPRT_OPEN &&
           test.groups[test.counted_count].played_count == PLAYERS) {
        sprt_add(&test.sprt, test.groups[test.counted_count++].halves);
        test.state = sprt_evaluate(&test.sprt);
    }
    if (test.state.verdict != SPRT_OPEN)
        runner_drain(test.runner);
}

static void game_done(void *owner, const struct runner_game *game, const struct table *table)
{
    struct group *group = &test.groups[game->number / PLAYERS];
    int new_seat = game->sources[0] == &test.sources[0] ? 0 : 1;
    int mine = table->result.ranks[new_seat], other = table->result.ranks[1 - new_seat];

    group->halves += mine < other ? 2 : mine == other ? 1 : 0;
    group->played_count++;
    count_groups();
}

static void show_progress(void *owner)
{
    fprintf(stderr, "\r%lld group%s, LLR %.2f in %.2f to %.2f, Elo %.1f (%.1f to %.1f)\033[K",
            (long long)test.counted_count, plain_text_s(test.counted_count),
            decimals_round(test.state.llr, 2), test.sprt.lower, test.sprt.upper,
            decimals_round(test.state.elo, 1), decimals_round(test.state.elo_low, 1),
            decimals_round(test.state.elo_high, 1));
}

static int play(void)
{
    bool terminal = isatty(STDERR_FILENO);
    struct runner_options wanted = {.job_count = test.play.job_count,
                                    .pin = test.play.pin,
                                    .rules = test.play.rules,
                                    .next_fn = next_game,
                                    .done_fn = game_done,
                                    .warn_fn = command_warn,
                                    .tick_fn = terminal ? show_progress : NULL};
    struct transport transport = transport_of_sandbox(test.room.sandbox);
    struct sandbox_failure failure;
    int result;

    test.groups = calloc((size_t)test.group_limit, sizeof *test.groups);
    test.runner = runner_create(&wanted, &transport);
    if (!test.groups || !test.runner)
        return command_fail("%s", strerror(errno));
    result = runner_play(test.runner, &failure);
    if (terminal) {
        show_progress(NULL);
        fputc('\n', stderr);
    }
    if (result < 0)
        return command_fail("the arena failed to play a game, %d times: %s: %s", RUNNER_ATTEMPTS,
                            failure.step, strerror(failure.error));
    return COMMAND_DONE;
}

/* ---- the result ---- */

static const char *verdict_name(void)
{
    return test.state.verdict == SPRT_OPEN ? "inconclusive" : sprt_verdict_name(test.state.verdict);
}

static int print_json(void)
{
    const struct sprt_state *state = &test.state;
    json_t *counts = json_array();

    for (int i = 0; i < SPRT_CELLS; i++)
        json_array_append_new(counts, json_integer(test.sprt.counts[i]));
    return command_print_json(json_pack(
        "{s:s, s:f, s:f, s:f, s:I, s:I, s:o, s:f, s:f, s:f}", "verdict", verdict_name(), "llr",
        decimals_round(state->llr, 6), "lower", decimals_round(test.sprt.lower, 6), "upper",
        decimals_round(test.sprt.upper, 6), "groups", (json_int_t)test.counted_count, "games",
        (json_int_t)(test.counted_count * PLAYERS), "counts", counts, "elo",
        decimals_round(state->elo, 6), "elo_low", decimals_round(state->elo_low, 6), "elo_high",
        decimals_round(state->elo_high, 6)));
}

static void print_text(void)
{
    static const char *const meanings[] = {
        [SPRT_OPEN] = "NEW may be better or not; the LLR reached neither bound",
        [SPRT_ACCEPTED] = "NEW is better",
        [SPRT_REJECTED] = "NEW is not better",
    };
    char seed[SEED_DIGITS + 1];

    seed_write(test.seed, seed);
    plain_text_printf(stdout, "%s: %s\n", verdict_name(), meanings[test.state.verdict]);
    if (test.state.verdict == SPRT_OPEN)
        plain_text_printf(stdout,
                          "Play more groups (--max-groups, at least %d). The Elo below decides "
                          "nothing: its error is too large.\n",
                          SPRT_GROUPS_MIN);
    printf("LLR %.3f, bounds %.3f and %.3f, Elo %g against %g\n", decimals_round(test.state.llr, 3),
           test.sprt.lower, test.sprt.upper, test.elo0, test.elo1);
    printf(
        "%lld group%s of two games, one in each order of the seats; NEW's points in a group (won "
        "1, tied 0.5):",
        (long long)test.counted_count, plain_text_s(test.counted_count));
    for (int i = SPRT_CELLS - 1; i >= 0; i--)
        printf("%s %g in %lld", i < SPRT_CELLS - 1 ? "," : "", i / 2.,
               (long long)test.sprt.counts[i]);
    plain_text_printf(stdout, "\nElo of NEW over OLD %.1f, 95 %% between %.1f and %.1f\nseed %s\n",
                      decimals_round(test.state.elo, 1), decimals_round(test.state.elo_low, 1),
                      decimals_round(test.state.elo_high, 1), seed);
}

static int run(void)
{
    int status;

    if (sprt_init(&test.sprt, test.elo0, test.elo1, test.alpha, test.beta) < 0)
        return command_refuse("sprt: --elo0 must be below --elo1, both within +-%d; --alpha and "
                              "--beta must be above 0 and together below 1",
                              SPRT_ELO_MAX);
    test.state = sprt_evaluate(&test.sprt);
    status = play_options_draw_seed(test.seed) ?: bot_room_open(&test.room, &test.play);
    for (int i = 0; i < PLAYERS && status == COMMAND_DONE; i++)
        status = bot_argument_open(&test.sources[i], test.names[i], &test.room, i, &test.play);
    status = status ?: play();
    runner_destroy(test.runner);
    for (int i = 0; i < PLAYERS; i++)
        source_close(&test.sources[i]);
    bot_room_close(&test.room);
    if (status != COMMAND_DONE)
        return status;
    if (options_json)
        return print_json();
    print_text();
    return COMMAND_DONE;
}

static const struct option options[] = {
    {"elo0", "E", "reject NEW if it is at most E Elo better than OLD (0)", .real = &test.elo0,
     .minimum = -SPRT_ELO_MAX, .maximum = SPRT_ELO_MAX},
    {"elo1", "E", "accept NEW if it is at least E Elo better than OLD (10)", .real = &test.elo1,
     .minimum = -SPRT_ELO_MAX, .maximum = SPRT_ELO_MAX},
    {"alpha", "P", "chance that the test accepts a bot that is only --elo0 Elo better (0.05)",
     .real = &test.alpha, .maximum = 1},
    {"beta", "P", "chance that the test rejects a bot that is --elo1 Elo better (0.05)",
     .real = &test.beta, .maximum = 1},
    {"max-groups", "N", "stop after N groups even if the verdict is open (50000)",
     .number = &test.group_limit, .minimum = 1, .maximum = GROUPS_MAX},
    {"seed", "HEX", "seed from which the seeds of all games follow: 32 hex digits (random)",
     .seed = test.seed},
    {"same-draws", NULL,
     "give both games of a group the same draws. Bots that play alike then need fewer games; "
     "use it only for bots you trust: a bot can carry what it saw into the second game",
     .flag = &test.same_draws},
    OPTION_JSON("one JSON object"),
    PLAY_OPTION_BOARD(&test.play),
    PLAY_OPTION_CLOCK(&test.play),
    PLAY_OPTIONS_RUN(&test.play),
    STORE_OPTIONS};

static int play_and_tell(int argc, char **argv)
{
    int status;

    test.names = argv;
    status = run();
    free(test.groups);
    return status;
}

const struct command_line command_sprt = {
    .name = "sprt",
    .usage = "NEW OLD [OPTION ...]",
    .about = "Plays two bots until it is clear whether NEW is better. A bot is a folder, a "
             "submitted bot (NAME or NAME@VERSION) or a bundled one: random, greedy, lookahead, "
             "steady, maestro and others. The unit is the group of two games, in which each bot "
             "begins once. No verdict comes before 50 groups.",
    .options = options,
    .least = PLAYERS,
    .arguments = "name two bots, NEW and OLD",
    .run_fn = play_and_tell};
