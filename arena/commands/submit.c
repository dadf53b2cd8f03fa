/* arena submit: takes a bot in, if it is fit to play. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/check_text.h"
#include "arena/commands/commands.h"
#include "arena/commands/play_options.h"
#include "arena/commands/store_option.h"
#include "arena/commands/submit_queue.h"
#include "arena/replay/plain_text.h"
#include "arena/play/tree.h"
#include "arena/season/seed.h"
#include "arena/store/archive.h"
#include "arena/trial/budget.h"
#include "arena/trial/check.h"

static const char usage[] =
    "usage: arena submit DIR [--home DIR] [OPTION ...]\n"
    "       arena submit --queue DIR [--take-over] [--json] [--home DIR]\n"
    "\n"
    "Takes in the bot in a folder with a bot.json: checks its manifest, builds it in the sandbox,\n"
    "checks that it plays (`arena check`), and keeps it for ever. A bot that fails is not kept.\n"
    "A name belongs to the author who first submitted it.\n"
    "\n"
    "  --take-over            take the name over from another author: for operators, recorded\n"
    "  --check-games N        whole games that the check plays at most (9); it lets a bot think\n"
    "                         for two minutes in all, by a shorter clock where need be\n"
    "  --queue                hand it in and return at once: a running `arena serve` admits it, "
    "and\n"
    "                         `arena submissions` tells what became of it\n"
    "  --json                 with --queue: {\"submission\": N}\n";

/* One submission under way. */
struct submission {
    const char *path; /* as given */
    struct store *store;
    struct sandbox *sandbox;
    const struct play_options *play;
    bool take_over;           /* the name may be another author's */
    int check_games;          /* whole games of the check at most; 0: all */
    struct table_rules rules; /* how bots are run in a season */
    char *stage;              /* a private folder: 0 is the built copy, `given` the one as given */
    struct source source;     /* the built copy */
    struct store_bot bot;
    uint8_t *given, *built; /* packages; the same where nothing was built */
    size_t given_size, built_size;
};

/* What the manifest says about the bot, by the rules for what a ladder shows. */
static int fill_bot(struct submission *submission, const struct manifest *manifest)
{
    struct store_bot *bot = &submission->bot;
    char error[MANIFEST_ERROR_BYTES];

    if (!check_manifest(manifest, error))
        return command_refuse("%s/bot.json: %s", submission->path, error);
    snprintf(bot->name, sizeof bot->name, "%.*s", STORE_NAME_BYTES_MAX, manifest->name);
    snprintf(bot->version, sizeof bot->version, "%s", manifest->version);
    snprintf(bot->author, sizeof bot->author, "%s", manifest->author);
    snprintf(bot->language, sizeof bot->language, "%s", manifest->language);
    bot->taken_over = submission->take_over;
    return COMMAND_DONE;
}

/* Before anything is copied or built, which may take minutes: is there a place for it? */
static int check_place(struct submission *submission)
{
    char error[SOURCE_ERROR_BYTES];
    struct manifest manifest;
    int result = source_read_manifest(&manifest, submission->path, submission->path, error);
    int status;

    if (result < 0)
        return bot_argument_refuse(result, error);
    status = fill_bot(submission, &manifest);
    manifest_finish(&manifest);
    if (status == COMMAND_DONE)
        status = store_option_status(submission->store,
                                     store_bot_check(submission->store, &submission->bot));
    return status;
}

/* Only what failed: `arena check` tells the rest. */
static void print_failed_step(void *owner, const struct check *check, enum check_step step)
{
    (void)owner;
    if (check->entries[step].result == CHECK_FAILED)
        check_text_print_step(stdout, check, step);
}

/* Takes the bot through everything that a season can bring. */
static int try_bot(const struct submission *submission)
{
    struct check *check = calloc(1, sizeof *check); /* too large for a stack */
    int status = COMMAND_DONE;

    if (!check)
        return command_fail("out of memory");
    check->sandbox = submission->sandbox;
    check->source = &submission->source;
    check->rules = submission->rules;
    check->clock = play_options_default.clock;
    check->game_limit = submission->check_games;
    check->thinking_us = (int64_t)BUDGET_THINKING_S * 1000000;
    snprintf(check->name, sizeof check->name, "%s", submission->bot.name);
    check->step_fn = print_failed_step;
    if (seed_draw(check->seed) < 0)
        status = command_fail("the system gives no randomness");
    else if (check_run(check) < 0)
        status = check_text_fail(check);
    else if (!check_is_fit(check))
        status = command_fail("%s is not admitted: `arena check %s` tells all", submission->path,
                              submission->path);
    if (status == COMMAND_DONE && check->shortened)
        printf("%s thinks long: the check shortened its clock, at last to %lld ms a turn, to end "
               "within %d s of thinking\n",
               submission->bot.name, (long long)check->last_clock.turn_ms, BUDGET_THINKING_S);
    check_finish(check);
    free(check);
    return status;
}

/* The package_result of a copy that failed, as a line and a status. */
static int refuse(const struct submission *submission, int result, const char *what,
                  const char *error)
{
    char line[SOURCE_ERROR_BYTES];

    snprintf(line, sizeof line, "%s: %s%s", submission->path, what, error);
    return bot_argument_refuse(result, line);
}

/* Packs the folder as it was given, which must be what the build began with. */
static int pack_given(struct submission *submission)
{
    char hash[PACKAGE_HASH_CHARS + 1], error[PACKAGE_ERROR_BYTES], pack_error[ARCHIVE_ERROR_BYTES];
    char *copy = NULL;
    int status = COMMAND_DONE;
    int result;

    if (asprintf(&copy, "%s/given", submission->stage) < 0)
        return command_fail("out of memory");
    result = package_copy(submission->path, copy, hash, error);
    if (result < 0)
        status = refuse(submission, result, "", error);
    else if (strcmp(hash, submission->bot.sha256) != 0)
        status = command_refuse("%s: changed while it was read: submit it again", submission->path);
    else if ((result = package_hash_content(copy, submission->bot.content_sha256, error)) < 0)
        status = refuse(submission, result, "", error);
    else if (archive_pack(copy, &submission->given, &submission->given_size, pack_error) < 0)
        status = command_fail("%s", pack_error);
    tree_remove(copy);
    free(copy);
    return status;
}

static int pack(struct submission *submission)
{
    char error[PACKAGE_ERROR_BYTES], pack_error[ARCHIVE_ERROR_BYTES];
    int result = package_copy(submission->source.folder, NULL, submission->bot.built_sha256, error);

    if (result < 0)
        return refuse(submission, result, "what its build made cannot be kept: ", error);
    /* What could be read for its hash is only the arena's to pack. */
    if (archive_pack(submission->source.folder, &submission->built, &submission->built_size,
                     pack_error) < 0)
        return command_fail("%s: what its build made cannot be kept: %s", submission->path,
                            pack_error);
    if (strcmp(submission->bot.sha256, submission->bot.built_sha256) != 0)
        return pack_given(submission);
    result = package_hash_content(submission->source.folder, submission->bot.content_sha256, error);
    return result < 0 ? refuse(submission, result, "", error) : COMMAND_DONE;
}

static int keep(struct submission *submission)
{
    struct store_package built = {submission->built, submission->built_size};
    struct store_package given = {submission->given, submission->given_size};

    return store_option_status(submission->store,
                               store_bot_add(submission->store, &submission->bot,
                                             submission->given ? given : built, built));
}

/* The copy's manifest counts, should its author have changed it meanwhile. */
static int check_copy(struct submission *submission)
{
    int status = fill_bot(submission, &submission->source.manifest);

    memcpy(submission->bot.sha256, submission->source.sha256, sizeof submission->bot.sha256);
    submission->bot.manifest = submission->source.manifest_text;
    submission->bot.submitted_us = store_option_now_us();
    return status;
}

static int take_in(struct submission *submission)
{
    int status = check_place(submission);

    if (status == COMMAND_DONE)
        status = bot_argument_stage(&submission->stage, submission->sandbox);
    if (status == COMMAND_DONE)
        status = bot_argument_copy(&submission->source, submission->path, submission->stage, 0,
                                   submission->play, submission->sandbox);
    if (status == COMMAND_DONE)
        status = check_copy(submission);
    if (status == COMMAND_DONE)
        status = try_bot(submission);
    if (status == COMMAND_DONE)
        status = pack(submission);
    if (status == COMMAND_DONE)
        status = keep(submission);
    if (status == COMMAND_DONE)
        plain_text_printf(stdout, "%s %s is admitted%s%s: package %.12s\n", submission->bot.name,
                          submission->bot.version,
                          submission->bot.previous_id ? ", in place of its version before" : "",
                          submission->bot.taken_over ? ", taken over from another author" : "",
                          submission->bot.sha256);
    return status;
}

static int submit(const char *home, struct submission submission)
{
    const char *path = submission.path;
    const struct play_options *play = submission.play;
    struct play_options room = *play; /* one game at a time fits, or none does */
    struct stat folder;
    int status;

    submission.rules = play->rules;
    submission.rules.freeze = true;
    if (stat(path, &folder) < 0)
        return command_refuse("%s: %s: name a bot's folder", path, strerror(errno));
    if (!S_ISDIR(folder.st_mode))
        return command_refuse("%s: is no folder: a bot is submitted as one, with a bot.json", path);
    status = play_options_open_sandbox(&room, GAME_PLAYERS_MAX, &submission.sandbox);
    if (status != COMMAND_DONE)
        return status;
    status = store_option_open(home, STORE_CREATE, &submission.store);
    if (status == COMMAND_DONE) {
        status = take_in(&submission);
        store_close(submission.store);
    }
    source_close(&submission.source);
    source_stage_destroy(submission.stage);
    sandbox_destroy(submission.sandbox);
    free(submission.given);
    free(submission.built);
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
    struct submission submission = {.play = &play};
    const char *home = NULL;
    bool queue = false, as_json = false;
    int64_t number;
    int option;

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
        return command_refuse("submit: --json goes with --queue");
    if (queue)
        return submit_queue(argv[optind], home, submission.take_over, as_json);
    play.rebuild = true; /* what is kept for ever is made now */
    submission.path = argv[optind];
    return submit(home, submission);
}
