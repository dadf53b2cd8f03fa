/* SPDX-License-Identifier: MIT */
#include "bots/browser/browser.h"

#include <stddef.h>
#include <string.h>

#include "bots/search/mind.h"
#include "sdk/steady/steady.h"
#include "sdk/policy.h"

static struct game game;
static struct position position;
static struct action actions[GAME_ACTIONS_MAX];
static size_t action_count;
static uint8_t seed[GAME_SEED_BYTES];
static struct mind mind; /* with the weights of steady, too */
static int looks_left, looks = 5000;
static int32_t leads[2];

/* Thinking times for mind_choose: with rollouts of drafts and placements, and without rollouts. */
enum {
    LONG_US = MIND_PLACE_US,
    SHORT_US = MIND_ROLLOUT_US - 1,
};

/* arena/site/play/game.js (function readPosition) reads the position at these offsets. */
static_assert(offsetof(struct position, displays) == 9, "displays");
static_assert(offsetof(struct position, seats) == 88, "seats");
static_assert(offsetof(struct position_seat, stars) == 17, "stars of a seat");
static_assert(sizeof(struct position_seat) == 60, "a seat");

uint8_t *table_seed(void)
{
    return seed;
}

const struct position *table_position(void)
{
    return &position;
}

const struct action *table_actions(void)
{
    return actions;
}

struct game *table_game(void)
{
    return &game;
}

int table_game_bytes(void)
{
    return sizeof game;
}

int table_deal(int player_count, int board)
{
    if (game.player_count != player_count || game.board != board) {
        mind_init(&mind);
        mind_begin(&mind, player_count, (enum board_side)board);
    }
    game_init(&game, player_count, (enum board_side)board, seed);
    return table_view();
}

int table_play(int index)
{
    game_play(&game, actions[index]);
    return table_view();
}

int table_view(void)
{
    game_view(&game, &position);
    action_count = game_is_over(&game) ? 0 : game_legal_actions(&game, actions);
    return (int)action_count;
}

static int index_of(struct action action)
{
    size_t index = 0;

    while (index + 1 < action_count && memcmp(&actions[index], &action, sizeof action) != 0)
        index++;
    return (int)index;
}

static bool is_enough(void *context)
{
    (void)context;
    return looks_left-- <= 0;
}

static struct action think(int64_t think_us)
{
    looks_left = looks;
    return mind_choose(&mind, &game, think_us, is_enough, NULL);
}

int table_choose(int bot)
{
    int32_t worth;

    switch ((enum table_bot)bot) {
    case TABLE_STEADY:
        return index_of(steady_choose(&mind.set, &game, &worth));
    case TABLE_MAESTRO:
        return index_of(think(LONG_US));
    case TABLE_GREEDY:
        break;
    }
    return index_of(sdk_greedy(NULL, &game));
}

void table_think(int count)
{
    looks = count;
}

int table_judge(int bot, int index)
{
    int32_t worths[2];
    struct action best =
        bot == TABLE_STEADY ? steady_choose(&mind.set, &game, &worths[0]) : think(SHORT_US);

    looks_left = looks;
    if (bot == TABLE_STEADY && game_phase(&game) == PHASE_DRAFT)
        worths[1] = value_of_action(&mind.set, &game, actions[index], MIND_LAMBDA);
    else
        mind_compare(&mind, &game, best, actions[index], worths);
    for (int i = 0; i < 2; i++)
        leads[i] = (int32_t)((int64_t)worths[i] * 100 / VALUE_POINT);
    return index_of(best);
}

const int32_t *table_leads(void)
{
    return leads;
}

int table_rank(int seat)
{
    return game_rank(&game, seat);
}

int table_final_points(int seat)
{
    return game_final_points(&game, seat);
}

uint64_t table_hash(void)
{
    return game_hash(&game);
}
