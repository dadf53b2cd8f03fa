/* arena submit: admits a bot if it is fit to play. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/bundled.h"
#include "arena/commands/check_text.h"
#include "arena/commands/commands.h"
#include "arena/commands/play_options.h"
#include "arena/commands/store_option.h"
#include "arena/commands/submit_queue.h"
#include "arena/intake/submission.h"
#include "arena/play/source.h"
#include "arena/replay/plain_text.h"

static const char usage[] =
    "usage: arena submit DIR [--home DIR] [OPTION ...]\n"
    "       arena submit --queue DIR [--take-over] [--json] [--home DIR]\n"
    "\n"
    "Submits the bot in DIR, a folder with a bot.json, or the bundled bot of that name: checks "
    "its\n"
    "manifest, builds it in the sandbox, checks that it plays (`arena check`), and stores it for\n"
    "ever. A bot that fails is not stored.\n"
    "A name belongs to the author who first submitted it.\n"
    "\n"
    "  --take-over            take the name over from another author: for operators, recorded\n"
    "  --check-games N        whole games that the check plays at most (9); a bot may think for\n"
    "                         two minutes in all, if need be by a shorter clock\n"
    "  --queue                queue it and return at once: a running `arena serve` admits it, and\n"
    "                         `arena submissions` shows what became of it\n"
    "  --json                 with --queue: {\"submission\": N}\n";

/* Prints only failed steps; `arena check` prints the others. */
static void print_failed_step(void *owner, const struct check *check, enum check_step step)
{
    (void)owner;
    if (check->entries[step].result == CHECK_FAILED)
        check_text_print_step(stdout, check, step, NULL);
}

static int tell_admitted(const struct submission *submission)
{
    const struct store_bot *bot = &submission->bot;

    if (submission->check.shortened_turn_ms > 0)
        plain_text_printf(stdout,
                          "%s thinks slowly: the check shortened its clock, finally to %d ms a "
                          "turn, to end within %d s of thinking\n",
                          bot->name, (int)submission->check.shortened_turn_ms, CHECK_THINKING_S);
    plain_text_printf(stdout, "%s %s is admitted%s%s: package %.12s\n", bot->name, bot->version,
                      bot->previous_id ? ", in place of its version before" : "",
                      bot->taken_over ? ", taken over from another author" : "", bot->sha256);
    return COMMAND_DONE;
}

static int tell(const struct submission *submission, enum submission_result result,
                const char *printed)
{
    switch (result) {
    case SUBMISSION_DONE:
        return tell_admitted(submission);
    case SUBMISSION_REFUSED:
        command_refuse("%s", submission->error);
        bot_argument_print_build(stderr, printed);
        return COMMAND_USAGE;
    case SUBMISSION_FAILED:
        return command_fail("%s", submission->error);
    case SUBMISSION_UNFIT:
        return command_fail("%s is not admitted: `arena check %s` shows why", submission->path,
                            submission->path);
    case SUBMISSION_UNCHECKED:
        return check_text_fail(&submission->check);
    case SUBMISSION_UNKEPT:
        return store_option_status(submission->store, submission->store_error);
    }
    return COMMAND_FAILED;
}

static int take_in(struct submission *submission, const struct play_options *play)
{
    struct source_options options;
    struct stage *stage = NULL;
    char *printed = NULL;
    int status = bot_argument_stage(&stage, submission->sandbox);

    if (status == COMMAND_DONE) {
        bot_argument_options(&options, play, submission->sandbox, &printed);
        submission->options = &options;
        submission->stage = stage->path;
        submission->now_us = store_option_now_us();
        status = tell(submission, (enum submission_result)submission_run(submission), printed);
        bot_argument_options_finish(&options);
        submission_finish(submission);
    }
    stage_destroy(stage);
    free(printed);
    return status;
}

static int submit(const char *home, struct play_options *play, struct submission *submission)
{
    struct stat folder;
    int status;

    if (stat(submission->path, &folder) < 0)
        return command_refuse("%s: %s: name a bot's folder", submission->path, strerror(errno));
    if (!S_ISDIR(folder.st_mode))
        return command_refuse("%s: is not a folder: submit a bot as a folder with a bot.json in it",
                              submission->path);
    status = play_options_open_sandbox(play, GAME_PLAYERS_MAX, &submission->sandbox);
    if (status != COMMAND_DONE)
        return status;
    status = store_option_open(home, STORE_CREATE, &submission->store);
    if (status == COMMAND_DONE) {
        submission->rules = play->rules;
        submission->rules.freeze = true;
        submission->clock = play_options_default.clock;
        submission->step_fn = print_failed_step;
        status = take_in(submission, play);
        store_close(submission->store);
    }
    sandbox_destroy(submission->sandbox);
    return status;
}

int command_submit(int argc, char **argv)
{
    enum {
        OPTION_HOME = PLAY_OPTION_END,
        OPTION_TAKE_OVER,
        OPTION_CHECK_GAMES,
        OPTION_QUEUE,
        OPTION_JSON,
        OPTION_HELP,
    };
    static const struct option options[] = {
        PLAY_OPTION_HOW_BOTS_RUN,
        {"take-over", no_argument, NULL, OPTION_TAKE_OVER},
        {"check-games", required_argument, NULL, OPTION_CHECK_GAMES},
        {"queue", no_argument, NULL, OPTION_QUEUE},
        {"json", no_argument, NULL, OPTION_JSON},
        {"home", required_argument, NULL, OPTION_HOME},
        {"help", no_argument, NULL, OPTION_HELP},
        {NULL, 0, NULL, 0}};
    struct play_options play = play_options_default;
    static struct submission submission; /* too large for the stack */
    const char *home = NULL;
    bool queue = false, as_json = false;
    int64_t number;
    char *path;
    int option, status;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (option == OPTION_HELP) {
            printf("%s%s%s", usage, store_option_help, play_options_help);
            return COMMAND_DONE;
        }
        if (option == '?' || option == ':')
            return play_options_refuse("submit", option, argv);
        if (option == OPTION_HOME) {
            home = optarg;
        } else if (option == OPTION_TAKE_OVER) {
            submission.take_over = true;
        } else if (option == OPTION_QUEUE) {
            queue = true;
        } else if (option == OPTION_JSON) {
            as_json = true;
        } else if (option == OPTION_CHECK_GAMES) {
            if (!play_options_number(optarg, 1, CHECK_GAMES, &number))
                return command_refuse("--check-games %s: is not a number from 1 to %d", optarg,
                                      CHECK_GAMES);
            submission.check_games = (int)number;
        } else if (play_options_take(&play, option, optarg) != COMMAND_DONE)
            return COMMAND_USAGE;
    }
    if (argc - optind != 1)
        return command_refuse("submit: name one folder: see `arena submit --help`");
    if (as_json && !queue)
        return command_refuse("submit: --json needs --queue");
    path = bundled_resolve(argv[optind]);
    if (!path)
        return command_fail("out of memory");
    play.rebuild = true; /* a build that is stored for ever is never taken from the cache */
    submission.path = path;
    status = queue ? submit_queue(path, home, submission.take_over, as_json)
                   : submit(home, &play, &submission);
    free(path);
    return status;
}
