#include "engine/game.h"

#include <assert.h>
#include <string.h>

#include "engine/board.h"
#include "engine/deal.h"
#include "engine/pay.h"
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

static int seat_after(const struct game *game, int seat)
{
    return seat + 1 == game->player_count ? 0 : seat + 1;
}

static void lose_points(struct game_seat *seat, int points)
{
    seat->score -= points;
    if (seat->score < GAME_SCORE_MIN)
        seat->score = GAME_SCORE_MIN;
}

/* After the last draft of a round, or when there was nothing to draft. */
static void begin_placing(struct game *game)
{
    if (game->token != GAME_NOBODY)
        game->start = (uint8_t)game->token;
    game->player = (int8_t)game->start;
    game->phase = PHASE_PLACE;
}

static void finish_game(struct game *game)
{
    for (int i = 0; i < game->player_count; i++) {
        struct game_seat *seat = &game->seats[i];

        seat->score += board_final_points(seat, (enum board_side)game->board);
        lose_points(seat, tiles_total(seat->tiles));
        game->tower += seat->tiles;
        seat->tiles = 0;
    }
    game->phase = PHASE_OVER;
    game->player = GAME_NOBODY;
}

/* The tiles on the corners become the hand by nobody having passed any more. */
static void finish_round(struct game *game)
{
    if (game->round == GAME_ROUNDS) {
        finish_game(game);
        return;
    }
    game->round++;
    game->phase = PHASE_DRAFT;
    game->player = (int8_t)game->start;
    game->token = GAME_NOBODY;
    game->passed = 0;
    deal_displays(game);
    if (game->offers == 0)
        begin_placing(game);
}

static void finish_placing_turn(struct game *game)
{
    int seat = game->player;

    deal_supply(game);
    if (game->passed == (1u << game->player_count) - 1) {
        finish_round(game);
        return;
    }
    do
        seat = seat_after(game, seat);
    while (game->passed >> seat & 1);
    game->player = (int8_t)seat;
    game->phase = PHASE_PLACE;
}

/* The numbers of an action that counts tiles by color, as tiles; no real ones if negative. */
static uint64_t action_tiles(struct action action)
{
    uint64_t tiles = 0;

    for (int i = 0; i < GAME_ACTION_NUMBERS; i++)
        tiles |= (uint64_t)(uint8_t)action.number[i] << (8 * i);
    return tiles;
}

/* True if the numbers from the given one on are 0, as they are in a proper action. */
static bool rest_is_zero(struct action action, int from)
{
    for (int i = from; i < GAME_ACTION_NUMBERS; i++)
        if (action.number[i] != 0)
            return false;
    return true;
}

static bool apply_draft(struct game *game, struct action action)
{
    struct game_seat *seat = &game->seats[game->player];
    int source = action.number[0] - GAME_SOURCE_CENTER;
    int color = action.number[1];
    int wild = game->round - 1;
    uint64_t tiles, taken;

    if (source < 0 || source > GAME_DISPLAYS_MAX || color < 0 || color >= GAME_COLORS ||
        !(game->offers >> (6 * source + color) & 1) || !rest_is_zero(action, 2))
        return false;
    tiles = game->sources[source];
    taken = color == wild ? 0 : tiles_only(tiles, color);
    if (tiles_of(tiles, wild) > 0)
        taken += tiles_one(wild);
    seat->tiles += taken;
    game->sources[source] = 0;
    game->offers &= ~(UINT64_C(0x3f) << (6 * source));
    game->sources[0] += tiles - taken;
    if (source == 0) {
        game->sources[0] = tiles - taken;
        if (game->token == GAME_NOBODY) {
            game->token = game->player;
            lose_points(seat, tiles_total(taken));
        }
    }
    game->offers = (game->offers & ~UINT64_C(0x3f)) | deal_offer(game->sources[0], wild);
    if (game->offers == 0)
        begin_placing(game);
    else
        game->player = (int8_t)seat_after(game, game->player);
    return true;
}

static bool apply_place(struct game *game, struct action action)
{
    struct game_seat *seat = &game->seats[game->player];
    int star = action.number[0];
    int position = action.number[1];
    int color = action.number[2];
    int wilds = action.number[3];
    int wild = game->round - 1;
    int cost, earned, held;

    if (star < 0 || star >= GAME_STARS || position < 0 || position >= GAME_SPACES || color < 0 ||
        color >= GAME_COLORS || !rest_is_zero(action, 4) ||
        (seat->filled & board_space(star, position)) || !(seat->takes >> (8 * star + color) & 1))
        return false;
    cost = board_costs[game->board][star][position];
    if (!pay_is_legal(seat->tiles, cost, color, wild, wilds))
        return false;
    seat->tiles -= (uint64_t)(cost - wilds) << (8 * color);
    seat->tiles -= (uint64_t)wilds << (8 * wild);
    game->tower += (uint64_t)(cost - wilds - 1) << (8 * color);
    game->tower += (uint64_t)wilds << (8 * wild);
    board_fill(seat, (enum board_side)game->board, star, position, color);
    seat->score += board_run(board_star(seat->filled, star), position);
    earned = board_bonus(seat->filled, star, position);
    held = tiles_total(game->supply);
    game->bonus = (uint8_t)(earned < held ? earned : held);
    if (game->bonus > 0)
        game->phase = PHASE_BONUS;
    else
        finish_placing_turn(game);
    return true;
}

static bool apply_bonus(struct game *game, struct action action)
{
    uint64_t taken = action_tiles(action);

    if (!tiles_include(game->supply, taken) || tiles_total(taken) != game->bonus)
        return false;
    game->supply -= taken;
    game->seats[game->player].tiles += taken;
    game->bonus = 0;
    finish_placing_turn(game);
    return true;
}

static bool apply_pass(struct game *game, struct action action)
{
    struct game_seat *seat = &game->seats[game->player];
    uint64_t kept = action_tiles(action);
    uint64_t lost;

    if (!tiles_include(seat->tiles, kept) || tiles_total(kept) > GAME_CORNERS)
        return false;
    lost = seat->tiles - kept;
    seat->tiles = kept;
    game->tower += lost;
    lose_points(seat, tiles_total(lost));
    game->passed |= (uint8_t)(1u << game->player);
    finish_placing_turn(game);
    return true;
}

bool game_apply(struct game *game, struct action action)
{
    switch (game->phase) {
    case PHASE_DRAFT:
        return action.kind == ACTION_DRAFT && apply_draft(game, action);
    case PHASE_PLACE:
        if (action.kind == ACTION_PLACE)
            return apply_place(game, action);
        return action.kind == ACTION_PASS && apply_pass(game, action);
    case PHASE_BONUS:
        return action.kind == ACTION_BONUS && apply_bonus(game, action);
    default:
        return false;
    }
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
