/* The processor's model as the kernel tells it, on machines of several kinds. */
#include "arena/play/table.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/utsname.h>

#include "tests/play_faults/fault.h"

static const struct {
    const char *rule, *told, *model; /* model NULL: the architecture */
} rows[] = {
    {"an Intel", "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Some(R) Xeon\ncache\t: 5\n",
     "Some(R) Xeon"},
    {"a Raspberry", "processor\t: 0\nModel\t\t: Pi 4\n", "Pi 4"},
    {"the first counts", "model name\t: one\nmodel name\t: two\n", "one"},
    {"bounds of ASCII", "model name\t: a \x1f~\x7f\xc3\n", "a  ~  "},
    {"cut to its room", "model name\t: 0123456789012345678901234567890123456789\n",
     "0123456789012345678901234567890"},
    {"just fits", "model name\t: 0123456789012345678901234567890\n",
     "0123456789012345678901234567890"},
    {"nothing told", "model name\t:\n", NULL},
    {"no model", "processor\t: 0\n", NULL},
    {"empty", "", NULL},
};

Test(processor, is_told_in_ascii)
{
    struct utsname system;
    char model[32];

    cr_assert_eq(uname(&system), 0);
    fault = (struct fault){0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fault.cpuinfo = rows[i].told;
        memset(model, 'x', sizeof model);
        processor_model(model, sizeof model);
        cr_expect_str_eq(model, rows[i].model ? rows[i].model : system.machine, "%s: '%s'",
                         rows[i].rule, model);
    }
    fault = (struct fault){.counts = true, .error = 2};
    processor_model(model, sizeof model);
    fault.counts = false;
    cr_expect_str_eq(model, system.machine);
}
