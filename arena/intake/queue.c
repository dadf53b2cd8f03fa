/* SPDX-License-Identifier: MIT */
#include "arena/intake/queue.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/play/build.h"
#include "arena/play/source.h"
#include "arena/base/tree.h"
#include "arena/base/plain_text.h"
#include "arena/report/check.h"
#include "arena/store/archive.h"
#include "arena/store/authors.h"
#include "arena/trial/check.h"
#include "arena/base/clock.h"
#include "arena/base/json.h"

/* ---- adding a submission ---- */

/*
 * Checks that bot.json has the name under which the package was sent, and does not name another
 * account as the author.
 */
static int check_offer(struct store *store, const struct queue_offer *offer,
                       const struct manifest *manifest, char error[static SOURCE_ERROR_BYTES])
{
    struct store_author other;

    if (strcmp(manifest->name, offer->name) != 0)
        snprintf(error, SOURCE_ERROR_BYTES,
                 "the package was sent as %s, but the bot is %s by \"name\" in its bot.json, or by "
                 "its folder without that: make both the same",
                 offer->name, manifest->name);
    else if (strcmp(manifest->author, offer->author) != 0 &&
             store_author_find(store, manifest->author, &other) == 0 &&
             strcmp(other.name, offer->author) != 0)
        snprintf(error, SOURCE_ERROR_BYTES,
                 "bot.json names the author %s, but the token belongs to %s: correct bot.json",
                 manifest->author, offer->author);
    else
        return 0;
    return PACKAGE_REFUSED;
}

/* Reads the manifest of the copied folder, and sets the submission's name, version and author. */
static int read_manifest(struct store *store, const char *copy, const char *path,
                         const struct queue_offer *offer, struct store_submission *submission,
                         char error[static SOURCE_ERROR_BYTES])
{
    char fault[MANIFEST_ERROR_BYTES];
    struct manifest manifest;
    struct store_bot bot;
    int result = source_read_manifest(&manifest, copy, path, NULL, error);

    if (result < 0)
        return result;
    if (!check_manifest(&manifest, fault)) {
        snprintf(error, SOURCE_ERROR_BYTES, "%s/bot.json: %s", path, fault);
        result = PACKAGE_REFUSED;
    } else if (!offer && store_bot_find(store, manifest.name, manifest.version, &bot) == 0) {
        snprintf(error, SOURCE_ERROR_BYTES,
                 "bot %s already has a version %s: change the version in bot.json", manifest.name,
                 manifest.version);
        result = PACKAGE_REFUSED;
    } else {
        if (offer) {
            submission->is_check = offer->is_check;
            result = check_offer(store, offer, &manifest, error);
        }
        snprintf(submission->name, sizeof submission->name, "%.*s", STORE_NAME_BYTES_MAX,
                 manifest.name);
        snprintf(submission->version, sizeof submission->version, "%s", manifest.version);
        snprintf(submission->author, sizeof submission->author, "%s",
                 offer ? offer->author : manifest.author);
    }
    manifest_finish(&manifest);
    return result;
}

/* Packs the copied folder and stores the package. */
static int keep(struct store *store, const char *copy, struct queue_offer *offer,
                struct store_submission *submission, char error[static SOURCE_ERROR_BYTES])
{
    char pack_error[ARCHIVE_ERROR_BYTES];
    struct store_package package;
    uint8_t *bytes;
    int result;

    if (archive_pack(copy, SIZE_MAX, &bytes, &package.size, pack_error) < 0) {
        snprintf(error, SOURCE_ERROR_BYTES, "%s", pack_error);
        return PACKAGE_FAILED;
    }
    package.bytes = bytes;
    if (offer)
        result = offer->error =
            store_submission_offer(store, offer->author_id, submission, package,
                                   offer->packages_a_day, &offer->existed, &offer->retry_us);
    else
        result = store_submission_add(store, submission, package);
    free(bytes);
    if (result == 0)
        return 0;
    snprintf(error, SOURCE_ERROR_BYTES, "%s", store_failure(store));
    return result == -EINVAL || result == -EPERM || result == -EDQUOT || result == -EEXIST ||
                   result == -EKEYREVOKED
               ? PACKAGE_REFUSED
               : PACKAGE_FAILED;
}

int queue_submission(struct store *store, const char *path, struct queue_offer *offer,
                     struct store_submission *submission, char error[static SOURCE_ERROR_BYTES])
{
    /* Nobody but the arena can change the folder of an offer: it needs no copy. */
    struct stage *stage = offer ? NULL : stage_create(NULL);
    char *copy = NULL;
    char copy_error[PACKAGE_ERROR_BYTES];
    int result = PACKAGE_FAILED;

    if (!offer && !stage) {
        snprintf(error, SOURCE_ERROR_BYTES,
                 "%s: cannot make a folder in this place for a copy of the bot: %s: set TMPDIR to "
                 "another folder",
                 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", strerror(errno));
        return result;
    }
    if (stage && asprintf(&copy, "%s/given", stage->path) < 0) {
        copy = NULL;
        snprintf(error, SOURCE_ERROR_BYTES, "out of memory");
    } else {
        result = package_copy(path, copy, submission->sha256, copy_error);
        if (result < 0)
            snprintf(error, SOURCE_ERROR_BYTES, "%s: %s", path, copy_error);
    }
    if (result == 0)
        result = read_manifest(store, copy ? copy : path, path, offer, submission, error);
    if (result == 0)
        result = keep(store, copy ? copy : path, offer, submission, error);
    free(copy);
    stage_destroy(stage);
    return result;
}

/* ---- taking a submission ---- */

/* What the store knows about the author of a submission. */
struct standing {
    const struct queue_admission *admission;
    int64_t today_count; /* number of the author's other submissions in the 24 hours before */
    int64_t play_count;  /* number of the author's active bots with other names */
};

/* Writes the outcome of an admission in words. The value of the macro is `result`. */
#define END(admission, result, ...)                                                                \
    (snprintf((admission)->words, sizeof(admission)->words, __VA_ARGS__), result)

/*
 * Ends the admission after an error of the store. -ECANCELED means that the submission has just
 * ended: its author cancelled it, or a newer upload replaced it.
 */
static enum queue_result fail_by_store(struct queue_admission *admission, int error)
{
    return error == -ECANCELED
               ? QUEUE_ENDED
               : END(admission, QUEUE_FAILED, "%s", store_failure(admission->submission.store));
}

static int copy_submission(void *context, const struct store_submission *submission)
{
    struct queue_admission *admission = context;

    admission->queued = *submission;
    admission->queued.report = NULL; /* the store frees the text */
    return 0;
}

static int count_bot(void *context, const struct store_bot *bot)
{
    struct standing *standing = context;
    const struct store_submission *queued = &standing->admission->queued;

    standing->play_count += bot->newest && !bot->retired_us &&
                            strcmp(bot->author, queued->author) == 0 &&
                            strcmp(bot->name, queued->name) != 0;
    return 0;
}

/*
 * Writes which of the organizer's limits the submission exceeds. Returns false if the submission
 * exceeds none.
 */
static bool find_bound(const struct standing *standing, size_t size, char words[static 256])
{
    const struct queue_bounds *bounds = &standing->admission->bounds;

    if (standing->today_count >= bounds->packages_a_day)
        snprintf(
            words, 256,
            "the bot's author has submitted %lld package%s within 24 hours, the limit is %lld: "
            "submit this package again 24 hours after the first of them",
            (long long)standing->today_count, plain_text_s(standing->today_count),
            (long long)bounds->packages_a_day);
    else if (standing->play_count >= bounds->bots_an_author &&
             !standing->admission->queued.is_check)
        snprintf(
            words, 256,
            "its author has %lld bot%s in play, and may have %lld: submit this as a new version "
            "of one of these (its name in bot.json), or have one retired first: its author "
            "can (POST /api/v1/bots/NAME/retire), and the organizer (`arena retire NAME`)",
            (long long)standing->play_count, plain_text_s(standing->play_count),
            (long long)bounds->bots_an_author);
    else if ((int64_t)size > bounds->package_bytes)
        snprintf(
            words, 256,
            "the package has %zu bytes, the limit is %lld: leave out files that the bot does not "
            "need",
            size, (long long)bounds->package_bytes);
    else
        return false;
    return true;
}

/* Returns what `arena check` would print, as JSON. */
static json_t *check_text_json(const struct check *check)
{
    struct json_words words;

    report_check_print(json_words_begin(&words), check);
    return json_words_end(&words);
}

static char *write_report(const struct queue_admission *admission, const char *reason,
                          bool is_whole)
{
    const struct check *check = &admission->submission.check;
    const bool has_check = is_whole && check->source;
    const char *printed = *admission->printed;
    json_t *report =
        has_check ? report_check_json(check, admission->queued.name, NULL) : json_object();
    char *text;

    if (has_check)
        json_object_set_new(report, "text", check_text_json(check));
    if (is_whole && printed)
        json_object_set_new(report, "build_output", json_text(printed, strlen(printed)));

    json_object_set_new(report, "reason", reason ? json_text(reason, strlen(reason)) : json_null());
    if (admission->may_retry)
        json_object_set_new(report, "may_retry", json_true());
    text = json_dumps(report, JSON_COMPACT);
    json_decref(report);
    return text;
}

/*
 * Ends the submission in the store: admitted as bot bot_id, or, if bot_id is 0, checked if the bot
 * has passed, else refused. Returns 0 or -errno.
 */
static int end_in_store(struct queue_admission *admission, int64_t bot_id, bool passed,
                        const char *reason)
{
    char *report = write_report(admission, reason, true);
    int error = -ENOMEM;

    if (report && strlen(report) > STORE_REPORT_BYTES_MAX) {
        free(report);
        report = write_report(admission, reason, false);
    }
    if (report && passed)
        error = store_submission_pass(admission->submission.store, admission->queued.id, report,
                                      admission->now_fn());
    else if (report)
        error = store_submission_end(admission->submission.store, admission->queued.id, bot_id,
                                     report, admission->now_fn());
    free(report);
    return error;
}

static enum queue_result refuse(struct queue_admission *admission, const char *reason)
{
    const int error = end_in_store(admission, 0, false, reason);

    if (error < 0)
        return fail_by_store(admission, error);
    return END(admission, QUEUE_ENDED, "%s %s is refused: %s", admission->queued.name,
               admission->queued.version, reason);
}

/* Writes that the bot is admitted, which seasons are too fast for it, and why it has no games. */
static void write_outcome(const struct submission *submission,
                          char words[static SOURCE_ERROR_BYTES])
{
    snprintf(words, SOURCE_ERROR_BYTES, "admitted%s%s%s%s", *submission->fits ? ", " : "",
             submission->fits, *submission->waits ? ", " SUBMISSION_WAITS : "", submission->waits);
}

/*
 * Called in the transaction that admits the bot: ends the submission in the store, and removes
 * packages of older versions. The submission's report says which seasons are too fast for the bot,
 * and why it has no games.
 */
static int kept(void *owner, const struct submission *submission)
{
    const struct queue_admission *admission = owner;
    char words[SOURCE_ERROR_BYTES];
    int error;

    write_outcome(submission, words);
    error = end_in_store(owner, submission->bot.id, false,
                         *submission->waits || *submission->fits ? words : NULL);
    if (error || !admission->bounds.versions)
        return error;
    return store_packages_drop(submission->store, admission->bounds.versions);
}

/* Ends a submission that asked for the check alone, and has passed it. */
static enum queue_result pass(struct queue_admission *admission)
{
    const char *fits = admission->submission.fits;
    const int error = end_in_store(admission, 0, true, *fits ? fits : NULL);

    if (error < 0)
        return fail_by_store(admission, error);
    return END(admission, QUEUE_ENDED, "%s %s has passed its check; nothing is admitted",
               admission->queued.name, admission->queued.version);
}

static void check_begins(void *owner)
{
    struct queue_admission *admission = owner;

    store_submission_advance(admission->submission.store, admission->queued.id, STORE_CHECKING,
                             admission->now_fn());
}

/*
 * Refuses the submission with the lines of the build's output that say why the build failed.
 * Replaces the path of the arena's folder, to which the author has no access, by the bot's name.
 */
static enum queue_result refuse_with_output(struct queue_admission *admission)
{
    const char *error = admission->submission.error, *path = admission->submission.path;
    const bool begins_with_path = strncmp(error, path, strlen(path)) == 0;
    const char *printed = *admission->printed;
    char *excerpt = printed ? build_excerpt(printed) : NULL;
    char reason[2 * SOURCE_ERROR_BYTES];

    snprintf(reason, sizeof reason, "%s%s%s%.3000s", begins_with_path ? admission->queued.name : "",
             error + (begins_with_path ? strlen(path) : 0), excerpt && *excerpt ? "\n" : "",
             excerpt ? excerpt : "");
    free(excerpt);
    return refuse(admission, reason);
}

/* Refuses the submission with the first step of its check that failed. */
static enum queue_result refuse_unfit(struct queue_admission *admission)
{
    const struct check *check = &admission->submission.check;
    char reason[SOURCE_ERROR_BYTES + 256];
    int step = 0;

    while (step < CHECK_STEP_COUNT && check->entries[step].result != CHECK_FAILED)
        step++;
    assert(step < CHECK_STEP_COUNT);
    snprintf(reason, sizeof reason, "not fit to play: %s: %s%s%s%s",
             check_step_name((enum check_step)step), check->entries[step].words,
             *check->too_slow ? " (" : "", check->too_slow, *check->too_slow ? ")" : "");
    return refuse(admission, reason);
}

/*
 * Lets the submission wait until the machine is quiet: the pauses grow with the time that it has
 * waited. If its check had no verdict, nothing of the arena runs beside the attempts that follow; a
 * build, which may last for hours, does not keep all games from being played. Refuses the
 * submission after QUEUE_WAIT_S_MAX, so that it does not wait for ever; its author, or the
 * organizer by `submissions retry`, may try again.
 */
static enum queue_result wait_for_machine(struct queue_admission *admission)
{
    const struct store_submission *queued = &admission->queued;
    const bool is_alone = admission->submission.check.source;
    const int64_t now_us = admission->now_fn();
    const int64_t waited_us = queued->since_us ? now_us - queued->since_us : 0;
    const int64_t pause_us = QUEUE_RETRY_S * INT64_C(1000000) + waited_us / 2;
    const int64_t most_us = QUEUE_RETRY_S_MAX * INT64_C(1000000);
    const int64_t retry_us = now_us + (pause_us < most_us ? pause_us : most_us);
    char reason[2 * SOURCE_ERROR_BYTES], time[CLOCK_TIME_BYTES], *report;
    int error = -ENOMEM;

    if (waited_us > QUEUE_WAIT_S_MAX * INT64_C(1000000)) {
        snprintf(
            reason, sizeof reason,
            "%.3000s, for %d hours. The bot is not to blame: submit the same package again, or "
            "ask the organizer for `arena submissions retry %lld`",
            admission->submission.error, QUEUE_WAIT_S_MAX / 3600, (long long)queued->id);
        admission->may_retry = true;
        return refuse(admission, reason);
    }
    clock_write_time(retry_us, time);
    snprintf(reason, sizeof reason,
             "%.3000s. The bot is not to blame: the arena tries again at %s%s",
             admission->submission.error, time,
             is_alone ? ", with no other check or game beside it" : "");
    report = write_report(admission, reason, true);
    if (report && strlen(report) <= STORE_REPORT_BYTES_MAX)
        error = store_submission_wait(admission->submission.store, queued->id, report, retry_us,
                                      is_alone, now_us);
    free(report);
    if (error < 0)
        return fail_by_store(admission, error);
    return END(admission, QUEUE_ENDED, "%s %s waits: %.4000s", queued->name, queued->version,
               reason);
}

static enum queue_result conclude(struct queue_admission *admission, enum submission_result result)
{
    const struct submission *submission = &admission->submission;
    char reason[SOURCE_ERROR_BYTES];

    switch (result) {
    case SUBMISSION_DONE:
        if (admission->queued.is_check)
            return pass(admission);
        write_outcome(submission, reason);
        return END(admission, QUEUE_ENDED, "%s %s is %.4000s", submission->bot.name,
                   submission->bot.version, reason);
    case SUBMISSION_STARVED:
        return wait_for_machine(admission);
    case SUBMISSION_REFUSED:
        return refuse_with_output(admission);
    case SUBMISSION_UNFIT:
        return refuse_unfit(admission);
    case SUBMISSION_FAILED:
        break;
    case SUBMISSION_UNCHECKED:
        return END(admission, QUEUE_FAILED, "the check could not be run: %s: %s",
                   submission->check.failure.step, strerror(submission->check.failure.error));
    case SUBMISSION_UNKEPT:
        if (submission->store_error != -EEXIST && submission->store_error != -EPERM &&
            submission->store_error != -EINVAL) /* -EINVAL: the built package is too large */
            return fail_by_store(admission, submission->store_error);
        /* Copied, because the next call of the store overwrites the store's message. */
        snprintf(reason, sizeof reason, "%.2000s", store_failure(submission->store));
        admission->may_retry = submission->store_error != -EINVAL;
        return refuse(admission, reason);
    }
    return END(admission, QUEUE_FAILED, "%s", submission->error);
}

static enum queue_result unpack_and_run(struct queue_admission *admission, const uint8_t *package,
                                        size_t size)
{
    struct submission *submission = &admission->submission;
    char parent[PATH_MAX], path[PATH_MAX], error[ARCHIVE_ERROR_BYTES];

    /* Without "name" in bot.json, the folder names the bot, as it did where it was handed in. */
    if (snprintf(parent, sizeof parent, "%s/queued", submission->stage) >= (int)sizeof parent ||
        snprintf(path, sizeof path, "%s/%s", parent, admission->queued.name) >= (int)sizeof path)
        return END(admission, QUEUE_FAILED, "%s: %s", submission->stage, strerror(ENAMETOOLONG));
    if (mkdir(parent, 0755) < 0 || chmod(parent, 0755) < 0)
        return END(admission, QUEUE_FAILED, "%s: %s", parent, strerror(errno));
    if (archive_unpack(package, size, path, NULL, error) < 0)
        return END(admission, QUEUE_FAILED, "%s", error);
    submission->path = path;
    submission->take_over = admission->queued.takes_over;
    submission->reference = admission->queued.reference;
    submission->only_checks = admission->queued.is_check;
    submission->author = admission->queued.author;
    submission->check_thinking_s = (int)admission->bounds.check_seconds;
    submission->built_bytes_max = admission->bounds.built_bytes;
    submission->now_us = admission->queued.received_us;
    submission->checking_fn = check_begins;
    submission->kept_fn = kept;
    submission->owner = admission;
    return conclude(admission, submission_run(submission));
}

/* Reads the submission again, and returns whether another process has ended it meanwhile. */
static bool has_ended(struct queue_admission *admission)
{
    return store_submission_find(admission->submission.store, admission->id, copy_submission,
                                 admission) == 0 &&
           admission->queued.ended_us;
}

enum queue_result queue_admit(struct queue_admission *admission)
{
    struct store *store = admission->submission.store;
    struct standing standing = {.admission = admission};
    enum queue_result result;
    char words[256];
    uint8_t *package;
    size_t size;
    int error;

    admission->words[0] = '\0';
    error = store_submission_find(store, admission->id, copy_submission, admission);
    if (error == -ENOENT)
        return END(admission, QUEUE_UNKNOWN, "there is no submission %lld",
                   (long long)admission->id);
    if (!error)
        error = store_submissions_count(store, &admission->queued,
                                        admission->queued.received_us - CLOCK_DAY_US,
                                        &standing.today_count)
                    ?: store_bots_each(store, count_bot, &standing);
    if (error < 0)
        return fail_by_store(admission, error);
    /* Another process has just ended the submission, or has let it wait. */
    if (admission->queued.ended_us || admission->queued.retry_us > admission->now_fn())
        return QUEUE_ENDED;
    error = store_package_read(store, admission->queued.sha256, &package, &size);
    /* Its author has just canceled it, or handed in a newer version. */
    if (error == -ENOENT && has_ended(admission))
        return QUEUE_ENDED;
    if (error < 0)
        return fail_by_store(admission, error);
    admission->may_retry = find_bound(&standing, size, words);
    if (admission->may_retry) {
        result = refuse(admission, words);
    } else {
        error = store_submission_advance(store, admission->queued.id, STORE_BUILDING,
                                         admission->now_fn());
        result = error ? fail_by_store(admission, error) : unpack_and_run(admission, package, size);
    }
    free(package);
    return result;
}
