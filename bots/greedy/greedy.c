/* A bot that takes the action with the most immediate points, counting a bonus tile as 4 points. */
#include "sdk/sdk.h"

enum {
    BONUS_TILE_POINTS = 4,
    /* Weight of a point against a tile in the hand: tiles decide only between equal points. */
    POINT_WEIGHT = 256,
};

static int count_tiles(const struct position_seat *seat)
{
    int count = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        count += seat->hand[color] + seat->corners[color];
    return count;
}

static int weigh(const struct game *game, struct action action, int seat)
{
    struct game after = *game;
    struct position position;
    int points;

    game_apply(&after, action);
    game_view(&after, &position);
    points = game_score(&after, seat) - game_score(game, seat);
    /* position.bonus is not 0 only if the action has earned this seat bonus tiles. */
    points += BONUS_TILE_POINTS * position.bonus;
    return POINT_WEIGHT * points + count_tiles(&position.seats[seat]);
}

static struct action play(void *self, const struct sdk_turn *turn)
{
    size_t best = 0;
    int best_weight = weigh(turn->game, turn->actions[0], turn->hello->seat);

    (void)self;
    for (size_t i = 1; i < turn->action_count; i++) {
        int weight = weigh(turn->game, turn->actions[i], turn->hello->seat);

        if (weight > best_weight) {
            best = i;
            best_weight = weight;
        }
    }
    return turn->actions[best];
}

int main(void)
{
    return sdk_run(&(struct sdk_bot){.name = "greedy", .version = "1", .play_fn = play}, NULL);
}
