/* SPDX-License-Identifier: MIT */
/* Untrusted text: cut without splitting a character, then repaired to UTF-8. One row per case. */
#include <criterion/criterion.h>
#include <string.h>

#include "sdk/wire.h"

#define BYTES(text) text, sizeof(text) - 1
#define BAD         "\xef\xbf\xbd" /* U+FFFD */

static const struct {
    const char *rule;
    const char *source;
    size_t source_bytes;
    size_t limit_bytes;
    const char *target;
    size_t target_bytes;
} cases[] = {
    {"nothing", BYTES(""), 200, BYTES("")},
    {"ASCII", BYTES("plain"), 200, BYTES("plain")},
    {"control characters and NUL are kept", BYTES("a\0\n\x1b[0m\x7f"), 200,
     BYTES("a\0\n\x1b[0m\x7f")},
    {"two, three and four bytes", BYTES("\u00e9\u20ac\U0001f600"), 200,
     BYTES("\u00e9\u20ac\U0001f600")},
    {"the last of each length", BYTES("\x7f\u07ff\uffff\U0010ffff"), 200,
     BYTES("\x7f\u07ff\uffff\U0010ffff")},
    {"a byte that begins nothing",
     BYTES("a\xff"
           "b"),
     200, BYTES("a" BAD "b")},
    {"a byte that only goes on", BYTES("\x80"), 200, BYTES(BAD)},
    {"an overlong slash", BYTES("\xc0\xaf"), 200, BYTES(BAD BAD)},
    {"an overlong form of three", BYTES("\xe0\x80\xaf"), 200, BYTES(BAD BAD BAD)},
    {"a surrogate", BYTES("\xed\xa0\x80"), 200, BYTES(BAD BAD BAD)},
    {"past the last character", BYTES("\xf4\x90\x80\x80"), 200, BYTES(BAD BAD BAD BAD)},
    {"a lead byte past the last", BYTES("\xf5\x80"), 200, BYTES(BAD BAD)},
    {"what could have begun a character is one", BYTES("\xe2\x82z"), 200, BYTES(BAD "z")},
    {"a broken character before a good one", BYTES("\xf0\x9f\x98\xe2\x82\xac"), 200,
     BYTES(BAD "\u20ac")},
    {"a character cut short by the end", BYTES("x\xf0\x9f\x98"), 200, BYTES("x" BAD)},
    {"exactly the limit", BYTES("abcd"), 4, BYTES("abcd")},
    {"one past the limit", BYTES("abcde"), 4, BYTES("abcd")},
    {"a character across the limit goes whole", BYTES("abc\u20ac"), 5, BYTES("abc")},
    {"one of four bytes too", BYTES("abc\U0001f600"), 6, BYTES("abc")},
    {"a character that ends at the limit stays", BYTES("ab\u20acx"), 5, BYTES("ab\u20ac")},
    {"broken bytes across the limit are cut at it", BYTES("abcd\x80\x80\x80"), 5,
     BYTES("abcd" BAD)},
    {"a broken character across the limit is cut at it", BYTES("abc\xe2\x82z"), 4,
     BYTES("abc" BAD)},
    {"a limit of nothing", BYTES("\u20ac"), 0, BYTES("")},
    {"a limit inside the first character", BYTES("\u20ac"), 2, BYTES("")},
};

Test(wire_text, cases)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char target[WIRE_TEXT_BYTES_MAX];
        size_t size;

        memset(target, 'x', sizeof target);
        size =
            wire_repair_text(target, cases[i].source, cases[i].source_bytes, cases[i].limit_bytes);
        cr_expect_eq(size, cases[i].target_bytes, "%s: %zu bytes", cases[i].rule, size);
        cr_expect_eq(memcmp(target, cases[i].target, cases[i].target_bytes), 0, "%s",
                     cases[i].rule);
        cr_expect_eq(target[size], '\0', "%s", cases[i].rule);
    }
}

Test(wire_text, the_worst_text_fits)
{
    char source[WIRE_MESSAGE_BYTES_MAX], target[WIRE_TEXT_BYTES_MAX];

    memset(source, 0xff, sizeof source);
    cr_assert_eq(wire_repair_text(target, source, sizeof source, WIRE_NOTE_BYTES_MAX),
                 3 * WIRE_NOTE_BYTES_MAX);
}

static const struct {
    const char *rule;
    const char *text;
    size_t size;
    size_t bytes; /* 0: no character */
    uint32_t code;
} characters[] = {
    {"ASCII", BYTES("ab"), 1, 'a'},
    {"NUL is a character", BYTES("\0x"), 1, 0},
    {"the first of two bytes", BYTES("\xc2\x80"), 2, 0x80},
    {"the last of two bytes", BYTES("\u07ff"), 2, 0x7ff},
    {"the first of three bytes", BYTES("\u0800"), 3, 0x800},
    {"before the surrogates", BYTES("\ud7ff"), 3, 0xd7ff},
    {"behind the surrogates", BYTES("\ue000"), 3, 0xe000},
    {"the first of four bytes", BYTES("\U00010000"), 4, 0x10000},
    {"the last of all", BYTES("\U0010ffff"), 4, 0x10ffff},
    {"what follows does not count", BYTES("\u20ac\xff"), 3, 0x20ac},
    {"a surrogate", BYTES("\xed\xa0\x80"), 0, 0},
    {"an overlong form", BYTES("\xe0\x80\xaf"), 0, 0},
    {"cut short by the end", BYTES("\xf0\x9f\x98"), 0, 0},
    {"a byte that only goes on", BYTES("\x80"), 0, 0},
};

Test(wire_text, characters_are_read_one_at_a_time)
{
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++) {
        uint32_t code = 7;
        size_t bytes = wire_character(characters[i].text, characters[i].size, &code);

        cr_expect_eq(bytes, characters[i].bytes, "%s: %zu", characters[i].rule, bytes);
        cr_expect_eq(code, bytes ? characters[i].code : 7, "%s: %x", characters[i].rule, code);
    }
}
