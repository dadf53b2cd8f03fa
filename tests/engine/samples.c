/* SPDX-License-Identifier: MIT */
/*
 * Two complete games and six first positions that another implementation of rules.md played: the
 * engine must have the same position before each decision, and the same ranks. In
 * tests/golden/samples.txt, "game PLAYERS BOARD SEED" begins a game; each further line is a
 * position and, after a tab, the action played; "ranks" are those by seat at the end.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "engine/game.h"
#include "engine/notation.h"

static void begin(struct game *game, int player_count, const char *board, const char *hex)
{
    uint8_t seed[GAME_SEED_BYTES];

    for (int i = 0; i < GAME_SEED_BYTES; i++)
        cr_assert_eq(sscanf(hex + 2 * i, "%2hhx", &seed[i]), 1);
    game_init(game, player_count, strcmp(board, "gray") == 0 ? BOARD_GRAY : BOARD_COLORED, seed);
}

Test(samples, are_played_alike)
{
    FILE *file = fopen(TEST_SOURCE_DIR "/tests/golden/samples.txt", "r");
    char line[2048], board[8], hex[2 * GAME_SEED_BYTES + 1], text[NOTATION_POSITION_BYTES];
    int player_count, game_count = 0, end_count = 0;
    struct position position;
    struct action action;
    struct game game;

    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file)) {
        char *tab = strchr(line, '\t');

        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "game %d %7s %32s", &player_count, board, hex) == 3) {
            begin(&game, player_count, board, hex);
            game_count++;
        } else if (strncmp(line, "ranks", 5) == 0) {
            cr_assert(game_is_over(&game));
            for (int seat = 0; seat < player_count; seat++)
                cr_assert_eq(game_rank(&game, seat), line[6 + 2 * seat] - '0');
            end_count++;
        } else {
            if (tab)
                *tab++ = '\0';
            game_view(&game, &position);
            notation_write_position(&position, text);
            cr_assert_str_eq(text, line);
            if (tab)
                cr_assert(!notation_read_action(&action, tab) && game_apply(&game, action), "%s",
                          tab);
        }
    }
    cr_assert_eq(game_count, 8);
    cr_assert_eq(end_count, 2);
    fclose(file);
}
