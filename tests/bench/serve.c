/*
 * bench serve: how long the daemon's loop is held, and what bots are charged, while the daemon
 * publishes a season of 200 bots and 100,000 games, admits a package of 100 MB and schedules a
 * season of 100,000 games. With --realtime the loop's thread has priority over all others, so that
 * other load on the machine is not measured.
 */
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench.h"
#include "tests/bench/crowd.h"
#include "tests/bench/stall.h"

enum {
    BOTS = 320, /* a round robin, each pair once: 51,040 groups of two games */
    CROWD_BOTS = 200,
    CROWD_GAMES = 100000,
    LARGE_BYTES = 100 << 20,
    GAMES = 5000,
    FEW_GAMES = 200, /* among all benches */
    FEW_CROWD_GAMES = 5000,
    LATE_S = 1800, /* time limit */
};

#define ARENA BENCH_BINARY_DIR "/bin/arena"

static void require(int error, const struct store *store)
{
    if (error)
        bench_refuse("serve: %s", store_failure(store));
}

static void run(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void run(const char *format, ...)
{
    char command[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    if (system(command) != 0)
        bench_refuse("serve: failed: %s", command);
}

/* Creates a closed season to be published, and the bots that play in another. */
static void prepare(const char *room, const char *home, long crowd_games)
{
    static char names[BOTS][16];
    const char *only[BOTS];
    struct store_season crowd, season;
    struct store *store;

    crowd_fill(home, CROWD_BOTS, crowd_games);
    require(store_open(&store, home, STORE_WRITE), store);
    require(store_season_find(store, CROWD_SEASON, &crowd), store);
    require(store_season_close(store, crowd.id, crowd.created_us + 1), store);
    stall_add_bots(store, room, 0, BOTS, 0);
    run(ARENA " season new played --budget 100000 --clock turn=50,bank=0,start=20000 --home %s"
              " >/dev/null",
        home);
    require(store_season_find(store, "played", &season), store);
    for (int i = 0; i < BOTS; i++) {
        snprintf(names[i], sizeof names[i], "bot-%03d", i);
        only[i] = names[i];
    }
    require(store_roster_set(store, season.id, only, BOTS), store);
    store_close(store);
}

static pid_t start(const char *home, const char *site, int jobs, bool realtime)
{
    char number[16];
    char *const argv[] = {"chrt",    "-R",         "-f",     "10",   ARENA,    "serve",
                          "--home",  (char *)home, "--jobs", number, "--site", (char *)site,
                          "--every", "1",          "--json", NULL};
    char *const *from = realtime ? argv : argv + 4;
    posix_spawn_file_actions_t actions;
    pid_t pid;

    snprintf(number, sizeof number, "%d", jobs);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&pid, from[0], &actions, NULL, from, environ) != 0)
        bench_refuse("serve: arena serve cannot be started");
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

/* Waits until that many games were played. Returns the status, which the caller frees. */
static json_t *await_games(const char *home, long games)
{
    char path[128];

    snprintf(path, sizeof path, "%s/serve.json", home);
    for (int second = 0; second < LATE_S; second++) {
        json_t *status = json_load_file(path, 0, NULL);

        if (json_integer_value(json_object_get(status, "games")) >= games &&
            json_integer_value(json_object_get(status, "queue")) == 0)
            return status;
        json_decref(status);
        sleep(1);
    }
    bench_refuse("serve: %ld games were not played in %d s", games, LATE_S);
}

static int measure(long games, long crowd_games, int jobs, bool realtime)
{
    char room[] = "/tmp/bench-serve-XXXXXX", home[64], site[64], large[64], held[64];
    struct store *store;
    double ideal_us;
    json_t *status;
    pid_t pid;
    int end;

    if (!mkdtemp(room))
        bench_refuse("serve: no folder in /tmp");
    snprintf(home, sizeof home, "%s/home", room);
    snprintf(site, sizeof site, "%s/site", room);
    snprintf(large, sizeof large, "%s/large", room);
    snprintf(held, sizeof held, "%s/held", room);
    prepare(room, home, crowd_games);
    stall_make_folder(large, LARGE_BYTES);
    bench_ideal_begin(realtime);
    bench_held_begin(held);
    pid = start(home, site, jobs, realtime);
    unsetenv("LD_PRELOAD");
    sleep(2);
    run(ARENA " submit --queue --home %s %s >/dev/null", home, large);
    status = await_games(home, games);
    ideal_us = bench_ideal_end();
    bench_figure("serve.longest_hold",
                 (double)json_integer_value(json_object_get(status, "longest_hold_us")), "us",
                 1000);
    bench_figure("serve.longest_hold_processor",
                 (double)json_integer_value(json_object_get(status, "longest_hold_processor_us")),
                 "us", 1000);
    json_decref(status);
    kill(pid, SIGTERM);
    if (waitpid(pid, &end, 0) != pid || end != 0)
        bench_refuse("serve: the daemon ended with status %d", end);
    bench_held_figures(held, "serve");
    require(store_open(&store, home, STORE_READ), store);
    stall_figures(store, "played", "serve", ideal_us);
    store_close(store);
    run("rm -rf %s", room);
    return 0;
}

int bench_serve_run(int argc, char **argv)
{
    long games = GAMES, crowd_games = CROWD_GAMES, jobs = 16;
    bool realtime = false;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--games") == 0)
            games = bench_number("--games", argv[++i], 2, 100000);
        else if (strcmp(argv[i], "--crowd") == 0)
            crowd_games = bench_number("--crowd", argv[++i], 2, 10000000);
        else if (strcmp(argv[i], "--jobs") == 0)
            jobs = bench_number("--jobs", argv[++i], 1, 256);
        else if (strcmp(argv[i], "--realtime") == 0)
            realtime = true;
        else
            bench_refuse("serve: unknown option %s", argv[i]);
    return measure(games, crowd_games, (int)jobs, realtime);
}

int bench_serve_figures(void)
{
    return measure(FEW_GAMES, FEW_CROWD_GAMES, 2, false);
}
