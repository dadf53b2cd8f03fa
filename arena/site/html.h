/*
 * Writes HTML in which untrusted text cannot become markup: every text and attribute is escaped,
 * and control and bidirectional characters are shown as escapes. Writes only to the given stream.
 */
#ifndef ARENA_SITE_HTML_H
#define ARENA_SITE_HTML_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum html_limits {
    HTML_HASH_BYTES = 64,
};

/*
 * Writes bytes as the text of an element or of a quoted attribute; html_bytes writes at most
 * limit_chars characters. The bytes need not be UTF-8.
 */
void html_bytes(FILE *page, const void *bytes, size_t size, size_t limit_chars);
void html_text(FILE *page, const char *text);

/* Formats like fprintf and escapes the whole result as untrusted text. */
void html_format(FILE *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Writes text that plain_text has already made printable, such as names and words; escapes only
 * markup.
 */
void html_plain(FILE *page, const char *plain);

/* Writes JSON for a <script type="application/json">; no text in the JSON can close the element. */
void html_json(FILE *page, const json_t *json);

/* Writes a duration: "5 s", or "300 ms" if it is not a whole number of seconds. */
void html_ms(FILE *page, int64_t ms);

/* Writes a number of at least 0 with separators of thousands: 12,345. */
void html_count(FILE *page, int64_t count);

/*
 * Write a moment, microseconds since 1970; nothing for 0: as an element whose text the pages'
 * script shows in the reader's own time zone, or as "2026-11-21T20:15:09Z".
 */
void html_time(FILE *page, int64_t us);
void html_utc(FILE *page, int64_t us);

/* Writes the source "sha256-..." that allows a script or style in a Content-Security-Policy. */
void html_hash(const char *source, char hash[static HTML_HASH_BYTES]);

/* Writes bytes as base64. */
void html_base64(FILE *page, const uint8_t *bytes, size_t size);

/* Writes how to reach the organizer. Mail and web addresses in the words are links. */
void html_contact(FILE *page, const char *contact);

/*
 * Begins a table, which scrolls by itself if it is wider than the page; the caller then writes its
 * rows. headings ends with NULL. The first character of a heading may describe the column: '<'
 * text, aligned to the left; '.' text for which a phone has no room; '>' numbers, sorted from the
 * largest. If any heading has such a character, readers can sort the table by every column.
 */
void html_table_begin(FILE *page, const char *label, const char *const *headings);
void html_table_end(FILE *page);

#endif
