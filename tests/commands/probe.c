/* SPDX-License-Identifier: MIT */
/* Probed programs: what counts as an answer, and how their ends are described. */
#include "arena/commands/probe.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>

enum {
    LIMIT_MS = 30000,
};

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
     "killed for using too much memory: limit 100 MiB, peak 103 MiB"},
    {{.verdict = {.end = SANDBOX_END_CPU}}, "killed for using too much processor time"},
    {{.verdict = {.end = SANDBOX_END_KEEPER}},
     "killed by another program, together with the process that guards the bot"},
    {{.verdict = {.end = SANDBOX_END_STARVED}},
     "killed by the kernel within its memory limit, because the machine or the arena's control "
     "group was full"},
    {{.verdict = {.end = SANDBOX_END_KILLED}}, "killed when its time was up"},
    {{.setup = SANDBOX_SETUP_REFUSED,
      .failure = {.step = "execve", .error = ENOEXEC},
      .verdict = {.end = SANDBOX_END_EXITED}},
     "cannot be executed: Exec format error"},
};

Test(probe, ends_are_described)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[160];

        probe_describe(&rows[i].probe, text, sizeof text);
        cr_expect_str_eq(text, rows[i].words);
    }
}

/* It writes again once its input is closed, which is after its last answer. */
Test(probe, output_beyond_the_answers_is_none)
{
    static const char *const argv[] = {"sh", "-c", "read line; echo one; read line; echo two",
                                       NULL};
    const struct sandbox_options options = {.require = SANDBOX_TIER_LITE};
    const struct sandbox_command command = {
        .folder = "/usr", .argv = argv, .executable_fd = -1, .cpu = -1};
    const struct probe_message message = {.bytes = "go\n", .size = 3};
    struct sandbox_failure failure = {0};
    struct sandbox *sandbox;
    struct probe probe;

    cr_assert_eq(sandbox_create(&sandbox, &options, &failure), 0, "%s", failure.step);
    cr_assert_eq(probe_run(sandbox, &command, &message, 1, LIMIT_MS, &probe), 0, "%s",
                 probe.failure.step);
    cr_expect_eq(probe.answered_count, 1, "%d answers", probe.answered_count);
    cr_expect_eq(probe.verdict.end, SANDBOX_END_EXITED);
    sandbox_destroy(sandbox);
}
