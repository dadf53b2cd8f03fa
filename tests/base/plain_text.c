/* SPDX-License-Identifier: MIT */
/* A bot's output shown on a terminal: nothing in it may control the terminal. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "arena/base/plain_text.h"

enum {
    WIDE = 1000
};

static void expect_rows(const char *rule, const char *bytes, size_t size, size_t limit_chars,
                        const char *wanted)
{
    char *text = NULL;
    size_t text_bytes;
    FILE *stream = open_memstream(&text, &text_bytes);

    plain_text_print(stream, bytes, size, limit_chars);
    fclose(stream);
    cr_expect_str_eq(text, wanted, "%s: %s", rule, text);
    free(text);
}

#define BYTES(literal) literal, sizeof literal - 1

static const struct {
    const char *rule;
    const char *bytes;
    size_t size;
    size_t limit_chars;
    const char *text;
} plain_rows[] = {
    {"text stays", BYTES("Aa 9~"), WIDE, "Aa 9~"},
    {"line ends are shown", BYTES("a\r\n\tb"), WIDE, "a\\r\\n\\tb"},
    {"an escape sequence is no command", BYTES("\x1b[31m"), WIDE, "\\x1b[31m"},
    {"neither is NUL or DEL", BYTES("\0\x7f"), WIDE, "\\x00\\x7f"},
    {"neither is a C1 control",
     BYTES("\xc2\x9b"
           "31m"),
     WIDE, "\\xc2\\x9b31m"},
    {"UTF-8 stays", BYTES("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"), WIDE,
     "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
    {"a cut character does not", BYTES("\xe2\x82"), WIDE, "\\xe2\\x82"},
    {"nor an overlong one", BYTES("\xe0\x80\xaf"), WIDE, "\\xe0\\x80\\xaf"},
    {"nor a surrogate", BYTES("\xed\xa0\x80"), WIDE, "\\xed\\xa0\\x80"},
    {"nor one past the last", BYTES("\xf4\x90\x80\x80"), WIDE, "\\xf4\\x90\\x80\\x80"},
    {"nor one of a first byte that UTF-8 lacks", BYTES("\xf8\x90\x80\x80"), WIDE,
     "\\xf8\\x90\\x80\\x80"},
    {"nor one that turns the line around", BYTES("\xe2\x80\xae"), WIDE, "\\xe2\\x80\\xae"},
    {"nor one that nobody sees", BYTES("a\xe2\x80\x8b\xef\xbb\xbf"), WIDE,
     "a\\xe2\\x80\\x8b\\xef\\xbb\\xbf"},
    {"nor an Arabic letter mark", BYTES("\xd8\x9c"), WIDE, "\\xd8\\x9c"},
    {"what fits is whole", BYTES("abc"), 3, "abc"},
    {"what does not is cut", BYTES("abcd"), 3, "abc..."},
    {"cut at a character", BYTES("a\xc3\xa4z"), 2, "a\xc3\xa4..."},
};

Test(plain_text, bytes)
{
    for (size_t i = 0; i < sizeof plain_rows / sizeof *plain_rows; i++)
        expect_rows(plain_rows[i].rule, plain_rows[i].bytes, plain_rows[i].size,
                    plain_rows[i].limit_chars, plain_rows[i].text);
}

/* ---- plain_text_printf: as printf, but for what %s gives ---- */

#define EXPECT_PRINTED(wanted, ...)                                                                \
    do {                                                                                           \
        char *printed = NULL;                                                                      \
        size_t printed_bytes;                                                                      \
        FILE *into = open_memstream(&printed, &printed_bytes);                                     \
                                                                                                   \
        plain_text_printf(into, __VA_ARGS__);                                                      \
        fclose(into);                                                                              \
        cr_expect_str_eq(printed, wanted, "%s", printed);                                          \
        free(printed);                                                                             \
    } while (0)

Test(plain_text, printf_escapes_what_a_string_gives)
{
    EXPECT_PRINTED("a\\x1b[0m\nb", "%s\nb", "a\x1b[0m");
    EXPECT_PRINTED("\x1b[0m", "\x1b[0m"); /* the format is the source's own */
    EXPECT_PRINTED("ab|", "%.2s|", "ab\x1b");
    EXPECT_PRINTED("ab|", "%.*s|", 2, "abc");
}

Test(plain_text, printf_pads_to_columns)
{
    EXPECT_PRINTED("\xc3\xa4  |", "%-3s|", "\xc3\xa4");
    EXPECT_PRINTED("  \xc3\xa4|", "%3s|", "\xc3\xa4");
    EXPECT_PRINTED("\\x07 |", "%-5s|", "\a");
    EXPECT_PRINTED("ab  |", "%-*s|", 4, "ab");
    EXPECT_PRINTED("ab  |", "%*s|", -4, "ab");
    EXPECT_PRINTED("abc|", "%2s|", "abc");
}

Test(plain_text, printf_prints_numbers_as_printf_does)
{
    EXPECT_PRINTED("-1 00042 +7 2a", "%d %05d %+d %x", -1, 42, 7, 42u);
    EXPECT_PRINTED("-9223372036854775808 18446744073709551615", "%" PRId64 " %" PRIu64, INT64_MIN,
                   UINT64_MAX);
    EXPECT_PRINTED("5 -6 7", "%zu %ld %lld", (size_t)5, -6L, 7LL);
    EXPECT_PRINTED(" 1.50 +0.3 1e+06 100%", "%5.2f %+.1f %g %.0f%%", 1.5, 0.25 + 0.05, 1e6, 100.0);
    EXPECT_PRINTED("x 3", "%c %*d", 'x', 1, 3);
}

Test(plain_text, printf_hands_each_directive_to_printf)
{
    EXPECT_PRINTED("-7 100 0100 BEEF 0xbeef", "%i %o %#o %X %#x", -7, 64u, 64u, 0xbeefu, 0xbeefu);
    EXPECT_PRINTED("42      | 42 +42     |", "%-8d|% d %+-8d|", 42, 42, 42);
    EXPECT_PRINTED("    0042|| -0000000007|", "%8.4d|%.0d|%12.10d|", 42, 0, -7);
    EXPECT_PRINTED("1.250000e+01  1.250e+01| 0.333333333333", "%e %10.3e| %.12g", 12.5, 12.5,
                   1.0 / 3);
    EXPECT_PRINTED("x    | -9223372036854775808 18446744073709551615", "%-5c| %ld %lu", 'x',
                   LONG_MIN, ULONG_MAX);
    EXPECT_PRINTED("-1 18446744073709551615", "%zd %zu", (ssize_t)-1, SIZE_MAX);
    EXPECT_PRINTED("1 2 3 4", "%d %s %ld %c", 1, "2", 3L, '4');
    EXPECT_PRINTED("||abc", "%s|%.0s|%.9s", "", "abc", "abc");
    EXPECT_PRINTED("    1.50|%", "%*.*f|%%", 8, 2, 1.5);
}

/* Characters that disguise text are escaped, byte by byte; their neighbors stay. */
Test(plain_text, what_disguises_is_escaped)
{
    static const char *const escaped[] = {
        "\u00a0", "\u00ad", "\u034f", "\u061c", "\u115f", "\u1680", "\u17b4",     "\u180b",
        "\u2000", "\u200f", "\u2028", "\u202f", "\u205f", "\u206f", "\u2800",     "\u3000",
        "\u3164", "\ufe00", "\ufeff", "\uffa0", "\ufff9", "\ufffb", "\U000e0000", "\U000e01ef"};
    static const char *const kept[] = {"~",      "\u00a1", "\u00ae", "\u2010", "\u2027",
                                       "\u2030", "\u2070", "\u3001", "\ufffc", "\U000e01f0"};

    for (size_t i = 0; i < sizeof escaped / sizeof *escaped; i++) {
        char *plain = plain_text(escaped[i]);

        cr_expect_eq(strlen(plain), 4 * strlen(escaped[i]), "%s", plain);
        cr_expect_eq(plain_text_columns(escaped[i], strlen(escaped[i])), 4 * strlen(escaped[i]));
        free(plain);
    }
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        char *plain = plain_text(kept[i]);

        cr_expect_str_eq(plain, kept[i]);
        cr_expect_eq(plain_text_columns(kept[i], strlen(kept[i])), 1);
        free(plain);
    }
    cr_expect_eq(plain_text_columns("a\n\t\x1b", 4), 1 + 2 + 2 + 4);
    cr_expect_eq(plain_text_columns("", 0), 0);
}

Test(plain_text, lines_stay_lines)
{
    static const char lines[] = "one\x1b\n\ntwo";
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    plain_text_print_lines(stream, lines, sizeof lines - 1);
    fclose(stream);
    cr_expect_str_eq(text, "one\\x1b\n\ntwo\n");
    free(text);
}

static void expect_wrapped(const char *text, size_t columns, size_t indent, const char *wanted)
{
    char *wrapped = NULL;
    size_t size;
    FILE *stream = open_memstream(&wrapped, &size);

    plain_text_wrap(stream, text, columns, indent);
    fclose(stream);
    cr_expect_str_eq(wrapped, wanted);
    free(wrapped);
}

Test(plain_text, lines_are_wrapped_at_spaces)
{
    expect_wrapped("one two three\n", 7, 0, "one two\nthree\n");
    expect_wrapped("one two three", 8, 2, "one two\n  three\n");
    expect_wrapped("one  two\n\nthree\n", 80, 2, "one  two\n\nthree\n");
    expect_wrapped("onetwothree four", 6, 1, "onetwo\n three\n four\n");
    expect_wrapped("\u00e9\u00e9 \u00e9\u00e9", 5, 0, "\u00e9\u00e9 \u00e9\u00e9\n");
    expect_wrapped("one two three four five", 0, 2, "one two three four five\n");
}
