/* SPDX-License-Identifier: MIT */
/*
 * Writes text for people. All untrusted text goes through this module, so that it cannot control a
 * terminal or look like another text: control characters (C0, C1, DEL), characters that change the
 * direction of text, invisible characters, blanks other than a space, and bytes that are not UTF-8
 * are escaped. Functions write only to the given stream.
 */
#ifndef ARENA_BASE_PLAIN_TEXT_H
#define ARENA_BASE_PLAIN_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Like fprintf, except that the text of an %s is escaped, the width of an %s counts terminal
 * columns, and its precision counts bytes. Supports only the conversions d i u x X o c f e g s %
 * and the lengths l ll z. The format must not come from a stranger.
 */
void plain_text_printf(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
void plain_text_vprintf(FILE *stream, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

/* Returns the ending of a counted noun: "s", or "" if the count is 1. */
const char *plain_text_s(int64_t count);

/* Returns how many terminal columns an escaped text needs, with one column per character. */
size_t plain_text_columns(const void *bytes, size_t size);

/* Writes at most limit_chars characters of a text, escaped; then "..." if the text is longer. */
void plain_text_print(FILE *stream, const void *bytes, size_t size, size_t limit_chars);

/*
 * Writes a text of any length, line by line: escapes everything but line ends and tabs, writes
 * blanks in place of tabs, and adds a line end after the last line.
 */
void plain_text_print_lines(FILE *stream, const void *bytes, size_t size);

/*
 * Writes text that is already escaped. Wraps each line at spaces to that many columns, and indents
 * the lines that continue it; columns 0: no wrapping.
 */
void plain_text_wrap(FILE *stream, const char *text, size_t columns, size_t indent);

/* Returns an escaped text, which the caller frees; NULL if memory runs out. */
char *plain_text(const char *text);

#endif
