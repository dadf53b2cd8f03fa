/* SPDX-License-Identifier: MIT */
/*
 * As much of Criterion as the tests of the engine use, for a program that one compiler can build
 * for WebAssembly: tests run one after another in one process, and each failure is one line.
 */
#ifndef CRITERION_H
#define CRITERION_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int criterion_tests, criterion_failures;

#define Test(suite, name)                                                                          \
    static void suite##_##name(void);                                                              \
    __attribute__((constructor)) static void run_##suite##_##name(void)                            \
    {                                                                                              \
        criterion_tests++;                                                                         \
        suite##_##name();                                                                          \
    }                                                                                              \
    static void suite##_##name(void)

#define criterion_check(condition)                                                                 \
    ((condition)                                                                                   \
         ? (void)0                                                                                 \
         : (criterion_failures++, (void)printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))
#define cr_assert(condition, ...)   criterion_check(condition)
#define cr_assert_eq(a, b, ...)     criterion_check((a) == (b))
#define cr_assert_neq(a, b, ...)    criterion_check((a) != (b))
#define cr_assert_lt(a, b, ...)     criterion_check((a) < (b))
#define cr_assert_leq(a, b, ...)    criterion_check((a) <= (b))
#define cr_assert_geq(a, b, ...)    criterion_check((a) >= (b))
#define cr_assert_null(a, ...)      criterion_check(!(a))
#define cr_assert_not_null(a, ...)  criterion_check(a)
#define cr_assert_str_eq(a, b, ...) criterion_check(strcmp(a, b) == 0)
#define cr_assert_fail(...)         criterion_check(false)
#define cr_expect                   cr_assert
#define cr_expect_eq                cr_assert_eq
#define cr_expect_null              cr_assert_null
#define cr_expect_not_null          cr_assert_not_null
#define cr_expect_str_eq            cr_assert_str_eq

#endif
