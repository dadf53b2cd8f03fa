/* SPDX-License-Identifier: MIT */
/* Files of what bots wrote to standard error: their names, and what is missing in the middle. */
#include "arena/play/channel.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/base/tree.h"

enum {
    KEPT = TAIL_HEAD_BYTES + TAIL_RING_BYTES,
};

static char folder[] = "/tmp/errors-XXXXXX";

static void make_folder(void)
{
    cr_assert_not_null(mkdtemp(folder));
}

static void remove_folder(void)
{
    tree_remove(folder);
}

TestSuite(error_file, .init = make_folder, .fini = remove_folder);

static char letter_of(size_t i)
{
    return (char)('a' + i % 26);
}

/* Writes the file of a bot that wrote so many bytes, and reads it. */
static char *write_errors(size_t size, const char *name, const char *file_name, size_t *length)
{
    static struct tail errors;
    static char text[2 * KEPT];
    char path[256];
    FILE *file;

    errors.total_bytes = 0;
    for (size_t i = 0; i < size; i++)
        tail_add(&errors, &(char){letter_of(i)}, 1);
    cr_assert_eq(error_file_write(folder, "m-1", 2, name, &errors), 0);
    snprintf(path, sizeof path, "%s/%s", folder, file_name);
    file = fopen(path, "r");
    *length = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    return file ? text : NULL;
}

Test(error_file, has_all_or_tells_how_much_is_missing)
{
    static const size_t sizes[] = {1, TAIL_HEAD_BYTES, KEPT - 1, KEPT, KEPT + 1, 3 * KEPT};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t size = sizes[i], missing = size > KEPT ? size - KEPT : 0;
        char gap[64] = "";
        size_t length, gap_bytes = 0;
        const char *text = write_errors(size, "alice", "m-1-2-alice.log", &length);

        cr_assert_not_null(text);
        if (missing)
            gap_bytes =
                (size_t)snprintf(gap, sizeof gap, "\n[%zu bytes are missing here]\n", missing);
        cr_assert_eq(length, size - missing + gap_bytes, "%zu of %zu", length, size);
        cr_expect_eq(memcmp(text + (missing ? TAIL_HEAD_BYTES : length), gap, gap_bytes), 0);
        for (size_t j = 0; j < size - missing; j++) {
            bool is_first = !missing || j < TAIL_HEAD_BYTES;

            cr_assert_eq(text[is_first ? j : j + gap_bytes], letter_of(is_first ? j : j + missing),
                         "byte %zu of %zu", j, size);
        }
    }
}

Test(error_file, is_named_by_plain_names_alone)
{
    size_t length;

    cr_expect_not_null(write_errors(1, "A-z_09", "m-1-2-A-z_09.log", &length));
    cr_expect_not_null(write_errors(1, "a/b", "m-1-2.log", &length));
    cr_expect_not_null(write_errors(2, "", "m-1-2.log", &length));
    cr_expect_eq(length, 2);
    cr_expect_null(write_errors(0, "silent", "m-1-2-silent.log", &length), "it wrote nothing");
}

Test(error_file, that_cannot_be_written_is_told)
{
    static struct tail errors;

    tail_add(&errors, "x", 1);
    cr_expect_eq(error_file_write("/none", "m", 0, "a", &errors), -ENOENT);
}
