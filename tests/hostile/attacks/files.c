/* SPDX-License-Identifier: MIT */
#include "tests/hostile/attacks/attacks.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LOCKS_MANY = 80000,
    LOCKS_OF_FILE = 500, /* each is compared with all others of its file */
};

/* Prints the paths that can be opened, and reports the result of each attempt. */
static void try_each(const char *const *paths, int flags)
{
    for (; *paths; paths++) {
        int fd = open(*paths, flags, 0644);

        if (fd >= 0)
            printf("%s ", *paths);
        attack_tell(fd);
    }
}

static void reads_secrets(void)
{
    static const char *const paths[] = {
        "/etc/shadow", "/etc/passwd", "/root/.bashrc", "/var/log/wtmp", "/etc/hosts",
        "/run/utmp",   NULL};

    try_each(paths, O_RDONLY);
}

static void reads_neighbours(void)
{
    static const char *const paths[] = {"../secret", "../bot/../secret", "/secret", NULL};

    try_each(paths, O_RDONLY);
}

static void reads_the_machine(void)
{
    static const char *const paths[] = {
        "/proc/stat",    "/proc/loadavg", "/proc/meminfo",
        "/proc/cpuinfo", "/proc/kcore",   "/proc/sys/kernel/hostname",
        "/sys/class",    "/dev/mem",      "/dev/kmsg",
        "/dev/tty",      "/dev/shm",      NULL};

    try_each(paths, O_RDONLY);
}

static void reads_the_keeper(void)
{
    static const char *const paths[] = {"/proc/1/mem", "/proc/1/environ", "/proc/1/maps",
                                        "/proc/1/fd",  "/proc/1/exe",     NULL};

    for (int i = 0; paths[i]; i++) {
        char room[64];
        int fd = open(paths[i], O_RDONLY);

        attack_tell(fd < 0 ? fd : read(fd, room, sizeof room) > 0 ? 1 : (errno = EACCES, -1));
    }
}

static void writes_its_memory_file(void)
{
    attack_tell(open("/proc/self/mem", O_RDWR));
}

static void overwrites_the_keeper(void)
{
    attack_tell(open("/proc/1/exe", O_WRONLY));
}

static void writes_everywhere(void)
{
    static const char *const paths[] = {"own",      "/bot/own",     "/own",      "/tmp/own",
                                        "/usr/own", "/dev/shm/own", "/dev/null", NULL};

    try_each(paths, O_WRONLY | O_CREAT);
}

static void makes_a_temporary(void)
{
    attack_tell(open(".", O_RDWR | O_TMPFILE, 0600));
}

static void changes_its_folder(void)
{
    attack_tell(mkdir("own", 0755));
    attack_tell(rename("attack.txt", "own"));
    attack_tell(unlink("attack.txt"));
    attack_tell(chmod("attack.txt", 0777));
    attack_tell(chown("attack.txt", 0, 0));
    attack_tell(truncate("attack.txt", 0));
    attack_tell(symlink("/etc/shadow", "own"));
    attack_tell(link("attack.txt", "own"));
    attack_tell(mkfifo("own", 0600));
    attack_tell(utimensat(AT_FDCWD, "attack.txt", NULL, 0));
}

/* Fills its own scratch completely. */
static void fills_the_scratch(void)
{
    static char block[65536];
    int fd = open("/tmp/own", O_WRONLY | O_CREAT, 0600);
    long written = 0;
    ssize_t result = 0;

    signal(SIGXFSZ, SIG_IGN);
    while (written < (64 << 20) && (result = write(fd, block, sizeof block)) > 0)
        written += result;
    attack_tell(result);
    attack_judge(written <= (1 << 20), "bounded", "unbounded");
}

static void makes_many_files(void)
{
    char name[64];
    int count = 0;
    int fd = 0;

    for (; count < 100000; count++) {
        snprintf(name, sizeof name, "/tmp/%d", count);
        fd = open(name, O_WRONLY | O_CREAT, 0600);
        if (fd < 0)
            break;
        close(fd);
    }
    attack_tell(fd);
    attack_judge(count <= 300, "bounded", "unbounded");
}

static void makes_a_sparse_file(void)
{
    int fd = open("/tmp/own", O_WRONLY | O_CREAT, 0600);

    signal(SIGXFSZ, SIG_IGN);
    attack_tell(ftruncate(fd, (off_t)1 << 40));
}

static void sparse_file_kills(void)
{
    int fd = open("/tmp/own", O_WRONLY | O_CREAT, 0600);

    attack_tell(ftruncate(fd, (off_t)1 << 40));
}

static void links_to_secrets(void)
{
    attack_tell(symlink("/etc/shadow", "/tmp/own"));
    attack_tell(open("/tmp/own", O_RDONLY));
    attack_tell(link("/usr/bin/env", "/tmp/linked"));
}

static void runs_what_it_wrote(void)
{
    static const char script[] = "#!/bin/sh\necho ran\n";
    int fd = open("/tmp/own", O_WRONLY | O_CREAT, 0755);

    if (write(fd, script, sizeof script - 1) < 0)
        attack_say("not written");
    close(fd);
    execl("/tmp/own", "own", (char *)NULL);
    attack_tell(-1);
}

static void opens_until_full(void)
{
    int count = 0;
    int fd = 0;

    while (count < 100000 && (fd = open(".", O_RDONLY)) >= 0)
        count++;
    attack_tell(fd);
    attack_judge(count <= 256, "few", "many");
}

static void lists_descriptors(void)
{
    struct stat stat;

    for (int fd = 0; fd < 4096; fd++)
        if (fstat(fd, &stat) == 0)
            printf("%d\n", fd);
}

static void locks_a_shared_file(void)
{
    struct flock lock = {.l_type = F_RDLCK};
    int fd = open("/usr/bin/env", O_RDONLY);

    attack_tell(flock(fd, LOCK_SH));
    attack_tell(fcntl(fd, F_SETLK, &lock));
    attack_tell(fcntl(fd, F_OFD_SETLK, &lock));
    attack_tell(fcntl(fd, F_SETLEASE, F_RDLCK));
    attack_tell(fcntl(open("/usr/bin", O_RDONLY), F_NOTIFY, DN_ACCESS));
    attack_tell(inotify_init1(0));
}

/* The kernel keeps some 200 bytes for each lock, and counts them nowhere. */
static void locks_for_ever(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_len = 1};
    int fd = -1;
    int count = 0;

    for (; count < LOCKS_MANY; count++) {
        if (count % LOCKS_OF_FILE == 0) {
            char name[32];

            snprintf(name, sizeof name, "/tmp/%d", count);
            fd = open(name, O_RDWR | O_CREAT, 0600);
        }
        lock.l_start = 2 * (off_t)count;
        if (fcntl(fd, count % 2 ? F_SETLK : F_OFD_SETLK, &lock) < 0)
            break;
    }
    attack_tell(count < LOCKS_MANY ? -1 : 0);
    attack_judge(count < LOCKS_MANY, "few", "many");
}

static void takes_signals_from_a_pipe(void)
{
    int ends[2];

    attack_tell(pipe(ends));
    attack_tell(fcntl(ends[0], F_SETOWN, 1));
    attack_tell(fcntl(ends[0], F_SETSIG, SIGKILL));
    attack_tell(fcntl(ends[0], F_SETPIPE_SZ, 1 << 20));
}

static void leaves_its_root(void)
{
    char path[4096];
    struct stat here, above;

    attack_tell(chdir("../../../../../../.."));
    stat(".", &here);
    stat("..", &above);
    attack_judge(here.st_ino == above.st_ino && !strcmp(getcwd(path, sizeof path), "/"), "top",
                 "higher");
    attack_tell(open("work", O_RDONLY));
    attack_tell(open("home", O_RDONLY));
}

const struct attack attacks_on_files[] = {
    {"read-secrets", reads_secrets},
    {"read-neighbours", reads_neighbours},
    {"read-machine", reads_the_machine},
    {"read-keeper", reads_the_keeper},
    {"write-memory-file", writes_its_memory_file},
    {"overwrite-keeper", overwrites_the_keeper},
    {"write-everywhere", writes_everywhere},
    {"temporary-file", makes_a_temporary},
    {"change-folder", changes_its_folder},
    {"fill-scratch", fills_the_scratch},
    {"many-files", makes_many_files},
    {"sparse-file", makes_a_sparse_file},
    {"sparse-file-kills", sparse_file_kills},
    {"link-to-secrets", links_to_secrets},
    {"run-written", runs_what_it_wrote},
    {"open-until-full", opens_until_full},
    {"list-descriptors", lists_descriptors},
    {"lock-shared", locks_a_shared_file},
    {"pipe-signals", takes_signals_from_a_pipe},
    {"leave-root", leaves_its_root},
    {"lock-for-ever", locks_for_ever},
    {NULL, NULL},
};
