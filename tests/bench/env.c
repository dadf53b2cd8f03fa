/* SPDX-License-Identifier: MIT */
/* Games in Python: the package pavilion_lab beside ctypes and confined processes. env.py plays. */
#include <stdlib.h>
#include <unistd.h>

#include "tests/bench/bench.h"

int bench_env(char **argv, bool few)
{
    const char *seconds = NULL;

    (void)few;
    bench_read_options(argv, (const struct bench_option[]){{"", .text = &seconds}, {NULL}});
    setenv("PYTHONPATH", BENCH_BINARY_DIR "/python", 1);
    execl("/usr/bin/python3", "python3", BENCH_SOURCE_DIR "/tests/bench/env.py", BENCH_BINARY_DIR,
          seconds ? seconds : "2", (char *)NULL);
    bench_refuse("python3 cannot be run");
}
