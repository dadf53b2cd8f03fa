#include "arena/commands/process_limits.h"

#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/commands/commands.h"

enum {
    DESCRIPTORS_BASE = 72, /* for runtimes, the loop, the store, and short-lived ones of a start */
    DESCRIPTORS_A_BOT = 18,
    PROCESSES_BASE = 2, /* one that unpacks, one that sets up a bot */
    PROCESSES_A_BOT = 2,
};

/* clang-format off */
static const struct {
    int resource;
    const char *flag;     /* option of ulimit */
    const char *what;
    int64_t unit_bytes;   /* unit of ulimit's figures */
    int64_t least_bytes;
    bool plays;           /* checked only for commands that play */
} needed[] = {
    {RLIMIT_STACK, "-s", "the stack", 1024, 1 << 20, false},
    {RLIMIT_AS, "-v", "address space", 1024, 256 << 20, false},
    {RLIMIT_DATA, "-d", "data", 1024, 128 << 20, false},
    {RLIMIT_FSIZE, "-f", "the size of files", 1024, 64 << 20, true},
};
/* clang-format on */

static int check(bool plays)
{
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        struct rlimit limit;

        if (needed[i].plays != plays ||
            getrlimit((__rlimit_resource_t)needed[i].resource, &limit) < 0 ||
            limit.rlim_cur == RLIM_INFINITY || (int64_t)limit.rlim_cur >= needed[i].least_bytes)
            continue;
        return command_fail(
            "the limit on %s (ulimit %s) is %" PRId64 " KiB: raise it to %" PRId64 " at least",
            needed[i].what, needed[i].flag, (int64_t)limit.rlim_cur / needed[i].unit_bytes,
            needed[i].least_bytes / needed[i].unit_bytes);
    }
    return COMMAND_DONE;
}

int process_limits_check(void)
{
    struct rlimit stack;

    signal(SIGXFSZ, SIG_IGN); /* bots get the default action back */
    if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < 1 << 20 &&
        stack.rlim_max > stack.rlim_cur) {
        stack.rlim_cur = stack.rlim_max < 8 << 20 ? stack.rlim_max : 8 << 20;
        setrlimit(RLIMIT_STACK, &stack);
    }
    return check(false);
}

/*
 * Counts this user's threads, to which the limit on processes applies; threads that end meanwhile
 * may or may not count.
 */
static int64_t count_own_threads(void)
{
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    int64_t count = 0;

    while (processes && (entry = readdir(processes))) {
        char path[300], line[256];
        struct stat stat_of_it;
        FILE *file;
        int threads = 0;

        if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
            continue;
        snprintf(path, sizeof path, "/proc/%s/status", entry->d_name);
        file = fopen(path, "re");
        if (!file)
            continue;
        if (fstat(fileno(file), &stat_of_it) == 0 && stat_of_it.st_uid == getuid())
            while (fgets(line, sizeof line, file) && sscanf(line, "Threads: %d", &threads) != 1)
                ;
        fclose(file);
        count += threads;
    }
    if (processes)
        closedir(processes);
    return count;
}

/* Lowers *job_count to the number of games that room allows. */
static int fit(int *job_count, int64_t room, int64_t a_game, const char *flag, const char *what,
               int64_t limit)
{
    if (room < a_game)
        return command_fail("the limit on %s (ulimit %s) is %" PRId64
                            ": too few for one game; raise it to %" PRId64 " at least",
                            what, flag, limit, limit + a_game - room);
    if (room / a_game >= *job_count)
        return COMMAND_DONE;
    command_fail("%d of %d games at a time: the limit on %s (ulimit %s) is %" PRId64,
                 (int)(room / a_game), *job_count, what, flag, limit);
    *job_count = (int)(room / a_game);
    return COMMAND_DONE;
}

int process_limits_fit(int *job_count, int bot_count)
{
    struct rlimit limit;
    int status = check(true);

    if (status == COMMAND_DONE && getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
        limit.rlim_max != RLIM_INFINITY) /* the sandbox raises the soft limit */
        status = fit(job_count, (int64_t)limit.rlim_max - DESCRIPTORS_BASE,
                     (int64_t)DESCRIPTORS_A_BOT * bot_count, "-n", "open files",
                     (int64_t)limit.rlim_max);
    /* The limit does not apply to root, whose bots have UIDs of their own. */
    if (status == COMMAND_DONE && geteuid() != 0 && getrlimit(RLIMIT_NPROC, &limit) == 0 &&
        limit.rlim_cur != RLIM_INFINITY)
        status =
            fit(job_count, (int64_t)limit.rlim_cur - count_own_threads() - PROCESSES_BASE,
                (int64_t)PROCESSES_A_BOT * bot_count, "-u", "processes", (int64_t)limit.rlim_cur);
    return status;
}
