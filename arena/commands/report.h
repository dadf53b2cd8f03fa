/* The report of `arena doctor`: a line per test, as text or as JSON. */
#ifndef ARENA_COMMANDS_REPORT_H
#define ARENA_COMMANDS_REPORT_H

#include <jansson.h>
#include <stdbool.h>

#include "sandbox/sandbox.h"

enum report_result {
    REPORT_PASS = 0,
    REPORT_DEGRADED = 1, /* bots run, but without this layer */
    REPORT_FAIL = 2,     /* something that should work does not */
    REPORT_NOTE = 3,     /* about the machine, not the sandbox */
    REPORT_RESULTS,
};

struct report {
    json_t *checks; /* NULL: lines are printed at once */
    int counts[REPORT_RESULTS];
};

void report_init(struct report *report, bool as_json);

/* Accepts a zeroed report. */
void report_finish(struct report *report);

/* Adds a test of a layer: what was tried, the outcome, and how to fix it (omitted if it passed). */
void report_add(struct report *report, enum report_result result, const char *layer,
                const char *tried, const char *came_back, const char *mend);

/* Prints the tier and the counts; as JSON, the whole report. */
void report_print_end(const struct report *report, enum sandbox_tier tier);

#endif
