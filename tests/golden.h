/* SPDX-License-Identifier: MIT */
/* Compares texts with files of tests/golden. */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Moves both to their first different line. Returns its number. */
static inline int golden_first_difference(const char **made, const char **golden)
{
    int number = 1;

    while (**made && **golden) {
        size_t size = strcspn(*made, "\n"), golden_size = strcspn(*golden, "\n");

        if (size != golden_size || memcmp(*made, *golden, size) != 0)
            break;
        *made += size + ((*made)[size] != '\0');
        *golden += size + ((*golden)[size] != '\0');
        number++;
    }
    return number;
}

/*
 * Expects that the text is tests/golden/NAME. Keeps it as NAME in the build folder, so that `cp`
 * takes it over, and shows the first line that differs.
 */
static inline void golden_expect(const char *name, const char *text)
{
    char path[4096], *golden = NULL;
    const char *at = text, *golden_at;
    size_t room = 0;
    FILE *file;
    int number;

    snprintf(path, sizeof path, "%s/%s", TEST_BINARY_DIR, name);
    cr_assert(file = fopen(path, "w"), "%s: cannot be written", path);
    fputs(text, file);
    fclose(file);
    snprintf(path, sizeof path, "%s/tests/golden/%s", TEST_SOURCE_DIR, name);
    if (!(file = fopen(path, "r")) || getdelim(&golden, &room, '\0', file) < 0)
        cr_assert_fail("%s: missing; the text made is %s/%s", path, TEST_BINARY_DIR, name);
    fclose(file);
    golden_at = golden;
    number = golden_first_difference(&at, &golden_at);
    cr_expect(strcmp(golden, text) == 0,
              "tests/golden/%s:%d: expected\n%.*s\nnot\n%.*s\nThe text made is %s/%s", name, number,
              (int)strcspn(golden_at, "\n"), golden_at, (int)strcspn(at, "\n"), at, TEST_BINARY_DIR,
              name);
    free(golden);
}

#endif
