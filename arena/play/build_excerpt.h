/*
 * Selects the lines of a failed build's output that say why it failed: those that report an error,
 * or else the last ones. Pure.
 */
#ifndef ARENA_PLAY_BUILD_EXCERPT_H
#define ARENA_PLAY_BUILD_EXCERPT_H

#include <stddef.h>

enum build_excerpt_limits {
    BUILD_EXCERPT_LINES = 20,
};

/*
 * Returns a string of whole lines, which the caller frees; "" if nothing was printed; NULL if
 * memory runs out.
 */
char *build_excerpt(const char *text, size_t size);

#endif
