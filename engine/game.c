#include "engine/game.h"

#include <assert.h>
#include <string.h>

#include "engine/board.h"
#include "engine/deal.h"
#include "engine/tiles.h"

void game_init(struct game *game, int player_count, enum board_side side,
               const uint8_t seed[static GAME_SEED_BYTES])
{
    assert(player_count >= GAME_PLAYERS_MIN && player_count <= GAME_PLAYERS_MAX);
    memset(game, 0, sizeof *game);
    memcpy(game->seed, seed, GAME_SEED_BYTES);
    game->board = (uint8_t)side;
    game->player_count = (uint8_t)player_count;
    game->round = 1;
    game->phase = PHASE_DRAFT;
    game->token = GAME_NOBODY;
    game->bag = TILES_EACH * GAME_TILES_PER_COLOR;
    for (int seat = 0; seat < player_count; seat++) {
        game->seats[seat].score = GAME_SCORE_START;
        game->seats[seat].takes = board_takes(side);
    }
    deal_supply(game);
    deal_displays(game);
}

bool game_is_over(const struct game *game)
{
    return game->phase == PHASE_OVER;
}

int game_turn(const struct game *game)
{
    return game->player;
}

enum phase game_phase(const struct game *game)
{
    return (enum phase)game->phase;
}

int game_player_count(const struct game *game)
{
    return game->player_count;
}

int game_score(const struct game *game, int seat)
{
    return game->seats[seat].score;
}

int game_rank(const struct game *game, int seat)
{
    int rank = 1;

    for (int other = 0; other < game->player_count; other++)
        rank += game->seats[other].score > game->seats[seat].score;
    return rank;
}

void game_reseed(struct game *game, const uint8_t seed[static GAME_SEED_BYTES])
{
    memcpy(game->seed, seed, GAME_SEED_BYTES);
    game->supply_index = 0;
}
