/* SPDX-License-Identifier: MIT */
/*
 * The rules of the game and nothing else: no I/O, no clock, no allocation, no globals. A game is a
 * plain value; copy it with '=' to look ahead. One seed and one list of actions give the same game
 * on every machine. Supports little-endian machines only.
 */
#ifndef ENGINE_GAME_H
#define ENGINE_GAME_H

#include <stddef.h>

#include "engine/public.h"
#include "engine/state.h" /* struct game, struct action, struct position, GAME_* limits */

PUBLIC_BEGIN

/* Deals a new game. player_count is GAME_PLAYERS_MIN..GAME_PLAYERS_MAX. */
void game_init(struct game *game, int player_count, enum board_side side,
               const uint8_t seed[PUBLIC_ROOM(GAME_SEED_BYTES)]) LINK_NAME(game_init);

/* True if the game is over: nobody may act, and the scores are final. */
bool game_is_over(const struct game *game) LINK_NAME(game_is_over);

/* Returns the seat to act, 0..player_count-1, or GAME_NOBODY if the game is over. */
int game_turn(const struct game *game) LINK_NAME(game_turn);

/* Returns the current phase. */
enum phase game_phase(const struct game *game) LINK_NAME(game_phase);

/* Returns the number of seats. */
int game_player_count(const struct game *game) LINK_NAME(game_player_count);

/*
 * Writes every legal action of the seat to act, in ascending order, each once. Returns the number
 * of actions: at least 1, or 0 if the game is over.
 */
size_t game_legal_actions(const struct game *game,
                          struct action actions[PUBLIC_ROOM(GAME_ACTIONS_MAX)])
    LINK_NAME(game_legal_actions);

/*
 * Returns one legal action of the seat to act, without making the list of all `count` legal
 * actions: the action at index ((number >> 32) * count) >> 32 of that list. The game must not be
 * over.
 */
struct action game_draw_action(const struct game *game, uint64_t number)
    LINK_NAME(game_draw_action);

/* True if the action is legal in the game. */
bool game_is_legal(const struct game *game, struct action action) LINK_NAME(game_is_legal);

/* Plays one action. Returns false, with the game unchanged, if the action is illegal. */
bool game_apply(struct game *game, struct action action) LINK_NAME(game_apply);

/*
 * Plays one action that the caller knows to be legal, from game_legal_actions for example. An
 * illegal action corrupts the game.
 */
void game_play(struct game *game, struct action action) LINK_NAME(game_play);

/*
 * Plays the game to its end with random actions. No seat passes while it can place a tile; a seat
 * that passes keeps as many tiles as the corners hold. All other legal actions have equal
 * probability. Advances *random, the state of a generator (draw_next), once per decision. Returns
 * the number of decisions.
 */
size_t game_play_out(struct game *game, uint64_t *random) LINK_NAME(game_play_out);

/* Returns the points of one seat so far, including final points once the game is over. */
int game_score(const struct game *game, int seat) LINK_NAME(game_score);

/*
 * Returns the points for finished stars and covered costs that one seat would get if the game ended
 * now. Once the game is over, game_score includes these points.
 */
int game_final_points(const struct game *game, int seat) LINK_NAME(game_final_points);

/*
 * Returns the final rank of one seat, 1 for a winner; tied seats share the better rank.
 */
int game_rank(const struct game *game, int seat) LINK_NAME(game_rank);

/* Replaces the seed, and with it all draws of tiles to come, which no player can know. */
void game_reseed(struct game *game, const uint8_t seed[PUBLIC_ROOM(GAME_SEED_BYTES)])
    LINK_NAME(game_reseed);

/*
 * Returns a hash of the position for replays and tests, equal for equal positions on every machine.
 * The hash covers only what every player can see, not future draws.
 */
uint64_t game_hash(const struct game *game) LINK_NAME(game_hash);

/* Sets *position to everything that all players can see. */
void game_view(const struct game *game, struct position *position) LINK_NAME(game_view);

/*
 * Sets up a game from a position; the seed decides all draws to come. Returns NULL; or, if the
 * position is impossible, one line (a static string) that says why, with *game unchanged.
 */
const char *game_from_position(struct game *game, const struct position *position,
                               const uint8_t seed[PUBLIC_ROOM(GAME_SEED_BYTES)])
    LINK_NAME(game_from_position);

/* Returns a negative number, 0 or a positive number if a comes before, equals or follows b in the
 * order of game_legal_actions. */
int action_compare(struct action a, struct action b) LINK_NAME(action_compare);

PUBLIC_END

#endif
