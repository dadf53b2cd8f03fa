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

/*
 * Begins a table that scrolls by itself if it is wider than the page; its rows follow. headings end
 * with NULL; the first character of one may say more about its column: '<' text, aligned to the
 * left; '.' text that a phone has no room for; '>' numbers, sorted from the largest. With one of
 * these all columns can be sorted.
 */
void html_table_begin(FILE *page, const char *label, const char *const *headings);
void html_table_end(FILE *page);

/* ---- what all pages have in common ---- */

/* One link in the line at the top; target is a path relative to the page. */
struct page_link {
    const char *target, *text;
};

enum html_limits {
    HTML_HASH_BYTES = 64,
};

/* The script and the style that a kind of page contains. */
struct page_code {
    const char *script, *style;
    int form; /* of the HTML around them; raise when that changes */
    /* For the policy of the page; filled in by the first page_head, as a site has many pages. */
    char script_hash[HTML_HASH_BYTES], style_hash[HTML_HASH_BYTES];
};

/* Returns a number for how this version of the arena writes such pages. */
uint64_t page_code_form(const struct page_code *code);

/* Begins a page: all of its head but title and style. */
void page_head(FILE *page, struct page_code *code);

/* The form of all pages but matches. */
uint64_t page_form(void);

/*
 * Begins any page but a match: head, style and a line of links. title is unescaped; the links end
 * with one whose text is NULL. feed is a relative path or NULL.
 */
void page_begin(FILE *page, const char *title, const struct page_link *links, const char *feed);
void page_end(FILE *page);

#endif
