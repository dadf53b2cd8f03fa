/* SPDX-License-Identifier: MIT */
#include "tests/bench/bench.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What README.md compares with other programs. */
static int bench_peers(char **argv, bool few)
{
    char *none[] = {NULL}, *two_players[] = {"--players", "2", NULL};

    bench_read_options(argv, (const struct bench_option[]){{NULL}});
    return bench_runners(none, few) | bench_spawn(none, few) | bench_rating(two_players, few);
}

static const struct {
    const char *name;
    bench_fn *run_fn;
    const char *usage;
    bool only_alone; /* it prints no figures, or needs arguments */
} benches[] = {
    {"playouts", bench_playouts, "[--games N [--players P] [--gray] [--direct]]"},
    {"env", bench_env, "[SECONDS]", true},
    {"rating", bench_rating, "[--players P] [--rounds N]"},
    {"spawn", bench_spawn, "[--rounds N]"},
    {"season", bench_season, "[--games N | HOME]"},
    {"store", bench_store, "[--games N] [--url URL]"},
    {"strength", bench_strength,
     "PLAYER PLAYER [--groups N] [--seed N] [--players P] [--gray] [--round R]", true},
    {"crowd", bench_crowd, "[--bots N] [--games N] HOME", true},
    {"publish", bench_publish, "[--games N]"},
    {"serve", bench_serve, "[--games N] [--crowd GAMES] [--jobs N] [--realtime] [--slow-disk]"},
    {"turn", bench_turn, ""},
    {"match", bench_match, ""},
    {"runners", bench_runners, ""},
    {"peers", bench_peers, "", true},
};

enum {
    BENCH_COUNT = sizeof benches / sizeof *benches
};

void bench_figure(const char *name, double value, const char *unit, double baseline)
{
    printf("{\"name\":\"%s\",\"value\":%.6g,\"unit\":\"%s\",", name, value, unit);
    if (baseline > 0)
        printf("\"baseline\":%.6g,\"ratio\":%.4g}\n", baseline, value / baseline);
    else
        printf("\"baseline\":null,\"ratio\":null}\n");
    fflush(stdout);
}

int64_t bench_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double bench_quantile(double *values, size_t count, size_t permille)
{
    qsort(values, count, sizeof *values, compare);
    return count ? values[(count - 1) * permille / 1000] : 0;
}

void bench_refuse(const char *format, ...)
{
    va_list arguments;

    fputs("bench: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(2);
}

static long read_number(const struct bench_option *option, const char *text)
{
    char *end;
    long number;

    errno = 0;
    number = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || number < option->least ||
        number > option->most)
        bench_refuse("%s is a number from %ld to %ld, not '%s'", option->name, option->least,
                     option->most, text);
    return number;
}

static const struct bench_option *find_option(const struct bench_option *options, const char *word)
{
    for (; options->name; options++)
        if (*options->name ? strcmp(options->name, word) == 0 : *word != '-' && !*options->text)
            return options;
    bench_refuse("'%s' is not understood: `bench NAME --help` lists its options", word);
}

void bench_read_options(char **argv, const struct bench_option *options)
{
    for (; *argv; argv++) {
        const struct bench_option *option = find_option(options, *argv);
        const bool is_flag = option->number && option->most == 0;

        if (*option->name && !is_flag && !*++argv)
            bench_refuse("%s needs a value", option->name);
        if (option->text)
            *option->text = *argv;
        else
            *option->number = is_flag ? 1 : read_number(option, *argv);
    }
}

static void print_usage(FILE *stream)
{
    fputs("usage: bench                    every figure, one JSON object per line\n"
          "       bench NAME [OPTION ...]  one bench alone\n\n",
          stream);
    for (int i = 0; i < BENCH_COUNT; i++)
        fprintf(stream, "  bench %s %s\n", benches[i].name, benches[i].usage);
}

static int print_figures(void)
{
    char *none[] = {NULL};
    int status = 0;

    for (int i = 0; i < BENCH_COUNT; i++)
        if (!benches[i].only_alone && benches[i].run_fn(none, true) != 0)
            status = 1;
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return print_figures();
    if (strcmp(argv[1], "--help") == 0) {
        print_usage(stdout);
        return 0;
    }
    for (int i = 0; i < BENCH_COUNT; i++) {
        if (strcmp(argv[1], benches[i].name) != 0)
            continue;
        if (!argv[2] || strcmp(argv[2], "--help") != 0)
            return benches[i].run_fn(argv + 2, false);
        printf("usage: bench %s %s\n", benches[i].name, benches[i].usage);
        return 0;
    }
    bench_refuse("there is no bench '%s': `bench --help` lists them", argv[1]);
}
