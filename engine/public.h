/*
 * What a public header opens and closes with: C linkage when C++ includes it, and symbols that the
 * shared SDK shows. Everything else stays inside the library.
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

/* The size of an array parameter: C states that the array has at least this room; C++ cannot. */
#ifdef __cplusplus
#define PUBLIC_ROOM(count) count
#else
#define PUBLIC_ROOM(count) static count
#endif

#endif
