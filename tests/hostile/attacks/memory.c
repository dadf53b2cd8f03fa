/* SPDX-License-Identifier: MIT */
#include "tests/hostile/attacks/attacks.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    CHUNK_BYTES = 4 << 20,
    CHUNKS_MAX = 1024, /* 4 GiB: far above what any test allows */
    DEPTH_MAX = 1 << 30,
};

/* Maps and touches memory until that fails; the kernel may kill it before. */
static void map_until_full(int flags)
{
    for (int i = 0; i < CHUNKS_MAX; i++) {
        char *chunk = mmap(NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);

        if (chunk == MAP_FAILED) {
            attack_tell(-1);
            return;
        }
        memset(chunk, i + 1, CHUNK_BYTES);
    }
    attack_say("done");
}

static void private_bomb(void)
{
    map_until_full(MAP_PRIVATE | MAP_ANONYMOUS);
}

static void shared_bomb(void)
{
    map_until_full(MAP_SHARED | MAP_ANONYMOUS);
}

static void growing_bomb(void)
{
    map_until_full(MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN);
}

static void heap_bomb(void)
{
    for (int i = 0; i < CHUNKS_MAX; i++) {
        char *chunk = sbrk(CHUNK_BYTES);

        if (chunk == (char *)-1) {
            attack_tell(-1);
            return;
        }
        memset(chunk, i + 1, CHUNK_BYTES);
    }
    attack_say("done");
}

static void memfd_bomb(void)
{
    attack_tell(memfd_create("bomb", 0));
}

static void secret_bomb(void)
{
    attack_tell(syscall(447 /* memfd_secret */, 0));
}

static void segment_bomb(void)
{
    attack_tell(shmget(IPC_PRIVATE, CHUNK_BYTES, IPC_CREAT | 0600));
}

/* Reads one page in each 2 MiB: this allocates a page table each, but no page. */
static void table_bomb(void)
{
    const size_t region_bytes = (size_t)1 << 30;
    int regions = 0;

    for (; regions < 256; regions++) {
        char *region =
            mmap(NULL, region_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

        if (region == MAP_FAILED)
            break;
        for (size_t at = 0; at < region_bytes; at += 2 << 20)
            (void)*(volatile char *)(region + at);
    }
    attack_judge(regions <= 64, "bounded", "unbounded");
}

static void pipe_bomb(void)
{
    static char block[65536];
    int ends[2];
    int count = 0;

    while (count < 4096 && pipe(ends) == 0) {
        if (write(ends[1], block, sizeof block) < 0)
            break;
        count++;
    }
    attack_tell(-1);
    attack_judge(count <= 256, "few", "many");
}

static int overflow(int depth)
{
    volatile char frame[4096];

    frame[0] = (char)depth;
    return depth == DEPTH_MAX ? 0 : overflow(depth + 1) + frame[0];
}

static void stack_overflow(void)
{
    attack_judge(overflow(0), "done", "done");
}

static void locks_memory(void)
{
    static char page[4096];

    attack_tell(mlock(page, sizeof page));
}

static void looks_at_page_cache(void)
{
    unsigned char resident;
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    attack_tell(mincore(page, 4096, &resident));
}

enum {
    CHILDREN = 4,
    PATIENCE_S = 8,
    PART_BYTES = 64 << 20, /* less than the limit, and two of them more */
    PAIRS_MAX = 1000,
};

static char *touch(size_t size)
{
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (block == MAP_FAILED) {
        attack_tell(-1);
        _exit(0);
    }
    memset(block, 1, size);
    return block;
}

/* On a busy machine it takes its time. Where the kernel ends one of them for memory, the others may
   stay. */
static void judge_children(void)
{
    bool ended = false;

    for (int waited_ms = 0; !ended && waited_ms < PATIENCE_S * 1000; waited_ms += 100) {
        usleep(100000);
        ended = waitpid(-1, NULL, WNOHANG) > 0;
    }
    attack_judge(ended, "bounded", "unbounded");
}

/* Several processes, each below the limit. */
static void many_hold(void)
{
    for (int i = 0; i < CHILDREN; i++)
        if (fork() == 0) {
            touch(PART_BYTES);
            pause();
            _exit(0);
        }
    judge_children();
}

/* One after the other is stopped on its way out of vfork(), when it shares its memory no more. */
static void hold_behind_vfork(void)
{
    for (int i = 0; i < CHILDREN; i++) {
        pid_t pid = fork();

        if (pid == 0) {
            touch(PART_BYTES);
            if (vfork() == 0) {
                kill(getppid(), SIGSTOP);
                _exit(0);
            }
            pause();
            _exit(0);
        }
        waitpid(pid, NULL, WUNTRACED);
    }
    judge_children();
}

static void *touch_and_stay(void *unused)
{
    touch(PART_BYTES);
    pause();
    return unused;
}

/* The first thread of each process ends, and with it the memory figures in its /proc. */
static void many_hold_in_threads(void)
{
    pthread_t thread;

    for (int i = 0; i < CHILDREN; i++)
        if (fork() == 0) {
            pthread_create(&thread, NULL, touch_and_stay, NULL);
            syscall(SYS_exit, 0);
        }
    judge_children();
}

/* Memory shared after a fork exists only once: honest bots use it. */
static void many_share(void)
{
    touch(PART_BYTES);
    for (int i = 0; i < CHILDREN; i++)
        if (fork() == 0) {
            pause();
            _exit(0);
        }
    sleep(1);
    attack_say("shared");
}

/* Between the two of a posix_spawn, its memory is that of both: an honest bot does so. */
static void starts_while_large(void)
{
    touch(PART_BYTES);
    for (int i = 0; i < CHILDREN; i++) {
        if (vfork() == 0) {
            usleep(300000);
            _exit(0);
        }
        wait(NULL);
    }
    attack_say("started");
}

/* A process that waits for a vfork child shares its memory, or could hide some. */
static void waits_alone(void)
{
    const long flags = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_VFORK;

    attack_tell(syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0));
    attack_tell(syscall(SYS_clone, flags, 0, 0, 0, 0));
}

/* Reads one page in each 2 MiB, in each process: page tables, and no page of its own. */
static void many_tables(void)
{
    const size_t size = (size_t)20 << 30;

    for (int i = 0; i < 2 * CHILDREN - 1; i++)
        if (fork() == 0) {
            char *region =
                mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

            for (size_t at = 0; region != MAP_FAILED && at < size; at += 2 << 20)
                (void)*(volatile char *)(region + at);
            pause();
        }
    judge_children();
}

static void fill_sockets(void)
{
    static char block[4096];
    int ends[2];

    for (int i = 0; i < PAIRS_MAX && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0; i++)
        for (int end = 0; end < 2; end++)
            while (send(ends[end], block, sizeof block, MSG_DONTWAIT) > 0)
                ;
}

static void sockets_hold(void)
{
    for (int i = 0; i < 2 * CHILDREN - 1; i++)
        if (fork() == 0) {
            fill_sockets();
            pause();
            _exit(0);
        }
    judge_children();
}

/* Of one process they are bounded by its descriptors. */
static void sockets_of_one(void)
{
    fill_sockets();
    attack_say("bounded");
}

static void *hold_sockets_in_thread(void *unused)
{
    usleep(100000);
    sockets_hold();
    _exit(0);
    return unused;
}

/* When the first thread ends, so does the list of its network in /proc. */
static void sockets_hold_without_first_thread(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, hold_sockets_in_thread, NULL);
    syscall(SYS_exit, 0);
}

enum {
    HELD_CHUNKS = 64, /* 256 MiB: more than the limit, and no more than that */
};

/* Read-only pages do not count in RLIMIT_DATA, even if they were written before. */
static void hold_read_only(void)
{
    for (int i = 0; i < HELD_CHUNKS; i++) {
        char *chunk =
            mmap(NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (chunk == MAP_FAILED) {
            attack_say("bounded");
            return;
        }
        memset(chunk, i + 1, CHUNK_BYTES);
        mprotect(chunk, CHUNK_BYTES, PROT_READ);
    }
    sleep(PATIENCE_S);
    attack_say("unbounded");
}

/* The process name is at the beginning of /proc/PID/status. */
static void hold_under_a_name(void)
{
    prctl(PR_SET_NAME, "RssAnon: 0");
    hold_read_only();
}

static void *hold_in_thread(void *unused)
{
    usleep(100000);
    hold_read_only();
    _exit(0);
    return unused;
}

/* When the first thread ends, the memory figures in /proc do, too. */
static void hold_without_first_thread(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, hold_in_thread, NULL);
    syscall(SYS_exit, 0);
}

static void *stay(void *unused)
{
    pause();
    return unused;
}

/* Whether they cannot be started, or are told apart once they are. */
static void start_many_threads(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int count = 0;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16384);
    while (count < 2000 && pthread_create(&thread, &attributes, stay, NULL) == 0)
        count++;
    if (count >= 1000)
        sleep(PATIENCE_S);
    attack_judge(count < 1000, "bounded", "unbounded");
}

/* Promises itself huge pages, of which all programs of the machine share a few. */
static void huge_pages(void)
{
    const char *page = mmap(NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_NORESERVE, -1, 0);

    attack_tell(page == MAP_FAILED ? -1 : 0);
}

/* Maps memory that it never touches: where the machine does not overcommit, others go short. */
static void promises(void)
{
    const size_t chunk_bytes = (size_t)256 << 20;
    int count = 0;

    while (count < 256 && mmap(NULL, chunk_bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
        count++;
    attack_judge(count < 16, "few", "many");
}

/* An instance takes the same file once under each number; far below what an account may watch. */
static void watch_bomb(void)
{
    enum {
        INSTANCES = 40,
        FILES = 40,
        FIRST = 100,
        LAST = 200,
        MAX = 30000
    };
    int instances[INSTANCES], count = 0;

    for (int i = 0; i < INSTANCES; i++)
        instances[i] = epoll_create1(0);
    for (int file = 0; file < FILES; file++) {
        const int fd = eventfd(0, 0);

        for (int number = FIRST; number < LAST; number++) {
            dup2(fd, number);
            for (int i = 0; i < INSTANCES && count < MAX; i++) {
                struct epoll_event event = {.events = EPOLLIN};

                if (epoll_ctl(instances[i], EPOLL_CTL_ADD, number, &event) < 0) {
                    attack_tell(-1);
                    attack_judge(count > 10000 && count < 20000, "bounded", "few or many");
                    return;
                }
                count++;
            }
            close(number);
        }
    }
    attack_say("done");
}

const struct attack attacks_on_memory[] = {
    {"hold-read-only", hold_read_only},
    {"hold-under-a-name", hold_under_a_name},
    {"watch-bomb", watch_bomb},
    {"hold-without-first-thread", hold_without_first_thread},
    {"many-threads", start_many_threads},
    {"many-hold", many_hold},
    {"many-hold-in-threads", many_hold_in_threads},
    {"hold-behind-vfork", hold_behind_vfork},
    {"start-while-large", starts_while_large},
    {"wait-alone", waits_alone},
    {"many-tables", many_tables},
    {"many-share", many_share},
    {"sockets-hold", sockets_hold},
    {"sockets-hold-without-first-thread", sockets_hold_without_first_thread},
    {"sockets-of-one", sockets_of_one},
    {"private-bomb", private_bomb},
    {"shared-bomb", shared_bomb},
    {"growing-bomb", growing_bomb},
    {"heap-bomb", heap_bomb},
    {"memfd-bomb", memfd_bomb},
    {"secret-bomb", secret_bomb},
    {"segment-bomb", segment_bomb},
    {"table-bomb", table_bomb},
    {"pipe-bomb", pipe_bomb},
    {"stack-overflow", stack_overflow},
    {"mlock", locks_memory},
    {"mincore", looks_at_page_cache},
    {"huge-pages", huge_pages},
    {"promises", promises},
    {NULL, NULL},
};
