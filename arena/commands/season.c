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
#include "arena/replay/json.h"
#include "arena/base/plain_text.h"
#include "arena/report/season.h"
#include "arena/season/ladder.h"
#include "arena/season/player.h"
#include "arena/season/season.h"
#include "arena/season/status.h"
#include "arena/store/games.h"
#include "arena/store/leases.h"
#include "arena/base/clock.h"
#include "arena/base/json.h"

enum {
    BUDGET_DEFAULT = 1000,
    BUDGET_MAX = 1000000000,
    WAIT_S_DEFAULT = 60,
    WAIT_S_MAX = 1000000,
    GIVING_UP_US = 5000000, /* time that a run needs to stop its bots */
    LATE_US = 60000000,     /* a --deadline that passed less than this ago counts as now */
    LOOK_NS = 200000000,    /* pause between two checks whether somebody plays the season */
    PACE_GAMES = 20,        /* least number of games from which the pace of a season is estimated */
    PRUNED_AT_ONCE = 256, /* replays removed in one transaction; meanwhile a running season waits */
};

/* ---- seasons as JSON and text ---- */

static const char keep_forfeits[] = "forfeits+";

/*
 * Parses which replays a season keeps: "all"; or "forfeits+N", which keeps the replays of all games
 * with a forfeit and of the newest N other games. Sets prunes and keep_games of a struct
 * store_season. Returns a command's status.
 */
static int take_keep(void *context, const char *text)
{
    struct store_season *terms = context;

    terms->prunes = strncmp(text, keep_forfeits, strlen(keep_forfeits)) == 0;
    terms->keep_games = 0;
    if (terms->prunes
            ? !options_number(text + strlen(keep_forfeits), 0, STORE_KEEP_MAX, &terms->keep_games)
            : strcmp(text, "all") != 0)
        return command_refuse("--keep %s: is neither all nor forfeits+N, such as forfeits+1000",
                              text);
    return COMMAND_DONE;
}

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

/* Parses "none", a date, or a date and a time of day with or without a zone. Sets an int64_t. */
static int take_time(void *us, const char *text)
{
    static const char *const formats[] = {"%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M%z",
                                          "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d"};

    *(int64_t *)us = 0;
    if (strcmp(text, "none") == 0)
        return COMMAND_DONE;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct tm time = {.tm_isdst = -1};
        const char *end = strptime(text, formats[i], &time);
        const bool has_zone = strstr(formats[i], "%z") != NULL;
        const long offset_s = time.tm_gmtoff;
        const int day = time.tm_mday;

        if (!end || *end)
            continue;
        *(int64_t *)us =
            1000000 * (has_zone ? (int64_t)timegm(&time) - offset_s : (int64_t)mktime(&time));
        if (time.tm_mday != day) /* mktime turns February 30 into March 2 */
            return command_refuse("%s: the month has no such day: choose another date", text);
        return COMMAND_DONE;
    }
    return command_refuse("%s: not a time: write the time as 2026-12-31T18:00 (local time), or "
                          "with a zone: 2026-12-31T18:00+01:00",
                          text);
}

static int take_delay(void *seconds, const char *text)
{
    int64_t number = -1;

    if (strcmp(text, "off") != 0 && !options_number(text, 0, STORE_LIVE_DELAY_S_MAX, &number))
        return command_refuse("--live-delay %s: is neither a number of seconds nor off", text);
    *(int *)seconds = (int)number;
    return COMMAND_DONE;
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

/* Parses "2" or "4,2": digits from 2 to 4, each at most once, in any order. */
static int take_players(void *context, const char *text)
{
    struct store_season *terms = context;
    bool wanted[GAME_PLAYERS_MAX + 1] = {false};

    for (const char *at = text;; at += 2) {
        if (*at < '0' + GAME_PLAYERS_MIN || *at > '0' + GAME_PLAYERS_MAX || wanted[*at - '0'] ||
            (at[1] && at[1] != ','))
            return command_refuse("--players %s: is not a list of 2, 3 and 4, such as 2 or 2,3,4",
                                  text);
        wanted[*at - '0'] = true;
        if (!at[1])
            break;
    }
    terms->player_count_count = 0;
    for (int count = GAME_PLAYERS_MIN; count <= GAME_PLAYERS_MAX; count++)
        if (wanted[count])
            terms->player_counts[terms->player_count_count++] = count;
    return COMMAND_DONE;
}

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
    else if (games > terms->budget_games)
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

/* A pace from which to estimate, and the season that has it. */
struct estimate {
    const char *name; /* NULL: no season has been played lately */
    int64_t hourly;
    int64_t last_us;
};

/*
 * Finds the pace of the season itself; if too few games of it were played, that of the season that
 * was played last.
 */
static int find_pace(struct store *store, const struct store_season *terms,
                     const struct columns_rows *seasons, struct estimate *estimate)
{
    for (int i = 0; i < seasons->count; i++) {
        const struct store_season *season = &((const struct store_season *)seasons->rows)[i];
        const bool is_same = season->id == terms->id;
        struct store_pace pace;
        int error = store_season_pace(store, season->id, &pace);

        if (error)
            return error;
        if (pace.game_count >= PACE_GAMES && pace.last_us > pace.first_us &&
            (is_same || pace.last_us > estimate->last_us))
            *estimate = (struct estimate){season->name,
                                          pace.game_count * INT64_C(3600000000) /
                                              (pace.last_us - pace.first_us),
                                          is_same ? INT64_MAX : pace.last_us};
    }
    return 0;
}

static void print_duration(int64_t seconds)
{
    const int64_t minutes = (seconds + 30) / 60, hours = (minutes + 30) / 60;

    if (seconds < 100)
        plain_text_printf(stdout, "%lld second%s", (long long)seconds, plain_text_s(seconds));
    else if (minutes < 100)
        plain_text_printf(stdout, "%lld minute%s", (long long)minutes, plain_text_s(minutes));
    else if (hours < 48)
        plain_text_printf(stdout, "%lld hours", (long long)hours);
    else
        plain_text_printf(stdout, "%lld days", (long long)(hours / 24));
}

/* Tells how long the season's games will last, if they may end before the season's dates. */
static void print_estimate(const struct store_season *terms, const struct estimate *estimate,
                           int64_t left_games)
{
    const int64_t now_us = clock_time_us();
    const int64_t from_us = terms->from_us > now_us ? terms->from_us : now_us;
    const int64_t hourly = estimate->hourly ? estimate->hourly : 1;
    const int64_t seconds = left_games * 3600 / hourly + 1;

    if (left_games == 0 || (!estimate->name && !terms->deadline_us && !terms->until_us))
        return;
    if (!estimate->name)
        plain_text_printf(stdout,
                          "season %s: the arena plays the %lld game%s that are left as fast as it "
                          "can, perhaps long before these dates",
                          terms->name, (long long)left_games, plain_text_s(left_games));
    else
        plain_text_printf(stdout, "season %s: at the rate of season %s, %lld games an hour, ",
                          terms->name, estimate->name, (long long)estimate->hourly);
    if (estimate->name && terms->until_us && from_us + seconds * 1000000 > terms->until_us) {
        plain_text_printf(
            stdout, "about %lld of %lld games are played before --until\n",
            (long long)((terms->until_us - from_us) / 1000000 * estimate->hourly / 3600),
            (long long)left_games);
        return;
    }
    if (estimate->name) {
        fputs("the budget is spent in ", stdout);
        print_duration(seconds);
    }
    plain_text_printf(stdout,
                      ": after that, new bots play only if `arena season extend %s --budget GAMES` "
                      "adds games\n",
                      terms->name);
}

/* The estimate as JSON: at the pace of which season the games that are left last how long. */
static json_t *estimate_json(const struct estimate *estimate, int64_t left_games)
{
    if (!estimate->name || left_games == 0)
        return json_null();
    return json_pack(
        "{s:s, s:I, s:I}", "season", estimate->name, "games_an_hour", (json_int_t)estimate->hourly,
        "seconds", (json_int_t)(left_games * 3600 / (estimate->hourly ? estimate->hourly : 1) + 1));
}

/* Prints the estimate, or sets it in `told`, unless that is NULL. */
static int tell_estimate(struct store *store, const struct store_season *terms, json_t *told)
{
    struct columns_rows seasons = {.rows = NULL};
    struct estimate estimate = {.name = NULL};
    struct season_facts facts;
    struct season_status status;
    int error = season_facts_read(&facts, store, terms, false)
                    ?: store_seasons_each(store, add_season_to, &seasons)
                    ?: find_pace(store, terms, &seasons, &estimate);

    season_status_of(&facts, &status);
    if (!error && told)
        json_object_set_new(told, "estimate", estimate_json(&estimate, status.left_count));
    else if (!error)
        print_estimate(terms, &estimate, status.left_count);
    free((void *)seasons.rows);
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

struct creation {
    struct play_options play;
    struct store_season terms;
    unsigned authors, errors;
    uint8_t seed[GAME_SEED_BYTES];
    const char *only, *division;
};

static struct creation creation = {.play = PLAY_OPTIONS_FROZEN,
                                   .terms = {.player_counts = {2},
                                             .player_count_count = 1,
                                             .budget_games = BUDGET_DEFAULT,
                                             .live_delay_s = 30}};

/*
 * Stores the season and its roster in one step, so that no daemon sees a season without its roster.
 */
static int store_creation(struct store *store)
{
    /* Static, because this struct is too large for the stack. */
    static struct standings_choice choice;
    int error = creation.only ? standings_choose(&choice, store, creation.only) : 0;

    if (!error)
        error = store_begin(store);
    if (error)
        return error;
    error = season_create(store, &creation.terms, options_given("seed") ? creation.seed : NULL,
                          clock_time_us());
    if (!error && creation.only)
        error = store_roster_set(store, creation.terms.id, choice.names, choice.count);
    if (error)
        store_rollback(store);
    return error ? error : store_commit(store);
}

static int note_entrant(void *context, const struct store_bot *bot)
{
    int64_t *before_us = context;

    if (bot->submitted_us <= *before_us)
        *before_us = INT64_MAX; /* this bot enters */
    return 0;
}

/* Refuses a date, with its value, that the other one does not allow. */
static int refuse_date(const char *name, int64_t us, const char *fault, int64_t other_us)
{
    char time[CLOCK_TIME_BYTES], other[CLOCK_TIME_BYTES];

    clock_write_time(us, time);
    clock_write_time(other_us, other);
    return command_refuse("--%s %s is %s --until %s; choose an earlier time", name, time, fault,
                          other);
}

/* Refuses dates of a new season that cannot be kept. */
static int check_dates(struct store *store, const struct store_season *terms)
{
    const int64_t now_us = clock_time_us();
    int64_t entrant_us = terms->deadline_us;
    int error;

    if (terms->until_us && terms->until_us <= now_us)
        return command_refuse("--until is past; choose a later time");
    if (terms->until_us && terms->from_us >= terms->until_us)
        return refuse_date("from", terms->from_us, "not before", terms->until_us);
    if (terms->until_us && terms->deadline_us > terms->until_us)
        return refuse_date("deadline", terms->deadline_us, "after", terms->until_us);
    if (!terms->deadline_us || terms->deadline_us > now_us - LATE_US)
        return COMMAND_DONE;
    error = store_bots_each(store, note_entrant, &entrant_us);
    if (!error && entrant_us != INT64_MAX)
        return command_refuse("--deadline is past, and no bot was submitted before it; "
                              "choose a later time");
    return error;
}

static int create(struct store_call *call)
{
    struct store_season *terms = &creation.terms;
    const struct play_options *play = &creation.play;
    struct report_season season;
    json_t *told;
    int result;

    strcpy(terms->name, call->argv[0]);
    terms->authors_free = creation.authors == 1;
    terms->publishes_errors = creation.errors == 1;
    terms->clock = play->clock;
    terms->play = (struct store_play){.memory_bytes = play->rules.memory_bytes,
                                      .tier = (int)play->require,
                                      .freeze = play->rules.freeze,
                                      .pin = play->pin};
    if (creation.division && !store_text_is_valid(creation.division))
        return command_refuse("--division: is not 1 to %d bytes of text", STORE_TEXT_BYTES_MAX);
    if (creation.division)
        strcpy(terms->division, creation.division);
    result = check_dates(call->store, terms) ?: store_creation(call->store);
    if (result)
        return result;
    if (!options_json) {
        plain_text_printf(stdout, "season %s is open: `arena season run %s` plays it%s\n",
                          terms->name, terms->name,
                          terms->from_us > clock_time_us() ? " once it has begun" : "");
        print_dates(terms);
        store_openings_each(call->store, terms->id, print_opening, NULL);
        if (terms->deadline_us && terms->deadline_us <= clock_time_us())
            plain_text_printf(stdout, "season %s: no further bot can enter: the deadline is past\n",
                              terms->name);
        return (creation.only ? print_roster(call->store, terms) : 0)
                   ?: tell_first_meetings(call->store, terms, NULL)
                   ?: tell_estimate(call->store, terms, NULL);
    }
    result = report_season_read(&season, call->store, terms, true);
    told = report_season_json(&season, READER_ORGANIZER);
    report_season_finish(&season);
    result = result ?: tell_first_meetings(call->store, terms, told)
                       ?: tell_estimate(call->store, terms, told);
    if (!result)
        return command_print_json(told);
    json_decref(told);
    return result;
}

#define DATE_OPTIONS                                                                               \
    {"from", "TIME", "when games begin, such as 2026-12-31T18:00+01:00 (at once)",                 \
     .take_fn = take_time, .context = &creation.terms.from_us},                                    \
        {"deadline", "TIME", "last time to submit: later versions do not enter (none)",            \
         .take_fn = take_time, .context = &creation.terms.deadline_us},                            \
    {                                                                                              \
        "until", "TIME", "when a daemon closes the season (none)",                                 \
            .take_fn = take_time, .context = &creation.terms.until_us                              \
    }

static const char *const author_words[] = {"apart", "free", NULL};
static const char *const error_words[] = {"private", "publish", NULL};

static const struct option new_options[] = {
    {"players", "LIST",
     "numbers of players, such as 2 or 2,3,4; with several numbers, groups of games take turns (2)",
     .take_fn = take_players, .context = &creation.terms},
    {"board", "SIDE", "side of the player boards: colored, gray, or both in turn (colored)",
     .word = (unsigned *)&creation.terms.board, .words = store_boards},
    PLAY_OPTION_CLOCK(&creation.play),
    {"budget", "GAMES", "games to play in all, rounded up to whole groups (1000)",
     .number = &creation.terms.budget_games, .minimum = 1, .maximum = BUDGET_MAX, .unit = "games"},
    {"only", "LIST",
     "bots that play: names, and ranks in closed seasons, such as ant,winter:1..8 (all bots)",
     .text = &creation.only},
    {"division", "NAME", "name of the season's division (none)", .text = &creation.division},
    DATE_OPTIONS,
    {"live-delay", "SECONDS",
     "delay in seconds before pages show a running game; off: pages show only ended games (30)",
     .take_fn = take_delay, .context = &creation.terms.live_delay_s},
    {"until-decided", NULL,
     "end before the budget is spent, once the order of all bots in the ladder is certain",
     .flag = &creation.terms.until_decided},
    {"authors", "HOW",
     "apart: with three or more authors, and at tables of three or four, bots of one author "
     "do not meet; free: they may meet (apart)",
     .word = &creation.authors, .words = author_words},
    {"keep", "WHICH",
     "replays that `arena season prune` keeps: all; or forfeits+N: the replays of games with a "
     "forfeit and of the newest N other games (all)",
     .take_fn = take_keep, .context = &creation.terms},
    {"stderr", "HOW",
     "what a bot that forfeits wrote to standard error: private, for its author and the "
     "organizer; publish: for the site too (private)",
     .word = &creation.errors, .words = error_words},
    {"practice", NULL,
     "practice: bots learn their opponents' names, and a daemon spends at most a tenth of its jobs "
     "on the season while other seasons have games to play",
     .flag = &creation.terms.is_practice},
    {"seed", "HEX", "32 hex digits in place of secret randomness: for tests",
     .seed = creation.seed},
    OPTION_JSON("one JSON object"),
    {.help = "how the arena runs bots in every game of the season (--freeze is the default)"},
    PLAY_OPTION_PIN(&creation.play),
    PLAY_OPTION_FREEZE(&creation.play),
    PLAY_OPTION_NO_FREEZE(&creation.play),
    PLAY_OPTION_MEMORY(&creation.play),
    PLAY_OPTION_REQUIRE(&creation.play),
    STORE_OPTIONS};

static const struct command_line new_line;

static int run_new(int argc, char **argv)
{
    if (!store_name_is_valid(argv[0]))
        return command_refuse("season new %s: a season's name is %s", argv[0], STORE_NAME_RULE);
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
    int64_t begun_us, until_us;
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
    if (display->until_us > clock_time_us())
        progress->until_s = (display->until_us - clock_time_us()) / 1000000;
    progress->forfeit_count = report->forfeit_count;
    progress->ending = report->was_stopped;
    progress->leaders = report->standing.leaders;
    command_show_progress(progress);
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
    struct display display = {.begun_us = clock_time_us(), .until_us = season->terms.until_us};
    bool terminal = isatty(STDERR_FILENO);
    struct transport transport = transport_of_sandbox(sandbox);
    struct player_options options = {.season = season,
                                     .transport = &transport,
                                     .sandbox = sandbox,
                                     .job_count = play_terms.job_count,
                                     .pin = play_terms.pin,
                                     .rules = play_terms.rules,
                                     .crowded_fn = command_tell_crowded,
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

    if (season->terms.closing_us || season->terms.closed_us)
        return command_refuse("season %s is %s: `arena season reopen %s` opens the season again",
                              name, season->terms.closed_us ? "closed" : "being closed", name);
    if (season->terms.from_us > clock_time_us())
        return command_refuse("season %s has not begun: `arena season show %s` says when", name,
                              name);
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
    if (options_given("from"))
        season->from_us = creation.terms.from_us;
    if (options_given("deadline"))
        season->deadline_us = creation.terms.deadline_us;
    if (options_given("until"))
        season->until_us = creation.terms.until_us;
    result = has_dates ? check_dates(call->store, season)
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
    return tell_estimate(call->store, season, NULL);
}

static const struct option extend_options[] = {BUDGET_OPTION, DATE_OPTIONS, STORE_OPTIONS};

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

/* ---- games of a sick machine ---- */

static int64_t void_worker, void_from_us;

static int void_games(struct store_call *call)
{
    int count;

    if (!options_given("worker"))
        return command_refuse("--worker is missing: `arena workers` lists the workers by number");
    count = store_games_void(call->store, &call->season, void_worker, void_from_us);
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
     .take_fn = take_time, .context = &void_from_us},
    STORE_OPTIONS};

static const struct command_line void_line = {
    .name = "season void",
    .is_remote = true,
    .usage = "NAME --worker ID [--from TIME]",
    .about =
        "Removes the games that a worker played, because its machine was sick: they are played "
        "again, under the same seeds. Batches that were chosen by their results stay.",
    .options = void_options,
    .names_season = true,
    .store_fn = void_games,
    .mode = STORE_WRITE};

/* ---- rosters: who may take part ---- */

static const char *only;
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

/* True if a name of the former roster is not in the new one. */
static bool has_left(const struct roster_names *before, const struct standings_choice *choice)
{
    for (size_t i = 0; i < before->count; i++) {
        size_t at = 0;

        while (at < choice->count && strcmp(choice->names[at], before->names[i]) != 0)
            at++;
        if (at == choice->count)
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

static int change_roster(struct store_call *call)
{
    /* Static, because this struct is too large for the stack. */
    static struct standings_choice choice;
    const struct store_season *season = &call->season;
    struct roster_names before = {.names = NULL};
    int result;

    if (!only && !everybody)
        return print_roster(call->store, season);
    result = require_open(season)
                 ?: (only ? standings_choose(&choice, call->store, only) : 0)
                 ?: read_roster(call->store, season->id, &before)
                 ?: store_roster_set(call->store, season->id, choice.names, choice.count)
                 ?: print_roster(call->store, season);
    if (!result && (before.count != choice.count || has_left(&before, &choice)))
        print_before(season, &before);
    free(before.names);
    return result;
}

static const struct option roster_options[] = {
    {"only", "LIST",
     "bots that may play in later games: names of bots, and ranks of closed seasons, such as "
     "ant,winter:1..8",
     .text = &only},
    {"all", NULL, "every bot takes part again", .flag = &everybody, .excludes = "only"},
    STORE_OPTIONS};

static const struct command_line roster_line = {
    .name = "season roster",
    .is_remote = true,
    .usage = "NAME [--only LIST | --all]",
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

static int add_event(void *context, const struct store_event *event)
{
    struct columns_rows *events = context;

    return array_add(&events->rows, &events->count, event, sizeof *event);
}

static int add_batch(void *context, const struct store_batch *batch)
{
    return json_array_append_new(context,
                                 columns_row_json(&batch_columns, batch, NULL, READER_ORGANIZER));
}

static int list_events(struct store_call *call)
{
    struct columns_rows events = {.row_bytes = sizeof(struct store_event)};
    json_t *batches = json_array();
    int result = store_events_each(call->store, call->season.id, add_event, &events)
                     ?: store_batches_each(call->store, call->season.id, add_batch, batches);

    if (!result && options_json)
        result = command_print_json(
            json_pack("{s:o, s:O}", "events",
                      columns_json(&event_columns, &events, READER_ORGANIZER), "batches", batches));
    else if (!result)
        result = command_print_table("events", &event_columns, &events, "no events yet");
    json_decref(batches);
    free((void *)events.rows);
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
     .take_fn = take_keep, .context = &kept},
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
    {"void", &void_line, "have the games of a worker played again"},
    {"remove", &remove_line, "remove a closed season without games"},
    {NULL},
};

const struct command_line command_season = {
    .name = "season",
    .about = "In a season all submitted bots play each other and are rated, until the season's "
             "budget of games is spent. `arena season run` may be stopped and started again at any "
             "time; all other commands also work while `arena season run` plays.",
    .subcommands = subcommands};
