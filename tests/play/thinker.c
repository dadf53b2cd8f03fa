#include "tests/play/thinker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

void thinker_open(struct thinker *thinker, const char *think_us, const char *stage, int number)
{
    char command[512], path[128], error[SOURCE_ERROR_BYTES];
    FILE *manifest;

    snprintf(thinker->folder, sizeof thinker->folder, "/tmp/thinker-XXXXXX");
    cr_assert(mkdtemp(thinker->folder));
    chmod(thinker->folder, 0755);
    snprintf(command, sizeof command, "cp " TEST_BINARY_DIR "/tests/bots/bench_zero %s/zero",
             thinker->folder);
    cr_assert_eq(system(command), 0);
    snprintf(path, sizeof path, "%s/bot.json", thinker->folder);
    manifest = fopen(path, "we");
    fprintf(manifest, "{\"name\": \"zero\", \"version\": \"1\", \"run\": [\"./zero\", \"%s\"]}",
            think_us);
    fclose(manifest);
    cr_assert_eq(source_open(&thinker->source, thinker->folder, stage, number,
                             &(struct source_options){0}, error),
                 0, "%s", error);
}

void thinker_close(struct thinker *thinker)
{
    char command[128];

    source_close(&thinker->source);
    snprintf(command, sizeof command, "rm -r %s", thinker->folder);
    cr_assert_eq(system(command), 0);
}
