/*
 * The files of the machine that a bot may read: programs, libraries and the files in /etc that
 * runtimes need. Found once, when the arena starts, and held open.
 */
#ifndef SANDBOX_RUNTIME_H
#define SANDBOX_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

/* Search path for a program whose name has no slash. */
#define RUNTIME_PATH "/usr/local/bin:/usr/bin:/bin"

enum {
    RUNTIME_PATHS_MAX = 64,
    RUNTIME_PATH_BYTES_MAX = 256,
};

struct runtime_path {
    char path[RUNTIME_PATH_BYTES_MAX];
    int path_fd; /* O_PATH */
    bool runs;   /* programs in it may be executed */
    bool is_folder;
    char link_target[RUNTIME_PATH_BYTES_MAX];
    bool is_link;   /* /bin -> usr/bin: the sandbox creates the same link */
    bool is_device; /* /dev/null and the like */
};

struct runtime {
    struct runtime_path paths[RUNTIME_PATHS_MAX];
    size_t path_count;
};

/* Finds the paths that exist. The caller calls runtime_finish. Returns 0 or -errno. */
int runtime_init(struct runtime *runtime);

/*
 * Adds the folders that links in the folder at path lead to, as far as there is room. Returns 0 or
 * -errno.
 */
int runtime_add_installed(struct runtime *runtime, const char *path);

/* Accepts a zeroed runtime. */
void runtime_finish(struct runtime *runtime);

/* Writes the path of the program `name`, searched in RUNTIME_PATH. Returns 0 or -errno. */
int runtime_find_program(const char *name, char path[static RUNTIME_PATH_BYTES_MAX]);

#endif
