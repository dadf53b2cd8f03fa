/* SPDX-License-Identifier: MIT */
/*
 * A season by dates. Its terms say until when it is played and how many games each bot plays a day,
 * and no budget: how many games there are follows. Pure: the caller passes the time.
 *
 * The schedule stays a function of the results (schedule.h): the dates only release its groups, one
 * after the other. By any moment each bot may have begun its games a day times the days since the
 * season's begin. What a slow machine, or a daemon that was not running, left undone is played as
 * soon as the machine can; and since a bot that comes later has no games, the mean of the bots
 * falls, and its games are released at once. At the end of the dates no group begins, and the
 * daemon closes the season.
 */
#ifndef ARENA_SEASON_DATES_H
#define ARENA_SEASON_DATES_H

#include "arena/store/store.h"

enum dates_limits {
    DATES_GAMES_USUAL = 1000, /* games of a bot in all, unless the terms say how many a day */
    DATES_GAMES_A_DAY_MAX = 1000000000,
    DATES_JUDGED_S = 3600,  /* as dates_judged_s returns, at most, */
    DATES_JUDGED_PART = 10, /* and at most this part of the season's time */
};

/* When the season's time begins, since 1970: at --from, or at its creation. */
int64_t dates_begin_us(const struct store_season *terms);

/* Returns how long a season waits for the checks of bots that were uploaded before its --from. */
int dates_judged_s(const struct store_season *terms);

/* Returns how many games a day make DATES_GAMES_USUAL until the end of the dates; at least 1. */
int64_t dates_usual_games_a_day(const struct store_season *terms);

/* Returns how many games each bot may have begun by now_us. */
double dates_due_games(const struct store_season *terms, int64_t now_us);

/* Returns when each bot may have begun that many games, since 1970. */
int64_t dates_due_us(const struct store_season *terms, double games);

/*
 * Returns how many games the season comes to with this many bots, if its machine is fast enough; of
 * a season without dates, its budget. A season by dates without an end: until now_us.
 */
int64_t dates_budget_games(const struct store_season *terms, int bot_count, int64_t now_us);

/* True once no group of the season may begin, because its dates are past. */
bool dates_are_past(const struct store_season *terms, int64_t now_us);

#endif
