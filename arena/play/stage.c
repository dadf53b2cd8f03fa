#include "arena/play/stage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/play/build_log.h"
#include "arena/play/tree.h"
#include "sandbox/sandbox.h"

#define STAGE_PREFIX "arena-stage-"

enum {
    PATH_BYTES = 4096,
    STAGE_ATTEMPTS = 100, /* to create a stage that no other arena removes as stale */
};

/*
 * Removes a stage of this user whose lock nobody holds, because its arena is gone. Holds the lock
 * meanwhile, so that an arena that is just creating a stage of that name notices.
 */
static void remove_stale_stage(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

    if (fd < 0)
        return;
    if (fstat(fd, &status) == 0 && status.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0)
        tree_remove(path);
    close(fd);
}

static void remove_stale_stages(const char *parent)
{
    DIR *folder = opendir(parent);
    const struct dirent *entry;
    char path[PATH_BYTES];

    while (folder && (entry = readdir(folder))) {
        if (strncmp(entry->d_name, STAGE_PREFIX, strlen(STAGE_PREFIX)) != 0 ||
            snprintf(path, sizeof path, "%s/%s", parent, entry->d_name) >= (int)sizeof path)
            continue;
        remove_stale_stage(path);
    }
    if (folder)
        closedir(folder);
}

/* Bots without a root of their own run under other UIDs and must pass through the folder. */
static mode_t stage_mode(const struct sandbox *sandbox)
{
    return geteuid() == 0 && sandbox && sandbox_tier(sandbox) < SANDBOX_TIER_FULL ? 0711 : 0700;
}

/* Creates a folder and locks it. Returns 0, -EAGAIN or -errno. */
static int make_stage(struct stage *stage, mode_t mode)
{
    struct stat status = {.st_nlink = 1};
    int lock_fd, error;

    if (!mkdtemp(stage->path))
        return -errno;
    stage->lock_fd = lock_fd = open(stage->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_fd < 0 && errno == ENOENT)
        return -EAGAIN; /* another arena removed it as stale */
    if (lock_fd >= 0 && flock(lock_fd, LOCK_SH | LOCK_NB) == 0 && fchmod(lock_fd, mode) == 0 &&
        fstat(lock_fd, &status) == 0 && status.st_nlink > 0)
        return 0;
    error = lock_fd >= 0 && (errno == EWOULDBLOCK || status.st_nlink == 0) ? -EAGAIN : -errno;
    if (lock_fd >= 0)
        close(lock_fd);
    if (error != -EAGAIN)
        tree_remove(stage->path);
    return error;
}

struct stage *stage_create(const struct sandbox *sandbox)
{
    static const char name[] = "/" STAGE_PREFIX "XXXXXX";
    const char *parent = getenv("TMPDIR");
    char *absolute = realpath(parent && *parent ? parent : "/tmp", NULL);
    struct stage *stage = NULL;
    int error = -EAGAIN;

    if (!absolute)
        return NULL;
    remove_stale_stages(absolute);
    build_log_remove_old(absolute);
    stage = calloc(1, sizeof *stage);
    if (stage)
        stage->path = malloc(strlen(absolute) + sizeof name);
    if (!stage || !stage->path)
        error = -ENOMEM;
    for (int attempt = 0; error == -EAGAIN && attempt < STAGE_ATTEMPTS; attempt++) {
        stpcpy(stpcpy(stage->path, absolute), name);
        error = make_stage(stage, stage_mode(sandbox));
    }
    free(absolute);
    if (!error)
        return stage;
    if (stage)
        free(stage->path);
    free(stage);
    errno = -error;
    return NULL;
}

void stage_destroy(struct stage *stage)
{
    if (!stage)
        return;
    tree_remove(stage->path);
    close(stage->lock_fd); /* after the folder is removed: else another arena would remove it too */
    free(stage->path);
    free(stage);
}
