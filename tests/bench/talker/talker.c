/*
 * One of two confined programs that communicate bits in spite of the sandbox, for `bench channels`.
 *
 *   talker send|receive CHANNEL SLOT_US COUNT START_US SEED
 *
 * Bit i belongs to the slot from START_US + i * SLOT_US of the monotonic clock. The receiver prints
 * its measurement in each slot, one number per line; the bench decides which of them are ones.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/talker/bits.h"

enum {
    PAGE_BYTES = 4096,
    STACK_BYTES = 16384,
    STACKS = 64,              /* a thread may come late */
    SWEEP_BYTES = 2 << 20,    /* of the one who listens to the processor's caches */
    DISTURB_BYTES = 64 << 20, /* of the one who empties them */
    LINE_BYTES = 64,
    PIPES = 40,
};

struct talk {
    int64_t slot_us, start_us;
    long count;
    uint64_t seed;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void sleep_until(int64_t moment_us)
{
    struct timespec moment = {moment_us / 1000000, moment_us % 1000000 * 1000};

    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL);
}

static int64_t slot_begins_us(const struct talk *talk, long bit)
{
    return talk->start_us + bit * talk->slot_us;
}

/* ---- the end of a thread, at an address in a file of a runtime ---- */

static uint32_t *map_runtime(void)
{
    int fd = open("/usr/bin/env", O_RDONLY);

    return mmap(NULL, PAGE_BYTES, PROT_READ, MAP_SHARED, fd, 0);
}

static int end_at_once(void *unused)
{
    syscall(SYS_exit, 0);
    return unused != NULL;
}

static void send_by_ends(const struct talk *talk)
{
    static char stacks[STACKS][STACK_BYTES] __attribute__((aligned(16)));
    uint32_t *word = map_runtime();

    for (long i = 0; i < talk->count; i++) {
        sleep_until(slot_begins_us(talk, i) + talk->slot_us / 4);
        if (bits_at(talk->seed, i))
            clone(end_at_once, stacks[i % STACKS] + STACK_BYTES,
                  CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                      CLONE_CHILD_CLEARTID,
                  NULL, NULL, NULL, word);
    }
}

static double receive_by_ends(const struct talk *talk, long bit)
{
    static uint32_t *word;
    int64_t left_ns = slot_begins_us(talk, bit + 1) * 1000 - now_ns();
    struct timespec time = {left_ns / 1000000000, left_ns % 1000000000};

    if (!word)
        word = map_runtime();
    if (left_ns <= 0)
        return 0;
    return syscall(SYS_futex, word, FUTEX_WAIT, *word, &time, NULL, 0) == 0;
}

/* ---- load ---- */

static void send_by_load(const struct talk *talk)
{
    for (long i = 0; i < talk->count; i++) {
        sleep_until(slot_begins_us(talk, i));
        while (bits_at(talk->seed, i) && now_ns() < slot_begins_us(talk, i + 1) * 1000)
            ;
    }
}

/* Returns how many iterations it made. */
static double receive_by_load(const struct talk *talk, long bit)
{
    double rounds = 0;

    while (now_ns() < slot_begins_us(talk, bit + 1) * 1000)
        rounds--;
    return rounds;
}

/* ---- the processor's caches ---- */

static void sweep(volatile char *block, size_t size)
{
    for (size_t at = 0; at < size; at += LINE_BYTES)
        block[at]++;
}

static void send_by_caches(const struct talk *talk)
{
    char *block = malloc(DISTURB_BYTES);

    memset(block, 1, DISTURB_BYTES);
    for (long i = 0; i < talk->count; i++) {
        sleep_until(slot_begins_us(talk, i));
        for (size_t at = 0; bits_at(talk->seed, i) && now_ns() < slot_begins_us(talk, i + 1) * 1000;
             at = (at + SWEEP_BYTES) % DISTURB_BYTES)
            sweep(block + at, SWEEP_BYTES / 8);
    }
}

/* Returns the duration of its fastest sweep. */
static double receive_by_caches(const struct talk *talk, long bit)
{
    static char *block;
    double least_ns = 1e9;

    if (!block)
        block = memset(malloc(SWEEP_BYTES), 1, SWEEP_BYTES);
    while (now_ns() < slot_begins_us(talk, bit + 1) * 1000) {
        int64_t begun_ns = now_ns();
        double taken_ns;

        sweep(block, SWEEP_BYTES);
        taken_ns = (double)(now_ns() - begun_ns);
        least_ns = taken_ns < least_ns ? taken_ns : least_ns;
    }
    return least_ns;
}

/* ---- the page cache: one talks, and later the other listens ---- */

static void send_by_pages(const struct talk *talk)
{
    int fd = open("pages", O_RDONLY);
    char byte;

    for (long i = 0; i < talk->count; i++)
        if (bits_at(talk->seed, i) && pread(fd, &byte, 1, i * BITS_PAGE_STRIDE_BYTES) < 0)
            exit(1);
}

static double receive_by_pages(const struct talk *talk, long bit)
{
    static int fd = -1;
    int64_t begun_ns;
    char byte;

    if (fd < 0)
        fd = open("pages", O_RDONLY);
    (void)talk;
    begun_ns = now_ns();
    if (pread(fd, &byte, 1, bit * BITS_PAGE_STRIDE_BYTES) < 0)
        exit(1);
    return (double)-(now_ns() - begun_ns);
}

/* ---- the numbers of inodes, which the kernel gives to pipes of everybody on a core ---- */

static double next_inode(void)
{
    struct stat stat = {0};
    int ends[2];

    if (pipe(ends) < 0 || fstat(ends[0], &stat) < 0)
        exit(1);
    close(ends[0]);
    close(ends[1]);
    return (double)stat.st_ino;
}

static void send_by_inodes(const struct talk *talk)
{
    for (long i = 0; i < talk->count; i++) {
        sleep_until(slot_begins_us(talk, i) + talk->slot_us / 4);
        for (int j = 0; bits_at(talk->seed, i) && j < PIPES; j++)
            next_inode();
    }
}

static double receive_by_inodes(const struct talk *talk, long bit)
{
    static double last;
    double before = last;

    sleep_until(slot_begins_us(talk, bit + 1));
    last = next_inode();
    return last - before;
}

/* ---- names that do not exist, which the kernel remembers: one talks, and later the other ---- */

static void try_name(const struct talk *talk, long bit)
{
    char path[64];
    struct stat ignored;

    snprintf(path, sizeof path, "/usr/lib/talk-%lld-%ld", (long long)talk->start_us, bit);
    stat(path, &ignored);
}

static void send_by_names(const struct talk *talk)
{
    for (long i = 0; i < talk->count; i++)
        if (bits_at(talk->seed, i))
            try_name(talk, i);
}

static double receive_by_names(const struct talk *talk, long bit)
{
    int64_t begun_ns = now_ns();

    try_name(talk, bit);
    return (double)-(now_ns() - begun_ns);
}

/* ---- both ---- */

static const struct {
    const char *name;
    void (*send_fn)(const struct talk *talk);
    double (*receive_fn)(const struct talk *talk, long bit); /* more of it for a one */
} channels[] = {
    {"thread-ends", send_by_ends, receive_by_ends}, {"load", send_by_load, receive_by_load},
    {"caches", send_by_caches, receive_by_caches},  {"inodes", send_by_inodes, receive_by_inodes},
    {"pages", send_by_pages, receive_by_pages},     {"names", send_by_names, receive_by_names},
};

int main(int argc, char **argv)
{
    struct talk talk;

    if (argc != 7)
        return 2;
    talk = (struct talk){.slot_us = atoll(argv[3]),
                         .count = atol(argv[4]),
                         .start_us = atoll(argv[5]),
                         .seed = strtoull(argv[6], NULL, 10)};
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++) {
        if (strcmp(channels[i].name, argv[2]) != 0)
            continue;
        if (argv[1][0] == 's') {
            channels[i].send_fn(&talk);
            return 0;
        }
        for (long bit = 0; bit < talk.count; bit++) {
            sleep_until(slot_begins_us(&talk, bit));
            printf("%.0f\n", channels[i].receive_fn(&talk, bit));
        }
        return 0;
    }
    return 2;
}
