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

/* ---- what all pages have in common ---- */

/* A link in the line at the top of a page; target is a path relative to the page. */
struct page_link {
    const char *target, *text;
};

enum html_limits {
    HTML_HASH_BYTES = 64,
};

/* The script and the style that all pages of one kind contain. */
struct page_code {
    const char *script, *style;
    int form;          /* version of the HTML around script and style; raised with each change */
    bool runs_modules; /* the script runs WebAssembly */
    /*
     * Hashes for the pages' Content-Security-Policy. The first page_head computes them; the other
     * pages of the site reuse them.
     */
    char script_hash[HTML_HASH_BYTES], style_hash[HTML_HASH_BYTES];
};

/*
 * Returns a number that is different for each version of the arena that writes pages of this kind
 * differently.
 */
uint64_t page_code_form(const struct page_code *code);

/* Begins a page: writes its whole head except title and style. */
void page_head(FILE *page, struct page_code *code);

/*
 * Sets what pages from now on have in common: whether they link to /live, which `arena web` serves,
 * and how to reach the organizer (NULL: unknown), which must stay valid.
 */
void page_set_terms(bool links_live, const char *contact);

/* Writes the link to /live, if pages have one. */
void page_live_link(FILE *page);

/* Returns page_code_form of all pages except the pages of matches. */
uint64_t page_form(void);

/*
 * Begins a page that is not the page of a match: writes the head, the style and a line of links.
 * title is unescaped; links ends with a link whose text is NULL. feed is a relative path or NULL.
 */
void page_begin(FILE *page, const char *title, const struct page_link *links, const char *feed);
void page_end(FILE *page);

#endif
