/* SPDX-License-Identifier: MIT */
/*
 * Pages from templates (template.h): what all pages of a publication have in common, and the
 * templates, which are part of the program, or in a folder while somebody works on them.
 */
#ifndef ARENA_SITE_PAGE_H
#define ARENA_SITE_PAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "arena/site/template.h"

struct page_terms {
    bool links_live;       /* pages link to /live, which `arena web` serves */
    const char *cards;     /* address of the site, with "/" at its end, if pages name cards (card.h)
                              there; else NULL */
    const char *contact;   /* how to reach the organizer; NULL: unknown */
    const char *templates; /* folder with a file for each template; NULL: the program's own */
};

/*
 * Begins a publication: reads the templates. A page by itself, such as that of `arena replay
 * --html`, needs no page_open. Returns 0; or -errno with `error` set, after which no
 * page can be written. The caller ends the publication with page_close in any case.
 */
int page_open(const struct page_terms *terms, char error[static TEMPLATE_ERROR_BYTES]);
void page_close(void);

/*
 * Returns a number that is different for each build of the program, which makes the data, for each
 * text of templates in a folder, and for other terms.
 */
uint64_t page_form(void);

/*
 * Returns `code` of pages that have this script and style: both, and their hashes for the pages'
 * Content-Security-Policy. runs_modules: the script runs WebAssembly. A new reference.
 */
json_t *page_code(const char *script, const char *style, bool runs_modules);

/*
 * Writes a page from the template of that name. Takes over the caller's reference to the data,
 * which are an object, and adds `site`: what all pages have in common; and `code`, that of all
 * pages but those of matches and the one for playing, unless the data have it. After a failure,
 * page_failure tells of it.
 */
void page_write(FILE *page, const char *template, json_t *data);

/* Scripts and styles that many pages have; the last is NULL. */
extern const char *const page_common[];

/*
 * Returns the path of a card in the site, for `card` of a page's data: of a season, or of its bot.
 * Where `arena web` draws cards, that of the bot; a folder has only cards of seasons. Pages without
 * `card` have that of the home page. A new reference.
 */
#define PAGE_CARD "picture.png"
json_t *page_card(const char *season, const char *bot);

/* Returns the first failure since page_open, in one line; NULL if there was none. */
const char *page_failure(void);

/* Returns at most `most` characters of bytes that a bot wrote, as printable text. */
json_t *page_text(const void *bytes, size_t size, size_t most);

#endif
