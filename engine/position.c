/* SPDX-License-Identifier: MIT */
/*
 * Converts a game to a readable position and back. A game set up from a position that passes the
 * checks can be played to its end, even if no real game leads to the position.
 */
#include <string.h>

#include "engine/board.h"
#include "engine/game.h"
#include "engine/tiles.h"
#include "engine/turn.h"

enum {
    SCORE_MAX = 1000000, /* largest score of a position; far below the limit of int32_t */
    BONUS_MAX = 3,       /* bonus tiles that one placement can earn */
};

static void spread_tiles(uint64_t tiles, uint8_t counts[static GAME_COLORS])
{
    for (int color = 0; color < GAME_COLORS; color++)
        counts[color] = (uint8_t)tiles_of(tiles, color);
}

static void view_seat(const struct game_seat *seat, bool passed, struct position_seat *view)
{
    view->score = seat->score;
    view->passed = passed;
    spread_tiles(passed ? 0 : seat->tiles, view->hand);
    spread_tiles(passed ? seat->tiles : 0, view->corners);
    for (int star = 0; star < GAME_STARS; star++)
        for (int position = 0; position < GAME_SPACES; position++) {
            bool filled = seat->filled & board_space(star, position);
            int color = (int)(seat->colors[star] >> (4 * position) & 0xf);

            view->stars[star][position] = (int8_t)(filled ? color : GAME_EMPTY);
        }
}

void game_view(const struct game *game, struct position *position)
{
    memset(position, 0, sizeof *position);
    position->board = game->board;
    position->player_count = game->player_count;
    position->round = game->round;
    position->phase = game->phase;
    position->player = game->player;
    position->wild = (uint8_t)(game->round - 1);
    position->start = game->start;
    position->token = game->token;
    position->bonus = game->bonus;
    for (int display = 0; display < 2 * game->player_count + 1; display++)
        spread_tiles(game->sources[1 + display], position->displays[display]);
    spread_tiles(game->sources[0], position->center);
    spread_tiles(game->supply, position->supply);
    spread_tiles(game->bag, position->bag);
    spread_tiles(game->tower, position->tower);
    for (int seat = 0; seat < game->player_count; seat++)
        view_seat(&game->seats[seat], game->passed >> seat & 1, &position->seats[seat]);
}

static int count_tiles(const uint8_t counts[static GAME_COLORS])
{
    int total = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        total += counts[color];
    return total;
}

static uint64_t gather_tiles(const uint8_t counts[static GAME_COLORS])
{
    uint64_t tiles = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        tiles += (uint64_t)counts[color] << (8 * color);
    return tiles;
}

/* Checks each number of a position on its own. Returns NULL or what is wrong. */
static const char *check_ranges(const struct position *position)
{
    int players = position->player_count;

    if (position->board > BOARD_GRAY)
        return "the board is neither colored nor gray";
    if (players < GAME_PLAYERS_MIN || players > GAME_PLAYERS_MAX)
        return "there are fewer than 2 or more than 4 players";
    if (position->round < 1 || position->round > GAME_ROUNDS)
        return "the round is not 1 to 6";
    if (position->phase > PHASE_OVER)
        return "the phase is unknown";
    if (position->wild != position->round - 1)
        return "the wild color is not the wild color of the round";
    if (position->start >= players)
        return "the start player has no seat";
    if (position->token < GAME_NOBODY || position->token >= players)
        return "the player who holds the token has no seat";
    if (position->phase == PHASE_OVER)
        return position->player == GAME_NOBODY ? NULL
                                               : "the game is over, but a player still has to act";
    if (position->player < 0 || position->player >= players)
        return "the player to act has no seat";
    return NULL;
}

static void add_tiles(int sums[static GAME_COLORS], const uint8_t counts[static GAME_COLORS])
{
    for (int color = 0; color < GAME_COLORS; color++)
        sums[color] += counts[color];
}

/* Checks the number of tiles of each color. The colors on the stars must already be checked. */
static const char *check_tile_sum(const struct position *position)
{
    static const char *const refusals[GAME_COLORS] = {
        "purple does not have 22 tiles in all", "green does not have 22 tiles in all",
        "orange does not have 22 tiles in all", "yellow does not have 22 tiles in all",
        "blue does not have 22 tiles in all",   "red does not have 22 tiles in all",
    };
    int sums[GAME_COLORS + 1] = {
        0}; /* sums[0] counts empty spaces (color -1), so that the loop needs no condition */
    int *by_color = sums + 1;

    add_tiles(by_color, position->center);
    add_tiles(by_color, position->supply);
    add_tiles(by_color, position->bag);
    add_tiles(by_color, position->tower);
    for (int display = 0; display < 2 * position->player_count + 1; display++)
        add_tiles(by_color, position->displays[display]);
    for (int i = 0; i < position->player_count; i++) {
        const struct position_seat *seat = &position->seats[i];

        add_tiles(by_color, seat->hand);
        add_tiles(by_color, seat->corners);
        for (int star = 0; star < GAME_STARS; star++)
            for (int space = 0; space < GAME_SPACES; space++)
                by_color[seat->stars[star][space]]++;
    }
    for (int color = 0; color < GAME_COLORS; color++)
        if (by_color[color] != GAME_TILES_PER_COLOR)
            return refusals[color];
    return NULL;
}

/*
 * Checks that displays, center and supply hold tiles only in the phases in which the rules allow
 * it.
 */
static const char *check_table(const struct position *position)
{
    int offered = count_tiles(position->center);

    for (int display = 0; display < 2 * position->player_count + 1; display++) {
        int tiles = count_tiles(position->displays[display]);

        if (tiles > GAME_DISPLAY_TILES)
            return "a display holds more than 4 tiles";
        offered += tiles;
    }
    if (count_tiles(position->supply) > GAME_SUPPLY_TILES)
        return "the supply holds more than 10 tiles";
    if (position->phase == PHASE_DRAFT && offered == 0)
        return "nothing is left to draft";
    if (position->phase != PHASE_DRAFT && offered > 0)
        return "tiles are left to draft, but the draft phase is over";
    if (position->phase != PHASE_DRAFT && position->token != GAME_NOBODY &&
        position->token != position->start)
        return "the player who holds the token is not the start player";
    if (position->phase == PHASE_OVER && position->round != GAME_ROUNDS)
        return "the game is over before the end of round 6";
    if (position->phase != PHASE_BONUS)
        return position->bonus == 0
                   ? NULL
                   : "a player must take bonus tiles, but the phase is not the bonus phase";
    if (position->bonus < 1 || position->bonus > BONUS_MAX)
        return "the number of bonus tiles to take is not 1 to 3";
    if (position->bonus > count_tiles(position->supply))
        return "a player must take more bonus tiles than the supply holds";
    return NULL;
}

static const char *check_seat(const struct position *position, int number)
{
    const struct position_seat *seat = &position->seats[number];
    int corners = count_tiles(seat->corners);

    if (seat->score < GAME_SCORE_MIN)
        return "a score is below 1";
    if (seat->score > SCORE_MAX)
        return "a score is above 1000000";
    if (corners > GAME_CORNERS)
        return "more than 4 tiles lie on the corners";
    if (corners > 0 && (!seat->passed || position->phase == PHASE_OVER))
        return "tiles lie on a player's corners, but the player has not passed or the game is over";
    if (seat->passed && count_tiles(seat->hand) > 0)
        return "a player has passed, but still has tiles in hand";
    if (seat->passed && position->phase == PHASE_DRAFT)
        return "a player has passed during the draft phase";
    if (seat->passed && number == position->player)
        return "the player to act has passed";
    if (!seat->passed && position->phase == PHASE_OVER)
        return "the game is over, but a player has not passed";
    return NULL;
}

/*
 * Fills the spaces of a seat one by one. Returns a fault if the rules forbid a tile on its space.
 */
static const char *fill_stars(struct game_seat *seat, enum board_side side,
                              const struct position_seat *view)
{
    seat->takes = board_takes(side);
    for (int star = 0; star < GAME_STARS; star++)
        for (int position = 0; position < GAME_SPACES; position++) {
            int color = view->stars[star][position];

            if (color == GAME_EMPTY)
                continue;
            if (color < 0 || color >= GAME_COLORS)
                return "a space holds an unknown color";
            if (!(seat->takes >> (8 * star + color) & 1))
                return "a star holds a color that the rules do not allow";
            board_fill(seat, side, star, position, color);
        }
    return NULL;
}

static const char *set_up_seats(struct game *game, const struct position *position)
{
    for (int i = 0; i < position->player_count; i++) {
        const struct position_seat *view = &position->seats[i];
        struct game_seat *seat = &game->seats[i];
        const char *refusal = check_seat(position, i);

        if (!refusal)
            refusal = fill_stars(seat, (enum board_side)position->board, view);
        if (refusal)
            return refusal;
        seat->score = view->score;
        seat->tiles = gather_tiles(view->passed ? view->corners : view->hand);
        game->passed |= (uint8_t)(view->passed ? 1u << i : 0);
    }
    return NULL;
}

static void set_up_table(struct game *game, const struct position *position)
{
    game->board = position->board;
    game->player_count = position->player_count;
    game->round = position->round;
    game->phase = position->phase;
    game->player = position->player;
    game->start = position->start;
    game->token = position->token;
    game->bonus = position->bonus;
    game->supply = gather_tiles(position->supply);
    game->bag = gather_tiles(position->bag);
    game->tower = gather_tiles(position->tower);
    game->sources[0] = gather_tiles(position->center);
    for (int display = 0; display < 2 * position->player_count + 1; display++)
        game->sources[1 + display] = gather_tiles(position->displays[display]);
    for (int source = 0; source <= GAME_DISPLAYS_MAX; source++)
        game->offers |= (uint64_t)deal_offer(game->sources[source], position->wild) << (6 * source);
}

const char *game_from_position(struct game *game, const struct position *position,
                               const uint8_t seed[static GAME_SEED_BYTES])
{
    struct game built;
    const char *refusal = check_ranges(position);

    memset(&built, 0, sizeof built);
    if (!refusal)
        refusal = check_table(position);
    if (!refusal)
        refusal = set_up_seats(&built, position);
    if (!refusal)
        refusal = check_tile_sum(position);
    if (refusal)
        return refusal;
    set_up_table(&built, position);
    memcpy(built.seed, seed, GAME_SEED_BYTES);
    *game = built;
    return NULL;
}

static uint64_t mix_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

uint64_t game_hash(const struct game *game)
{
    uint64_t hash = 0;

    hash = mix_word(hash, (uint64_t)game->board | (uint64_t)game->player_count << 8 |
                              (uint64_t)game->round << 16 | (uint64_t)game->phase << 24 |
                              (uint64_t)(uint8_t)game->player << 32 | (uint64_t)game->start << 40 |
                              (uint64_t)(uint8_t)game->token << 48 | (uint64_t)game->bonus << 56);
    for (int source = 0; source <= 2 * game->player_count + 1; source++)
        hash = mix_word(hash, game->sources[source]);
    hash = mix_word(hash, game->supply);
    hash = mix_word(hash, game->bag);
    hash = mix_word(hash, game->tower | (uint64_t)game->passed << 56);
    for (int i = 0; i < game->player_count; i++) {
        const struct game_seat *seat = &game->seats[i];

        hash = mix_word(hash, seat->tiles);
        hash = mix_word(hash, seat->filled);
        for (int star = 0; star < GAME_STARS; star += 2)
            hash = mix_word(hash, seat->colors[star] |
                                      (uint64_t)(star + 1 < GAME_STARS ? seat->colors[star + 1]
                                                                       : (uint32_t)seat->score)
                                          << 32);
    }
    return hash;
}
