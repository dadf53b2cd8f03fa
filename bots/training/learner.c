#include "bots/training/learner.h"

#include <assert.h>

static const float blend = 0.7f;

void learner_note(struct learner *learner, const struct outlook *outlook, int seat)
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

void learner_learn(struct learner *learner, const struct game *game)
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
