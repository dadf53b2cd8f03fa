/*
 * What bots are charged while the arena is busy: runs `arena season run` with many games at once
 * between bots that think 5 ms, while the arena unpacks three packages of 100 MB, plans 100,000
 * games and stores results on a slow disk. Each bot measures its own time and writes it in its
 * notes; the replays show what it was charged beyond that. With --holds also reports how long the
 * arena held its loop, and why. With --realtime the loop's thread, and nothing else, has priority
 * over all others, so that other load on the machine is not measured.
 */
#include "tests/bench/bench.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/play/package.h"
#include "arena/replay/replay.h"
#include "arena/store/archive.h"
#include "arena/store/games.h"
#include "tests/bench/stall.h"

enum {
    BOTS = 320, /* a round robin, each pair once: 51,040 groups of two games */
    LARGE_BOTS = 3,
    LARGE_BYTES = 100 << 20,
    BUDGET_GAMES = 100000,
    GAMES = 5000,
    FEW_GAMES = 400, /* among all benches */
    JOBS = 16,
    DISK_MS = 10, /* added to each sync */
};

#define MANIFEST                                                                                   \
    "{\"name\": \"zero\", \"version\": \"1\", \"author\": \"bench\", \"run\": [\"./zero\", "       \
    "\"5000\"]}"

static void require(struct store *store, int error)
{
    if (error)
        bench_refuse("stall: %s", store_failure(store));
}

/* ---- the season ---- */

void stall_make_folder(const char *folder, size_t more_bytes)
{
    static uint8_t bytes[1 << 20];
    char command[1024], path[512];
    FILE *file;

    snprintf(command, sizeof command,
             "mkdir %s && cp " BENCH_BINARY_DIR "/tests/bots/bench_zero %s/zero", folder, folder);
    if (system(command) != 0)
        bench_refuse("stall: %s cannot be made", folder);
    snprintf(path, sizeof path, "%s/bot.json", folder);
    file = fopen(path, "we");
    fputs(MANIFEST, file);
    fclose(file);
    snprintf(path, sizeof path, "%s/more", folder);
    file = more_bytes ? fopen(path, "we") : NULL;
    for (size_t done = 0; file && done < more_bytes; done += sizeof bytes)
        if (getrandom(bytes, sizeof bytes, 0) < 0 || fwrite(bytes, sizeof bytes, 1, file) != 1)
            bench_refuse("stall: %s cannot be written", path);
    if (file)
        fclose(file);
}

void stall_add_bots(struct store *store, const char *home, int first, int end, size_t more_bytes)
{
    char folder[256], hash[PACKAGE_HASH_CHARS + 1], error[ARCHIVE_ERROR_BYTES];
    struct store_package package;
    uint8_t *bytes;

    snprintf(folder, sizeof folder, "%s/bot-%d", home, first);
    stall_make_folder(folder, more_bytes);
    if (package_copy(folder, NULL, hash, error) < 0 ||
        archive_pack(folder, &bytes, &package.size, error) < 0)
        bench_refuse("stall: %s", error);
    package.bytes = bytes;
    for (int i = first; i < end; i++) {
        struct store_bot bot = {
            .version = "1", .language = "C", .submitted_us = 1, .manifest = MANIFEST};

        snprintf(bot.name, sizeof bot.name, "bot-%03d", i);
        snprintf(bot.author, sizeof bot.author, "author %d", i);
        memcpy(bot.sha256, hash, sizeof bot.sha256);
        memcpy(bot.built_sha256, hash, sizeof bot.built_sha256);
        require(store, store_bot_add(store, &bot, package, package));
    }
    free(bytes);
}

/* Runs a command of the arena and ignores its output. */
static void run_arena(char *const argv[])
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&pid, argv[0], &actions, NULL, argv, environ) != 0 ||
        waitpid(pid, &status, 0) != pid || status != 0)
        bench_refuse("stall: arena %s %s failed", argv[1], argv[2]);
    posix_spawn_file_actions_destroy(&actions);
}

static void play(const char *home, long games, bool holds, bool realtime)
{
    char budget[16], limit[16], jobs[16], told[64];
    char *const create[] = {BENCH_BINARY_DIR "/bin/arena",
                            "season",
                            "new",
                            "stall",
                            "--budget",
                            budget,
                            "--clock",
                            "turn=50,bank=0,start=20000",
                            "--home",
                            (char *)home,
                            NULL};
    char *const run[] = {"/usr/bin/chrt",
                         "-R", /* not for what it starts */
                         "-f",
                         "10",
                         BENCH_BINARY_DIR "/bin/arena",
                         "season",
                         "run",
                         "stall",
                         "--games",
                         limit,
                         "--jobs",
                         jobs,
                         "--home",
                         (char *)home,
                         NULL};

    snprintf(budget, sizeof budget, "%d", BUDGET_GAMES);
    snprintf(limit, sizeof limit, "%ld", games);
    snprintf(jobs, sizeof jobs, "%d", JOBS);
    run_arena(create);
    snprintf(told, sizeof told, "%s/holds", home);
    if (holds)
        bench_held_begin(told);
    setenv("LD_PRELOAD", holds ? BENCH_SLOW_DISK ":" BENCH_HOLDS : BENCH_SLOW_DISK, 1);
    snprintf(limit, sizeof limit, "%d", DISK_MS);
    setenv("SLOW_DISK_MS", limit, 1);
    snprintf(limit, sizeof limit, "%ld", games);
    run_arena(realtime ? run : run + 4);
    unsetenv("LD_PRELOAD");
    if (holds)
        bench_held_figures(told, "stall");
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

    require(reading->store, store_replay_read(reading->store, reading->season_id, game->group,
                                              game->rotation, &bytes, &size));
    if (replay_unpack(&replay, bytes, size, error) < 0)
        bench_refuse("stall: %s", error);
    if (game->forfeits)
        fprintf(stderr, "bench: stall: group %d, rotation %d: %s\n", game->group, game->rotation,
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

void stall_figures(struct store *store, const char *name, const char *bench, double ideal_us)
{
    struct reading reading = {.store = store};
    struct store_season season;
    char figure[64];

    require(store, store_season_find(store, name, &season));
    reading.season_id = season.id;
    require(store, store_games_each(store, season.id, read_game, &reading));
    snprintf(figure, sizeof figure, "%s.games", bench);
    bench_figure(figure, (double)reading.game_count, "games", 0);
    snprintf(figure, sizeof figure, "%s.forfeits", bench);
    bench_figure(figure, (double)reading.forfeit_count, "seats", 0);
    bench_charges_figures(&reading.charges, bench, ideal_us);
}

static void measure(long games, bool holds, bool realtime)
{
    char home[] = "/tmp/bench-stall-XXXXXX", command[64];
    struct store *store;
    double ideal_us;

    if (!mkdtemp(home) || store_open(&store, home, STORE_CREATE) < 0)
        bench_refuse("stall: no store in /tmp");
    for (int i = 0; i < LARGE_BOTS; i++)
        stall_add_bots(store, home, i, i + 1, LARGE_BYTES);
    stall_add_bots(store, home, LARGE_BOTS, BOTS, 0);
    store_close(store);
    bench_ideal_begin(realtime);
    play(home, games, holds, realtime);
    ideal_us = bench_ideal_end();
    if (store_open(&store, home, STORE_READ) < 0)
        bench_refuse("stall: %s", store_failure(store));
    stall_figures(store, "stall", "stall", ideal_us);
    store_close(store);
    snprintf(command, sizeof command, "rm -r %s", home);
    if (system(command) != 0)
        bench_refuse("stall: %s cannot be removed", home);
}

int bench_stall_figures(void)
{
    measure(FEW_GAMES, false, false);
    return 0;
}

int bench_stall_run(int argc, char **argv)
{
    long games = GAMES;
    bool holds = false, realtime = false;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--holds") == 0)
            holds = true;
        else if (strcmp(argv[i], "--realtime") == 0)
            realtime = true;
        else if (strcmp(argv[i], "--games") == 0 && i + 1 < argc)
            games = bench_number("--games", argv[++i], 2, BUDGET_GAMES);
        else
            bench_refuse("stall: its options are --games N, --holds and --realtime");
    }
    measure(games, holds, realtime);
    return 0;
}
