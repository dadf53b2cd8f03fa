/* SPDX-License-Identifier: MIT */
/* The results of a season: `arena ladder`, `games`, `export` and `publish`. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/commands/commands.h"
#include "arena/base/memory.h"
#include "arena/commands/options.h"
#include "arena/base/place.h"
#include "arena/base/plain_text.h"
#include "arena/report/explain.h"
#include "arena/report/export.h"
#include "arena/report/game.h"
#include "arena/report/ladder.h"
#include "arena/site/publish.h"

/* ---- ladder ---- */

static int player_count; /* table size of the ladder; 0: all sizes */
static bool shows_cross, prints_csv, prints_marks;

static int print_ladders(struct standings *standings)
{
    struct columns_layout layout = command_layout();
    struct report_ladder report = {standings, player_count};
    int error = shows_cross ? report_cross_print(stdout, &report, layout)
                            : report_ladder_print(stdout, &report, layout);

    for (int count = GAME_PLAYERS_MIN;
         count <= GAME_PLAYERS_MAX && !player_count && !shows_cross && !error; count++) {
        struct report_ladder sized = {standings, count};

        if (!standings->ladders[count].entries)
            continue;
        putchar('\n');
        error = report_ladder_print(stdout, &sized, layout);
    }
    return error ? command_fail("out of memory") : COMMAND_DONE;
}

static int print_ladder(struct standings *standings)
{
    struct report_ladder report = {standings, player_count};

    if (options_json)
        return command_print_json(shows_cross ? report_cross_json(&report)
                                              : report_ladder_json(&report));
    if (!prints_csv)
        return print_ladders(standings);
    report_ladder_print_csv(stdout, &report);
    return COMMAND_DONE;
}

/*
 * Checks that the season has the requested table size. If the season has only one size, requests
 * the ladder over all sizes, because the two ladders are then equal.
 */
static int check_size(const struct store_season *season)
{
    for (int i = 0; i < season->player_count_count; i++) {
        if (season->player_counts[i] != player_count)
            continue;
        if (season->player_count_count == 1)
            player_count = 0;
        return COMMAND_DONE;
    }
    return command_refuse("--players %d: season %s has no games with this number of players",
                          player_count, season->name);
}

static void print_columns(void)
{
    struct column array[LADDER_COLUMNS_MAX];
    struct columns columns = ladder_columns(LADDER_FINAL, array);

    fputs("\ncolumns: title in text, key in JSON, and meaning\n", stdout);
    columns_print_help(stdout, &columns);
}

static bool is_final, is_live, sorts_all;

static int show_ladder(struct store_call *call)
{
    const unsigned list =
        (is_live ? LADDER_LIVE : LADDER_FINAL) | (sorts_all ? LADDER_IN_PLACE : 0);
    const struct store_season *season = &call->season;
    struct standings standings;
    int result;

    if (prints_marks)
        return export_marks(call->store, &season, 1, stdout);
    result = (player_count ? check_size(season) : COMMAND_DONE)
                 ?: standings_load(&standings, call->store, season, list);
    if (result)
        return result;
    result = print_ladder(&standings);
    standings_finish(&standings);
    return result;
}

static const struct option ladder_options[] = {
    {"players", "N", "only games at tables of N", .count = &player_count,
     .minimum = GAME_PLAYERS_MIN, .maximum = GAME_PLAYERS_MAX},
    {"live", NULL, "order by live Elo: updated after each group of games, without standard errors",
     .flag = &is_live},
    {"final", NULL, "order by the final ratings, from all games at once (the default)",
     .flag = &is_final, .excludes = "live"},
    {"all", NULL,
     "sort versions that no longer play among the others by rating, not below the others",
     .flag = &sorts_all},
    {"cross", NULL, "the score of each pair, and results that chance does not explain",
     .flag = &shows_cross, .excludes = "csv"},
    {"wide", NULL, "show all columns, not only those that fit the terminal or 80 columns",
     .flag = &options_wide},
    {"json", NULL, "one JSON object (docs/keys.md; of --cross: docs/seasons.md)",
     .flag = &options_json, .excludes = "csv"},
    {"csv", NULL, "CSV: a header line and one row per bot", .flag = &prints_csv},
    {"marks", NULL,
     "CSV for the organizer alone: the ranks with student numbers, without reference bots, and the "
     "accounts without a bot",
     .flag = &prints_marks, .excludes = "csv json cross live all players"},
    STORE_OPTIONS};

const struct command_line command_ladder = {.name = "ladder",
                                            .is_remote = true,
                                            .usage = "SEASON [OPTION ...]",
                                            .about =
                                                "Shows the ratings of a season's bots, computed "
                                                "from all games at once, with standard errors.",
                                            .options = ladder_options,
                                            .names_season = true,
                                            .help_fn = print_columns,
                                            .store_fn = show_ladder};

/* ---- games ---- */

static struct listing {
    struct season season;
    const char *bot; /* list only games of this bot; NULL: all games */
    int reason; /* list only games in which a bot was out for this reason (enum wire_reason); -1:
                   all games */
} listing;

static bool has_reason(const struct store_game *game, int reason)
{
    for (int seat = 0; seat < game->player_count; seat++)
        if ((int)game->seats[seat].reason == reason)
            return true;
    return false;
}

static int list_game(void *context, const struct store_game *game)
{
    if (!roster_has_players(&listing.season.roster, game) ||
        (listing.reason >= 0 && !has_reason(game, listing.reason)))
        return 0;
    if (options_json)
        return command_print_json(report_game_json(&listing.season, game, READER_ORGANIZER));
    report_game_print(stdout, &listing.season, game);
    return 0;
}

static bool is_in_season(void)
{
    for (int entry = 0; entry < listing.season.roster.count; entry++)
        if (strcmp(listing.season.roster.members[entry].bot.name, listing.bot) == 0)
            return true;
    return false;
}

static struct listing listing = {.reason = -1};

static int list_games(struct store_call *call)
{
    int result = season_load_roster(&listing.season, call->store, call->argv[0]);

    if (result)
        return result;
    if (listing.bot && !is_in_season()) {
        result = command_refuse("--bot %s: season %s has no bot of that name: `arena ladder %s` "
                                "lists the season's bots",
                                listing.bot, call->argv[0], call->argv[0]);
    } else {
        result = store_games_verify(call->store, listing.season.terms.id, 0, STORE_ALL_GROUPS,
                                    listing.bot, list_game, NULL);
        if (result == -EINTR) /* list_game has already printed an error */
            result = COMMAND_FAILED;
    }
    season_finish(&listing.season);
    return result;
}

static int take_reason(void *reason, const char *name)
{
    *(int *)reason = wire_reason_from_name(name);
    return *(int *)reason < 0
               ? command_refuse("--reason %s: unknown reason: docs/protocol.md lists the reasons",
                                name)
               : COMMAND_DONE;
}

static const struct option games_options[] = {
    {"bot", "NAME", "only games of bot NAME, in any version", .text = &listing.bot},
    {"reason", "REASON",
     "only games that a bot did not play to the end, for REASON: timeout, crash, ...",
     .take_fn = take_reason, .context = &listing.reason},
    OPTION_JSON("one JSON object per game"),
    STORE_OPTIONS};

const struct command_line command_games = {
    .name = "games",
    .is_remote = true,
    .usage = "SEASON [--bot NAME] [--reason REASON] [--json]",
    .about = "Lists the games that were played, in the schedule's order.",
    .options = games_options,
    .least = 1,
    .store_fn = list_games};

/* ---- explain ---- */

static struct explaining {
    struct store *store;
    struct season season;
    int rotation;
    int64_t seat; /* -1: all */
    FILE *text;
    bool is_found, has_seat;
    int error;
} explaining = {.seat = -1};

static int explain(void *context, const struct store_game *game)
{
    if (game->rotation != explaining.rotation ||
        !roster_has_players(&explaining.season.roster, game))
        return 0;
    explaining.is_found = true;
    explaining.has_seat = explaining.seat < game->player_count;
    if (explaining.has_seat)
        explaining.error = explain_game(explaining.text, explaining.store, &explaining.season, game,
                                        (int)explaining.seat);
    return 1;
}

/* Reads the game of a loaded season and explains it. */
static int explain_in(const char *id, int group)
{
    int result = store_games_verify(explaining.store, explaining.season.terms.id, group, group + 1,
                                    NULL, explain, NULL);

    if (explaining.error || (result && result != -EINTR))
        return explaining.error ? explaining.error : result;
    if (!explaining.is_found)
        return command_refuse("there is no game %s: `arena games %s` lists the games", id,
                              explaining.season.terms.name);
    return explaining.has_seat ? COMMAND_DONE
                               : command_refuse("seat %lld: game %s has no such seat",
                                                (long long)explaining.seat, id);
}

static int run_explain(struct store_call *call)
{
    char season[STORE_NAME_BYTES_MAX + 1], *text = NULL;
    size_t size;
    int group, result;

    if (!store_game_id_parse(call->argv[0], season, &group, &explaining.rotation))
        return command_refuse("'%s' is not the id of a game, such as spring-000012-1: `arena games "
                              "SEASON` lists the games",
                              call->argv[0]);
    if (call->argc > 1 && !options_number(call->argv[1], 0, GAME_PLAYERS_MAX - 1, &explaining.seat))
        return command_refuse("'%s' is not a seat (0..3)", call->argv[1]);
    explaining.store = call->store;
    explaining.text = memory_stream(&text, &size);
    result = season_load_roster(&explaining.season, call->store, season);
    if (!result) {
        result = explain_in(call->argv[0], group);
        season_finish(&explaining.season);
    }
    memory_stream_end(explaining.text);
    if (result == COMMAND_DONE)
        plain_text_wrap(stdout, text, 80, 4);
    free(text);
    return result;
}

const struct command_line command_explain = {
    .name = "explain",
    .is_remote = true,
    .usage = "GAME [SEAT]",
    .about =
        "Says from the record of a game whether a bot was treated unfairly: what it computed, "
        "how long it waited for a processor, what the arena held up, what the machine was "
        "like; what that proves, and what the record cannot show. GAME is the id of a season's "
        "game, as `arena games` lists it; a replay's file has no such record.",
    .options = store_options,
    .least = 1,
    .most = 2,
    .arguments = "name one game and at most one seat",
    .store_fn = run_explain};

/* ---- export ---- */

/* Creates the folder; if the folder exists, checks that it is empty. */
static int make_folder(const char *path)
{
    const struct dirent *entry;
    int count = 0;
    DIR *folder;

    if (mkdir(path, 0777) == 0)
        return COMMAND_DONE;
    if (errno != EEXIST)
        return command_refuse_errno(errno, "%s: cannot be made: %s%s", path, strerror(errno),
                                    place_cure(errno));
    folder = opendir(path);
    if (!folder)
        return command_refuse_errno(errno, "%s: %s", path, strerror(errno));
    while ((entry = readdir(folder)))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count ? command_refuse("%s: is not empty: name another folder", path) : COMMAND_DONE;
}

/* Ends the names of tables that are being written. */
#define DRAFT ".new"

/* Writes a table under the name of a draft. */
static int write_table(struct store *store, const struct store_season *season, const char *folder,
                       const char *name,
                       int (*export_fn)(struct store *, const struct store_season *, FILE *))
{
    char path[PATH_MAX];
    FILE *file;
    int error;

    if (snprintf(path, sizeof path, "%s/%s" DRAFT, folder, name) >= (int)sizeof path)
        return command_refuse("%s: the path is too long", folder);
    file = fopen(path, "wxe");
    if (!file)
        return command_fail("%s: %s%s", path, strerror(errno), place_cure(errno));
    error = export_fn(store, season, file);
    if (fclose(file) != 0 && !error)
        error = -EIO;
    if (error == -EIO)
        return command_fail(
            "%s: cannot be written: make room on its disk, remove the folder %s and "
            "export again",
            path, folder);
    return error;
}

/* Gives a table its name, now that the export is complete: no other command takes half of one. */
static int keep_table(const char *folder, const char *name)
{
    char path[PATH_MAX], draft[PATH_MAX + sizeof DRAFT];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(draft, sizeof draft, "%s" DRAFT, path);
    return rename(draft, path) < 0
               ? command_fail("%s: %s%s", path, strerror(errno), place_cure(errno))
               : COMMAND_DONE;
}

static void tell_damaged(void *context, const char *id, const char *reason)
{
    int64_t *damaged_count = context;

    command_fail("%s: its replay is damaged: %s", id, reason);
    ++*damaged_count;
}

static int write_replays(struct store *store, const struct store_season *season, const char *folder)
{
    char path[PATH_MAX];
    int64_t damaged_count = 0;
    struct replay_export export = {store, season, path, tell_damaged, &damaged_count};
    int error;

    if (snprintf(path, sizeof path, "%s/replays", folder) >= (int)sizeof path)
        return command_refuse("%s: the path is too long", folder);
    if (mkdir(path, 0777) < 0)
        return command_fail("%s: %s%s", path, strerror(errno), place_cure(errno));
    error = export_replays(&export);
    if (export.path) {
        command_fail("%s: %s%s; remove the folder %s before you export again", export.path,
                     strerror(-error), place_cure(error), folder);
        free(export.path);
        return COMMAND_FAILED;
    }
    error = error ?: keep_table(folder, "games.csv") ?: keep_table(folder, "history.csv");
    if (error)
        return error;
    plain_text_printf(stdout, "%s: games.csv, history.csv and %lld replay%s", folder,
                      (long long)export.written_count, plain_text_s(export.written_count));
    if (export.pruned_count)
        plain_text_printf(stdout, "; %lld pruned", (long long)export.pruned_count);
    if (damaged_count)
        plain_text_printf(stdout, "; %lld damaged and left out", (long long)damaged_count);
    putchar('\n');
    return damaged_count ? COMMAND_FAILED : COMMAND_DONE;
}

static int export_season(struct store_call *call)
{
    struct store *store = call->store;
    const struct store_season *season = &call->season;
    const char *folder = call->argv[1];

    return make_folder(folder) ?: write_table(store, season, folder, "games.csv", export_games)
           ?: write_table(store, season, folder, "history.csv", export_history)
           ?: write_replays(store, season, folder);
}

const struct command_line command_export = {
    .name = "export",
    .is_remote = true,
    .last_path = PATH_MADE,
    .usage = "SEASON DIR",
    .about = "Writes DIR/games.csv (game,group,player,seat,rank,score,reason,us,previous), "
             "which `arena rate` reads, DIR/history.csv (group,player,elo: live ratings after "
             "each group) and DIR/replays/GAME.replay for every game whose replay is kept. "
             "Damaged replays are named and left out; the exit status is then 1. DIR must be "
             "new or empty.",
    .options = store_options,
    .least = 2,
    .arguments = "name a season and a folder",
    .names_season = true,
    .store_fn = export_season};

/* ---- publish ---- */

static int print_published(const struct publish_request *request,
                           const struct publish_result *result)
{
    const struct publish_damage *damage = &result->damage;
    int status = COMMAND_DONE;

    if (options_json)
        status = command_print_json(
            json_pack("{s:s, s:i, s:I, s:I, s:I}", "site", request->folder, "seasons",
                      result->season_count, "written", (json_int_t)result->written_count, "kept",
                      (json_int_t)result->kept_count, "damaged", (json_int_t)damage->count));
    else
        plain_text_printf(stdout,
                          "%s/index.html: %d season%s, %lld file%s written, %lld unchanged%s%s\n",
                          request->folder, result->season_count, plain_text_s(result->season_count),
                          (long long)result->written_count, plain_text_s(result->written_count),
                          (long long)result->kept_count, damage->count ? ", damaged: " : "",
                          damage->count ? damage->words : "");
    if (damage->count > 0)
        return command_refuse("%lld damaged replay%s, the first: %s; restore a backup",
                              (long long)damage->count, plain_text_s(damage->count), damage->words);
    return status;
}

static struct publish_request publish_request = {.games = PUBLISH_GAMES};

static int publish_site(struct store_call *call)
{
    struct publish_request *request = &publish_request;
    char home[PATH_MAX], analyses[PATH_MAX + 16];
    struct publish_result result;
    int error;

    if (home_find(store_option_home, home) == 0) {
        snprintf(analyses, sizeof analyses, "%s/" ANALYSES, home);
        request->analyses = analyses;
    }
    request->seasons = (const char *const *)call->argv;
    request->season_count = call->argc - 1;
    request->folder = call->argv[call->argc - 1];
    error = publish(call->store, request, &result);
    if (error == -ENOENT || error == -EEXIST || error == -ENOTDIR || error == -EACCES ||
        (error == -EINVAL && request->templates))
        return command_refuse("%s", result.error);
    return error ? command_fail("%s", result.error) : print_published(request, &result);
}

static int take_games(void *games, const char *text)
{
    if (strcmp(text, "all") == 0)
        *(int64_t *)games = PUBLISH_ALL_GAMES;
    else if (!options_number(text, 0, 1000000000, games))
        return command_refuse("--games %s: is neither a number of games nor all", text);
    return COMMAND_DONE;
}

static const struct option publish_options[] = {
    {"games", "N|all",
     "write pages for every forfeit and for the newest N games of each bot (10); all: for "
     "every game",
     .take_fn = take_games, .context = &publish_request.games},
    {"live", NULL, "link to the live games: for a site that `arena web` serves",
     .flag = &publish_request.links_live},
    {"address", "URL",
     "public address of the site, for the pictures that others show with its links",
     .url = &publish_request.address},
    {"templates", "DIR",
     "for work on the pages: read their templates from DIR, as arena/site/templates has them",
     .text = &publish_request.templates},
    {"contact", "TEXT",
     "how to reach the organizer, for the home page: a mail or web address, or words",
     .text = &publish_request.contact},
    {"program", "FILE",
     "offer the program for download: an archive that arena/packaging/portable.sh wrote",
     .text = &publish_request.program},
    {"wishes", NULL, "list the games that `arena analyse --wanted` is to analyse next",
     .flag = &publish_request.wishes},
    {"json", NULL,
     "one JSON object: {\"site\", \"seasons\", \"written\", \"kept\"} (files), "
     "\"damaged\" (replays)",
     .flag = &options_json},
    STORE_OPTIONS};

const struct command_line command_publish = {
    .name = "publish",
    .usage = "[--games N|all] [--live] [--address URL] [--contact TEXT] [--program FILE] [--json] "
             "[SEASON ...] DIR",
    .about = "Writes the site of the named seasons, or of all seasons, into DIR: static pages that "
             "open from the folder or from any web server. DIR must be new, empty, or an older "
             "site, which is replaced in one step. Games whose group is not complete are left out.",
    .options = publish_options,
    .least = 1,
    .most = INT_MAX,
    .arguments = "name the folder of the site",
    .store_fn = publish_site};
