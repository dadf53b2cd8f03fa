/* SPDX-License-Identifier: MIT */
/* The tables of the board that kits carry, each in its language, have the engine's numbers. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/file.h"
#include "arena/replay/replay.h"
#include "engine/board.h"

static const char *const files[] = {
    "csharp/Pavilion.cs",     "go/pavilion.go",       "java/Pavilion.java",
    "javascript/pavilion.js", "lua/pavilion.lua",     "python/pavilion.py",
    "ruby/pavilion.rb",       "rust/src/pavilion.rs", "typescript/src/pavilion.ts",
};

/* Returns the text after the '=' that follows a name, which is spelled in one of two ways. */
static const char *find_table(const char *text, const char *upper, const char *mixed)
{
    const char *name = strstr(text, upper);

    if (!name)
        name = strstr(text, mixed);
    cr_assert_not_null(name, "no %s", upper);
    return strchr(name, '=') + 1;
}

/* Reads the next number. */
static int next_number(const char **at)
{
    char *end;
    long number;

    *at += strcspn(*at, "0123456789");
    number = strtol(*at, &end, 10);
    *at = end;
    return (int)number;
}

static void expect_features(const char *at, const char *file)
{
    for (int i = 0; i < BOARD_FEATURES; i++) {
        uint64_t spaces = 0;

        cr_expect_eq(next_number(&at), board_features[i].tiles, "%s: feature %d", file, i);
        while (spaces != board_features[i].spaces) {
            int star = next_number(&at);
            uint64_t space = board_space(star, next_number(&at));

            cr_assert(space & board_features[i].spaces & ~spaces, "%s: feature %d", file, i);
            spaces |= space;
        }
    }
}

/* Kits of these have the engine itself. */
static bool has_engine(const char *kit)
{
    return strcmp(kit, "c") == 0 || strcmp(kit, "cpp") == 0;
}

static bool is_listed(const char *kit)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strncmp(files[i], kit, strlen(kit)) == 0 && files[i][strlen(kit)] == '/')
            return true;
    return false;
}

Test(tables, of_each_kit_are_looked_at)
{
    DIR *folder = opendir(TEST_SOURCE_DIR "/sdk/kits");
    const struct dirent *entry;

    cr_assert_not_null(folder);
    while ((entry = readdir(folder)))
        if (*entry->d_name != '.' && strcmp(entry->d_name, "shared") != 0)
            cr_expect(has_engine(entry->d_name) || is_listed(entry->d_name),
                      "sdk/kits/%s: name its file with the tables in tests/kits/tables.c",
                      entry->d_name);
    closedir(folder);
}

Test(tables, are_the_engines)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[512], *text;
        uint8_t *bytes;
        const char *at;
        size_t size;

        snprintf(path, sizeof path, "%s/sdk/kits/%s", TEST_SOURCE_DIR, files[i]);
        cr_assert_eq(file_read(path, REPLAY_BYTES_MAX, &bytes, &size), 0, "%s", path);
        text = strndup((const char *)bytes, size);
        at = find_table(text, "STAR_COLORS", "StarColors");
        for (int star = 0; star < GAME_STARS - 1; star++)
            cr_expect_eq(next_number(&at), board_star_colors[star], "%s: star %d", path, star);
        expect_features(find_table(text, "FEATURES", "Features"), files[i]);
        free(text);
        free(bytes);
    }
}
