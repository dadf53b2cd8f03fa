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
    {"gcc", "cc -c a.c\na.c: In function 'f':\na.c:3:5: error: 'x' undeclared\n  3 |  x;\nmake: *** [a.o] Error 1\n", "a.c:3:5: error: 'x' undeclared\nmake: *** [a.o] Error 1\n"},
    {"go, which has no word for it", "# bot\n./bot.go:6:2: unused declared but not used\nmake: *** [Makefile:8: bot] Error 2\n", "./bot.go:6:2: unused declared but not used\nmake: *** [Makefile:8: bot] Error 2\n"},
    {"a place that is warned of", "a.c:3:5: warning: unused\na.c:4:1: note: here\nlast\n", "a.c:3:5: warning: unused\na.c:4:1: note: here\nlast\n"},
    {"a linker", "ld: a.o: in function `f':\na.c:3: undefined reference to `g'\ncollect2: ld returned 1\n", "a.c:3: undefined reference to `g'\n"},
    {"rust", "   Compiling a\nerror[E0425]: cannot find value `x`\n  --> a.rs\nwarning: unused\n", "error[E0425]: cannot find value `x`\n"},
    {"a missing program", "sh: 1: gradle: not found\n", "sh: 1: gradle: not found\n"},
    {"a count of none", "0 errors\nlast\n", "0 errors\nlast\n"},
    {"a place of a file whose name has a colon", "one\na:b:3:4: odd\n", "a:b:3:4: odd\n"},
    {"a place without a file", "one\n:3:4: odd\n", "one\n:3:4: odd\n"},
    {"a place of one letter", "one\na:3:4: odd\n", "a:3:4: odd\n"},
    {"a place at the end of the line", "one\na.go:3:4:\n", "a.go:3:4:\n"},
    {"a place at the end of all", "one\na.go:3:4:", "a.go:3:4:"},
    {"a place that is cut", "one\na.go:3:4", "one\na.go:3:4"},
    {"a place without a column", "one\na.go:3: odd\n", "one\na.go:3: odd\n"},
    {"a place without a number", "one\na.go:3:: odd\n", "one\na.go:3:: odd\n"},
    {"a place with an empty row", "one\na.go::4: odd\n", "one\na.go::4: odd\n"},
    {"a place whose row ends otherwise", "one\na.go:3 4: odd\n", "one\na.go:3 4: odd\n"},
    {"a time of day", "one\n12:30 odd\n", "one\n12:30 odd\n"},
    {"a time with seconds", "one\nat 12:30:59: odd\n", "at 12:30:59: odd\n"},
    {"digits at both ends of their range", "one\na:09:90: odd\na:0/:0: odd\n", "a:09:90: odd\n"},
    {"a sign in upper case", "one\nFATAL: two\nthree\n", "FATAL: two\n"},
    {"a sign at the very end", "one\nit panic", "it panic"},
    {"a sign that is cut", "one\nit pani", "one\nit pani"},
    {"each sign", "an error\nfatal\nundefined reference\ncannot find\nnot found\nno such\nexception\ntraceback\npermission denied\npanic\nunresolved\nfailed\nno rule to make\nnothing\n", "an error\nfatal\nundefined reference\ncannot find\nnot found\nno such\nexception\ntraceback\npermission denied\npanic\nunresolved\nfailed\nno rule to make\n"},
    {"each that is none", "0 errors\nno error\ncc -Werror\nerror\n", "error\n"},
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

/* The first of those that name an error. */
Test(build_excerpt, of_errors_is_twenty_lines_at_most)
{
    char text[4096] = "", first[4096] = "", *excerpt;

    for (int i = 0; i < 2 * BUILD_EXCERPT_LINES; i++) {
        sprintf(text + strlen(text), "line %d\nerror %d\n", i, i);
        if (i < BUILD_EXCERPT_LINES)
            sprintf(first + strlen(first), "error %d\n", i);
        if (i + 1 < BUILD_EXCERPT_LINES - 1)
            continue;
        excerpt = build_excerpt(text, strlen(text));
        cr_expect_str_eq(excerpt, first);
        free(excerpt);
    }
}

/* The last, whether the last of them has an end or not. */
Test(build_excerpt, without_errors_is_the_last_lines)
{
    char text[4096] = "", *excerpt;
    const char *from = text;

    for (int i = 0; i < 2 * BUILD_EXCERPT_LINES; i++) {
        sprintf(text + strlen(text), "line %d\n", i);
        if (i >= BUILD_EXCERPT_LINES)
            from = strchr(from, '\n') + 1;
        for (size_t cut = 0; cut < 2; cut++) {
            excerpt = build_excerpt(text, strlen(text) - cut);
            cr_expect_eq(strlen(excerpt), strlen(from) - cut, "%d lines: %s", i + 1, excerpt);
            cr_expect_eq(strncmp(excerpt, from, strlen(from) - cut), 0);
            free(excerpt);
        }
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
