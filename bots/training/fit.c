/* SPDX-License-Identifier: MIT */
#include "bots/training/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/draw.h"

enum {
    FIT_STREAM = 11, /* random stream of the fit; engine/draw.h uses other streams */
    FIT_WIDTH = 4,   /* beam width of the plans by which seats place */
    FIT_TRIES = 5,   /* attempts to find a second end that differs from the first */
    FIT_BATCH = 512, /* examples between two steps, or all if they are fewer */
    FIT_HELD = 10,   /* one of so many games is not learned from */
};

/* Probabilities, in permille, of a random draft in a draft phase. */
static const uint32_t noises[] = {0, 50, 150, 300};

/* The end of a draft phase. */
struct end {
    struct game_seat seats[2];
    struct plan plans[2];
    int32_t linear[2];
    uint64_t supply, bag;
    uint8_t start;
};

/* An end, and what it led to: the end of the next draft phase, or the end of the game. */
struct example {
    struct end end, next;
    int32_t final_lead; /* points of seat 0 minus points of seat 1, after round 6 */
};

enum {
    PAIR = 2, /* examples of each game and round */
};

/* ---- the games ---- */

static void note(struct rollout *rollout, const struct game *game, struct end *end)
{
    *end = (struct end){.supply = game->supply, .bag = game->bag, .start = game->start};
    drafting_prepare(&rollout->values, rollout->set, game);
    for (int i = 0; i < 2; i++) {
        end->seats[i] = game->seats[i];
        end->plans[i] = plan_make(rollout->set, game, i, 0, NET_PLAN_WIDTH, false);
        end->linear[i] = drafting_worth(&rollout->values, game, i, 0, 0);
    }
}

static void place(const struct rollout *rollout, struct game *game)
{
    int round = game->round;

    while (!game_is_over(game) && game->round == round)
        game_play(game,
                  plan_make(rollout->set, game, game->player, game->bonus, FIT_WIDTH, true).first);
}

static uint32_t draw_noise(uint64_t *random, uint32_t first)
{
    const uint32_t count = sizeof noises / sizeof *noises;

    return noises[first + draw_below(draw_next(random), count - first)];
}

static void draw_seed(uint64_t *random, uint8_t seed[static GAME_SEED_BYTES])
{
    uint64_t halves[2] = {draw_next(random), draw_next(random)};

    memcpy(seed, halves, sizeof halves);
}

/* Plays a round from its deal, twice. *game goes on to the next round from the first end. */
static void play_round(struct rollout *rollout, struct game *game, uint64_t *random,
                       struct example examples[static PAIR])
{
    struct game ends[PAIR] = {*game, *game};
    uint8_t seed[GAME_SEED_BYTES];

    rollout_draft(rollout, &ends[0], draw_noise(random, 0), random);
    for (int i = 0; i < FIT_TRIES; i++) {
        ends[1] = *game;
        rollout_draft(rollout, &ends[1], draw_noise(random, 1), random);
        if (ends[0].seats[0].tiles != ends[1].seats[0].tiles || ends[0].start != ends[1].start)
            break;
    }
    draw_seed(random, seed);
    for (int i = 0; i < PAIR; i++) {
        struct game *end = &ends[i];

        note(rollout, end, &examples[i].end);
        game_reseed(end, seed);
        place(rollout, end);
        if (i == 0)
            *game = *end;
        if (game_is_over(end)) {
            examples[i].final_lead = game_score(end, 0) - game_score(end, 1);
            continue;
        }
        rollout_draft(rollout, end, 0, NULL);
        note(rollout, end, &examples[i].next);
    }
}

static void play(const struct fit *fit, struct rollout *rollout, uint32_t number,
                 struct example examples[static GAME_ROUNDS * PAIR])
{
    uint8_t key[GAME_SEED_BYTES] = {0}, seed[GAME_SEED_BYTES];
    struct game game;
    uint64_t random;

    memcpy(key, &fit->seed, sizeof fit->seed);
    random = draw_number(key, FIT_STREAM, number);
    draw_seed(&random, seed);
    game_init(&game, 2, BOARD_COLORED, seed);
    for (int round = 0; round < GAME_ROUNDS; round++)
        play_round(rollout, &game, &random, &examples[PAIR * round]);
}

/* ---- the networks ---- */

/* A network before its weights are rounded to integers. */
struct learned {
    float weights[NET_INPUTS][NET_COLUMNS], outputs[NET_COLUMNS];
};

struct learner {
    struct learned now;
    struct learned slope;        /* of the batch's mean squared error, by weight */
    struct learned mean, square; /* running means of slopes and of their squares (Adam) */
    float sizes[NET_INPUTS];     /* root of the mean square of each input, at least 1 */
    uint32_t batch;              /* examples between two steps */
    long step_count;
};

static void view_end(const struct end *end, int seat, struct net_view *view)
{
    *view = (struct net_view){.seat = &end->seats[seat],
                              .plan = &end->plans[seat],
                              .linear = end->linear[seat],
                              .supply = end->supply,
                              .bag = end->bag,
                              .is_start = end->start == seat};
}

/* Returns the lead of seat 0 by the blend of weights and plans, in points. */
static float base_lead(const struct end *end)
{
    struct net_view views[2];

    view_end(end, 0, &views[0]);
    view_end(end, 1, &views[1]);
    return (float)(net_base(&views[0]) - net_base(&views[1])) / VALUE_POINT;
}

static float net_lead(const struct net *net, const struct end *end)
{
    struct net_half halves[2];

    for (int i = 0; i < 2; i++) {
        struct net_view view;

        view_end(end, i, &view);
        net_halve(net, &view, &halves[i]);
    }
    return (float)(net_worth(net, &halves[0], &halves[1]) - net_worth(net, &halves[1], &halves[0]) +
                   VALUE_POINT * (end->seats[0].score - end->seats[1].score)) /
           VALUE_POINT;
}

/* Returns the lead to learn. `next` is the network of the next round, NULL in round 6. */
static float goal_of(const struct example *example, const struct net *next)
{
    return next ? net_lead(next, &example->next) : (float)example->final_lead;
}

/* Adds the inputs that seat `from` contributes to the worth of `to`. */
static void add_inputs(const struct learned *learned, const struct net_inputs *inputs, bool is_own,
                       float sums[static NET_COLUMNS])
{
    int first = is_own ? 0 : inputs->own_count, end = is_own ? inputs->own_count : inputs->count;

    for (int i = first; i < end; i++) {
        const float *weights = learned->weights[inputs->index[i]];
        float value = (float)inputs->value[i];

        for (int column = 0; column < NET_COLUMNS; column++)
            sums[column] += value * weights[column];
    }
}

static void add_slopes(struct learned *slope, const struct net_inputs *inputs, bool is_own,
                       const float slopes[static NET_COLUMNS])
{
    int first = is_own ? 0 : inputs->own_count, end = is_own ? inputs->own_count : inputs->count;

    for (int i = first; i < end; i++) {
        float *weights = slope->weights[inputs->index[i]];
        float value = (float)inputs->value[i];

        for (int column = 0; column < NET_COLUMNS; column++)
            weights[column] += value * slopes[column];
    }
}

/* Adds to the slope of the squared error of one example. */
static void look_at(struct learner *learner, const struct end *end, float goal)
{
    float sums[2][NET_COLUMNS] = {{0}}, lead = base_lead(end), error;
    struct net_inputs inputs[2];

    for (int i = 0; i < 2; i++) {
        struct net_view view;

        view_end(end, i, &view);
        net_list(&view, &inputs[i]);
    }
    for (int i = 0; i < 2; i++) {
        float worth;

        add_inputs(&learner->now, &inputs[i], true, sums[i]);
        add_inputs(&learner->now, &inputs[1 - i], false, sums[i]);
        worth = sums[i][NET_LINE];
        for (int column = 0; column < NET_LINE; column++)
            worth += sums[i][column] > 0 ? sums[i][column] * learner->now.outputs[column] : 0;
        lead += i == 0 ? worth : -worth;
    }
    error = (lead - goal) / (float)learner->batch;
    for (int i = 0; i < 2; i++) {
        float own = i == 0 ? error : -error, slopes[NET_COLUMNS];

        for (int column = 0; column < NET_LINE; column++) {
            bool is_on = sums[i][column] > 0;

            slopes[column] = is_on ? own * learner->now.outputs[column] : 0;
            learner->slope.outputs[column] += is_on ? own * sums[i][column] : 0;
        }
        slopes[NET_LINE] = own;
        add_slopes(&learner->slope, &inputs[i], true, slopes);
        add_slopes(&learner->slope, &inputs[1 - i], false, slopes);
    }
}

static float step_of_one(float *slope, float *mean, float *square, float rate)
{
    *mean += 0.1f * (*slope - *mean);
    *square += 0.001f * (*slope * *slope - *square);
    *slope = 0;
    return rate * *mean / (sqrtf(*square) + 1e-8f);
}

/* A step of Adam. */
static void step(struct learner *learner, float rate)
{
    float first = 1, second = 1;

    learner->step_count++;
    for (long i = 0; i < learner->step_count && first > 1e-9f; i++)
        first *= 0.9f;
    for (long i = 0; i < learner->step_count && second > 1e-9f; i++)
        second *= 0.999f;
    rate *= sqrtf(1 - second) / (1 - first);
    for (int i = 0; i < NET_INPUTS; i++)
        for (int column = 0; column < NET_COLUMNS; column++)
            learner->now.weights[i][column] -=
                step_of_one(&learner->slope.weights[i][column], &learner->mean.weights[i][column],
                            &learner->square.weights[i][column], rate / learner->sizes[i]);
    for (int column = 0; column < NET_LINE; column++)
        learner->now.outputs[column] -=
            step_of_one(&learner->slope.outputs[column], &learner->mean.outputs[column],
                        &learner->square.outputs[column], rate);
}

/* Begins with weights from a narrow range around 0; the sum of a column is then about 1. */
static void begin(struct learner *learner, const struct example *examples, uint32_t count,
                  uint64_t *random)
{
    memset(learner, 0, sizeof *learner);
    for (uint32_t i = 0; i < count; i++)
        for (int seat = 0; seat < 2; seat++) {
            struct net_inputs inputs;
            struct net_view view;

            view_end(&examples[i].end, seat, &view);
            net_list(&view, &inputs);
            for (int k = 0; k < inputs.count; k++)
                learner->sizes[inputs.index[k]] += (float)(inputs.value[k] * inputs.value[k]);
        }
    for (int i = 0; i < NET_INPUTS; i++) {
        learner->sizes[i] = sqrtf(learner->sizes[i] / (2 * (float)count));
        if (learner->sizes[i] < 1)
            learner->sizes[i] = 1;
        for (int column = 0; column < NET_LINE; column++)
            learner->now.weights[i][column] =
                ((float)draw_below(draw_next(random), 2001) / 1000 - 1) * 0.15f / learner->sizes[i];
    }
    for (int column = 0; column < NET_LINE; column++)
        learner->now.outputs[column] =
            ((float)draw_below(draw_next(random), 2001) / 1000 - 1) * 0.1f;
}

static int16_t in_units(float weight)
{
    float units = weight * NET_UNIT + (weight < 0 ? -0.5f : 0.5f);

    return (int16_t)(units > INT16_MAX ? INT16_MAX : units < -INT16_MAX ? -INT16_MAX : units);
}

static void round_off(const struct learned *learned, struct net *net)
{
    for (int i = 0; i < NET_INPUTS; i++)
        for (int column = 0; column < NET_COLUMNS; column++)
            net->weights[i][column] = in_units(learned->weights[i][column]);
    for (int column = 0; column < NET_COLUMNS; column++)
        net->outputs[column] = in_units(learned->outputs[column]);
}

static void shuffle(uint32_t *order, uint32_t count, uint64_t *random)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = draw_below(draw_next(random), i), kept = order[i - 1];

        order[i - 1] = order[other];
        order[other] = kept;
    }
}

/* Sets the mean squared errors of the leads in the games from which nothing was learned. */
static void judge(const struct example *examples, const float *goals, uint32_t count,
                  const struct net *net, double *before, double *after)
{
    uint32_t held = 0;

    *before = *after = 0;
    for (uint32_t i = 0; i < count; i++) {
        double with_base, with_net;

        if (i / PAIR % FIT_HELD != 0)
            continue;
        with_base = base_lead(&examples[i].end) - goals[i];
        with_net = net_lead(net, &examples[i].end) - goals[i];
        *before += with_base * with_base;
        *after += with_net * with_net;
        held++;
    }
    *before /= held;
    *after /= held;
}

/* Fits the network of one round to its examples, PAIR a game. */
static void learn(const struct fit *fit, struct learner *learner, const struct example *examples,
                  const float *goals, uint32_t *order, struct net *net, uint64_t *random)
{
    uint32_t count = 0, batch, step_count, steps = 0;

    begin(learner, examples, fit->game_count * PAIR, random);
    for (uint32_t i = 0; i < fit->game_count * PAIR; i++)
        if (i / PAIR % FIT_HELD != 0)
            order[count++] = i;
    batch = learner->batch = count < FIT_BATCH ? count : FIT_BATCH;
    step_count = count / batch * (uint32_t)fit->epoch_count;
    for (int epoch = 0; epoch < fit->epoch_count; epoch++) {
        shuffle(order, count, random);
        for (uint32_t i = 0; i < count / batch; i++) {
            for (uint32_t k = 0; k < batch; k++) {
                uint32_t at = order[i * batch + k];

                look_at(learner, &examples[at].end, goals[at]);
            }
            step(learner, 0.001f * (1 - (float)steps++ / (float)step_count));
        }
    }
    round_off(&learner->now, net);
}

bool fit_make(const struct fit *fit, struct net nets[static GAME_ROUNDS])
{
    size_t count = (size_t)fit->game_count * PAIR;
    struct example *examples = calloc(count * GAME_ROUNDS, sizeof *examples);
    struct learner *learner = calloc(1, sizeof *learner);
    struct rollout *rollout = calloc(1, sizeof *rollout);
    uint32_t *order = calloc(count, sizeof *order);
    float *goals = calloc(count, sizeof *goals);
    bool is_ready = examples && learner && rollout && order && goals;
    uint64_t random = fit->seed;

    if (is_ready) {
        rollout->set = fit->set;
        rollout->lambda = MIND_LAMBDA;
    }
    for (uint32_t i = 0; i < fit->game_count && is_ready; i++) {
        struct example game[GAME_ROUNDS * PAIR] = {0};

        play(fit, rollout, i, game);
        for (int round = 0; round < GAME_ROUNDS; round++)
            memcpy(&examples[(size_t)round * count + (size_t)i * PAIR], &game[round * PAIR],
                   PAIR * sizeof *examples);
        fit->report_fn(i + 1, 0, 0, 0);
    }
    for (int round = GAME_ROUNDS; round > 0 && is_ready; round--) {
        const struct example *of_round = &examples[(size_t)(round - 1) * count];
        double before, after;

        for (size_t i = 0; i < count; i++)
            goals[i] = goal_of(&of_round[i], round < GAME_ROUNDS ? &nets[round] : NULL);
        learn(fit, learner, of_round, goals, order, &nets[round - 1], &random);
        judge(of_round, goals, (uint32_t)count, &nets[round - 1], &before, &after);
        fit->report_fn(fit->game_count, round, before, after);
    }
    free(examples);
    free(learner);
    free(rollout);
    free(order);
    free(goals);
    return is_ready;
}
