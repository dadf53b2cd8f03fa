/* SPDX-License-Identifier: MIT */
/*
 * Rollouts choose among drafts that the search finds nearly equal, or among plans: they play on
 * from each of these lines, with the same random draws of tiles. A rollout starts at the end of the
 * draft phase that the search expects, or at the end of a plan, when the seat has passed. In rounds
 * 1 to 5, seats that have not passed place by plans, the engine deals the next round, every seat
 * takes the draft that looks best two drafts ahead, and plans and weights value the end of that
 * draft phase. For drafts of round 5 they are too inaccurate: these rollouts go on to the end of
 * the game. In round 6, seats place until the end of the game, with real draws for the supply; in
 * this round, rollouts also choose among first placements. Reads no clock: enough_fn says when to
 * stop.
 */
#include "bots/search/mind.h"

#include <string.h>

#include "engine/turn.h"
#include "engine/draw.h"
#include "engine/word.h"

enum {
    ROLLOUT_CHOICES = 4, /* number of drafts of which a seat looks at the replies in a rollout */
    LOOK_EACH = 16,      /* rollouts of each line between two calls of sort_out */
    SURE_SQUARED = 9,    /* a lead is certain if its square exceeds this many times its variance */
    /* A lead with a smaller standard deviation needs no further rollouts. */
    ALIKE_POINT = ROLLOUT_POINT / 8,
};

/*
 * Standard deviations of the errors in leads, in half points, by kind and round from 1: of the
 * estimate before any rollout, and of the mean of endlessly many rollouts. Measured against the
 * mean of 100 games that players two drafts ahead play on from each line; rounded.
 */
static const uint8_t estimate_errors[2][GAME_ROUNDS + 1] = {
    [ROLLOUT_DRAFTS] = {0, 3, 3, 4, 4, 6, 6},
    [ROLLOUT_PLANS] = {0, 2, 2, 3, 3, 2, 3},
};
static const uint8_t rollout_errors[2][GAME_ROUNDS + 1] = {
    [ROLLOUT_DRAFTS] = {0, 2, 2, 3, 3, 4, 0},
    [ROLLOUT_PLANS] = {0, 2, 2, 3, 3, 3, 0},
};

/* Returns all tiles on the players' boards. */
static uint64_t placed_tiles(const struct game *game)
{
    uint64_t placed = 0;

    for (int i = 0; i < game->player_count; i++)
        for (int star = 0; star < GAME_STARS; star++) {
            uint32_t colors = game->seats[i].colors[star];
            unsigned filled = game->seats[i].filled >> (8 * star) & 0x3f;

            for (; filled; filled &= filled - 1)
                placed += tiles_one((int)(colors >> (4 * __builtin_ctz(filled)) & 0xf));
        }
    return placed;
}

/*
 * Corrects bag and tower after plans, which add bonus tiles without taking them from the supply:
 * takes these tiles from the bag, and puts all missing tiles into the tower.
 */
static void settle(struct game *game)
{
    uint64_t placed = placed_tiles(game);

    game->tower = 0;
    for (int color = 0; color < GAME_COLORS; color++) {
        int left = GAME_TILES_PER_COLOR - tiles_of(placed + game->bag + game->supply, color);

        for (int i = 0; i < game->player_count; i++)
            left -= tiles_of(game->seats[i].tiles, color);
        for (; left < 0 && tiles_of(game->bag, color) > 0; left++)
            game->bag -= tiles_one(color);
        for (; left < 0 && tiles_of(game->supply, color) > 0; left++)
            game->supply -= tiles_one(color);
        for (; left > 0; left--)
            game->tower += tiles_one(color);
    }
}

/*
 * Plays plans for all seats that have not passed, from the end of a draft phase to just before the
 * last pass of the round.
 */
static void close_round(const struct rollout *rollout, struct game *game)
{
    const struct game before = *game;

    for (int i = 0; i < game->player_count; i++)
        if (!(before.passed >> i & 1))
            game->seats[i] =
                plan_make(rollout->set, &before, i, 0, ROLLOUT_PLACE_WIDTH, false).seat;
    game->player = 0;
    game->passed = (uint8_t)((1u << game->player_count) - 2);
    settle(game);
}

static bool is_enough(struct rollout *rollout)
{
    if (rollout->enough_fn && rollout->enough_fn(rollout->context))
        rollout->is_stopped = true;
    return rollout->is_stopped;
}

static int32_t weigh(const struct rollout *rollout, const struct game *game, int seat)
{
    uint64_t table = drafting_table(game), groups = outlook_groups(game);
    int32_t worths[GAME_PLAYERS_MAX];

    for (int i = 0; i < game->player_count; i++)
        worths[i] = drafting_worth(&rollout->values, game, i, table, groups);
    return value_relative(game, seat, rollout->lambda, worths);
}

/* A draft that a seat may take in a rollout, and the game after it. */
struct choice {
    struct game game;
    int32_t worth;
};

/* Lists the drafts that look best one draft ahead, the best first. Returns their number. */
static int list_choices(const struct rollout *rollout, const struct game *game,
                        struct choice choices[static ROLLOUT_CHOICES])
{
    int count = 0;

    for (uint64_t offers = game->offers; offers; offers &= offers - 1) {
        struct game after = *game;
        int32_t worth;
        int place;

        turn_draft(&after, drafts[__builtin_ctzll(offers)].word);
        worth = weigh(rollout, &after, game->player);
        if (count == ROLLOUT_CHOICES && worth <= choices[count - 1].worth)
            continue;
        place = count < ROLLOUT_CHOICES ? count++ : count - 1;
        for (; place > 0 && choices[place - 1].worth < worth; place--)
            choices[place] = choices[place - 1];
        choices[place] = (struct choice){.game = after, .worth = worth};
    }
    return count;
}

/*
 * Returns the worth of a choice to the seat that made it, after the other seat's best reply. A
 * worth of `enough` or less may be too high.
 */
static int32_t worth_replied(const struct rollout *rollout, const struct choice *choice, int seat,
                             int32_t enough)
{
    int32_t least = choice->game.phase == PHASE_DRAFT ? INT32_MAX : choice->worth;
    uint64_t offers = choice->game.phase == PHASE_DRAFT ? choice->game.offers : 0;

    for (; offers && least > enough; offers &= offers - 1) {
        struct game after = choice->game;
        int32_t worth;

        turn_draft(&after, drafts[__builtin_ctzll(offers)].word);
        worth = weigh(rollout, &after, seat);
        if (worth < least)
            least = worth;
    }
    return least;
}

/* Returns the draft of the seat to act that looks best two drafts ahead, and the game after it. */
static struct choice choose_draft(const struct rollout *rollout, const struct choice *choices,
                                  int count, int seat)
{
    int32_t best_worth = INT32_MIN;
    int best = 0;

    for (int i = 0; i < count && count > 1; i++) {
        int32_t worth = worth_replied(rollout, &choices[i], seat, best_worth);

        if (worth > best_worth) {
            best_worth = worth;
            best = i;
        }
    }
    return choices[best];
}

void rollout_draft(struct rollout *rollout, struct game *game, uint32_t random_permille,
                   uint64_t *random)
{
    drafting_prepare(&rollout->values, rollout->set, game);
    while (game->phase == PHASE_DRAFT && !is_enough(rollout)) {
        struct choice choices[ROLLOUT_CHOICES];
        int count = list_choices(rollout, game, choices);

        if (random_permille > 0 && draw_below(draw_next(random), 1000) < random_permille)
            *game = choices[draw_below(draw_next(random), (uint32_t)count)].game;
        else
            *game = choose_draft(rollout, choices, count, game->player).game;
    }
}

/* Plays the place phase of the last round. Returns the worth at the end of the game. */
static int32_t play_last_round(struct rollout *rollout, struct game *game)
{
    int32_t worths[GAME_PLAYERS_MAX];

    while (!game_is_over(game) && !is_enough(rollout))
        game_play(game, plan_make(rollout->set, game, game->player, game->bonus,
                                  ROLLOUT_PLACE_WIDTH, true)
                            .first);
    for (int i = 0; i < game->player_count; i++)
        worths[i] = VALUE_POINT * game->seats[i].score;
    return value_relative(game, rollout->seat, rollout->lambda, worths);
}

/* Returns the worth of the end of a draft phase by the network of the round. */
static int32_t weigh_end_by_net(struct rollout *rollout, const struct game *game)
{
    const struct net *net = &rollout->nets[game->round - 1];
    int32_t worths[GAME_PLAYERS_MAX] = {0};
    struct net_half halves[2];

    for (int i = 0; i < 2; i++) {
        struct plan plan = plan_make(rollout->set, game, i, 0, NET_PLAN_WIDTH, false);
        struct net_view view =
            net_view_of(game, i, &plan, drafting_worth(&rollout->values, game, i, 0, 0));

        if (is_enough(rollout))
            return 0;
        net_halve(net, &view, &halves[i]);
    }
    for (int i = 0; i < 2; i++)
        worths[i] = VALUE_POINT * game->seats[i].score + net_worth(net, &halves[i], &halves[1 - i]);
    return value_relative(game, rollout->seat, rollout->lambda, worths);
}

/*
 * Plays the last pass of a round and the next draft phase, or to the end of the game. Returns the
 * worth there.
 */
static int32_t play_round(struct rollout *rollout, struct game *game)
{
    int32_t worths[GAME_PLAYERS_MAX] = {0};

    turn_pass(game, word_choice(ACTION_PASS, game->seats[0].tiles));
    rollout_draft(rollout, game, 0, NULL);
    if (rollout->is_to_end)
        return play_last_round(rollout, game);
    if (rollout->nets)
        return weigh_end_by_net(rollout, game);
    for (int i = 0; i < game->player_count && !is_enough(rollout); i++) {
        int32_t plan = plan_make(rollout->set, game, i, 0, ROLLOUT_WIDTH, false).worth;

        worths[i] = drafting_worth(&rollout->values, game, i, 0, 0);
        worths[i] += (int32_t)((int64_t)(plan - worths[i]) * ROLLOUT_PLAN_PERCENT / 100);
    }
    return value_relative(game, rollout->seat, rollout->lambda, worths);
}

static int64_t play_on(struct rollout *rollout, const struct rollout_line *line,
                       const uint8_t seed[static GAME_SEED_BYTES])
{
    struct game game = line->game;
    int32_t worth;

    game_reseed(&game, seed);
    if (line->first != 0)
        game_play(&game, word_action(line->first));
    worth =
        game.round == GAME_ROUNDS ? play_last_round(rollout, &game) : play_round(rollout, &game);
    return worth / (VALUE_POINT / ROLLOUT_POINT);
}

/*
 * Returns the lead of a line over the first line: the mean of the search's estimate and the
 * rollouts' result, weighted by precision. Sets *variance to how much more rollouts may change it.
 */
static int64_t lead_of(const struct rollout *rollout, int place, int64_t *variance)
{
    const struct rollout_line *line = &rollout->lines[place];
    int64_t count = rollout->count, doubt = rollout->doubt, mean, of_mean, both;

    *variance = place == 0 ? 0 : doubt;
    if (place == 0 || count < 2)
        return line->before;
    mean = line->sum / count;
    of_mean = (line->squares - line->sum / count * line->sum) / (count * (count - 1)) + 1;
    both = doubt + rollout->bias + of_mean;
    *variance = of_mean * doubt / both * doubt / both;
    return (line->before * (rollout->bias + of_mean) + mean * doubt) / both;
}

static int best_of(const struct rollout *rollout, int count)
{
    int64_t best_lead = 0, variance;
    int best = 0;

    for (int i = 1; i < count; i++)
        if (!rollout->lines[i].is_out && lead_of(rollout, i, &variance) > best_lead) {
            best_lead = lead_of(rollout, i, &variance);
            best = i;
        }
    return best;
}

/*
 * Drops lines that are significantly worse than the best line, or practically equal to it. Returns
 * true if only one line is left. Keeps playing the first line, to which all leads are relative.
 */
static bool sort_out(struct rollout *rollout, int count)
{
    int best = best_of(rollout, count), left = 0;
    int64_t best_variance, best_lead = lead_of(rollout, best, &best_variance);

    for (int i = 0; i < count; i++) {
        int64_t variance, behind = best_lead - lead_of(rollout, i, &variance);
        int64_t both = variance + best_variance;
        bool is_beaten = i != best && (behind * behind > SURE_SQUARED * both ||
                                       both < ALIKE_POINT * ALIKE_POINT);

        if (is_beaten && i > 0)
            rollout->lines[i].is_out = true;
        left += !is_beaten && !rollout->lines[i].is_out;
    }
    return left == 1;
}

/* Plays one rollout of every line that is left, with equal random draws for all lines. */
static void play_lines(struct rollout *rollout, int count, uint64_t *random)
{
    uint64_t halves[2] = {draw_next(random), draw_next(random)};
    int64_t worths[SEARCH_LINES] = {0};
    uint8_t seed[GAME_SEED_BYTES];

    memcpy(seed, halves, sizeof seed);
    for (int i = 0; i < count && !rollout->is_stopped; i++)
        if (!rollout->lines[i].is_out)
            worths[i] = play_on(rollout, &rollout->lines[i], seed);
    if (rollout->is_stopped)
        return;
    for (int i = 0; i < count; i++) {
        int64_t lead = worths[i] - worths[0];

        rollout->lines[i].sum += lead;
        rollout->lines[i].squares += lead * lead;
    }
    rollout->count++;
}

/* Prepares *rollout for new lines of a round. */
static void begin(struct rollout *rollout, enum rollout_kind kind, int seat, int round)
{
    int64_t half = ROLLOUT_POINT / 2;

    rollout->seat = seat;
    rollout->count = 0;
    rollout->doubt = estimate_errors[kind][round] * half * estimate_errors[kind][round] * half;
    rollout->bias = rollout_errors[kind][round] * half * rollout_errors[kind][round] * half;
    rollout->is_to_end = kind == ROLLOUT_DRAFTS && round == GAME_ROUNDS - 1;
    rollout->is_stopped = false;
}

/* Plays rollouts until one line is clearly the best. Returns the index of that line. */
static int compare(struct rollout *rollout, int count, uint64_t random)
{
    bool is_sure = count == 1;

    while (!is_sure && rollout->count < ROLLOUT_MAX && !is_enough(rollout)) {
        play_lines(rollout, count, &random);
        if (rollout->count > 0 && rollout->count % LOOK_EACH == 0)
            is_sure = sort_out(rollout, count);
    }
    return rollout->count > 0 ? best_of(rollout, count) : 0;
}

int rollout_choose(struct rollout *rollout, enum rollout_kind kind, int seat,
                   const struct search_line *lines, int count)
{
    begin(rollout, kind, seat, lines[0].last.round);
    for (int i = 0; i < count && !is_enough(rollout); i++) {
        int32_t before = lines[i].worth - lines[0].worth;

        rollout->lines[i] = (struct rollout_line){.game = lines[i].last,
                                                  .before = before / (VALUE_POINT / ROLLOUT_POINT)};
        if (lines[i].last.round < GAME_ROUNDS)
            close_round(rollout, &rollout->lines[i].game);
    }
    return compare(rollout, count, game_hash(&lines[0].last));
}

int rollout_choose_first(struct rollout *rollout, const struct game *game, const struct plan *plans,
                         int count)
{
    begin(rollout, ROLLOUT_PLANS, game->player, game->round);
    for (int i = 0; i < count; i++) {
        int32_t before = plans[i].worth - plans[0].worth;

        rollout->lines[i] = (struct rollout_line){.game = *game,
                                                  .first = word_of(plans[i].first),
                                                  .before = before / (VALUE_POINT / ROLLOUT_POINT)};
    }
    return compare(rollout, count, game_hash(game));
}
