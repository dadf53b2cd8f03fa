/* SPDX-License-Identifier: MIT */
/*
 * Compiles the engine's hot functions twice on x86-64: for every processor, and for processors with
 * AVX2, BMI2 and POPCNT, on which listing actions takes a third fewer instructions, and drawing an
 * action takes almost half. Both versions return equal results; each call selects a version at run
 * time.
 *
 * FAST_TWICE(size_t, list, (const struct game *game), (game))
 *
 * defines list_twice(), which calls one of two compiled versions of the inline function list(). For
 * tests, FAST_OFF leaves only the version for every processor.
 */
#ifndef ENGINE_FAST_H
#define ENGINE_FAST_H

#define FAST_PLAIN(type, name, parameters, arguments)                                              \
    __attribute__((noinline)) static type name##_plain parameters                                  \
    {                                                                                              \
        return name arguments;                                                                     \
    }

#if defined(__x86_64__) && !defined(FAST_OFF)

#define FAST_TARGET    __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"), flatten, noinline))
#define FAST_SUPPORTED (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))

#define FAST_TWICE(type, name, parameters, arguments)                                              \
    FAST_PLAIN(type, name, parameters, arguments)                                                  \
    FAST_TARGET static type name##_fast parameters                                                 \
    {                                                                                              \
        return name arguments;                                                                     \
    }                                                                                              \
    static inline type name##_twice parameters                                                     \
    {                                                                                              \
        return FAST_SUPPORTED ? name##_fast arguments : name##_plain arguments;                    \
    }

#else

#define FAST_TWICE(type, name, parameters, arguments)                                              \
    FAST_PLAIN(type, name, parameters, arguments)                                                  \
    static inline type name##_twice parameters                                                     \
    {                                                                                              \
        return name##_plain arguments;                                                             \
    }

#endif

#endif
