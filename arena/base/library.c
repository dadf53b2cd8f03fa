/* SPDX-License-Identifier: MIT */
#include "arena/base/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool library_load(const char *file, const char *name, void **pointer)
{
    static const char *const lacks[] = {"memory", "Too many open files", "Input/output error"};
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const char *words = library ? NULL : dlerror();
    bool is_lack = !library && !words;

    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        is_lack = is_lack || (words && strstr(words, lacks[i]));
    if (is_lack) {
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
