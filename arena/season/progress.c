#include "arena/season/progress.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "arena/rating/elo.h"

/*
 * Moves the best active bot from bots to leaders. Returns false if no active bot is left in bots.
 */
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
    /* Can be less than entry_count: new bots are unrated at first. */
    int count = schedule->rated.bot_count;
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
        while (leaders->count < PROGRESS_LEADERS && add_best(leaders, season, bots, count))
            ;
    }
    free(bots);
    free(previous);
}

struct writing {
    char *line;
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void append(struct writing *writing,
                                                         const char *format, ...)
{
    size_t room = PROGRESS_LINE_BYTES - writing->length;
    va_list arguments;
    int added;

    va_start(arguments, format);
    added = vsnprintf(writing->line + writing->length, room, format, arguments);
    va_end(arguments);
    if (added > 0)
        writing->length += (size_t)added < room ? (size_t)added : room - 1;
}

static void append_left(struct writing *writing, double seconds)
{
    if (seconds < 100)
        append(writing, ", %.0f s left", seconds);
    else if (seconds < 100 * 60)
        append(writing, ", %.0f min left", seconds / 60);
    else
        append(writing, ", %.1f h left", seconds / 3600);
}

void progress_write(const struct progress *progress, size_t columns,
                    char line[static PROGRESS_LINE_BYTES])
{
    struct writing writing = {line, 0};
    double seconds = (double)progress->run_us / 1e6;
    double rate = seconds > 0 ? (double)progress->run_count / seconds : 0;

    append(&writing, "%" PRId64 "/%" PRId64 " games", progress->done_count, progress->budget_games);
    if (progress->ending) {
        append(&writing, ", ending (Ctrl-C again: at once)");
    } else if (rate > 0) {
        append(&writing, ", %.1f a second", rate);
        append_left(&writing, (double)(progress->budget_games - progress->done_count) / rate);
    }
    append(&writing, ", %" PRId64 " forfeit%s", progress->forfeit_count,
           progress->forfeit_count == 1 ? "" : "s");
    for (int i = 0; i < progress->leaders.count; i++)
        append(&writing, "%s %s %.0f", i ? "," : ";", progress->leaders.names[i],
               progress->leaders.elo[i]);
    if (writing.length > columns)
        line[columns] = '\0'; /* names are ASCII, so this cannot split a character */
}
