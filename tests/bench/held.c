/* How long a program held its loop: prints the output of tests/bench/holds as figures. */
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void bench_held_begin(const char *path)
{
    setenv("HOLDS_FILE", path, 1);
    setenv("LD_PRELOAD", BENCH_HOLDS, 1);
}

void bench_held_figures(const char *path, const char *bench)
{
    static const char *const kinds[] = {"",           "_own",     "_processor",
                                        "_preempted", "_blocked", "_taken"};
    FILE *file = fopen(path, "re");
    char name[64], line[4096];
    long count, longest_us;

    unsetenv("HOLDS_FILE");
    unsetenv("LD_PRELOAD");
    if (!file || fscanf(file, "%ld", &count) != 1)
        bench_refuse("%s: nothing tells how long the loop was held", bench);
    snprintf(name, sizeof name, "%s.loop_turns", bench);
    bench_figure(name, (double)count, "turns", 0);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (fscanf(file, "%ld %ld", &count, &longest_us) != 2)
            bench_refuse("%s: %s is cut short", bench, path);
        snprintf(name, sizeof name, "%s.held%s_above_1_ms", bench, kinds[i]);
        bench_figure(name, (double)count, "turns", 0);
        snprintf(name, sizeof name, "%s.held%s_longest", bench, kinds[i]);
        bench_figure(name, (double)longest_us, "us", 0);
    }
    while (fgets(line, sizeof line, file))
        if (*line != '\n') /* the end of the first one */
            fprintf(stderr, "bench: %s: %s", bench, line);
    fclose(file);
}
