/* Plays a season in the foreground: on a loop of its own, which signals interrupt. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arena/play/foreground.h"
#include "arena/play/stop.h"
#include "arena/season/player.h"

struct run {
    struct foreground foreground;
    struct player *player;
    struct player_report *report;
    const struct player_options *asked;
};

static void interrupt_run(void *owner)
{
    struct run *run = owner;

    player_interrupt(run->player);
}

static void run_ticks(void *owner, const struct player_report *report)
{
    struct run *run = owner;

    run->asked->tick_fn(run->asked->owner, report);
}

static void run_ended(void *owner, const struct player_report *report)
{
    struct run *run = owner;

    *run->report = *report;
    foreground_end(&run->foreground);
}

int player_run(const struct player_options *asked, struct player_report *report)
{
    struct run run = {.report = report, .asked = asked};
    struct player_options options = *asked;
    int error;

    *report = (struct player_report){.step = SEASON_GAME};
    if (stop_is_asked()) {
        report->was_stopped = true;
        return 0;
    }
    options.tick_fn = asked->tick_fn ? run_ticks : NULL;
    options.ended_fn = run_ended;
    options.owner = &run;
    error = foreground_open(&run.foreground, interrupt_run, &run);
    if (!error) {
        run.player = player_start(run.foreground.loop, &options);
        if (run.player)
            foreground_wait(&run.foreground);
        else
            error = -errno;
        player_destroy(run.player);
        foreground_close(&run.foreground);
    }
    if (error) {
        report->failed = true;
        snprintf(report->error, sizeof report->error, "the season cannot be played: %s",
                 strerror(-error));
    }
    return report->failed ? -1 : 0;
}
