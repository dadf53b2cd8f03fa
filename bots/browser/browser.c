#include "bots/browser/browser.h"

#include <stddef.h>
#include <string.h>

#include "bots/search/policy.h"
#include "bots/value/tables.h"

static struct game game;
static struct position position;
static struct action actions[GAME_ACTIONS_MAX];
static size_t action_count;
static uint8_t seed[GAME_SEED_BYTES];
static uint8_t file[TABLES_BYTES_MAX];
static struct weights_set weights;

/* arena/site/play/game.js (function readPosition) reads the position at these offsets. */
static_assert(offsetof(struct position, displays) == 9, "displays");
static_assert(offsetof(struct position, seats) == 88, "seats");
static_assert(offsetof(struct position_seat, stars) == 17, "stars of a seat");
static_assert(sizeof(struct position_seat) == 60, "a seat");

uint8_t *table_seed(void)
{
    return seed;
}

uint8_t *table_file(void)
{
    return file;
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

bool table_load(int size)
{
    struct tables_header header;

    return size <= TABLES_BYTES_MAX && !tables_unpack(file, (size_t)size, &header, &weights);
}

int table_deal(int player_count, int board)
{
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

int table_choose(int bot)
{
    int32_t worth;
    struct action action =
        bot == TABLE_STEADY ? policy_steady(&weights, &game, &worth) : policy_greedy(&game);
    size_t index = 0;

    while (index + 1 < action_count && memcmp(&actions[index], &action, sizeof action) != 0)
        index++;
    return (int)index;
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
