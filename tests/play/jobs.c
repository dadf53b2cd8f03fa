/* Who may begin a game where several runners share their jobs. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "arena/play/runner.h"

enum {
    SLOTS = 40,
};

struct side {
    bool is_practice, wants, has_more; /* wants: it was kept out */
    int busy_count;
    enum runner_state state;
};

/* The first one asks. */
static const struct {
    const char *rule;
    int job_count, rated_count; /* shared; 0: no jobs are shared */
    int playing_max;
    struct side sides[2];
    bool may;
} rows[] = {
    {"alone", 0, 0, 2, {{.busy_count = 1}}, true},
    {"alone, with all of its own", 0, 0, 2, {{.busy_count = 2}}, false},
    {"the last shared one", 5, 0, 9, {{.busy_count = 2}, {.busy_count = 2}}, true},
    {"none left", 5, 0, 9, {{.busy_count = 2}, {.busy_count = 3}}, false},
    {"more than its own", 5, 0, 2, {{.busy_count = 2}, {.busy_count = 1}}, false},
    {"rated, while practice waits",
     5,
     0,
     9,
     {{.busy_count = 3}, {.is_practice = true, .wants = true}},
     true},
    {"practice, alone", 5, 0, 9, {{.is_practice = true, .busy_count = 4}}, true},
    {"practice, while nobody waits", 5, 0, 9, {{.is_practice = true, .busy_count = 1}, {0}}, true},
    {"practice, while rated games wait", 5, 0, 9, {{.is_practice = true}, {.wants = true}}, false},
    {"practice, while there are more rated games",
     5,
     0,
     9,
     {{.is_practice = true}, {.has_more = true, .busy_count = 1}},
     false},
    {"practice, while rated ones come to their end",
     5,
     0,
     9,
     {{.is_practice = true}, {.wants = true, .state = RUNNER_DRAINING}},
     true},
    {"practice, while other practice waits",
     5,
     0,
     9,
     {{.is_practice = true, .busy_count = 1}, {.is_practice = true, .wants = true}},
     true},
    {"practice, after nine rated games", 5, 9, 9, {{.is_practice = true}, {.wants = true}}, true},
    {"practice, after eight", 5, 8, 9, {{.is_practice = true}, {.wants = true}}, false},
    {"practice that plays, after nine",
     5,
     9,
     9,
     {{.is_practice = true, .busy_count = 1}, {.wants = true}},
     false},
    {"practice, of ten jobs", 10, 0, 9, {{.is_practice = true}, {.wants = true}}, true},
    {"practice, of nine", 9, 0, 9, {{.is_practice = true}, {.wants = true}}, false},
    {"practice that has one of ten",
     10,
     0,
     9,
     {{.is_practice = true, .busy_count = 1}, {.wants = true}},
     false},
    {"practice that has one of twenty",
     20,
     0,
     9,
     {{.is_practice = true, .busy_count = 1}, {.wants = true}},
     true},
};

static struct runner *make_runner(const struct side *side, struct runner_jobs *jobs,
                                  int playing_max)
{
    static struct table busy = {.state = TABLE_PLAYING}, is_free = {.state = TABLE_FREE};
    struct runner *runner = calloc(1, sizeof *runner + SLOTS * sizeof *runner->slots);

    runner->options.job_count = SLOTS;
    runner->options.jobs = jobs;
    runner->options.is_practice = side->is_practice;
    runner->state = side->state;
    runner->is_kept_out = side->wants;
    runner->has_more = side->has_more;
    runner->playing_max = playing_max;
    runner->slots[SLOTS - 1].table = &is_free;
    for (int i = 0; i < side->busy_count; i++)
        runner->slots[2 * i].table = &busy;
    runner_jobs_join(runner);
    return runner;
}

Test(jobs, are_shared)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct runner_jobs shared = {.count = rows[i].job_count,
                                     .rated_count = rows[i].rated_count};
        struct runner_jobs *jobs = rows[i].job_count ? &shared : NULL;
        struct runner *first = make_runner(&rows[i].sides[0], jobs, rows[i].playing_max);
        struct runner *second = make_runner(&rows[i].sides[1], jobs, rows[i].playing_max);

        cr_expect_eq(runner_busy_count(first), rows[i].sides[0].busy_count, "%s", rows[i].rule);
        cr_expect_eq(runner_has_job(first), rows[i].may, "%s", rows[i].rule);
        if (jobs) {
            cr_expect_eq(jobs->first, second);
            cr_expect_eq(second->next, first);
            first->is_kept_out = second->is_kept_out = false;
            runner_jobs_leave(first);
            cr_expect_null(second->next);
            runner_jobs_leave(first); /* which it has done */
            cr_expect_eq(jobs->first, second);
            runner_jobs_leave(second);
            cr_expect_null(jobs->first);
        }
        free(first);
        free(second);
    }
}

static void note(struct ev_loop *loop, ev_timer *timer, int events)
{
    ++*(int *)timer->data;
}

/* Those that wait are woken by whoever leaves; of practice, also by one that has no more games. */
Test(jobs, that_become_free_are_offered)
{
    static const struct side sides[] = {
        {0}, {.wants = true}, {.is_practice = true, .wants = true}, {.is_practice = true}};
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    struct runner_jobs jobs = {.count = 3};
    struct runner *runners[4];
    int woken[4] = {0};

    for (int i = 0; i < 4; i++) {
        runners[i] = make_runner(&sides[i], &jobs, 9);
        runners[i]->loop = loop;
        ev_timer_init(&runners[i]->freed, note, 0., 0.);
        runners[i]->freed.data = &woken[i];
    }
    runner_jobs_free_practice(runners[0]);
    ev_run(loop, 0);
    cr_expect_eq(woken[0] + 10 * woken[1] + 100 * woken[2] + 1000 * woken[3], 100);
    runner_jobs_free_practice(runners[2]); /* to others */
    ev_run(loop, 0);
    cr_expect_eq(woken[2], 1);
    runner_jobs_leave(runners[0]);
    ev_run(loop, 0);
    cr_expect_eq(woken[0] + 10 * woken[1] + 100 * woken[2] + 1000 * woken[3], 210);
    for (int i = 0; i < 4; i++)
        free(runners[i]);
    ev_loop_destroy(loop);
}
