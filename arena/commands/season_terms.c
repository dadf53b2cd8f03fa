/* SPDX-License-Identifier: MIT */
#include "arena/commands/season_terms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/base/array.h"
#include "arena/base/clock.h"
#include "arena/base/plain_text.h"
#include "arena/commands/commands.h"
#include "arena/season/roster.h"
#include "arena/season/status.h"

enum {
    BUDGET_DEFAULT = 1000,
    LATE_US = 60000000, /* a --deadline that passed less than this ago counts as now */
    PACE_GAMES = 20,    /* least number of games from which the pace of a season is estimated */
    SHORT_TURN_MS = 50,
};

struct season_creation season_creation = {.play = PLAY_OPTIONS_FROZEN,
                                          .terms = {.player_counts = {2},
                                                    .player_count_count = 1,
                                                    .budget_games = BUDGET_DEFAULT,
                                                    .live_delay_s = 30}};
struct season_date season_from, season_deadline = {.ends = true}, season_until = {.ends = true};
const char *const season_author_words[] = {"apart", "free", NULL};
const char *const season_error_words[] = {"private", "publish", NULL};

/* ---- options ---- */

static const char keep_forfeits[] = "forfeits+";

/*
 * Parses which replays a season keeps: "all"; or "forfeits+N", which keeps the replays of all games
 * with a forfeit and of the newest N other games. Sets prunes and keep_games of a struct
 * store_season. Returns a command's status.
 */
int season_terms_take_keep(void *context, const char *text)
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

/* Parses "2" or "4,2": digits from 2 to 4, each at most once, in any order. */
int season_terms_take_players(void *context, const char *text)
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

/* Moves a day of the week by some days, at the same time of day. */
static int64_t add_days(int64_t us, int days)
{
    const time_t seconds = us / 1000000;
    struct tm time;

    localtime_r(&seconds, &time);
    time.tm_mday += days;
    time.tm_isdst = -1;
    return (int64_t)mktime(&time) * 1000000;
}

/* Sets a date to the next such day of the week, today included, at the time of day of `time`. */
static void set_weekday(struct season_date *date, struct tm *time)
{
    const time_t now = clock_time_us() / 1000000;
    const int weekday = time->tm_wday;
    struct tm today;

    localtime_r(&now, &today);
    today.tm_hour = time->tm_hour;
    today.tm_min = time->tm_min;
    today.tm_sec = 0;
    today.tm_mday += (weekday - today.tm_wday + 7) % 7;
    today.tm_isdst = -1;
    date->us = (int64_t)mktime(&today) * 1000000;
    date->is_weekday = true;
}

/*
 * Parses "none", a day, or a day and a time of day with or without a zone; a day is a date, or a
 * day of the week. Sets a struct season_date.
 */
int season_terms_take_time(void *context, const char *text)
{
    static const struct {
        const char *format;
        bool is_day, is_weekday, has_zone;
    } formats[] = {
        {"%Y-%m-%dT%H:%M:%S%z", .has_zone = true},
        {"%Y-%m-%dT%H:%M%z", .has_zone = true},
        {"%Y-%m-%dT%H:%M:%S"},
        {"%Y-%m-%dT%H:%M"},
        {"%Y-%m-%d", .is_day = true},
        {"%aT%H:%M", .is_weekday = true},
        {"%a", .is_day = true, .is_weekday = true},
    };
    struct season_date *date = context;

    date->us = 0;
    date->is_weekday = false;
    if (strcmp(text, "none") == 0)
        return COMMAND_DONE;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct tm time = {.tm_isdst = -1};
        const char *end = strptime(text, formats[i].format, &time);
        const long offset_s = time.tm_gmtoff;
        const int day = time.tm_mday;

        if (!end || *end)
            continue;
        if (formats[i].is_weekday)
            set_weekday(date, &time);
        else
            date->us = 1000000 * (formats[i].has_zone ? (int64_t)timegm(&time) - offset_s
                                                      : (int64_t)mktime(&time));
        if (!formats[i].is_weekday && time.tm_mday != day) /* mktime turns Feb 30 into Mar 2 */
            return command_refuse("%s: the month has no such day: choose another date", text);
        if (formats[i].is_day && date->ends)
            date->us = add_days(date->us, 1);
        return COMMAND_DONE;
    }
    return command_refuse("%s: not a time: write the time as 2026-12-31T18:00 (local time), with a "
                          "zone: 2026-12-31T18:00+01:00, or as a day: MON, MONT18:00",
                          text);
}

/* Moves a deadline or an end that is a day of the week behind the begin of the season. */
static void move_behind(struct season_date *date, int64_t from_us)
{
    while (date->is_weekday && date->us <= from_us)
        date->us = add_days(date->us, 7);
}

/* Sets the dates of a season to those that were given. */
void season_terms_take_dates(struct store_season *season)
{
    if (options_given("from"))
        season->from_us = season_from.us;
    move_behind(&season_deadline, season->from_us);
    move_behind(&season_until, season->from_us);
    if (options_given("deadline"))
        season->deadline_us = season_deadline.us;
    if (options_given("until"))
        season->until_us = season_until.us;
}

int season_terms_take_delay(void *seconds, const char *text)
{
    int64_t number = -1;

    if (strcmp(text, "off") != 0 && !options_number(text, 0, STORE_LIVE_DELAY_S_MAX, &number))
        return command_refuse("--live-delay %s: is neither a number of seconds nor off", text);
    *(int *)seconds = (int)number;
    return COMMAND_DONE;
}

/* ---- the terms ---- */

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
int season_terms_check_dates(struct store *store, const struct store_season *terms)
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

/* Takes over from another season the terms for which no option was given; not its dates. */
static void take_like(struct store_season *terms, const struct store_season *like)
{
    const struct store_season given = *terms;

    *terms = *like;
    terms->id = 0;
    memcpy(terms->name, given.name, sizeof terms->name);
    terms->from_us = terms->deadline_us = terms->until_us = terms->decided_us = 0;
    if (options_given("players")) {
        memcpy(terms->player_counts, given.player_counts, sizeof terms->player_counts);
        terms->player_count_count = given.player_count_count;
    }
    if (options_given("board"))
        terms->board = given.board;
    if (options_given("clock"))
        terms->clock = given.clock;
    if (options_given("memory"))
        terms->play.memory_bytes = given.play.memory_bytes;
    if (options_given("require"))
        terms->play.tier = given.play.tier;
    if (options_given("freeze") || options_given("no-freeze"))
        terms->play.freeze = given.play.freeze;
    terms->play.pin = terms->play.pin || given.play.pin;
    if (options_given("authors"))
        terms->authors_free = given.authors_free;
    if (options_given("stderr"))
        terms->publishes_errors = given.publishes_errors;
    memcpy(terms->division, given.division, sizeof terms->division);
    terms->league_id = given.league_id;
    terms->round = given.round;
    terms->voided_us = 0;
    terms->paused[0] = '\0';
    if (options_given("keep")) {
        terms->prunes = given.prunes;
        terms->keep_games = given.keep_games;
    }
    if (options_given("live-delay"))
        terms->live_delay_s = given.live_delay_s;
    if (options_given("budget"))
        terms->budget_games = given.budget_games;
    if (options_given("budget") || options_given("games-a-day"))
        terms->games_a_day = given.games_a_day;
    terms->until_decided = terms->until_decided || given.until_decided;
    terms->is_practice = terms->is_practice || given.is_practice;
}

int season_terms_make(struct store *store, struct store_season *terms)
{
    const struct play_options *play = &season_creation.play;
    struct store_season like;
    int error;

    terms->authors_free = season_creation.authors == 1;
    terms->publishes_errors = season_creation.errors == 1;
    terms->clock = play->clock;
    terms->play = (struct store_play){.memory_bytes = play->rules.memory_bytes,
                                      .tier = (int)play->require,
                                      .freeze = play->rules.freeze,
                                      .pin = play->pin};
    if (season_creation.like && (error = store_season_find(store, season_creation.like, &like)) < 0)
        return error;
    if (season_creation.like)
        take_like(terms, &like);
    season_terms_take_dates(terms);
    terms->created_us = clock_time_us();
    terms->closing_us = terms->closed_us = 0;
    if (!terms->games_a_day && terms->until_us && !options_given("budget"))
        terms->games_a_day = dates_usual_games_a_day(terms);
    if (terms->games_a_day)
        terms->budget_games = STORE_BUDGET_GAMES_MAX;
    return season_terms_check_dates(store, terms);
}

int season_terms_read(struct report_season *told, struct store *store,
                      const struct store_season *terms, int bot_count)
{
    int error;

    *told = (struct report_season){.facts = {.terms = *terms, .now_us = clock_time_us()}};
    error = roster_count(store, terms, &told->facts.roster);
    if (bot_count >= 0)
        told->facts.roster.bot_count = bot_count;
    season_status_of(&told->facts, &told->status);
    return error;
}

void season_terms_print(const struct report_season *told)
{
    const int64_t turn_ms = told->facts.terms.clock.turn_ms;

    columns_print_card(stdout, &season_columns, told, NULL);
    if (turn_ms < SHORT_TURN_MS)
        plain_text_printf(stderr,
                          "arena: a turn of %d ms is short: on a busy machine, and in slow "
                          "languages, good bots forfeit below %d ms a turn\n",
                          (int)turn_ms, SHORT_TURN_MS);
}

/* ---- how long the games last ---- */

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

/* Tells how fast the machine plays seasons by dates, beside what is due; `facts` are of the first.
 */
static void print_rate(const struct season_facts *facts, const char *seasons,
                       const struct estimate *estimate, int bot_count, int64_t budget_games)
{
    const struct store_season *terms = &facts->terms;
    const int64_t due = terms->games_a_day, begin_us = dates_begin_us(terms);
    /* What one game is of a day of all bots, as a share of the games that are due. */
    const double days = terms->until_us ? (double)(terms->until_us - begin_us) / CLOCK_DAY_US
                                        : (double)(facts->now_us - begin_us) / CLOCK_DAY_US;
    const double hours = estimate->hourly ? (double)budget_games / (double)estimate->hourly : 0;
    const double a_day = hours > 0 ? (double)due * days * 24 / hours : 0;

    plain_text_printf(stdout, "%s: ", seasons);
    if (!estimate->name || budget_games == 0 || !(days > 0)) {
        plain_text_printf(stdout,
                          "each bot plays as many games as the others, %lld a day if the machine "
                          "is fast enough\n",
                          (long long)due);
        return;
    }
    plain_text_printf(stdout, "at the rate of season %s, %lld games an hour, ", estimate->name,
                      (long long)estimate->hourly);
    if (hours <= days * 24)
        plain_text_printf(stdout,
                          "each of %d bots plays %lld games a day, which takes the machine %.0f "
                          "minutes a day\n",
                          bot_count, (long long)due, hours * 60 / days);
    else
        plain_text_printf(stdout,
                          "each of %d bots plays about %.*f games a day, and not %lld: the machine "
                          "is too slow for more\n",
                          bot_count, a_day < 10, a_day, (long long)due);
}

/* Tells how long the games will last, if they may end before the seasons' dates. */
static void print_estimate(const struct store_season *terms, const char *seasons,
                           const struct estimate *estimate, int64_t left_games)
{
    const int64_t now_us = clock_time_us();
    const int64_t from_us = terms->from_us > now_us ? terms->from_us : now_us;
    const int64_t hourly = estimate->hourly ? estimate->hourly : 1;
    const int64_t seconds = left_games * 3600 / hourly + 1;

    if (left_games == 0 || (!estimate->name && !terms->deadline_us && !terms->until_us))
        return;
    if (!estimate->name)
        plain_text_printf(stdout,
                          "%s: the arena plays the %lld game%s that are left as fast as it can, "
                          "perhaps long before these dates",
                          seasons, (long long)left_games, plain_text_s(left_games));
    else
        plain_text_printf(stdout, "%s: at the rate of season %s, %lld games an hour, ", seasons,
                          estimate->name, (long long)estimate->hourly);
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
        fputs(" if the bots are as fast as those of that hour", stdout);
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
        "estimate_s",
        (json_int_t)(left_games * 3600 / (estimate->hourly ? estimate->hourly : 1) + 1));
}

static int add_season_to(void *context, const struct store_season *season)
{
    struct columns_rows *seasons = context;

    return array_add(&seasons->rows, &seasons->count, season, sizeof *season);
}

int season_terms_estimate(struct store *store, const struct season_load *loads, int count,
                          json_t *told)
{
    const struct store_season *terms = loads[0].terms;
    struct columns_rows seasons = {.rows = NULL};
    struct estimate estimate = {.name = NULL};
    struct season_facts first;
    int64_t left_games = 0, budget_games = 0;
    char what[STORE_NAME_BYTES_MAX + 32] = "all divisions";
    int bot_count = 0;
    int error = store_seasons_each(store, add_season_to, &seasons)
                    ?: find_pace(store, terms, &seasons, &estimate);

    for (int i = 0; i < count && !error; i++) {
        struct season_facts facts;
        struct season_status status;

        error = season_facts_read(&facts, store, loads[i].terms, false);
        if (loads[i].bot_count >= 0)
            facts.roster.bot_count = loads[i].bot_count;
        season_status_of(&facts, &status);
        left_games += status.left_count;
        budget_games += status.budget_games;
        bot_count += facts.roster.bot_count;
        if (i == 0)
            first = facts;
    }
    if (count == 1)
        snprintf(what, sizeof what, "season %s", terms->name);
    if (!error && told)
        json_object_set_new(told, "estimate", estimate_json(&estimate, left_games));
    else if (!error && terms->games_a_day)
        print_rate(&first, what, &estimate, bot_count, budget_games);
    else if (!error)
        print_estimate(terms, what, &estimate, left_games);
    free((void *)seasons.rows);
    return error;
}
