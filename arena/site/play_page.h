/* SPDX-License-Identifier: MIT */
/*
 * The page on which people play against the bundled bots: one file that makes no requests and works
 * without a web server. Its script plays by the engine itself, compiled to WebAssembly
 * (bots/browser). Without a compiler for WebAssembly the program, and so the site, has no such
 * page.
 */
#ifndef ARENA_SITE_PLAY_PAGE_H
#define ARENA_SITE_PLAY_PAGE_H

#include <jansson.h>
#include <stdbool.h>

#include "arena/site/page.h"

#define PLAY_PAGE_PATH "play.html"

bool play_page_exists(void);
/* True for the name of a bot that the page plays against. */
bool play_page_has(const char *bot);
/* Returns the page, for the template play: a new reference. */
json_t *play_page(struct pages *pages);

#endif
