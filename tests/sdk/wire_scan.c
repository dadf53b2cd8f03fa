/* SPDX-License-Identifier: MIT */
/* Where a message ends, and which bytes can never become one. One row per case. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sdk/sample.h"

#define BYTES(text) text, sizeof(text) - 1

static uint8_t buffer[2 * WIRE_MESSAGE_BYTES_MAX];

static const struct {
    const char *rule;
    const char *bytes;
    size_t size;
    enum wire_scan_result result;
} cases[] = {
    {"nothing yet", BYTES(""), WIRE_SCAN_PARTIAL},
    {"an empty map is whole", BYTES("\x80"), WIRE_SCAN_COMPLETE},
    {"a map of one pair", BYTES("\x81\xa1k\x01"), WIRE_SCAN_COMPLETE},
    {"a map that lacks its value", BYTES("\x81\xa1k"), WIRE_SCAN_PARTIAL},
    {"a map of 16-bit count", BYTES("\xde\x00\x01\xa1k\x01"), WIRE_SCAN_COMPLETE},
    {"a map of 32-bit count", BYTES("\xdf\x00\x00\x00\x01\xa1k\x01"), WIRE_SCAN_COMPLETE},
    {"a count cut in two", BYTES("\xde\x00"), WIRE_SCAN_PARTIAL},
    {"an integer is no message", BYTES("\x01"), WIRE_SCAN_BAD},
    {"nil is not a message", BYTES("\xc0"), WIRE_SCAN_BAD},
    {"a string is no message", BYTES("\xa1k"), WIRE_SCAN_BAD},
    {"an array is no message", BYTES("\x91\x01"), WIRE_SCAN_BAD},
    {"text is not a message", BYTES("hello\n"), WIRE_SCAN_BAD},
    {"0xc1 is never used", BYTES("\x81\xa1k\xc1"), WIRE_SCAN_BAD},
    {"a key that is an integer", BYTES("\x81\x01"), WIRE_SCAN_BAD},
    {"a key that is nil", BYTES("\x81\xc0"), WIRE_SCAN_BAD},
    {"a key that is binary", BYTES("\x81\xc4\x01k\x01"), WIRE_SCAN_BAD},
    {"a key that is an array", BYTES("\x81\x90"), WIRE_SCAN_BAD},
    {"the second key is not a string", BYTES("\x82\xa1k\x01\x02"), WIRE_SCAN_BAD},
    {"a key of an inner map is not a string", BYTES("\x81\xa1k\x81\x01"), WIRE_SCAN_BAD},
    {"a key after an inner map", BYTES("\x82\xa1k\x81\xa1l\x01\x05"), WIRE_SCAN_BAD},
    {"a string of 4 GiB", BYTES("\x81\xa1k\xdb\xff\xff\xff\xff"), WIRE_SCAN_BAD},
    {"binary of 4 GiB", BYTES("\x81\xa1k\xc6\xff\xff\xff\xff"), WIRE_SCAN_BAD},
    {"an extension of 4 GiB", BYTES("\x81\xa1k\xc9\xff\xff\xff\xff"), WIRE_SCAN_BAD},
    {"an array of 4 Gi values", BYTES("\x81\xa1k\xdd\xff\xff\xff\xff"), WIRE_SCAN_BAD},
    {"a map of 4 Gi pairs", BYTES("\xdf\xff\xff\xff\xff"), WIRE_SCAN_BAD},
    {"a map of 2 Gi pairs, whose values overflow 32 bits", BYTES("\xdf\x80\x00\x00\x00"),
     WIRE_SCAN_BAD},
    {"a map of 32,766 pairs may fit", BYTES("\xde\x7f\xfe"), WIRE_SCAN_PARTIAL},
    {"a map of 32,767 pairs cannot", BYTES("\xde\x7f\xff"), WIRE_SCAN_BAD},
    {"arrays that fit one by one, not together", BYTES("\x82\xa1k\xdc\x80\x00\xdc\x80\x00"),
     WIRE_SCAN_BAD},
    {"every kind of value",
     BYTES("\xde\x00\x18\xa1"
           "a\x7f\xa1"
           "b\xe0\xa1"
           "c\xc0\xa1"
           "d\xc2\xa1"
           "e\xc3\xa1"
           "f\xc4\x01x\xa1"
           "g\xc5\x00\x01x\xa1"
           "h\xc6\x00\x00\x00\x01x\xa1"
           "i\xc7\x01\x05x\xa1"
           "j\xc8\x00\x01\x05x\xa1"
           "k\xc9\x00\x00\x00\x01\x05x\xa1"
           "l\xca\x00\x00\x00\x00\xa1"
           "m\xcb\x00\x00\x00\x00\x00\x00\x00\x00\xa1"
           "n\xcc\xff\xa1"
           "o\xcd\xff\xff\xa1"
           "p\xce\xff\xff\xff\xff\xa1"
           "q\xcf\xff\xff\xff\xff\xff\xff\xff\xff\xa1"
           "r\xd0\x80\xa1"
           "s\xd3\x80\x00\x00\x00\x00\x00\x00\x00\xa1"
           "t\xd4\x05x\xa1"
           "u\xd6\xff\x00\x00\x00\x00\xa1"
           "v\xd8\x05xxxxxxxxxxxxxxxx\xa1"
           "w\xd9\x01x\xa1"
           "x\xdc\x00\x01\xdd\x00\x00\x00\x00"),
     WIRE_SCAN_COMPLETE},
};

Test(wire_scan, cases)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct wire_scan scan = {0};
        enum wire_scan_result result =
            wire_scan(&scan, (const uint8_t *)cases[i].bytes, cases[i].size);

        cr_expect_eq(result, cases[i].result, "%s: %d", cases[i].rule, result);
        cr_expect_eq(scan.fault != NULL, result == WIRE_SCAN_BAD, "%s", cases[i].rule);
        if (result == WIRE_SCAN_COMPLETE)
            cr_expect_eq(scan.offset, cases[i].size, "%s", cases[i].rule);
    }
}

/*
 * Scans one byte at a time, in a buffer that ends directly after it, so that reading on is
 * detected.
 */
static enum wire_scan_result drip(const uint8_t *bytes, size_t size, struct wire_scan *scan,
                                  size_t *used)
{
    enum wire_scan_result result = WIRE_SCAN_PARTIAL;

    memset(scan, 0, sizeof *scan);
    for (*used = 0; *used < size && result == WIRE_SCAN_PARTIAL;) {
        uint8_t *exact = malloc(++*used);

        memcpy(exact, bytes, *used);
        result = wire_scan(scan, exact, *used);
        free(exact);
    }
    return result;
}

Test(wire_scan, drips_equal_the_whole)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint8_t *bytes = (const uint8_t *)cases[i].bytes;
        struct wire_scan scan;
        size_t used;

        cr_expect_eq(drip(bytes, cases[i].size, &scan, &used), cases[i].result, "%s",
                     cases[i].rule);
    }
}

Test(wire_scan, every_prefix_of_a_message_is_partial)
{
    struct sample sample = {11};

    for (int round = 0; round < 40; round++) {
        size_t size = sample_message(&sample, buffer), used;
        struct wire_scan scan;

        cr_assert_eq(drip(buffer, size, &scan, &used), WIRE_SCAN_COMPLETE);
        cr_assert_eq(used, size);
        for (size_t prefix = 0; prefix < size; prefix++) {
            memset(&scan, 0, sizeof scan);
            cr_assert_eq(wire_scan(&scan, buffer, prefix), WIRE_SCAN_PARTIAL);
        }
    }
}

Test(wire_scan, looks_at_nothing_behind_the_message)
{
    struct wire_scan scan = {0};

    cr_assert_eq(wire_scan(&scan, (const uint8_t *)"\x80\xc1\xc1", 3), WIRE_SCAN_COMPLETE);
    cr_assert_eq(scan.offset, 1);
    cr_assert_eq(wire_scan(&scan, (const uint8_t *)"\x80\xc1\xc1", 3), WIRE_SCAN_COMPLETE);
}

Test(wire_scan, what_is_bad_stays_bad)
{
    struct wire_scan scan = {0};

    cr_assert_eq(wire_scan(&scan, (const uint8_t *)"\xc0", 1), WIRE_SCAN_BAD);
    cr_assert_eq(wire_scan(&scan, (const uint8_t *)"\x80", 1), WIRE_SCAN_BAD);
}

/* Writes {"k": [[[...]]]} with that many levels in total. */
static size_t nest(int depth, uint8_t innermost)
{
    size_t size = 0;

    memcpy(buffer, "\x81\xa1k", 3);
    size = 3;
    for (int level = 2; level < depth; level++)
        buffer[size++] = 0x91;
    buffer[size++] = innermost;
    return size;
}

Test(wire_scan, nesting_of_8_is_read_and_9_is_not)
{
    static const uint8_t innermost[] = {0x90, 0x80}; /* an empty array or map is a level too */

    for (size_t i = 0; i < sizeof innermost; i++) {
        struct wire_scan scan = {0};
        size_t size = nest(8, innermost[i]);

        cr_expect_eq(wire_scan(&scan, buffer, size), WIRE_SCAN_COMPLETE, "%s", scan.fault);
        scan = (struct wire_scan){0};
        size = nest(9, innermost[i]);
        cr_expect_eq(wire_scan(&scan, buffer, size - 1), WIRE_SCAN_PARTIAL);
        cr_expect_eq(wire_scan(&scan, buffer, size), WIRE_SCAN_BAD);
    }
}

Test(wire_scan, nesting_of_10000_is_refused_at_the_ninth_level)
{
    struct wire_scan scan = {0};
    size_t size = nest(10000, 0x90);

    cr_assert_eq(wire_scan(&scan, buffer, size), WIRE_SCAN_BAD);
    cr_assert_eq(scan.offset, 3 + 7); /* levels 2 to 8 */
}

/* Writes a map with one string, `size` bytes in total. */
static void fill_message(size_t size)
{
    memset(buffer, 'x', sizeof buffer);
    memcpy(buffer, "\x81\xa1k\xdb", 4);
    buffer[4] = 0;
    buffer[5] = (uint8_t)((size - 8) >> 16);
    buffer[6] = (uint8_t)((size - 8) >> 8);
    buffer[7] = (uint8_t)(size - 8);
}

Test(wire_scan, a_message_of_65536_bytes_is_read_and_of_65537_is_not)
{
    struct wire_scan scan = {0};

    fill_message(WIRE_MESSAGE_BYTES_MAX);
    cr_expect_eq(wire_scan(&scan, buffer, WIRE_MESSAGE_BYTES_MAX - 1), WIRE_SCAN_PARTIAL);
    cr_expect_eq(wire_scan(&scan, buffer, WIRE_MESSAGE_BYTES_MAX), WIRE_SCAN_COMPLETE);
    cr_expect_eq(scan.offset, WIRE_MESSAGE_BYTES_MAX);
    scan = (struct wire_scan){0};
    fill_message(WIRE_MESSAGE_BYTES_MAX + 1);
    cr_expect_eq(wire_scan(&scan, buffer, 7), WIRE_SCAN_PARTIAL);
    cr_expect_eq(wire_scan(&scan, buffer, 8), WIRE_SCAN_BAD, "known with the header");
}

/* Writes a map of pairs "": 0, 2 bytes each, which is too long though no single count shows it. */
static size_t fill_pairs(size_t pairs)
{
    memcpy(buffer, "\xde", 1);
    buffer[1] = (uint8_t)(pairs >> 8);
    buffer[2] = (uint8_t)pairs;
    for (size_t i = 0; i < pairs; i++)
        memcpy(buffer + 3 + 2 * i, "\xa0\x00", 2);
    return 3 + 2 * pairs;
}

Test(wire_scan, a_last_value_may_make_the_message_too_long)
{
    struct wire_scan scan = {0};
    size_t size = fill_pairs(32766); /* 65,535 bytes: one is left */

    cr_expect_eq(wire_scan(&scan, buffer, size), WIRE_SCAN_COMPLETE);
    buffer[size - 1] = 0xcc; /* an integer of two bytes: 65,536 */
    buffer[size] = 200;
    scan = (struct wire_scan){0};
    cr_expect_eq(wire_scan(&scan, buffer, size + 1), WIRE_SCAN_COMPLETE);
    buffer[size - 1] = 0xcd; /* of three */
    scan = (struct wire_scan){0};
    cr_expect_eq(wire_scan(&scan, buffer, size), WIRE_SCAN_BAD);
}

Test(wire_scan, dripping_a_long_message_costs_linear_time)
{
    struct wire_scan scan = {0};
    size_t size = fill_pairs(32766);

    /* Quadratic work would scan 2 * 10^9 values here, which takes minutes under the sanitizers. */
    for (size_t used = 1; used < size; used++)
        cr_assert_eq(wire_scan(&scan, buffer, used), WIRE_SCAN_PARTIAL);
    cr_assert_eq(wire_scan(&scan, buffer, size), WIRE_SCAN_COMPLETE);
}
