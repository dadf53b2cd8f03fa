/*
 * printf for output that people read. Each directive of a format is handled separately: numbers are
 * passed to fprintf, the text of %s to plain_text_print.
 */
#include "arena/replay/plain_text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIRECTIVE_BYTES = 32, /* "%-+0" and two numbers, formatted again */
};

/* One directive: %[flags][width][.precision][length]conversion. */
struct directive {
    char flags[6];
    int width;     /* 0: none */
    int precision; /* -1: none */
    char length;   /* 0, 'h', 'H' for hh, 'l', 'L' for ll, 'j', 'z', 't' */
    char conversion;
};

/*
 * Wraps va_list, so that it can be passed by address: a function that passes a va_list by value may
 * not use it afterwards.
 */
struct arguments {
    va_list list;
};

static int read_number(const char **at, struct arguments *arguments)
{
    int number = 0;

    if (**at == '*') {
        ++*at;
        return va_arg(arguments->list, int);
    }
    for (; **at >= '0' && **at <= '9'; ++*at)
        number = 10 * number + (**at - '0');
    return number;
}

static void read_length(const char **at, struct directive *directive)
{
    if (!**at || !strchr("hljzt", **at))
        return;
    directive->length = *(*at)++;
    if (**at != directive->length)
        return;
    directive->length = directive->length == 'h' ? 'H' : 'L';
    ++*at;
}

/* Parses the directive after a '%' and advances past it. */
static struct directive read_directive(const char **at, struct arguments *arguments)
{
    struct directive directive = {.precision = -1};
    size_t flags = 0;

    for (; **at && strchr("-+ #0", **at) && flags < sizeof directive.flags - 1; ++*at)
        directive.flags[flags++] = **at;
    directive.width = read_number(at, arguments);
    if (directive.width < 0 && flags < sizeof directive.flags - 1) {
        directive.flags[flags++] = '-';
        directive.width = -directive.width;
    }
    if (**at == '.') {
        ++*at;
        directive.precision = read_number(at, arguments);
    }
    read_length(at, &directive);
    directive.conversion = *(*at)++;
    return directive;
}

static void rebuild(const struct directive *directive, const char *length,
                    char text[static DIRECTIVE_BYTES])
{
    int size = snprintf(text, DIRECTIVE_BYTES, "%%%s", directive->flags);

    if (directive->width > 0)
        size += snprintf(text + size, DIRECTIVE_BYTES - (size_t)size, "%d", directive->width);
    if (directive->precision >= 0)
        size += snprintf(text + size, DIRECTIVE_BYTES - (size_t)size, ".%d", directive->precision);
    snprintf(text + size, DIRECTIVE_BYTES - (size_t)size, "%s%c", length, directive->conversion);
}

static intmax_t next_signed(struct arguments *arguments, char length)
{
    switch (length) {
    case 'l':
        return va_arg(arguments->list, long);
    case 'L':
        return va_arg(arguments->list, long long);
    case 'j':
        return va_arg(arguments->list, intmax_t);
    case 'z':
        return va_arg(arguments->list, ssize_t);
    case 't':
        return va_arg(arguments->list, ptrdiff_t);
    default:
        return va_arg(arguments->list, int);
    }
}

static uintmax_t next_unsigned(struct arguments *arguments, char length)
{
    switch (length) {
    case 'l':
        return va_arg(arguments->list, unsigned long);
    case 'L':
        return va_arg(arguments->list, unsigned long long);
    case 'j':
        return va_arg(arguments->list, uintmax_t);
    case 'z':
        return va_arg(arguments->list, size_t);
    case 't':
        return (uintmax_t)va_arg(arguments->list, ptrdiff_t);
    case 'h':
        return (unsigned short)va_arg(arguments->list, unsigned);
    case 'H':
        return (unsigned char)va_arg(arguments->list, unsigned);
    default:
        return va_arg(arguments->list, unsigned);
    }
}

static void print_spaces(FILE *stream, int count)
{
    for (; count > 0; count--)
        fputc(' ', stream);
}

static void print_string(FILE *stream, const struct directive *directive, const char *text)
{
    size_t size =
        directive->precision >= 0 ? strnlen(text, (size_t)directive->precision) : strlen(text);
    int spaces = directive->width - (int)plain_text_columns(text, size);
    bool left = strchr(directive->flags, '-') != NULL;

    if (!left)
        print_spaces(stream, spaces);
    plain_text_print(stream, text, size, SIZE_MAX);
    if (left)
        print_spaces(stream, spaces);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* the format is a checked directive */

static void print_directive(FILE *stream, const struct directive *directive,
                            struct arguments *arguments)
{
    char text[DIRECTIVE_BYTES];

    switch (directive->conversion) {
    case '%':
        fputc('%', stream);
        return;
    case 's':
        print_string(stream, directive, va_arg(arguments->list, const char *));
        return;
    case 'c':
        rebuild(directive, "", text);
        fprintf(stream, text, va_arg(arguments->list, int));
        return;
    case 'd':
    case 'i':
        rebuild(directive, "j", text);
        fprintf(stream, text, next_signed(arguments, directive->length));
        return;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        rebuild(directive, "j", text);
        fprintf(stream, text, next_unsigned(arguments, directive->length));
        return;
    case 'f':
    case 'e':
    case 'g':
        rebuild(directive, "", text);
        fprintf(stream, text, va_arg(arguments->list, double));
        return;
    default:
        assert(false && "a directive that plain_text_printf does not know");
    }
}

#pragma GCC diagnostic pop

void plain_text_vprintf(FILE *stream, const char *format, va_list list)
{
    struct arguments arguments;

    va_copy(arguments.list, list);
    while (*format) {
        size_t literal = strcspn(format, "%");
        struct directive directive;

        fwrite(format, 1, literal, stream);
        format += literal;
        if (!*format)
            break;
        format++;
        directive = read_directive(&format, &arguments);
        print_directive(stream, &directive, &arguments);
    }
    va_end(arguments.list);
}

void plain_text_printf(FILE *stream, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    plain_text_vprintf(stream, format, list);
    va_end(list);
}
