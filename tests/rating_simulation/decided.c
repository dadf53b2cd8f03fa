/* SPDX-License-Identifier: MIT */
/* Simulates how often two equal bots count as decided if that is checked after every batch. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "arena/rating/fit.h"
#include "tests/rating_simulation/luck.h"
#include "tests/rating_simulation/simulations.h"

enum {
    FIELD_MAX = 6,
    GROUPS = 1000,           /* of a season: looks go on that long unless decided */
    CLOSE_LOOKS_GROUPS = 50, /* a look after every group up to here, then at every fiftieth more */
    SEASONS = 300,
};

static const double decided_most = 0.05;
static const double los_once = 0.95; /* what one look asks for */

struct seasons {
    int count;
    int decided_count; /* the equal bots were decided at some look */
    int likely_count;  /* their LOS exceeded 0.95 at some look */
    double look_count;
};

/* Bots 0 and 1 are equal; the others have similar strengths and provide games. */
static void choose_bots(struct luck *luck, int bot_count, int player_count, uint16_t *bots)
{
    for (int i = 0; i < bot_count; i++)
        bots[i] = (uint16_t)i;
    for (int i = 0; i < player_count; i++) {
        int from = i + luck_below(luck, bot_count - i);
        uint16_t bot = bots[from];
        bots[from] = bots[i];
        bots[i] = bot;
    }
}

static void look(struct games *games, bool *decided, bool *likely)
{
    struct fit fit;

    if (games_settle(games) < 0 || fit_init(&fit, games, FIT_PRIOR_ELO) < 0)
        abort();
    double los = fit_los(&fit, 0, 1);
    *decided |= decided_pair(fit.bots[0].elo - fit.bots[1].elo, fit_pair_se(&fit, 0, 1));
    *likely |= los > los_once || los < 1 - los_once;
    fit_finish(&fit);
}

static void play_season(struct luck *luck, int bot_count, int player_count, struct seasons *seasons)
{
    double elo[FIELD_MAX] = {0, 0, 60, -60, 120, -120};
    struct games games;
    bool decided = false, likely = false;
    int next_look = 2;

    if (games_init(&games, bot_count) < 0)
        abort();
    for (int group = 0; group < GROUPS && !decided; group++) {
        struct games_result results[GAMES_PLAYERS_MAX];
        uint16_t bots[FIELD_MAX];

        choose_bots(luck, bot_count, player_count, bots);
        luck_play_group(luck, elo, group, player_count, bots, results);
        for (int game = 0; game < player_count; game++)
            if (games_add(&games, &results[game]) < 0)
                abort();
        if (group + 1 < next_look)
            continue;
        look(&games, &decided, &likely);
        seasons->look_count++;
        next_look += next_look < CLOSE_LOOKS_GROUPS ? 1 : next_look / CLOSE_LOOKS_GROUPS;
    }
    seasons->count++;
    seasons->decided_count += decided;
    seasons->likely_count += likely;
    games_finish(&games);
}

static int simulate_field(double share, int bot_count, int player_count, int season_count)
{
    struct luck luck = {.state = (uint64_t)bot_count * 100 + (uint64_t)player_count +
                                 (uint64_t)(share * 1000000),
                        .share = share};
    struct seasons seasons = {0};

    for (int season = 0; season < season_count; season++)
        play_season(&luck, bot_count, player_count, &seasons);
    double decided = (double)seasons.decided_count / seasons.count;
    printf("%4d  %7d  %6.1f  %7.0f  %9.1f %%  %9.1f %%%s\n", bot_count, player_count, share,
           seasons.look_count / seasons.count, 100 * decided,
           100.0 * seasons.likely_count / seasons.count, decided > decided_most ? "  WRONG" : "");
    return decided > decided_most;
}

int simulate_decided(int factor)
{
    int status = 0;

    printf("two equal bots are called decided, of %d seasons of %d groups a line\n",
           SEASONS * factor, GROUPS);
    printf("bots  players  shared    looks     decided  LOS > 95 %%\n");
    status |= simulate_field(0, 2, 2, SEASONS * factor);
    status |= simulate_field(0.5, 2, 2, SEASONS * factor);
    status |= simulate_field(0, FIELD_MAX, 2, SEASONS * factor);
    status |= simulate_field(0, FIELD_MAX, 3, SEASONS * factor);
    status |= simulate_field(0, FIELD_MAX, 4, SEASONS * factor);
    return status;
}
