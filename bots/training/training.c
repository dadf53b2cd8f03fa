#include "bots/training/training.h"

#include <string.h>

#include "engine/draw.h"

enum {
    TRAINING_STREAM = 10, /* for the seeds of games and of random choices; different from the
                             streams in engine/draw.h */
};

/*
 * The learners' opponents, as a percentage of the games. One seat of the table plays in this way.
 */
static const struct {
    int percent;
    struct policy policy;
} opponents[] = {
    {20, {.lambda = 0, .value_percent = 100}},
    {10, {.lambda = POLICY_LAMBDA / 2, .value_percent = 100}},
    {20, {.lambda = POLICY_LAMBDA, .tile_points = 5, .value_percent = 5}},
    {10, {.lambda = POLICY_LAMBDA, .tile_points = 5, .value_percent = 40}},
};

static void choose_policies(const struct training *training, uint64_t *random,
                            struct policy policies[static GAME_PLAYERS_MAX])
{
    bool is_late = (uint64_t)training->played * 100 >=
                   (uint64_t)training->game_count * (uint64_t)training->one_ply_percent;
    int random_permille = draw_next(random) >> 63 ? 30 : 0;
    int drawn = (int)draw_below(draw_next(random), 100);
    int other = (int)draw_below(draw_next(random), (uint32_t)training->player_count);

    for (int seat = 0; seat < training->player_count; seat++)
        policies[seat] = (struct policy){.is_learner = true,
                                         .lambda = POLICY_LAMBDA,
                                         .value_percent = 100,
                                         .random_permille = random_permille,
                                         .looks_ahead = is_late};
    for (size_t i = 0; i < sizeof opponents / sizeof *opponents; i++) {
        if (drawn < opponents[i].percent) {
            policies[other] = opponents[i].policy;
            policies[other].random_permille = random_permille;
            return;
        }
        drawn -= opponents[i].percent;
    }
}

/* Records the position after an action. */
static void note(struct learner *learner, const struct policy *policies, const struct game *before,
                 struct action action, const struct game *after)
{
    int seat = before->player;

    if (action.kind == ACTION_DRAFT) {
        for (int i = 0; i < after->player_count; i++) {
            struct outlook outlook = outlook_of_draft(after, i);

            if (policies[i].is_learner)
                learner_note(learner, &outlook, i);
        }
    } else if (policies[seat].is_learner) {
        struct step step = step_of(before, action);
        struct outlook outlook = outlook_of_place(before, &step.seat, seat, step.kind, step.bonus);

        outlook.supply = step.supply;
        /* The last position's value is exact. */
        if (step.kind != VALUE_END || before->round < GAME_ROUNDS)
            learner_note(learner, &outlook, seat);
    }
}

void training_play(struct training *training)
{
    struct learner *learner = training->learner;
    struct policy policies[GAME_PLAYERS_MAX];
    struct game game, before;
    uint64_t halves[2], random;
    uint8_t seed[GAME_SEED_BYTES];

    for (uint32_t i = 0; i < 2; i++)
        halves[i] = draw_number(training->seed, TRAINING_STREAM, 3 * training->played + i);
    random = draw_number(training->seed, TRAINING_STREAM, 3 * training->played + 2);
    memcpy(seed, halves, sizeof seed);
    training->search->set = &learner->set;
    training->search->values.weights = NULL; /* the weights have changed */
    game_init(&game, training->player_count, training->side, seed);
    choose_policies(training, &random, policies);
    while (!game_is_over(&game)) {
        struct action action =
            policy_choose(&policies[game.player], training->search, &game, &random);

        before = game;
        game_play(&game, action);
        note(learner, policies, &before, action, &game);
    }
    learner_learn(learner, &game);
    for (int seat = 0; seat < training->player_count; seat++)
        if (policies[seat].is_learner) {
            training->points += game.seats[seat].score;
            training->point_count++;
        }
    training->played++;
}
