/* SPDX-License-Identifier: MIT */
/*
 * Macros around the declarations of a public header. They give the declarations C linkage in C++
 * and export their symbols from the shared SDK library, which hides all other symbols.
 */
#ifndef ENGINE_PUBLIC_H
#define ENGINE_PUBLIC_H

#ifdef __cplusplus
#define PUBLIC_BEGIN                                                                               \
    extern "C" {                                                                                   \
    _Pragma("GCC visibility push(default)")
#define PUBLIC_END                                                                                 \
    _Pragma("GCC visibility pop")                                                                  \
    }
#else
#define PUBLIC_BEGIN _Pragma("GCC visibility push(default)")
#define PUBLIC_END   _Pragma("GCC visibility pop")
#endif

/*
 * Gives a function or a table the name by which linkers know it: all that the SDK's libraries
 * define begins with pavilion_, so a program may have a draw_number or a game_apply of its own
 * wherever it does not include the header with that name.
 */
#define LINK_NAME(name) __asm__("pavilion_" #name)

/* Smallest size of an array parameter: `static` in C, which C++ does not have. */
#ifdef __cplusplus
#define PUBLIC_ROOM(count) count
#else
#define PUBLIC_ROOM(count) static count
#endif

#endif
