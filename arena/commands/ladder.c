/* arena ladder: the ladder of a season. */
#include <getopt.h>
#include <stdio.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/play_options.h"
#include "arena/commands/store_option.h"
#include "arena/report/ladder.h"

static const char usage[] =
    "usage: arena ladder SEASON [--players N] [--live] [--all] [--cross] [--wide] [--json|--csv]\n"
    "                    [--home DIR]\n"
    "\n"
    "Shows the final ratings of a season, from all games at once, with errors.\n"
    "\n"
    "  --players N  only games at tables of N\n"
    "  --live       in the order of live Elo, without errors\n"
    "  --final      the final ratings (the default)\n"
    "  --all        rank versions that no longer play among the others, not below them\n"
    "  --cross      the score of each pair, and results that chance does not explain\n"
    "  --wide       all columns, however wide; otherwise those that fit the terminal, or 80\n"
    "  --json       one JSON object (docs/seasons.md)\n"
    "  --csv        a header line and one row per bot\n";

struct request {
    const char *name;
    const char *home;
    int64_t player_count; /* 0: all */
    unsigned list;        /* enum ladder_list bits */
    bool cross, json, csv, wide;
};

/* Prints the ladder of all tables, then that of each table size. */
static int print_text(const struct request *request, struct standings *standings)
{
    struct columns_layout layout = command_layout(request->wide);
    struct report_ladder report = {standings, (int)request->player_count};
    int error = request->cross ? report_cross_print(stdout, &report, layout)
                               : report_ladder_print(stdout, &report, layout);

    for (int count = GAME_PLAYERS_MIN;
         count <= GAME_PLAYERS_MAX && !request->player_count && !request->cross && !error;
         count++) {
        struct report_ladder sized = {standings, count};

        if (!standings->ladders[count].entries)
            continue;
        putchar('\n');
        error = report_ladder_print(stdout, &sized, layout);
    }
    return error ? command_fail("out of memory") : COMMAND_DONE;
}

static int print_all(const struct request *request, struct standings *standings)
{
    struct report_ladder report = {standings, (int)request->player_count};

    if (request->json)
        return store_option_print(request->cross ? report_cross_json(&report)
                                                 : report_ladder_json(&report));
    if (!request->csv)
        return print_text(request, standings);
    report_ladder_print_csv(stdout, &report);
    return COMMAND_DONE;
}

/*
 * Checks the requested table size; if the season has only that size, it is the ladder of all
 * tables.
 */
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

/* Prints the options, and then the meaning of the columns. */
static void print_help(void)
{
    struct column array[LADDER_COLUMNS_MAX];
    struct columns columns = ladder_columns(LADDER_FINAL, array);

    fputs("\ncolumns: in text, in JSON, and what they mean\n", stdout);
    columns_print_help(stdout, &columns);
}

static int check_request(const struct request *request, bool live, bool final)
{
    if (live && final)
        return command_refuse("ladder: --live and --final exclude each other");
    if (request->json && request->csv)
        return command_refuse("ladder: --json and --csv exclude each other");
    if (request->cross && request->csv)
        return command_refuse("ladder: --cross cannot be printed with --csv: use --json");
    return COMMAND_DONE;
}

int command_ladder(int argc, char **argv)
{
    struct request request = {.list = LADDER_FINAL};
    const char *players = NULL;
    bool final = false, live = false, all = false;
    const struct plain_option options[] = {
        {"players", .text = &players},     {"live", .flag = &live},
        {"final", .flag = &final},         {"all", .flag = &all},
        {"cross", .flag = &request.cross}, {"wide", .flag = &request.wide},
        {"json", .flag = &request.json},   {"csv", .flag = &request.csv},
        {"home", .text = &request.home},   {.name = NULL}};
    int status = COMMAND_USAGE;

    if (!plain_options_read(argc, argv, options, usage, store_option_help, &status)) {
        if (status == COMMAND_DONE)
            print_help();
        return status;
    }
    if (players &&
        !play_options_number(players, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX, &request.player_count))
        return command_refuse("--players %s: is not 2, 3 or 4", players);
    status = check_request(&request, live, final);
    if (status != COMMAND_DONE)
        return status;
    request.list = (live ? LADDER_LIVE : LADDER_FINAL) | (all ? LADDER_IN_PLACE : 0);
    if (argc - optind != 1)
        return command_refuse("ladder: name one season: see `arena ladder --help`");
    request.name = argv[optind];
    return show(&request);
}
