/* Games in Python: the package pavilion_lab beside ctypes and confined processes. env.py plays. */
#include <stdlib.h>
#include <unistd.h>

#include "tests/bench/bench.h"

int bench_env_run(int argc, char **argv)
{
    const char *seconds = argc > 1 ? argv[1] : "2";

    bench_number("SECONDS", seconds, 1, 3600);
    setenv("PYTHONPATH", BENCH_BINARY_DIR "/python", 1);
    execl("/usr/bin/python3", "python3", BENCH_SOURCE_DIR "/tests/bench/env.py", BENCH_BINARY_DIR,
          seconds, (char *)NULL);
    bench_refuse("python3 cannot be run");
}
