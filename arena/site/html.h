/*
 * HTML written so that no foreign text becomes markup: every text and attribute is escaped, and
 * control and bidirectional characters are shown as such. Only writes to the stream that it is
 * given.
 */
#ifndef ARENA_SITE_HTML_H
#define ARENA_SITE_HTML_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum html_limits {
    HTML_HASH_BYTES = 64, /* room for a hash of html_hash and its final 0 */
};

/* Text of an element or a quoted attribute, whatever its bytes; at most limit_chars characters. */
void html_bytes(FILE *page, const void *bytes, size_t size, size_t limit_chars);
void html_text(FILE *page, const char *text);

/* As printf; what comes out is foreign text and escaped as such. */
void html_format(FILE *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The escaping of text that plain_text has gone over already: names, words. */
void html_plain(FILE *page, const char *plain);

/* JSON for a <script type="application/json">, which nothing in it can end. */
void html_json(FILE *page, const json_t *json);

/* Bytes as base64. */
void html_base64(FILE *page, const uint8_t *bytes, size_t size);

/* "sha256-...", by which a Content-Security-Policy allows a script or a style. */
void html_hash(const char *source, char hash[static HTML_HASH_BYTES]);

#endif
