/*
 * What all pages of the site but the viewer have in common: head, style, script, and a line of
 * links back. Writes to the stream that it is given.
 */
#ifndef ARENA_SITE_PAGE_H
#define ARENA_SITE_PAGE_H

#include <stdio.h>

/* One link of the line at the top; target is a path relative to the page. */
struct page_link {
    const char *target, *text;
};

/* title is plain text; links end with one without text. feed is a relative path or NULL. */
void page_begin(FILE *page, const char *title, const struct page_link *links, const char *feed);

void page_end(FILE *page);

#endif
