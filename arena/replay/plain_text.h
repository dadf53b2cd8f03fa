/*
 * Writes text for people. All untrusted text goes through here, so that it cannot control a
 * terminal: control characters (C0, C1, DEL), characters that change the direction of text, and
 * bytes that are not UTF-8 are escaped. Writes only to the given stream.
 */
#ifndef ARENA_REPLAY_PLAIN_TEXT_H
#define ARENA_REPLAY_PLAIN_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * The same as fprintf, except that the text of %s is escaped, its width counts terminal columns,
 * and its precision counts bytes. Supports only d i u x X o c f e g s % and the lengths l ll z. The
 * format must be trusted.
 */
void plain_text_printf(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
void plain_text_vprintf(FILE *stream, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

/* Returns how many terminal columns a text needs after escaping, one per character. */
size_t plain_text_columns(const void *bytes, size_t size);

/* Writes at most limit_chars characters; "..." marks what is left out. */
void plain_text_print(FILE *stream, const void *bytes, size_t size, size_t limit_chars);

/* The same without a limit: keeps line ends, and adds one at the end if it is missing. */
void plain_text_print_lines(FILE *stream, const void *bytes, size_t size);

/*
 * Writes lines of text that is already escaped, each wrapped at spaces to that many columns; what
 * follows a break is indented. Columns 0: lines are not wrapped.
 */
void plain_text_wrap(FILE *stream, const char *text, size_t columns, size_t indent);

/* Returns the whole text escaped, for the caller to free; NULL if memory runs out. */
char *plain_text(const char *text);

/* Writes a wire message: as JSON if it is complete and valid, else as bytes. */
void plain_text_print_message(FILE *stream, const uint8_t *bytes, size_t size, size_t limit_chars);

#endif
