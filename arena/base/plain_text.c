/* SPDX-License-Identifier: MIT */
#include "arena/base/plain_text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/memory.h"
#include "sdk/wire.h"

/*
 * True for characters that make text misleading: direction marks reorder text on the screen; line
 * and paragraph separators hide where text ends; invisible characters, and blanks other than a
 * space, make two texts look equal.
 */
static bool is_deceptive(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0xa0, 0xa0},     {0xad, 0xad},     {0x34f, 0x34f},    {0x61c, 0x61c},
                  {0x115f, 0x1160}, {0x1680, 0x1680}, {0x17b4, 0x17b5},  {0x180b, 0x180f},
                  {0x2000, 0x200f}, {0x2028, 0x202f}, {0x205f, 0x206f},  {0x2800, 0x2800},
                  {0x3000, 0x3000}, {0x3164, 0x3164}, {0xfe00, 0xfe0f},  {0xfeff, 0xfeff},
                  {0xffa0, 0xffa0}, {0xfff9, 0xfffb}, {0xe0000, 0xe01ef}};

    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

/*
 * Returns the size in bytes of the first character, or 0 if the character must be escaped: invalid
 * UTF-8, a misleading character, or a control character (also 0x80 to 0x9f, which terminals obey).
 */
static size_t character_bytes(const uint8_t *bytes, size_t size)
{
    uint32_t code;
    size_t count = wire_character((const char *)bytes, size, &code);

    if (count == 0 || code < 0x20 || (code >= 0x7f && code < 0xa0) || is_deceptive(code))
        return 0;
    return count;
}

enum {
    ESCAPE_BYTES = 5, /* room for an escape such as "\x1b" and the terminating NUL */
    TAB_COLUMNS = 8,
};

/* Writes one byte as an escape. Returns how many columns the escape needs. */
static size_t write_escape(char text[static ESCAPE_BYTES], uint8_t byte)
{
    static const char named[] = "\n\r\t", names[] = "nrt";
    const char *name = byte ? strchr(named, byte) : NULL;

    return (size_t)(name ? snprintf(text, ESCAPE_BYTES, "\\%c", names[name - named])
                         : snprintf(text, ESCAPE_BYTES, "\\x%02x", byte));
}

const char *plain_text_s(int64_t count)
{
    return count == 1 ? "" : "s";
}

size_t plain_text_columns(const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    char escape[ESCAPE_BYTES];
    size_t columns = 0;

    while (size > 0) {
        size_t count = character_bytes(at, size);

        columns += count ? 1 : write_escape(escape, *at);
        count = count ? count : 1;
        at += count;
        size -= count;
    }
    return columns;
}

void plain_text_print(FILE *stream, const void *bytes, size_t size, size_t limit_chars)
{
    const uint8_t *at = bytes;
    char escape[ESCAPE_BYTES];

    for (size_t chars = 0; size > 0; chars++) {
        size_t count = character_bytes(at, size);

        if (chars == limit_chars) {
            fputs("...", stream);
            return;
        }
        if (count == 0) {
            write_escape(escape, *at);
            fputs(escape, stream);
            count = 1;
        } else {
            fwrite(at, 1, count, stream);
        }
        at += count;
        size -= count;
    }
}

/* Writes a line, escaped, with blanks in place of tabs: to the next multiple of TAB_COLUMNS. */
static void print_line(FILE *stream, const char *at, const char *end)
{
    size_t column = 0;

    for (;;) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        const size_t size = (size_t)((tab ? tab : end) - at);

        plain_text_print(stream, at, size, SIZE_MAX);
        if (!tab)
            break;
        column += plain_text_columns(at, size);
        fprintf(stream, "%*s", (int)(TAB_COLUMNS - column % TAB_COLUMNS), "");
        column += TAB_COLUMNS - column % TAB_COLUMNS;
        at = tab + 1;
    }
    fputc('\n', stream);
}

void plain_text_print_lines(FILE *stream, const void *bytes, size_t size)
{
    const char *at = bytes, *end = at + size;

    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));

        line_end = line_end ? line_end : end;
        print_line(stream, at, line_end);
        at = line_end + 1;
    }
}

char *plain_text(const char *text)
{
    char *plain = NULL;
    size_t size;
    FILE *stream = memory_stream(&plain, &size);

    plain_text_print(stream, text, strlen(text), SIZE_MAX);
    memory_stream_end(stream);
    return plain;
}

/* ---- printf ---- */

enum {
    DIRECTIVE_BYTES = 64, /* room for a directive in which numbers have replaced the asterisks */
};

/*
 * One directive of a format, and the arguments for it and for later directives. The va_list is in a
 * struct, because a function that passes a va_list by value must not use that va_list afterwards.
 */
struct directive {
    va_list arguments;
    char text[DIRECTIVE_BYTES]; /* the directive as fprintf needs it, such as "%-12s" */
};

/* Reads the directive at format, which begins with '%'. Returns the text after the directive. */
static const char *read_directive(struct directive *directive, const char *format)
{
    const char *end = format + 1 + strspn(format + 1, "-+ #0123456789.*hlz") + 1;
    size_t size = 0;

    for (; format < end; format++) {
        assert(*format && size + 16 < DIRECTIVE_BYTES);
        if (*format == '*')
            size +=
                (size_t)sprintf(directive->text + size, "%d", va_arg(directive->arguments, int));
        else
            directive->text[size++] = *format;
    }
    directive->text[size] = '\0';
    return end;
}

/*
 * Prints the argument of an "%s", padded to its width: spaces go to the left, or to the right if
 * the width is negative.
 */
static void print_string(FILE *stream, struct directive *directive)
{
    const char *text = va_arg(directive->arguments, const char *);
    const char *point = strchr(directive->text, '.');
    size_t size = point ? strnlen(text, strtoul(point + 1, NULL, 10)) : strlen(text);
    int width = atoi(directive->text + 1);
    int spaces = abs(width) - (int)plain_text_columns(text, size);

    fprintf(stream, "%*s", width > 0 && spaces > 0 ? spaces : 0, "");
    plain_text_print(stream, text, size, SIZE_MAX);
    fprintf(stream, "%*s", width < 0 && spaces > 0 ? spaces : 0, "");
}

/* The format is a directive of the caller's format. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void print_directive(FILE *stream, struct directive *directive)
{
    const char *text = directive->text, *conversion = text + strlen(text) - 1;

    if (*conversion == 's')
        print_string(stream, directive);
    else if (*conversion == '%')
        fputc('%', stream);
    else if (strchr("feg", *conversion))
        fprintf(stream, text, va_arg(directive->arguments, double));
    else if (strstr(text, "ll"))
        fprintf(stream, text, va_arg(directive->arguments, long long));
    else if (strchr(text, 'l'))
        fprintf(stream, text, va_arg(directive->arguments, long));
    else if (strchr(text, 'z'))
        fprintf(stream, text, va_arg(directive->arguments, size_t));
    else {
        assert(strchr("diuxXoc", *conversion));
        fprintf(stream, text, va_arg(directive->arguments, int));
    }
}

#pragma GCC diagnostic pop

void plain_text_vprintf(FILE *stream, const char *format, va_list list)
{
    struct directive directive;

    va_copy(directive.arguments, list);
    while (*format) {
        size_t literal = strcspn(format, "%");

        fwrite(format, 1, literal, stream);
        format += literal;
        if (*format) {
            format = read_directive(&directive, format);
            print_directive(stream, &directive);
        }
    }
    va_end(directive.arguments);
}

void plain_text_printf(FILE *stream, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    plain_text_vprintf(stream, format, list);
    va_end(list);
}

/* ---- wrapping ---- */

/* Returns the size in bytes of the first `columns` characters of a line. */
static size_t bytes_of_columns(const char *text, size_t size, size_t columns)
{
    size_t bytes = 0;

    while (bytes < size && columns-- > 0)
        do
            bytes++;
        while (bytes < size && ((unsigned char)text[bytes] & 0xc0) == 0x80);
    return bytes;
}

static void wrap_line(FILE *stream, const char *text, size_t size, size_t columns, size_t indent)
{
    size_t room = columns ? columns : size;

    for (size_t fits = bytes_of_columns(text, size, room); fits < size;
         fits = bytes_of_columns(text, size, room)) {
        size_t end = fits;

        while (end > indent && text[end] != ' ')
            end--;
        if (end <= indent) /* the first word is longer than the line */
            end = fits;
        fwrite(text, 1, end, stream);
        fputc('\n', stream);
        for (size_t i = 0; i < indent; i++)
            fputc(' ', stream);
        while (end < size && text[end] == ' ')
            end++;
        text += end;
        size -= end;
        room = columns - indent;
    }
    fwrite(text, 1, size, stream);
    fputc('\n', stream);
}

void plain_text_wrap(FILE *stream, const char *text, size_t columns, size_t indent)
{
    while (*text) {
        size_t size = strcspn(text, "\n");

        wrap_line(stream, text, size, columns, indent);
        text += size + (text[size] == '\n');
    }
}
