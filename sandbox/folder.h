/* Whose a folder is: a build as an unprivileged id must be able to write its own. */
#ifndef SANDBOX_FOLDER_H
#define SANDBOX_FOLDER_H

#include <sys/types.h>

/* Gives a folder and all in it to an owner and his group; follows no link. Returns 0 or -errno. */
int folder_give(const char *path, uid_t owner);

#endif
