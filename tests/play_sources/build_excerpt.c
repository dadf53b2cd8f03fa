/* SPDX-License-Identifier: MIT */
/* The lines of a failed build's output that an author has to see. */
#include "arena/play/build.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct {
    const char *rule, *text, *excerpt;
} rows[] = {
    {"nothing", "", ""},
    {"one line without an end", "it broke", "it broke"},
    {"gcc", "cc -c a.c\na.c: In function 'f':\na.c:3:5: error: 'x' undeclared\n  3 |  x;\nmake: *** [a.o] Error 1\n", "a.c:3:5: error: 'x' undeclared\n  3 |  x;\nmake: *** [a.o] Error 1\n"},
    {"go, which has no word for it", "# bot\n./bot.go:6:2: declared and not used\n", "# bot\n./bot.go:6:2: declared and not used\n"},
    {"a linker", "ld: a.o: in function `f':\na.c:3: undefined reference to `g'\ncollect2\n", "a.c:3: undefined reference to `g'\ncollect2\n"},
    {"rust", "   Compiling a\nerror[E0425]: cannot find value `x`\n  --> a.rs\n", "error[E0425]: cannot find value `x`\n  --> a.rs\n"},
    {"C#", "one\na.cs(3,5): error CS0103: The name\n", "a.cs(3,5): error CS0103: The name\n"},
    {"a missing program", "sh: 1: gradle: not found\n", "sh: 1: gradle: not found\n"},
    {"warnings", "cc -Werror\na.c:3:5: warning: unused\n0 errors\n", "cc -Werror\na.c:3:5: warning: unused\n0 errors\n"},
    {"upper case", "one\nFATAL: two\nthree\n", "FATAL: two\nthree\n"},
    {"a word at the very end", "one\nit panic", "it panic"},
    {"a word that is cut", "one\nit pani", "one\nit pani"},
    {"a word over two lines", "one\nnot\nfound\n", "one\nnot\nfound\n"},
};
/* clang-format on */

Test(build_excerpt, begins_with_the_first_error)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *excerpt = build_excerpt(rows[i].text);

        cr_expect_str_eq(excerpt, rows[i].excerpt, "%s: %s", rows[i].rule, excerpt);
        free(excerpt);
    }
}

/* The first lines from the error on, or else the last lines, whether or not the last has an end. */
Test(build_excerpt, is_twenty_lines_at_most)
{
    for (int line_count = 1; line_count < 3 * BUILD_EXCERPT_LINES; line_count++)
        for (int error = 0; error <= 1; error++)
            for (size_t cut = 0; cut < 2; cut++) {
                char text[4096] = "", expected[4096] = "", *excerpt;
                int first = error ? 0 : line_count - BUILD_EXCERPT_LINES;

                for (int i = 0; i < line_count; i++) {
                    char line[32];

                    sprintf(line, "%s %d\n", error && i == 0 ? "error:" : "line", i);
                    strcat(text, line);
                    if (i >= first && i < first + BUILD_EXCERPT_LINES)
                        strcat(expected, line);
                }
                text[strlen(text) - cut] = '\0';
                if (!error || line_count <= BUILD_EXCERPT_LINES)
                    expected[strlen(expected) - cut] = '\0';
                excerpt = build_excerpt(text);
                cr_expect_str_eq(excerpt, expected, "%d lines", line_count);
                free(excerpt);
            }
}
