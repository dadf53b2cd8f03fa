#include "arena/store/libarchive.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

int libarchive_load(struct libarchive *library)
{
    bool whole = true;
    void *file;

    if (library->archive_read_new)
        return 0;
    file = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!file)
        return -1;
#define LIBARCHIVE_FIND(name)                                                                      \
    whole = (library->name = (__typeof__(library->name))dlsym(file, #name)) && whole;
    LIBARCHIVE_FUNCTIONS(LIBARCHIVE_FIND)
    if (whole)
        return 0;
    *library = (struct libarchive){0};
    return -1;
}
