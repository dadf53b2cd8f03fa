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
    GAMES_A_MINUTE = 30000, /* two-player games per minute on one core, to convert --minutes */
    REPORTS = 100,          /* maximum of progress lines */
    GAMES_A_REPORT_MIN = 1000,
};

static const char usage[] =
    "usage: train [OPTION ...] FILE\n"
    "\n"
    "Plays a bot against itself and writes what it learned to FILE: the weights of steady and\n"
    "maestro for one number of players and one side of the board. The same options make the same\n"
    "bytes, on every machine.\n"
    "\n"
    "  --players P            2, 3 or 4 (2)\n"
    "  --board colored|gray   the side of the player boards (colored)\n"
    "  --games N              how many games to play (300000)\n"
    "  --minutes N            play N x 30000 games: about N minutes of one core with two players\n"
    "  --one-ply PERCENT      the first PERCENT of the games look one draft ahead, the later ones\n"
    "                         two, and plan their placements (55)\n"
    "  --least-rate PERMILLE  a correction moves a weight by at least this part of the error (0)\n"
    "  --seed N               a number from which all games follow (1)\n"
    "  --quiet                no progress on standard output\n"
    "  --pictures DIR         plays nothing: draws charts of what FILE holds into DIR\n";

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

static uint64_t number_of(const char *option, const char *text, uint64_t least, uint64_t most)
{
    unsigned long long number;
    char *end;

    if (!text)
        refuse("%s needs a value; `train --help` lists the options", option);
    errno = 0;
    number = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || text[0] == '-' || number < least ||
        number > most)
        refuse("%s is a number from %llu to %llu, not '%s'", option, (unsigned long long)least,
               (unsigned long long)most, text);
    return number;
}

/* The options of the command that do not belong to struct training. */
struct order {
    bool is_quiet;
    const char *path;
    const char *pictures; /* folder for charts, or NULL */
};

static void read_options(int argc, char **argv, struct training *training, struct order *order)
{
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        uint64_t seed;

        if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) {
            fputs(usage, stdout);
            exit(0);
        } else if (strcmp(option, "--quiet") == 0) {
            order->is_quiet = true;
            continue;
        } else if (option[0] != '-') {
            if (order->path)
                refuse("one FILE only, not '%s' and '%s'", order->path, option);
            order->path = option;
            continue;
        } else if (strcmp(option, "--players") == 0) {
            training->player_count =
                (int)number_of(option, value, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX);
        } else if (strcmp(option, "--games") == 0) {
            training->game_count = (uint32_t)number_of(option, value, 1, 1000000000);
        } else if (strcmp(option, "--minutes") == 0) {
            training->game_count = GAMES_A_MINUTE * (uint32_t)number_of(option, value, 1, 10000);
        } else if (strcmp(option, "--one-ply") == 0) {
            training->one_ply_percent = (int)number_of(option, value, 0, 100);
        } else if (strcmp(option, "--least-rate") == 0) {
            training->learner->least_rate = (float)number_of(option, value, 0, 1000) / 1000;
        } else if (strcmp(option, "--pictures") == 0) {
            if (!value)
                refuse("--pictures needs a value; `train --help` lists the options");
            order->pictures = value;
        } else if (strcmp(option, "--seed") == 0) {
            seed = number_of(option, value, 0, UINT64_MAX);
            memcpy(training->seed, &seed, sizeof seed);
        } else if (strcmp(option, "--board") == 0 && value && strcmp(value, "gray") == 0) {
            training->side = BOARD_GRAY;
        } else if (strcmp(option, "--board") == 0 && value && strcmp(value, "colored") == 0) {
            training->side = BOARD_COLORED;
        } else if (strcmp(option, "--board") == 0) {
            refuse("--board is colored or gray, not '%s'", value ? value : "");
        } else {
            refuse("unknown option '%s'; `train --help` lists the options", option);
        }
        i++;
    }
    if (!order->path)
        refuse("a FILE to write is needed; `train --help` tells how it is used");
}

/* Prints the progress since the last report. */
static void report(struct training *training)
{
    struct learner *learner = training->learner;

    printf("%u of %u games: %.1f points a learner's seat, error %.2f\n", training->played,
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

static int draw_pictures(struct weights_set *set, const struct order *order)
{
    static uint8_t bytes[TABLES_BYTES_MAX];
    struct tables_header header;
    FILE *file = fopen(order->path, "rb");
    const char *fault = file ? NULL : strerror(errno);
    int status;

    if (file) {
        fault = tables_unpack(bytes, fread(bytes, 1, sizeof bytes, file), &header, set);
        fclose(file);
    }
    if (fault)
        refuse("%s: %s", order->path, fault);
    status = picture_write_weights(set, order->pictures);
    if (status != 0)
        fprintf(stderr, "train: %s: %s\n", order->pictures, strerror(-status));
    return status == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    static struct learner learner;
    static struct search search;
    struct training training = {.player_count = 2,
                                .one_ply_percent = 55,
                                .game_count = 10 * GAMES_A_MINUTE,
                                .seed = {1},
                                .learner = &learner,
                                .search = &search};
    struct order order = {0};
    uint32_t step;

    read_options(argc, argv, &training, &order);
    if (order.pictures)
        return draw_pictures(&learner.set, &order);
    step = training.game_count / REPORTS;
    step = step < GAMES_A_REPORT_MIN ? GAMES_A_REPORT_MIN : step;
    while (training.played < training.game_count) {
        training_play(&training);
        if (!order.is_quiet &&
            (training.played % step == 0 || training.played == training.game_count))
            report(&training);
    }
    write_file(&training, order.path);
    return 0;
}
