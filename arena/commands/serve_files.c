#include "arena/commands/serve_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/store_option.h"
#include "arena/store/home.h"

int serve_files_path(char path[static PATH_MAX], const char *folder, const char *name)
{
    return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX ? 0 : -ENAMETOOLONG;
}

int serve_files_find(char folder[static PATH_MAX], const struct store *store, const char *home)
{
    const char *where = store_where(store), *slash = strrchr(where, '/');

    if (strncmp(store_url(store), "sqlite:", 7) != 0 || !slash || slash == where)
        return home_find(home, folder);
    snprintf(folder, PATH_MAX, "%.*s", (int)(slash - where), where);
    return 0;
}

int serve_files_folder(char folder[static PATH_MAX], const struct store *store, const char *home)
{
    if (serve_files_find(folder, store, home) < 0)
        return command_refuse("neither --home, ARENA_HOME nor HOME says where the home is");
    if (home_create(folder) < 0)
        return command_fail("%s: %s", folder, strerror(errno));
    return COMMAND_DONE;
}

/* True while a process holds the lock. */
static bool is_held(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool held;

    if (fd < 0)
        return false;
    held = flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
    close(fd);
    return held;
}

json_t *serve_files_read(const char *home, int *status)
{
    char folder[PATH_MAX], path[PATH_MAX];
    struct store *store;

    *status = COMMAND_DONE;
    if (store_option_is_server(home)) { /* which may be away just now */
        if (home_find(home, folder) < 0)
            *status = command_refuse("neither --home, ARENA_HOME nor HOME says where the home is");
    } else {
        *status = store_option_open(home, STORE_READ, &store);
        if (*status == COMMAND_DONE) {
            *status = serve_files_folder(folder, store, home);
            store_close(store);
        }
    }
    if (*status != COMMAND_DONE || serve_files_path(path, folder, SERVE_FILES_LOCK) < 0 ||
        !is_held(path) || serve_files_path(path, folder, SERVE_FILES_STATUS) < 0)
        return NULL;
    return json_load_file(path, 0, NULL);
}
