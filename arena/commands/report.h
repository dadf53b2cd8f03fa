/*
 * What `arena doctor` reports: a line for each thing that was tried, as text or as JSON.
 */
#ifndef ARENA_COMMANDS_REPORT_H
#define ARENA_COMMANDS_REPORT_H

#include <jansson.h>
#include <stdbool.h>

#include "sandbox/sandbox.h"

enum report_result {
    REPORT_PASS = 0,
    REPORT_DEGRADED = 1, /* bots run, with a layer less */
    REPORT_FAIL = 2,     /* something does not hold that should */
    REPORT_NOTE = 3,     /* of the machine, not of the sandbox */
    REPORT_RESULTS,
};

struct report {
    json_t *checks; /* NULL: lines are printed as they come */
    int counts[REPORT_RESULTS];
};

void report_init(struct report *report, bool as_json);

/* Takes a zeroed one. */
void report_finish(struct report *report);

/* What was tried of a layer, what came back, and how to mend it (left out where it passed). */
void report_add(struct report *report, enum report_result result, const char *layer,
                const char *tried, const char *came_back, const char *mend);

/* The tier and the counts; as JSON, all of it. */
void report_print_end(const struct report *report, enum sandbox_tier tier);

#endif
