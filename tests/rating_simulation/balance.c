/* SPDX-License-Identifier: MIT */
/* Simulates whether all table sizes get their share, from the first groups on. */
#include <stdio.h>
#include <stdlib.h>

#include "arena/season/schedule.h"
#include "tests/rating_simulation/luck.h"
#include "tests/rating_simulation/simulations.h"

enum {
    BOTS_MAX = 100,
    GAMES = 3000, /* of a season */
    ELO_APART = 10,
};

/* Groups of each size so far, and the largest difference between them. */
struct sizes {
    int counts[GAME_PLAYERS_MAX + 1];
    int apart_max;
};

static void count_group(struct sizes *sizes, const struct store_season *terms, int player_count)
{
    int least, most;

    sizes->counts[player_count]++;
    least = most = sizes->counts[terms->player_counts[0]];
    for (int i = 1; i < terms->player_count_count; i++) {
        int count = sizes->counts[terms->player_counts[i]];

        least = count < least ? count : least;
        most = count > most ? count : most;
    }
    if (most - least > sizes->apart_max)
        sizes->apart_max = most - least;
}

static void play_group(struct schedule *schedule, struct luck *luck, const double *elo, int number)
{
    const struct schedule_group *group = &schedule->groups[number];
    struct games_result results[GAMES_PLAYERS_MAX];

    luck_play_group(luck, elo, number, group->player_count, group->base, results);
    for (int rotation = 0; rotation < group->player_count; rotation++) {
        struct store_game game = {
            .group = number, .rotation = rotation, .player_count = group->player_count};

        for (int seat = 0; seat < group->player_count; seat++)
            game.seats[seat] = (struct store_seat){.entry = results[rotation].bots[seat],
                                                   .rank = results[rotation].ranks[seat]};
        if (schedule_record(schedule, &game) < 0)
            abort();
    }
}

/* Chooses and plays one batch. Returns its number of groups, 0 at the end. */
static int play_batch(struct schedule *schedule, struct luck *luck, const double *elo,
                      struct sizes *sizes)
{
    struct store_group *groups = NULL;
    unsigned meeting_sizes = 0;
    int count = schedule_choose_batch(schedule, 0, 17, &groups, &meeting_sizes);

    if (count < 0)
        abort();
    for (int i = 0; i < count; i++) {
        if (schedule_add(schedule, &groups[i]) < 0)
            abort();
        count_group(sizes, &schedule->terms, groups[i].player_count);
    }
    schedule->meeting_sizes = meeting_sizes;
    for (int i = 0; i < count; i++)
        play_group(schedule, luck, elo, groups[i].number);
    free(groups);
    return count;
}

static int simulate_season(int bot_count, const struct store_season *terms)
{
    struct luck luck = {.state = (uint64_t)bot_count};
    struct schedule schedule;
    struct sizes sizes = {.apart_max = 0};
    double elo[BOTS_MAX];
    int batch_most = 0;

    schedule_init(&schedule, terms);
    for (int i = 0; i < bot_count; i++) {
        struct schedule_entry entry = {.bot_id = i + 1,
                                       .previous = SCHEDULE_NOBODY,
                                       .name_entry = i,
                                       .author = i,
                                       .active = true};

        elo[i] = ELO_APART * i;
        if (schedule_enter(&schedule, &entry) < 0)
            abort();
    }
    while (schedule.game_count < terms->budget_games) {
        int count = play_batch(&schedule, &luck, elo, &sizes);

        if (count == 0)
            break;
        batch_most = count > batch_most ? count : batch_most;
    }
    printf("%3d bots, %lld games: groups of", bot_count, (long long)schedule.game_count);
    for (int i = 0; i < terms->player_count_count; i++)
        printf(" %d players: %d%s", terms->player_counts[i], sizes.counts[terms->player_counts[i]],
               i + 1 < terms->player_count_count ? "," : "");
    printf("; never more than %d apart, a batch has up to %d%s\n", sizes.apart_max, batch_most,
           sizes.apart_max > bot_count ? "  WRONG" : "");
    schedule_finish(&schedule);
    return sizes.apart_max > bot_count;
}

int simulate_balance(int factor)
{
    static const int bot_counts[] = {5, 12, 34, BOTS_MAX};
    struct store_season terms = {.player_counts = {2, 3, 4},
                                 .player_count_count = 3,
                                 .board = STORE_BOARD_BOTH,
                                 .budget_games = (int64_t)GAMES * factor};
    int status = 0;

    for (size_t i = 0; i < sizeof bot_counts / sizeof *bot_counts; i++)
        status |= simulate_season(bot_counts[i], &terms);
    return status;
}
