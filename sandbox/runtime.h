/*
 * The files of the machine that a bot may read: programs, libraries and what the
 * runtimes look up in /etc. Found once, when the arena starts, and held open.
 */
#ifndef SANDBOX_RUNTIME_H
#define SANDBOX_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

/* Where a program without a slash in its name is looked for. */
#define RUNTIME_PATH "/usr/local/bin:/usr/bin:/bin"

enum {
    RUNTIME_PATHS_MAX = 64,
    RUNTIME_PATH_BYTES_MAX = 256,
};

struct runtime_path {
    char path[RUNTIME_PATH_BYTES_MAX];
    int path_fd; /* O_PATH */
    bool runs;   /* programs below it may be executed */
    bool is_folder;
    char link_target[RUNTIME_PATH_BYTES_MAX];
    bool is_link;   /* /bin -> usr/bin: the sandbox makes the same link */
    bool is_device; /* /dev/null and its like */
};

struct runtime {
    struct runtime_path paths[RUNTIME_PATHS_MAX];
    size_t path_count;
};

/* Finds the paths that exist. The caller finishes it. Returns 0 or -errno. */
int runtime_init(struct runtime *runtime);

/* Takes a zeroed runtime. */
void runtime_finish(struct runtime *runtime);

/* Writes where a program of RUNTIME_PATH lies. Returns 0 or -errno. */
int runtime_find_program(const char *name, char path[static RUNTIME_PATH_BYTES_MAX]);

#endif
