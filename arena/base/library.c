/* SPDX-License-Identifier: MIT */
#include "arena/base/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* True if dlerror says that a library is absent or damaged. Other words tell of a shortage. */
static bool is_none(const char *words)
{
    return strstr(words, strerror(ENOENT)) || strstr(words, "file too short") ||
           strstr(words, "invalid ELF header");
}

bool library_load(const char *file, const char *name, void **pointer)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const char *words = library ? NULL : dlerror();

    if (!library && !(words && is_none(words))) {
        dprintf(STDERR_FILENO, "arena: %s cannot be loaded: %s\n", file, words ? words : "");
        _exit(1);
    }
    if (!library)
        return false;
    for (; *name; name += strlen(name) + 1, pointer++) {
        *pointer = dlsym(library, name);
        if (!*pointer)
            return false;
    }
    return true;
}
