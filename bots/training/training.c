/* SPDX-License-Identifier: MIT */
#include "bots/training/training.h"

#include <assert.h>
#include <string.h>

#include "engine/draw.h"
#include "engine/tiles.h"

/* ---- how a seat plays ---- */

static int32_t weigh(const struct policy *policy, const struct weights_set *set,
                     const struct game *game, struct action action)
{
    int64_t value = value_of_action(set, game, action, policy->lambda);
    struct game after = *game;
    int tiles;

    if (action.kind != ACTION_DRAFT || policy->tile_points == 0)
        return (int32_t)value;
    game_play(&after, action);
    tiles = tiles_total(after.seats[game->player].tiles - game->seats[game->player].tiles);
    return (int32_t)(value * policy->value_percent / 100 +
                     (int64_t)tiles * policy->tile_points * VALUE_POINT);
}

static struct action look_ahead(const struct policy *policy, struct search *search,
                                const struct game *game)
{
    int32_t worth;

    if (game_phase(game) != PHASE_DRAFT)
        return plan_make(search->set, game, game->player, game->bonus, POLICY_WIDTH, true).first;
    search->lambda = policy->lambda;
    search->depth_max = policy->depth;
    return search_draft(search, game, &worth);
}

struct action policy_choose(const struct policy *policy, struct search *search,
                            const struct game *game, uint64_t *random)
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game, actions);
    int32_t best_value = INT32_MIN;
    size_t best = 0;

    if (draw_below(draw_next(random), 1000) < (uint32_t)policy->random_permille &&
        (!policy->is_calm || game_phase(game) == PHASE_DRAFT))
        return actions[draw_below(draw_next(random), (uint32_t)count)];
    if (count == 1)
        return actions[0];
    if (policy->depth > 0)
        return look_ahead(policy, search, game);
    for (size_t i = 0; i < count; i++) {
        int32_t value;

        if (value_is_waste(game, actions[i]))
            continue;
        value = weigh(policy, search->set, game, actions[i]);
        if (value > best_value) {
            best_value = value;
            best = i;
        }
    }
    return actions[best];
}

/* ---- what a learner learns ---- */

static const float blend = 0.7f;

/* Records a position of a seat from which the trainer learns. */
static void note_seat(struct learner *learner, const struct outlook *outlook, int seat)
{
    struct moment *moment = &learner->moments[learner->moment_count++];

    assert(learner->moment_count <= MOMENTS_MAX);
    moment->seat = (uint8_t)seat;
    moment->round = (uint8_t)outlook->round;
    moment->kind = (uint8_t)outlook->kind;
    moment->score = outlook->seat->score;
    features_list(outlook, &moment->features);
}

static size_t first_of(const struct moment *moment)
{
    return (size_t)((moment->round - 1) * VALUE_KINDS + moment->kind) * WEIGHTS_COUNT;
}

static void correct(struct learner *learner, const struct moment *moment, float error)
{
    int32_t *weights = (int32_t *)&learner->set + first_of(moment);
    float *sums = learner->sums + first_of(moment);
    float *magnitudes = learner->magnitudes + first_of(moment);
    float share = error / (float)moment->features.count;
    float magnitude = share < 0 ? -share : share;

    for (size_t i = 0; i < moment->features.count; i++) {
        size_t at = moment->features.index[i];
        float sum = sums[at] < 0 ? -sums[at] : sums[at];
        float rate = magnitudes[at] > 0 ? sum / magnitudes[at] : 1;

        if (rate < learner->least_rate)
            rate = learner->least_rate;
        weights[at] += (int32_t)(share * rate * VALUE_POINT);
        sums[at] += share;
        magnitudes[at] += magnitude;
    }
}

static float value_of_moment(const struct learner *learner, const struct moment *moment)
{
    const int32_t *weights = (const int32_t *)&learner->set + first_of(moment);
    int32_t sum = 0;

    for (size_t i = 0; i < moment->features.count; i++)
        sum += weights[moment->features.index[i]];
    return (float)sum / VALUE_POINT;
}

/* Corrects the weights after a game, from the recorded positions. */
static void learn(struct learner *learner, const struct game *game)
{
    float goals[GAME_PLAYERS_MAX];

    for (int seat = 0; seat < game->player_count; seat++)
        goals[seat] = (float)game->seats[seat].score;
    for (size_t i = learner->moment_count; i-- > 0;) {
        const struct moment *moment = &learner->moments[i];
        float *goal = &goals[moment->seat];
        float expected = (float)moment->score + value_of_moment(learner, moment);
        float error = *goal - expected;

        correct(learner, moment, error);
        learner->squares += error * error;
        learner->error_count++;
        *goal = blend * *goal + (1 - blend) * expected;
    }
    learner->moment_count = 0;
}

void training_learn_again(struct learner *learner)
{
    for (size_t i = 0; i < sizeof learner->sums / sizeof *learner->sums; i++) {
        learner->sums[i] = (float)(AGAIN_POINTS * AGAIN_RATE_PERCENT) / 100;
        learner->magnitudes[i] = AGAIN_POINTS;
    }
}

/* ---- the games ---- */

enum {
    TRAINING_STREAM = 10, /* random stream of the trainer; engine/draw.h uses other streams */
};

/*
 * Policies of opponents. In `percent` of the games, one seat plays by this policy, and the others
 * are learners.
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
                                         .is_calm = training->is_calm,
                                         .depth = is_late ? training->depth : 0};
    for (size_t i = 0; i < sizeof opponents / sizeof *opponents; i++) {
        if (drawn < opponents[i].percent) {
            policies[other] = opponents[i].policy;
            policies[other].random_permille = random_permille;
            policies[other].is_calm = training->is_calm;
            return;
        }
        drawn -= opponents[i].percent;
    }
}

/* Records the position after an action, for learners' seats. */
static void note(struct learner *learner, const struct policy *policies, const struct game *before,
                 struct action action, const struct game *after)
{
    int seat = before->player;

    if (action.kind == ACTION_DRAFT) {
        for (int i = 0; i < after->player_count; i++) {
            struct outlook outlook = outlook_of_draft(after, i);

            if (policies[i].is_learner)
                note_seat(learner, &outlook, i);
        }
    } else if (policies[seat].is_learner) {
        struct step step = step_of(before, action);
        struct outlook outlook = outlook_of_place(before, &step.seat, seat, step.kind, step.bonus);

        outlook.supply = step.supply;
        /* The value after the last pass is exact: there is nothing to learn. */
        if (step.kind != VALUE_END || before->round < GAME_ROUNDS)
            note_seat(learner, &outlook, seat);
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
    training->search->values.weights = NULL; /* learning has changed the weights: sum them again */
    game_init(&game, training->player_count, training->side, seed);
    choose_policies(training, &random, policies);
    while (!game_is_over(&game)) {
        struct action action =
            policy_choose(&policies[game.player], training->search, &game, &random);

        before = game;
        game_play(&game, action);
        note(learner, policies, &before, action, &game);
    }
    learn(learner, &game);
    for (int seat = 0; seat < training->player_count; seat++)
        if (policies[seat].is_learner) {
            training->points += game.seats[seat].score;
            training->point_count++;
        }
    training->played++;
}
