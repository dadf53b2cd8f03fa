/* SPDX-License-Identifier: MIT */
/*
 * arena league: divisions of a course as one thing. A round has a season for each division; the
 * next round moves the best up and the last down.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"
#include "arena/base/clock.h"
#include "arena/base/plain_text.h"
#include "arena/commands/commands.h"
#include "arena/commands/options.h"
#include "arena/commands/season_terms.h"
#include "arena/report/export.h"
#include "arena/report/league.h"
#include "arena/season/ladder.h"

static const char *divisions, *listed;
static int place_count, promoted_count;

/* ---- a round ---- */

/* Writes the name of a division's season, such as course-1-a. Returns whether it is a name. */
static bool write_season_name(const struct league_round *round, int division,
                              char name[static STORE_NAME_BYTES_MAX + 1])
{
    char text[2 * STORE_NAME_BYTES_MAX + STORE_TEXT_BYTES_MAX];
    size_t at = (size_t)snprintf(text, sizeof text, "%s-%d-", round->league.name, round->number);

    for (const char *from = round->divisions[division].name; *from && at + 1 < sizeof text; from++)
        text[at++] = isalnum((unsigned char)*from) ? (char)tolower((unsigned char)*from) : '-';
    text[at] = '\0';
    if (!store_name_is_valid(text))
        return false;
    memcpy(name, text, strlen(text) + 1);
    return true;
}

/* Makes the terms of a round's seasons; `last` is the round before, or NULL. */
static int make_seasons(struct store *store, struct league_round *round,
                        const struct league_round *last)
{
    const struct store_season given = season_creation.terms;
    const char *like = season_creation.like;

    for (int i = 0; i < round->count; i++) {
        struct store_season *season = &round->divisions[i].season;
        int result;

        *season = given;
        memcpy(season->division, round->divisions[i].name, sizeof season->division);
        season->league_id = round->league.id;
        season->round = round->number;
        if (!write_season_name(round, i, season->name))
            return command_refuse("league %s: %s-%d-%s is no name for a season: choose shorter "
                                  "names of letters and digits",
                                  round->league.name, round->league.name, round->number,
                                  round->divisions[i].name);
        season_creation.like = like ? like : last ? last->divisions[i].season.name : NULL;
        result = season_terms_make(store, season);
        if (result)
            return result;
    }
    return COMMAND_DONE;
}

/* In a round, nobody is in a division that has too few bots to play. */
static int check_sizes(const struct league_round *round)
{
    for (int i = 0; i < round->count; i++) {
        const struct league_division *division = &round->divisions[i];

        if (division->count < division->season.player_counts[0])
            return command_refuse("league %s: division %s would have %d bot%s, and its games need "
                                  "%d: choose fewer divisions or places, or wait for bots",
                                  round->league.name, division->name, division->count,
                                  plain_text_s(division->count), division->season.player_counts[0]);
    }
    return COMMAND_DONE;
}

static int tell_left_out(void *context, const struct store_bot *bot)
{
    int *count = context;

    fputs((*count)++ ? ", " : "\nleft out: ", stdout);
    plain_text_printf(stdout, "%s", bot->name);
    return 0;
}

/* Prints which bots have no place in the round, since its list does not name them. */
static int tell_who_is_left_out(struct store *store, const struct league_round *round)
{
    int count = 0, error = league_left_out_each(round, store, tell_left_out, &count);

    if (count)
        plain_text_printf(stdout,
                          ": --only does not name %s; in the next round %s in division %s\n",
                          count == 1 ? "it" : "them", count == 1 ? "it begins" : "they begin",
                          round->divisions[round->count - 1].name);
    return error;
}

/* Stores a round unless --dry-run is given, and prints it. */
static int begin_round(struct store *store, struct league_round *round)
{
    struct season_load loads[LEAGUE_DIVISIONS_MAX];
    int result = check_sizes(round);

    if (!result && !season_creation.is_trial)
        result = league_store(round, store);
    if (result)
        return result;
    plain_text_printf(stdout, "league %s, round %d%s\n", round->league.name, round->number,
                      season_creation.is_trial ? ": nothing was created (--dry-run)" : "");
    for (int i = 0; i < round->count; i++) {
        const struct league_division *division = &round->divisions[i];

        plain_text_printf(stdout, "\nseason %s, division %s: ", division->season.name,
                          division->name);
        for (int j = 0; j < division->count; j++)
            plain_text_printf(stdout, "%s%s", j ? ", " : "", division->places[j].bot);
        putchar('\n');
        if (i == 0) {
            struct report_season told;

            result = season_terms_read(&told, store, &division->season, division->count);
            if (!result)
                season_terms_print(&told);
        }
        loads[i] = (struct season_load){&division->season, division->count};
    }
    return result
               ?: tell_who_is_left_out(store, round)
                      ?: season_terms_estimate(store, loads, round->count, NULL);
}

/* ---- new ---- */

static int create(struct store_call *call)
{
    /* Static, because these are too large for the stack. */
    static struct standings_choice choice;
    static struct league_round none, round;
    struct store_league league = {.place_count = place_count,
                                  .promoted_count = promoted_count,
                                  .created_us = clock_time_us()};
    int result;

    if (!divisions || !place_count)
        return command_refuse("league new: name the divisions and their places: --divisions A,B,C "
                              "--places 8");
    if (promoted_count > place_count / 2)
        return command_refuse("--promote %d: is more than half of the %d places of a division",
                              promoted_count, place_count);
    if (!store_text_is_valid(divisions))
        return command_refuse("--divisions: is not 1 to %d bytes of text", STORE_TEXT_BYTES_MAX);
    strcpy(league.name, call->argv[0]);
    strcpy(league.divisions, divisions);
    if (league_split(&league, &none) < 0)
        return command_refuse("--divisions %s: is not a list of 1 to %d different names, such as "
                              "A,B,C",
                              divisions, LEAGUE_DIVISIONS_MAX);
    result = (listed ? standings_choose(&choice, call->store, listed)
                           ?: league_fill(&none, choice.names, choice.count, &round)
                     : league_choose(&none, call->store, &round))
                 ?: make_seasons(call->store, &round, NULL) ?: begin_round(call->store, &round);
    league_finish(&round);
    return result;
}

static const struct option new_options[] = {
    {"divisions", "A,B,...", "names of the divisions, best first", .text = &divisions},
    {"places", "N", "bots of a division; the last one takes all others", .count = &place_count,
     .minimum = 2, .maximum = SCHEDULE_ENTRIES_MAX},
    {"promote", "N", "bots that go up, and down, between two divisions after a round (0)",
     .count = &promoted_count, .maximum = SCHEDULE_ENTRIES_MAX},
    {"only", "LIST",
     "the bots, best first: names, and ranks in closed seasons, such as ant,winter:1..24 (all "
     "bots, in the order of their admission)",
     .text = &listed},
    {.help = "the terms of the divisions' seasons"},
    SEASON_TERM_OPTIONS,
    STORE_OPTIONS};

static const struct command_line new_line;

static int run_new(int argc, char **argv)
{
    if (!store_name_is_valid(argv[0]))
        return command_refuse(
            "league new %s: a league's name is 1 to %d characters from a-z, 0-9, - and _", argv[0],
            STORE_NAME_BYTES_MAX);
    return store_command(&new_line, STORE_CREATE, create, argc, argv);
}

static const struct command_line new_line = {
    .name = "league new",
    .is_remote = true,
    .usage = "NAME --divisions A,B,... --places N [--promote N] [OPTION ...]",
    .about = "Creates a league and its first round: a season for each division, with a list of its "
             "bots.",
    .options = new_options,
    .least = 1,
    .arguments = "name one league",
    .run_fn = run_new};

/* ---- next ---- */

/* Refuses to go on while a division of the round may still change. */
static int check_closed(const struct league_round *round)
{
    char open[LEAGUE_DIVISIONS_MAX * (STORE_NAME_BYTES_MAX + 32)] = "";
    size_t at = 0;

    for (int i = 0; i < round->count; i++) {
        const struct store_season *season = &round->divisions[i].season;

        if (season->name[0] && !season->closed_us)
            at += (size_t)snprintf(open + at, sizeof open - at, "%sarena season close %s",
                                   at ? " && " : "", season->name);
        if (!season->name[0])
            return command_refuse("league %s: division %s has no season in round %d, or a void "
                                  "one: `arena season void NAME --undo` lets it count again",
                                  round->league.name, round->divisions[i].name, round->number);
    }
    return *open ? command_refuse("league %s: round %d is open, so its ranks may change: `%s` "
                                  "closes it; a daemon closes what has a date in --until",
                                  round->league.name, round->number, open)
                 : COMMAND_DONE;
}

static void tell_undecided(const struct league_round *round)
{
    bool is_first = true;

    for (int i = 0; i < round->count; i++)
        for (int j = 0; j < round->divisions[i].count; j++) {
            if (!round->divisions[i].places[j].is_undecided)
                continue;
            plain_text_printf(stdout, "%s%s (%s)", is_first ? "undecided at a cut: " : ", ",
                              round->divisions[i].places[j].bot, round->divisions[i].name);
            is_first = false;
        }
    if (!is_first)
        puts(": the order of the final list decides; more games would make it certain");
}

static int begin_next(struct store_call *call)
{
    static struct league_round last, next; /* too large for the stack */
    int result = league_read(&last, call->store, call->argv[0]);

    if (result)
        return result;
    result = check_closed(&last) ?: league_choose(&last, call->store, &next);
    if (!result)
        tell_undecided(&last);
    result = result ?: make_seasons(call->store, &next, &last) ?: begin_round(call->store, &next);
    league_finish(&next);
    league_finish(&last);
    return result;
}

static const struct option next_options[] = {
    {.help = "terms that differ from those of the round before"},
    SEASON_TERM_OPTIONS,
    STORE_OPTIONS};

static const struct command_line next_line = {
    .name = "league next",
    .is_remote = true,
    .usage = "NAME [--from TIME] [--until TIME] [OPTION ...]",
    .about = "Begins the next round of a league, once the seasons of the last one are closed: the "
             "best of each division go up, as many of the one above come down, and new bots begin "
             "in the last division.",
    .options = next_options,
    .least = 1,
    .arguments = "name one league",
    .store_fn = begin_next,
    .mode = STORE_WRITE};

/* ---- show and list ---- */

static bool prints_marks;

static int print_marks(struct store *store, const struct league_round *round)
{
    const struct store_season *seasons[LEAGUE_DIVISIONS_MAX];
    int count = 0;

    for (int i = 0; i < round->count; i++)
        if (round->divisions[i].season.name[0]) /* else the season is void */
            seasons[count++] = &round->divisions[i].season;
    return export_marks(store, seasons, count, stdout);
}

static bool has_ended(const struct league_round *round)
{
    for (int i = 0; i < round->count; i++)
        if (round->divisions[i].season.name[0] && !round->divisions[i].season.closed_us)
            return false;
    return round->number > 0;
}

static int show(struct store_call *call)
{
    static struct league_round round;
    struct columns_rows rows = {.row_bytes = sizeof(struct report_place)};
    int result = league_read(&round, call->store, call->argv[0]);

    if (result)
        return result;
    if (prints_marks) {
        result = print_marks(call->store, &round);
    } else if (options_json) {
        result =
            command_print_json(columns_row_json(&league_columns, &round, NULL, READER_ORGANIZER));
    } else {
        plain_text_printf(stdout, "league %s, round %d: %s\n", round.league.name, round.number,
                          has_ended(&round) ? "as it ended" : "if it ended now");
        rows.rows = report_places(&round, &rows.count);
        result = command_print_table("places", &place_columns, &rows, "no bots yet");
        free((void *)rows.rows);
        tell_undecided(&round);
    }
    league_finish(&round);
    return result;
}

static const struct option show_options[] = {
    {"marks", NULL,
     "CSV for the organizer alone: the ranks in all divisions with student numbers, without "
     "reference bots, and the accounts without a bot",
     .flag = &prints_marks, .excludes = "json"},
    OPTION_JSON("one JSON object"),
    STORE_OPTIONS};

static const struct command_line show_line = {
    .name = "league show",
    .is_remote = true,
    .usage = "NAME [--json | --marks]",
    .about = "Shows the divisions of a league's latest round, and who would go up and down now.",
    .options = show_options,
    .least = 1,
    .arguments = "name one league",
    .store_fn = show};

static int add_league(void *context, const struct store_league *league)
{
    struct columns_rows *rows = context;
    const struct league_round round = {.league = *league};

    return array_add(&rows->rows, &rows->count, &round, sizeof round);
}

static int list(struct store_call *call)
{
    struct columns_rows rows = {.row_bytes = sizeof(struct league_round)};
    int error = store_leagues_each(call->store, add_league, &rows)
                    ?: command_print_table("leagues", &league_columns, &rows,
                                           "no leagues yet: `arena league new NAME` creates one");

    free((void *)rows.rows);
    return error;
}

static const struct command_line list_line = {.name = "league list",
                                              .is_remote = true,
                                              .usage = "[--json]",
                                              .about = "Lists all leagues.",
                                              .options = store_json_options,
                                              .store_fn = list};

static const struct command subcommands[] = {
    {"new", &new_line, "create a league and its first round"},
    {"next", &next_line, "begin the next round"},
    {"show", &show_line, "show the divisions, and who goes up and down"},
    {"list", &list_line, "list all leagues"},
    {NULL},
};

const struct command_line command_league = {
    .name = "league",
    .about = "A league plays in rounds. A round has a season for each division; after it the best "
             "bots of a division go up, and the last ones come down.",
    .subcommands = subcommands};
