/*
 * How long a program holds its event loop, and why; to be preloaded. A hold is the time from the
 * end of an epoll_wait of the first thread to its next one. The kernel accounts for it:
 *
 *     processor   what the thread used
 *     preempted   what it waited for a processor that others had
 *     blocked     the rest, if it went to sleep in a call
 *     taken       the rest, if it did not: interrupts, and the host of a virtual machine
 *
 * A program can do something about the first and the third: its own holds. Most kernels account
 * for interrupts as the thread's own time. So a signal of a timer comes each 0.25 ms: one that
 * comes late, and not at the end of a call, met the thread while it was kept from running, and the
 * delay is counted as taken. (What interrupts take within a call is not told from the call.)
 *
 * At its exit, if it had a loop, the program writes to the file HOLDS_FILE: the turns of the loop;
 * then, of holds above 1 ms, how many and the longest in us, in all, its own, and of each kind;
 * then each hold above 1 ms on a line, with its four parts and the calls of where it was at the
 * latest signals. Programs that it starts are not measured.
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    LONG_US = 1000,
    STEP_US = 250,    /* between two signals */
    LATE_US = 50,     /* a signal this late was delayed */
    HOLDS_MAX = 1000, /* holds listed one by one */
    PLACES_MAX = 3,
    CALLS_MAX = 12,
    CALLS_LEFT_OUT = 2, /* the handler, and its entry from the kernel */
};

enum kind {
    ALL = 0,
    OWN = 1,
    PROCESSOR = 2,
    PREEMPTED = 3,
    BLOCKED = 4,
    TAKEN = 5,
    KINDS = 6,
};

/* What the kernel has accounted so far. */
struct account {
    int64_t now_us, processor_us, waited_us;
    long sleep_count;
};

struct place {
    void *calls[CALLS_MAX];
    int count;
};

struct hold {
    int64_t woken_us; /* monotonic, for comparison with a kernel trace */
    int64_t us[KINDS];
    struct place places[PLACES_MAX];
    int place_count;
};

static bool begun;       /* the program has a loop */
static const char *path; /* NULL: holds are not measured */
static timer_t watchdog;
static volatile int64_t armed_us; /* when it was started */
static volatile int64_t noted_us; /* since then, until its last signal that was due */
static long turn_count;
static struct account woken; /* now_us is 0 before the first wake-up */
static int64_t longest_us[KINDS];
static long long_count[KINDS];
static struct hold holds[HOLDS_MAX];
static int hold_count;
static struct place places[PLACES_MAX]; /* of the current hold: places of late signals */
static volatile sig_atomic_t place_count;
static volatile int64_t kept_us; /* of the current hold: delay by interrupts */

static int64_t clock_us(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/*
 * Returns how long this thread has waited for a processor so far; 0 if the kernel does not report
 * it.
 */
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

static struct account take_account(void)
{
    struct rusage usage;

    getrusage(RUSAGE_THREAD, &usage);
    return (struct account){.now_us = clock_us(CLOCK_MONOTONIC),
                            .processor_us = clock_us(CLOCK_THREAD_CPUTIME_ID),
                            .waited_us = waited_us(),
                            .sleep_count = usage.ru_nvcsw};
}

/* True if the program is at the instruction after a system call. */
static bool is_in_call(const ucontext_t *context)
{
    const uint8_t *at = (const uint8_t *)context->uc_mcontext.gregs[REG_RIP];

    return at[-2] == 0x0f && at[-1] == 0x05;
}

static void note_place(int signal, siginfo_t *info, void *context)
{
    int64_t held_us = clock_us(CLOCK_MONOTONIC) - armed_us;
    int64_t late_us = held_us - noted_us - STEP_US;

    (void)signal;
    (void)info;
    if (late_us >= LATE_US && !is_in_call(context))
        kept_us = kept_us + late_us;
    noted_us = held_us / STEP_US * STEP_US;
    if (place_count < PLACES_MAX && (late_us >= LATE_US || held_us > LONG_US)) {
        places[place_count].count = backtrace(places[place_count].calls, CALLS_MAX);
        place_count = place_count + 1;
    }
}

static void set_watchdog(bool on)
{
    const struct timespec step = {.tv_nsec = on ? STEP_US * 1000 : 0};

    armed_us = clock_us(CLOCK_MONOTONIC);
    noted_us = 0;
    timer_settime(watchdog, 0, &(struct itimerspec){step, step}, NULL);
}

static void start_watchdog(void)
{
    struct sigaction action = {.sa_sigaction = note_place, .sa_flags = SA_RESTART | SA_SIGINFO};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMAX - 1};
    void *calls[1];

    event._sigev_un._tid = gettid();
    backtrace(calls, 1); /* loads what it needs */
    sigaction(SIGRTMAX - 1, &action, NULL);
    timer_create(CLOCK_MONOTONIC, &event, &watchdog);
}

static void begin(void)
{
    const char *wanted = getenv("HOLDS_FILE");

    begun = true;
    path = wanted ? strdup(wanted) : NULL;
    unsetenv("HOLDS_FILE"); /* not for those that it starts */
    if (path)
        start_watchdog();
}

static void add(const struct account *ended)
{
    int64_t us[KINDS] = {[ALL] = ended->now_us - woken.now_us};
    int64_t rest_us;

    us[PROCESSOR] = ended->processor_us - woken.processor_us;
    us[PREEMPTED] = ended->waited_us - woken.waited_us;
    rest_us = us[ALL] - us[PROCESSOR] - us[PREEMPTED];
    us[ended->sleep_count != woken.sleep_count ? BLOCKED : TAKEN] = rest_us > 0 ? rest_us : 0;
    rest_us = kept_us - us[PREEMPTED] - us[BLOCKED] - us[TAKEN]; /* accounted as its own */
    if (rest_us > 0) {
        rest_us = rest_us < us[PROCESSOR] ? rest_us : us[PROCESSOR];
        us[PROCESSOR] -= rest_us;
        us[TAKEN] += rest_us;
    }
    us[OWN] = us[PROCESSOR] + us[BLOCKED];
    turn_count++;
    for (int kind = 0; kind < KINDS; kind++) {
        long_count[kind] += us[kind] > LONG_US;
        longest_us[kind] = us[kind] > longest_us[kind] ? us[kind] : longest_us[kind];
    }
    if (us[ALL] <= LONG_US || hold_count == HOLDS_MAX)
        return;
    holds[hold_count].woken_us = woken.now_us;
    memcpy(holds[hold_count].us, us, sizeof us);
    memcpy(holds[hold_count].places, places, sizeof places);
    holds[hold_count++].place_count = place_count;
}

int epoll_wait(int fd, struct epoll_event *events, int capacity, int timeout_ms)
{
    struct account ended;
    int count;

    if (!begun && gettid() == getpid())
        begin();
    if (!path || gettid() != getpid())
        return (int)syscall(SYS_epoll_pwait, fd, events, capacity, timeout_ms, NULL, 8);
    if (woken.now_us) {
        set_watchdog(false);
        ended = take_account();
        add(&ended);
    }
    count = (int)syscall(SYS_epoll_pwait, fd, events, capacity, timeout_ms, NULL, 8);
    place_count = 0;
    kept_us = 0;
    woken = take_account();
    set_watchdog(true);
    return count;
}

static void tell_place(FILE *file, const struct place *place)
{
    for (int i = CALLS_LEFT_OUT; i < place->count; i++) {
        Dl_info found;

        if (dladdr(place->calls[i], &found) == 0 || !found.dli_fname)
            continue;
        fprintf(file, " %s+0x%tx",
                strrchr(found.dli_fname, '/') ? strrchr(found.dli_fname, '/') + 1 : found.dli_fname,
                (char *)place->calls[i] - (char *)found.dli_fbase);
    }
}

__attribute__((destructor)) static void tell(void)
{
    FILE *file = path && turn_count > 0 ? fopen(path, "we") : NULL;

    if (!file)
        return;
    fprintf(file, "%ld", turn_count);
    for (int kind = 0; kind < KINDS; kind++)
        fprintf(file, " %ld %" PRId64, long_count[kind], longest_us[kind]);
    fputc('\n', file);
    for (int i = 0; i < hold_count; i++) {
        const struct hold *hold = &holds[i];

        fprintf(file,
                "at %" PRId64 ".%06" PRId64 " held %" PRId64 " us: processor %" PRId64
                ", preempted %" PRId64 ", blocked %" PRId64 ", taken %" PRId64,
                hold->woken_us / 1000000, hold->woken_us % 1000000, hold->us[ALL],
                hold->us[PROCESSOR], hold->us[PREEMPTED], hold->us[BLOCKED], hold->us[TAKEN]);
        for (int place = 0; place < hold->place_count; place++) {
            fputs(place ? " |" : ";", file);
            tell_place(file, &hold->places[place]);
        }
        fputc('\n', file);
    }
    fclose(file);
}
