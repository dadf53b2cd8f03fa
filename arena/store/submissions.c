/* Submissions: checks limits and rows and words the messages, for any back end. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/store/core.h"

int store_submission_add(struct store *store, struct store_submission *submission,
                         struct store_package package)
{
    struct row_fault fault;
    int error = core_begin_write(store);

    submission->id = submission->bot_id = 0;
    submission->state = STORE_RECEIVED;
    submission->building_us = submission->checking_us = submission->ended_us = 0;
    submission->report = NULL;
    if (!error && !row_submission_is_sound(submission, &fault))
        error = core_refuse_row(store, &fault);
    if (!error && package.size > STORE_PACKAGE_BYTES_MAX)
        error = store_refuse(store, -EINVAL,
                             "submission of %s: its package has %zu MiB, the limit is %d: leave "
                             "out what the bot does not need to run",
                             submission->name, package.size >> 20, STORE_PACKAGE_BYTES_MAX >> 20);
    if (!error)
        error = store->backend->submission_add(store, submission, package);
    return core_end_write(store, error);
}

static int pass_submission(void *context, const struct store_submission *submission)
{
    struct passing *passing = context;
    struct row_fault fault;
    int result;

    if (!row_submission_is_sound(submission, &fault))
        passing->error = core_damaged(passing->store, &fault);
    else if (submission->id <= passing->next)
        passing->error =
            store_damaged(passing->store, "submission", fault.row, "id", "out of order");
    if (passing->error)
        return 1;
    passing->next = submission->id;
    passing->store->each_depth++;
    result = ((store_submission_fn *)passing->each_fn)(passing->context, submission);
    passing->store->each_depth--;
    return result;
}

static int pass_submissions(struct store *store, bool only_open, store_submission_fn *each_fn,
                            void *context)
{
    struct passing passing = {store, (void *)each_fn, context, .next = 0};

    core_begin(store);
    return core_end_passing(
        &passing, store->backend->submissions_each(store, only_open, pass_submission, &passing));
}

int store_submissions_each(struct store *store, store_submission_fn *each_fn, void *context)
{
    return pass_submissions(store, false, each_fn, context);
}

int store_submissions_open_each(struct store *store, store_submission_fn *each_fn, void *context)
{
    return pass_submissions(store, true, each_fn, context);
}

/* Sets the message for a back end's failure to change a submission. */
static int tell(struct store *store, int64_t id, int error)
{
    if (error == -ENOENT)
        store_refuse(store, error, "there is no submission %lld: `arena submissions` lists them",
                     (long long)id);
    if (error == -ECANCELED)
        store_refuse(store, error, "submission %lld has already ended", (long long)id);
    return error;
}

int store_submission_advance(struct store *store, int64_t id, enum store_submission_state state,
                             int64_t now_us)
{
    int error = core_begin_write(store);

    assert(state == STORE_BUILDING || state == STORE_CHECKING);
    if (!error)
        error = tell(store, id, store->backend->submission_advance(store, id, state, now_us));
    return core_end_write(store, error);
}

int store_submission_end(struct store *store, int64_t id, int64_t bot_id, const char *report,
                         int64_t now_us)
{
    int error = core_begin_write(store);

    if (!error && strlen(report) > STORE_REPORT_BYTES_MAX)
        error = store_refuse(store, -EINVAL, "submission %lld: its report is longer than %d bytes",
                             (long long)id, STORE_REPORT_BYTES_MAX);
    if (!error)
        error = tell(store, id, store->backend->submission_end(store, id, bot_id, report, now_us));
    return core_end_write(store, error);
}
