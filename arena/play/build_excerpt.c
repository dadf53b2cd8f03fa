#include "arena/play/build_excerpt.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What compilers, linkers, runtimes and shells print for an error, in upper or lower case. */
static const char *const signs[] = {
    "error",      "fatal",     "undefined reference", "cannot find",       "not found",
    "no such",    "exception", "traceback",           "permission denied", "panic",
    "unresolved", "failed",    "no rule to make",
};

/* These are not errors: "0 errors", "no errors". */
static const char *const no_signs[] = {"0 error", "no error", "-Werror"};

static bool has(const char *line, size_t size, const char *word)
{
    size_t length = strlen(word);

    for (size_t at = 0; at + length <= size; at++)
        if (strncasecmp(line + at, word, length) == 0)
            return true;
    return false;
}

static size_t digits(const char *line, size_t size, size_t at)
{
    size_t end = at;

    while (end < size && line[end] >= '0' && line[end] <= '9')
        end++;
    return end - at;
}

/* True for FILE:LINE:COLUMN: with which Go and others report an error without a word for it. */
static bool has_place(const char *line, size_t size)
{
    for (size_t at = 1; at < size; at++) {
        size_t row = line[at] == ':' ? digits(line, size, at + 1) : 0;
        size_t column = at + 1 + row;

        if (row > 0 && column < size && line[column] == ':') {
            size_t end = column + 1 + digits(line, size, column + 1);

            if (end > column + 1 && end < size && line[end] == ':')
                return !has(line, size, "warning") && !has(line, size, "note");
        }
    }
    return false;
}

static bool names_error(const char *line, size_t size)
{
    for (size_t i = 0; i < sizeof no_signs / sizeof *no_signs; i++)
        if (has(line, size, no_signs[i]))
            return false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (has(line, size, signs[i]))
            return true;
    return has_place(line, size);
}

/* Returns the size of the line at text, including its line end. */
static size_t line_bytes(const char *text, size_t size)
{
    const char *end = memchr(text, '\n', size);

    return end ? (size_t)(end - text) + 1 : size;
}

/* Copies at most BUILD_EXCERPT_LINES lines; errors: only those that report one. */
static size_t copy_lines(char *excerpt, const char *text, size_t size, bool errors)
{
    size_t used = 0;

    for (size_t at = 0, count = 0, line; at < size && count < BUILD_EXCERPT_LINES; at += line) {
        line = line_bytes(text + at, size - at);
        if (errors && !names_error(text + at, line))
            continue;
        memcpy(excerpt + used, text + at, line);
        used += line;
        count++;
    }
    excerpt[used] = '\0';
    return used;
}

char *build_excerpt(const char *text, size_t size)
{
    char *excerpt = malloc(size + 1);
    size_t from = size, lines = 0;

    if (!excerpt || copy_lines(excerpt, text, size, true) > 0)
        return excerpt;
    while (from > 0 && (from == size || text[from - 1] != '\n' || ++lines < BUILD_EXCERPT_LINES))
        from--;
    copy_lines(excerpt, text + from, size - from, false);
    return excerpt;
}
