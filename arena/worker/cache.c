#include "arena/worker/cache.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/store/store.h"

int cache_open(struct cache *cache, const char *folder, int64_t bytes_max)
{
    struct stat status;
    int error;

    cache->bytes_max = bytes_max;
    if (snprintf(cache->folder, sizeof cache->folder, "%s", folder) >= (int)sizeof cache->folder)
        return -ENAMETOOLONG;
    error = home_create(folder);
    if (error)
        return error;
    if (stat(folder, &status) < 0)
        return -errno;
    return status.st_uid == geteuid() && !(status.st_mode & (S_IWGRP | S_IWOTH)) ? 0 : -EPERM;
}

void cache_path(const struct cache *cache, const char *sha256, char path[static PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%s", cache->folder, sha256);
}

bool cache_has(const struct cache *cache, const char *sha256)
{
    char path[PATH_MAX];

    cache_path(cache, sha256, path);
    return utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Removes the least recently used packages until the remaining ones fit into bytes_max. */
static void shrink(const struct cache *cache)
{
    char *paths[] = {(char *)cache->folder, NULL};

    for (;;) {
        FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
        char oldest[PATH_MAX] = "";
        struct timespec oldest_at = {0};
        int64_t sum = 0;
        FTSENT *entry;

        while (tree && (entry = fts_read(tree))) {
            const struct timespec *at = &entry->fts_statp->st_mtim;

            if (entry->fts_info != FTS_F)
                continue;
            sum += entry->fts_statp->st_size;
            if (!*oldest || at->tv_sec < oldest_at.tv_sec ||
                (at->tv_sec == oldest_at.tv_sec && at->tv_nsec < oldest_at.tv_nsec)) {
                snprintf(oldest, sizeof oldest, "%s", entry->fts_path);
                oldest_at = *at;
            }
        }
        if (tree)
            fts_close(tree);
        if (sum <= cache->bytes_max || !*oldest || unlink(oldest) < 0)
            return;
    }
}

/* Writes the path of the unfinished file of a package; no other process uses this path. */
static void part_path(const struct cache *cache, const char *sha256, char path[static PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%s.part-%d", cache->folder, sha256, (int)getpid());
}

int cache_begin(const struct cache *cache, const char *sha256)
{
    char path[PATH_MAX];
    int fd;

    shrink(cache);
    part_path(cache, sha256, path);
    unlink(path);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    return fd < 0 ? -errno : fd;
}

int cache_end(const struct cache *cache, const char *sha256, int fd, int error)
{
    char path[PATH_MAX], part[PATH_MAX];

    cache_path(cache, sha256, path);
    part_path(cache, sha256, part);
    close(fd);
    if (!error && rename(part, path) < 0)
        error = -errno;
    if (error)
        unlink(part);
    return error;
}

/* ---- the machine that a program is built for ---- */

/* Returns the machine field (e_machine) of an ELF header; -1 if the bytes are no ELF header. */
static int elf_machine(const uint8_t *bytes, size_t size)
{
    if (size < 20 || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return -1;
    return bytes[EI_DATA] == ELFDATA2MSB ? bytes[18] << 8 | bytes[19] : bytes[19] << 8 | bytes[18];
}

static int own_machine(void)
{
    uint8_t header[20];
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), machine = -1;

    if (fd >= 0 && read(fd, header, sizeof header) == (ssize_t)sizeof header)
        machine = elf_machine(header, sizeof header);
    if (fd >= 0)
        close(fd);
    return machine;
}

bool cache_runs_here(const struct cache *cache, const char *sha256)
{
    uint8_t header[20];
    int own = own_machine(), fd;
    bool has_own = false, has_other = false;
    char path[PATH_MAX];
    ssize_t got;

    cache_path(cache, sha256, path);
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    /*
     * In a tar archive, files begin at multiples of 512 bytes, so an ELF header can only be there.
     */
    for (off_t at = 0; fd >= 0 && (got = pread(fd, header, sizeof header, at)) > 0; at += 512) {
        int machine = elf_machine(header, (size_t)got);

        has_own = has_own || (machine == own && machine >= 0);
        has_other = has_other || machine >= 0;
    }
    if (fd >= 0)
        close(fd);
    return has_own || !has_other;
}
