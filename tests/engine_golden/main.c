/* SPDX-License-Identifier: MIT */
/*
 * engine_golden games|perft: writes what the engine plays, as text. No compiler, level of
 * optimisation or sanitizer may change a byte of it: tests/golden/ keeps it, compare.sh
 * and compilers.sh hold it.
 *
 * games: a line a game for 150 seeds and six settings: players, board, seed, decisions,
 * the last position's hash, the scores. Odd seeds place while they can.
 *
 * perft: how many distinct positions lie 0, 1, 2, ... decisions behind a start.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/draw.h"
#include "engine/game.h"
#include "engine/notation.h"

enum {
    SEED_COUNT = 150,
    POSITIONS_MAX = 60000, /* of one depth */
    SLOT_COUNT = 1 << 18,  /* of the hash table of positions */
};

static void make_seed(uint8_t seed[static GAME_SEED_BYTES], int number)
{
    memset(seed, 0, GAME_SEED_BYTES);
    seed[0] = (uint8_t)number;
    seed[1] = (uint8_t)(number >> 8);
}

static void play_game(int player_count, enum board_side side, int number)
{
    uint8_t seed[GAME_SEED_BYTES];
    struct action actions[GAME_ACTIONS_MAX];
    uint64_t random = (uint64_t)number;
    struct game game;
    int decisions = 0;

    make_seed(seed, number);
    game_init(&game, player_count, side, seed);
    for (; !game_is_over(&game); decisions++) {
        size_t count = game_legal_actions(&game, actions);

        if (number % 2 && actions[0].kind == ACTION_PLACE)
            while (actions[count - 1].kind == ACTION_PASS)
                count--;
        game_apply(&game, actions[draw_below(draw_next(&random), (uint32_t)count)]);
    }
    printf("%d %s %d %d %016llx", player_count, notation_boards[side], number, decisions,
           (unsigned long long)game_hash(&game));
    for (int seat = 0; seat < player_count; seat++)
        printf(" %d", game_score(&game, seat));
    putchar('\n');
}

struct layer {
    struct game *games; /* POSITIONS_MAX of them */
    size_t count;
    uint64_t *slots; /* hashes of these positions, 0: empty */
};

static void layer_init(struct layer *layer)
{
    layer->games = malloc(POSITIONS_MAX * sizeof *layer->games);
    layer->slots = malloc(SLOT_COUNT * sizeof *layer->slots);
    if (!layer->games || !layer->slots)
        exit(2);
}

static void layer_clear(struct layer *layer)
{
    layer->count = 0;
    memset(layer->slots, 0, SLOT_COUNT * sizeof *layer->slots);
}

/* Adds a game whose position is new. Returns false if there is no room. */
static bool layer_add(struct layer *layer, const struct game *game)
{
    uint64_t hash = game_hash(game) | 1;
    size_t slot = hash % SLOT_COUNT;

    for (; layer->slots[slot]; slot = (slot + 1) % SLOT_COUNT)
        if (layer->slots[slot] == hash)
            return true;
    if (layer->count == POSITIONS_MAX)
        return false;
    layer->slots[slot] = hash;
    layer->games[layer->count++] = *game;
    return true;
}

static bool layer_follow(const struct layer *from, struct layer *to)
{
    struct action actions[GAME_ACTIONS_MAX];

    layer_clear(to);
    for (size_t i = 0; i < from->count; i++) {
        size_t count = game_legal_actions(&from->games[i], actions);

        for (size_t j = 0; j < count; j++) {
            struct game game = from->games[i];

            game_apply(&game, actions[j]);
            if (!layer_add(to, &game))
                return false;
        }
    }
    return true;
}

static void count_positions(const char *name, const struct game *start)
{
    struct layer layers[2];
    int now = 0;

    layer_init(&layers[0]);
    layer_init(&layers[1]);
    layer_clear(&layers[0]);
    layer_add(&layers[0], start);
    printf("%s:", name);
    do {
        printf(" %zu", layers[now].count);
        now = !now;
    } while (layer_follow(&layers[!now], &layers[now]) && layers[now].count > 0);
    putchar('\n');
    for (int i = 0; i < 2; i++) {
        free(layers[i].games);
        free(layers[i].slots);
    }
}

#define PLACING                                                                                    \
    "round:2 phase:place supply:p2g2o2y2b2 | score:20 hand:p2g3o2y2b3r2 stars:oo..../.rr.../"      \
    "....b./yy..../gg.g../.pp.../p.g... | score:9 hand:gb2r3 "

static void count_all(void)
{
    uint8_t seed[GAME_SEED_BYTES];
    struct game game;

    make_seed(seed, 1);
    for (int player_count = GAME_PLAYERS_MIN; player_count <= GAME_PLAYERS_MAX; player_count++) {
        char name[24];

        game_init(&game, player_count, BOARD_COLORED, seed);
        snprintf(name, sizeof name, "first-%d", player_count);
        count_positions(name, &game);
    }
    if (game_from_text(&game, "board:colored " PLACING, seed))
        exit(2);
    count_positions("placing-colored", &game);
    if (game_from_text(&game, "board:gray " PLACING, seed))
        exit(2);
    count_positions("placing-gray", &game);
    if (game_from_text(&game,
                       "round:6 phase:place supply:p2g2o2y2b2 | hand:o2r2 stars:..oo../"
                       "....../....../....../....../....../...... | score:9 hand:b passed:no",
                       seed))
        exit(2);
    count_positions("to-the-end", &game);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "perft") == 0) {
        count_all();
        return 0;
    }
    if (argc != 2 || strcmp(argv[1], "games") != 0) {
        fputs("usage: engine_golden games|perft\n", stderr);
        return 2;
    }
    for (int player_count = GAME_PLAYERS_MIN; player_count <= GAME_PLAYERS_MAX; player_count++)
        for (int side = BOARD_COLORED; side <= BOARD_GRAY; side++)
            for (int number = 0; number < SEED_COUNT; number++)
                play_game(player_count, (enum board_side)side, number);
    return 0;
}
