/* Metrics in Prometheus's text format. */
#ifndef ARENA_BASE_METRICS_H
#define ARENA_BASE_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct metric {
    const char
        *name; /* the metric's name without "pavilion_"; a counter's name ends with "_total" */
    const char *type; /* "gauge" or "counter" */
    const char *help;
    int64_t value;
    bool is_us; /* the value is in microseconds, and is printed in seconds */
};

static inline void metrics_print(FILE *stream, const struct metric *metrics, size_t count)
{
    for (const struct metric *at = metrics; at < metrics + count; at++) {
        long long whole = at->is_us ? at->value / 1000000 : at->value;

        fprintf(stream, "# HELP pavilion_%s %s\n# TYPE pavilion_%s %s\npavilion_%s %lld", at->name,
                at->help, at->name, at->type, at->name, whole);
        if (at->is_us)
            fprintf(stream, ".%06d", (int)(at->value % 1000000));
        fputc('\n', stream);
    }
}

#endif
