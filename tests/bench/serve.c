/* SPDX-License-Identifier: MIT */
/*
 * bench serve: how long the daemon's loop is held, and what bots are charged, while the daemon
 * publishes a season of 200 bots and 100,000 games, admits a package of 100 MB and schedules a
 * season of 100,000 games. The bots think 5 ms, measure their own time and write it in their notes;
 * the replays show what they were charged beyond that. With --realtime the loop's thread, and
 * nothing else, has priority over all others, so that other load on the machine is not measured.
 * With
 * --slow-disk each sync takes 10 ms longer.
 */
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/play/package.h"
#include "arena/replay/replay.h"
#include "arena/store/archive.h"
#include "arena/store/games.h"
#include "tests/bench/bench.h"
#include "tests/bench/crowd.h"

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

#define ARENA        BENCH_BINARY_DIR "/bin/arena"
#define SEASON       "played"
#define SLOW_DISK_MS "10"
#define MANIFEST                                                                                   \
    "{\"name\": \"zero\", \"version\": \"1\", \"author\": \"bench\", \"run\": [\"./zero\", "       \
    "\"5000\"]}"

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

/* ---- the league ---- */

static void make_folder(const char *folder, size_t more_bytes)
{
    static uint8_t bytes[1 << 20];
    char command[1024], path[512];
    FILE *file;

    snprintf(command, sizeof command,
             "mkdir %s && cp " BENCH_BINARY_DIR "/tests/bots/bench_zero %s/zero", folder, folder);
    if (system(command) != 0)
        bench_refuse("serve: %s cannot be made", folder);
    snprintf(path, sizeof path, "%s/bot.json", folder);
    file = fopen(path, "we");
    fputs(MANIFEST, file);
    fclose(file);
    snprintf(path, sizeof path, "%s/more", folder);
    file = more_bytes ? fopen(path, "we") : NULL;
    for (size_t done = 0; file && done < more_bytes; done += sizeof bytes)
        if (getrandom(bytes, sizeof bytes, 0) < 0 || fwrite(bytes, sizeof bytes, 1, file) != 1)
            bench_refuse("serve: %s cannot be written", path);
    if (file)
        fclose(file);
}

static void add_bots(struct store *store, const char *room)
{
    char folder[256], hash[PACKAGE_HASH_CHARS + 1], error[ARCHIVE_ERROR_BYTES];
    struct store_package package;
    uint8_t *bytes;

    snprintf(folder, sizeof folder, "%s/bot", room);
    make_folder(folder, 0);
    if (package_copy(folder, NULL, hash, error) < 0 ||
        archive_pack(folder, SIZE_MAX, &bytes, &package.size, error) < 0)
        bench_refuse("serve: %s", error);
    package.bytes = bytes;
    for (int i = 0; i < BOTS; i++) {
        struct store_bot bot = {
            .version = "1", .language = "C", .submitted_us = 1, .manifest = MANIFEST};

        snprintf(bot.name, sizeof bot.name, "bot-%03d", i);
        snprintf(bot.author, sizeof bot.author, "author %d", i);
        memcpy(bot.sha256, hash, sizeof bot.sha256);
        memcpy(bot.built_sha256, hash, sizeof bot.built_sha256);
        require(store_bot_add(store, &bot, package, package), store);
    }
    free(bytes);
}

/* Creates a closed season to be published, and the bots that play in another. */
static void prepare(const char *room, const char *home, long crowd_games)
{
    static char names[BOTS][16];
    const char *only[BOTS];
    struct store_season crowd, season;
    struct store *store;

    crowd_fill(home, CROWD_BOTS, crowd_games, true);
    require(store_open(&store, home, STORE_WRITE), store);
    require(store_season_find(store, CROWD_SEASON, &crowd), store);
    require(store_season_close(store, crowd.id, crowd.created_us + 1), store);
    add_bots(store, room);
    run(ARENA " season new " SEASON " --budget 100000 --clock turn=50,bank=0,start=20000 --home %s"
              " >/dev/null",
        home);
    require(store_season_find(store, SEASON, &season), store);
    for (int i = 0; i < BOTS; i++) {
        snprintf(names[i], sizeof names[i], "bot-%03d", i);
        only[i] = names[i];
    }
    require(store_roster_set(store, season.id, only, BOTS), store);
    store_close(store);
}

/* ---- the daemon ---- */

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

/* ---- the result ---- */

struct reading {
    struct store *store;
    int64_t season_id;
    struct bench_charges charges;
    long game_count, forfeit_count;
};

static int read_game(void *context, const struct store_game *game)
{
    struct reading *reading = context;
    char error[REPLAY_ERROR_BYTES];
    struct replay replay;
    uint8_t *bytes;
    size_t size;

    require(store_replay_read(reading->store, reading->season_id, game->group, game->rotation,
                              &bytes, &size),
            reading->store);
    if (replay_unpack(&replay, bytes, size, error) < 0)
        bench_refuse("serve: %s", error);
    if (game->forfeits)
        fprintf(stderr, "bench: serve: group %d, rotation %d: %s\n", game->group, game->rotation,
                game->forfeits);
    reading->game_count++;
    for (int seat = 0; seat < replay.terms.player_count; seat++)
        reading->forfeit_count += game->seats[seat].reason != WIRE_PLAYED;
    for (size_t i = 0; i < replay.decision_count; i++)
        if (!replay.decisions[i].by_arena)
            bench_charges_add(&reading->charges, replay.decisions[i].us,
                              replay.decisions[i].delay_us, replay.decisions[i].note,
                              replay.decisions[i].note_bytes);
    replay_finish(&replay);
    free(bytes);
    return 0;
}

static void print_charges(struct store *store, double ideal_us)
{
    struct reading reading = {.store = store};
    struct store_season season;

    require(store_season_find(store, SEASON, &season), store);
    reading.season_id = season.id;
    require(store_games_each(store, season.id, read_game, &reading), store);
    bench_figure("serve.games", (double)reading.game_count, "games", 0);
    bench_figure("serve.forfeits", (double)reading.forfeit_count, "seats", 0);
    bench_charges_figures(&reading.charges, "serve", ideal_us);
}

static int measure(long games, long crowd_games, int jobs, bool realtime, bool slow_disk)
{
    char room[] = "/tmp/bench-serve-XXXXXX", home[64], site[64], large[64];
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
    prepare(room, home, crowd_games);
    make_folder(large, LARGE_BYTES);
    bench_ideal_begin(realtime);
    if (slow_disk)
        setenv("LD_PRELOAD", BENCH_SLOW_DISK, 1);
    setenv("SLOW_DISK_MS", SLOW_DISK_MS, 1);
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
    require(store_open(&store, home, STORE_READ), store);
    print_charges(store, ideal_us);
    store_close(store);
    run("rm -rf %s", room);
    return 0;
}

int bench_serve(char **argv, bool few)
{
    long games = few ? FEW_GAMES : GAMES, jobs = few ? 2 : 16, realtime = 0, slow_disk = 0;
    long crowd_games = few ? FEW_CROWD_GAMES : CROWD_GAMES;

    bench_read_options(argv, (const struct bench_option[]){{"--games", &games, 2, 100000},
                                                           {"--crowd", &crowd_games, 2, 10000000},
                                                           {"--jobs", &jobs, 1, 256},
                                                           {"--realtime", &realtime},
                                                           {"--slow-disk", &slow_disk},
                                                           {NULL}});
    return measure(games, crowd_games, (int)jobs, realtime != 0, slow_disk != 0);
}
