/*
 * A bot that chooses the draft after which its position has the highest value, by weights learned
 * from self-play (bots/value/weights.h lists the features); ignores the other seats' replies. Plans
 * its placements by beam search, up to the best pass.
 */
#include "bots/search/plan.h"
#include "bots/value/tables.h"
#include "sdk/sdk.h"

enum {
    LAMBDA = 256,   /* the other seats' average counts as much as the bot's own points */
    PLAN_WIDTH = 4, /* width of the beam search: sequences of placements examined in parallel */
};

struct steady {
    struct weights_set weights; /* weights for the match's number of players and board side */
};

static void begin(void *self, const struct wire_hello *hello)
{
    struct steady *steady = self;

    tables_load(hello->player_count, hello->board, &steady->weights);
}

static struct action draft(const struct steady *steady, const struct sdk_turn *turn)
{
    int32_t best_value = INT32_MIN;
    size_t best = 0;

    for (size_t i = 0; i < turn->action_count; i++) {
        struct game after = *turn->game;
        int32_t value;

        game_apply(&after, turn->actions[i]);
        value = value_of_draft(&steady->weights, &after, turn->hello->seat, LAMBDA);
        if (value > best_value) {
            best_value = value;
            best = i;
        }
    }
    sdk_note(turn, "the best of %zu: %+.1f points", turn->action_count,
             (double)best_value / VALUE_POINT);
    return turn->actions[best];
}

static struct action place(const struct steady *steady, const struct sdk_turn *turn)
{
    struct plan plan = plan_make(&steady->weights, turn->game, turn->hello->seat,
                                 turn->state->bonus, PLAN_WIDTH, true);

    sdk_note(turn, "a plan for %.1f points at the end", (double)plan.worth / VALUE_POINT);
    return plan.first;
}

static struct action play(void *self, const struct sdk_turn *turn)
{
    return turn->state->phase == PHASE_DRAFT ? draft(self, turn) : place(self, turn);
}

int main(void)
{
    static struct steady steady;

    return sdk_run(
        &(struct sdk_bot){.name = "steady", .version = "1", .hello_fn = begin, .play_fn = play},
        &steady);
}
