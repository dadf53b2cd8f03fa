#include "arena/commands/run_folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/replay/plain_text.h"

enum {
    RUNS_MAX = 100000, /* runs in one folder */
};

int run_folder_make(const char *option, const char *path)
{
    char partial[PATH_MAX];
    struct stat status;

    if (snprintf(partial, sizeof partial, "%s", path) >= (int)sizeof partial)
        return command_refuse("%s %s: %s", option, path, strerror(ENAMETOOLONG));
    for (char *slash = partial; (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(partial, 0755); /* the last call reports an error */
        *slash = '/';
    }
    if (mkdir(partial, 0755) < 0 && errno != EEXIST)
        return command_refuse("%s %s: %s", option, path, strerror(errno));
    if (stat(path, &status) < 0 || !S_ISDIR(status.st_mode) || access(path, W_OK | X_OK) < 0)
        return command_refuse("%s %s: is not a folder that can be written to", option, path);
    return COMMAND_DONE;
}

/* True if a folder exists and contains replays. */
static bool has_replays(const char *path)
{
    static const char suffix[] = ".replay";
    DIR *folder = opendir(path);
    const struct dirent *entry;
    bool found = false;

    while (folder && !found && (entry = readdir(folder))) {
        size_t length = strlen(entry->d_name);

        found = length >= sizeof suffix &&
                strcmp(entry->d_name + length - (sizeof suffix - 1), suffix) == 0;
    }
    if (folder)
        closedir(folder);
    return found;
}

int run_folder_open(const char *option, const char *wanted, char **folder)
{
    int status;

    *folder = strdup(wanted);
    for (int run = 2; *folder && has_replays(*folder) && run < RUNS_MAX; run++) {
        free(*folder);
        if (asprintf(folder, "%s%s%d", wanted, wanted[strlen(wanted) - 1] == '/' ? "" : "/", run) <
            0)
            *folder = NULL;
    }
    if (!*folder)
        return command_fail("%s %s: %s", option, wanted, strerror(ENOMEM));
    status = run_folder_make(option, *folder);
    if (status == COMMAND_DONE && strcmp(*folder, wanted) != 0)
        plain_text_printf(stderr, "%s has replays of another run: these go to %s\n", wanted,
                          *folder);
    return status;
}
