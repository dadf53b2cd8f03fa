/*
 * Plays random games with the naive rules and the engine side by side and prints each decision, for
 * games.py to compare with the package pavilion_lab: the position in notation, the indexes of the
 * legal actions, and which of them is played; at the end the scores and ranks.
 * usage: twin GAMES
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/draw.h"
#include "engine/game.h"
#include "engine/notation.h"
#include "tests/naive/naive.h"

static void require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "twin: %s\n", what);
    exit(1);
}

/* The number of choices of at most 4 tiles that come before this one, counted one by one. */
static int rank_of(const int8_t *tiles)
{
    int8_t each[GAME_COLORS] = {0};
    int rank = 0;

    while (memcmp(each, tiles, GAME_COLORS) != 0) {
        int color = GAME_COLORS - 1, total = 0;

        for (; each[color] == 4; color--)
            each[color] = 0;
        each[color]++;
        for (int i = 0; i < GAME_COLORS; i++)
            total += each[i];
        rank += total <= 4;
    }
    return rank;
}

/* The index that docs/python.md gives an action. */
static int index_of(struct action action)
{
    const int8_t *n = action.number;

    if (action.kind == ACTION_DRAFT)
        return 6 * (n[0] + 1) + n[1];
    if (action.kind == ACTION_PLACE)
        return 60 + 216 * n[0] + 36 * n[1] + 6 * n[2] + n[3];
    return (action.kind == ACTION_BONUS ? 1572 : 1782) + rank_of(n);
}

static size_t print_decision(const struct game *game, const struct action *actions, size_t count)
{
    char text[NOTATION_POSITION_BYTES];
    struct position position;

    game_view(game, &position);
    notation_write_position(&position, text);
    printf("%s\n", text);
    for (size_t i = 0; i < count; i++)
        printf("%d ", index_of(actions[i]));
    printf("\n");
    return count;
}

static void play(uint8_t number[static 8], int player_count, enum board_side side, uint64_t random)
{
    struct action actions[GAME_ACTIONS_MAX], naive_actions[GAME_ACTIONS_MAX];
    uint8_t seed[GAME_SEED_BYTES] = {0};
    struct naive_game naive;
    struct game game;
    size_t count;

    memcpy(seed, number, 8);
    game_init(&game, player_count, side, seed);
    naive_init(&naive, player_count, side, seed);
    while ((count = game_legal_actions(&game, actions)) > 0) {
        struct position seen;
        uint32_t index;

        game_view(&game, &seen);
        require(memcmp(&seen, &naive.table, sizeof seen) == 0, "the naive position differs");
        require(naive_legal_actions(&naive, naive_actions) == count &&
                    memcmp(actions, naive_actions, count * sizeof *actions) == 0,
                "the naive actions differ");
        print_decision(&game, actions, count);
        if (random & 1 && actions[0].kind == ACTION_PLACE) /* half of the games fill the boards */
            while (actions[count - 1].kind == ACTION_PASS)
                count--;
        index = draw_below(draw_next(&random), (uint32_t)count);
        printf("%u\n", index);
        require(game_apply(&game, actions[index]), "a listed action is refused");
        naive_play(&naive, actions[index]);
    }
    print_decision(&game, actions, 0);
    for (int seat = 0; seat < player_count; seat++)
        printf("%d %d ", game_score(&game, seat), game_rank(&game, seat));
    printf("\n");
}

int main(int argc, char **argv)
{
    long games = argc > 1 ? atol(argv[1]) : 0;

    for (long i = 0; i < games; i++) {
        uint8_t number[8];

        memcpy(number, &i, sizeof number);
        play(number, 2 + (int)(i % 3), i / 3 % 2 ? BOARD_GRAY : BOARD_COLORED, (uint64_t)i);
    }
    return 0;
}
