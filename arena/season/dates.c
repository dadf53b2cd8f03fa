/* SPDX-License-Identifier: MIT */
#include "arena/season/dates.h"

#include "arena/base/clock.h"

int64_t dates_begin_us(const struct store_season *terms)
{
    return terms->from_us > terms->created_us ? terms->from_us : terms->created_us;
}

int dates_judged_s(const struct store_season *terms)
{
    const int64_t part_s = (terms->until_us - dates_begin_us(terms)) / 1000000 / DATES_JUDGED_PART;

    return terms->until_us && part_s < DATES_JUDGED_S ? (int)part_s : DATES_JUDGED_S;
}

int64_t dates_usual_games_a_day(const struct store_season *terms)
{
    double days = (double)(terms->until_us - dates_begin_us(terms)) / CLOCK_DAY_US;
    double games = days > 0 ? DATES_GAMES_USUAL / days : DATES_GAMES_A_DAY_MAX;

    return games < 1 ? 1 : games > DATES_GAMES_A_DAY_MAX ? DATES_GAMES_A_DAY_MAX : (int64_t)games;
}

double dates_due_games(const struct store_season *terms, int64_t now_us)
{
    int64_t end_us = terms->until_us && terms->until_us < now_us ? terms->until_us : now_us;
    int64_t passed_us = end_us - dates_begin_us(terms);

    return passed_us > 0 ? (double)terms->games_a_day * (double)passed_us / CLOCK_DAY_US : 0;
}

int64_t dates_due_us(const struct store_season *terms, double games)
{
    const double passed_us = games * CLOCK_DAY_US / (double)terms->games_a_day;

    return dates_begin_us(terms) + (int64_t)passed_us;
}

int64_t dates_budget_games(const struct store_season *terms, int bot_count, int64_t now_us)
{
    int games = 0, seats = 0; /* of one group at each of the season's tables, which take turns */
    double budget;

    if (!terms->games_a_day)
        return terms->budget_games;
    for (int i = 0; i < terms->player_count_count; i++) {
        games += terms->player_counts[i];
        seats += terms->player_counts[i] * terms->player_counts[i];
    }
    budget = dates_due_games(terms, terms->until_us ? terms->until_us : now_us) * bot_count *
             games / seats;
    return budget < STORE_BUDGET_GAMES_MAX ? (int64_t)budget : STORE_BUDGET_GAMES_MAX;
}

bool dates_are_past(const struct store_season *terms, int64_t now_us)
{
    return terms->games_a_day && terms->until_us && now_us >= terms->until_us;
}
