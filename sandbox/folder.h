/*
 * Changes the owner of a folder: a build that runs under an unprivileged UID must be able to write
 * to its own.
 */
#ifndef SANDBOX_FOLDER_H
#define SANDBOX_FOLDER_H

#include <sys/types.h>

/*
 * Changes owner and group of a folder and all its contents. Follows no symlink. Returns 0 or
 * -errno.
 */
int folder_give(const char *path, uid_t owner);

#endif
