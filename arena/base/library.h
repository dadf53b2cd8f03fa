/* SPDX-License-Identifier: MIT */
/*
 * Large shared libraries that few commands need. The program loads such a library at its first use,
 * because linking one would add 1 to 3 ms to the start of each command.
 */
#ifndef ARENA_BASE_LIBRARY_H
#define ARENA_BASE_LIBRARY_H

#include <stdbool.h>

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

/*
 * Loads the library. Returns false if its file is missing or damaged, or lacks a function. If the
 * machine lacks what loading needs, ends the process: who asks remembers the answer for the
 * process's life.
 */
#define LIBRARY_LOAD(pointers, file) library_load(file, pointers##_names, (void **)&(pointers))

bool library_load(const char *file, const char *name, void **pointer);

#endif
