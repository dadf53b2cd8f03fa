/* SPDX-License-Identifier: MIT */
#include "tests/rating/files.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *files_read(const char *name)
{
    char path[512];
    char *text = NULL;
    size_t size = 0;

    snprintf(path, sizeof path, TEST_SOURCE_DIR "/tests/golden/ratings/%s", name);
    FILE *file = fopen(path, "r");
    cr_assert(file, "cannot open %s", path);
    ssize_t got = getdelim(&text, &size, '\0', file);
    cr_assert(got > 0, "cannot read %s", path);
    fclose(file);
    return text;
}

struct csv files_parse(const char *text)
{
    struct csv csv;
    struct csv_error error = {0};

    int result = csv_read(text, strlen(text), &csv, &error);
    cr_assert_eq(result, 0, "line %lld: %s", (long long)error.line, error.message);
    return csv;
}

struct csv files_read_games(const char *name)
{
    char *text = files_read(name);
    struct csv csv = files_parse(text);

    free(text);
    return csv;
}

int files_bot(const struct csv *csv, const char *name)
{
    for (int i = 0; i < csv->games.bot_count; i++)
        if (strcmp(csv->names[i], name) == 0)
            return i;
    cr_assert_fail("no bot %s", name);
    return -1;
}
