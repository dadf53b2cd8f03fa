/* arena season run: plays a season, or continues it after the last game played. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/play_options.h"
#include "arena/commands/store_option.h"
#include "arena/play/table.h"
#include "arena/replay/plain_text.h"
#include "arena/season/player.h"
#include "arena/season/progress.h"
#include "arena/store/leases.h"

struct request {
    const char *name;
    struct play_options play;
    int64_t game_limit;
    bool until_decided;
};

/* The figures in the progress line. */
struct display {
    int64_t begun_us;
    struct progress progress;
};

/* ---- the progress line ---- */

static void show_progress(void *owner, const struct player_report *report)
{
    struct display *display = owner;
    struct progress *progress = &display->progress;

    progress->done_count = report->standing.stored_count;
    progress->budget_games = report->standing.budget_games;
    progress->run_count = report->played_count;
    progress->run_us = store_option_now_us() - display->begun_us;
    progress->forfeit_count = report->forfeit_count;
    progress->ending = report->was_stopped;
    progress->leaders = report->standing.leaders;
    command_show_progress(progress);
}

/* ---- the run ---- */

/* Prints the table sizes for which the season has too few bots. Their games are skipped. */
static void tell_unseated(const struct season *season)
{
    for (int i = 0; i < season->terms.player_count_count; i++) {
        int size = season->terms.player_counts[i], seated = 0;

        for (int group = 0; group < season->schedule.group_count && !seated; group++)
            seated = season->schedule.groups[group].player_count == size;
        if (!seated && season->schedule.batch_count > i)
            plain_text_printf(stdout, "no table of %d was filled: it needs %d bots%s\n", size, size,
                              size > 2 ? " of different authors" : "");
    }
}

/* Prints how the run ended. Returns the exit status. */
static int tell_end(const struct season *season, const struct player_report *report)
{
    const char *name = season->terms.name;
    long long played = (long long)report->played_count;
    long long done = (long long)season->schedule.played_count;
    long long budget = (long long)season_game_budget(season);

    if (report->step == -EDOM)
        return command_refuse(
            "season %s cannot fill a table: it needs %d bots%s: `arena submit DIR`", name,
            season->terms.player_counts[0],
            season->terms.player_counts[0] > 2 ? " of different authors" : "");
    plain_text_printf(stdout, "season %s: %lld games played, %lld of %lld in all", name, played,
                      done, budget);
    if (report->void_count > 0)
        printf("; %lld under way were given up", (long long)report->void_count);
    if (report->step == SEASON_DECIDED)
        printf("; decided\n");
    else if (report->step == SEASON_CLOSED)
        printf("; it was closed\n");
    else if (done < budget)
        plain_text_printf(stdout, "; `arena season run %s` plays on\n", name);
    else
        plain_text_printf(stdout, "; `arena ladder %s` shows the list\n", name);
    tell_unseated(season);
    return COMMAND_DONE;
}

static int play(const struct request *request, struct season *season, struct sandbox *sandbox)
{
    struct display display = {.begun_us = store_option_now_us()};
    bool terminal = isatty(STDERR_FILENO);
    struct transport transport = transport_of_sandbox(sandbox);
    struct player_options options = {.season = season,
                                     .transport = &transport,
                                     .sandbox = sandbox,
                                     .job_count = request->play.job_count,
                                     .pin = request->play.pin,
                                     .rules = request->play.rules,
                                     .crowded_fn = command_tell_crowded,
                                     .game_limit = request->game_limit,
                                     .tick_fn = terminal ? show_progress : NULL,
                                     .owner = &display};
    struct player_report report;
    int result;

    result = player_run(&options, &report);
    if (terminal) {
        show_progress(&display, &report);
        fputc('\n', stderr);
    }
    if (result < 0)
        return command_fail("%s: %lld games of this run are kept; `arena season run %s` plays on",
                            report.error, (long long)report.played_count, season->terms.name);
    return tell_end(season, &report);
}

static int core_count(void)
{
    cpu_set_t cores;

    return sched_getaffinity(0, sizeof cores, &cores) < 0 ? 1 : CPU_COUNT(&cores);
}

static int refuse_term(const struct season *season, const char *given, const char *term)
{
    return command_refuse("%s: season %s is played with %s, which is one of its terms: leave the "
                          "option out",
                          given, season->terms.name, term);
}

/* Sets how bots are run, from the season's terms. Refuses options that differ from the terms. */
static int take_terms(struct request *request, const struct season *season)
{
    const struct store_play *terms = &season->terms.play;
    struct play_options *play = &request->play;
    bool freeze_given = options_given("freeze") || options_given("no-freeze");
    char term[64];

    if (options_given("memory") && play->rules.memory_bytes != terms->memory_bytes) {
        snprintf(term, sizeof term, "--memory %lld", (long long)(terms->memory_bytes >> 20));
        return refuse_term(season, "--memory", term);
    }
    if (freeze_given && play->rules.freeze != terms->freeze)
        return refuse_term(season, terms->freeze ? "--no-freeze" : "--freeze",
                           terms->freeze ? "--freeze" : "--no-freeze");
    if (options_given("pin") && !terms->pin)
        return refuse_term(season, "--pin", "games on any core");
    if (options_given("require") && (int)play->require != terms->tier) {
        snprintf(term, sizeof term, "--require %s", play_options_tiers[terms->tier]);
        return refuse_term(season, "--require", term);
    }
    if (terms->pin && play->job_count > core_count())
        return command_refuse("--jobs %d: season %s gives each game a core of its own, and this "
                              "process may use %d",
                              play->job_count, season->terms.name, core_count());
    play->rules.memory_bytes = terms->memory_bytes;
    play->rules.freeze = terms->freeze;
    play->pin = terms->pin;
    play->require = (enum sandbox_tier)terms->tier;
    return COMMAND_DONE;
}

static int load_and_play(struct request *request, struct store *store)
{
    char processor[STORE_TEXT_BYTES_MAX + 1];
    struct sandbox *sandbox;
    struct season season;
    int status = store_option_status(store, season_load(&season, store, request->name));

    if (status != COMMAND_DONE)
        return status;
    if (request->until_decided)
        season.schedule.terms.until_decided = true;
    if (season.terms.closing_us && !season.terms.closed_us)
        status = command_refuse("season %s is being closed: `arena season close %s` ends that, "
                                "`arena season reopen %s` lets it go on",
                                request->name, request->name, request->name);
    else if (season.terms.closed_us)
        status = command_refuse("season %s is closed: `arena season reopen %s` opens it anew",
                                request->name, request->name);
    else
        status = take_terms(request, &season);
    if (status == COMMAND_DONE) {
        processor_model(processor, sizeof processor);
        status = store_option_status(
            store, store_season_take_processor(store, season.terms.id, processor));
    }
    if (status == COMMAND_DONE) /* ends all leases that workers hold for the season */
        status = store_option_status(store, store_season_deal(store, season.terms.id, false));
    if (status == COMMAND_DONE)
        status = play_options_open_sandbox(&request->play, &sandbox);
    if (status == COMMAND_DONE) {
        status = play(request, &season, sandbox);
        sandbox_destroy(sandbox);
    }
    season_finish(&season);
    return status;
}

static int run(struct request *request)
{
    struct store *store;
    int status = store_option_open(STORE_WRITE, &store);

    if (status != COMMAND_DONE)
        return status;
    status = store_option_status(store, store_season_claim(store, request->name));
    if (status == COMMAND_DONE)
        status = load_and_play(request, store);
    store_close(store); /* also releases the claim of the season */
    return status;
}

int command_season_run(int argc, char **argv)
{
    struct request request = {.play = play_options_default};
    const struct option options[] = {
        {"games", "N", "begin no new group after N games of this run",
         .number = &request.game_limit, .minimum = 1, .maximum = INT64_MAX, .unit = "games"},
        {"until-decided", NULL, "end once the order of all neighbors is decided (docs/ratings.md)",
         .flag = &request.until_decided},
        PLAY_OPTIONS_RUN(&request.play),
        STORE_OPTIONS};
    const struct command_line line = {
        .name = "season run",
        .usage = "NAME [OPTION ...]",
        .about = "Plays a season on from where it was, to its budget. Ctrl-C lets the games that "
                 "are played end; a second one gives them up. Nothing that was played is lost or "
                 "counted twice.",
        .options = options,
        .least = 1,
        .arguments = "name one season"};
    int status;

    if (!options_read(&line, &argc, argv, &status))
        return status;
    request.name = argv[0];
    return run(&request);
}
