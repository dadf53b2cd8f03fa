/* SPDX-License-Identifier: MIT */
/*
 * arena season: creates, plays, shows, changes and prunes seasons.
 */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "arena/base/array.h"
#include "arena/commands/commands.h"
#include "arena/commands/bot_argument.h"
#include "arena/commands/options.h"
#include "arena/commands/season_terms.h"
#include "arena/replay/json.h"
#include "arena/base/plain_text.h"
#include "arena/report/season.h"
#include "arena/season/dates.h"
#include "arena/season/ladder.h"
#include "arena/season/player.h"
#include "arena/season/season.h"
#include "arena/season/status.h"
#include "arena/store/games.h"
#include "arena/store/leases.h"
#include "arena/base/clock.h"
#include "arena/base/json.h"

enum {
    BUDGET_MAX = 1000000000,
    WAIT_S_DEFAULT = 60,
    WAIT_S_MAX = 1000000,
    GIVING_UP_US = 5000000, /* time that a run needs to stop its bots */
    LOOK_NS = 200000000,    /* pause between two checks whether somebody plays the season */
    PRUNED_AT_ONCE = 256, /* replays removed in one transaction; meanwhile a running season waits */
};

/* ---- seasons as JSON and text ---- */

static void print_date(const char *what, int64_t us)
{
    char text[COLUMNS_TEXT_BYTES];

    column_write_moment(us, text);
    if (*text)
        plain_text_printf(stdout, "%-11s %s\n", what, text);
}

static void print_dates(const struct store_season *season)
{
    print_date("from", season->from_us);
    print_date("deadline", season->deadline_us);
    print_date("until", season->until_us);
}

static int print_opening(void *context, const struct store_opening *opening)
{
    char seed[SEED_DIGITS + 1];

    seed_write(opening->seed, seed);
    plain_text_printf(stdout, "commitment  %s (SHA-256 of the seed's bytes)\n",
                      opening->commitment);
    if (opening->by_hand)
        plain_text_printf(stdout, "seed        %s, given by the organizer: not secret\n", seed);
    else
        plain_text_printf(stdout, "seed        %s\n",
                          opening->closed_us ? seed : "secret until the season is closed");
    return 0;
}

static int add_season_to(void *context, const struct store_season *season)
{
    struct columns_rows *seasons = context;

    return array_add(&seasons->rows, &seasons->count, season, sizeof *season);
}

struct season_list {
    struct store *store;
    struct columns_rows rows; /* struct report_season; owned */
};

static int add_to_list(void *context, const struct store_season *terms)
{
    struct season_list *list = context;
    struct report_season season;
    int error = report_season_read(&season, list->store, terms, false)
                    ?: array_add(&list->rows.rows, &list->rows.count, &season, sizeof season);

    if (error)
        report_season_finish(&season);
    return error;
}

static int list(struct store_call *call)
{
    struct season_list list = {call->store, {.row_bytes = sizeof(struct report_season)}};
    int error = store_seasons_each(call->store, add_to_list, &list)
                    ?: command_print_table("seasons", &season_columns, &list.rows,
                                           "no seasons yet: `arena season new NAME` creates one");

    for (int i = 0; i < list.rows.count; i++)
        report_season_finish(&((struct report_season *)list.rows.rows)[i]);
    free((void *)list.rows.rows);
    return error;
}

static const struct command_line list_line = {.name = "season list",
                                              .is_remote = true,
                                              .usage = "[--json]",
                                              .about = "Lists all seasons.",
                                              .options = store_json_options,
                                              .store_fn = list};

static int show(struct store_call *call)
{
    struct report_season season;
    int error = report_season_read(&season, call->store, &call->season, true);

    if (!error && options_json)
        error = command_print_json(report_season_json(&season, READER_ORGANIZER));
    else if (!error)
        columns_print_card(stdout, &season_columns, &season, NULL);
    if (!error && !options_json)
        error = store_openings_each(call->store, call->season.id, print_opening, NULL);
    report_season_finish(&season);
    return error;
}

static const struct command_line show_line = {
    .name = "season show",
    .is_remote = true,
    .usage = "NAME [--json]",
    .about = "Shows the settings of a season, and how far the season is.",
    .options = store_json_options,
    .names_season = true,
    .store_fn = show};

/* ---- new ---- */

/*
 * Counts the games in which each bot meets each other for the first time. Adds the number to the
 * JSON object `told`; if `told` is NULL, prints a note if the budget is smaller than the number.
 */
static int tell_first_meetings(struct store *store, const struct store_season *terms, json_t *told)
{
    struct season season;
    int64_t games;
    int error = season_load(&season, store, terms->name);

    if (error)
        return error;
    games = season_first_meeting_games(&season);
    if (games < 0)
        error = (int)games;
    else if (told)
        json_object_set_new(told, "opening_games", json_integer(games));
    else if (games > terms->budget_games && !terms->games_a_day)
        plain_text_printf(
            stdout,
            "a budget of %lld game%s is too small for the bots' first meetings, which take %lld "
            "games with the store's %d bots: raise the budget with `arena season extend %s "
            "--budget %lld`\n",
            (long long)terms->budget_games, plain_text_s(terms->budget_games), (long long)games,
            season.roster.count, terms->name, (long long)(games - terms->budget_games));
    season_finish(&season);
    return error;
}

static int print_name(void *context, const char *name)
{
    int *count = context;

    plain_text_printf(stdout, "%s%s", (*count)++ ? ", " : "", name);
    return 0;
}

static int print_roster(struct store *store, const struct store_season *season)
{
    int count = 0, error;

    plain_text_printf(stdout, "season %s: ", season->name);
    error = store_roster_each(store, season->id, print_name, &count);
    if (!error)
        puts(count == 0 ? "every bot takes part" : count == 1 ? " takes part" : " take part");
    return error;
}

static const char *listed;

/* The bots of a list that was given. Too large for the stack. */
static struct standings_choice choice;

/*
 * Stores the season and its roster in one step, so that no daemon sees a season without its roster.
 */
static int store_creation(struct store *store)
{
    int error = store_begin(store);

    if (error)
        return error;
    error = season_create(store, &season_creation.terms,
                          options_given("seed") ? season_creation.seed : NULL, clock_time_us());
    if (!error && listed)
        error = store_roster_set(store, season_creation.terms.id, choice.names, choice.count);
    return store_end(store, error);
}

/* Prints what was created, or would be. bot_count: of a trial, the bots that were listed, or -1. */
static int print_creation(struct store *store, int bot_count)
{
    const struct store_season *terms = &season_creation.terms;
    struct report_season told;
    int result = season_terms_read(&told, store, terms, bot_count);

    if (result)
        return result;
    if (season_creation.is_trial) {
        season_terms_print(&told);
        result = season_terms_estimate(store, &(struct season_load){terms, bot_count}, 1, NULL);
        if (!result)
            puts("nothing was created (--dry-run)");
        return result;
    }
    plain_text_printf(
        stdout, "season %s is open: `arena serve` or `arena season run %s` plays it%s\n",
        terms->name, terms->name, terms->from_us > clock_time_us() ? " once it has begun" : "");
    season_terms_print(&told);
    store_openings_each(store, terms->id, print_opening, NULL);
    if (terms->deadline_us && terms->deadline_us <= clock_time_us())
        plain_text_printf(stdout, "season %s: no further bot can enter: the deadline is past\n",
                          terms->name);
    return (listed ? print_roster(store, terms) : 0)
               ?: tell_first_meetings(store, terms, NULL)
               ?: season_terms_estimate(store, &(struct season_load){terms, bot_count}, 1, NULL);
}

/* Prints the same as JSON; of a trial, `created` and what follows from the stored season are null.
 */
static int print_creation_json(struct store *store, int bot_count)
{
    const bool is_trial = season_creation.is_trial;
    const struct store_season *terms = &season_creation.terms;
    struct report_season season;
    json_t *told;
    int result = is_trial ? season_terms_read(&season, store, terms, bot_count)
                          : report_season_read(&season, store, terms, true);

    if (is_trial)
        season.facts.terms.created_us = 0;
    told = report_season_json(&season, READER_ORGANIZER);
    report_season_finish(&season);
    if (is_trial)
        json_object_set_new(told, "opening_games", json_null());
    else if (!result)
        result = tell_first_meetings(store, terms, told);
    result =
        result ?: season_terms_estimate(store, &(struct season_load){terms, bot_count}, 1, told);
    if (!result)
        return command_print_json(told);
    json_decref(told);
    return result;
}

static int create(struct store_call *call)
{
    struct store_season *terms = &season_creation.terms;
    int result, bot_count;

    strcpy(terms->name, call->argv[0]);
    result = season_terms_make(call->store, terms)
                 ?: (listed ? standings_choose(&choice, call->store, listed) : 0)
                 ?: (season_creation.is_trial ? 0 : store_creation(call->store));
    if (result)
        return result;
    bot_count = season_creation.is_trial && listed ? (int)choice.count : -1;
    return options_json ? print_creation_json(call->store, bot_count)
                        : print_creation(call->store, bot_count);
}

static const struct option new_options[] = {
    {"only", "LIST",
     "bots that play: names, and ranks in closed seasons, such as ant,winter:1..8 (all bots)",
     .text = &listed},
    SEASON_TERM_OPTIONS,
    OPTION_JSON("one JSON object"),
    STORE_OPTIONS};

static const struct command_line new_line;

static int run_new(int argc, char **argv)
{
    if (!store_name_is_valid(argv[0]))
        return command_refuse("season new %s: a season's name is %s", argv[0], STORE_NAME_RULE);
    if (strcmp(argv[0], "docs") == 0)
        return command_refuse("season new docs: the site has its documents in that folder; choose "
                              "another name");
    return store_command(&new_line, STORE_CREATE, create, argc, argv);
}

static const struct command_line new_line = {
    .name = "season new",
    .is_remote = true,
    .usage = "NAME [OPTION ...]",
    .about = "Creates a season, in which all submitted bots play each other and are rated "
             "until the budget of games is spent.",
    .options = new_options,
    .least = 1,
    .run_fn = run_new};

/* ---- run ---- */

static struct play_options play_terms = PLAY_OPTIONS_DEFAULT;
static int64_t game_limit;
static bool until_decided;

struct display {
    struct store_season terms; /* of the season when the run began */
    int64_t begun_us;
    struct progress progress;
};

static void show_progress(void *owner, const struct player_report *report)
{
    struct display *display = owner;
    struct progress *progress = &display->progress;

    progress->done_count = report->standing.counts.played;
    progress->budget_games = report->standing.budget_games;
    progress->run_count = report->played_count;
    progress->run_us = clock_time_us() - display->begun_us;
    if (display->terms.until_us > clock_time_us())
        progress->until_s = (display->terms.until_us - clock_time_us()) / 1000000;
    progress->forfeit_count = report->forfeit_count;
    progress->is_paused = *report->standing.paused;
    progress->ending = report->was_stopped;
    progress->leaders = report->standing.leaders;
    command_show_progress(progress);
}

/* Returns what the terms alone say about the season's state, and the reason. */
static struct season_status status_of_terms(const struct store_season *terms)
{
    const struct season_facts facts = {.terms = *terms, .now_us = clock_time_us()};
    struct season_status status;

    season_status_of(&facts, &status);
    return status;
}

/* Says why no game begins and how to go on, or that games begin again. */
static void tell_paused(void *owner, const struct player_report *report)
{
    struct store_season *terms = &((struct display *)owner)->terms;

    memcpy(terms->paused, report->standing.paused, sizeof terms->paused);
    if (isatty(STDERR_FILENO))
        command_clear_progress();
    command_say("season %s is %s", terms->name,
                *terms->paused ? status_of_terms(terms).reason : "resumed: games begin again");
}

/* Prints the table sizes for which the season has too few bots. */
static void tell_unseated(const struct season *season)
{
    for (int i = 0; i < season->terms.player_count_count; i++) {
        int size = season->terms.player_counts[i], seated = 0;

        for (int group = 0; group < season->schedule.group_count && !seated; group++)
            seated = season->schedule.groups[group].player_count == size;
        if (!seated && season->schedule.batch_count > i)
            plain_text_printf(stdout, "no games with %d players: they need %d bots%s\n", size, size,
                              size > 2 ? " of different authors" : "");
    }
}

static int tell_end(const struct season *season, const struct player_report *report)
{
    const char *name = season->terms.name;
    long long played = (long long)report->played_count;
    long long done = (long long)season->schedule.played_count;
    long long budget = (long long)season_game_budget(season);

    if (report->step == -EDOM)
        return command_refuse(
            "season %s has too few bots: a game needs %d bots%s: `arena submit DIR` adds a bot",
            name, season->terms.player_counts[0],
            season->terms.player_counts[0] > 2 ? " of different authors" : "");
    plain_text_printf(stdout, "season %s: %lld game%s played in this run, %lld of %lld in all",
                      name, played, plain_text_s(played), done, budget);
    if (report->void_count > 0)
        printf("; games that were stopped before their end and do not count: %lld",
               (long long)report->void_count);
    if (report->step == SEASON_DECIDED)
        printf("; the order of the season's bots is certain, so the season plays no more games\n");
    else if (report->step == SEASON_CLOSED)
        printf("; the season was closed\n");
    else if (done < budget)
        plain_text_printf(stdout, "; `arena season run %s` plays on\n", name);
    else
        plain_text_printf(stdout, "; `arena ladder %s` shows the ratings\n", name);
    tell_unseated(season);
    return COMMAND_DONE;
}

static int play(struct season *season, struct sandbox *sandbox)
{
    struct display display = {.terms = season->terms, .begun_us = clock_time_us()};
    bool terminal = isatty(STDERR_FILENO);
    struct transport transport = transport_of_sandbox(sandbox);
    struct player_options options = {.season = season,
                                     .transport = &transport,
                                     .sandbox = sandbox,
                                     .job_count = play_terms.job_count,
                                     .pin = play_terms.pin,
                                     .rules = play_terms.rules,
                                     .warn_fn = command_warn,
                                     .paused_fn = tell_paused,
                                     .game_limit = game_limit,
                                     .tick_fn = terminal ? show_progress : NULL,
                                     .owner = &display};
    struct player_report report;
    int result;

    result = player_run(&options, &report);
    if (terminal) {
        show_progress(&display, &report);
        fputc('\n', stderr);
    }
    if (result < 0 || *report.lack)
        return command_fail("%s: this run's %lld game%s kept; `arena season run %s` plays on",
                            result < 0 ? report.error : report.lack, (long long)report.played_count,
                            report.played_count == 1 ? " is" : "s are", season->terms.name);
    return tell_end(season, &report);
}

static int core_count(void)
{
    cpu_set_t cores;

    return sched_getaffinity(0, sizeof cores, &cores) < 0 ? 1 : CPU_COUNT(&cores);
}

static int take_terms(const struct season *season)
{
    const struct store_play *terms = &season->terms.play;

    if (terms->pin && play_terms.job_count > core_count())
        return command_refuse("--jobs %d: season %s gives each game a core of its own, and the "
                              "arena may use %d core%s: use --jobs %d",
                              play_terms.job_count, season->terms.name, core_count(),
                              plain_text_s(core_count()), core_count());
    play_terms.rules.memory_bytes = terms->memory_bytes;
    play_terms.rules.freeze = terms->freeze;
    play_terms.pin = terms->pin;
    play_terms.require = (enum sandbox_tier)terms->tier;
    return COMMAND_DONE;
}

/* Refuses a season that cannot be played now. */
static int check_open(const struct season *season)
{
    const char *name = season->terms.name;
    const struct season_status status = status_of_terms(&season->terms);

    if (season->terms.closing_us || season->terms.closed_us)
        return command_refuse("season %s is %s: `arena season reopen %s` opens the season again",
                              name, season->terms.closed_us ? "closed" : "being closed", name);
    if (status.state == STATE_PAUSED)
        return command_refuse("season %s is %s", name, status.reason);
    if (status.state == STATE_EARLY)
        return command_refuse("season %s has not begun: %s", name, status.reason);
    return take_terms(season);
}

static int claim_and_play(struct store_call *call)
{
    struct store *store = call->store;
    struct sandbox *sandbox = NULL;
    struct season season;
    int result = store_season_claim(store, call->argv[0], true)
                     ?: season_load(&season, store, call->argv[0]);

    if (result)
        return result;
    if (until_decided)
        season.schedule.terms.until_decided = true;
    /* store_season_deal takes back the games of the season that workers have claimed */
    result = check_open(&season)
                 ?: store_season_deal(store, season.terms.id, false)
                 ?: play_options_open_sandbox(&play_terms, &sandbox) ?: play(&season, sandbox);
    sandbox_destroy(sandbox);
    season_finish(&season);
    return result;
}

static const struct option run_options[] = {
    {"games", "N", "stop after N games, rounded up to whole groups of games", .number = &game_limit,
     .minimum = 1, .maximum = INT64_MAX, .unit = "games"},
    {"until-decided", NULL,
     "end once the order of all bots in the ladder is certain (docs/ratings.md)",
     .flag = &until_decided},
    PLAY_OPTION_JOBS(&play_terms),
    PLAY_OPTION_NET(&play_terms),
    STORE_OPTIONS};

static const struct command_line run_line = {
    .name = "season run",
    .usage = "NAME [OPTION ...]",
    .about =
        "Plays the games of a season that are left, up to its budget. After Ctrl-C the arena "
        "begins no more games and waits for the games under way; after a second Ctrl-C the arena "
        "stops these games, which then do not count. No finished game is lost or counted twice.",
    .options = run_options,
    .least = 1,
    .store_fn = claim_and_play,
    .mode = STORE_WRITE};

/* Refuses a change of a closed season. */
static int require_open(const struct store_season *season)
{
    return season->closed_us
               ? command_refuse("season %s is closed: `arena season reopen %s --budget GAMES` "
                                "opens the season again",
                                season->name, season->name)
               : COMMAND_DONE;
}

/* ---- close, reopen, extend and remove ---- */

static int64_t wait_s = WAIT_S_DEFAULT;

/*
 * Waits until nobody plays the season: claims the season, so that no other process does, and waits
 * for the games that workers have claimed. Returns 0; -EBUSY if somebody still plays the season
 * after until_us; or another -errno.
 */
static int wait_for_games(struct store *store, const struct store_season *season, int64_t until_us)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    bool is_claimed = false, has_told = wait_s == 0;

    for (;;) {
        int error = is_claimed ? 0 : store_season_claim(store, season->name, true);

        is_claimed = error == 0;
        if (!error)
            error = store_leases_count(store, season->id);
        if (error <= 0 && error != -EBUSY)
            return error;
        if (!has_told)
            plain_text_printf(stderr,
                              "arena: waiting %lld s at most for the games of season %s that "
                              "are being played\n",
                              (long long)wait_s, season->name);
        has_told = true;
        if (clock_time_us() >= until_us + GIVING_UP_US)
            return -EBUSY;
        nanosleep(&pause, NULL);
    }
}

/*
 * Closes a season in two steps: lets no more games begin; then, when running games have ended or
 * were stopped, publishes the seed. From then on the store refuses the result of a late game.
 */
static int close_season(struct store_call *call)
{
    struct store *store = call->store;
    const struct store_season *season = &call->season;
    int64_t until_us = clock_time_us() + 1000000 * wait_s;
    int waited;
    int error = store_season_begin_close(store, season->id, until_us);

    if (error)
        return error;
    waited = wait_for_games(store, season, until_us);
    if (waited && waited != -EBUSY)
        return waited;
    error = store_season_close(store, season->id, clock_time_us());
    if (error)
        return error;
    if (waited == -EBUSY)
        plain_text_printf(
            stderr,
            "arena: season %s: some games did not end during the wait; these games do not count\n",
            season->name);
    plain_text_printf(stdout, "season %s is closed: `arena ladder %s` shows its ratings\n",
                      season->name, season->name);
    store_openings_each(store, season->id, print_opening, NULL);
    return COMMAND_DONE;
}

static const struct option close_options[] = {{"wait", "SECONDS",
                                               "how long to wait for the games that are being "
                                               "played; games that take longer do not count (60)",
                                               .number = &wait_s, .maximum = WAIT_S_MAX,
                                               .unit = "seconds"},
                                              STORE_OPTIONS};

static const struct command_line close_line = {
    .name = "season close",
    .is_remote = true,
    .usage = "NAME [--wait SECONDS]",
    .about = "Ends a season and publishes its secret seed, from which everybody can check the "
             "schedule and the draws of its games.",
    .options = close_options,
    .names_season = true,
    .store_fn = close_season,
    .mode = STORE_WRITE};

static int64_t more_games;
static uint8_t next_seed[GAME_SEED_BYTES];

#define BUDGET_OPTION                                                                              \
    {                                                                                              \
        "budget", "GAMES", "additional games", .number = &more_games, .minimum = 1,                \
                                               .maximum = BUDGET_MAX, .unit = "games"              \
    }

static int reopen(struct store_call *call)
{
    int64_t budget = call->season.budget_games + more_games;
    int error = season_reopen(call->store, &call->season, budget,
                              options_given("seed") ? next_seed : NULL, clock_time_us());

    if (!error)
        plain_text_printf(
            stdout, "season %s is open again, budget %lld game%s: `arena season run %s` plays on\n",
            call->season.name, (long long)budget, plain_text_s(budget), call->season.name);
    return error;
}

static const struct option reopen_options[] = {
    BUDGET_OPTION,
    {"seed", "HEX", "32 hex digits in place of secret randomness: for tests", .seed = next_seed},
    STORE_OPTIONS};

static const struct command_line reopen_line = {
    .name = "season reopen",
    .is_remote = true,
    .usage = "NAME [--budget GAMES]",
    .about = "Lets a closed season go on with a new secret seed.",
    .options = reopen_options,
    .names_season = true,
    .store_fn = reopen,
    .mode = STORE_WRITE};

static int extend(struct store_call *call)
{
    const bool has_dates =
        options_given("from") || options_given("deadline") || options_given("until");
    struct store_season *season = &call->season;
    int result;

    if (!more_games && !has_dates)
        return command_refuse("season extend: nothing to change: --budget GAMES adds games; "
                              "--from, --deadline and --until move dates");
    result = require_open(season);
    if (result != COMMAND_DONE)
        return result;
    if (more_games && season->games_a_day)
        return command_refuse("season %s has no budget: it plays until its dates end, and `arena "
                              "season extend %s --until TIME` moves them",
                              season->name, season->name);
    season_terms_take_dates(season);
    result = has_dates ? season_terms_check_dates(call->store, season)
                             ?: store_season_date(call->store, season, more_games)
                       : store_season_extend(call->store, season->id, more_games);
    if (result)
        return result;
    if (has_dates) {
        plain_text_printf(stdout, "season %s: new dates\n", season->name);
        print_dates(season);
    }
    if (more_games)
        plain_text_printf(stdout, "season %s: budget %lld game%s\n", season->name,
                          (long long)(season->budget_games + more_games),
                          plain_text_s(season->budget_games + more_games));
    season->budget_games += more_games;
    return season_terms_estimate(call->store, &(struct season_load){season, -1}, 1, NULL);
}

static const struct option extend_options[] = {BUDGET_OPTION, SEASON_DATE_OPTIONS, STORE_OPTIONS};

static const struct command_line extend_line = {
    .name = "season extend",
    .is_remote = true,
    .usage = "NAME [--budget GAMES] [--from TIME] [--deadline TIME] [--until TIME]",
    .about = "Adds games to a season's budget, or moves the season's dates; `none` removes a date.",
    .options = extend_options,
    .names_season = true,
    .store_fn = extend,
    .mode = STORE_WRITE};

static int remove_season(struct store_call *call)
{
    int error = store_season_remove(call->store, call->season.id);

    if (!error)
        plain_text_printf(stdout, "season %s is removed\n", call->season.name);
    return error;
}

static const struct option remove_options[] = {STORE_OPTIONS};

static const struct command_line remove_line = {
    .name = "season remove",
    .is_remote = true,
    .usage = "NAME",
    .about = "Removes a season that was opened by mistake: a closed season without games. Its name "
             "is free again.",
    .options = remove_options,
    .names_season = true,
    .store_fn = remove_season,
    .mode = STORE_WRITE};

/* ---- pause and resume ---- */

static const char *pause_reason = "an organizer paused it";

static int pause_season(struct store_call *call)
{
    int error = store_season_pause(call->store, call->season.id, pause_reason);

    if (!error)
        plain_text_printf(stdout,
                          "season %s is paused: no more games begin until `arena season resume "
                          "%s`\n",
                          call->season.name, call->season.name);
    return error;
}

static const struct option pause_options[] = {
    {"reason", "TEXT", "why, for the organizers", .text = &pause_reason}, STORE_OPTIONS};

static const struct command_line pause_line = {
    .name = "season pause",
    .is_remote = true,
    .usage = "NAME [--reason TEXT]",
    .about = "Lets no more games of a season begin. The arena itself pauses a season in which most "
             "bots suddenly forfeit.",
    .options = pause_options,
    .names_season = true,
    .store_fn = pause_season,
    .mode = STORE_WRITE};

static int resume_season(struct store_call *call)
{
    int error = store_season_pause(call->store, call->season.id, "");

    if (!error)
        plain_text_printf(stdout, "season %s is resumed\n", call->season.name);
    return error;
}

static const struct option resume_options[] = {STORE_OPTIONS};

static const struct command_line resume_line = {
    .name = "season resume",
    .is_remote = true,
    .usage = "NAME",
    .about = "Lets the games of a paused season begin again.",
    .options = resume_options,
    .names_season = true,
    .store_fn = resume_season,
    .mode = STORE_WRITE};

/* ---- void seasons, and games of a sick machine ---- */

static int64_t void_worker;
static bool unvoids;

/* Makes a whole season void. */
static int void_season(struct store_call *call)
{
    int error = store_season_void(call->store, call->season.id, !unvoids);

    if (!error)
        plain_text_printf(
            stdout,
            unvoids ? "season %s counts again\n"
                    : "season %s is void: it counts for nobody, and public pages leave it "
                      "out\n",
            call->season.name);
    return error;
}

static int void_games(struct store_call *call)
{
    int count;

    if (!options_given("worker"))
        return void_season(call);
    count = store_games_void(call->store, &call->season, void_worker, season_from.us);
    if (count > 0)
        plain_text_printf(stdout,
                          "season %s: %d game%s of worker %lld %s void, to be played again\n",
                          call->season.name, count, plain_text_s(count), (long long)void_worker,
                          count == 1 ? "is" : "are");
    return count < 0 ? count : COMMAND_DONE;
}

static const struct option void_options[] = {
    {"worker", "ID", "the worker's number, from `arena workers`", .number = &void_worker,
     .minimum = 1, .maximum = INT64_MAX},
    {"from", "TIME", "only games that began at TIME or later, by the worker's clock",
     .take_fn = season_terms_take_time, .context = &season_from, .needs = "worker"},
    {"undo", NULL, "the void season counts again", .flag = &unvoids, .excludes = "worker"},
    STORE_OPTIONS};

static const struct command_line void_line = {
    .name = "season void",
    .is_remote = true,
    .usage = "NAME [--undo]\nNAME --worker ID [--from TIME]",
    .about =
        "Makes a closed season void, because it was a mistake: it counts for nobody, and public "
        "pages leave it out. With --worker, removes only the games that a worker played, because "
        "its machine was sick: they are played again, under the same seeds. Batches that were "
        "chosen by their results stay.",
    .options = void_options,
    .names_season = true,
    .store_fn = void_games,
    .mode = STORE_WRITE};

/* ---- rosters: who may take part ---- */

static const char *only, *added, *removed;
static bool everybody;

/* The names of a roster. */
struct roster_names {
    char (*names)[STORE_NAME_BYTES_MAX + 1]; /* owned; NULL: every bot takes part */
    size_t count;
};

static int add_roster_name(void *context, const char *name)
{
    struct roster_names *roster = context;

    if (ARRAY_GROW(roster->names, roster->count, 1) < 0)
        return -ENOMEM;
    snprintf(roster->names[roster->count++], sizeof *roster->names, "%s", name);
    return 0;
}

static int read_roster(struct store *store, int64_t season_id, struct roster_names *roster)
{
    return store_roster_each(store, season_id, add_roster_name, roster);
}

static bool has_name(const struct roster_names *roster, const char *name)
{
    for (size_t i = 0; i < roster->count; i++)
        if (strcmp(roster->names[i], name) == 0)
            return true;
    return false;
}

/* True if a name of the former roster is not in the new one. */
static bool has_left(const struct roster_names *before)
{
    for (size_t i = 0; i < before->count; i++) {
        size_t at = 0;

        while (at < choice.count && strcmp(choice.names[at], before->names[i]) != 0)
            at++;
        if (at == choice.count)
            return true;
    }
    return false;
}

/* Tells which roster was replaced, as the command that restores it. */
static void print_before(const struct store_season *season, const struct roster_names *before)
{
    if (before->count == 0) {
        plain_text_printf(
            stdout, "before, every bot took part: `arena season roster %s --all` restores that\n",
            season->name);
        return;
    }
    plain_text_printf(stdout, "before, %zu bot%s took part: `arena season roster %s --only ",
                      before->count, plain_text_s((int64_t)before->count), season->name);
    for (size_t i = 0; i < before->count; i++)
        plain_text_printf(stdout, "%s%s", i ? "," : "", before->names[i]);
    puts("` restores that");
}

/* Chooses the names of a roster, with those of --add and without those of --remove. */
static int amend(struct store *store, const struct store_season *season,
                 const struct roster_names *before)
{
    static struct standings_choice leaving; /* too large for the stack */
    int error = 0;

    if (before->count == 0)
        return command_refuse("season %s takes every bot: `arena season roster %s --only LIST` "
                              "makes a list",
                              season->name, season->name);
    if (removed && (error = standings_choose(&leaving, store, removed)) < 0)
        return error;
    for (size_t i = 0; i < leaving.count; i++)
        if (!has_name(before, leaving.names[i]))
            return command_refuse("--remove: bot %s is not on the list of season %s",
                                  leaving.names[i], season->name);
    if (added && (error = standings_choose(&choice, store, added)) < 0)
        return error;
    for (size_t i = 0; i < before->count && !error; i++) {
        size_t at = 0;

        while (at < leaving.count && strcmp(leaving.names[at], before->names[i]) != 0)
            at++;
        if (at == leaving.count)
            error = standings_choose_bot(&choice, store, before->names[i]);
    }
    return !error && choice.count == 0
               ? command_refuse("--remove: nobody would be left on the list of season %s: `arena "
                                "season close %s` ends the season",
                                season->name, season->name)
               : error;
}

/* The bots that a roster takes anew, which another division of the round may have. */
struct joining {
    struct store *store;
    const struct store_season *season, *other;
    const struct roster_names *before;
};

static int tell_other_division(void *context, const char *name)
{
    const struct joining *joining = context;
    const char *other = joining->other->name;
    struct store_bot bot;

    for (size_t i = 0; i < choice.count; i++)
        if (strcmp(choice.names[i], name) == 0 && !has_name(joining->before, name) &&
            store_bot_find(joining->store, name, NULL, &bot) == 0 && !bot.reference)
            plain_text_printf(stderr,
                              "%s is in division %s of this round, too: `arena season roster %s "
                              "--remove %s` takes it out there\n",
                              name, joining->other->division, other, name);
    return 0;
}

static int see_other_division(void *context, const struct store_season *other)
{
    struct joining *joining = context;
    const struct store_season *season = joining->season;

    if (!season->league_id || other->league_id != season->league_id ||
        other->round != season->round || other->id == season->id || other->voided_us)
        return 0;
    joining->other = other;
    return store_roster_each(joining->store, other->id, tell_other_division, joining);
}

static int change_roster(struct store_call *call)
{
    const struct store_season *season = &call->season;
    struct roster_names before = {.names = NULL};
    int result;

    if (!only && !everybody && !added && !removed)
        return print_roster(call->store, season);
    result = require_open(season)
                 ?: (only ? standings_choose(&choice, call->store, only) : 0)
                 ?: read_roster(call->store, season->id, &before)
                 ?: (added || removed ? amend(call->store, season, &before) : 0)
                 ?: store_roster_set(call->store, season->id, choice.names, choice.count)
                 ?: print_roster(call->store, season)
                 ?: store_seasons_each(
                        call->store, see_other_division,
                        &(struct joining){call->store, season, NULL, &before});
    if (!result && (before.count != choice.count || has_left(&before)))
        print_before(season, &before);
    free(before.names);
    return result;
}

static const struct option roster_options[] = {
    {"only", "LIST",
     "bots that may play in later games: names of bots, and ranks of closed seasons, such as "
     "ant,winter:1..8",
     .text = &only},
    {"add", "LIST", "further bots for the list, as with --only", .text = &added,
     .excludes = "only all"},
    {"remove", "LIST", "bots to take off the list", .text = &removed, .excludes = "only all"},
    {"all", NULL, "every bot takes part again", .flag = &everybody, .excludes = "only"},
    STORE_OPTIONS};

static const struct command_line roster_line = {
    .name = "season roster",
    .is_remote = true,
    .usage = "NAME [--only LIST | --add LIST | --remove LIST | --all]",
    .about = "Sets or shows which bots may take part in a season.",
    .options = roster_options,
    .names_season = true,
    .store_fn = change_roster,
    .mode = STORE_WRITE};

/* ---- claims ---- */

static bool releases;

static int claim_season(struct store_call *call)
{
    const char *name = call->season.name;
    char owner[STORE_OWNER_BYTES];
    int error = store_claim_read(call->store, name, owner)
                    ?: (releases ? store_claim_release(call->store, name) : 0);

    if (error)
        return error;
    if (releases)
        plain_text_printf(stdout,
                          "season %s: the claim of %s is released: what it still plays does not "
                          "count\n",
                          name, owner);
    else
        plain_text_printf(stdout, "season %s: %s%s\n", name,
                          *owner ? "claimed by " : "nobody has claimed the season", owner);
    return COMMAND_DONE;
}

static const struct option claim_options[] = {
    {"release", NULL, "end the claim: another process may play the season at once",
     .flag = &releases},
    STORE_OPTIONS};

static const struct command_line claim_line = {
    .name = "season claim",
    .is_remote = true,
    .usage = "NAME [--release]",
    .about = "Shows which process has claimed a season to play it. With --release, ends a claim "
             "in PostgreSQL whose process does not come back.",
    .options = claim_options,
    .names_season = true,
    .store_fn = claim_season,
    .mode = STORE_WRITE};

/* ---- events ---- */

static int add_change(void *context, const struct store_event *event, const char *season)
{
    struct columns_rows *events = context;
    struct report_event row = {.event = *event};

    snprintf(row.season, sizeof row.season, "%s", season);
    return array_add(&events->rows, &events->count, &row, sizeof row);
}

struct season_events {
    struct columns_rows rows;
    const char *season;
};

static int add_event(void *context, const struct store_event *event)
{
    struct season_events *events = context;

    return add_change(&events->rows, event, event->season_id ? events->season : "");
}

static int add_batch(void *context, const struct store_batch *batch)
{
    return json_array_append_new(context,
                                 columns_row_json(&batch_columns, batch, NULL, READER_ORGANIZER));
}

static int list_events(struct store_call *call)
{
    struct season_events events = {{.row_bytes = sizeof(struct report_event)}, call->season.name};
    json_t *batches = json_array();
    int result = store_events_each(call->store, call->season.id, add_event, &events)
                     ?: store_batches_each(call->store, call->season.id, add_batch, batches);

    if (!result && options_json)
        result = command_print_json(json_pack(
            "{s:o, s:O}", "events", columns_json(&event_columns, &events.rows, READER_ORGANIZER),
            "batches", batches));
    else if (!result)
        result = command_print_table("events", &event_columns, &events.rows, "no events yet");
    json_decref(batches);
    free((void *)events.rows.rows);
    return result;
}

static const struct command_line events_line = {
    .name = "season events",
    .is_remote = true,
    .usage = "NAME [--json]",
    .about = "Lists the changes to this season or to all seasons: bans, retirements, budgets, and "
             "who made them.",
    .options = store_json_options,
    .names_season = true,
    .store_fn = list_events};

static int list_all_events(struct store_call *call)
{
    struct columns_rows events = {.row_bytes = sizeof(struct report_event)};
    int before = -1, result = 0;

    while (!result && events.count > before) {
        const struct report_event *rows = events.rows;

        before = events.count;
        result = store_changes_each(call->store, before ? rows[before - 1].event.id : 0, add_change,
                                    &events);
    }
    result = result ?: command_print_table("events", &event_columns, &events, "no events yet");
    free((void *)events.rows);
    return result;
}

const struct command_line command_events = {
    .name = "events",
    .is_remote = true,
    .usage = "[--json]",
    .about = "Lists all changes by organizers, authors and the daemon: of seasons, bots, accounts, "
             "tokens and submissions, and who made them.",
    .options = store_json_options,
    .store_fn = list_all_events};

/* ---- prune ---- */

static bool removes;
static struct store_season kept; /* the value of --keep, in the fields prunes and keep_games */

/* Removes all replays that a season need not keep, PRUNED_AT_ONCE at a time. */
static int remove_all(struct store *store, const struct store_season *season,
                      struct store_pruned *pruned)
{
    struct store_pruned round;
    int error;

    do {
        error = store_replays_prune(store, season->id, season->keep_games, PRUNED_AT_ONCE, &round);
        pruned->count += round.count;
        pruned->bytes += round.bytes;
    } while (!error && round.count == PRUNED_AT_ONCE);
    return error;
}

static int prune_season(struct store *store, struct store_season *season, int64_t *count)
{
    struct store_pruned pruned = {0};
    char keep[COLUMNS_TEXT_BYTES];
    int error = 0;

    if (options_given("keep")) {
        season->prunes = kept.prunes;
        season->keep_games = kept.keep_games;
    }
    report_keep_write(season, keep);
    if (season->prunes)
        error = removes ? remove_all(store, season, &pruned)
                        : store_replays_prunable(store, season->id, season->keep_games, &pruned);
    if (error)
        return error;
    *count += pruned.count;
    if (options_json)
        return command_print_json(json_pack("{s:s, s:s, s:I, s:I, s:b}", "season", season->name,
                                            "keep", keep, "games", (json_int_t)pruned.count,
                                            "bytes", (json_int_t)pruned.bytes, "pruned",
                                            removes && pruned.count > 0));
    plain_text_printf(stdout, "%s: keeps %s: %lld replay%s, %.1f MB, %s\n", season->name, keep,
                      (long long)pruned.count, plain_text_s(pruned.count),
                      (double)pruned.bytes / 1e6, removes ? "removed" : "to be removed");
    return COMMAND_DONE;
}

/* Prunes the seasons that the arguments name; all seasons if there are no arguments. */
static int prune(struct store_call *call)
{
    struct columns_rows seasons = {.rows = NULL};
    int64_t pruned_count = 0;
    int result = call->argc ? 0 : store_seasons_each(call->store, add_season_to, &seasons);

    for (int i = 0; i < call->argc && !result; i++)
        result = store_season_find(call->store, call->argv[i], &call->season)
                     ?: add_season_to(&seasons, &call->season);
    for (int i = 0; i < seasons.count && !result; i++)
        result =
            prune_season(call->store, &((struct store_season *)seasons.rows)[i], &pruned_count);
    if (!result && !options_json && !removes && pruned_count > 0)
        puts("nothing was removed: --yes removes these replays; results are always kept");
    free((void *)seasons.rows);
    return result;
}

static const struct option prune_options[] = {
    {"keep", "all|forfeits+N",
     "all: remove nothing; forfeits+N: keep the replays of games with a forfeit and of the "
     "newest N other games (each season's own --keep of `arena season new`)",
     .take_fn = season_terms_take_keep, .context = &kept},
    {"yes", NULL, "remove the replays", .flag = &removes},
    {"json", NULL,
     "one JSON object per season: {\"season\", \"keep\", \"games\", \"bytes\", "
     "\"pruned\"}",
     .flag = &options_json},
    STORE_OPTIONS};

static const struct command_line prune_line;

static int run_prune(int argc, char **argv)
{
    return store_command(&prune_line, removes ? STORE_WRITE : STORE_READ, prune, argc, argv);
}

static const struct command_line prune_line = {
    .name = "season prune",
    .usage = "[--keep all|forfeits+N] [--yes] [--json] [SEASON ...]",
    .about = "Shows how many replays of the named seasons, or of all seasons, need not be kept; "
             "with --yes deletes these replays. Results, ratings and forfeits stay. Seasons "
             "may be played meanwhile.",
    .options = prune_options,
    .most = INT_MAX,
    .run_fn = run_prune};

/* ---- the command ---- */

static const struct command subcommands[] = {
    {"new", &new_line, "create a season"},
    {"run", &run_line, "play the games that are left"},
    {"list", &list_line, "list all seasons"},
    {"show", &show_line, "show the settings of a season, and how far the season is"},
    {"events", &events_line, "list the changes that people made"},
    {"roster", &roster_line, "set or show which bots may take part"},
    {"claim", &claim_line, "show or end the claim of the process that plays the season"},
    {"extend", &extend_line, "add games to a season's budget, or move its dates"},
    {"close", &close_line, "end a season and publish its seed"},
    {"reopen", &reopen_line, "let a closed season go on"},
    {"prune", &prune_line, "delete replays that a season need not keep"},
    {"pause", &pause_line, "let no more games begin"},
    {"resume", &resume_line, "let games of a paused season begin again"},
    {"void", &void_line, "make a season void, or have the games of a worker played again"},
    {"remove", &remove_line, "remove a closed season without games"},
    {NULL},
};

const struct command_line command_season = {
    .name = "season",
    .about = "In a season all submitted bots play each other and are rated, until the season's "
             "budget of games is spent. `arena season run` may be stopped and started again at any "
             "time; all other commands also work while `arena season run` plays.",
    .subcommands = subcommands};
