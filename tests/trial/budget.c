/* The clock of a check's next game: shortened only if time would run out. */
#include "arena/trial/budget.h"

#include <criterion/criterion.h>

static const struct wire_clock asked = {.turn_ms = 1000, .bank_ms = 10000, .start_ms = 5000};

/* One row per case: 120 s in total, games of 40 decisions. */
static const struct {
    const char *rule;
    struct budget budget;
    bool shortened;
    int64_t turn_ms;
} rows[] = {
    {"nothing known yet", {120000000, 0, 0, 0, 9}, false, 1000},
    {"a quick bot", {120000000, 400000, 40, 1, 8}, false, 1000},
    {"just what there is time for", {120000000, 13000000, 40, 1, 8}, false, 1000},
    {"0.9 s a decision", {120000000, 36000000, 40, 1, 8}, true, 261},
    {"later on", {120000000, 110000000, 320, 8, 1}, true, 243},
    {"nothing left", {120000000, 130000000, 320, 8, 1}, true, BUDGET_TURN_MS_MIN},
    {"no bound", {0, 130000000, 320, 8, 1}, false, 1000},
};

Test(budget, shortens_the_clock)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool shortened;
        struct wire_clock clock = budget_clock(&rows[i].budget, &asked, &shortened);

        cr_expect_eq(shortened, rows[i].shortened, "%s", rows[i].rule);
        cr_expect_eq(clock.turn_ms, rows[i].turn_ms, "%s: %lld", rows[i].rule,
                     (long long)clock.turn_ms);
        cr_expect_eq(clock.bank_ms, rows[i].shortened ? 0 : asked.bank_ms, "%s", rows[i].rule);
        cr_expect_eq(clock.start_ms, asked.start_ms, "%s", rows[i].rule);
    }
}
