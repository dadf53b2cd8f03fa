/* arena season: its options, and the subcommand new. */
#include "arena/commands/season.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/commands/keep_option.h"
#include "arena/commands/play_options.h"
#include "arena/commands/store_option.h"
#include "arena/replay/json.h"
#include "arena/replay/plain_text.h"
#include "arena/season/season.h"

static const char usage[] =
    "usage: arena season new NAME [--players 2|3|4|2,3,4] [--board colored|gray|both] [--clock "
    "..]\n"
    "                             [--budget GAMES] [--until-decided] [--authors apart|free]\n"
    "                             [--keep all|forfeits+N] [--stderr private|publish] [--practice]\n"
    "                             [--memory MIB] [--no-freeze] [--pin] [--same-cpu]\n"
    "                             [--require TIER] [--seed HEX]\n"
    "       arena season run NAME [--jobs N] [--games N] [--until-decided]\n"
    "       arena season list [--json]\n"
    "       arena season show NAME [--json]\n"
    "       arena season events NAME [--json]\n"
    "       arena season roster NAME --only BOT,... | --all\n"
    "       arena season extend NAME --budget GAMES\n"
    "       arena season close NAME [--wait SECONDS]\n"
    "       arena season reopen NAME [--budget GAMES] [--seed HEX]\n"
    "\n"
    "A season lets all bots that were submitted play each other, rates them, and stops when its\n"
    "budget is spent. `arena season run` may be stopped and started again at any time; all other\n"
    "commands also work while it runs.\n"
    "\n"
    "  --players LIST    seats of a table; several sizes take turns by group (2)\n"
    "  --board SIDE      colored, gray, or both in turns (colored)\n"
    "  --clock PARTS     turn=MS,bank=MS,gain=MS,start=MS (1000, 10000, 0, 5000)\n"
    "  --budget GAMES    games to play in all, rounded up to whole groups (1000); for extend\n"
    "                    and reopen: additional games\n"
    "  --until-decided   end before that once the order of all neighbors is decided\n"
    "  --authors HOW     apart: bots of one author do not meet where three or more authors take\n"
    "                    part, and never at a table of three or four; free: they may meet (apart)\n"
    "  --keep WHICH      replays: all; or forfeits+N: those of every forfeit and of the newest N\n"
    "                    other games, while results are kept in any case (all)\n"
    "  --stderr HOW      standard error of a bot that forfeits: private, for its author and\n"
    "                    the organizer; publish: on the site too (private)\n"
    "  --practice        a season that counts for nothing: bots are told names, and while rated\n"
    "                    seasons have games to play, a daemon gives it a tenth of the jobs\n"
    "  --same-cpu        only machines with the processor model of the first to play it do\n"
    "  --memory MIB, --freeze, --no-freeze, --pin, --require TIER\n"
    "                    how bots are run, as terms of the season (768, freeze, no pin, lite)\n"
    "  --only BOT,...    names that take part from the next batch on; --all: every bot again\n"
    "  --wait SECONDS    to wait for games under way (60); those that have not ended by then\n"
    "                    are void\n"
    "  --seed HEX        32 hex digits in place of secret randomness: for tests\n"
    "  --json            one JSON object\n";

enum {
    BUDGET_DEFAULT = 1000,
    BUDGET_MAX = 1000000000,
    WAIT_S_DEFAULT = 60,
    WAIT_S_MAX = 1000000,
};

enum season_option {
    OPTION_PLAYERS = PLAY_OPTION_END,
    OPTION_BUDGET,
    OPTION_UNTIL_DECIDED,
    OPTION_AUTHORS,
    OPTION_KEEP,
    OPTION_STDERR,
    OPTION_PRACTICE,
    OPTION_SAME_CPU,
    OPTION_ONLY,
    OPTION_ALL,
    OPTION_WAIT,
    OPTION_SEED,
    OPTION_JSON,
    OPTION_HOME,
    OPTION_HELP,
};

static const struct option options[] = {
    {"players", required_argument, NULL, OPTION_PLAYERS},
    {"board", required_argument, NULL, PLAY_OPTION_BOARD},
    {"clock", required_argument, NULL, PLAY_OPTION_CLOCK},
    {"budget", required_argument, NULL, OPTION_BUDGET},
    {"until-decided", no_argument, NULL, OPTION_UNTIL_DECIDED},
    {"authors", required_argument, NULL, OPTION_AUTHORS},
    {"keep", required_argument, NULL, OPTION_KEEP},
    {"stderr", required_argument, NULL, OPTION_STDERR},
    {"practice", no_argument, NULL, OPTION_PRACTICE},
    {"memory", required_argument, NULL, PLAY_OPTION_MEMORY},
    {"freeze", no_argument, NULL, PLAY_OPTION_FREEZE},
    {"no-freeze", no_argument, NULL, PLAY_OPTION_NO_FREEZE},
    {"pin", no_argument, NULL, PLAY_OPTION_PIN},
    {"same-cpu", no_argument, NULL, OPTION_SAME_CPU},
    {"require", required_argument, NULL, PLAY_OPTION_REQUIRE},
    {"only", required_argument, NULL, OPTION_ONLY},
    {"all", no_argument, NULL, OPTION_ALL},
    {"wait", required_argument, NULL, OPTION_WAIT},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"json", no_argument, NULL, OPTION_JSON},
    {"home", required_argument, NULL, OPTION_HOME},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

static const char *const board_names[] = {"colored", "gray", "both"};

/* ---- options ---- */

/* Parses "2" or "4,2": digits from 2 to 4, each at most once, in any order. */
static int take_players(struct store_season *terms, const char *text)
{
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

static int take_board(struct store_season *terms, const char *text)
{
    for (size_t i = 0; i < sizeof board_names / sizeof *board_names; i++) {
        if (strcmp(text, board_names[i]) != 0)
            continue;
        terms->board = (enum store_board)i;
        return COMMAND_DONE;
    }
    return command_refuse("--board %s: is neither colored, gray nor both", text);
}

static int take_option(struct season_request *request, int option, const char *argument)
{
    switch (option) {
    case OPTION_PLAYERS:
        return take_players(&request->terms, argument);
    case PLAY_OPTION_BOARD:
        return take_board(&request->terms, argument);
    case OPTION_BUDGET:
        request->budget_given = true;
        if (!play_options_number(argument, 1, BUDGET_MAX, &request->terms.budget_games))
            return command_refuse("--budget %s: is not a number of games from 1 to %d", argument,
                                  BUDGET_MAX);
        return COMMAND_DONE;
    case OPTION_SAME_CPU:
        request->terms.same_cpu = true;
        return COMMAND_DONE;
    case OPTION_UNTIL_DECIDED:
        request->terms.until_decided = true;
        return COMMAND_DONE;
    case OPTION_AUTHORS:
        request->terms.authors_free = strcmp(argument, "free") == 0;
        if (!request->terms.authors_free && strcmp(argument, "apart") != 0)
            return command_refuse("--authors %s: is neither apart nor free", argument);
        return COMMAND_DONE;
    case OPTION_KEEP:
        return keep_option_take(&request->terms, argument);
    case OPTION_STDERR:
        request->terms.publishes_errors = strcmp(argument, "publish") == 0;
        if (!request->terms.publishes_errors && strcmp(argument, "private") != 0)
            return command_refuse("--stderr %s: is neither private nor publish", argument);
        return COMMAND_DONE;
    case OPTION_PRACTICE:
        request->terms.is_practice = true;
        return COMMAND_DONE;
    case OPTION_ONLY:
        request->only = argument;
        return COMMAND_DONE;
    case OPTION_ALL:
        request->everybody = true;
        return COMMAND_DONE;
    case OPTION_WAIT:
        if (!play_options_number(argument, 0, WAIT_S_MAX, &request->wait_s))
            return command_refuse("--wait %s: is not a number of seconds from 0 to %d", argument,
                                  WAIT_S_MAX);
        return COMMAND_DONE;
    case OPTION_SEED:
        request->seeded = true;
        if (!play_options_seed(argument, request->seed))
            return command_refuse("--seed %s: is not 32 hex digits", argument);
        return COMMAND_DONE;
    case OPTION_JSON:
        request->json = true;
        return COMMAND_DONE;
    case OPTION_HOME:
        request->home = argument;
        return COMMAND_DONE;
    default:
        return play_options_take(&request->play, option, argument);
    }
}

/* ---- the subcommands ---- */

/* Prints a note if the budget ends before the opening stage does. */
static int tell_opening_games(struct store *store, const struct store_season *terms, json_t *told)
{
    struct season season;
    int64_t games;
    int status = store_option_status(store, season_load(&season, store, terms->name));

    if (status != COMMAND_DONE)
        return status;
    games = season_opening_games(&season);
    if (games < 0)
        status = store_option_status(store, (int)games);
    else if (told)
        json_object_set_new(told, "opening_games", json_integer(games));
    else if (games > terms->budget_games)
        plain_text_printf(stdout,
                          "budget %lld games: too few for the opening stage of all table sizes, "
                          "which takes %lld with the %d bots there are: `arena season extend %s "
                          "--budget %lld`\n",
                          (long long)terms->budget_games, (long long)games, season.roster.count,
                          terms->name, (long long)(games - terms->budget_games));
    season_finish(&season);
    return status;
}

static int run_new(struct season_request *request)
{
    struct store *store;
    int status;

    if (!store_name_is_valid(request->name))
        return command_refuse(
            "season new %s: a season's name is 1 to %d characters from a-z, 0-9, - and _",
            request->name, STORE_NAME_BYTES_MAX);
    strcpy(request->terms.name, request->name);
    request->terms.clock = request->play.clock;
    request->terms.play = (struct store_play){.memory_bytes = request->play.rules.memory_bytes,
                                              .tier = (int)request->play.require,
                                              .freeze = request->play.rules.freeze,
                                              .pin = request->play.pin};
    status = store_option_open(request->home, STORE_CREATE, &store);
    if (status != COMMAND_DONE)
        return status;
    status = store_option_status(store, season_create(store, &request->terms,
                                                      request->seeded ? request->seed : NULL,
                                                      store_option_now_us()));
    if (status == COMMAND_DONE && request->json) {
        json_t *told = season_json(&request->terms);

        status = tell_opening_games(store, &request->terms, told);
        if (status == COMMAND_DONE)
            status = store_option_print(told);
        else
            json_decref(told);
    } else if (status == COMMAND_DONE) {
        plain_text_printf(stdout, "season %s is open: `arena season run %s` plays it\n",
                          request->name, request->name);
        store_openings_each(store, request->terms.id, season_print_opening, NULL);
        status = tell_opening_games(store, &request->terms, NULL);
    }
    store_close(store);
    return status;
}

static const struct {
    const char *name;
    int (*run_fn)(struct season_request *request);
    bool named; /* takes the name of a season */
} subcommands[] = {
    {"new", run_new, true},
    {"list", season_command_list, false},
    {"show", season_command_show, true},
    {"events", season_command_events, true},
    {"roster", season_command_roster, true},
    {"extend", season_command_extend, true},
    {"close", season_command_close, true},
    {"reopen", season_command_reopen, true},
};

static int parse_and_run(size_t which, int argc, char **argv)
{
    struct season_request request = {
        .play = play_options_default,
        .wait_s = WAIT_S_DEFAULT,
        .terms = {.player_counts = {2}, .player_count_count = 1, .budget_games = BUDGET_DEFAULT}};
    int option;

    request.play.rules.freeze = true; /* bots must not think during others' turns */
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (option == OPTION_HELP) {
            printf("%s%s", usage, store_option_help);
            return COMMAND_DONE;
        }
        if (option == '?' || option == ':')
            return play_options_refuse("season", option, argv);
        if (take_option(&request, option, optarg) != COMMAND_DONE)
            return COMMAND_USAGE;
    }
    if (subcommands[which].named && argc - optind > 1)
        return command_refuse("season %s: '%s': one name is enough: see `arena season --help`",
                              subcommands[which].name, argv[optind + 1]);
    if (argc - optind != (subcommands[which].named ? 1 : 0))
        return command_refuse("season %s: %s: see `arena season --help`", subcommands[which].name,
                              subcommands[which].named ? "name one season" : "takes no name");
    request.name = argv[optind];
    return subcommands[which].run_fn(&request);
}

int command_season(int argc, char **argv)
{
    if (argc < 2)
        return command_refuse(
            "season: name a subcommand: new, run, list, show, events, roster, extend, "
            "close or reopen: see `arena season --help`");
    if (strcmp(argv[1], "--help") == 0) {
        printf("%s%s", usage, store_option_help);
        return COMMAND_DONE;
    }
    if (strcmp(argv[1], "run") == 0)
        return season_command_run(argc - 1, argv + 1);
    for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++)
        if (strcmp(argv[1], subcommands[i].name) == 0)
            return parse_and_run(i, argc - 1, argv + 1);
    return command_refuse(
        "season: unknown subcommand '%s': new, run, list, show, events, roster, extend, close or "
        "reopen",
        argv[1]);
}
