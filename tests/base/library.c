/* SPDX-License-Identifier: MIT */
/* Libraries that are not there, or not whole: the program goes on without. */
#include "arena/base/library.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char names[] = "memcpy\0";

static void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "w");

    cr_assert(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

Test(library, goes_without_one_that_is_absent_or_damaged)
{
    static const char text[4096] = "no library";
    char folder[] = "/tmp/arena-library-XXXXXX", path[sizeof folder + 16];
    void *pointer = NULL;

    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/none.so", folder);
    cr_expect_not(library_load(path, names, &pointer), "absent");
    write_file(path, text, 10);
    cr_expect_not(library_load(path, names, &pointer), "too short");
    write_file(path, text, sizeof text);
    cr_expect_not(library_load(path, names, &pointer), "something else");
    cr_expect_null(pointer);
    unlink(path);
    rmdir(folder);
}

Test(library, has_all_functions_or_is_none)
{
    void *pointers[2] = {NULL, NULL};

    cr_expect(library_load("libc.so.6", "memcpy\0strlen\0", pointers));
    cr_expect_neq(pointers[0], NULL);
    cr_expect_neq(pointers[1], NULL);
    cr_expect_not(library_load("libc.so.6", "memcpy\0no_such_function\0", pointers));
}

/* Of a shortage the arena must not conclude that the library is absent. */
Test(library, ends_the_process_if_the_machine_cannot_load_it, .exit_code = 1)
{
    void *pointer;

    library_load("/proc/self/mem", names, &pointer);
}
