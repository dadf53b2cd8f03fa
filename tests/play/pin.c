/* --pin, observed from outside: the cores on which the kernel lets a running bot run. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/play/runner.h"
#include "arena/play/table.h"
#include "arena/play/source.h"
#include "tests/play/thinker.h"

enum {
    JOBS = 2,
};

struct pinning {
    struct thinker thinker;
    int begun_count;
    int seen_count;               /* bots that were looked at */
    int free_count;               /* of them, those that may run on several cores */
    int core_counts[CPU_SETSIZE]; /* bots that may run on that one alone */
};

static bool next_game(void *owner, int slot, struct runner_game *game)
{
    struct pinning *pinning = owner;
    if (pinning->begun_count == JOBS)
        return false;
    *game = (struct runner_game){.number = (uint64_t)pinning->begun_count++};
    game->terms.player_count = 2;
    game->terms.clock = (struct wire_clock){.turn_ms = 60000, .start_ms = 60000};
    snprintf(game->terms.id, sizeof game->terms.id, "pin-%d", pinning->begun_count);
    game->sources[0] = game->sources[1] = &pinning->thinker.source;
    return true;
}

static void game_done(void *owner, const struct runner_game *game, const struct table *table)
{
}

/* Counts a process if it is a bot. */
static void look_at(struct pinning *pinning, const char *pid)
{
    char path[300], line[256], name[64] = "", cores[128] = "", end;
    int core, parent = 0;
    FILE *status;

    snprintf(path, sizeof path, "/proc/%s/status", pid);
    status = fopen(path, "re");
    while (status && fgets(line, sizeof line, status)) {
        sscanf(line, "Name: %63s", name);
        sscanf(line, "PPid: %d", &parent);
        sscanf(line, "Cpus_allowed_list: %127s", cores);
    }
    if (status)
        fclose(status);
    if (parent != getpid() || strcmp(name, "zero") != 0)
        return;
    pinning->seen_count++;
    if (sscanf(cores, "%d%c", &core, &end) == 1 && core < CPU_SETSIZE)
        pinning->core_counts[core]++;
    else
        pinning->free_count++;
}

static void tick(void *owner)
{
    DIR *processes = opendir("/proc");
    const struct dirent *entry;

    while ((entry = readdir(processes)))
        if (*entry->d_name >= '1' && *entry->d_name <= '9')
            look_at(owner, entry->d_name);
    closedir(processes);
}

static void play(struct pinning *pinning, bool pin)
{
    const struct runner_options options = {.job_count = JOBS,
                                           .pin = pin,
                                           .owner = pinning,
                                           .next_fn = next_game,
                                           .done_fn = game_done,
                                           .tick_fn = tick};
    struct stage *stage = stage_create(NULL);
    struct sandbox *sandbox;
    struct sandbox_failure failure;
    struct transport transport;
    struct runner *runner;

    memset(pinning, 0, sizeof *pinning);
    thinker_open(&pinning->thinker, "20000", stage->path, 0);
    cr_assert_eq(
        sandbox_create(&sandbox, &(struct sandbox_options){.require = SANDBOX_TIER_LITE}, &failure),
        0);
    transport = transport_of_sandbox(sandbox);
    runner = runner_create(&options, &transport);
    cr_assert_eq(runner_play(runner, &failure), 0);
    runner_destroy(runner);
    sandbox_destroy(sandbox);
    thinker_close(&pinning->thinker);
    stage_destroy(stage);
    cr_assert_gt(pinning->seen_count, 0, "no bot was seen: this shows nothing");
}

Test(pin, each_game_has_a_core_of_its_own, .timeout = 120)
{
    struct pinning pinning;
    cpu_set_t cores;
    int used_count = 0;

    cr_assert_eq(sched_getaffinity(0, sizeof cores, &cores), 0);
    play(&pinning, true);
    cr_expect_eq(pinning.free_count, 0, "a bot may run on several cores");
    for (int core = 0; core < CPU_SETSIZE; core++)
        used_count += pinning.core_counts[core] > 0;
    cr_expect_eq(used_count, CPU_COUNT(&cores) < JOBS ? CPU_COUNT(&cores) : JOBS);
}

Test(pin, without_it_bots_run_on_all, .timeout = 120)
{
    struct pinning pinning;
    cpu_set_t cores;

    cr_assert_eq(sched_getaffinity(0, sizeof cores, &cores), 0);
    play(&pinning, false);
    if (CPU_COUNT(&cores) > 1)
        cr_expect_eq(pinning.free_count, pinning.seen_count);
}

/* The number of cores limits its processor time. */
Test(pin, cores_of_a_bot_are_counted)
{
    cpu_set_t cores;

    cr_assert_eq(sched_getaffinity(0, sizeof cores, &cores), 0);
    cr_expect_eq(table_core_count(-1), CPU_COUNT(&cores), "%d cores", table_core_count(-1));
    for (int number = 0; number < 2 * CPU_COUNT(&cores); number++)
        cr_expect_eq(table_core_count(table_core(number)), 1, "table %d", number);
}
