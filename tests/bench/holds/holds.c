/*
 * How long a program holds its event loop, to be preloaded: the time from the end of each
 * epoll_wait of its first thread to the next one, as the clock has it, and without what the thread
 * waited for a processor meanwhile, as the kernel accounts for it. At its exit, if it had a loop,
 * it writes one line to the file HOLDS_FILE: the turns of the loop; the holds above 1 ms and the
 * longest, microseconds; the same two without the waits.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    LONG_US = 1000,
};

struct held {
    long long_count;
    int64_t longest_us;
};

static long turn_count;
static struct held held, held_by_itself;
static int64_t woke_us, woke_waited_us; /* 0: not yet */

static int64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* What this thread has waited for a processor so far; 0 where the kernel does not tell. */
static int64_t waited_us(void)
{
    static int schedstat_fd = -1;
    char text[128] = "";
    int64_t waited_ns = 0;

    if (schedstat_fd < 0)
        schedstat_fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (pread(schedstat_fd, text, sizeof text - 1, 0) > 0)
        sscanf(text, "%*s %" SCNd64, &waited_ns);
    return waited_ns / 1000;
}

static void add(struct held *to, int64_t us)
{
    to->long_count += us > LONG_US;
    to->longest_us = us > to->longest_us ? us : to->longest_us;
}

int epoll_wait(int fd, struct epoll_event *events, int capacity, int timeout_ms)
{
    int count;

    if (gettid() != getpid())
        return (int)syscall(SYS_epoll_pwait, fd, events, capacity, timeout_ms, NULL, 8);
    if (woke_us) {
        int64_t us = now_us() - woke_us;

        turn_count++;
        add(&held, us);
        add(&held_by_itself, us - (waited_us() - woke_waited_us));
    }
    count = (int)syscall(SYS_epoll_pwait, fd, events, capacity, timeout_ms, NULL, 8);
    woke_waited_us = waited_us();
    woke_us = now_us();
    return count;
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("HOLDS_FILE");
    FILE *file = path && turn_count > 0 ? fopen(path, "we") : NULL;

    if (!file)
        return;
    fprintf(file, "%ld %ld %" PRId64 " %ld %" PRId64 "\n", turn_count, held.long_count,
            held.longest_us, held_by_itself.long_count, held_by_itself.longest_us);
    fclose(file);
}
