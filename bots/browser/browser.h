/* SPDX-License-Identifier: MIT */
/*
 * The engine and the bots greedy, steady and maestro as a WebAssembly module, for the page on which
 * people play (arena/site/play). The module imports nothing and holds one game. The page's script
 * calls these functions, and reads and writes the module's buffers at the offsets that browser.c
 * asserts.
 */
#ifndef BOTS_BROWSER_H
#define BOTS_BROWSER_H

#include "engine/game.h"

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name)))
#else
#define EXPORT(name)
#endif

enum table_bot {
    TABLE_GREEDY = 0,
    TABLE_STEADY = 1,
    TABLE_MAESTRO = 2,
};

/* ---- buffers ---- */

EXPORT(table_seed) uint8_t *table_seed(void); /* seed of the next game */
EXPORT(table_position) const struct position *table_position(void);
EXPORT(table_actions) const struct action *table_actions(void);
/* The game's memory. To undo a decision, the script restores an earlier copy of this memory. */
EXPORT(table_game) struct game *table_game(void);
EXPORT(table_game_bytes) int table_game_bytes(void);

/* ---- the game ---- */

/*
 * Deals a new game, with the weights and networks for such games. Returns the number of legal
 * actions.
 */
EXPORT(table_deal) int table_deal(int player_count, int board);

/* Plays the legal action at an index. Returns the number of legal actions that follow. */
EXPORT(table_play) int table_play(int index);

/*
 * Updates position and actions after the script has put a game back. Returns the number of legal
 * actions.
 */
EXPORT(table_view) int table_view(void);

/* Returns the index of the legal action that a bot chooses. The game must not be over. */
EXPORT(table_choose) int table_choose(int bot);

/*
 * Sets how long maestro thinks about a decision: `looks` is how often it asks whether the time is
 * over, which it does every eight nodes of a search, after each plan, and several times in a
 * rollout. So the module needs no clock, and maestro chooses the same on every machine.
 */
EXPORT(table_think) void table_think(int looks);

/*
 * Has steady or maestro judge the legal action at an index, as maestro judges decisions of finished
 * matches. Returns the index of the action that the bot would choose, and writes to table_leads the
 * leads over the mean of the other seats that it expects at the end, in hundredths of points: after
 * its own choice, and after the action at the index.
 */
EXPORT(table_judge) int table_judge(int bot, int index);
EXPORT(table_leads) const int32_t *table_leads(void);

EXPORT(table_rank) int table_rank(int seat); /* Returns the final rank of a seat, 1 for a winner. */
EXPORT(table_final_points)
/* Returns the points of a seat that are scored at the end of the game. */
int table_final_points(int seat);
EXPORT(table_hash) uint64_t table_hash(void); /* Returns the hash of the position, for tests. */

#endif
