/* arena check: tests whether a bot is fit to play in a season. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/commands.h"
#include "arena/commands/game_output.h"
#include "arena/play/channel.h"
#include "arena/play/source.h"
#include "arena/replay/file.h"
#include "arena/replay/plain_text.h"
#include "arena/replay/forfeit_text.h"
#include "arena/report/check.h"
#include "arena/trial/check.h"

struct checkup {
    struct play_options play;
    struct check check;
    struct game_output games;
    struct bot_room room;
    const char *path;
    const char *log_wanted; /* folder for the bot's standard error; NULL: not kept */
    char *log;              /* folder of this run's logs: log_wanted or its subfolder */
    int log_error;          /* first error of writing a log, as -errno */
    bool json;
    char *printed; /* output of a failed build; NULL: none */
    bool terminal; /* progress is shown on the terminal */
};

/* ---- output ---- */

/* Shows the progress if standard error is a terminal. */
static void show_progress(void *owner, const struct check *check, enum check_step step)
{
    const struct checkup *checkup = owner;

    if (checkup->terminal)
        plain_text_printf(stderr, "\r%3d of %d  %-22s", (int)step + 1, CHECK_STEP_COUNT,
                          check_step_name(step));
}

/* Writes the standard error of the bot in one game to a file. */
static void write_log(void *owner, const char *match, int seat, const struct tail *errors)
{
    struct checkup *checkup = owner;
    int result = error_file_write(checkup->log, match, seat, checkup->check.name, errors);

    if (result < 0 && !checkup->log_error)
        checkup->log_error = result;
}

/* Draws a running game. If the bot plays against itself, all seats have its name. */
static void draw_game(void *owner, const struct match *match, int seat)
{
    struct checkup *checkup = owner;
    const char *names[GAME_PLAYERS_MAX];

    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        names[i] = i == seat || seat == CHECK_EVERY_SEAT ? checkup->check.name : REPLAY_CHANCE;
    game_output_step(&checkup->games, match, names);
}

static void keep_game(void *owner, enum check_step step, const struct replay *replay)
{
    struct checkup *checkup = owner;
    char label[64];

    snprintf(label, sizeof label, "%3d  %-22s ", (int)step + 1,
             step == CHECK_START ? "start to end" : check_step_name(step));
    game_output_keep(&checkup->games, replay);
    game_output_open(&checkup->games, replay, label);
}

/*
 * Returns a command that repeats the forfeit of a step, which the caller frees; NULL if the step
 * has no forfeit or its game was not stored.
 */
static char *command_again(const struct checkup *checkup, int step)
{
    const struct check_entry *entry = &checkup->check.entries[step];
    char *path = checkup->games.folder && entry->forfeit && *entry->match
                     ? replay_file_path(checkup->games.folder, entry->match)
                     : NULL;
    const struct rerun_command command = {
        .program = program_invocation_name,
        .replay = path,
        .turn = entry->forfeit ? entry->forfeit->turn : 0,
        .seat = entry->forfeit_seat,
        .bot = checkup->path,
        .options = checkup->play.require == SANDBOX_TIER_NONE ? "--require none" : NULL,
    };
    char *text = path && access(path, F_OK) == 0 ? rerun_command_text(&command) : NULL;

    free(path);
    return text;
}

/* Prints the summary first, then each step, then the figures. */
static void print_text(const struct checkup *checkup)
{
    const struct check *check = &checkup->check;

    report_check_summary(stdout, check);
    for (int step = 0; step < CHECK_STEP_COUNT; step++) {
        char *again = command_again(checkup, step);

        report_check_step(stdout, check, (enum check_step)step,
                          again ? again : GAME_OUTPUT_NOT_KEPT);
        free(again);
        if (step == CHECK_BUILD)
            bot_argument_print_build(stdout, checkup->printed);
    }
    report_check_figures(stdout, check);
}

static int print_json(const struct checkup *checkup)
{
    char *commands[CHECK_STEP_COUNT];
    json_t *json;

    for (int step = 0; step < CHECK_STEP_COUNT; step++)
        commands[step] = command_again(checkup, step);
    json = report_check_json(&checkup->check, checkup->path, (const char *const *)commands);
    for (int step = 0; step < CHECK_STEP_COUNT; step++)
        free(commands[step]);
    return command_print_json(json);
}

/* ---- steps before the first start ---- */

static void skip_rest(struct check *check, enum check_step first, const char *words)
{
    for (int step = (int)first; step < CHECK_STEP_COUNT; step++)
        check_enter(check, (enum check_step)step, CHECK_SKIPPED, words);
}

/* Checks the bot.json only. Sets *may_go_on to false if no other step can be checked. */
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
                    "an executable alone has no manifest: seasons take a folder with a bot.json");
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

static int try_all(struct checkup *checkup, bool is_folder)
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
    result = source_open(&source, checkup->path, checkup->room.stage->path, 0, &how, error);
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
            status = command_check_failed(check);
    }
    source_close(&source);
    check->source = NULL;
    return status;
}

/* ---- the command ---- */

int command_check_failed(const struct check *check)
{
    if (check->failure.error == EINTR)
        return command_fail("the check was stopped before its end");
    return command_fail("the check could not be run: %s: %s", check->failure.step,
                        strerror(check->failure.error));
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

static int open_and_try(struct checkup *checkup)
{
    struct check *check = &checkup->check;
    bool is_folder = false;
    int status = find_bot(checkup, &is_folder);

    if (status == COMMAND_DONE && checkup->log_wanted)
        status =
            game_output_run_folder("--log", checkup->log_wanted, ".log", "logs", &checkup->log);
    if (status == COMMAND_DONE)
        status = game_output_begin(&checkup->games, 1);
    if (status == COMMAND_DONE && !options_given("seed") &&
        getrandom(check->seed, sizeof check->seed, 0) != sizeof check->seed)
        status = command_fail("the system provides no random bytes: %s", strerror(errno));
    if (status == COMMAND_DONE)
        status = bot_room_open(&checkup->room, &checkup->play);
    check->sandbox = checkup->room.sandbox;
    if (status == COMMAND_DONE)
        status = try_all(checkup, is_folder);
    bot_room_close(&checkup->room);
    return status;
}

static int check_and_tell(struct checkup *checkup)
{
    struct check *check = &checkup->check;
    int status;

    check->clock = checkup->play.clock;
    check->rules = checkup->play.rules;
    check->rules.freeze = true;
    check->thinking_us = (int64_t)(check->quick ? CHECK_QUICK_S : CHECK_THINKING_S) * 1000000;
    checkup->terminal = !checkup->json && !checkup->games.watch && isatty(STDERR_FILENO);
    check->game_fn = checkup->games.watch ? draw_game : NULL;
    check->replay_fn = checkup->games.replays || checkup->games.open ? keep_game : NULL;
    check->step_fn = show_progress;
    check->errors_fn = checkup->log_wanted ? write_log : NULL;
    check->owner = checkup;
    status = open_and_try(checkup);
    game_output_pause(&checkup->games);
    if (checkup->terminal)
        command_clear_progress();
    if (status == COMMAND_DONE) {
        if (checkup->json)
            status = print_json(checkup);
        else
            print_text(checkup);
        if (!check_is_fit(check) || checkup->games.failed)
            status = COMMAND_FAILED;
        if (checkup->log_error)
            status = command_fail("--log %s: %s", checkup->log, strerror(-checkup->log_error));
    }
    game_output_finish(&checkup->games);
    free(checkup->log);
    check_finish(check);
    return status;
}

int command_check(int argc, char **argv)
{
    static struct checkup checkup; /* static, because this struct is too large for the stack */
    const struct option options[] = {
        {"seed", "HEX", "seed of the check's games: 32 hex digits (random)",
         .seed = checkup.check.seed},
        {"quick", NULL,
         "finish within seconds: play one whole game, and only a few decisions in every other "
         "setting",
         .flag = &checkup.check.quick},
        {"check-games", "N", "play at most N whole games (9: one in each setting, and three more)",
         .count = &checkup.check.game_limit, .minimum = 1, .maximum = CHECK_GAMES},
        {"log", "DIR",
         "write what the bot prints to standard error in each game, at most 64 KiB of it, to "
         "DIR/MATCH-SEAT-BOT.log",
         .text = &checkup.log_wanted},
        {"json", NULL, "one JSON object", .flag = &checkup.json},
        GAME_OUTPUT_OPTIONS(&checkup.games),
        PLAY_OPTION_CLOCK(&checkup.play),
        PLAY_OPTION_MEMORY(&checkup.play),
        PLAY_OPTION_BUILD_SPACE(&checkup.play),
        PLAY_OPTION_REQUIRE(&checkup.play),
        {0}};
    const struct command_line line = {
        .name = "check",
        .usage = "[OPTION ...] BOT",
        .about =
            "Tests a bot, step by step, with everything that can happen in a season, and says what "
            "failed. Exit status 0: the bot may play in a season; 1: it may not. The bot may think "
            "for two minutes in all: if it would take longer, the check shortens its clock.",
        .options = options,
        .least = 1,
        .arguments = "name one bot"};
    char *path;
    int status;

    checkup.play = play_options_default;
    if (!options_read(&line, &argc, argv, &status))
        return status;
    path = bot_argument_path(argv[0]);
    checkup.path = path;
    status = path ? check_and_tell(&checkup) : command_fail("out of memory");
    free(path);
    free(checkup.printed);
    return status;
}
