/* Replays are untrusted: they do not decide how much memory a bot gets here. */
#include <criterion/criterion.h>

#include "arena/trial/rerun.h"

static const struct {
    const char *rule;
    int64_t recorded, most, given;
} rows[] = {
    {"as then", 100, 768, 100},
    {"never more than the command allows", (int64_t)1 << 40, 768, 768},
    {"all that it allows where the record says nothing", 0, 768, 768},
    {"more where it is asked for", 4096, 8192, 4096},
};

Test(rerun, memory_is_bounded_by_the_command)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct replay replay = {.memory_bytes = rows[i].recorded};
        const struct rerun rerun = {.replay = &replay, .memory_bytes_max = rows[i].most};

        cr_expect_eq(rerun_memory_bytes(&rerun), rows[i].given, "%s", rows[i].rule);
    }
}
