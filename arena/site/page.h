/*
 * Common to all pages of the site except the viewer: head, style, script, and a line of links back.
 * Writes to the given stream.
 */
#ifndef ARENA_SITE_PAGE_H
#define ARENA_SITE_PAGE_H

#include <stdint.h>
#include <stdio.h>

enum page_limits {
    PAGE_START_BYTES = 128, /* room for page_start's text and its NUL */
};

/* One link in the line at the top; target is a path relative to the page. */
struct page_link {
    const char *target, *text;
};

/*
 * Writes the beginning of a page. Two pages begin the same if this version of the arena wrote them
 * with the same key, which stands for their contents.
 */
void page_start(uint64_t key, char start[static PAGE_START_BYTES]);

/*
 * title is unescaped; the links end with one whose text is NULL. feed is a relative path or NULL.
 */
void page_begin(FILE *page, uint64_t key, const char *title, const struct page_link *links,
                const char *feed);

void page_end(FILE *page);

#endif
