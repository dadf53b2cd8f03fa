/*
 * What this project costs, measured. `bench` prints every figure, one JSON object a
 * line; `bench NAME [OPTION ...]` runs one bench alone, for a profiler. Each bench lives
 * in a file of its own and is entered in the table of main.c.
 */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

#include <stddef.h>
#include <stdint.h>

/*
 * Prints one figure: {"name", "value", "unit", "baseline", "ratio"}. The baseline is the
 * same work done the plain way, in the same run and unit; 0 if there is nothing to
 * compare with, and baseline and ratio are then null.
 */
void bench_figure(const char *name, double value, const char *unit, double baseline);

/* Microseconds of the monotonic clock. */
int64_t bench_now_us(void);

/* The number after an option, or the program ends with a line that names the option. */
long bench_number(const char *option, const char *text, long least, long most);

/* Prints "bench: ..." on standard error and ends the program with exit status 2. */
void bench_refuse(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/*
 * What bots were charged beyond the time that they measured themselves and told in their notes
 * (bench_zero does), and the arena's own delay. A zeroed one is empty.
 */
struct bench_charges {
    int64_t *beyond_us, *delay_us; /* by decision */
    size_t count, room;
};

void bench_charges_add(struct bench_charges *charges, int64_t charged_us, int64_t delay_us,
                       const char *note, size_t note_bytes);

void bench_charges_clear(struct bench_charges *charges);

/* Prints the 99.9th percentile and the most of both, as BENCH.beyond_p999 and so on; empties it. */
void bench_charges_figures(struct bench_charges *charges, const char *bench);

/*
 * From here on programs that are started write how long they held their event loop to a file
 * (tests/bench/holds). More may be preloaded; BENCH_HOLDS stays among it.
 */
void bench_held_begin(const char *path);

/*
 * The end of that, once such a program has ended. Prints the file as figures: holds above 1 ms and
 * the longest, in all (BENCH.held_longest), by the program itself (BENCH.held_own_longest), and by
 * each kind; and on standard error each hold above 1 ms.
 */
void bench_held_figures(const char *path, const char *bench);

/* Runs one bench with options of its own: argv[0] is its name. Returns the exit status. */
typedef int bench_run_fn(int argc, char **argv);

/* Measures a bench with its usual options and prints its figures. Returns 0, or 1 if it failed. */
typedef int bench_figures_fn(void);

bench_run_fn bench_playouts_run;
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
bench_run_fn bench_channels_run;
bench_run_fn bench_strength_run;
bench_figures_fn bench_spawn_figures;

#endif
