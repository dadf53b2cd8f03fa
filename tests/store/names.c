/* SPDX-License-Identifier: MIT */
/* Names, texts and ids: which ones are valid. */
#include <criterion/criterion.h>
#include <string.h>

#include "arena/store/games.h"

static const struct {
    const char *name;
    bool valid;
} names[] = {
    {"a", true},
    {"greedy-python_2", true},
    {"0123456789abcdef0123456789abcdef", true}, /* 32 */
    {"0123456789abcdef0123456789abcdef0", false},
    {"", false},
    {"-1", false}, /* an option of a command */
    {"--json", false},
    {"_", false},
    {"1-", true},
    {"Greedy", false},
    {"a b", false},
    {"a/b", false},
    {"..", false},
    {"\xc3\xa9", false},
    {"a\n", false},
};

Test(names, valid)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_eq(store_name_is_valid(names[i].name), names[i].valid, "'%s'", names[i].name);
}

static const struct {
    const char *text;
    bool valid;
} texts[] = {
    {"1.0", true},
    {"Zo\xc3\xab \xe2\x82\xac \xf0\x9f\x8e\xb2", true},
    {"", false},
    {"a\nb", false},
    {"a\x7f", false},
    {"\xc2\x85", false},         /* C1: next line */
    {"\xe2\x80\xa8", false},     /* line separator */
    {"\xe2\x80\xae\x31", false}, /* what turns the line around */
    {"\x80", false},             /* a continuation alone */
    {"\xc0\xaf", false},         /* overlong */
    {"\xe0\x80\xaf", false},     /* overlong */
    {"\xed\xa0\x80", false},     /* surrogate */
    {"\xf4\x90\x80\x80", false}, /* past U+10FFFF */
    {"\xe2\x82", false},         /* torn */
    {"0123456789012345678901234567890123456789012345678901234567890123", true}, /* 64 */
    {"01234567890123456789012345678901234567890123456789012345678901234", false},
};

Test(texts, valid)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cr_expect_eq(store_text_is_valid(texts[i].text), texts[i].valid, "row %zu", i);
}

static const struct {
    const char *id;
    const char *season; /* NULL: no id */
    int group, rotation;
} ids[] = {
    {"spring-000012-1", "spring", 12, 1},
    {"a-b-000000-3", "a-b", 0, 3},
    {"s-1234567-0", "s", 1234567, 0},
    {"s-000012-4", NULL, 0, 0},  /* no table seats five */
    {"s-12-1", NULL, 0, 0},      /* too few digits */
    {"s-0000012-1", NULL, 0, 0}, /* too many */
    {"s-000012-01", NULL, 0, 0},
    {"s-000012--1", NULL, 0, 0},
    {"-000012-1", NULL, 0, 0},
    {"s-00001x-1", NULL, 0, 0},
    {"s-99999999999-1", NULL, 0, 0},
    {"000012-1", NULL, 0, 0},
    {"", NULL, 0, 0},
};

Test(ids, parse_and_print)
{
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char season[STORE_NAME_BYTES_MAX + 1], again[STORE_GAME_ID_BYTES];
        int group, rotation;
        bool parsed = store_game_id_parse(ids[i].id, season, &group, &rotation);

        cr_assert_eq(parsed, ids[i].season != NULL, "%s", ids[i].id);
        if (!parsed)
            continue;
        cr_expect_str_eq(season, ids[i].season);
        cr_expect_eq(group, ids[i].group);
        cr_expect_eq(rotation, ids[i].rotation);
        store_game_id(again, season, group, rotation);
        cr_expect_str_eq(again, ids[i].id);
    }
}
