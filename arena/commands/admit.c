/*
 * arena admit: internal command for a daemon: builds, checks and admits or refuses one submission.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/check_json.h"
#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/store_option.h"
#include "arena/intake/submission.h"
#include "arena/play/source.h"
#include "arena/play/tree.h"
#include "arena/replay/json.h"
#include "arena/replay/plain_text.h"
#include "arena/store/archive.h"
#include "arena/store/submissions.h"

static const char usage[] = "usage: arena admit [BOUND ...] SUBMISSION\n";

/* Limits set by the organizer; 0: the default. */
struct bounds {
    int64_t packages_a_day, package_bytes, bots_an_author, build_seconds, check_seconds;
};

enum {
    PACKAGES_A_DAY = 20,
    BOTS_AN_AUTHOR = 10,
};

static const int64_t day_us = INT64_C(86400) * 1000000;

struct admission {
    struct store *store;
    struct bounds bounds;
    struct store_submission queued;
    uint8_t *package; /* until it is unpacked */
    size_t package_bytes;
    bool found;
    int64_t today_count; /* today's other submissions of its author */
    int64_t play_count;  /* active bots of its author with other names */
    struct submission submission;
};

static int64_t at_most(int64_t given, int64_t usual)
{
    return given ? given : usual;
}

/* ---- data from the store ---- */

static int find(void *context, const struct store_submission *submission)
{
    struct admission *admission = context;

    if (submission->id == admission->queued.id) {
        admission->queued = *submission;
        admission->queued.report = NULL;
        admission->found = true;
    }
    return 0;
}

static int count_today(void *context, const struct store_submission *submission)
{
    struct admission *admission = context;
    const struct store_submission *queued = &admission->queued;

    admission->today_count += submission->id < queued->id &&
                              strcmp(submission->author, queued->author) == 0 &&
                              submission->received_us > queued->received_us - day_us;
    return 0;
}

static int count_bot(void *context, const struct store_bot *bot)
{
    struct admission *admission = context;

    admission->play_count += bot->newest && !bot->retired_us &&
                             strcmp(bot->author, admission->queued.author) == 0 &&
                             strcmp(bot->name, admission->queued.name) != 0;
    return 0;
}

/* ---- the end ---- */

static char *write_report(const struct admission *admission, const char *reason, bool is_whole)
{
    const struct check *check = &admission->submission.check;
    json_t *report = is_whole && admission->submission.state >= SUBMISSION_BUILT
                         ? check_json(check, admission->queued.name, NULL)
                         : json_object();
    char *text;

    json_object_set_new(report, "reason",
                        reason ? replay_json_text(reason, strlen(reason)) : json_null());
    text = json_dumps(report, JSON_COMPACT);
    json_decref(report);
    return text;
}

/* The report; without its steps where it would be longer than a store takes. NULL: out of memory.
 */
static char *write_short_report(const struct admission *admission, const char *reason)
{
    char *report = write_report(admission, reason, true);

    if (!report || strlen(report) <= STORE_REPORT_BYTES_MAX)
        return report;
    free(report);
    return write_report(admission, reason, false);
}

/*
 * Ends the submission in the store: admitted with a bot, or refused without one. Returns 0 or
 * -errno.
 */
static int end(struct admission *admission, int64_t bot_id, const char *reason)
{
    char *report = write_short_report(admission, reason);
    int error = report ? store_submission_end(admission->store, admission->queued.id, bot_id,
                                              report, store_option_now_us())
                       : -ENOMEM;

    free(report);
    return error;
}

static int refuse(struct admission *admission, const char *reason)
{
    int error = end(admission, 0, reason);

    if (error)
        return command_fail("%s", store_failure(admission->store));
    plain_text_printf(stdout, "%s %s is refused: %s\n", admission->queued.name,
                      admission->queued.version, reason);
    return COMMAND_DONE;
}

static int kept(void *owner, const struct submission *submission)
{
    return end(owner, submission->bot.id, NULL);
}

/* ---- the steps ---- */

/* Marks the submission as being checked, once the first step has an entry. */
static void step_entered(void *owner, const struct check *check, enum check_step step)
{
    struct admission *admission = owner;

    (void)check;
    if (step == CHECK_START)
        store_submission_advance(admission->store, admission->queued.id, STORE_CHECKING,
                                 store_option_now_us());
}

static int tell(struct admission *admission, int result, const char *printed)
{
    struct submission *submission = &admission->submission;
    char reason[2 * SOURCE_ERROR_BYTES];

    switch ((enum submission_result)result) {
    case SUBMISSION_DONE:
        plain_text_printf(stdout, "%s %s is admitted\n", submission->bot.name,
                          submission->bot.version);
        return COMMAND_DONE;
    case SUBMISSION_REFUSED:
        snprintf(reason, sizeof reason, "%s%s%.3000s", submission->error, printed ? "\n" : "",
                 printed ? printed : "");
        return refuse(admission, reason);
    case SUBMISSION_UNFIT:
        return refuse(admission, "it is not fit to play: its steps say why");
    case SUBMISSION_FAILED:
        return command_fail("%s", submission->error);
    case SUBMISSION_UNCHECKED:
        return command_fail("the check could not be run: %s: %s", submission->check.failure.step,
                            strerror(submission->check.failure.error));
    case SUBMISSION_UNKEPT:
        if (submission->store_error == -EEXIST || submission->store_error == -EPERM ||
            submission->store_error == -EINVAL) { /* its built package is too large */
            /* The store's message is gone with its next call. */
            snprintf(reason, sizeof reason, "%.2000s", store_failure(admission->store));
            return refuse(admission, reason);
        }
        return command_fail("%s", store_failure(admission->store));
    }
    return COMMAND_FAILED;
}

/* Unpacks the submitted package to stage/submission, and frees it. */
static int unpack(struct admission *admission, const char *stage, char **folder)
{
    char error[ARCHIVE_ERROR_BYTES];
    int result;

    if (asprintf(folder, "%s/submission", stage) < 0) {
        *folder = NULL;
        result = ARCHIVE_UNWRITTEN;
        snprintf(error, sizeof error, "out of memory");
    } else {
        result = archive_unpack(admission->package, admission->package_bytes, *folder, error);
    }
    free(admission->package);
    admission->package = NULL;
    return result < 0 ? command_fail("%s", error) : COMMAND_DONE;
}

static int take_in(struct admission *admission, const struct play_options *play, const char *stage)
{
    struct submission *submission = &admission->submission;
    struct source_options options;
    char *folder = NULL, *printed = NULL;
    int status = unpack(admission, stage, &folder);

    if (status == COMMAND_DONE) {
        bot_argument_options(&options, play, submission->sandbox, &printed);
        options.build_wall_ms = admission->bounds.build_seconds * 1000;
        submission->path = folder;
        submission->options = &options;
        submission->stage = stage;
        submission->now_us = store_option_now_us();
        submission->take_over = admission->queued.takes_over;
        submission->check_thinking_s = (int)admission->bounds.check_seconds;
        submission->store = admission->store;
        submission->rules = play->rules;
        submission->rules.freeze = true;
        submission->clock = play_options_default.clock;
        submission->step_fn = step_entered;
        submission->kept_fn = kept;
        submission->owner = admission;
        status = tell(admission, submission_run(submission), printed);
        bot_argument_options_finish(&options);
        submission_finish(submission);
    }
    free(folder);
    free(printed);
    return status;
}

/* Returns which of the organizer's limits refuses the submission, in words; NULL if none does. */
static const char *find_bound(const struct admission *admission, char words[static 256])
{
    const size_t size = admission->package_bytes;
    const struct bounds *bounds = &admission->bounds;
    int64_t a_day = at_most(bounds->packages_a_day, PACKAGES_A_DAY);
    int64_t in_play = at_most(bounds->bots_an_author, BOTS_AN_AUTHOR);
    int64_t bytes = at_most(bounds->package_bytes, STORE_PACKAGE_BYTES_MAX);

    if (admission->today_count >= a_day)
        snprintf(words, 256,
                 "its author has submitted %lld packages within a day, the limit is %lld: submit "
                 "it again tomorrow",
                 (long long)admission->today_count, (long long)a_day);
    else if (admission->play_count >= in_play)
        snprintf(words, 256,
                 "its author has %lld bots in play, the limit is %lld: retire one first",
                 (long long)admission->play_count, (long long)in_play);
    else if ((int64_t)size > bytes)
        snprintf(words, 256, "its package has %zu bytes, the limit is %lld", size,
                 (long long)bytes);
    else
        return NULL;
    return words;
}

static int admit(struct admission *admission, struct play_options *play)
{
    struct stage *stage = NULL;
    char words[256];
    int status;

    if (store_package_read(admission->store, admission->queued.sha256, &admission->package,
                           &admission->package_bytes) < 0)
        return command_fail("%s", store_failure(admission->store));
    if (find_bound(admission, words))
        return refuse(admission, words);
    if (store_submission_advance(admission->store, admission->queued.id, STORE_BUILDING,
                                 store_option_now_us()) < 0)
        return command_fail("%s", store_failure(admission->store));
    status = play_options_open_sandbox(play, GAME_PLAYERS_MAX, &admission->submission.sandbox);
    if (status != COMMAND_DONE)
        return status;
    status = bot_argument_stage(&stage, admission->submission.sandbox);
    if (status == COMMAND_DONE)
        status = take_in(admission, play, stage->path);
    stage_destroy(stage);
    sandbox_destroy(admission->submission.sandbox);
    return status;
}

static bool take_number(const char *text, int64_t *number)
{
    return !text || play_options_number(text, 1, INT64_C(1) << 40, number);
}

int command_admit(int argc, char **argv)
{
    const char *home = NULL, *texts[5] = {NULL};
    const struct plain_option options[] = {{"packages-a-day", .text = &texts[0]},
                                           {"package-bytes", .text = &texts[1]},
                                           {"bots-an-author", .text = &texts[2]},
                                           {"build-seconds", .text = &texts[3]},
                                           {"check-seconds", .text = &texts[4]},
                                           {"home", .text = &home},
                                           {.name = NULL}};
    struct play_options play = play_options_default;
    struct admission *admission;
    int status;

    play.rebuild = true; /* what is kept for ever is made now */
    if (!plain_options_read(argc, argv, options, usage, store_option_help, &status))
        return status;
    admission = calloc(1, sizeof *admission); /* too large for the stack */
    if (!admission)
        return command_fail("out of memory");
    if (argc - optind != 1 ||
        !play_options_number(argv[optind], 1, INT64_MAX, &admission->queued.id) ||
        !take_number(texts[0], &admission->bounds.packages_a_day) ||
        !take_number(texts[1], &admission->bounds.package_bytes) ||
        !take_number(texts[2], &admission->bounds.bots_an_author) ||
        !take_number(texts[3], &admission->bounds.build_seconds) ||
        !take_number(texts[4], &admission->bounds.check_seconds))
        status = command_refuse("admit: only the daemon runs this command");
    else
        status = store_option_open(home, STORE_WRITE, &admission->store);
    if (status == COMMAND_DONE) {
        if (store_submissions_each(admission->store, find, admission) < 0 ||
            store_submissions_each(admission->store, count_today, admission) < 0 ||
            store_bots_each(admission->store, count_bot, admission) < 0)
            status = command_fail("%s", store_failure(admission->store));
        else if (!admission->found)
            status = command_refuse("there is no submission %s", argv[optind]);
        else if (admission->queued.ended_us) /* by another, a moment ago */
            status = COMMAND_DONE;
        else
            status = admit(admission, &play);
        store_close(admission->store);
    }
    free(admission->package);
    free(admission);
    return status;
}
