/* SPDX-License-Identifier: MIT */
#include "tests/hostile/attacks/attacks.h"

#include <errno.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    BOMB_MAX = 4000,
};

static void forks(void)
{
    attack_tell(syscall(SYS_fork));
}

static void vforks(void)
{
    attack_tell(syscall(SYS_vfork));
}

static void clones_a_process(void)
{
    attack_tell(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
}

static void clones_with_clone3(void)
{
    struct clone_args arguments = {.exit_signal = SIGCHLD};

    attack_tell(syscall(SYS_clone3, &arguments, sizeof arguments));
}

static void clones_a_namespace(void)
{
    attack_tell(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
}

/* The descriptors of all processes of the machine share one counter, which fstat() tells. */
static void clones_with_descriptor(void)
{
    int pid_fd = -1;

    attack_tell(syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, NULL, &pid_fd, NULL, 0));
    attack_tell(
        syscall(SYS_clone, CLONE_PIDFD | CLONE_VFORK | CLONE_VM | SIGCHLD, NULL, &pid_fd, NULL, 0));
}

static void clones_a_brother(void)
{
    attack_tell(syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0));
}

/* Prints how it ended, and whether more than a hundred processes were started. */
static void fork_bomb(void)
{
    int count = 0;
    pid_t pid = 0;

    while (count < BOMB_MAX && (pid = fork()) > 0)
        count++;
    if (pid == 0 && count < BOMB_MAX) {
        pause();
        _exit(0);
    }
    attack_tell(pid);
    attack_judge(count <= 200, "few", "many");
}

static void *sleep_on(void *unused)
{
    pause();
    return unused;
}

static void thread_bomb(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int count = 0;
    int error = 0;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    while (count < BOMB_MAX && (error = pthread_create(&thread, &attributes, sleep_on, NULL)) == 0)
        count++;
    attack_say(error ? strerrorname_np(error) : "done");
    attack_judge(count <= 200, "few", "many");
}

static void new_session(void)
{
    attack_tell(setsid());
}

/* Each session is a group of full weight where the kernel shares out the processor by session. */
static void own_session(void)
{
    if (fork() == 0) {
        attack_tell(setsid());
        attack_judge(getsid(0) == getpid(), "own", "same");
        _exit(0);
    }
    wait(NULL);
}

static void new_group(void)
{
    attack_tell(setpgid(0, 0));
}

/* A daemon that ignores all signals it can, and holds standard output open. */
static void daemon_stays(void)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            for (int number = 1; number < 32; number++)
                signal(number, SIG_IGN);
            for (;;)
                pause();
        }
        _exit(0);
    }
    usleep(20000);
    attack_say("left a daemon");
}

static void changes_affinity(void)
{
    cpu_set_t cores;

    memset(&cores, 0xff, sizeof cores);
    attack_tell(sched_setaffinity(0, sizeof cores, &cores));
}

static void raises_priority(void)
{
    attack_tell(setpriority(PRIO_PROCESS, 0, -5));
}

static void takes_real_time(void)
{
    struct sched_param parameters = {.sched_priority = 1};

    attack_tell(sched_setscheduler(0, SCHED_FIFO, &parameters));
}

/* Every limit that matters, upwards. */
/* Below and above. */
static void tells_core_limit(void)
{
    struct rlimit limit;
    char words[64];

    getrlimit(RLIMIT_CORE, &limit);
    snprintf(words, sizeof words, "%lld %lld", (long long)limit.rlim_cur,
             (long long)limit.rlim_max);
    attack_say(words);
}

/*
 * Must have no effect: with a limit of 0 the kernel would again pipe core dumps to a program of the
 * machine.
 */
static void changes_core_limit(void)
{
    const struct rlimit none = {0, 0}, more = {2, 2};

    attack_tell(setrlimit(RLIMIT_CORE, &none));
    attack_tell(prlimit(0, RLIMIT_CORE, &none, NULL));
    attack_tell(setrlimit(RLIMIT_CORE, &more));
    tells_core_limit();
}

static void raises_limits(void)
{
    static const int resources[] = {RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_STACK, RLIMIT_NOFILE,
                                    RLIMIT_AS};
    int raised = 0;

    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
        struct rlimit limit;

        getrlimit((__rlimit_resource_t)resources[i], &limit);
        if (limit.rlim_max == RLIM_INFINITY)
            continue;
        limit.rlim_cur = limit.rlim_max = limit.rlim_max + 1;
        raised += setrlimit((__rlimit_resource_t)resources[i], &limit) == 0;
    }
    attack_judge(raised == 0, "none", "raised");
}

static void limits_another(void)
{
    struct rlimit limit = {0, 0};

    attack_tell(prlimit(1, RLIMIT_CPU, &limit, NULL));
}

static void becomes_root(void)
{
    attack_tell(setuid(0));
}

static void becomes_root_by_regions(void)
{
    attack_tell(syscall(SYS_setresgid, 0, 0, 0));
}

static void who(void)
{
    attack_judge(getuid() != 0 && geteuid() != 0 && getgid() != 0 && getegid() != 0, "nobody",
                 "root");
}

/* Runs the same program with the set-user-ID bit, which the test has put into the folder. */
static void runs_setuid(void)
{
    execl("./setuid", "setuid", "who", (char *)NULL);
    attack_tell(-1);
}

static void becomes_dumpable(void)
{
    attack_tell(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
}

static void adopts_orphans(void)
{
    attack_tell(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
}

static void survives_the_arena(void)
{
    attack_tell(prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0));
}

static void invites_tracers(void)
{
    attack_tell(prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0));
}

static void counts_processes(void)
{
    int seen = 0;

    for (pid_t pid = 3; pid < 70000; pid++)
        seen += pid != getpid() && kill(pid, 0) == 0;
    attack_judge(seen == 0, "alone", "sees others");
}

/* A negative clock id is the CPU clock of another process. */
static void reads_others_clocks(void)
{
    struct timespec used;
    int seen = 0;

    for (pid_t pid = 1; pid < 70000; pid++)
        if (pid != getpid() && pid > 2)
            seen += syscall(SYS_clock_gettime, (clockid_t)(~(unsigned)pid << 3 | 2), &used) == 0;
    attack_judge(seen == 0, "none", "sees others");
}

/* A name that continues like the rest of /proc/PID/stat of an exiting process. */
static void stays_under_a_name(void)
{
    prctl(PR_SET_NAME, "a)R1 1 1 1 1 4");
    attack_say("stays");
    pause();
}

const struct attack attacks_on_processes[] = {
    {"fork", forks},
    {"vfork", vforks},
    {"clone-process", clones_a_process},
    {"clone3", clones_with_clone3},
    {"clone-namespace", clones_a_namespace},
    {"clone-brother", clones_a_brother},
    {"clone-pidfd", clones_with_descriptor},
    {"fork-bomb", fork_bomb},
    {"thread-bomb", thread_bomb},
    {"setsid", new_session},
    {"own-session", own_session},
    {"setpgid", new_group},
    {"daemon", daemon_stays},
    {"affinity", changes_affinity},
    {"priority", raises_priority},
    {"real-time", takes_real_time},
    {"raise-limits", raises_limits},
    {"core-limit", tells_core_limit},
    {"change-core-limit", changes_core_limit},
    {"limit-another", limits_another},
    {"setuid-root", becomes_root},
    {"setgid-root", becomes_root_by_regions},
    {"who", who},
    {"exec-setuid", runs_setuid},
    {"dumpable", becomes_dumpable},
    {"subreaper", adopts_orphans},
    {"no-pdeathsig", survives_the_arena},
    {"any-tracer", invites_tracers},
    {"count-processes", counts_processes},
    {"others-clocks", reads_others_clocks},
    {"stay-under-a-name", stays_under_a_name},
    {NULL, NULL},
};
