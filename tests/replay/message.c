/* SPDX-License-Identifier: MIT */
/* A bot's message shown to people: nothing in it may control the terminal. */
#include <criterion/criterion.h>
#include <stddef.h>
#include <stdlib.h>

#include "arena/replay/forfeit_text.h"

enum {
    WIDE = 1000
};

static void expect_message(const char *rule, const char *bytes, size_t size, size_t limit_chars,
                           const char *wanted)
{
    char *text = NULL;
    size_t text_bytes;
    FILE *stream = open_memstream(&text, &text_bytes);

    forfeit_text_print_message(stream, (const uint8_t *)bytes, size, limit_chars);
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

Test(message, is_text)
{
    for (size_t i = 0; i < sizeof message_rows / sizeof *message_rows; i++)
        expect_message(message_rows[i].rule, message_rows[i].bytes, message_rows[i].size,
                       message_rows[i].limit_chars, message_rows[i].text);
}
