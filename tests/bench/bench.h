/* SPDX-License-Identifier: MIT */
/*
 * Benchmarks. `bench` prints all figures, one JSON object per line; `bench NAME [OPTION ...]` runs
 * a single bench, for a profiler. Each bench is in its own file and is listed in main.c.
 */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Prints one figure: {"name", "value", "unit", "baseline", "ratio"}. The baseline is the same work
 * done in a plain way, in the same run and unit; if it is 0, there is nothing to compare with, and
 * baseline and ratio are null.
 */
void bench_figure(const char *name, double value, const char *unit, double baseline);

/* Returns CLOCK_MONOTONIC in microseconds. */
int64_t bench_now_us(void);

/* Sorts; returns the value that so many of a thousand do not exceed, 0 without any value. */
double bench_quantile(double *values, size_t count, size_t permille);

/* Prints "bench: ..." on standard error and exits with status 2. */
void bench_refuse(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* An option of a bench. The last one of a list has no name. */
struct bench_option {
    const char *name; /* "": a word that is no option */
    long *number;     /* a number from least to most; if most is 0 a flag, which becomes 1 */
    long least, most;
    const char **text; /* in place of a number */
};

/* Reads the words after a bench's name; ends the program at one that is not understood. */
void bench_read_options(char **argv, const struct bench_option *options);

/*
 * What bots were charged beyond the time that they measured themselves and wrote in their notes
 * (bench_zero does), and the arena's own delay. Zeroed: empty.
 */
struct bench_charges {
    double *beyond_us, *delay_us; /* by decision */
    size_t count, room;
};

void bench_charges_add(struct bench_charges *charges, int64_t charged_us, int64_t delay_us,
                       const char *note, size_t note_bytes);

void bench_charges_clear(struct bench_charges *charges);

/*
 * Prints the 99.9th percentile and the maximum of both, as BENCH.beyond_p999 and so on; then
 * empties it. ideal_us: of bench_ideal_end, the baseline of BENCH.beyond_p999, or 0.
 */
void bench_charges_figures(struct bench_charges *charges, const char *bench, double ideal_us);

/*
 * From now on a process beside this one measures what a program that does nothing but wait for
 * answers would charge players that sleep 5 ms beyond the time that they measure. realtime: it has
 * the priority that arena has in a bench with --realtime.
 */
void bench_ideal_begin(bool realtime);

/* Ends it. Returns the 99.9th percentile in microseconds. */
double bench_ideal_end(void);

/*
 * Runs a bench with the words that follow its name; few: smaller than alone, since all benches run.
 * Returns the exit status.
 */
typedef int bench_fn(char **argv, bool few);

bench_fn bench_playouts, bench_env, bench_rating, bench_spawn, bench_season, bench_store,
    bench_strength, bench_crowd, bench_publish, bench_serve, bench_turn, bench_match, bench_runners;

#endif
