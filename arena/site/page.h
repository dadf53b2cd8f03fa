/*
 * What all pages of the site but the viewer have in common: head, style, script, and a line of
 * links back. Writes to the stream that it is given.
 */
#ifndef ARENA_SITE_PAGE_H
#define ARENA_SITE_PAGE_H

#include <stdint.h>
#include <stdio.h>

enum page_limits {
    PAGE_START_BYTES = 128, /* room for page_start's text and its final 0 */
};

/* One link of the line at the top; target is a path relative to the page. */
struct page_link {
    const char *target, *text;
};

/*
 * What a page begins with: a page that was written by this arena under this key, for what it shows,
 * begins with the same.
 */
void page_start(uint64_t key, char start[static PAGE_START_BYTES]);

/* title is plain text; links end with one without text. feed is a relative path or NULL. */
void page_begin(FILE *page, uint64_t key, const char *title, const struct page_link *links,
                const char *feed);

void page_end(FILE *page);

#endif
