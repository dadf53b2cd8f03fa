/*
 * The hot functions of the engine exist twice on x86-64: as they are, and compiled once
 * more for processors with AVX2, BMI2 and POPCNT: a third fewer instructions when listing,
 * almost half with the direct draw. Both do the same; which one runs is chosen at each call.
 *
 *     FAST_TWICE(size_t, list, (const struct game *game), (game))
 *
 * makes list_twice() out of an inline function list(). FAST_OFF leaves the first form
 * alone, for tests.
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
