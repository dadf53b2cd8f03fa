/* Takes the most points that it can get now, counting each bonus tile as 4. */
#include "sdk/sdk.h"

enum {
    BONUS_TILE_POINTS = 4,
    /* Among actions with equal points, prefers those that leave more tiles in the hand. */
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
    /* Not 0 only while this seat chooses bonus tiles. */
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
