/* SPDX-License-Identifier: MIT */
/*
 * As much of Criterion's library as the tests use, for builds in which it cannot run: with
 * ThreadSanitizer, whose memory lies where Criterion maps its own; for another architecture, since
 * qemu-user starts no second program; with musl, for which there is no package. Criterion's headers
 * are used as they are. Each test is a child process, one after another.
 *
 *   test_AREA [PATTERN ...]   runs the tests whose SUITE/NAME matches, or, of a PATTERN that begins
 *                             with '-', those that do not; status 1 if one fails
 */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    STATUS_FAILED = 3, /* no test expects this status */
    STATUS_SKIPPED = 4,
    SECONDS_MAX = 900, /* of a test that names no limit */
};

/* The linker collects what Test() and TestSuite() define; an area without suites has none. */
extern struct criterion_test *const __start_cr_tst[], *const __stop_cr_tst[];
extern struct criterion_suite *const __start_cr_sts[] __attribute__((weak)), *const __stop_cr_sts[]
    __attribute__((weak));

static const struct criterion_test *test; /* the one that this process runs */
static bool has_failed;

struct criterion_options criterion_options;

int cr_asprintf(char **text, const char *format, ...)
{
    va_list list;
    int length;

    va_start(list, format);
    length = vasprintf(text, format, list);
    va_end(list);
    return length;
}

void cr_asprintf_free(char *text)
{
    free(text);
}

char *cr_translate_assert_msg(int number, ...)
{
    va_list list;
    char *text;

    (void)number;
    va_start(list, number);
    text = strdup(va_arg(list, const char *));
    va_end(list);
    return text;
}

void cri_asserts_passed_incr(void)
{
}

void criterion_send_assert(struct criterion_assert_stats *stats)
{
    if (!stats->passed)
        printf("%s:%u: %s/%s: %s\n", stats->file, stats->line, test->category, test->name,
               stats->message);
}

void cr_redirect_stderr(void)
{
    dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
}

static const struct criterion_test_extra_data *suite_options(void)
{
    static const struct criterion_test_extra_data none;

    for (struct criterion_suite *const *suite = __start_cr_sts; suite < __stop_cr_sts; suite++)
        if (strcmp((*suite)->name, test->category) == 0 && (*suite)->data)
            return (*suite)->data;
    return &none;
}

static void call(void (*first)(void), void (*second)(void))
{
    if (first)
        first();
    if (second)
        second();
}

void criterion_internal_test_setup(void)
{
    call(suite_options()->init, test->data->init);
}

void criterion_internal_test_main(void (*test_fn)(void))
{
    test_fn();
}

void criterion_internal_test_teardown(void)
{
    call(test->data->fini, suite_options()->fini);
}

void criterion_continue_test(void)
{
    has_failed = true;
}

void criterion_abort_test(void)
{
    static bool ends;

    if (!ends) {
        ends = true;
        criterion_internal_test_teardown();
    }
    fflush(NULL);
    _exit(STATUS_FAILED);
}

void criterion_skip_test(const char *format, ...)
{
    va_list list;

    printf("skipped: %s/%s: ", test->category, test->name);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    putchar('\n');
    criterion_internal_test_teardown();
    fflush(NULL);
    _exit(STATUS_SKIPPED);
}

/* Runs the test in a child. Returns whether it did not fail. */
static bool run(void)
{
    const double limit = test->data->timeout > 0 ? test->data->timeout : suite_options()->timeout;
    int status = 0;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child == 0) {
        alarm(limit > 0 ? (unsigned)limit : SECONDS_MAX);
        test->test();
        exit(has_failed ? STATUS_FAILED : 0);
    }
    while (child < 0 || waitpid(child, &status, 0) < 0)
        if (errno != EINTR) {
            perror("criterion");
            exit(2);
        }
    if (WIFEXITED(status) &&
        (WEXITSTATUS(status) == test->data->exit_code || WEXITSTATUS(status) == STATUS_SKIPPED))
        return true;
    printf("failed: %s/%s: %s %d\n", test->category, test->name,
           WIFSIGNALED(status) ? "signal" : "status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return false;
}

static bool is_chosen(char **patterns)
{
    bool chosen = !*patterns || **patterns == '-';
    char name[256];

    snprintf(name, sizeof name, "%s/%s", test->category, test->name);
    for (; *patterns; patterns++)
        if (fnmatch(*patterns + (**patterns == '-'), name, 0) == 0)
            chosen = **patterns != '-';
    return chosen;
}

int main(int argc, char *argv[])
{
    int count = 0, failures = 0;

    for (struct criterion_test *const *next = __start_cr_tst; next < __stop_cr_tst; next++) {
        if (!*next) /* the linker may leave room between those of two files */
            continue;
        test = *next;
        if (!is_chosen(argv + 1))
            continue;
        count++;
        failures += !run();
    }
    printf("%d tests, %d failures\n", count, failures);
    return failures > 0 || count == 0;
}
