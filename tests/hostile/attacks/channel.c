/* SPDX-License-Identifier: MIT */
/* Two bots that try to communicate: one sends in every possible way, the other looks for each. */
#include "tests/hostile/attacks/attacks.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum {
    MEETING_KEY = 0x70617669,
    TALK_MS = 600,
    PIDS_MAX = 400,
    DESCRIPTORS_MAX = 64,
};

/* A file that nobody else on the machine uses meanwhile, and their own. */
static const char *const shared_files[] = {"/usr/bin/pinky", "attack.txt", "."};
static const char *const meeting_files[] = {"/tmp/meet", "meet", "/dev/shm/meet", "/var/tmp/meet",
                                            "/usr/meet"};

static const struct sockaddr_un meeting = {.sun_family = AF_UNIX, .sun_path = "\0meet"};

static long now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void send_by_files(void)
{
    struct flock lock = {.l_type = F_RDLCK};
    char byte;

    for (size_t i = 0; i < sizeof shared_files / sizeof *shared_files; i++) {
        int fd = open(shared_files[i], O_RDONLY);

        if (fd < 0)
            continue;
        flock(fd, LOCK_EX);
        fcntl(fd, F_SETLK, &lock);
        fcntl(fd, F_OFD_SETLK, &lock);
        fcntl(fd, F_SETLEASE, F_RDLCK);
        if (read(fd, &byte, 1) > 0) /* for its time of access */
            futimens(fd, NULL);
        chmod(shared_files[i], 0777);
        close(fd);
    }
    for (size_t i = 0; i < sizeof meeting_files / sizeof *meeting_files; i++)
        close(open(meeting_files[i], O_WRONLY | O_CREAT, 0666));
}

static void send_by_kernel(void)
{
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    int pair[2];

    sendto(fd, "x", 1, 0, (const struct sockaddr *)&meeting, sizeof meeting);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) {
        sendto(pair[0], "x", 1, 0, (const struct sockaddr *)&meeting, sizeof meeting);
        (void)bind(pair[1], (const struct sockaddr *)&meeting, sizeof meeting);
        close(pair[0]);
        close(pair[1]);
    }
    msgget(MEETING_KEY, IPC_CREAT | 0666);
    (void)semget(MEETING_KEY, 1, IPC_CREAT | 0666);
    (void)shmget(MEETING_KEY, 4096, IPC_CREAT | 0666);
    mq_open("/meet", O_RDWR | O_CREAT, 0666, NULL);
    for (pid_t pid = 1; pid < PIDS_MAX; pid++)
        if (pid != getpid()) {
            kill(pid, SIGUSR1);
            syscall(SYS_tgkill, pid, pid, SIGUSR1);
        }
    kill(-1, SIGUSR1);
    for (int number = 3; number < DESCRIPTORS_MAX; number++)
        if (write(number, "x", 1) > 0)
            attack_say("wrote into an inherited descriptor");
}

static void sends(void)
{
    long end_ms = now_ms() + TALK_MS;

    signal(SIGUSR1, SIG_IGN);
    while (now_ms() < end_ms) {
        send_by_files();
        send_by_kernel();
        usleep(1000);
    }
    attack_say("sent");
}

static volatile sig_atomic_t signalled;

static void take_signal(int number)
{
    signalled = number;
}

/* What can be seen of a file without a right to it. */
static long long fingerprint(const char *path)
{
    struct stat stat;
    struct flock lock = {.l_type = F_WRLCK};
    long long print = 0;
    int fd = open(path, O_RDONLY);

    if (fstat(fd, &stat) == 0)
        print = stat.st_atim.tv_sec * 31 + stat.st_atim.tv_nsec + stat.st_ctim.tv_nsec * 7 +
                stat.st_mode * 1000003ll + (long long)stat.st_nlink;
    print += fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    print += flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
    close(fd);
    return print;
}

static const char *heard_by_kernel(const struct utsname *before)
{
    struct utsname now;
    struct stat stat;
    char byte;
    int ends[2];
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);

    if (fd >= 0 && bind(fd, (const struct sockaddr *)&meeting, sizeof meeting) == 0 &&
        recv(fd, &byte, 1, MSG_DONTWAIT) > 0)
        return "socket";
    if (msgget(MEETING_KEY, 0) >= 0 || semget(MEETING_KEY, 1, 0) >= 0 ||
        shmget(MEETING_KEY, 1, 0) >= 0)
        return "key";
    if (mq_open("/meet", O_RDONLY) >= 0)
        return "queue";
    if (signalled)
        return "signal";
    uname(&now);
    if (strcmp(now.nodename, before->nodename) != 0)
        return "host name";
    for (int number = 3; number < DESCRIPTORS_MAX; number++)
        if (fstat(number, &stat) == 0)
            return "descriptor";
    if (pipe(ends) == 0) {
        int size = fcntl(ends[0], F_GETPIPE_SZ);

        close(ends[0]);
        close(ends[1]);
        if (size >= 0 && size != 65536)
            return "quota of pipes";
    }
    return NULL;
}

static void receives(void)
{
    enum {
        SHARED = sizeof shared_files / sizeof *shared_files
    };
    long end_ms = now_ms() + TALK_MS;
    long long before[SHARED];
    const char *heard = NULL;
    struct utsname name;

    signal(SIGUSR1, take_signal);
    uname(&name);
    for (int i = 0; i < SHARED; i++)
        before[i] = fingerprint(shared_files[i]);
    while (!heard && now_ms() < end_ms) {
        heard = heard_by_kernel(&name);
        for (int i = 0; i < SHARED && !heard; i++)
            if (fingerprint(shared_files[i]) != before[i])
                heard = shared_files[i];
        for (size_t i = 0; i < sizeof meeting_files / sizeof *meeting_files && !heard; i++)
            if (access(meeting_files[i], F_OK) == 0)
                heard = meeting_files[i];
        usleep(1000);
    }
    attack_say(heard ? heard : "nothing");
}

const struct attack attacks_by_channel[] = {
    {"send", sends},
    {"receive", receives},
    {NULL, NULL},
};
