/* What is said of a bot whose deadline has passed. */
#include <criterion/criterion.h>
#include <string.h>

#include "arena/play/fault.h"

static const struct {
    const char *rule;
    int64_t wall_us, cpu_us;
    size_t reply_bytes;
    const char *words;
} rows[] = {
    {"it waited", 11000000, 3100, 0,
     "no answer by the deadline: it waited and hardly computed: was the answer flushed?"},
    {"just too little to be at work", 1000000, 49999, 0,
     "no answer by the deadline: it waited and hardly computed: was the answer flushed?"},
    {"it computed on a crowded machine", 1000000, 500000, 0,
     "no answer by the deadline: it computed for 50 % of the time: too slow, or a loop without "
     "end"},
    {"it computed all of its time", 11000000, 11000000, 0,
     "no answer by the deadline: it computed for 100 % of the time: too slow, or a loop without "
     "end"},
    {"half an answer came", 11000000, 3100, 7,
     "no complete answer by the deadline: 7 bytes of one came"},
    {"its processor time is not known", 11000000, -1, 0, "no answer by the deadline"},
    {"no time passed", 0, 0, 0, "no answer by the deadline"},
};

Test(fault, a_deadline_is_told_by_what_was_computed)
{
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        const struct bot_fault fault = {.wall_us = rows[row].wall_us, .cpu_us = rows[row].cpu_us};
        char words[192];

        fault_tell_late(&fault, rows[row].reply_bytes, words, sizeof words);
        cr_expect_str_eq(words, rows[row].words, "%s: %s", rows[row].rule, words);
    }
}
