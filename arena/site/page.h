/*
 * Common to all pages of the site except the viewer: head, style, script, and a line of links back.
 * Writes to the given stream.
 */
#ifndef ARENA_SITE_PAGE_H
#define ARENA_SITE_PAGE_H

#include <stdint.h>
#include <stdio.h>

/* One link in the line at the top; target is a path relative to the page. */
struct page_link {
    const char *target, *text;
};

/* Returns a number for how this version of the arena writes pages. */
uint64_t page_form(void);

/*
 * title is unescaped; the links end with one whose text is NULL. feed is a relative path or NULL.
 */
void page_begin(FILE *page, const char *title, const struct page_link *links, const char *feed);

void page_end(FILE *page);

#endif
