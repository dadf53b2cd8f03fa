/* SPDX-License-Identifier: MIT */
/* The program train: creates a file of weights by self-play. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bots/training/training.h"
#include "bots/value/tables.h"

enum {
    GAMES_DEFAULT = 300000,
    REPORTS = 100, /* maximum of progress lines */
    GAMES_A_REPORT_MIN = 1000,
};

static const char usage[] =
    "usage: train [OPTION ...] FILE\n"
    "\n"
    "Trains the weights of the bots steady and maestro, for one number of players and one side of\n"
    "the board: lets a bot play against itself, and writes the weights to FILE. The same options\n"
    "give the same bytes on every machine.\n"
    "\n"
    "  --players P            number of players: 2, 3 or 4 (2)\n"
    "  --board colored|gray   side of the player boards (colored)\n"
    "  --games N              number of games (300000); a core plays about 30000 games of two\n"
    "                         players a minute\n"
    "  --one-ply PERCENT      share of the games, from the first on, in which seats look one "
    "draft\n"
    "                         ahead; in the other games they look two drafts ahead and plan their\n"
    "                         placements (55)\n"
    "  --least-rate PERMILLE  smallest learning rate of a weight (0)\n"
    "  --seed N               seed of all games (1)\n";

__attribute__((format(printf, 1, 2), noreturn)) static void refuse(const char *format, ...)
{
    va_list arguments;

    fputs("train: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(2);
}

/* Reads the options. Returns the path of the file to write. */
static const char *read_options(int argc, char **argv, struct training *training)
{
    uint64_t players = 2, games = training->game_count, one_ply = 55, least_rate = 0, seed = 1;
    const struct {
        const char *name;
        uint64_t *number, least, most;
    } numbers[] = {
        {"--players", &players, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX},
        {"--games", &games, 1, 1000000000},
        {"--one-ply", &one_ply, 0, 100},
        {"--least-rate", &least_rate, 0, 1000},
        {"--seed", &seed, 0, UINT64_MAX},
    };
    const size_t number_count = sizeof numbers / sizeof *numbers;
    const char *path = NULL;

    for (int i = 1; i < argc; i++) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        size_t known = 0;
        char *end;

        if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) {
            fputs(usage, stdout);
            exit(0);
        }
        if (option[0] != '-') {
            if (path)
                refuse("two files given, '%s' and '%s': give one", path, option);
            path = option;
            continue;
        }
        i++;
        if (strcmp(option, "--board") == 0) {
            if (strcmp(value, "gray") != 0 && strcmp(value, "colored") != 0)
                refuse("--board: must be colored or gray, not '%s'", value);
            training->side = strcmp(value, "gray") == 0 ? BOARD_GRAY : BOARD_COLORED;
            continue;
        }
        while (known < number_count && strcmp(option, numbers[known].name) != 0)
            known++;
        if (known == number_count)
            refuse("unknown option '%s'; `train --help` lists the options", option);
        errno = 0;
        *numbers[known].number = strtoull(value, &end, 10);
        if (errno != 0 || end == value || *end != '\0' || value[0] == '-' ||
            *numbers[known].number < numbers[known].least ||
            *numbers[known].number > numbers[known].most)
            refuse("%s: must be a number from %llu to %llu, not '%s'", option,
                   (unsigned long long)numbers[known].least,
                   (unsigned long long)numbers[known].most, value);
    }
    if (!path)
        refuse("no FILE given; `train --help` shows the usage");
    training->player_count = (int)players;
    training->game_count = (uint32_t)games;
    training->one_ply_percent = (int)one_ply;
    training->learner->least_rate = (float)least_rate / 1000;
    memcpy(training->seed, &seed, sizeof seed);
    return path;
}

static void report(struct training *training)
{
    struct learner *learner = training->learner;

    printf("%u of %u games: mean score %.1f, mean squared error %.2f\n", training->played,
           training->game_count, training->points / (double)training->point_count,
           learner->squares / (double)learner->error_count);
    fflush(stdout);
    training->points = 0;
    training->point_count = 0;
    learner->squares = 0;
    learner->error_count = 0;
}

/* Writes the file completely or not at all. */
static void write_file(const struct training *training, const char *path)
{
    static uint8_t bytes[TABLES_BYTES_MAX];
    char temporary[4096];
    const struct tables_header header = {.player_count = training->player_count,
                                         .side = training->side,
                                         .game_count = training->played};
    size_t size = tables_pack(&training->learner->set, &header, bytes, sizeof bytes);
    FILE *file;

    if ((size_t)snprintf(temporary, sizeof temporary, "%s.part", path) >= sizeof temporary)
        refuse("%s: the name is too long", path);
    file = fopen(temporary, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0 ||
        rename(temporary, path) != 0) {
        fprintf(stderr, "train: %s: %s\n", path, strerror(errno));
        unlink(temporary);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    static struct learner learner;
    static struct search search;
    struct training training = {
        .game_count = GAMES_DEFAULT, .learner = &learner, .search = &search};
    const char *path = read_options(argc, argv, &training);
    uint32_t step = training.game_count / REPORTS;

    step = step < GAMES_A_REPORT_MIN ? GAMES_A_REPORT_MIN : step;
    while (training.played < training.game_count) {
        training_play(&training);
        if (training.played % step == 0 || training.played == training.game_count)
            report(&training);
    }
    write_file(&training, path);
    return 0;
}
