#include "arena/store/home.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int write_path(char path[static PATH_MAX], const char *base, const char *below)
{
    int length = snprintf(path, PATH_MAX, "%s%s", base, below);

    return length < 0 || length >= PATH_MAX ? -ENAMETOOLONG : 0;
}

/*
 * Reads an environment variable. Returns NULL if it is not set or empty. (A relative XDG_DATA_HOME
 * is invalid, too, by the XDG standard.)
 */
static const char *environment(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

int home_find(const char *option, char path[static PATH_MAX])
{
    const char *data = environment("XDG_DATA_HOME");

    if (option)
        return *option ? write_path(path, option, "") : -ENOENT;
    if (environment("ARENA_HOME"))
        return write_path(path, getenv("ARENA_HOME"), "");
    if (data && *data == '/')
        return write_path(path, data, "/pavilion");
    if (environment("HOME"))
        return write_path(path, getenv("HOME"), "/.local/share/pavilion");
    return -ENOENT;
}

int home_create(const char *path)
{
    char partial[PATH_MAX];

    if (strlen(path) >= sizeof partial)
        return -ENAMETOOLONG;
    strcpy(partial, path);
    for (char *slash = strchr(partial + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(partial, 0755) < 0 && errno != EEXIST)
            return -errno;
        *slash = '/';
    }
    /* The folder will have seeds of future games, which no other user may read. */
    if (mkdir(partial, 0700) < 0 && errno != EEXIST)
        return -errno;
    return 0;
}
