#include "arena/play/runner_state.h"

int runner_busy_count(const struct runner *runner)
{
    int count = 0;

    for (int i = 0; i < runner->options.job_count; i++)
        count += runner->slots[i].table && runner->slots[i].table->state != TABLE_FREE;
    return count;
}

/* True for practice that has its share of the jobs while a rated runner wants one. */
static bool is_to_wait(const struct runner *runner)
{
    const struct runner_jobs *jobs = runner->options.jobs;
    bool others_wait = false;
    int practice_count = 0;

    if (!jobs || !runner->options.is_practice)
        return false;
    for (const struct runner *at = jobs->first; at; at = at->next) {
        practice_count += at->options.is_practice ? runner_busy_count(at) : 0;
        others_wait = others_wait || (!at->options.is_practice && at->state == RUNNER_RUNNING &&
                                      (at->is_kept_out || at->has_more));
    }
    if (practice_count == 0 && jobs->rated_count >= RUNNER_PRACTICE_SHARE - 1)
        return false; /* with few jobs, practice gets one of RUNNER_PRACTICE_SHARE games instead */
    return others_wait && (practice_count + 1) * RUNNER_PRACTICE_SHARE > jobs->count;
}

bool runner_has_job(const struct runner *runner)
{
    const struct runner_jobs *jobs = runner->options.jobs;
    int count = 0;

    if (runner_busy_count(runner) >= runner->playing_max || is_to_wait(runner))
        return false;
    for (const struct runner *at = jobs ? jobs->first : NULL; at; at = at->next)
        count += runner_busy_count(at);
    return !jobs || count < jobs->count;
}

void runner_jobs_free_practice(struct runner *runner)
{
    const struct runner_jobs *jobs = runner->options.jobs;

    for (struct runner *at = jobs ? jobs->first : NULL; at; at = at->next)
        if (at != runner && at->options.is_practice && at->is_kept_out)
            ev_timer_start(at->loop, &at->freed);
}

void runner_jobs_join(struct runner *runner)
{
    struct runner_jobs *jobs = runner->options.jobs;

    if (!jobs)
        return;
    runner->next = jobs->first;
    jobs->first = runner;
}

void runner_jobs_leave(struct runner *runner)
{
    struct runner_jobs *jobs = runner->options.jobs;
    struct runner **at = jobs ? &jobs->first : NULL;

    if (!at)
        return;
    while (*at && *at != runner)
        at = &(*at)->next;
    if (!*at)
        return;
    *at = runner->next;
    runner->next = NULL;
    for (struct runner *other = jobs->first; other; other = other->next)
        if (other->is_kept_out)
            ev_timer_start(other->loop, &other->freed);
}
