/* arena replay: shows a match decision by decision, or verifies that it follows the rules. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/play_options.h"
#include "arena/commands/replay_at.h"
#include "arena/commands/replay_html.h"
#include "arena/commands/replay_play.h"
#include "arena/commands/replay_text.h"
#include "arena/commands/replay_watch.h"
#include "arena/commands/store_option.h"
#include "arena/replay/file.h"
#include "arena/replay/json.h"
#include "arena/replay/plain_text.h"
#include "arena/store/games.h"

static const char usage[] =
    "usage: arena replay GAME [--watch | --html FILE | --json [--legal] | --verify]\n"
    "       arena replay GAME --at TURN --bot BOT [--seat N] [--no-limits] [--json]\n"
    "       arena replay GAME --at TURN --play [--seat N] [BOT ...]\n"
    "\n"
    "Shows a match in words: rounds, each decision, the final scoring. GAME is a file that\n"
    "`arena match --replays DIR` wrote, or the id of a season's game, as `arena games` lists it.\n"
    "\n"
    "  --watch    draws the match in the terminal, to step through and to play; NO_COLOR leaves\n"
    "             colors out\n"
    "  --html FILE  writes a page that shows the match: boards, table, each decision; it needs\n"
    "               no other file. - is standard output\n"
    "  --json     one JSON object per line: the match, each decision with the state before it,\n"
    "             the result (docs/protocol.md)\n"
    "  --legal    with --json: all legal actions of each decision too\n"
    "  --verify   plays the match again; exit status 1 at the first difference\n"
    "\n"
    "  --at TURN    puts that decision to a bot again: sends it the same bytes as then, from the\n"
    "               hello on, and shows what it answers; --at hello stops at the hello\n"
    "  --bot BOT    a bot's folder, an executable, or a submitted bot: NAME or NAME@VERSION\n"
    "  --seat N     with --at hello: the seat whose hello is sent, if BOT played at several\n"
    "  --no-limits  no clock, and the bot's standard error is shown: for a debugger\n"
    "  --play       take the match over from that turn, in the seat that decides then or --seat "
    "N;\n"
    "               bots sit at the other seats, in order: those named, else the bundled steady\n"
    "  --clock, --hint, --replays, --plain  with --play, as in `arena play --help`\n"
    "  --memory MIB  memory that the bot may use (768); less if the match was played with less\n"
    "  --require TIER  as in `arena match --help`\n"
    "\n";

enum replay_option {
    OPTION_JSON = PLAY_OPTION_END,
    OPTION_LEGAL,
    OPTION_VERIFY,
    OPTION_HTML,
    OPTION_WATCH,
    OPTION_AT,
    OPTION_SEAT,
    OPTION_BOT,
    OPTION_NO_LIMITS,
    OPTION_HOME,
    OPTION_PLAY,
    OPTION_HINT,
    OPTION_REPLAYS,
    OPTION_PLAIN,
    OPTION_HELP,
};

static const struct option options[] = {
    {"json", no_argument, NULL, OPTION_JSON},
    {"legal", no_argument, NULL, OPTION_LEGAL},
    {"verify", no_argument, NULL, OPTION_VERIFY},
    {"html", required_argument, NULL, OPTION_HTML},
    {"watch", no_argument, NULL, OPTION_WATCH},
    {"at", required_argument, NULL, OPTION_AT},
    {"seat", required_argument, NULL, OPTION_SEAT},
    {"bot", required_argument, NULL, OPTION_BOT},
    {"no-limits", no_argument, NULL, OPTION_NO_LIMITS},
    {"require", required_argument, NULL, PLAY_OPTION_REQUIRE},
    {"memory", required_argument, NULL, PLAY_OPTION_MEMORY},
    {"play", no_argument, NULL, OPTION_PLAY},
    {"clock", required_argument, NULL, PLAY_OPTION_CLOCK},
    {"hint", required_argument, NULL, OPTION_HINT},
    {"replays", required_argument, NULL, OPTION_REPLAYS},
    {"plain", no_argument, NULL, OPTION_PLAIN},
    {"home", required_argument, NULL, OPTION_HOME},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

/* How a replay is shown. */
struct show {
    const char *path; /* path of the replay */
    const struct replay *replay;
    bool json;
    bool legal;
};

/* The request on the command line. */
struct request {
    struct show show;
    bool only_verify;
    bool watch;
    const char *html; /* file for the page, or NULL */
    struct replay_at at;
    bool takes_over;
    struct play_run person; /* what to play with --play */
};

static void print_json(json_t *line)
{
    json_dumpf(line, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(line);
}

static void print_json_step(void *self, struct match *match, const struct replay_decision *decision)
{
    const struct show *show = self;

    if (decision)
        print_json(replay_json_decision(decision, match, show->legal));
    else
        print_json(replay_json_end(show->replay, match, NULL));
}

static int show_json(const struct show *show)
{
    char error[REPLAY_ERROR_BYTES];

    print_json(replay_json_header(show->replay));
    if (replay_verify(show->replay, print_json_step, (void *)show, error) < 0)
        return command_fail("%s: %s", show->path, error);
    return COMMAND_DONE;
}

static int verify(const struct replay *replay, const char *path)
{
    char error[REPLAY_ERROR_BYTES];

    if (replay_verify(replay, NULL, NULL, error) < 0)
        return command_fail("%s: %s", path, error);
    plain_text_printf(stdout, "%s: %zu decisions, all legal\n", path, replay->decision_count);
    return COMMAND_DONE;
}

/* Reads the replay of a stored game. */
static int read_stored(const char *id, const char *home, uint8_t **bytes, size_t *size)
{
    struct store *store;
    int result = store_option_open(home, STORE_READ, &store);

    if (result != COMMAND_DONE)
        return result;
    result = store_option_status(store, store_replay_find(store, id, bytes, size));
    store_close(store);
    return result;
}

/* Reads a file if there is one of that name, else a stored game if it could be an id. */
static int read_game(const char *path, const char *home, uint8_t **bytes, size_t *size)
{
    char season[STORE_NAME_BYTES_MAX + 1];
    int group, rotation;
    int result = replay_file_read(path, bytes, size);

    if (result == -ENOENT && store_game_id_parse(path, season, &group, &rotation))
        return read_stored(path, home, bytes, size);
    if (result < 0)
        return command_refuse("%s: %s: name a replay file or a season's game", path,
                              strerror(-result));
    return COMMAND_DONE;
}

static int open_and_show(const char *path, struct request *request)
{
    char error[REPLAY_ERROR_BYTES];
    struct replay replay;
    uint8_t *bytes;
    size_t size;
    int result = read_game(path, request->at.home, &bytes, &size);

    if (result != COMMAND_DONE)
        return result;
    if (replay_unpack(&replay, bytes, size, error) < 0) {
        free(bytes);
        return command_refuse("%s: %s", path, error);
    }
    request->show.replay = &replay;
    request->show.path = path;
    if (request->takes_over)
        result = replay_play_run(&request->person, &replay, path, request->at.at, request->at.seat);
    else if (request->at.at)
        result = replay_at_run(&request->at, &replay, path);
    else if (request->only_verify)
        result = verify(&replay, path);
    else if (request->watch)
        result = replay_watch_run(&replay, path);
    else if (request->html)
        result = replay_html_write(&replay, bytes, size, path, request->html);
    else if (request->show.json)
        result = show_json(&request->show);
    else
        result = replay_text_print(&replay, path);
    replay_finish(&replay);
    free(bytes);
    return result;
}

static int take_option(struct request *request, int option, const char *argument)
{
    switch (option) {
    case OPTION_JSON:
        request->show.json = request->at.json = true;
        return COMMAND_DONE;
    case OPTION_LEGAL:
        request->show.legal = true;
        return COMMAND_DONE;
    case OPTION_VERIFY:
        request->only_verify = true;
        return COMMAND_DONE;
    case OPTION_WATCH:
        request->watch = true;
        return COMMAND_DONE;
    case OPTION_HTML:
        request->html = argument;
        return COMMAND_DONE;
    case OPTION_AT:
        request->at.at = argument;
        return COMMAND_DONE;
    case OPTION_SEAT:
        request->at.seat = argument;
        return COMMAND_DONE;
    case OPTION_BOT:
        request->at.bot = argument;
        return COMMAND_DONE;
    case OPTION_NO_LIMITS:
        request->at.no_limits = true;
        return COMMAND_DONE;
    case OPTION_HOME:
        request->at.home = argument;
        return COMMAND_DONE;
    case OPTION_PLAY:
        request->takes_over = true;
        return COMMAND_DONE;
    case OPTION_HINT:
        request->person.hint = argument;
        return COMMAND_DONE;
    case OPTION_REPLAYS:
        request->person.replays = argument;
        return COMMAND_DONE;
    case OPTION_PLAIN:
        request->person.plain = true;
        return COMMAND_DONE;
    case PLAY_OPTION_CLOCK:
        request->person.clocked = true;
        return play_options_take(&request->at.play, option, argument);
    default:
        return play_options_take(&request->at.play, option, argument);
    }
}

static int check_play_options(const struct request *request)
{
    const struct play_run *person = &request->person;

    if (!request->takes_over)
        return person->clocked || person->hint || person->replays || person->plain
                   ? command_refuse("--clock, --hint, --replays and --plain: need --play")
                   : COMMAND_DONE;
    if (!request->at.at)
        return command_refuse("--play: needs --at TURN, from which on you play");
    if (request->at.bot || request->at.no_limits)
        return command_refuse("--play: cannot be combined with --bot or --no-limits; name bots "
                              "after the game");
    if (request->show.json || request->only_verify || request->watch || request->html)
        return command_refuse(
            "--play: cannot be combined with --html, --json, --verify or --watch");
    return COMMAND_DONE;
}

/* Checks that the options may be combined. */
static int check_options(const struct request *request)
{
    if (check_play_options(request) != COMMAND_DONE)
        return COMMAND_USAGE;
    if (request->show.legal && (!request->show.json || request->at.at))
        return command_refuse("--legal: needs --json, without --at");
    if (request->only_verify && (request->show.json || request->at.at))
        return command_refuse("--verify: cannot be combined with --json or --at");
    if (request->watch &&
        (request->html || request->show.json || request->only_verify || request->at.at))
        return command_refuse("--watch: cannot be combined with --html, --json, --verify or --at");
    if (request->html && (request->show.json || request->only_verify || request->at.at))
        return command_refuse("--html: cannot be combined with --json, --verify or --at");
    if (request->takes_over)
        return COMMAND_DONE;
    if (request->at.at && !request->at.bot)
        return command_refuse("--at %s: needs --bot BOT, the bot to be asked", request->at.at);
    if (!request->at.at && (request->at.bot || request->at.seat || request->at.no_limits))
        return command_refuse("--bot, --seat and --no-limits: need --at TURN");
    return COMMAND_DONE;
}

int command_replay(int argc, char **argv)
{
    struct request request = {.at = {.play = play_options_default}};
    int option;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (option == OPTION_HELP) {
            printf("%s%s", usage, store_option_help);
            return COMMAND_DONE;
        }
        if (option == '?' || option == ':')
            return play_options_refuse("replay", option, argv);
        if (take_option(&request, option, optarg) != COMMAND_DONE)
            return COMMAND_USAGE;
    }
    if (argc - optind < 1 || (argc - optind > 1 && !request.takes_over))
        return command_refuse("replay: name one game: see `arena replay --help`");
    if (check_options(&request) != COMMAND_DONE)
        return COMMAND_USAGE;
    request.person.play = request.at.play;
    request.person.home = request.at.home;
    request.person.paths = argv + optind + 1;
    request.person.bot_count = argc - optind - 1;
    return open_and_show(argv[optind], &request);
}
