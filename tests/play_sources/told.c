#include "tests/play_sources/told.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum {
    LINE_BYTES_MAX = 8192,
};

/* Replaces each `from` by a text that is not longer. */
static void replace(char *text, const char *from, const char *to)
{
    for (char *at = text; (at = strstr(at, from)); at += strlen(to)) {
        memcpy(at, to, strlen(to));
        memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    }
}

void expect_told(const char *name, const char *told, const char *room)
{
    FILE *file = fopen(TEST_SOURCE_DIR "/tests/golden/play-told.txt", "r");
    char line[LINE_BYTES_MAX], golden[LINE_BYTES_MAX];
    bool found = false;

    cr_assert_lt(snprintf(line, sizeof line, "%s: %s\n", name, told), LINE_BYTES_MAX);
    if (room)
        replace(line, room, "ROOM");
    while (file && !found && fgets(golden, sizeof golden, file))
        found = strcmp(golden, line) == 0;
    cr_expect(found, "not in tests/golden/play-told.txt:\n%s", line);
    if (file)
        fclose(file);
}
