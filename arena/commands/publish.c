/* arena publish: writes the site of a store's seasons, once. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/play_options.h"
#include "arena/commands/serve_files.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"
#include "arena/site/publish.h"

static const char usage[] =
    "usage: arena publish [--games N|all] [--json] [--home DIR] [SEASON ...] DIR\n"
    "\n"
    "Writes the site of these seasons (of all, if none is named) into DIR: static pages that\n"
    "open from the folder or from any web server. DIR must be an older site, empty, or\n"
    "new; it is replaced in one step. Groups that are not finished are left out.\n"
    "\n"
    "  --games N    pages for the newest N games of each bot (10), beside every forfeit; all: for\n"
    "               every game\n"
    "  --json       one JSON object: {\"site\", \"seasons\", \"written\", \"kept\"} (files),\n"
    "               \"damaged\" (replays)\n";

static int print_result(const struct publish_request *request, const struct publish_result *result,
                        bool json)
{
    const struct publish_damage *damage = &result->damage;
    int status = COMMAND_DONE;

    if (json)
        status = store_option_print(
            json_pack("{s:s, s:i, s:I, s:I, s:I}", "site", request->folder, "seasons",
                      result->season_count, "written", (json_int_t)result->written_count, "kept",
                      (json_int_t)result->kept_count, "damaged", (json_int_t)damage->count));
    else
        plain_text_printf(
            stdout, "%s/index.html: %d season%s, %lld files written, %lld unchanged%s%s\n",
            request->folder, result->season_count, result->season_count == 1 ? "" : "s",
            (long long)result->written_count, (long long)result->kept_count,
            damage->count ? ", damaged: " : "", damage->count ? damage->words : "");
    if (damage->count > 0)
        return command_refuse("%lld damaged replay%s, the first: %s; restore a backup",
                              (long long)damage->count, damage->count == 1 ? "" : "s",
                              damage->words);
    return status;
}

static int run(const char *home, struct publish_request *request, bool json)
{
    struct publish_result result;
    struct store *store;
    int status = store_option_open(home, STORE_READ, &store);
    int error;

    if (status != COMMAND_DONE)
        return status;
    error = publish(store, request, &result);
    store_close(store);
    if (error == -ENOENT || error == -EEXIST || error == -ENOTDIR || error == -EACCES)
        return command_refuse("%s", result.error);
    if (error)
        return command_fail("%s", result.error);
    return print_result(request, &result, json);
}

int command_publish(int argc, char **argv)
{
    struct publish_request request = {.games = PUBLISH_GAMES};
    const char *home = NULL, *games = NULL;
    bool json = false;
    const struct plain_option options[] = {{"games", .text = &games},
                                           {"json", .flag = &json},
                                           {"home", .text = &home},
                                           {.name = NULL}};
    int status = COMMAND_USAGE;

    if (!plain_options_read(argc, argv, options, usage, store_option_help, &status))
        return status;
    if (games && strcmp(games, "all") == 0)
        request.games = PUBLISH_ALL_GAMES;
    else if (games && !play_options_number(games, 0, 1000000000, &request.games))
        return command_refuse("--games %s: is neither a number of games nor all", games);
    if (argc == optind)
        return command_refuse("publish: name the folder of the site: see `arena publish --help`");
    request.seasons = (const char *const *)argv + optind;
    request.season_count = argc - optind - 1;
    request.folder = argv[argc - 1];
    return run(home, &request, json);
}
