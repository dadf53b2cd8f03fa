/*
 * Writes HTML in which untrusted text cannot become markup: every text and attribute is escaped,
 * and control and bidirectional characters are shown as escapes. Writes only to the given stream.
 */
#ifndef ARENA_SITE_HTML_H
#define ARENA_SITE_HTML_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum html_limits {
    HTML_HASH_BYTES = 64, /* room for html_hash's result and its NUL */
};

/* Text of an element or a quoted attribute, of any bytes; at most limit_chars characters. */
void html_bytes(FILE *page, const void *bytes, size_t size, size_t limit_chars);
void html_text(FILE *page, const char *text);

/* The same as printf, but escapes the result as untrusted text. */
void html_format(FILE *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Escapes text that plain_text has already been applied to: names, words. */
void html_plain(FILE *page, const char *plain);

/*
 * JSON for a <script type="application/json">, escaped so that no text in it can close the element.
 */
void html_json(FILE *page, const json_t *json);

/* Bytes as base64. */
void html_base64(FILE *page, const uint8_t *bytes, size_t size);

/* Writes "sha256-...", with which a Content-Security-Policy allows a script or a style. */
void html_hash(const char *source, char hash[static HTML_HASH_BYTES]);

#endif
