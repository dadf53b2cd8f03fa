/* Reads and writes the small files that a control group is set and asked by. */
#ifndef SANDBOX_CGROUP_FILES_H
#define SANDBOX_CGROUP_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return 0 or -errno. */
int cgroup_write_text(int folder_fd, const char *name, const char *text);
int cgroup_write_number(int folder_fd, const char *name, int64_t number);

/* As far as it fits; ended by a zero. False if it cannot be read. */
bool cgroup_read_text(int folder_fd, const char *name, char *text, size_t capacity);

#endif
