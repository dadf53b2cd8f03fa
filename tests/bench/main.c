#include "tests/bench/bench.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
    const char *name;
    bench_run_fn *run_fn;         /* NULL if it has no options */
    bench_figures_fn *figures_fn; /* NULL if it needs options */
    const char *usage;
} benches[] = {
    {"playouts", bench_playouts_run, bench_playouts_figures,
     "[--games N] [--players P] [--board colored|gray] [--direct]"},
    {"env", bench_env_run, NULL, "[SECONDS]"},
    {"rating", bench_rating_run, bench_rating_figures, "[--players P] [--rounds N]"},
    {"spawn", bench_spawn_run, bench_spawn_figures, "[--rounds N]"},
    {"season", bench_season_run, bench_season_figures, "[--games N]"},
    {"store", bench_store_run, bench_store_figures, "[--games N] [--url URL]"},
    {"strength", bench_strength_run, NULL,
     "PLAYER PLAYER [--groups N] [--seed N] [--players P] [--board colored|gray] [--round R]"},
    {"crowd", bench_crowd_run, NULL, "[--bots N] [--games N] HOME"},
    {"publish", bench_publish_run, bench_publish_figures, "[--games N]"},
    {"serve", bench_serve_run, bench_serve_figures,
     "[--games N] [--crowd GAMES] [--jobs N] [--realtime]"},
    {"turn", NULL, bench_turn_figures, ""},
    {"match", NULL, bench_match_figures, ""},
    {"stall", bench_stall_run, bench_stall_figures, "[--games N] [--holds] [--realtime]"},
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

long bench_number(const char *option, const char *text, long least, long most)
{
    char *end;
    long number;

    if (!text)
        bench_refuse("%s needs a number", option);
    errno = 0;
    number = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || number < least || number > most)
        bench_refuse("%s is a number from %ld to %ld, not '%s'", option, least, most, text);
    return number;
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
    int status = 0;

    for (int i = 0; i < BENCH_COUNT; i++)
        if (benches[i].figures_fn && benches[i].figures_fn() != 0)
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
    for (int i = 0; i < BENCH_COUNT; i++)
        if (strcmp(argv[1], benches[i].name) == 0)
            return benches[i].run_fn ? benches[i].run_fn(argc - 1, argv + 1)
                                     : benches[i].figures_fn();
    bench_refuse("there is no bench '%s': `bench --help` lists them", argv[1]);
}
