/*
 * Plays games by the functions that the page for playing calls (bots/browser), natively, and prints
 * each decision: the number of legal actions, the index of the chosen one, and the hash of the
 * position. tests/browser/engine.js plays the same games by the WebAssembly module.
 *
 *   table_games COUNT
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bots/browser/browser.h"
#include "bots/value/tables.h"

static void play(int number)
{
    int players = 2 + number % 3, side = number / 3 % 2, decision = 0, count;
    size_t size;
    const uint8_t *weights_file = tables_file(players, (enum board_side)side, &size);

    memcpy(table_file(), weights_file, size);
    memset(table_seed(), number, GAME_SEED_BYTES);
    if (!table_load((int)size))
        abort();
    for (count = table_deal(players, side); count > 0; decision++) {
        int who = (decision + number) % 3; /* greedy, steady, or anything */
        int index = who < 2 ? table_choose(who) : (decision * 7919 + number) % count;

        printf("%d %d %" PRIu64 "\n", count, index, table_hash());
        count = table_play(index);
    }
    for (int seat = 0; seat < players; seat++)
        printf("%d %d\n", table_rank(seat), table_final_points(seat));
}

int main(int argc, char **argv)
{
    int games = argc == 2 ? atoi(argv[1]) : 0;

    for (int number = 0; number < games; number++)
        play(number);
    return games == 0;
}
