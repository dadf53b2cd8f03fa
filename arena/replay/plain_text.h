/*
 * Foreign bytes as text that cannot do anything to a terminal: control characters, and
 * what is no UTF-8, are shown escaped. Only writes to the stream that it is given.
 */
#ifndef ARENA_REPLAY_PLAIN_TEXT_H
#define ARENA_REPLAY_PLAIN_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes at most limit_chars characters; "..." stands for what is left out. */
void plain_text_print(FILE *stream, const void *bytes, size_t size, size_t limit_chars);

/* All of a text, for the caller to free; NULL when memory is out. */
char *plain_text(const char *text);

/* Writes a message of the wire, as JSON if it is a whole one, else as bytes. */
void plain_text_print_message(FILE *stream, const uint8_t *bytes, size_t size, size_t limit_chars);

#endif
