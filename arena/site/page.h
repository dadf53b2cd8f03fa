/* SPDX-License-Identifier: MIT */
/*
 * Pages from templates (template.h): what all pages of a publication, or of a thread that makes
 * pages on request, have in common, and the templates, which are part of the program, or in a
 * folder while somebody works on them.
 */
#ifndef ARENA_SITE_PAGE_H
#define ARENA_SITE_PAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "arena/site/template.h"

struct page_terms {
    bool links_live;   /* pages link to /live, which `arena web` serves */
    bool links_play;   /* pages link to the page for playing (play_page.h) */
    const char *cards; /* address of the site, without "/" at its end, if pages name cards (card.h)
                          there; else NULL */
    const char *contact;   /* how to reach the organizer; NULL: unknown */
    const char *templates; /* folder with a file for each template; NULL: the program's own */
};

/* What pages have in common. For one thread at a time. */
struct pages;

/*
 * Reads the templates. Copies the terms; NULL are those of a page by itself, such as that of `arena
 * replay --html`. Returns NULL after writing one line to error.
 */
struct pages *pages_create(const struct page_terms *terms, char error[static TEMPLATE_ERROR_BYTES]);
void pages_destroy(struct pages *pages); /* accepts NULL */

/*
 * Returns a number that is different for each build of the program, which makes the data, for each
 * text of templates in a folder, and for other terms.
 */
uint64_t pages_form(const struct pages *pages);

/*
 * Returns `code` of pages that have this script and style: both, and their hashes for the pages'
 * Content-Security-Policy. runs_modules: the script runs WebAssembly. A new reference.
 */
json_t *page_code(struct pages *pages, const char *script, const char *style, bool runs_modules);

/*
 * Writes a page from the template of that name. Takes over the caller's reference to the data,
 * which are an object, and adds what all pages have: `site`, `docs`, `learn`; and, unless the data
 * have them, `card` and the `code` of most pages. Returns 0; or -errno after writing one line to
 * error, and then the page is incomplete.
 */
int page_write(struct pages *pages, FILE *page, const char *template, json_t *data,
               char error[static TEMPLATE_ERROR_BYTES]);

/* Scripts and styles that many pages have; the last is NULL. */
extern const char *const page_common[];

/*
 * The file of a card, in the site's folder or in a season's: `card` of a page's data is the path of
 * its card in the site, that of the home page unless the data say. `live_card` is in its place
 * where `arena web` draws cards, which are more than a folder has.
 */
#define PAGE_CARD "picture.png"

/* Returns at most `most` characters of bytes that a bot wrote, as printable text. */
json_t *page_text(const void *bytes, size_t size, size_t most);

#endif
