/*
 * Pages as files: written whole or not at all, over an older page but over nothing else.
 */
#ifndef ARENA_SITE_PAGE_FILE_H
#define ARENA_SITE_PAGE_FILE_H

#include <stddef.h>

/*
 * Writes size bytes to path. Returns 0 or -errno; -EEXIST: something is there that is no page
 * (a page begins with "<!DOCTYPE html>"), and stays.
 */
int page_file_write(const char *path, const char *page, size_t size);

#endif
