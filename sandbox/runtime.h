/* SPDX-License-Identifier: MIT */
/*
 * The files of the machine that a bot may read: programs, libraries and the files in /etc that
 * language runtimes need. The arena finds them once, when it starts, and holds them open.
 */
#ifndef SANDBOX_RUNTIME_H
#define SANDBOX_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

/* Folders that are searched for a program whose name has no slash. */
#define RUNTIME_PATH "/usr/local/bin:/usr/bin:/bin"

enum {
    RUNTIME_PATHS_MAX = 64,
    RUNTIME_PATH_BYTES_MAX = 256,
};

struct runtime_path {
    char path[RUNTIME_PATH_BYTES_MAX];
    int path_fd; /* O_PATH */
    bool runs;   /* bots may execute programs in the folder */
    bool is_folder;
    char link_target[RUNTIME_PATH_BYTES_MAX];
    bool is_link; /* the path is a symlink, such as /bin to usr/bin, which the sandbox copies to the
                     root */
    bool is_device; /* the path is a device, such as /dev/null */
};

struct runtime {
    struct runtime_path paths[RUNTIME_PATHS_MAX];
    size_t path_count;
};

/* Finds the paths on this machine. The caller calls runtime_finish. Returns 0 or -errno. */
int runtime_init(struct runtime *runtime);

/*
 * Adds the installation folders to which symlinks in the folder `path` lead, up to
 * RUNTIME_PATHS_MAX. Returns 0 or -errno.
 */
int runtime_add_installed(struct runtime *runtime, const char *path);

/* Accepts a zeroed runtime. */
void runtime_finish(struct runtime *runtime);

/* Searches RUNTIME_PATH for the program `name`, and writes its path. Returns 0 or -errno. */
int runtime_find_program(const char *name, char path[static RUNTIME_PATH_BYTES_MAX]);

#endif
