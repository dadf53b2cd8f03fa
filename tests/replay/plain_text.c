/* A bot's output shown on a terminal: nothing in it may control the terminal. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "arena/replay/plain_text.h"

enum {
    WIDE = 1000
};

typedef void print_fn(FILE *stream, const uint8_t *bytes, size_t size, size_t limit_chars);

static void print_plain(FILE *stream, const uint8_t *bytes, size_t size, size_t limit_chars)
{
    plain_text_print(stream, bytes, size, limit_chars);
}

static void expect_rows(print_fn *print, const char *rule, const char *bytes, size_t size,
                        size_t limit_chars, const char *wanted)
{
    char *text = NULL;
    size_t text_bytes;
    FILE *stream = open_memstream(&text, &text_bytes);

    print(stream, (const uint8_t *)bytes, size, limit_chars);
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

static const struct {
    const char *rule;
    const char *bytes;
    size_t size;
    size_t limit_chars;
    const char *text;
} message_rows[] = {
    {"a map is shown as JSON",
     BYTES("\x82\xa4type\xa3"
           "act\xa4turn\x07"),
     WIDE, "{\"type\": \"act\", \"turn\": 7}"},
    {"arrays, signs and the three words",
     BYTES("\x81\xa1"
           "a\x95\xff\xc0\xc3\xc2\xd1\x80\x00"),
     WIDE, "{\"a\": [-1, null, true, false, -32768]}"},
    {"what JSON has no word for is hex",
     BYTES("\x81\xa1"
           "a\xc4\x02\x00\xff"),
     WIDE, "{\"a\": <00ff>}"},
    {"a float is a number, a whole one too",
     BYTES("\x81\xa1"
           "a\x95\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00\xcb\x40\x08\x00\x00\x00\x00\x00\x00"
           "\xca\xbf\x80\x00\x00\xca\x3d\xcc\xcc\xcd\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a"),
     WIDE, "{\"a\": [1.5, 3.0, -1.0, 0.1, 0.1]}"},
    {"floats that are no numbers",
     BYTES("\x81\xa1"
           "a\x92\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00\xca\xff\x80\x00\x00"),
     WIDE, "{\"a\": [nan, -inf]}"},
    {"a number of 64 bits is whole",
     BYTES("\x81\xa1"
           "a\xcf\xff\xff\xff\xff\xff\xff\xff\xff"),
     WIDE, "{\"a\": 18446744073709551615}"},
    {"a string does nothing either",
     BYTES("\x81\xa1"
           "a\xa2\x1b["),
     WIDE, "{\"a\": \"\\x1b[\"}"},
    {"bytes behind it are told",
     BYTES("\x80"
           "ab\n"),
     WIDE, "{} + ab\\n"},
    {"half a message is bytes", BYTES("\x82\xa4type"), WIDE, "\\x82\\xa4type"},
    {"so is no message", BYTES("hello\n"), WIDE, "hello\\n"},
    {"maps and arrays within each other",
     BYTES("\x82\xa1"
           "a\x92\x81\xa1"
           "b\x90\x80\xa1"
           "c\x81\xa1"
           "d\x02"),
     WIDE, "{\"a\": [{\"b\": []}, {}], \"c\": {\"d\": 2}}"},
    {"floats in at most six digits",
     BYTES("\x81\xa1"
           "a\x94\xca\x4b\x80\x00\x01\xca\x3e\xaa\xaa\xab\xcb\x3f\xd5\x55\x55\x55\x55\x55\x55"
           "\xcb\x54\xb2\x49\xad\x25\x94\xc3\x7d"),
     WIDE, "{\"a\": [1.67772e+07, 0.333333, 0.333333, 1e+100]}"},
    {"bytes behind it are cut too",
     BYTES("\x80"
           "abcdef"),
     8, "{} + abc..."},
    {"long ones are cut",
     BYTES("\x82\xa4type\xa3"
           "act\xa4turn\x07"),
     5, "{\"typ..."},
};

Test(plain_text, bytes)
{
    for (size_t i = 0; i < sizeof plain_rows / sizeof *plain_rows; i++)
        expect_rows(print_plain, plain_rows[i].rule, plain_rows[i].bytes, plain_rows[i].size,
                    plain_rows[i].limit_chars, plain_rows[i].text);
}

Test(plain_text, messages)
{
    for (size_t i = 0; i < sizeof message_rows / sizeof *message_rows; i++)
        expect_rows(plain_text_print_message, message_rows[i].rule, message_rows[i].bytes,
                    message_rows[i].size, message_rows[i].limit_chars, message_rows[i].text);
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
