/* SPDX-License-Identifier: MIT */
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_charges_add(struct bench_charges *charges, int64_t charged_us, int64_t delay_us,
                       const char *note, size_t note_bytes)
{
    char text[32];

    if (charges->count == charges->room) {
        charges->room = charges->room ? 2 * charges->room : 4096;
        charges->beyond_us =
            realloc(charges->beyond_us, charges->room * sizeof *charges->beyond_us);
        charges->delay_us = realloc(charges->delay_us, charges->room * sizeof *charges->delay_us);
        if (!charges->beyond_us || !charges->delay_us)
            bench_refuse("out of memory");
    }
    snprintf(text, sizeof text, "%.*s", (int)note_bytes, note);
    charges->beyond_us[charges->count] = (double)(charged_us - atoll(text));
    charges->delay_us[charges->count++] = (double)delay_us;
}

void bench_charges_clear(struct bench_charges *charges)
{
    free(charges->beyond_us);
    free(charges->delay_us);
    memset(charges, 0, sizeof *charges);
}

static void print(const char *bench, const char *what, double *us, size_t count, double baseline)
{
    char name[64];

    snprintf(name, sizeof name, "%s.%s_p999", bench, what);
    bench_figure(name, bench_quantile(us, count, 999), "us", baseline);
    snprintf(name, sizeof name, "%s.%s_max", bench, what);
    bench_figure(name, bench_quantile(us, count, 1000), "us", 0);
}

void bench_charges_figures(struct bench_charges *charges, const char *bench, double ideal_us)
{
    char name[64];

    snprintf(name, sizeof name, "%s.decisions", bench);
    bench_figure(name, (double)charges->count, "decisions", 0);
    print(bench, "beyond", charges->beyond_us, charges->count, ideal_us);
    print(bench, "delay", charges->delay_us, charges->count, 0);
    bench_charges_clear(charges);
}
