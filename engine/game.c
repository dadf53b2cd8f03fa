/* SPDX-License-Identifier: MIT */
/*
 * The course of the game: the effects of an action up to the next decision or the end of the game;
 * turns, rounds and the final scoring. Each kind of action has a function that checks legality and
 * changes nothing, and a function that plays a legal action. See docs/rules.md, sections 4 to 7.
 */
#include "engine/game.h"

#include <assert.h>
#include <string.h>

#include "engine/board.h"
#include "engine/tiles.h"
#include "engine/turn.h"
#include "engine/word.h"

#define ONE_COLOR              UINT64_C(0xff)
#define ALL_COLORS             UINT64_C(0x3f)
#define AT_SOURCE(set, source) ((set) << (GAME_COLORS * (source)))

#define DRAFT(from, color)                                                                         \
    {                                                                                              \
        .word = (uint64_t)(uint8_t)((from) + GAME_SOURCE_CENTER) << 8 | (uint64_t)(color) << 16 |  \
                (uint64_t)ACTION_DRAFT,                                                            \
        .tiles = ONE_COLOR << (8 * (color)),                                                       \
        .others = ~(AT_SOURCE(ALL_COLORS, from) | AT_SOURCE(ALL_COLORS, 0)), .source = (from),     \
    }
#define DRAFTS(from)                                                                               \
    DRAFT(from, 0), DRAFT(from, 1), DRAFT(from, 2), DRAFT(from, 3), DRAFT(from, 4), DRAFT(from, 5)

const struct draft drafts[GAME_COLORS * (1 + GAME_DISPLAYS_MAX)] = {
    DRAFTS(0), DRAFTS(1), DRAFTS(2), DRAFTS(3), DRAFTS(4),
    DRAFTS(5), DRAFTS(6), DRAFTS(7), DRAFTS(8), DRAFTS(9),
};

void turn_begin_placing(struct game *game)
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
        turn_lose_points(seat, tiles_total(seat->tiles));
        game->tower += seat->tiles;
        seat->tiles = 0;
    }
    game->phase = PHASE_OVER;
    game->player = GAME_NOBODY;
}

/*
 * Ends the round. game_seat.tiles is the corners of a seat that has passed, else its hand; so
 * clearing game.passed makes the corners the hand.
 */
__attribute__((noinline)) static void finish_round(struct game *game)
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
        turn_begin_placing(game);
}

static void finish_placing_turn(struct game *game)
{
    int seat = game->player;

    if (tiles_total(game->supply) < GAME_SUPPLY_TILES)
        deal_supply(game);
    if (game->passed == (1u << game->player_count) - 1) {
        finish_round(game);
        return;
    }
    do
        seat = turn_seat_after(seat, game->player_count);
    while (game->passed >> seat & 1);
    game->player = (int8_t)seat;
    game->phase = PHASE_PLACE;
}

static bool can_draft(const struct game *game, uint64_t word)
{
    int source = word_number(word, 0) - GAME_SOURCE_CENTER;
    int color = word_number(word, 1);

    return word_kind(word) == ACTION_DRAFT && !word_rest(word, 2) && source >= 0 &&
           source <= GAME_DISPLAYS_MAX && color >= 0 && color < GAME_COLORS &&
           (game->offers >> (GAME_COLORS * source + color) & 1);
}

void turn_draft(struct game *game, uint64_t word)
{
    int source = word_number(word, 0) - GAME_SOURCE_CENTER;
    struct drafting drafting = drafting_begin(game);

    drafting_take(&drafting, game, &drafts[GAME_COLORS * source + word_number(word, 1)]);
    drafting_end(&drafting, game);
}

/* True if a payment is valid, like pay_list_ways, which computes all valid payments at once. */
static bool can_pay(uint64_t hand, int cost, int color, int wild, int wilds)
{
    int own = cost - wilds;

    return own >= 1 && own <= tiles_of(hand, color) && wilds >= 0 &&
           wilds <= (color == wild ? 0 : tiles_of(hand, wild));
}

static bool can_place(const struct game *game, uint64_t word)
{
    const struct game_seat *seat = &game->seats[game->player];
    int star = word_number(word, 0);
    int position = word_number(word, 1);
    int color = word_number(word, 2);

    if (word_rest(word, 4) || star < 0 || star >= GAME_STARS || position < 0 ||
        position >= GAME_SPACES || color < 0 || color >= GAME_COLORS ||
        (seat->filled & board_space(star, position)) || !(seat->takes >> (8 * star + color) & 1))
        return false;
    return can_pay(seat->tiles, board_costs[game->board][star][position], color, game->round - 1,
                   word_number(word, 3));
}

__attribute__((noinline)) void turn_place(struct game *game, uint64_t word)
{
    struct game_seat *seat = &game->seats[game->player];
    int star = word_number(word, 0);
    int position = word_number(word, 1);
    int color = word_number(word, 2);
    int wilds = word_number(word, 3);
    int wild = game->round - 1;
    int cost = board_costs[game->board][star][position];
    uint64_t spent = ((uint64_t)(cost - wilds) << (8 * color)) + ((uint64_t)wilds << (8 * wild));
    int earned, held;

    seat->tiles -= spent;
    game->tower += spent - tiles_one(color);
    board_fill(seat, (enum board_side)game->board, star, position, color);
    seat->score += board_run(board_star(seat->filled, star), position);
    earned = board_bonus(seat->filled, star, position);
    held = tiles_total(game->supply);
    game->bonus = (uint8_t)(earned < held ? earned : held);
    if (game->bonus > 0)
        game->phase = PHASE_BONUS;
    else
        finish_placing_turn(game);
}

static bool can_take_bonus(const struct game *game, uint64_t word)
{
    uint64_t taken = word_tiles(word);

    return word_kind(word) == ACTION_BONUS && tiles_include(game->supply, taken) &&
           tiles_total(taken) == game->bonus;
}

__attribute__((noinline)) void turn_take_bonus(struct game *game, uint64_t word)
{
    uint64_t taken = word_tiles(word);

    game->supply -= taken;
    game->seats[game->player].tiles += taken;
    game->bonus = 0;
    finish_placing_turn(game);
}

static bool can_pass(const struct game *game, uint64_t word)
{
    uint64_t kept = word_tiles(word);

    return word_kind(word) == ACTION_PASS && tiles_include(game->seats[game->player].tiles, kept) &&
           tiles_total(kept) <= GAME_CORNERS;
}

__attribute__((noinline)) void turn_pass(struct game *game, uint64_t word)
{
    struct game_seat *seat = &game->seats[game->player];
    uint64_t kept = word_tiles(word);
    uint64_t lost = seat->tiles - kept;

    seat->tiles = kept;
    game->tower += lost;
    turn_lose_points(seat, tiles_total(lost));
    game->passed |= (uint8_t)(1u << game->player);
    finish_placing_turn(game);
}

bool game_is_legal(const struct game *game, struct action action)
{
    uint64_t word = word_of(action);

    switch ((enum phase)game->phase) {
    case PHASE_DRAFT:
        return can_draft(game, word);
    case PHASE_PLACE:
        return word_kind(word) == ACTION_PLACE ? can_place(game, word) : can_pass(game, word);
    case PHASE_BONUS:
        return can_take_bonus(game, word);
    case PHASE_OVER:
        break;
    }
    return false;
}

bool game_apply(struct game *game, struct action action)
{
    if (!game_is_legal(game, action))
        return false;
    game_play(game, action);
    return true;
}

void game_play(struct game *game, struct action action)
{
    uint64_t word = word_of(action);

    switch ((enum action_kind)word_kind(word)) {
    case ACTION_DRAFT:
        turn_draft(game, word);
        return;
    case ACTION_PLACE:
        turn_place(game, word);
        return;
    case ACTION_BONUS:
        turn_take_bonus(game, word);
        return;
    case ACTION_PASS:
        turn_pass(game, word);
        return;
    }
}

/* ---- a game as a whole ---- */

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

int game_final_points(const struct game *game, int seat)
{
    return board_final_points(&game->seats[seat], (enum board_side)game->board);
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
