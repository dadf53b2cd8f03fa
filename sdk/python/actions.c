/* SPDX-License-Identifier: MIT */
/* The fixed list of all actions, and the form of a position as numbers. Knows no Python objects. */
#include <string.h>

#include "sdk/steady/tables.h"
#include "engine/tiles.h"
#include "sdk/python/lab.h"

enum {
    FIRST_PLACE = LAB_DRAFTS,
    FIRST_BONUS = FIRST_PLACE + LAB_PLACES,
    FIRST_PASS = FIRST_BONUS + LAB_CHOICES,
    CHOICE_TILES = 4,
    PLACE_WAYS = 6, /* number of ways to pay for a space: with 0 to 5 wild tiles */
};

/* All actions, in the order of game_legal_actions; lab_actions_init fills the list once. */
static struct action all_actions[LAB_ACTIONS];
static uint8_t ranks[5 * 5 * 5 * 5 * 5 * 5]; /* of choices, by digits_of */

/* Returns the counts of tiles of a choice, 0 to 4 each, as the digits of a number to the base 5. */
static unsigned digits_of(const int8_t counts[static GAME_COLORS])
{
    unsigned digits = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        digits = 5 * digits + (unsigned)counts[color];
    return digits;
}

/*
 * Lists choices of tiles in ascending order, from one color on. Returns the number of choices
 * listed so far.
 */
static int list_choices(int8_t counts[static GAME_COLORS], int color, int left, int rank)
{
    struct action bonus = {.kind = ACTION_BONUS}, pass = {.kind = ACTION_PASS};

    if (color < GAME_COLORS) {
        for (int count = 0; count <= left; count++) {
            counts[color] = (int8_t)count;
            rank = list_choices(counts, color + 1, left - count, rank);
        }
        return rank;
    }
    memcpy(bonus.number, counts, GAME_COLORS);
    memcpy(pass.number, counts, GAME_COLORS);
    all_actions[FIRST_BONUS + rank] = bonus;
    all_actions[FIRST_PASS + rank] = pass;
    ranks[digits_of(counts)] = (uint8_t)rank;
    return rank + 1;
}

void lab_actions_init(void)
{
    int8_t counts[GAME_COLORS] = {0};

    for (int i = 0; i < LAB_DRAFTS; i++)
        all_actions[i] = (struct action){
            ACTION_DRAFT,
            {(int8_t)(i / GAME_COLORS + GAME_SOURCE_CENTER), (int8_t)(i % GAME_COLORS)}};
    for (int i = 0; i < LAB_PLACES; i++) {
        int wilds = i % PLACE_WAYS, rest = i / PLACE_WAYS;

        all_actions[FIRST_PLACE + i] = (struct action){
            ACTION_PLACE,
            {(int8_t)(rest / GAME_COLORS / GAME_SPACES), (int8_t)(rest / GAME_COLORS % GAME_SPACES),
             (int8_t)(rest % GAME_COLORS), (int8_t)wilds}};
    }
    list_choices(counts, 0, CHOICE_TILES, 0);
}

struct action lab_action(int index)
{
    return all_actions[index];
}

int lab_index(struct action action)
{
    const int8_t *number = action.number;

    switch ((enum action_kind)action.kind) {
    case ACTION_DRAFT:
        return (number[0] - GAME_SOURCE_CENTER) * GAME_COLORS + number[1];
    case ACTION_PLACE:
        return FIRST_PLACE +
               ((number[0] * GAME_SPACES + number[1]) * GAME_COLORS + number[2]) * PLACE_WAYS +
               number[3];
    case ACTION_BONUS:
        return FIRST_BONUS + ranks[digits_of(number)];
    case ACTION_PASS:
        return FIRST_PASS + ranks[digits_of(number)];
    }
    return -1;
}

int lab_find(struct action action)
{
    for (int i = 0; i < LAB_ACTIONS; i++)
        if (action_compare(all_actions[i], action) == 0)
            return i;
    return -1;
}

void lab_write_mask(const struct game *game, uint8_t mask[static LAB_ACTIONS])
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game, actions);

    memset(mask, 0, LAB_ACTIONS);
    for (size_t i = 0; i < count; i++)
        mask[lab_index(actions[i])] = 1;
}

/* ---- positions as numbers, in the order of struct position ---- */

typedef uint8_t bytes_of_word __attribute__((vector_size(8)));
typedef int16_t row __attribute__((vector_size(16)));

/* Writes six counts of tiles and two zeros, over which the caller writes the next numbers. */
static int16_t *write_tiles(uint64_t tiles, int16_t *next)
{
    row counts = __builtin_convertvector((bytes_of_word)tiles, row);

    memcpy(next, &counts, sizeof counts);
    return next + GAME_COLORS;
}

static int16_t seat_from(const struct game *game, int seat, int viewer)
{
    int from = seat - viewer;

    return (int16_t)(seat < 0 ? seat : from < 0 ? from + game->player_count : from);
}

static int16_t *write_seat(const struct game_seat *seat, bool passed, int16_t *next)
{
    *next++ = (int16_t)(seat->score > INT16_MAX ? INT16_MAX : seat->score);
    next = write_tiles(passed ? 0 : seat->tiles, next);
    next = write_tiles(passed ? seat->tiles : 0, next);
    *next++ = passed;
    memset(next, 0xff, GAME_STARS * GAME_SPACES * sizeof *next); /* GAME_EMPTY */
    for (uint64_t left = seat->filled; left; left &= left - 1) {
        int star = __builtin_ctzll(left) / 8, position = __builtin_ctzll(left) % 8;

        next[star * GAME_SPACES + position] = (int16_t)(seat->colors[star] >> (4 * position) & 0xf);
    }
    return next + GAME_STARS * GAME_SPACES;
}

void lab_write_numbers(const struct game *game, int viewer, int16_t numbers[static LAB_NUMBERS])
{
    static const struct game_seat absent;
    int displays = 2 * game->player_count + 1;
    int16_t *next = numbers;

    *next++ = game->board;
    *next++ = game->player_count;
    *next++ = game->round;
    *next++ = game->phase;
    *next++ = seat_from(game, game->player, viewer);
    *next++ = (int16_t)(game->round - 1);
    *next++ = seat_from(game, game->start, viewer);
    *next++ = seat_from(game, game->token, viewer);
    *next++ = game->bonus;
    for (int display = 0; display < GAME_DISPLAYS_MAX; display++)
        next = write_tiles(display < displays ? game->sources[1 + display] : 0, next);
    next = write_tiles(game->sources[0], next);
    next = write_tiles(game->supply, next);
    next = write_tiles(game->bag, next);
    next = write_tiles(game->tower, next);
    for (int i = 0; i < GAME_PLAYERS_MAX; i++) {
        int seat = (i + viewer) % game->player_count;
        bool is_here = i < game->player_count;

        next = write_seat(is_here ? &game->seats[seat] : &absent,
                          is_here && (game->passed >> seat & 1), next);
    }
}

/* ---- the weights of steady ---- */

const struct weights_set *lab_weights(const struct game *game)
{
    static struct weights_set sets[GAME_PLAYERS_MAX - GAME_PLAYERS_MIN + 1][2];
    static bool loaded[GAME_PLAYERS_MAX - GAME_PLAYERS_MIN + 1][2];
    int players = game->player_count - GAME_PLAYERS_MIN;

    if (!loaded[players][game->board]) {
        tables_load(game->player_count, (enum board_side)game->board, &sets[players][game->board]);
        loaded[players][game->board] = true;
    }
    return &sets[players][game->board];
}
