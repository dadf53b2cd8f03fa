/* SPDX-License-Identifier: MIT */
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

/* Writes bytes, which need not be UTF-8, as the text of an element or of a quoted attribute. */
void html_bytes(FILE *page, const void *bytes, size_t size);

/* Writes JSON for a <script type="application/json">; no text in the JSON can close the element. */
void html_json(FILE *page, const json_t *json);

/* Writes a duration: "5 s", or "300 ms" if it is not a whole number of seconds. */
void html_ms(FILE *page, int64_t ms);

/* Writes a duration like html_ms, or "0.2 ms" if it is not a whole number of milliseconds. */
void html_us(FILE *page, int64_t us);

/* Writes a number of at least 0 with separators of thousands: 12,345. */
void html_count(FILE *page, int64_t count);

/*
 * Writes a time of day, such as 2026-12-31T18:00:00Z, as an element whose text the pages' script
 * shows in the reader's own time zone.
 */
void html_time(FILE *page, const char *utc);

/* Writes the source "sha256-..." that allows a script or style in a Content-Security-Policy. */
void html_hash(const char *source, char hash[static HTML_HASH_BYTES]);

/* Writes how to reach the organizer. Mail and web addresses in the words are links. */
void html_contact(FILE *page, const char *contact);

#endif
