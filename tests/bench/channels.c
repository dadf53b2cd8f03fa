/*
 * Measures what two confined programs can still communicate, in bits per second. One sends bits
 * that the bench knows, the other measures; wrong bits reduce the rate as in Shannon's binary
 * symmetric channel. Tries several slot lengths and counts the best one.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/sandbox.h"
#include "tests/bench/bench.h"
#include "tests/bench/talker/bits.h"

#define TALKER_PROGRAM BENCH_BINARY_DIR "/tests/bench/talker/talker"

enum {
    BITS_MAX = 4000,
    RUN_US = 2000000, /* per slot length */
    HEAD_START_US = 200000,
    PATIENCE_MS = 60000,
    PAGES_BITS = 512,
    LIMITS_TRIED = 20,
};

static const int64_t slots_us[] = {100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000};

static const struct channel {
    const char *name;
    int cores[2]; /* of the sender and the receiver; -1: any */
} channels[] = {
    {"thread-ends", {-1, -1}},
    {"load", {0, 0}}, /* with --pin, two bots of one game share a core */
    {"caches", {0, 1}},
    {"inodes", {0, 0}},
};

static struct sandbox *sandbox;
static char folder[] = "/tmp/bench-channels-XXXXXX";

static struct sandbox_child start(const char *role, const char *name, int core, int64_t slot_us,
                                  long count, int64_t start_us)
{
    char slot[24], bits[24], moment[24], seed[24];
    const char *const argv[] = {"./talker", role, name, slot, bits, moment, seed, NULL};
    const struct sandbox_command command = {
        .folder = folder, .argv = argv, .executable_fd = -1, .cpu = core};
    struct sandbox_failure failure;
    struct sandbox_child child;

    snprintf(seed, sizeof seed, "%lu", (unsigned long)BITS_SEED);
    snprintf(slot, sizeof slot, "%lld", (long long)slot_us);
    snprintf(bits, sizeof bits, "%ld", count);
    snprintf(moment, sizeof moment, "%lld", (long long)start_us);
    if (sandbox_spawn(sandbox, &command, &child, &failure) < 0)
        bench_refuse("channels: %s: %s", failure.step, strerror(failure.error));
    return child;
}

/* Reads a number per bit; missing ones stay 0. */
static void read_numbers(struct sandbox_child *child, double *numbers, long count)
{
    static char text[BITS_MAX * 24];
    size_t length = 0;
    char *at = text;
    ssize_t got;

    while (length < sizeof text - 1 &&
           poll(&(struct pollfd){.fd = child->stdout_fd, .events = POLLIN}, 1, PATIENCE_MS) > 0 &&
           (got = read(child->stdout_fd, text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)got;
    text[length] = '\0';
    for (long i = 0; i < count; i++)
        numbers[i] = strtod(at, &at);
}

static int compare(const void *left, const void *right)
{
    const double *one = left, *other = right;

    return (*one > *other) - (*one < *other);
}

/* Returns how much of each bit was transmitted, 0 to 1, if numbers above the limit mean ones. */
static double share_above(const double *numbers, long count, double limit)
{
    long wrong_count = 0;
    double wrong;

    for (long i = 0; i < count; i++)
        wrong_count += (numbers[i] > limit) != bits_at(BITS_SEED, i);
    wrong = (double)wrong_count / (double)count;
    if (wrong <= 0 || wrong >= 1)
        return 1;
    return 1 + wrong * log2(wrong) + (1 - wrong) * log2(1 - wrong);
}

/* Returns the same for the best limit. */
static double share_told(const double *numbers, long count)
{
    static double sorted[BITS_MAX];
    double best = 0;

    memcpy(sorted, numbers, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    for (int part = 0; part < LIMITS_TRIED; part++) {
        double share = share_above(numbers, count, sorted[count * part / LIMITS_TRIED]);

        best = share > best ? share : best;
    }
    return best;
}

static double bits_a_second(const struct channel *channel, int64_t slot_us)
{
    static double numbers[BITS_MAX];
    long count = RUN_US / slot_us < BITS_MAX ? RUN_US / slot_us : BITS_MAX;
    int64_t start_us = bench_now_us() + HEAD_START_US;
    struct sandbox_child sender, receiver;

    receiver = start("receive", channel->name, channel->cores[1], slot_us, count, start_us);
    sender = start("send", channel->name, channel->cores[0], slot_us, count, start_us);
    read_numbers(&receiver, numbers, count);
    sandbox_child_finish(&receiver);
    sandbox_child_finish(&sender);
    return share_told(numbers, count) * 1e6 / (double)slot_us;
}

static void measure(const struct channel *channel)
{
    double best = 0;
    int64_t best_slot_us = 0;
    char name[64];

    for (size_t i = 0; i < sizeof slots_us / sizeof *slots_us; i++) {
        double rate = bits_a_second(channel, slots_us[i]);

        if (rate > best) {
            best = rate;
            best_slot_us = slots_us[i];
        }
    }
    snprintf(name, sizeof name, "channels.%s", channel->name);
    bench_figure(name, best, "bit/s", 0);
    snprintf(name, sizeof name, "channels.%s_slot", channel->name);
    bench_figure(name, (double)best_slot_us, "us", 0);
}

/*
 * Creates a file whose pages are not in the page cache, like those of a runtime that nobody has
 * read.
 */
static int lay_pages(void)
{
    char path[64];
    int fd;

    snprintf(path, sizeof path, "%s/pages", folder);
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0 || posix_fallocate(fd, 0, (off_t)PAGES_BITS * BITS_PAGE_STRIDE_BYTES) != 0)
        bench_refuse("channels: %s: %s", path, strerror(errno));
    for (off_t i = 0; i < PAGES_BITS; i++)
        if (pwrite(fd, "x", 1, i * BITS_PAGE_STRIDE_BYTES) != 1)
            bench_refuse("channels: %s: %s", path, strerror(errno));
    fsync(fd);
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    return fd;
}

/* Runs the sender to its end, then the receiver. */
static void measure_left(const char *channel, long count)
{
    static double numbers[BITS_MAX];
    int64_t begun_us = bench_now_us();
    struct sandbox_child child = start("send", channel, -1, 0, count, begun_us);
    double seconds;
    char name[64];

    poll(&(struct pollfd){.fd = child.pid_fd, .events = POLLIN}, 1, PATIENCE_MS);
    sandbox_child_finish(&child);
    child = start("receive", channel, -1, 0, count, begun_us);
    read_numbers(&child, numbers, count);
    seconds = (double)(bench_now_us() - begun_us) / 1e6;
    sandbox_child_finish(&child);
    snprintf(name, sizeof name, "channels.%s", channel);
    bench_figure(name, share_told(numbers, count) * (double)count / seconds, "bit/s", 0);
}

static void lay_folder(void)
{
    char command[512];

    if (!mkdtemp(folder) || chmod(folder, 0755) < 0)
        bench_refuse("channels: %s: %s", folder, strerror(errno));
    snprintf(command, sizeof command, "cp %s %s/talker", TALKER_PROGRAM, folder);
    if (system(command) != 0)
        bench_refuse("channels: %s: cannot be copied", TALKER_PROGRAM);
}

int bench_channels_run(int argc, char **argv)
{
    const struct sandbox_options options = {.require = SANDBOX_TIER_LITE,
                                            .at_most = SANDBOX_TIER_FULL};
    struct sandbox_failure failure;
    char command[64];

    if (argc > 1)
        bench_refuse("channels: %s: takes no arguments", argv[1]);
    if (sandbox_create(&sandbox, &options, &failure) < 0)
        bench_refuse("channels: %s: %s", failure.step, strerror(failure.error));
    lay_folder();
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
        measure(&channels[i]);
    close(lay_pages());
    measure_left("pages", PAGES_BITS);
    measure_left("names", BITS_MAX);
    sandbox_destroy(sandbox);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? 0 : 1;
}
