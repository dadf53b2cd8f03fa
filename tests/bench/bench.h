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

/*
 * Parses the number after an option, from least to most; if it is invalid, ends the program with a
 * line that names the option.
 */
long bench_number(const char *option, const char *text, long least, long most);

/* Prints "bench: ..." on standard error and exits with status 2. */
void bench_refuse(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/*
 * What bots were charged beyond the time that they measured themselves and wrote in their notes
 * (bench_zero does), and the arena's own delay. Zeroed: empty.
 */
struct bench_charges {
    int64_t *beyond_us, *delay_us; /* by decision */
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

/* Sorts and returns the 99.9th percentile; 0 without any. */
double bench_p999(int64_t *us, size_t count);

/*
 * From now on a process beside this one measures what a program that does nothing but wait for
 * answers would charge players that sleep 5 ms beyond the time that they measure. realtime: it has
 * the priority that arena has in a bench with --realtime.
 */
void bench_ideal_begin(bool realtime);

/* Ends it. Returns the 99.9th percentile in microseconds. */
double bench_ideal_end(void);

/*
 * Makes programs started from now on write to a file how long they held their event loop
 * (tests/bench/holds). More libraries may be preloaded, together with BENCH_HOLDS.
 */
void bench_held_begin(const char *path);

/*
 * Ends this, after such a program has ended. Prints the file as figures: the number of holds above
 * 1 ms and the longest, of all (BENCH.held_longest), of the program itself
 * (BENCH.held_own_longest), and of each kind. Prints each hold above 1 ms on standard error.
 */
void bench_held_figures(const char *path, const char *bench);

/* Runs a bench with its own options: argv[0] is its name. Returns the exit status. */
typedef int bench_run_fn(int argc, char **argv);

/* Runs a bench with its default options and prints its figures. Returns 0, or 1 if it failed. */
typedef int bench_figures_fn(void);

bench_run_fn bench_playouts_run;

/* Replaces the process by env.py. */
bench_run_fn bench_env_run;
bench_figures_fn bench_playouts_figures;
bench_figures_fn bench_turn_figures;
bench_figures_fn bench_match_figures;

bench_run_fn bench_stall_run;
bench_figures_fn bench_stall_figures;

bench_run_fn bench_rating_run;
bench_figures_fn bench_rating_figures;

bench_run_fn bench_season_run;
bench_figures_fn bench_season_figures;

bench_run_fn bench_crowd_run;

bench_run_fn bench_serve_run;
bench_figures_fn bench_serve_figures;

bench_run_fn bench_publish_run;
bench_figures_fn bench_publish_figures;

bench_run_fn bench_store_run;
bench_figures_fn bench_store_figures;

bench_run_fn bench_spawn_run;
bench_run_fn bench_strength_run;
bench_figures_fn bench_spawn_figures;

#endif
