#include "arena/commands/report.h"

#include <stdio.h>

#include "arena/replay/plain_text.h"

static const char *const result_names[REPORT_RESULTS] = {"PASS", "DEGRADED", "FAIL", "NOTE"};

void report_init(struct report *report, bool as_json)
{
    *report = (struct report){.checks = as_json ? json_array() : NULL};
}

void report_finish(struct report *report)
{
    json_decref(report->checks);
    report->checks = NULL;
}

void report_add(struct report *report, enum report_result result, const char *layer,
                const char *tried, const char *came_back, const char *mend)
{
    report->counts[result]++;
    if (result == REPORT_PASS)
        mend = "";
    if (report->checks)
        json_array_append_new(report->checks,
                              json_pack("{s:s, s:s, s:s, s:s, s:s}", "result", result_names[result],
                                        "layer", layer, "tried", tried, "came_back", came_back,
                                        "mend", mend));
    else
        plain_text_printf(stdout, "%-8s  %-14s  %s: %s%s%s\n", result_names[result], layer, tried,
                          came_back, *mend ? "; fix: " : "", mend);
}

static const char *tier_name(enum sandbox_tier tier)
{
    switch (tier) {
    case SANDBOX_TIER_NONE:
        return "none";
    case SANDBOX_TIER_LITE:
        return "lite";
    case SANDBOX_TIER_FULL:
        return "full";
    case SANDBOX_TIER_FULL_CG:
        return "full, with control groups";
    }
    return "";
}

void report_print_end(const struct report *report, enum sandbox_tier tier)
{
    if (report->checks) {
        json_t *whole = json_pack("{s:s, s:O}", "tier", tier_name(tier), "checks", report->checks);

        json_dumpf(whole, stdout, JSON_INDENT(1));
        putchar('\n');
        json_decref(whole);
    } else {
        plain_text_printf(stdout, "\ntier: %s; %d passed, %d degraded, %d failed\n",
                          tier_name(tier), report->counts[REPORT_PASS],
                          report->counts[REPORT_DEGRADED], report->counts[REPORT_FAIL]);
    }
}
