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
#include "arena/replay/plain_text.h"
#include "arena/play/tree.h"
#include "arena/season/seed.h"
#include "arena/store/archive.h"
#include "arena/trial/check.h"

static const char usage[] =
    "usage: arena submit DIR [--home DIR]\n"
    "\n"
    "Takes in the bot in a folder with a bot.json: checks its manifest, builds it in the sandbox,\n"
    "checks that it plays (`arena check`), and keeps it for ever. A bot that fails is not kept.\n"
    "\n";

/* One submission under way. */
struct submission {
    const char *path; /* as given */
    struct store *store;
    struct sandbox *sandbox;
    const struct play_options *play;
    struct table_rules rules; /* how bots are run in a season */
    char *stage;              /* a private folder: 0 is the built copy, `given` the one as given */
    struct source source;     /* the built copy */
    struct store_bot bot;
    uint8_t *given, *built; /* packages; the same where nothing was built */
    size_t given_size, built_size;
};

/* The manifest by the rules for what the ladder shows. */
static int check_texts(const struct submission *submission)
{
    char error[MANIFEST_ERROR_BYTES];

    if (!check_manifest(&submission->source.manifest, error))
        return command_refuse("%s/bot.json: %s", submission->path, error);
    return COMMAND_DONE;
}

/* Told before the checks are run, which take a while. */
static int check_is_new(const struct submission *submission)
{
    const struct manifest *manifest = &submission->source.manifest;
    struct store_bot found;
    int error = store_bot_find(submission->store, manifest->name, manifest->version, &found);

    if (error == -ENOENT)
        return COMMAND_DONE;
    if (error)
        return store_option_status(submission->store, error);
    return command_refuse("bot %s has a version %s already: give this one another in its bot.json",
                          manifest->name, manifest->version);
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
    check->step_fn = print_failed_step;
    if (seed_draw(check->seed) < 0)
        status = command_fail("the system gives no randomness");
    else if (check_run(check) < 0)
        status = check_text_fail(check);
    else if (!check_is_fit(check))
        status = command_fail("%s is not admitted: `arena check %s` tells all", submission->path,
                              submission->path);
    check_finish(check);
    free(check);
    return status;
}

static void fill_bot(struct submission *submission)
{
    const struct manifest *manifest = &submission->source.manifest;
    struct store_bot *bot = &submission->bot;

    snprintf(bot->name, sizeof bot->name, "%.*s", STORE_NAME_BYTES_MAX, manifest->name);
    snprintf(bot->version, sizeof bot->version, "%s", manifest->version);
    snprintf(bot->author, sizeof bot->author, "%s", manifest->author);
    snprintf(bot->language, sizeof bot->language, "%s", manifest->language);
    memcpy(bot->sha256, submission->source.sha256, sizeof bot->sha256);
    bot->manifest = submission->source.manifest_text;
    bot->submitted_us = store_option_now_us();
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
    return COMMAND_DONE;
}

static int keep(struct submission *submission)
{
    struct store_package built = {submission->built, submission->built_size};
    struct store_package given = {submission->given, submission->given_size};

    return store_option_status(submission->store,
                               store_bot_add(submission->store, &submission->bot,
                                             submission->given ? given : built, built));
}

static int take_in(struct submission *submission)
{
    int status = bot_argument_stage(&submission->stage, submission->sandbox);

    if (status != COMMAND_DONE)
        return status;
    status = bot_argument_copy(&submission->source, submission->path, submission->stage, 0,
                               submission->play, submission->sandbox);
    if (status != COMMAND_DONE)
        return status;
    status = check_texts(submission);
    if (status == COMMAND_DONE)
        status = check_is_new(submission);
    if (status != COMMAND_DONE)
        return status;
    fill_bot(submission);
    status = try_bot(submission);
    if (status == COMMAND_DONE)
        status = pack(submission);
    if (status == COMMAND_DONE)
        status = keep(submission);
    if (status == COMMAND_DONE)
        plain_text_printf(stdout, "%s %s is admitted%s: package %.12s\n", submission->bot.name,
                          submission->bot.version,
                          submission->bot.previous_id ? ", in place of its version before" : "",
                          submission->bot.sha256);
    return status;
}

static int submit(const char *path, const char *home, const struct play_options *play)
{
    struct submission submission = {.path = path, .play = play, .rules = play->rules};
    struct stat folder;
    int status;

    submission.rules.freeze = true;
    if (stat(path, &folder) < 0)
        return command_refuse("%s: %s: name a bot's folder", path, strerror(errno));
    if (!S_ISDIR(folder.st_mode))
        return command_refuse("%s: is no folder: a bot is submitted as one, with a bot.json", path);
    status = play_options_open_sandbox(play, &submission.sandbox);
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
        OPTION_HELP,
    };
    static const struct option options[] = {PLAY_OPTION_HOW_BOTS_RUN,
                                            {"home", required_argument, NULL, OPTION_HOME},
                                            {"help", no_argument, NULL, OPTION_HELP},
                                            {NULL, 0, NULL, 0}};
    struct play_options play = play_options_default;
    const char *home = NULL;
    int option;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (option == OPTION_HELP) {
            printf("%s%s%s", usage, store_option_help, play_options_help);
            return COMMAND_DONE;
        }
        if (option == '?' || option == ':')
            return play_options_refuse("submit", option, argv);
        if (option == OPTION_HOME)
            home = optarg;
        else if (play_options_take(&play, option, optarg) != COMMAND_DONE)
            return COMMAND_USAGE;
    }
    if (argc - optind != 1)
        return command_refuse("submit: name one folder: see `arena submit --help`");
    return submit(argv[optind], home, &play);
}
