/* arena ladder: the ladder of a season. */
#include <getopt.h>
#include <stdio.h>

#include "arena/commands/commands.h"
#include "arena/commands/ladder_print.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/play_options.h"
#include "arena/commands/store_option.h"

static const char usage[] =
    "usage: arena ladder SEASON [--players N] [--final] [--cross] [--json|--csv] [--home DIR]\n"
    "\n"
    "  --players N  only games at tables of N\n"
    "  --final      the list of all games at once, in place of the live one\n"
    "  --cross      who took how much off whom\n"
    "  --json       one JSON object (docs/seasons.md)\n"
    "  --csv        a header line and a row a bot\n";

struct request {
    const char *name;
    const char *home;
    int64_t player_count; /* 0: all */
    enum ladder_list list;
    bool cross, json, csv;
};

/* Over all tables, then each size by itself. */
static int print_all(const struct request *request, struct standings *standings)
{
    struct ladder_print print = {standings, (int)request->player_count, request->list};

    if (request->json)
        return store_option_print(request->cross ? ladder_print_cross_json(&print)
                                                 : ladder_print_json(&print));
    if (request->csv) {
        ladder_print_csv(&print);
        return COMMAND_DONE;
    }
    if (request->cross) {
        ladder_print_cross(&print);
        return COMMAND_DONE;
    }
    ladder_print_text(&print);
    for (int count = GAME_PLAYERS_MIN; count <= GAME_PLAYERS_MAX && !print.player_count; count++) {
        struct ladder_print sized = {standings, count, request->list};

        if (!standings->ladders[count].entries)
            continue;
        putchar('\n');
        ladder_print_text(&sized);
    }
    return COMMAND_DONE;
}

/* One size of table only: where the season has no other, that is the ladder over all. */
static int check_size(struct request *request, const struct store_season *season)
{
    for (int i = 0; i < season->player_count_count; i++) {
        if (season->player_counts[i] != request->player_count)
            continue;
        if (season->player_count_count == 1)
            request->player_count = 0;
        return COMMAND_DONE;
    }
    return command_refuse("--players %d: season %s has no such tables", (int)request->player_count,
                          season->name);
}

static int show(struct request *request)
{
    struct store_season season;
    struct standings standings;
    struct store *store;
    int status = store_option_open_season(request->home, request->name, &store, &season);

    if (status != COMMAND_DONE)
        return status;
    if (request->player_count)
        status = check_size(request, &season);
    if (status == COMMAND_DONE)
        status =
            store_option_status(store, standings_load(&standings, store, &season, request->list));
    store_close(store);
    if (status != COMMAND_DONE)
        return status;
    status = print_all(request, &standings);
    standings_finish(&standings);
    return status;
}

int command_ladder(int argc, char **argv)
{
    struct request request = {.list = LADDER_LIVE};
    const char *players = NULL;
    bool final = false;
    const struct plain_option options[] = {{"players", .text = &players},
                                           {"final", .flag = &final},
                                           {"cross", .flag = &request.cross},
                                           {"json", .flag = &request.json},
                                           {"csv", .flag = &request.csv},
                                           {"home", .text = &request.home},
                                           {.name = NULL}};
    int status;

    if (!plain_options_read(argc, argv, options, usage, store_option_help, &status))
        return status;
    if (players &&
        !play_options_number(players, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX, &request.player_count))
        return command_refuse("--players %s: is not 2, 3 or 4", players);
    if (final)
        request.list = LADDER_FINAL;
    if (request.json && request.csv)
        return command_refuse("ladder: --json and --csv exclude each other");
    if (request.cross && request.csv)
        return command_refuse("ladder: --cross has no --csv: --json has its numbers");
    if (argc - optind != 1)
        return command_refuse("ladder: name one season: see `arena ladder --help`");
    request.name = argv[optind];
    return show(&request);
}
