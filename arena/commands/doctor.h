/* The report of `arena doctor`: a line per test, as text or as JSON. */
#ifndef ARENA_COMMANDS_DOCTOR_H
#define ARENA_COMMANDS_DOCTOR_H

#include <jansson.h>
#include <stdint.h>

enum report_result {
    REPORT_PASS = 0,
    REPORT_DEGRADED = 1, /* bots run, but without the protection of this layer */
    REPORT_FAIL = 2,     /* a layer that should work does not */
    REPORT_NOTE = 3,     /* the line is about the machine, not the sandbox */
    REPORT_RESULTS,
};

struct doctor_report {
    json_t *checks; /* JSON array of the lines; NULL: each line is printed as text at once */
    int counts[REPORT_RESULTS];
};

/*
 * Adds a line about a test of a layer: what was tried, the outcome, and how to fix a failure (not
 * shown if the test passed).
 */
void doctor_report_add(struct doctor_report *report, enum report_result result, const char *layer,
                       const char *tried, const char *came_back, const char *mend);

/*
 * Adds a line for each setting of the service unit, the container or the system that keeps the
 * arena from confining bots, named as in the place where it is set. held: the layers (enum
 * sandbox_layer bits) that protect bots nevertheless.
 */
void doctor_machine_check(struct doctor_report *report, uint32_t held);

/* Adds a note for each setting of the machine that makes games less fair or less safe. */
void doctor_machine_note(struct doctor_report *report);

#endif
