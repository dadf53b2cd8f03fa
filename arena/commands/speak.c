#include "arena/commands/commands.h"

#include <stdarg.h>
#include <stdio.h>

__attribute__((format(printf, 1, 0))) static void print_line(const char *format, va_list arguments)
{
    fflush(stdout);
    fputs("arena: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

int command_refuse(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    return COMMAND_USAGE;
}

int command_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    return COMMAND_FAILED;
}
