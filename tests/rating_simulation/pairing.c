/* SPDX-License-Identifier: MIT */
/* Simulates how many games the pairing needs to put twenty bots in order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/fit.h"
#include "arena/season/pairing.h"
#include "tests/rating_simulation/luck.h"
#include "tests/rating_simulation/simulations.h"

enum {
    BOTS = 20,
    ELO_APART = 30,
    GAMES = 10000,
    SEASONS = 100,
    CHECK_GAMES = 1000, /* the order is looked at this often, for the printout */
    CHECKS = GAMES / CHECK_GAMES,
};

static const double ordered_least = 0.95;

/* A season like the arena's: a batch is chosen from all results before the last batch. */
struct season {
    struct games games;
    struct fit known; /* of all batches but the last one played */
    struct fit fit;   /* of all */
    struct pairing_bot bots[BOTS];
    double elo[BOTS]; /* the truth */
    int64_t group_count;
};

static void choose_batch(struct season *season, uint32_t batch, uint64_t seed,
                         struct pairing_list *list)
{
    struct pairing_field field = {
        .player_count = 2,
        .bot_count = BOTS,
        .bots = season->bots,
        .pair_se_elo = batch < 2 ? NULL : season->known.pair_se_elo,
        .only_first = batch == 0,
        .batch = batch,
        .seed = seed,
    };

    for (int i = 0; i < BOTS; i++)
        season->bots[i].elo = batch < 2 ? 0 : season->known.bots[i].elo;
    if (pairing_choose(&field, list) < 0)
        abort();
}

static void play_batch(struct season *season, struct luck *luck, const struct pairing_list *list)
{
    for (size_t i = 0; i < list->group_count && season->group_count < GAMES / 2; i++) {
        struct games_result results[GAMES_PLAYERS_MAX];

        luck_play_group(luck, season->elo, season->group_count++, 2, list->groups[i].bots, results);
        for (int game = 0; game < 2; game++) {
            season->bots[results[0].bots[game]].share++;
            if (games_add(&season->games, &results[game]) < 0)
                abort();
        }
    }
    fit_finish(&season->known);
    season->known = season->fit;
    if (games_settle(&season->games) < 0 ||
        fit_init(&season->fit, &season->games, FIT_PRIOR_ELO) < 0)
        abort();
}

/* The true strength falls with the bot's number. */
static bool is_ordered(const struct fit *fit)
{
    for (int i = 1; i < BOTS; i++)
        if (fit->bots[i - 1].elo <= fit->bots[i].elo)
            return false;
    return true;
}

/* Plays one season and records at which checks it was in order. */
static void play_season(uint64_t seed, double share, int ordered_counts[static CHECKS])
{
    struct luck luck = {.state = seed * 7919 + 17, .share = share};
    struct season season = {.group_count = 0};
    int checked = 0;

    if (games_init(&season.games, BOTS) < 0)
        abort();
    for (int i = 0; i < BOTS; i++) {
        season.elo[i] = -ELO_APART * i;
        season.bots[i].author = i;
    }
    for (uint32_t batch = 0; season.group_count < GAMES / 2; batch++) {
        struct pairing_list list;

        choose_batch(&season, batch, seed, &list);
        play_batch(&season, &luck, &list);
        pairing_finish(&list);
        for (; 2 * season.group_count >= (checked + 1) * CHECK_GAMES; checked++)
            ordered_counts[checked] += is_ordered(&season.fit);
    }
    fit_finish(&season.known);
    fit_finish(&season.fit);
    games_finish(&season.games);
}

static int simulate_share(double share, int season_count)
{
    int ordered_counts[CHECKS] = {0};

    for (int season = 0; season < season_count; season++)
        play_season((uint64_t)season + 1, share, ordered_counts);
    printf("luck share %.2f, %d seasons, %d bots %d Elo apart, in order after\n", share,
           season_count, BOTS, ELO_APART);
    for (int check = 0; check < CHECKS; check++)
        printf("  %5d games: %5.1f %%\n", (check + 1) * CHECK_GAMES,
               100.0 * ordered_counts[check] / season_count);
    return ordered_counts[CHECKS - 1] >= ordered_least * season_count ? 0 : 1;
}

/* The harder case in the ordinary suite; with shared luck pairs cancel it and all is faster. */
int simulate_pairing(int factor)
{
    int status = simulate_share(0, SEASONS * factor);

    return factor > 1 ? status | simulate_share(0.5, SEASONS * factor) : status;
}
