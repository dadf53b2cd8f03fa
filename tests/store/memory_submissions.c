/* Submissions in memory. */
#include <errno.h>

#include "tests/store/memory_calls.h"
#include "tests/store/memory_rows.h"

int memory_submission_add(struct store *store, struct store_submission *submission,
                          struct store_package package)
{
    bool own;
    int error = write_begin(store, &own);

    if (error)
        return error;
    error = package_add(store, submission->sha256, package);
    submission->id = (int64_t)row_count(store, SUBMISSIONS) + 1;
    if (!error)
        error = row_append(store, SUBMISSIONS, submission);
    return write_end(store, own, error);
}

int memory_submissions_each(struct store *store, bool only_open, store_submission_fn *each_fn,
                            void *context)
{
    for (size_t i = 0; i < row_count(store, SUBMISSIONS); i++) {
        struct store_submission submission =
            *(const struct store_submission *)row_at(store, SUBMISSIONS, i);

        if (only_open && submission.report)
            continue;
        if (each_fn(context, &submission) != 0)
            return -EINTR;
    }
    return 0;
}

/* Changes a submission that has not ended: sets its state, or ends it with a report. */
static int change_submission(struct store *store, int64_t id, const struct store_submission *to)
{
    struct store_submission *submission;
    bool own;
    int error = write_begin(store, &own);

    if (error)
        return error;
    if (id < 1 || id > (int64_t)row_count(store, SUBMISSIONS))
        return write_end(store, own, -ENOENT);
    submission = row_at(store, SUBMISSIONS, (size_t)id - 1);
    if (submission->report)
        return write_end(store, own, -ECANCELED);
    submission->state = to->state;
    if (to->building_us)
        submission->building_us = to->building_us;
    if (!to->ended_us)
        submission->checking_us = to->checking_us;
    submission->ended_us = to->ended_us;
    submission->bot_id = to->bot_id;
    submission->report = keep_text(to->report);
    return write_end(store, own, 0);
}

int memory_submission_advance(struct store *store, int64_t id, enum store_submission_state state,
                              int64_t now_us)
{
    struct store_submission to = {.state = state};

    *(state == STORE_BUILDING ? &to.building_us : &to.checking_us) = now_us;
    return change_submission(store, id, &to);
}

int memory_submission_end(struct store *store, int64_t id, int64_t bot_id, const char *report,
                          int64_t now_us)
{
    struct store_submission to = {.state = bot_id ? STORE_ADMITTED : STORE_REFUSED,
                                  .ended_us = now_us,
                                  .bot_id = bot_id,
                                  .report = report};

    return change_submission(store, id, &to);
}
