/*
 * The rules of the game and nothing else: no I/O, no clock, no allocation, no
 * globals. A game is a plain value; copy it with '=' to look ahead. One seed and
 * one list of actions give the same game on every machine that it builds on: any that is
 * little-endian.
 */
#ifndef ENGINE_GAME_H
#define ENGINE_GAME_H

#include <stddef.h>

#include "engine/public.h"
#include "engine/state.h" /* struct game, struct action, struct position, GAME_* limits */

PUBLIC_BEGIN

/* Deals a new game. player_count is GAME_PLAYERS_MIN..GAME_PLAYERS_MAX. */
void game_init(struct game *game, int player_count, enum board_side side,
               const uint8_t seed[PUBLIC_ROOM(GAME_SEED_BYTES)]);

/* True once no player may act again; the scores are then final. */
bool game_is_over(const struct game *game);

/* The seat to act, 0..player_count-1, or GAME_NOBODY when the game is over. */
int game_turn(const struct game *game);

/* What is being decided now. */
enum phase game_phase(const struct game *game);

/* How many sit at the table. */
int game_player_count(const struct game *game);

/*
 * Writes every legal action of the seat to act, in ascending order, each once.
 * Returns how many: at least 1 while the game runs, 0 once it is over.
 */
size_t game_legal_actions(const struct game *game,
                          struct action actions[PUBLIC_ROOM(GAME_ACTIONS_MAX)]);

/*
 * One legal action of the seat to act, without listing them: that of the list in place
 * ((number >> 32) * count) >> 32, so that a random number chooses exactly as it would from
 * the list. The game must not be over.
 */
struct action game_draw_action(const struct game *game, uint64_t number);

/* Plays one action. Returns false, and leaves the game as it was, if illegal. */
bool game_apply(struct game *game, struct action action);

/* The same for an action known to be legal, listed or drawn: any other spoils the game. */
void game_play(struct game *game, struct action action);

/*
 * Plays the game to its end, each action drawn from all legal ones alike. *random is the
 * state of the generator that draws (draw_next), and moves on. Returns how many decisions
 * it took.
 */
size_t game_play_out(struct game *game, uint64_t *random);

/* Points of one seat so far, end-of-game points included once it is over. */
int game_score(const struct game *game, int seat);

/* Final rank of one seat, 1 for a winner; tied seats share the better rank. */
int game_rank(const struct game *game, int seat);

/* Replaces what no player can know, the draws to come, by those the seed gives. */
void game_reseed(struct game *game, const uint8_t seed[PUBLIC_ROOM(GAME_SEED_BYTES)]);

/*
 * Equal for equal positions, on every machine; for replays and tests. Made of what
 * every player can see, and of nothing else: the draws to come are not in it.
 */
uint64_t game_hash(const struct game *game);

/* Spreads out what every player can see. */
void game_view(const struct game *game, struct position *position);

/*
 * Sets a game up from what is seen; its draws come from the seed, from the start
 * of each stream. Returns NULL, or one line that says what is impossible about the
 * position (a static string); the game is then unchanged.
 */
const char *game_from_position(struct game *game, const struct position *position,
                               const uint8_t seed[PUBLIC_ROOM(GAME_SEED_BYTES)]);

/* Less than, equal to or greater than 0: the promised order of actions. */
int action_compare(struct action a, struct action b);

PUBLIC_END

#endif
