/* Claims of seasons: a lock of a file next to the database. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "arena/store/sqlite/database.h"

enum {
    LOCK_WAIT_MS = 2000,
    LOCK_PAUSE_MS = 20,
};

/*
 * Tries for a short time to get the lock: if a process is killed while it starts a bot, the child
 * still shares its descriptors until it dies with its parent.
 */
static bool take_lock(int fd, struct flock *lock, bool waits)
{
    const struct timespec pause = {.tv_nsec = LOCK_PAUSE_MS * 1000000L};

    for (int waited_ms = 0; fcntl(fd, F_SETLK, lock) < 0; waited_ms += LOCK_PAUSE_MS) {
        if (!waits || waited_ms >= LOCK_WAIT_MS)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

/* Uses a record lock, which is released when the process ends, however it ends. */
int sqlite_season_claim(struct store *store, const char *name, bool waits)
{
    struct database *database = database_of(store);
    char path[PATH_MAX + STORE_NAME_BYTES_MAX + 16];
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const char *slash = strrchr(database->path, '/');
    int fd;

    snprintf(path, sizeof path, "%.*sseason-%s.lock", slash ? (int)(slash - database->path + 1) : 0,
             database->path, name);
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return store_refuse(store, -errno, "%s: %s", path, strerror(errno));
    if (take_lock(fd, &lock, waits)) {
        sqlite_season_release(store);
        database->claim_fd = fd;
        return 0;
    }
    if (fcntl(fd, F_GETLK, &lock) < 0 || lock.l_type == F_UNLCK)
        lock.l_pid = 0; /* its owner has just released the lock */
    close(fd);
    return store_refuse(store, -EBUSY, "season %s is being played by process %d", name,
                        (int)lock.l_pid);
}

void sqlite_season_release(struct store *store)
{
    struct database *database = database_of(store);

    if (database->claim_fd >= 0)
        close(database->claim_fd);
    database->claim_fd = -1;
}
