/*
 * The one writer of text for people. Foreign bytes become text that cannot act on a
 * terminal: control characters (C0, C1, DEL), characters that change the direction of
 * text, and bytes that are not UTF-8 are escaped. Writes only to the stream it is given.
 */
#ifndef ARENA_REPLAY_PLAIN_TEXT_H
#define ARENA_REPLAY_PLAIN_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * As fprintf, but what %s stands for is escaped, and its width counts terminal columns; its
 * precision bounds bytes. Knows d i u x X o c f e g s %; a format comes from the source.
 */
void plain_text_printf(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
void plain_text_vprintf(FILE *stream, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

/* Terminal columns that a text takes once it is escaped, one a character. */
size_t plain_text_columns(const void *bytes, size_t size);

/* Writes at most limit_chars characters; "..." stands for what is left out. */
void plain_text_print(FILE *stream, const void *bytes, size_t size, size_t limit_chars);

/* The same without a limit, line by line: line ends are kept, the last one is supplied. */
void plain_text_print_lines(FILE *stream, const void *bytes, size_t size);

/* All of a text, for the caller to free; NULL when memory is out. */
char *plain_text(const char *text);

/* Writes a message of the wire, as JSON if it is a whole one, else as bytes. */
void plain_text_print_message(FILE *stream, const uint8_t *bytes, size_t size, size_t limit_chars);

#endif
