/* arena check: test whether a bot is fit to play in a season */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/bundled.h"
#include "arena/commands/check_games.h"
#include "arena/commands/check_json.h"
#include "arena/commands/check_text.h"
#include "arena/commands/commands.h"
#include "arena/commands/play_options.h"
#include "arena/commands/run_folder.h"
#include "arena/play/error_file.h"
#include "arena/play/source.h"
#include "arena/replay/plain_text.h"
#include "arena/trial/check.h"

static const char usage[] =
    "usage: arena check [OPTION ...] BOT\n"
    "\n"
    "Tests a bot, step by step, with everything that can happen in a season, and says what "
    "failed.\n"
    "Exit status 0: it may play in a season; 1: it may not. It may think for two minutes in all: "
    "a\n"
    "bot that would take longer gets a shorter clock.\n"
    "\n"
    "  --clock PARTS     turn=MS,bank=MS,gain=MS,start=MS; parts left out keep\n"
    "                    turn=1000,bank=10000,gain=0,start=5000\n"
    "  --seed HEX        32 hex digits, from which all its games follow (from the system's\n"
    "                    randomness)\n"
    "  --quick           take seconds: a whole game, and a few decisions in each other setting\n"
    "  --check-games N   whole games at most (9: one of each setting and three more)\n"
    "  --memory MIB      memory that it may use (768)\n"
    "  --build-space MIB disk space that its build may use (2048)\n"
    "  --require TIER    as in `arena match --help`\n"
    "  --replays DIR     write DIR/MATCH.replay for each game, the next run's to DIR/2, ...\n"
    "  --watch           draw the games in the terminal while they are played\n"
    "  --open            write the page of each game, DIR/MATCH.html or MATCH.html without\n"
    "                    --replays, and print the step and its path\n"
    "  --log DIR         write DIR/MATCH-SEAT-BOT.log with what the bot wrote to standard error\n"
    "                    in each game, 64 KiB of it at most\n"
    "  --json            one JSON object\n";

enum check_option {
    OPTION_SEED = PLAY_OPTION_END,
    OPTION_JSON,
    OPTION_QUICK,
    OPTION_LOG,
    OPTION_REPLAYS,
    OPTION_WATCH,
    OPTION_OPEN,
    OPTION_CHECK_GAMES,
    OPTION_HELP,
};

static const struct option options[] = {
    {"clock", required_argument, NULL, PLAY_OPTION_CLOCK},
    {"memory", required_argument, NULL, PLAY_OPTION_MEMORY},
    {"require", required_argument, NULL, PLAY_OPTION_REQUIRE},
    {"build-space", required_argument, NULL, PLAY_OPTION_BUILD_SPACE},
    {"log", required_argument, NULL, OPTION_LOG},
    {"quick", no_argument, NULL, OPTION_QUICK},
    {"replays", required_argument, NULL, OPTION_REPLAYS},
    {"watch", no_argument, NULL, OPTION_WATCH},
    {"open", no_argument, NULL, OPTION_OPEN},
    {"check-games", required_argument, NULL, OPTION_CHECK_GAMES},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

struct checkup {
    struct play_options play;
    struct check check;
    struct check_games games;
    const char *path;
    const char *log; /* folder, or NULL */
    int log_error;   /* first error of writing to it, as -errno */
    bool seeded;
    bool json;
    char *printed; /* output of a failed build */
    bool terminal; /* show progress on the terminal */
};

/* ---- output ---- */

/* Shows the progress if standard error is a terminal. */
static void show_progress(void *owner, const struct check *check, enum check_step step)
{
    const struct checkup *checkup = owner;

    if (checkup->terminal)
        plain_text_printf(stderr, "\r%3d of %d  %-22s", (int)step + 1, CHECK_STEP_COUNT,
                          check_step_name(step));
    (void)check;
}

/* Writes what the bot wrote to standard error in one game. */
static void write_log(void *owner, const char *match, int seat, const struct tail *errors)
{
    struct checkup *checkup = owner;
    int result = error_file_write(checkup->log, match, seat, checkup->check.name, errors);

    if (result < 0 && !checkup->log_error)
        checkup->log_error = result;
}

static void draw_game(void *owner, const struct match *match, int seat)
{
    check_games_draw(&((struct checkup *)owner)->games, match, seat);
}

static void keep_game(void *owner, enum check_step step, const struct replay *replay)
{
    check_games_keep(&((struct checkup *)owner)->games, step, replay);
}

/* Prints the summary first, then each step, then the figures. */
static void print_text(const struct checkup *checkup)
{
    const struct check *check = &checkup->check;

    check_text_print_summary(stdout, check);
    for (int step = 0; step < CHECK_STEP_COUNT; step++) {
        char *again = check_games_command(&checkup->games, &check->entries[step]);

        check_text_print_step(
            stdout, check, (enum check_step)step,
            again ? again
                  : "with --replays DIR the arena keeps the game and prints the command here");
        free(again);
        if (step == CHECK_BUILD)
            bot_argument_print_build(stdout, checkup->printed);
    }
    check_text_print_figures(stdout, check);
}

static void print_json(const struct checkup *checkup)
{
    char *commands[CHECK_STEP_COUNT];
    json_t *json;
    char *text;

    for (int step = 0; step < CHECK_STEP_COUNT; step++)
        commands[step] = check_games_command(&checkup->games, &checkup->check.entries[step]);
    json = check_json(&checkup->check, checkup->path, (const char *const *)commands);
    for (int step = 0; step < CHECK_STEP_COUNT; step++)
        free(commands[step]);

    text = json_dumps(json, JSON_COMPACT);
    puts(text);
    free(text);
    json_decref(json);
}

/* ---- steps before the first start ---- */

static void skip_rest(struct check *check, enum check_step first, const char *words)
{
    for (int step = (int)first; step < CHECK_STEP_COUNT; step++)
        check_enter(check, (enum check_step)step, CHECK_SKIPPED, words);
}

/* Checks the manifest alone. Changes *may_go_on only if nothing more can be checked. */
static int try_manifest(struct checkup *checkup, bool is_folder, bool *may_go_on)
{
    struct check *check = &checkup->check;
    char error[SOURCE_ERROR_BYTES];
    char what[MANIFEST_ERROR_BYTES];
    struct manifest manifest;
    bool admissible;
    int result;

    if (!is_folder) {
        check_enter(check, CHECK_MANIFEST, CHECK_FAILED,
                    "a plain executable has none: seasons take a folder with a bot.json");
        return COMMAND_DONE;
    }
    result = source_read_manifest(&manifest, checkup->path, checkup->path, error);
    if (result == PACKAGE_FAILED)
        return command_fail("the check could not be run: %s", error);
    if (result < 0) {
        check_enter(check, CHECK_MANIFEST, CHECK_FAILED, error);
        skip_rest(check, CHECK_BUILD, "there is no valid manifest");
        *may_go_on = false;
        return COMMAND_DONE;
    }
    admissible = check_manifest(&manifest, what);
    check_enter(check, CHECK_MANIFEST, admissible ? CHECK_PASSED : CHECK_FAILED,
                admissible ? NULL : what);
    manifest_finish(&manifest);
    return COMMAND_DONE;
}

static int try_all(struct checkup *checkup, bool is_folder, const char *stage)
{
    struct check *check = &checkup->check;
    struct source_options how;
    struct source source = {0};
    char error[SOURCE_ERROR_BYTES];
    bool may_go_on = true;
    int status = try_manifest(checkup, is_folder, &may_go_on);
    int result;

    if (status != COMMAND_DONE || !may_go_on)
        return status;
    bot_argument_options(&how, &checkup->play, check->sandbox, &checkup->printed);
    result = source_open(&source, checkup->path, stage, 0, &how, error);
    bot_argument_options_finish(&how);
    if (result == PACKAGE_FAILED) {
        status = command_fail("the check could not be run: %s", error);
    } else if (result < 0) {
        check_enter(check, CHECK_BUILD, CHECK_FAILED, error);
        skip_rest(check, CHECK_START, "there is nothing to run");
    } else {
        check_enter(check, CHECK_BUILD, CHECK_PASSED,
                    source.manifest.build ? NULL : "nothing to build");
        check->source = &source;
        snprintf(check->name, sizeof check->name, "%s", source.manifest.name);
        if (check_run(check) < 0)
            status = check_text_fail(check);
    }
    source_close(&source);
    check->source = NULL;
    return status;
}

/* ---- the command ---- */

static int take_option(struct checkup *checkup, int option, const char *argument)
{
    int64_t number;

    switch (option) {
    case OPTION_SEED:
        checkup->seeded = true;
        if (!play_options_seed(argument, checkup->check.seed))
            return command_refuse("--seed %s: is not 32 hex digits", argument);
        return COMMAND_DONE;
    case OPTION_LOG:
        checkup->log = argument;
        return COMMAND_DONE;
    case OPTION_REPLAYS:
        checkup->games.replays = argument;
        return COMMAND_DONE;
    case OPTION_WATCH:
        checkup->games.show.watch = true;
        return COMMAND_DONE;
    case OPTION_OPEN:
        checkup->games.show.open = true;
        return COMMAND_DONE;
    case OPTION_QUICK:
        checkup->check.quick = true;
        return COMMAND_DONE;
    case OPTION_CHECK_GAMES:
        if (!play_options_number(argument, 1, CHECK_GAMES, &number))
            return command_refuse("--check-games %s: is not a number from 1 to %d", argument,
                                  CHECK_GAMES);
        checkup->check.game_limit = (int)number;
        return COMMAND_DONE;
    case OPTION_JSON:
        checkup->json = true;
        return COMMAND_DONE;
    default:
        return play_options_take(&checkup->play, option, argument);
    }
}

static int find_bot(const struct checkup *checkup, bool *is_folder)
{
    struct stat status;

    if (stat(checkup->path, &status) < 0)
        return command_refuse("%s: %s: name a bot's folder or an executable", checkup->path,
                              strerror(errno));
    if (!S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode))
        return command_refuse("%s: is neither a bot's folder nor an executable", checkup->path);
    *is_folder = S_ISDIR(status.st_mode);
    return COMMAND_DONE;
}

static int open_and_try(struct checkup *checkup, bool is_folder)
{
    struct check *check = &checkup->check;
    struct stage *stage;
    int result;

    if (!checkup->seeded && getrandom(check->seed, sizeof check->seed, 0) != sizeof check->seed)
        return command_fail("the system provides no random bytes: %s", strerror(errno));
    result = play_options_open_sandbox(&checkup->play, GAME_PLAYERS_MAX, &check->sandbox);
    if (result != COMMAND_DONE)
        return result;
    result = bot_argument_stage(&stage, check->sandbox);
    if (result == COMMAND_DONE)
        result = try_all(checkup, is_folder, stage->path);
    stage_destroy(stage);
    sandbox_destroy(check->sandbox);
    return result;
}

static int check_and_tell(struct checkup *checkup)
{
    struct check *check = &checkup->check;
    bool is_folder = false;
    int result;

    check->clock = checkup->play.clock;
    check->rules = checkup->play.rules;
    check->rules.freeze = true;
    check->thinking_us = (int64_t)(check->quick ? CHECK_QUICK_S : CHECK_THINKING_S) * 1000000;
    checkup->terminal = !checkup->json && !checkup->games.show.watch && isatty(STDERR_FILENO);
    checkup->games.path = checkup->path;
    checkup->games.name = check->name;
    checkup->games.options = checkup->play.require == SANDBOX_TIER_NONE ? "--require none" : NULL;
    check->game_fn = checkup->games.show.watch ? draw_game : NULL;
    check->replay_fn = checkup->games.replays || checkup->games.show.open ? keep_game : NULL;
    check->step_fn = show_progress;
    check->errors_fn = checkup->log ? write_log : NULL;
    check->owner = checkup;
    result = find_bot(checkup, &is_folder);
    if (result == COMMAND_DONE && checkup->log)
        result = run_folder_make("--log", checkup->log);
    if (result == COMMAND_DONE)
        result = check_games_begin(&checkup->games, checkup->json);
    if (result == COMMAND_DONE)
        result = open_and_try(checkup, is_folder);
    match_show_close(&checkup->games.show);
    if (checkup->terminal)
        fputs("\r\033[K", stderr);
    if (result == COMMAND_DONE) {
        if (checkup->json)
            print_json(checkup);
        else
            print_text(checkup);
        result = check_is_fit(check) ? COMMAND_DONE : COMMAND_FAILED;
        if (checkup->games.failed)
            result = COMMAND_FAILED;
        if (checkup->log_error)
            result = command_fail("--log %s: %s", checkup->log, strerror(-checkup->log_error));
    }
    check_games_finish(&checkup->games);
    check_finish(check);
    return result;
}

int command_check(int argc, char **argv)
{
    struct checkup *checkup = calloc(1, sizeof *checkup); /* too large for the stack */
    char *path = NULL;
    int result = COMMAND_DONE;
    int option;

    if (!checkup)
        return command_fail("%s", strerror(ENOMEM));
    checkup->play = play_options_default;
    opterr = 0;
    while (result == COMMAND_DONE && (option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (option == OPTION_HELP) {
            fputs(usage, stdout);
            goto out;
        }
        if (option == '?' || option == ':')
            result = play_options_refuse("check", option, argv);
        else
            result = take_option(checkup, option, optarg);
    }
    if (result == COMMAND_DONE && argc - optind != 1)
        result = command_refuse("check: name one bot: see `arena check --help`");
    if (result == COMMAND_DONE) {
        path = bundled_resolve(argv[optind]);
        checkup->path = path;
        result = path ? check_and_tell(checkup) : command_fail("%s", strerror(ENOMEM));
    }
out:
    free(path);
    free(checkup->printed);
    free(checkup);
    return result;
}
