/* SPDX-License-Identifier: MIT */
/*
 * Plays games by the functions that the page for playing calls (bots/browser), natively, and prints
 * each decision: the number of legal actions, the index of the chosen one, and the hash of the
 * position. tests/browser/engine.js plays the same games by the WebAssembly module.
 *
 *   table_games COUNT        greedy, steady and anything by turns
 *   table_games COUNT LOOKS  maestro in all seats, and what it thinks of another action
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bots/browser/browser.h"

/* Returns the index of the action to play. looks: see table_think; 0: no maestro. */
static int choose(int who, int turn, int count, int looks)
{
    int any = turn % count;

    if (looks > 0) {
        for (int bot = TABLE_STEADY; bot <= TABLE_MAESTRO; bot++) {
            int best = table_judge(bot, any);

            printf("%d %d %d ", best, table_leads()[0], table_leads()[1]);
        }
        return table_choose(TABLE_MAESTRO);
    }
    return who < 2 ? table_choose(who) : any;
}

static void play(int number, int looks)
{
    int players = 2 + number % 3, side = number / 3 % 2, decision = 0, count;

    memset(table_seed(), number, GAME_SEED_BYTES);
    table_think(looks);
    for (count = table_deal(players, side); count > 0; decision++) {
        int who = (decision + number) % 3; /* greedy, steady, or anything */
        int index = choose(who, decision * 7919 + number, count, looks);

        printf("%d %d %" PRIu64 "\n", count, index, table_hash());
        count = table_play(index);
    }
    for (int seat = 0; seat < players; seat++)
        printf("%d %d\n", table_rank(seat), table_final_points(seat));
}

int main(int argc, char **argv)
{
    int games = argc > 1 ? atoi(argv[1]) : 0, looks = argc > 2 ? atoi(argv[2]) : 0;

    for (int number = 0; number < games; number++)
        play(number, looks);
    return games == 0;
}
