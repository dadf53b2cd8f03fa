/* SPDX-License-Identifier: MIT */
/*
 * Large shared libraries that few commands need. The program loads such a library at its first use,
 * because linking one would add 1 to 3 ms to the start of each command.
 */
#ifndef ARENA_BASE_LIBRARY_H
#define ARENA_BASE_LIBRARY_H

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#define LIBRARY_FIELD(name) __typeof__(name) *name;
#define LIBRARY_NAME(name)  #name "\0"

/*
 * Defines a struct of pointers to the functions of one library. FUNCTIONS is a macro that lists the
 * functions: #define LIBPQ_FUNCTIONS(FUNCTION) FUNCTION(PQclear) FUNCTION(PQfinish)
 */
#define LIBRARY(pointers, FUNCTIONS)                                                               \
    static struct {                                                                                \
        FUNCTIONS(LIBRARY_FIELD)                                                                   \
    } pointers;                                                                                    \
    static const char pointers##_names[] = FUNCTIONS(LIBRARY_NAME);

/* Loads the library. Returns false if its file or one of the functions is missing. */
#define LIBRARY_LOAD(pointers, file) library_load(file, pointers##_names, (void **)&(pointers))

static inline bool library_load(const char *file, const char *name, void **pointer)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

    if (!library)
        return false;
    for (; *name; name += strlen(name) + 1, pointer++) {
        *pointer = dlsym(library, name);
        if (!*pointer)
            return false;
    }
    return true;
}

#endif
