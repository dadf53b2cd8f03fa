#include "arena/season/leaders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/elo.h"

/* Moves the best active bot from the list to the leaders. Returns false if none is left. */
static bool add_best(struct leaders *leaders, const struct season *season, struct elo_bot *bots,
                     int count)
{
    int best = SCHEDULE_NOBODY;

    for (int i = 0; i < count; i++)
        if (bots[i].started && season->schedule.entries[i].active &&
            (best == SCHEDULE_NOBODY || bots[i].rating_micro > bots[best].rating_micro))
            best = i;
    if (best == SCHEDULE_NOBODY)
        return false;
    bots[best].started = false;
    snprintf(leaders->names[leaders->count], sizeof leaders->names[0], "%s",
             season->roster.members[best].bot.name);
    leaders->elo[leaders->count++] = (double)bots[best].rating_micro / 1e6;
    return true;
}

void leaders_find(struct leaders *leaders, const struct season *season)
{
    const struct schedule *schedule = &season->schedule;
    int count = schedule->rated.bot_count; /* fewer than entries while new bots are unrated */
    struct elo_bot *bots;
    int *previous;

    if (!schedule->rated_valid)
        return;
    bots = calloc((size_t)count + 1, sizeof *bots);
    previous = calloc((size_t)count + 1, sizeof *previous);
    if (bots && previous) {
        for (int i = 0; i < count; i++)
            previous[i] = schedule->entries[i].previous;
        elo_rate(&schedule->rated, previous, 0, bots, NULL, NULL);
        leaders->count = 0;
        while (leaders->count < LEADERS_MAX && add_best(leaders, season, bots, count))
            ;
    }
    free(bots);
    free(previous);
}
