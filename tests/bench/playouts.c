/* SPDX-License-Identifier: MIT */
/*
 * Plays random games to their end as game_play_out does: by that function (the direct draw), or by
 * a choice from the full list. Both play the same games.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "engine/draw.h"
#include "engine/game.h"
#include "tests/bench/bench.h"

struct playouts {
    long game_count;
    int player_count;
    enum board_side board;
    bool direct;
    long decision_count; /* out */
    int64_t taken_us;    /* out */
};

/*
 * Moves the actions that game_play_out would choose from to the front and returns their number:
 * without passes while a tile can be placed, else only the passes that keep the most tiles.
 */
static size_t keep_choices(struct action *actions, size_t count)
{
    size_t kept = 0;
    int most = 0;

    if (actions[0].kind == ACTION_PLACE)
        while (actions[count - 1].kind == ACTION_PASS)
            count--;
    if (actions[0].kind != ACTION_PASS)
        return count;
    for (size_t i = 0; i < count; i++) {
        int tiles = 0;

        for (int color = 0; color < GAME_COLORS; color++)
            tiles += actions[i].number[color];
        if (tiles > most)
            kept = 0;
        if (tiles >= most) {
            most = tiles;
            actions[kept++] = actions[i];
        }
    }
    return kept;
}

static long play_from_list(struct game *game, uint64_t *random)
{
    struct action actions[GAME_ACTIONS_MAX];
    long decisions = 0;
    size_t count;

    for (; (count = game_legal_actions(game, actions)) > 0; decisions++) {
        count = keep_choices(actions, count);
        game_play(game, actions[draw_below(draw_next(random), (uint32_t)count)]);
    }
    return decisions;
}

static void play(struct playouts *playouts)
{
    int64_t start_us = bench_now_us();
    uint64_t random = 1;

    playouts->decision_count = 0;
    for (long i = 0; i < playouts->game_count; i++) {
        uint8_t seed[GAME_SEED_BYTES] = {0};
        struct game game;

        memcpy(seed, &i, sizeof i);
        game_init(&game, playouts->player_count, playouts->board, seed);
        if (playouts->direct)
            playouts->decision_count += (long)game_play_out(&game, &random);
        else
            playouts->decision_count += play_from_list(&game, &random);
    }
    playouts->taken_us = bench_now_us() - start_us;
}

/* Returns decisions per second. */
static double measure_rate(int player_count, bool direct)
{
    struct playouts playouts = {
        .game_count = 20000, .player_count = player_count, .direct = direct};

    play(&playouts);
    return (double)playouts.decision_count * 1e6 / (double)playouts.taken_us;
}

/* Returns the nanoseconds for copying a game, to look ahead. */
static double measure_copy(void)
{
    enum {
        COPIES = 20000000
    };
    const uint8_t seed[GAME_SEED_BYTES] = {0};
    struct game game, copy;
    int64_t start_us;

    game_init(&game, 2, BOARD_COLORED, seed);
    start_us = bench_now_us();
    for (int i = 0; i < COPIES; i++) {
        copy = game;
        __asm__ volatile("" : : "r"(&copy) : "memory"); /* as if somebody read it */
    }
    return (double)(bench_now_us() - start_us) * 1e3 / COPIES;
}

static int print_figures(void)
{
    double listed = measure_rate(2, false);
    double direct = measure_rate(2, true);

    bench_figure("playouts.list", listed, "decisions/s", 0);
    bench_figure("playouts.direct", direct, "decisions/s", listed);
    bench_figure("playouts.list.4", measure_rate(4, false), "decisions/s", listed);
    bench_figure("game.copy", measure_copy(), "ns", 1e9 / direct);
    return 0;
}

int bench_playouts(char **argv, bool few)
{
    struct playouts playouts = {.player_count = 2};
    long players = 2, gray = 0, direct = 0;

    (void)few;
    bench_read_options(argv, (const struct bench_option[]){
                                 {"--games", &playouts.game_count, 1, 1000000000},
                                 {"--players", &players, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX},
                                 {"--gray", &gray},
                                 {"--direct", &direct},
                                 {NULL}});
    if (playouts.game_count == 0)
        return print_figures();
    playouts.player_count = (int)players;
    playouts.board = gray ? BOARD_GRAY : BOARD_COLORED;
    playouts.direct = direct != 0;
    play(&playouts);
    printf("{\"games\":%ld,\"decisions\":%ld,\"seconds\":%.6f}\n", playouts.game_count,
           playouts.decision_count, (double)playouts.taken_us / 1e6);
    return 0;
}
