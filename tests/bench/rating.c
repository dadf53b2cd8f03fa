/* SPDX-License-Identifier: MIT */
/*
 * What a list of ratings costs: 50 bots, 100,000 games as CSV. Three things, each in
 * every round so that a busy moment of the machine meets all alike: a loop that only
 * reads the file's lines, the whole `arena rate` as a process, and the fit with its
 * full error matrix on games already read; of games between two also Ordo, where it is on the
 * path, without error bars. Processor time, the kernel's part included: what a quiet core takes,
 * even if others want it too.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/rating/csv.h"
#include "arena/rating/fit.h"
#include "tests/bench/bench.h"

enum {
    BOTS = 50,
    GAMES = 100000,
    ROUNDS_DEFAULT = 30,
    ROUNDS_MAX = 1000,
};

#define ARENA_PROGRAM BENCH_BINARY_DIR "/bin/arena"

/* Times of one of them, per round. */
struct times {
    double taken_us[ROUNDS_MAX];
    long count;
};

/* Returns the processor time used so far by this process or by its ended children. */
static int64_t used_us(int who)
{
    struct rusage usage;

    getrusage(who, &usage);
    return ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
           usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

/* Returns a number below count from a fixed sequence. */
static int draw(uint64_t *state, int count)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int)((*state >> 33) % (uint64_t)count);
}

static const char *pgn_result(const int points[2])
{
    return points[0] > points[1] ? "1-0" : points[0] < points[1] ? "0-1" : "1/2-1/2";
}

/*
 * Writes games of random bots at tables of player_count, in groups of player_count games; stronger
 * bots win more often. Games between two go to pgn, too.
 */
static void write_games(FILE *file, FILE *pgn, int player_count)
{
    uint64_t state = 1;

    fputs("game,group,player,seat,rank\n", file);
    for (int game = 0; game < GAMES;) {
        int bots[BOTS];
        int group = game / player_count;

        for (int i = 0; i < BOTS; i++)
            bots[i] = i;
        for (int i = 0; i < player_count; i++) {
            int from = i + draw(&state, BOTS - i);
            int bot = bots[from];
            bots[from] = bots[i];
            bots[i] = bot;
        }
        for (int turn = 0; turn < player_count && game < GAMES; turn++, game++) {
            int points[GAMES_PLAYERS_MAX];

            for (int seat = 0; seat < player_count; seat++)
                points[seat] = draw(&state, 100) + bots[(seat + turn) % player_count] / 2;
            if (player_count == 2)
                fprintf(pgn, "[White \"bot%02d\"]\n[Black \"bot%02d\"]\n[Result \"%s\"]\n\n%s\n\n",
                        bots[turn], bots[1 - turn], pgn_result(points), pgn_result(points));
            for (int seat = 0; seat < player_count; seat++) {
                int rank = 1;

                for (int other = 0; other < player_count; other++)
                    rank += points[other] > points[seat];
                fprintf(file, "%d,%d,bot%02d,%d,%d\n", game, group,
                        bots[(seat + turn) % player_count], seat, rank);
            }
        }
    }
}

/* Writes the games to two temporary files. */
static int make_files(char *path, char *pgn_path, int player_count)
{
    int fd = mkstemp(path), pgn_fd = mkstemp(pgn_path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    FILE *pgn = pgn_fd < 0 ? NULL : fdopen(pgn_fd, "w");

    if (!file || !pgn)
        return -1;
    write_games(file, pgn, player_count);
    return fclose(file) | fclose(pgn);
}

/* Reads all lines and does nothing with them. */
static int read_lines(const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    long count = 0;

    if (!file)
        return -1;
    while (getline(&line, &capacity, file) > 0)
        count++;
    free(line);
    fclose(file);
    return count > GAMES ? 0 : -1;
}

/* Runs a program and discards its output. Returns 0, or ENOENT if there is none, or -1. */
static int run_program(char *const argv[])
{
    posix_spawn_file_actions_t actions;
    int status = -1, error;
    pid_t pid;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == 0)
        waitpid(pid, &status, 0);
    return error == ENOENT ? ENOENT : status == 0 ? 0 : -1;
}

/* Reads the file's games for the fit. */
static int load(const char *path, struct csv *csv)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t capacity = 0;
    struct csv_error error;

    if (!file)
        return -1;
    ssize_t size = getdelim(&text, &capacity, '\0', file);
    fclose(file);
    int result = size > 0 ? csv_read(text, (size_t)size, csv, &error) : -1;
    free(text);
    return result;
}

static int run_fit(const struct games *games)
{
    struct fit fit;

    if (fit_init(&fit, games, FIT_PRIOR_ELO) < 0)
        return -1;
    fit_finish(&fit);
    return 0;
}

static double median_ms(struct times *times)
{
    return bench_quantile(times->taken_us, (size_t)times->count, 500) / 1000;
}

static void print(int player_count, struct times *reading, struct times *whole, struct times *fit,
                  struct times *ordo)
{
    double reading_ms = median_ms(reading);
    char name[32];

    snprintf(name, sizeof name, "rating.%d.lines", player_count);
    bench_figure(name, reading_ms, "ms median", 0);
    snprintf(name, sizeof name, "rating.%d.whole", player_count);
    bench_figure(name, median_ms(whole), "ms median", reading_ms);
    snprintf(name, sizeof name, "rating.%d.fit", player_count);
    bench_figure(name, median_ms(fit), "ms median", reading_ms);
    if (ordo->count > 0)
        bench_figure("rating.2.ordo", median_ms(ordo), "ms median", median_ms(whole));
}

static int run_rounds(char *path, char *pgn_path, int player_count, long round_count)
{
    char *const rate_argv[] = {ARENA_PROGRAM, "rate", path, NULL};
    char *const ordo_argv[] = {"ordo", "-q", "-p", pgn_path, NULL};
    static struct times reading, whole, fit, ordo;
    struct csv csv = {0};
    int result = load(path, &csv);

    reading.count = whole.count = fit.count = round_count;
    ordo.count = player_count == 2 ? round_count : 0;
    for (long i = 0; i < round_count && result == 0; i++) {
        int64_t start_us = used_us(RUSAGE_SELF);

        result = read_lines(path);
        reading.taken_us[i] = (double)(used_us(RUSAGE_SELF) - start_us);
        start_us = used_us(RUSAGE_CHILDREN);
        if (result == 0)
            result = run_program(rate_argv);
        whole.taken_us[i] = (double)(used_us(RUSAGE_CHILDREN) - start_us);
        start_us = used_us(RUSAGE_SELF);
        if (result == 0)
            result = run_fit(&csv.games);
        fit.taken_us[i] = (double)(used_us(RUSAGE_SELF) - start_us);
        start_us = used_us(RUSAGE_CHILDREN);
        if (result == 0 && ordo.count > 0)
            result = run_program(ordo_argv);
        ordo.taken_us[i] = (double)(used_us(RUSAGE_CHILDREN) - start_us);
        if (result == ENOENT)
            result = 0, ordo.count = 0;
    }
    csv_finish(&csv);
    if (result == 0)
        print(player_count, &reading, &whole, &fit, &ordo);
    return result;
}

static int run(int player_count, long round_count)
{
    char path[] = "/tmp/bench-rating-XXXXXX", pgn_path[] = "/tmp/bench-rating-XXXXXX";
    int result = make_files(path, pgn_path, player_count);

    if (result == 0)
        result = run_rounds(path, pgn_path, player_count, round_count);
    unlink(path);
    unlink(pgn_path);
    if (result != 0)
        fprintf(stderr, "bench: rating: cannot rate %s\n", path);
    return result == 0 ? 0 : 1;
}

int bench_rating(char **argv, bool few)
{
    long players = 0, rounds = ROUNDS_DEFAULT;

    (void)few;
    bench_read_options(argv, (const struct bench_option[]){
                                 {"--players", &players, GAMES_PLAYERS_MIN, GAMES_PLAYERS_MAX},
                                 {"--rounds", &rounds, 1, ROUNDS_MAX},
                                 {NULL}});
    if (players > 0)
        return run((int)players, rounds);
    return run(2, rounds) | run(3, rounds) | run(4, rounds);
}
