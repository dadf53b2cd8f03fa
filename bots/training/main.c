/* SPDX-License-Identifier: MIT */
/* The program train: creates a file of weights by self-play. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bots/training/fit.h"
#include "bots/training/training.h"
#include "sdk/steady/tables.h"

enum {
    GAMES_DEFAULT = 300000,
    REPORTS = 100, /* maximum of progress lines */
    GAMES_A_REPORT_MIN = 1000,
};

static const char usage[] =
    "usage: train [OPTION ...] FILE\n"
    "       train --mean FILE PART ...\n"
    "       train --net FILE WEIGHTS [GAMES [EPOCHS [SEED]]]\n"
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
    "  --depth N              how many drafts ahead seats look in the other games: 1 or 2 (2)\n"
    "  --random all|drafts    actions that seats sometimes choose at random (all)\n"
    "  --from OLD             begin with the weights in the file OLD, at learning rates of 0.1\n"
    "  --least-rate PERMILLE  smallest learning rate of a weight (0)\n"
    "  --seed N               seed of all games (1)\n"
    "\n"
    "With --mean, writes to FILE the mean of each weight in the files PART, which differ in their\n"
    "--seed, say.\n"
    "\n"
    "With --net, makes the networks by which maestro values the end of a draft phase with two\n"
    "players on the colored side, from GAMES games (60000) with WEIGHTS, each learned from EPOCHS\n"
    "times (5); SEED is 1. 60000 games take a core a quarter of an hour, and 1.1 GB of memory.\n";

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

/* Reads a file of weights. */
static void read_file(const char *path, struct tables_header *header, struct weights_set *set)
{
    static uint8_t bytes[TABLES_BYTES_MAX];
    FILE *file = fopen(path, "rb");
    const char *fault;
    size_t size;

    if (!file)
        refuse("%s: %s", path, strerror(errno));
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    fault = tables_unpack(bytes, size, header, set);
    if (fault)
        refuse("%s: %s", path, fault);
}

/* Reads the weights to begin with. */
static void read_start(const char *path, const struct training *training)
{
    struct tables_header header;

    read_file(path, &header, &training->learner->set);
    if (header.player_count != training->player_count || header.side != training->side)
        refuse("%s: weights for another number of players or side of the board: give the same "
               "--players and --board",
               path);
    training_learn_again(training->learner);
}

/* Reads the options. Returns the path of the file to write. */
static const char *read_options(int argc, char **argv, struct training *training)
{
    uint64_t players = 2, games = training->game_count, one_ply = 55, least_rate = 0, seed = 1,
             depth = POLICY_DEPTH;
    const struct {
        const char *name;
        uint64_t *number, least, most;
    } numbers[] = {
        {"--players", &players, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX},
        {"--games", &games, 1, 1000000000},
        {"--one-ply", &one_ply, 0, 100},
        {"--depth", &depth, 1, POLICY_DEPTH},
        {"--least-rate", &least_rate, 0, 1000},
        {"--seed", &seed, 0, UINT64_MAX},
    };
    const size_t number_count = sizeof numbers / sizeof *numbers;
    const char *path = NULL, *from = NULL;

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
        if (strcmp(option, "--random") == 0) {
            if (strcmp(value, "all") != 0 && strcmp(value, "drafts") != 0)
                refuse("--random: must be all or drafts, not '%s'", value);
            training->is_calm = strcmp(value, "drafts") == 0;
            continue;
        }
        if (strcmp(option, "--from") == 0) {
            if (!*value)
                refuse("--from: no file given");
            from = value;
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
    training->depth = (int)depth;
    training->learner->least_rate = (float)least_rate / 1000;
    memcpy(training->seed, &seed, sizeof seed);
    if (from)
        read_start(from, training);
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
static void write_bytes(const void *bytes, size_t size, const char *path)
{
    char temporary[4096];
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

static void write_file(const struct weights_set *set, const struct tables_header *header,
                       const char *path)
{
    static uint8_t bytes[TABLES_BYTES_MAX];

    write_bytes(bytes, tables_pack(set, header, bytes, sizeof bytes), path);
}

/* Reads a number of --net; without text, returns `otherwise`. */
static uint64_t read_number(const char *name, const char *text, uint64_t least, uint64_t most,
                            uint64_t otherwise)
{
    uint64_t number;
    char *end;

    if (!text)
        return otherwise;
    errno = 0;
    number = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || text[0] == '-' || number < least ||
        number > most)
        refuse("--net: %s must be a number from %llu to %llu, not '%s'", name,
               (unsigned long long)least, (unsigned long long)most, text);
    return number;
}

static void report_fit(uint32_t played, int round, double before, double after)
{
    if (round > 0)
        printf("round %d: mean squared error %.2f, without network %.2f\n", round, after, before);
    else if (played % GAMES_A_REPORT_MIN == 0)
        printf("%u games\n", played);
    fflush(stdout);
}

/* arguments: FILE WEIGHTS, and numbers; NULL ends them. */
static void write_net(char **arguments)
{
    static struct net nets[GAME_ROUNDS];
    static struct weights_set set;
    struct fit fit = {.set = &set, .report_fn = report_fit};
    const char *numbers[3] = {NULL};
    struct tables_header header;
    int count = 0;

    while (arguments[count])
        count++;
    for (int i = 2; i < count && i < 5; i++)
        numbers[i - 2] = arguments[i];
    if (count < 2 || count > 5)
        refuse("--net: give a FILE to write, a file of WEIGHTS and at most three numbers");
    fit.game_count = (uint32_t)read_number("GAMES", numbers[0], 2, 1000000, 60000);
    fit.epoch_count = (int)read_number("EPOCHS", numbers[1], 1, 1000, 5);
    fit.seed = read_number("SEED", numbers[2], 0, UINT64_MAX, 1);
    read_file(arguments[1], &header, &set);
    if (header.player_count != 2 || header.side != BOARD_COLORED)
        refuse("%s: --net needs weights for two players on the colored side", arguments[1]);
    if (!fit_make(&fit, nets))
        refuse("--net: not enough memory for %u games", fit.game_count);
    write_bytes(nets, sizeof nets, arguments[0]);
}

/* Writes the mean of the weights in the files `parts`, and the sum of their games. */
static void write_mean(const char *path, char **parts)
{
    static struct weights_set set, part;
    static int64_t sums[sizeof set / sizeof(int32_t)];
    struct tables_header mean = {0}, header;
    int count = 0;

    for (; parts[count]; count++) {
        read_file(parts[count], &header, &part);
        if (count > 0 && (header.player_count != mean.player_count || header.side != mean.side))
            refuse("%s: weights for another number of players or side of the board than %s",
                   parts[count], parts[0]);
        mean.player_count = header.player_count;
        mean.side = header.side;
        mean.game_count += header.game_count;
        for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
            sums[i] += ((const int32_t *)&part)[i];
    }
    if (count == 0)
        refuse("--mean: give a FILE to write and at least one PART to read");
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        ((int32_t *)&set)[i] = (int32_t)(sums[i] / count);
    write_file(&set, &mean, path);
}

int main(int argc, char **argv)
{
    static struct learner learner;
    static struct search search;
    struct training training = {
        .game_count = GAMES_DEFAULT, .learner = &learner, .search = &search};
    const char *path;
    uint32_t step;

    if (argc > 1 && strcmp(argv[1], "--mean") == 0) {
        write_mean(argc > 2 ? argv[2] : "", argv + (argc > 2 ? 3 : 2));
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "--net") == 0) {
        write_net(argv + 2);
        return 0;
    }
    path = read_options(argc, argv, &training);
    step = training.game_count / REPORTS;
    step = step < GAMES_A_REPORT_MIN ? GAMES_A_REPORT_MIN : step;
    while (training.played < training.game_count) {
        training_play(&training);
        if (training.played % step == 0 || training.played == training.game_count)
            report(&training);
    }
    write_file(&learner.set,
               &(struct tables_header){.player_count = training.player_count,
                                       .side = training.side,
                                       .game_count = training.played},
               path);
    return 0;
}
