/* SPDX-License-Identifier: MIT */
/* arena check: tests whether a bot is fit to play in a season. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/commands.h"
#include "arena/commands/game_output.h"
#include "arena/play/channel.h"
#include "arena/play/source.h"
#include "arena/replay/replay.h"
#include "arena/base/plain_text.h"
#include "arena/report/check.h"
#include "arena/trial/check.h"

static struct checkup {
    struct play_options play;
    struct check check;
    struct game_output games;
    struct bot_room room;
    const char *path;
    char *printed; /* output of a failed build; NULL: none */
    bool terminal; /* standard error is a terminal, which shows the progress */
    bool trace;    /* do not check the bot: show which system calls the sandbox refuses it */
    int trace_turns;
} checkup = {.play = PLAY_OPTIONS_DEFAULT, .trace_turns = 1};

/* ---- output ---- */

static void show_progress(void *owner, const struct check *check, enum check_step step)
{
    if (checkup.terminal)
        plain_text_printf(stderr, "\r%3d of %d  %-22s", (int)step + 1, CHECK_STEP_COUNT,
                          check_step_name(step));
}

static void write_log(void *owner, const char *match, int seat, const struct tail *errors)
{
    game_output_log(&checkup.games, match, seat, checkup.check.name, errors);
}

static void keep_game(void *owner, enum check_step step, const struct replay *replay)
{
    char label[64];

    snprintf(label, sizeof label, "%3d  %-22s ", (int)step + 1,
             step == CHECK_START ? "start to end" : check_step_name(step));
    game_output_keep(&checkup.games, replay);
    game_output_open(&checkup.games, replay, label);
}

/*
 * Returns the shell command with which the user can repeat the forfeit in a step of the check.
 * *path is the path of the game's replay, which the caller frees; NULL if the step has no forfeit
 * or no replay.
 */
static struct rerun_command command_again(int step, char **path)
{
    const struct check_entry *entry = &checkup.check.entries[step];

    *path = checkup.games.replay_folder && *entry->match
                ? replay_file_path(checkup.games.replay_folder, entry->match)
                : NULL;
    return (struct rerun_command){
        .program = program_invocation_name,
        .replay = *path && access(*path, F_OK) == 0 ? *path : NULL,
        .bot = checkup.path,
        .options = checkup.play.require == SANDBOX_TIER_NONE ? "--require none" : NULL,
    };
}

/* Prints the summary first, then each step, then the figures. */
static void print_text(void)
{
    const struct check *check = &checkup.check;

    report_check_summary(stdout, check);
    for (int step = 0; step < CHECK_STEP_COUNT;) {
        char *path;
        struct rerun_command again = command_again(step, &path);
        const int count = report_check_step(stdout, check, (enum check_step)step, &again);

        free(path);
        if (step == CHECK_BUILD)
            bot_argument_print_build(stdout, checkup.printed);
        step += count;
    }
    report_check_figures(stdout, check);
}

static int print_json(void)
{
    char *commands[CHECK_STEP_COUNT];
    json_t *json;

    for (int step = 0; step < CHECK_STEP_COUNT; step++) {
        const struct check_entry *entry = &checkup.check.entries[step];
        char *path;
        struct rerun_command again = command_again(step, &path);

        commands[step] = entry->forfeit
                             ? rerun_command_text(&again, entry->forfeit->turn, entry->forfeit_seat)
                             : NULL;
        free(path);
    }
    json = report_check_json(&checkup.check, checkup.path, (const char *const *)commands);
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
static int try_manifest(bool is_folder, bool *may_go_on)
{
    struct check *check = &checkup.check;
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
    result = source_read_manifest(&manifest, checkup.path, checkup.path, NULL, error);
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

static int try_all(bool is_folder)
{
    struct check *check = &checkup.check;
    struct source_options how;
    struct source source = {0};
    char error[SOURCE_ERROR_BYTES];
    bool may_go_on = true;
    int status = try_manifest(is_folder, &may_go_on);
    int result;

    if (status != COMMAND_DONE || !may_go_on)
        return status;
    bot_argument_options(&how, &checkup.play, check->sandbox, &checkup.printed);
    result = source_open(&source, checkup.path, checkup.room.stage->path, 0, &how, error);
    if (result < 0 && result != PACKAGE_REFUSED) {
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

static int find_bot(bool *is_folder)
{
    struct stat status;

    if (stat(checkup.path, &status) < 0 && errno == ENOENT)
        return bot_argument_refuse_missing(checkup.path, NULL);
    if (stat(checkup.path, &status) < 0)
        return command_refuse_errno(errno, "%s: %s: name a bot's folder or an executable",
                                    checkup.path, strerror(errno));
    if (!S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode))
        return command_refuse("%s: is neither a bot's folder nor an executable", checkup.path);
    *is_folder = S_ISDIR(status.st_mode);
    return COMMAND_DONE;
}

static int open_and_try(void)
{
    struct check *check = &checkup.check;
    bool is_folder = false;
    int status = find_bot(&is_folder) ?: game_output_begin(&checkup.games)
                     ?: play_options_draw_seed(check->seed)
                     ?: bot_room_open(&checkup.room, &checkup.play);

    check->sandbox = checkup.room.sandbox;
    status = status ?: try_all(is_folder);
    bot_room_close(&checkup.room);
    return status;
}

static int check_and_tell(void)
{
    struct check *check = &checkup.check;
    int status;

    check->clock = checkup.play.clock;
    check->rules = checkup.play.rules;
    check->rules.freeze = true;
    check->thinking_us = (int64_t)CHECK_THINKING_S * 1000000;
    checkup.terminal = !options_json && isatty(STDERR_FILENO);
    check->replay_fn = checkup.games.replays || checkup.games.open ? keep_game : NULL;
    check->step_fn = show_progress;
    check->errors_fn = checkup.games.logs ? write_log : NULL;
    status = open_and_try();
    if (checkup.terminal)
        command_clear_progress();
    if (status == COMMAND_DONE) {
        if (options_json)
            status = print_json();
        else
            print_text();
        if (!check_is_fit(check) || checkup.games.failed)
            status = check_is_undecided(check) ? COMMAND_UNDECIDED : COMMAND_FAILED;
    }
    game_output_finish(&checkup.games);
    check_finish(check);
    return status;
}

static const struct option options[] = {
    {"seed", "HEX", "seed of the check's games: 32 hex digits (random)",
     .seed = checkup.check.seed},
    {"quick", NULL,
     "play one whole game, then a few decisions with every other number of players and board; "
     "after the whole game the bot may think for 5 seconds in all",
     .flag = &checkup.check.quick},
    {"check-games", "N",
     "play at most N whole games; without it 9: one for each table size and board, three more",
     .count = &checkup.check.game_limit, .minimum = 1, .maximum = CHECK_GAMES},
    OPTION_JSON("one JSON object"),
    GAME_OUTPUT_OPTIONS(&checkup.games),
    PLAY_OPTION_CLOCK(&checkup.play),
    PLAY_OPTION_MEMORY(&checkup.play),
    PLAY_OPTION_BUILD_SPACE(&checkup.play),
    PLAY_OPTION_REQUIRE(&checkup.play),
    {.help = "a bot that fails at its start"},
    {"trace", NULL,
     "instead of the check, run the bot as in a match, up to its first turn, and print each system "
     "call that the sandbox refused: how often, its name, and its error; most refusals are "
     "harmless, because runtimes go on without the call; if the bot died, look at the last one",
     .flag = &checkup.trace,
     .excludes = "quick check-games json replays log open clock seed require"},
    {"turns", "N",
     "with --trace: run the bot up to its Nth turn (1); the game goes on at random, whatever the "
     "bot answers",
     .count = &checkup.trace_turns, .minimum = 1, .maximum = COMMAND_TRACE_TURNS_MAX,
     .needs = "trace"},
    {0}};

static int run(int argc, char **argv)
{
    char *path = bot_argument_path(argv[0]);
    int status;

    checkup.path = path;
    status = !path           ? COMMAND_FAILED
             : checkup.trace ? command_trace(path, &checkup.play, checkup.trace_turns)
                             : check_and_tell();
    free(path);
    free(checkup.printed);
    return status;
}

const struct command_line command_check = {
    .name = "check",
    .usage = "[OPTION ...] BOT\n"
             "--trace [--turns N] [--memory MIB] BOT",
    .about = "Tests a bot, step by step, with everything that can happen in a season, and says "
             "what failed. Exit status 0: the bot may play in a season; 1: the bot may not; "
             "3: not decided, because the machine was too busy. The bot may think for two minutes "
             "in all: the check shortens the clock of a slower bot.",
    .options = options,
    .least = 1,
    .arguments = "name one bot",
    .run_fn = run};
