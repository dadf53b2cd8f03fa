#include "arena/commands/bundled.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Below the folder that has the program's own: of a build, and of what `cmake --install` makes. */
static const char *const folders[] = {"bots", ARENA_LIBEXEC "/pavilion/bots"};

/* The folder that has the program's folder. False if the system does not say. */
static bool find_root(char *path, size_t room)
{
    ssize_t size = readlink("/proc/self/exe", path, room - 1);

    if (size < 0)
        return false;
    path[size] = '\0';
    for (int i = 0; i < 2; i++) { /* the program, and its folder */
        char *slash = strrchr(path, '/');

        if (!slash)
            return false;
        *slash = '\0';
    }
    return true;
}

char *bundled_find(const char *name)
{
    char root[4096];

    if (!*name || *name == '.' || strchr(name, '/') || !find_root(root, sizeof root))
        return NULL;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        struct stat status;
        char *path;

        if (asprintf(&path, "%s/%s/%s/bot.json", root, folders[i], name) < 0)
            return NULL;
        if (stat(path, &status) == 0) {
            *strrchr(path, '/') = '\0';
            return path;
        }
        free(path);
    }
    return NULL;
}

char *bundled_find_opponent(void)
{
    static const char *const opponents[] = {"steady", "greedy"};
    char *path = NULL;

    for (size_t i = 0; !path && i < sizeof opponents / sizeof *opponents; i++)
        path = bundled_find(opponents[i]);
    return path;
}

char *bundled_resolve(const char *argument)
{
    char *path = access(argument, F_OK) == 0 ? NULL : bundled_find(argument);

    return path ? path : strdup(argument);
}
