/*
 * Repeats the history of one store in another, undisturbed: nothing is killed, nothing changes
 * during a game, one game at a time. Every event is repeated at the point of the schedule where it
 * occurred: after the batches that were chosen before it, and after the games that were played in
 * the opening that it ended. So whatever happened to the first store, both end with the same
 * schedule, games and lists.
 *
 *   usage: season_again STORE NEW-STORE ARENA
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/bot.h"
#include "arena/season/player.h"
#include "tests/season_again/acts.h"

struct again {
    const char *program;
    struct sandbox *sandbox;
    struct store *store;
    struct history history;
    struct season season; /* while it is loaded */
    const struct history_season *torn;
};

static void check(struct store *store, int error)
{
    if (error)
        history_fail("%s", store_failure(store));
}

static bool is_to_play(const struct again *again, int group, int rotation)
{
    const struct history_season *torn = again->torn;

    return group < torn->group_count &&
           torn->openings[group][rotation] == again->season.opening.number;
}

/* Leaves only the games to play that were played in this opening. Returns how many. */
static int hold_others(struct again *again)
{
    struct schedule *schedule = &again->season.schedule;
    int count = 0;

    for (int i = 0; i < schedule->group_count; i++) {
        struct schedule_group *group = &schedule->groups[i];

        for (int r = 0; r < group->player_count; r++) {
            if (group->states[r] != SCHEDULE_TO_PLAY)
                continue;
            if (!is_to_play(again, i, r))
                group->states[r] = SCHEDULE_STARTED;
            else
                count += !schedule_is_void(schedule, group);
        }
    }
    return count;
}

/* Plays the games that are left, and no others. */
static void play(struct again *again, int count)
{
    const struct transport transport = transport_of_sandbox(again->sandbox);
    const struct store_play *terms = &again->season.terms.play;
    const struct player_options options = {
        .season = &again->season,
        .transport = &transport,
        .sandbox = again->sandbox,
        .program = again->program,
        .job_count = 1,
        .rules = {.memory_bytes = terms->memory_bytes, .freeze = terms->freeze},
    };
    struct player_report report;

    again->season.schedule.terms.budget_games = again->season.schedule.game_count;
    if (player_run(&options, &report) < 0)
        history_fail("%s", report.error);
    if (report.played_count != count)
        history_fail("%s: %lld games played, not %d", again->season.terms.name,
                     (long long)report.played_count, count);
}

/* True if the next batch was chosen in the current state. */
static bool is_batch_due(const struct again *again)
{
    const struct history_season *torn = again->torn;
    int number = again->season.schedule.batch_count;

    return number < torn->batch_count && torn->batches[number].event == again->season.event &&
           torn->batches[number].opening == again->season.opening.number;
}

static void choose_batch(struct again *again)
{
    int before = again->season.schedule.batch_count;
    struct season_game game;
    int step = season_next(&again->season, &game);

    if (step < 0)
        history_fail("batch %d: %s", before, store_failure(again->store));
    if (step != SEASON_GAME || again->season.schedule.batch_count != before + 1)
        history_fail("%s: batch %d is not chosen (%d)", again->season.terms.name, before, step);
}

/* Plays and chooses everything that was played and chosen before the next event. */
static void advance(struct again *again, const char *name)
{
    for (;;) {
        int count;
        bool due;

        check(again->store, season_load(&again->season, again->store, name));
        count = hold_others(again);
        due = is_batch_due(again);
        if (!season_is_open(&again->season) && (count > 0 || due) && again->season.terms.closed_us)
            history_fail("%s: something happened while it was closed", name);
        if (count > 0)
            play(again, count);
        else if (due)
            choose_batch(again);
        season_finish(&again->season);
        if (count == 0 && !due)
            return;
    }
}

static void advance_all(struct again *again)
{
    for (int i = 0; i < again->history.season_count; i++) {
        const char *name = again->history.seasons[i].terms.name;
        struct store_season season;

        if (store_season_find(again->store, name, &season) < 0)
            continue; /* not begun yet */
        again->torn = &again->history.seasons[i];
        advance(again, name);
    }
}

static void open_store(struct store **store, const char *url, enum store_mode mode)
{
    int error = store_open(store, url, mode);

    check(*store, error);
}

int main(int argc, char **argv)
{
    struct again again = {.program = argc == 4 ? argv[3] : NULL};
    struct sandbox_failure failure;
    struct store *torn = NULL;

    if (argc != 4)
        history_fail("usage: season_again STORE NEW-STORE ARENA");
    if (sandbox_create(&again.sandbox, NULL, &failure) < 0)
        history_fail("%s: %s", failure.step, strerror(failure.error));
    open_store(&torn, argv[1], STORE_READ);
    open_store(&again.store, argv[2], STORE_CREATE);
    history_read(&again.history, torn);
    for (int i = 0; i < again.history.event_count; i++) {
        act_again(again.store, &again.history, &i);
        advance_all(&again);
    }
    printf("%d events\n", again.history.event_count);
    history_finish(&again.history);
    store_close(again.store);
    store_close(torn);
    sandbox_destroy(again.sandbox);
    return 0;
}
