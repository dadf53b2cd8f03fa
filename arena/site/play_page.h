/*
 * The page on which people play against the bundled bots: one file that makes no requests and works
 * without a web server. Its script plays by the engine itself, compiled to WebAssembly
 * (bots/browser).
 */
#ifndef ARENA_SITE_PLAY_PAGE_H
#define ARENA_SITE_PLAY_PAGE_H

#include <stdbool.h>
#include <stdio.h>

/* Path of the page in the site. */
#define PLAY_PAGE_PATH "play.html"

/*
 * False if the program was built without a compiler for WebAssembly; the site then has no such
 * page.
 */
bool play_page_exists(void);

void play_page_write(FILE *page);

#endif
