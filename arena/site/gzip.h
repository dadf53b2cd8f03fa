/* SPDX-License-Identifier: MIT */
/*
 * Pages in gzip's format. Most of a page is script and style that a thousand others have too: such
 * a text is compressed once, and its compressed form copied into each page.
 */
#ifndef ARENA_SITE_GZIP_H
#define ARENA_SITE_GZIP_H

#include <stddef.h>
#include <stdint.h>

enum {
    GZIP_COMMON_MAX = 8,
};

struct gzip;

/*
 * `common` are the texts that many pages have, at most GZIP_COMMON_MAX and then NULL; they must
 * outlive the gzip. NULL: there are none. Returns NULL if ISA-L is missing.
 */
struct gzip *gzip_create(const char *const *common);
void gzip_destroy(struct gzip *gzip);

/*
 * Compresses a page, to the same bytes for the same page on one machine. Returns the compressed
 * size, with *packed valid until the next call; 0 if the page would not become smaller.
 */
size_t gzip_pack(struct gzip *gzip, const char *bytes, size_t size, const uint8_t **packed);

#endif
