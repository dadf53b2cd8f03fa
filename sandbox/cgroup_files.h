/* Reads and writes the small control files of a control group. */
#ifndef SANDBOX_CGROUP_FILES_H
#define SANDBOX_CGROUP_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Both return 0 or -errno. */
int cgroup_write_text(int folder_fd, const char *name, const char *text);
int cgroup_write_number(int folder_fd, const char *name, int64_t number);

/* Reads as much as fits and ends it with a NUL. Returns false if the file cannot be read. */
bool cgroup_read_text(int folder_fd, const char *name, char *text, size_t capacity);

#endif
