/* SPDX-License-Identifier: MIT */
/* Folders of runtimes that links in /usr/local/bin lead to. */
#include "sandbox/runtime.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LINKS = 2 * RUNTIME_PATHS_MAX,
};

/* /home and /tmp do not count; a test may write to its own folder, wherever that is. */
static char room[] = TEST_BINARY_DIR "/runtime-XXXXXX";

Test(runtime, more_links_than_there_is_room_for_are_left_out)
{
    struct runtime *runtime = calloc(1, sizeof *runtime);
    char path[512], target[512], command[1024];
    size_t path_count;

    cr_assert_not_null(mkdtemp(room));
    for (int i = 0; i < LINKS; i++) {
        snprintf(path, sizeof path, "%s/tool-%d", room, i);
        mkdir(path, 0755);
        snprintf(target, sizeof target, "%s/tool-%d/tool", room, i);
        fclose(fopen(target, "we"));
        snprintf(path, sizeof path, "%s/link-%d", room, i);
        cr_assert_eq(symlink(target, path), 0);
    }
    cr_expect_eq(runtime_add_installed(runtime, room), 0);
    path_count = runtime->path_count;
    runtime_finish(runtime);
    free(runtime);
    snprintf(command, sizeof command, "rm -r %s", room);
    cr_expect_eq(system(command), 0);
    if (path_count == 0)
        cr_skip("the folder of the tests lies where no runtime is looked for");
    cr_expect_eq(path_count, RUNTIME_PATHS_MAX);
}

/* Else bots would start without what the arena could not look at, and forfeit. */
Test(runtime, a_machine_without_descriptors_is_not_one_without_runtimes)
{
    struct runtime *runtime = calloc(1, sizeof *runtime);
    struct rlimit files;
    int result;

    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &files), 0);
    files.rlim_cur = 0;
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &files), 0);
    result = runtime_add_installed(runtime, "/usr/local/bin");
    files.rlim_cur = files.rlim_max;
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &files), 0);
    cr_expect_eq(result, -EMFILE);
    free(runtime);
}
