/*
 * The macros around the declarations of a public header: C linkage for C++, and exported symbols of
 * the shared SDK. All other symbols are hidden in the library.
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
 * The size of an array parameter: C requires at least this size with `static`, which C++ does not
 * have.
 */
#ifdef __cplusplus
#define PUBLIC_ROOM(count) count
#else
#define PUBLIC_ROOM(count) static count
#endif

#endif
