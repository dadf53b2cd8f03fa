/* How the end of a probed program is described. */
#include "arena/commands/probe.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>

static const struct {
    struct probe probe;
    const char *words;
} rows[] = {
    {{.verdict = {.end = SANDBOX_END_EXITED, .status = 3}}, "exit 3"},
    {{.verdict = {.end = SANDBOX_END_SIGNALED, .signal = SIGSEGV}}, "SIGSEGV"},
    {{.verdict = {.end = SANDBOX_END_FORBIDDEN, .call = "ptrace"}},
     "killed for the forbidden call ptrace"},
    {{.verdict = {.end = SANDBOX_END_FORBIDDEN}},
     "killed for the forbidden call of another architecture"},
    {{.verdict = {.end = SANDBOX_END_MEMORY,
                  .memory_limit_bytes = 100 << 20,
                  .memory_peak_bytes = 103 << 20}},
     "killed for its memory: limit 100 MiB, peak 103 MiB"},
    {{.verdict = {.end = SANDBOX_END_CPU}}, "killed for its processor time"},
    {{.verdict = {.end = SANDBOX_END_KEEPER}}, "killed with its keeper, by somebody else"},
    {{.verdict = {.end = SANDBOX_END_KILLED}}, "killed when its time was up"},
    {{.setup = SANDBOX_SETUP_REFUSED,
      .failure = {.step = "execve", .error = ENOEXEC},
      .verdict = {.end = SANDBOX_END_EXITED}},
     "cannot be executed: Exec format error"},
};

Test(probe, ends_are_described)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[128];

        probe_describe(&rows[i].probe, text, sizeof text);
        cr_expect_str_eq(text, rows[i].words);
    }
}
