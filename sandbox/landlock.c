/* SPDX-License-Identifier: MIT */
#include "sandbox/landlock.h"

#include <errno.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/sandbox.h"

/* Constants of the kernel that the headers of Debian 12 lack. */
enum {
    ACCESS_FS_ABI_1 = (1 << 13) - 1,  /* EXECUTE to MAKE_SYM */
    ACCESS_FS_REFER = 1 << 13,        /* ABI 2 */
    ACCESS_FS_TRUNCATE = 1 << 14,     /* ABI 3 */
    ACCESS_FS_IOCTL_DEV = 1 << 15,    /* ABI 5 */
    ACCESS_NET_TCP = 1 << 0 | 1 << 1, /* ABI 4: bind and connect */
    SCOPE_ALL = 1 << 0 | 1 << 1,      /* restrictions of ABI 6: abstract UNIX sockets and signals */
    ACCESS_FS_OF_FILES = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                         LANDLOCK_ACCESS_FS_READ_FILE | ACCESS_FS_TRUNCATE | ACCESS_FS_IOCTL_DEV,
    ACCESS_FS_NEVER = LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                      LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                      ACCESS_FS_IOCTL_DEV,
};

struct ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net; /* ABI 4 */
    uint64_t scoped;             /* ABI 6 */
};

int landlock_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    return abi < 0 ? 0 : (int)abi;
}

uint32_t landlock_layers(int abi)
{
    return (abi >= 1 ? SANDBOX_LAYER_LANDLOCK_FS : 0) |
           (abi >= 4 ? SANDBOX_LAYER_LANDLOCK_NET : 0) |
           (abi >= 6 ? SANDBOX_LAYER_LANDLOCK_SCOPE : 0);
}

static uint64_t handled_files(int abi)
{
    return ACCESS_FS_ABI_1 | (abi >= 2 ? ACCESS_FS_REFER : 0) |
           (abi >= 3 ? ACCESS_FS_TRUNCATE : 0) | (abi >= 5 ? ACCESS_FS_IOCTL_DEV : 0);
}

int landlock_open(int abi, bool tcp)
{
    struct ruleset ruleset = {
        .handled_access_fs = handled_files(abi),
        .handled_access_net = abi >= 4 && !tcp ? ACCESS_NET_TCP : 0,
        .scoped = abi >= 6 ? SCOPE_ALL : 0,
    };
    size_t size_bytes = abi >= 6   ? sizeof ruleset
                        : abi >= 4 ? offsetof(struct ruleset, scoped)
                                   : offsetof(struct ruleset, handled_access_net);
    long ruleset_fd = syscall(SYS_landlock_create_ruleset, &ruleset, size_bytes, 0);

    return ruleset_fd < 0 ? -errno : (int)ruleset_fd;
}

int landlock_allow(int ruleset_fd, int abi, int path_fd, enum landlock_rights rights)
{
    static const uint64_t access_of[] = {
        [LANDLOCK_LIST] = LANDLOCK_ACCESS_FS_READ_DIR,
        [LANDLOCK_READ] = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
        [LANDLOCK_RUN] =
            LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE,
        [LANDLOCK_WRITE] = ~(uint64_t)(ACCESS_FS_NEVER | LANDLOCK_ACCESS_FS_EXECUTE),
        [LANDLOCK_BUILD] = ~(uint64_t)ACCESS_FS_NEVER,
    };
    struct landlock_path_beneath_attr rule = {
        .allowed_access = access_of[rights] & handled_files(abi),
        .parent_fd = path_fd,
    };
    struct stat stat;

    if (fstat(path_fd, &stat) < 0)
        return -errno;
    if (!S_ISDIR(stat.st_mode)) /* the kernel refuses rights for folders in a rule for a file */
        rule.allowed_access &= ACCESS_FS_OF_FILES;
    if (syscall(SYS_landlock_add_rule, ruleset_fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0)
        return -errno;
    return 0;
}
