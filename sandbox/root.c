#include "sandbox/root.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/landlock.h"
#include "sandbox/runtime.h"

/* Kernel constants: linux/mount.h and sys/mount.h cannot both be included. */
enum {
    MOUNT_READ_ONLY = 1 << 0,
    MOUNT_NO_SUID = 1 << 1,
    MOUNT_NO_DEVICES = 1 << 2,
    MOUNT_NO_EXEC = 1 << 3,
    MOUNT_BIND = 1 << 12,
    MOUNT_RECURSIVE = 1 << 14,
    MOUNT_PRIVATE = 1 << 18,
    MOUNT_SLAVE = 1 << 19,
    UMOUNT_DETACH = 1 << 1,
    PATH_RECURSIVE = 0x8000, /* AT_RECURSIVE */
    PATH_HERE = -100,        /* AT_FDCWD */
};

/*
 * The new root is built over /proc: every machine has that folder, and its contents are not needed
 * before the old root is detached.
 */
static const char SITE[] = "/proc";

static void mount_or_end(struct confine_plan *plan, const char *step, const char *source,
                         const char *target, const char *type, unsigned long flags,
                         const char *options)
{
    confine_check(plan, step, syscall(SYS_mount, source, target, type, flags, options));
}

/* Creates the parent folders of a relative path. */
static void make_parents(struct confine_plan *plan, const char *path)
{
    char folder[RUNTIME_PATH_BYTES_MAX];

    for (size_t i = 0; path[i] && i < sizeof folder - 1; i++) {
        folder[i] = path[i];
        if (path[i + 1] != '/')
            continue;
        folder[i + 1] = '\0';
        if (syscall(SYS_mkdirat, PATH_HERE, folder, 0755) < 0 && errno != EEXIST)
            confine_check(plan, "mkdir in the root", -1);
    }
}

/* Creates the mount point of a runtime path, or the link if the path is one. */
static void make_place(struct confine_plan *plan, const struct runtime_path *path)
{
    const char *place = path->path + 1;

    make_parents(plan, place);
    if (path->is_link)
        confine_check(plan, "symlink in the root",
                      syscall(SYS_symlinkat, path->link_target, PATH_HERE, place));
    else if (path->is_folder)
        confine_check(plan, "mkdir in the root", syscall(SYS_mkdirat, PATH_HERE, place, 0755));
    else
        confine_check(plan, "mknod in the root",
                      syscall(SYS_mknodat, PATH_HERE, place, S_IFREG | 0444, 0));
}

/*
 * Makes a mount and everything below read-only, and stops propagation of later mounts from the
 * machine. A device can still be written to, but its timestamps cannot be changed.
 */
static void set_read_only(struct confine_plan *plan, const char *place, bool device)
{
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID |
                                                (device ? MOUNT_ATTR_NOEXEC : MOUNT_ATTR_NODEV),
                                    .propagation = MOUNT_PRIVATE};

    confine_check(plan, "mount_setattr",
                  syscall(SYS_mount_setattr, PATH_HERE, place, PATH_RECURSIVE, &attributes,
                          sizeof attributes));
}

static void bind_runtimes(struct confine_plan *plan, bool devices)
{
    for (size_t i = 0; i < plan->runtime->path_count; i++) {
        const struct runtime_path *path = &plan->runtime->paths[i];

        if (path->is_link || path->is_device != devices)
            continue;
        mount_or_end(plan, "bind a runtime", path->path, path->path + 1, NULL,
                     MOUNT_BIND | MOUNT_RECURSIVE, NULL);
        if (devices)
            set_read_only(plan, path->path + 1, true);
    }
}

void root_build(struct confine_plan *plan)
{
    mount_or_end(plan, "mounts of our own", NULL, "/", NULL, MOUNT_SLAVE | MOUNT_RECURSIVE, NULL);
    mount_or_end(plan, "mount the root", "root", SITE, "tmpfs", MOUNT_NO_SUID | MOUNT_NO_DEVICES,
                 "size=1m,nr_inodes=4096,mode=755");
    if (plan->trims_mounts) /* some fifteen of cgroups: without them each child's copy is faster */
        syscall(SYS_umount2, "/sys", UMOUNT_DETACH);
    confine_check(plan, "chdir to the root", syscall(SYS_chdir, SITE));
    for (size_t i = 0; i < plan->runtime->path_count; i++)
        make_place(plan, &plan->runtime->paths[i]);
    confine_check(plan, "mkdir in the root",
                  syscall(SYS_mkdirat, PATH_HERE, &ROOT_FOLDER[1], 0755));
    confine_check(plan, "mkdir in the root", syscall(SYS_mkdirat, PATH_HERE, "proc", 0555));
    confine_check(plan, "mkdir in the root", syscall(SYS_mkdirat, PATH_HERE, "tmp", 0755));
    bind_runtimes(plan, false);
    set_read_only(plan, ".", false);
    bind_runtimes(plan, true);
}

void root_furnish(struct confine_plan *plan)
{
    confine_check(plan, "chdir to the root", syscall(SYS_chdir, SITE));
    mount_or_end(plan, "bind the bot's folder", plan->folder, &ROOT_FOLDER[1], NULL,
                 MOUNT_BIND | MOUNT_RECURSIVE, NULL);
    if (!plan->writable_folder)
        set_read_only(plan, &ROOT_FOLDER[1], false);
    if (plan->scratch_options)
        mount_or_end(plan, "mount the scratch", "scratch", "tmp", "tmpfs",
                     MOUNT_NO_SUID | MOUNT_NO_DEVICES | (plan->writable_folder ? 0 : MOUNT_NO_EXEC),
                     plan->scratch_options);
}

/* Adds a path that exists only in this root to the rule set that the arena created. */
static void allow(struct confine_plan *plan, const char *path, enum landlock_rights rights)
{
    int result;

    plan->passing_fd = (int)confine_check(plan, "open in the root",
                                          syscall(SYS_openat, PATH_HERE, path, O_PATH | O_CLOEXEC));
    result = landlock_allow(plan->ruleset_fd, plan->landlock_abi, plan->passing_fd, rights);
    errno = -result;
    confine_check(plan, "landlock_add_rule", result);
    syscall(SYS_close, plan->passing_fd);
    plan->passing_fd = -1;
}

/*
 * The files of /proc that runtimes read. Among the others, pagemap, smaps and numa_maps reveal
 * whether another process has mapped the same page of a file, and net lists the existing sockets.
 */
static const char *const proc_files[] = {
    "proc/self/auxv",    "proc/self/cgroup", "proc/self/cmdline",
    "proc/self/environ", "proc/self/maps",   "proc/self/mountinfo",
    "proc/self/stat",    "proc/self/statm",  "proc/self/status"};

/*
 * A rule is for an inode, and the kernel creates a new one after it has dropped the name from its
 * cache. A bind mount pins the name.
 */
static void pin_proc_files(struct confine_plan *plan)
{
    for (size_t i = 0; i < sizeof proc_files / sizeof *proc_files; i++)
        mount_or_end(plan, "bind a file of /proc", proc_files[i], proc_files[i], NULL, MOUNT_BIND,
                     NULL);
}

static void allow_proc(struct confine_plan *plan)
{
    if (plan->writable_folder) {
        allow(plan, "/proc", LANDLOCK_READ);
        return;
    }
    allow(plan, "/proc", LANDLOCK_LIST);
    confine_check(plan, "chdir to the root", syscall(SYS_chdir, "/"));
    for (size_t i = 0; i < sizeof proc_files / sizeof *proc_files; i++)
        allow(plan, proc_files[i], LANDLOCK_READ);
}

void root_enter(struct confine_plan *plan)
{
    /* While the old /proc is visible: otherwise a user namespace may not mount it. */
    if (plan->proc)
        mount_or_end(plan, "mount /proc", "proc", "proc", "proc",
                     MOUNT_NO_SUID | MOUNT_NO_DEVICES | MOUNT_NO_EXEC | MOUNT_READ_ONLY,
                     "subset=pid");
    if (plan->proc && !plan->writable_folder)
        pin_proc_files(plan);
    confine_check(plan, "pivot_root", syscall(SYS_pivot_root, ".", "."));
    confine_check(plan, "leave the old root", syscall(SYS_umount2, ".", UMOUNT_DETACH));
    if (plan->proc)
        allow_proc(plan);
    if (plan->opens_proc)
        plan->proc_fd = (int)confine_check(
            plan, "open /proc",
            syscall(SYS_openat, PATH_HERE, "/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    confine_check(plan, "chdir to its folder", syscall(SYS_chdir, ROOT_FOLDER));
    if (plan->scratch_options)
        allow(plan, "/tmp", plan->writable_folder ? LANDLOCK_BUILD : LANDLOCK_WRITE);
}
