/* SPDX-License-Identifier: MIT */
/*
 * The tests of the engine (tests/engine) as one program that clang builds for WebAssembly, with the
 * few macros of criterion/criterion.h beside this file. Status 1 if a test fails.
 */
#include "tests/engine/draw.c"
#include "tests/engine/draws.c"
#include "tests/engine/notation.c"
#include "tests/engine/random_games.c"
#include "tests/engine/rules.c"

int main(void)
{
    printf("%d tests, %d failures\n", criterion_tests, criterion_failures);
    return criterion_failures > 0 || criterion_tests == 0;
}
