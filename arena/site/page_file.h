/*
 * Pages as files: written completely or not at all; they may replace older pages but no other file.
 */
#ifndef ARENA_SITE_PAGE_FILE_H
#define ARENA_SITE_PAGE_FILE_H

#include <stddef.h>

/*
 * Writes size bytes to path. Returns 0 or -errno; -EEXIST if there is a file that is not a page (a
 * page begins with "<!DOCTYPE html>"), which is left unchanged.
 */
int page_file_write(const char *path, const char *page, size_t size);

#endif
