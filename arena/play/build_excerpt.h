/*
 * Of all that a failed build printed, the lines that say why: those that name an error, or else
 * the last ones. Pure.
 */
#ifndef ARENA_PLAY_BUILD_EXCERPT_H
#define ARENA_PLAY_BUILD_EXCERPT_H

#include <stddef.h>

enum build_excerpt_limits {
    BUILD_EXCERPT_LINES = 20,
};

/* A string of whole lines for the caller to free, "" if nothing was printed; NULL: no memory. */
char *build_excerpt(const char *text, size_t size);

#endif
