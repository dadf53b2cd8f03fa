/*
 * Looks ahead with copies of the game. Nobody can take a space from another seat, so it plans its
 * own next placements as if the others passed; it judges drafts, bonus tiles and passes by the
 * position that follows. It searches a fixed amount, not a fixed time, so that a match can be
 * repeated.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bots/lookahead/worth.h"
#include "sdk/sdk.h"

enum {
    DEPTH = 3, /* own placements to plan */
    WIDTH = 4, /* best-looking placements to try at each step */
};

/* An action and how good it looks. */
struct choice {
    int worth;
    struct action action;
};

static int weigh(const struct game *game, int seat)
{
    struct position position;

    game_view(game, &position);
    return worth_of_seat(&position, seat);
}

/* Plays passes for the others until the seat may place again or the round ends. */
static void skip_others(struct game *game, int seat)
{
    struct action actions[GAME_ACTIONS_MAX];

    while (game_phase(game) == PHASE_PLACE && game_turn(game) != seat) {
        size_t count = game_legal_actions(game, actions);

        game_apply(game, actions[count - 1]); /* passes are last in the list */
    }
}

static int by_worth_descending(const void *a, const void *b)
{
    const struct choice *left = a, *right = b;

    return (left->worth < right->worth) - (left->worth > right->worth);
}

/* Lists the legal placements or bonus choices, best looking first, without passes. */
static size_t list_choices(const struct game *game, int seat,
                           struct choice choices[static GAME_ACTIONS_MAX])
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t action_count = game_legal_actions(game, actions);
    size_t count = 0;

    for (size_t i = 0; i < action_count && actions[i].kind != ACTION_PASS; i++) {
        struct game after = *game;

        game_apply(&after, actions[i]);
        choices[count++] = (struct choice){weigh(&after, seat), actions[i]};
    }
    qsort(choices, count, sizeof *choices, by_worth_descending);
    return count;
}

/* Returns the best worth that the seat's next placements can reach. */
static int plan(const struct game *game, int seat, int depth)
{
    struct choice choices[GAME_ACTIONS_MAX];
    struct game mine = *game;
    int best;
    size_t count;

    skip_others(&mine, seat);
    best = weigh(&mine, seat);
    if (depth == 0 || game_phase(&mine) == PHASE_DRAFT || game_phase(&mine) == PHASE_OVER)
        return best;
    count = list_choices(&mine, seat, choices);
    for (size_t i = 0; i < count && i < WIDTH; i++) {
        struct game after = mine;
        int worth;

        game_apply(&after, choices[i].action);
        worth = plan(&after, seat, depth - 1);
        if (worth > best)
            best = worth;
    }
    return best;
}

static struct action play(void *self, const struct sdk_turn *turn)
{
    int seat = turn->hello->seat;
    size_t best = 0;
    int best_worth = INT32_MIN;

    (void)self;
    for (size_t i = 0; i < turn->action_count; i++) {
        struct game after = *turn->game;
        int worth;

        game_apply(&after, turn->actions[i]);
        worth = turn->actions[i].kind == ACTION_PLACE ? plan(&after, seat, DEPTH - 1)
                                                      : weigh(&after, seat);
        if (worth > best_worth) {
            best = i;
            best_worth = worth;
        }
    }
    snprintf(turn->note, WIRE_NOTE_BYTES_MAX + 1, "the best of %zu: worth %d points",
             turn->action_count, best_worth / WORTH_POINT);
    return turn->actions[best];
}

int main(void)
{
    return sdk_run(&(struct sdk_bot){.name = "lookahead", .version = "1", .play_fn = play}, NULL);
}
