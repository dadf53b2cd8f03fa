/* The lines of a failed build's output that an author has to see. */
#include "arena/play/build_excerpt.h"

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
    {"gcc", "cc -c a.c\na.c: In function 'f':\na.c:3:5: error: 'x' undeclared\n  3 |  x;\nmake: *** [a.o] Error 1\n", "a.c:3:5: error: 'x' undeclared\nmake: *** [a.o] Error 1\n"},
    {"go, which has no word for it", "# bot\n./bot.go:6:2: unused declared but not used\nmake: *** [Makefile:8: bot] Error 2\n", "./bot.go:6:2: unused declared but not used\nmake: *** [Makefile:8: bot] Error 2\n"},
    {"a place that is warned of", "a.c:3:5: warning: unused\na.c:4:1: note: here\nlast\n", "a.c:3:5: warning: unused\na.c:4:1: note: here\nlast\n"},
    {"a linker", "ld: a.o: in function `f':\na.c:3: undefined reference to `g'\ncollect2: ld returned 1\n", "a.c:3: undefined reference to `g'\n"},
    {"rust", "   Compiling a\nerror[E0425]: cannot find value `x`\n  --> a.rs\nwarning: unused\n", "error[E0425]: cannot find value `x`\n"},
    {"a missing program", "sh: 1: gradle: not found\n", "sh: 1: gradle: not found\n"},
    {"a count of none", "0 errors\nlast\n", "0 errors\nlast\n"},
    {"no error named", "one\ntwo\n", "one\ntwo\n"},
};
/* clang-format on */

Test(build_excerpt, shows_what_names_an_error)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *excerpt = build_excerpt(rows[i].text, strlen(rows[i].text));

        cr_expect_str_eq(excerpt, rows[i].excerpt, "%s: %s", rows[i].rule, excerpt);
        free(excerpt);
    }
}

Test(build_excerpt, is_twenty_lines_at_most)
{
    char text[4096] = "", *excerpt;
    int lines = 0;

    for (int i = 0; i < 100; i++)
        sprintf(text + strlen(text), "line %d\n", i);
    excerpt = build_excerpt(text, strlen(text));
    cr_expect_eq(strncmp(excerpt, "line 80\n", 8), 0, "%s", excerpt);
    for (const char *at = excerpt; (at = strchr(at, '\n')); at++)
        lines++;
    cr_expect_eq(lines, BUILD_EXCERPT_LINES);
    free(excerpt);
}
