/* SPDX-License-Identifier: MIT */
/*
 * A running child. Theory of operation; how a child starts is told in spawn.c.
 *
 * Who acts on a child:
 *
 *   the caller     one thread at a time: the loop, or the thread of a build. Polls the child's
 *                  descriptors, calls sandbox_child_watch every 50 ms, stops, resumes, kills and
 *                  judges the child. Nothing that it calls blocks, except sandbox_child_finish.
 *   who finishes   the thread that starts and ends bots: releases the zombie, the keeper and the
 *                  slot, which takes the kernel up to 200 ms on a busy machine.
 *   two jobs       threads of process_scan.c: one reads the memory and processor time of all the
 *                  child's processes, one writes answers into the child's memory. Whoever reads or
 *                  writes the memory of a process can be stalled by that process for seconds, so
 *                  only jobs do it. They own duplicates of the descriptors and may outlive the
 *                  child; the caller takes results when they are there and waits for none.
 *   the kernel     enforces the limits of limits.c and of the control group, and kills the whole
 *                  PID namespace when its first process, the keeper, ends.
 *
 * States (enum child_state), and what moves a child from one to the next:
 *
 *   LIVES   --- kill_for, with a cause; the first cause counts ------------------> KILLED
 *   LIVES, KILLED   --- waitid says that the first process has ended: judge -----> DEAD
 *   KILLED  --- SANDBOX_DYING_MS after the kill: give_up, which judges, too -----> LOST
 *
 *   In DEAD and LOST the verdict is set, and nothing looks at, stops or kills the child any more.
 *   sandbox_child_finish then reaps the zombie (DEAD), or leaves the process to its slot, which no
 *   other child uses before the process has ended (LOST). WNOWAIT keeps the zombie until then, so
 *   that the PID stays the child's and reaping holds up no loop.
 *   The set-up is told apart from these states: until exec, the process runs the arena's code.
 *
 * How a child is killed: SIGKILL to its first process and to its keeper, through pidfds, which name
 * no other process by mistake. SIGKILL ends a stopped process as well, and one that a freezer of
 * version 2 has frozen; one in a freezer of version 1 it does not end, so the sandbox does not use
 * these. When the first process has ended by itself, reap kills the keeper, and so whatever else
 * the child has started.
 *
 * Why a child ended (end_of_signal): the kernel tells only a signal or an exit status. The causes
 * that the arena knows are asked in the order of certainty: a forbidden call, the OOM counter of
 * the child's own group, that of the arena's group, SIGSYS, the processor time, then the cause of
 * the arena's own SIGKILL; last, whether the keeper was killed before the child.
 *
 * Who looks at memory and at stops, by what the machine offers:
 *
 *   processes  memory group  who says that memory is over         a stop is checked by the time of
 *   one        yes           the kernel                           the first process
 *   one        no            /proc/PID/status, read at each look  the first process
 *   several    no            the scan, a job                      all processes, by the scan *
 *   several    yes           the kernel; a build's sockets, here  all processes, by the scan *
 *
 *   *  of the first process alone if a freezer of version 2 stops the child: that one stops all its
 *      processes at once. With a memory group the scan runs only while the child is stopped.
 *
 * What the kernel promises, and what was measured:
 * - All processes of a bot stay in one process group, because the filter refuses setsid and setpgid
 *   (not to builds, which nobody stops). So one signal stops or resumes all of them; a signal to 60
 *   burning processes took effect within 1 ms, where a keeper that stopped them one by one took
 *   300.
 * - A pidfd is readable as soon as the first process has ended, whatever its other processes do.
 * - A killed process may have closed its pipes while it still frees its memory; freeing 256 MiB
 *   takes 16 ms and counts as its processor time. is_leaving tells such a process from one that
 *   runs.
 * - Memory of sockets is in no file of a process: each socket counts as full.
 * - A scan of 60 processes takes 1.5 ms. A process that changes its memory map without end stalls a
 *   scan for seconds: after PROCESS_SHARES_MS what the machine has lost decides, see scan_all.
 */
#include "sandbox/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sandbox/calls.h"
#include "sandbox/death.h"
#include "sandbox/prepared.h"
#include "sandbox/process_scan.h"

enum {
    SOCKET_BYTES_MAX = 212992, /* largest buffer of a socket: the default of net.core.wmem_default,
                                  which a child cannot raise */
    FOLDER_DEPTH_MAX = 256,    /* maximum of nested folders; each costs the arena a descriptor */
    CPU_SLACK_US = 250000, /* a child that died so close to its limit used it up: the kernel checks
                              the limit in ticks */
    NOTICES_MAX = 64, /* maximum of calls that sandbox_child_notified handles at once, because other
                         children wait */
    KILLS_MAX = 16384,   /* calls with which a bot could end itself by SIGKILL; a bot of several
                            processes may kill the others */
    LOCKS_MAX = 65536,   /* fcntl lock calls per build; each adds at most two locks of 224 bytes */
    WATCHES_MAX = 16384, /* descriptors that a child adds to epoll instances, 200 bytes each: a bot
                            with asyncio adds some hundred per game */
    ANSWERS_MAX = 30000, /* maximum of sysinfo calls per child: a JVM makes a hundred per game,
                            javac 1,500 for a small program */
};

/* True once the verdict is set. */
static bool child_is_judged(const struct sandbox_child *child)
{
    return child->private->state >= CHILD_DEAD;
}

static bool is_readable(int fd)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};

    return poll(&wait, 1, 0) > 0;
}

/*
 * True if exec failed because the machine lacks a resource, which is not the program's fault. EIO
 * is the program's fault: exec returns EIO for an ELF file that is shorter than its headers say. A
 * failing disk would have returned EIO earlier, when the arena copied the package.
 */
static bool is_shortage(int error)
{
    return error == ENOMEM || error == ENFILE || error == EAGAIN || error == ESTALE;
}

void sandbox_child_lower(struct sandbox_child *child)
{
    struct sandbox_child_private *priv = child->private;
    int result;

    if (priv->is_lowered || !*priv->oom_score)
        return;
    result = process_write(child->pid, "oom_score_adj", priv->oom_score);
    /* Ordinary users may set one value every 100 ms (EAGAIN). */
    if (result == 0 && priv->session_nice)
        result = process_write(child->pid, "autogroup", priv->session_nice);
    priv->is_lowered = result != -EACCES && result != -EAGAIN;
}

enum sandbox_setup sandbox_child_setup(struct sandbox_child *child, struct sandbox_failure *failure)
{
    const struct sandbox_child_private *priv = child->private;

    if (!is_readable(child->setup_fd))
        return SANDBOX_SETUP_PENDING;
    if (priv->failure.step) {
        *failure = priv->failure;
        return priv->executed && !is_shortage(failure->error) ? SANDBOX_SETUP_REFUSED
                                                              : SANDBOX_SETUP_FAILED;
    }
    if (!priv->executed) { /* another process has killed the child before exec */
        *failure = (struct sandbox_failure){.step = "set-up", .error = ESRCH};
        return SANDBOX_SETUP_FAILED;
    }
    sandbox_child_lower(child);
    return SANDBOX_SETUP_RUNNING;
}

size_t sandbox_child_refused(const struct sandbox_child *child, struct sandbox_refusal *refusals,
                             size_t capacity)
{
    size_t count = 0;

    if (!child->private->refused_counts)
        return 0;
    for (int number = 0; number < CALLS_TRACED_MAX; number++) {
        if (!child->private->refused_counts[number])
            continue;
        if (count < capacity)
            refusals[count] =
                (struct sandbox_refusal){.call = call_name(number),
                                         .number = number,
                                         .error = filter_refusal_errno(number),
                                         .count = child->private->refused_counts[number]};
        count++;
    }
    return count;
}

static void kill_for(struct sandbox_child *child, enum kill_cause cause)
{
    if (child->private->state == CHILD_LIVES) {
        child->private->state = CHILD_KILLED;
        child->private->kill_cause = cause;
        child->private->killed_us = death_now_us();
    }
    syscall(SYS_pidfd_send_signal, child->pid_fd, SIGKILL, NULL, 0);
    if (child->private->keeper_pid) /* when the keeper ends, the kernel kills every process of its
                                       namespace */
        syscall(SYS_pidfd_send_signal, child->private->keeper_pid_fd, SIGKILL, NULL, 0);
}

/* Lets a waiting system call return 0 or -errno, or lets the kernel execute the call. */
static void answer_call(struct sandbox_child *child, const struct seccomp_notif *call, int error,
                        uint32_t flags)
{
    struct seccomp_notif_resp answer = {.id = call->id, .error = error, .flags = flags};

    /* ignore a failure: the child has died, or a signal has interrupted the call */
    ioctl(child->notify_fd, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

/* Counts a refused call of a traced child, and lets the call fail with the errno of the filter. */
static void answer_refused(struct sandbox_child *child, const struct seccomp_notif *call)
{
    if (call->data.nr >= 0 && call->data.nr < CALLS_TRACED_MAX)
        child->private->refused_counts[call->data.nr]++;
    answer_call(child, call, -filter_refusal_errno(call->data.nr), 0);
}

/*
 * Counts a call that takes kernel memory, or a share of the account, that no limit bounds for one
 * child, or with which the child could end itself by SIGKILL. Lets the kernel execute the call, or
 * refuses it with `error` after max calls. Returns false after max refusals, because each call
 * takes the arena's time: the arena must then kill the child.
 */
static bool count_call(struct sandbox_child *child, const struct seccomp_notif *call, int *count,
                       int max, int error)
{
    if (++*count <= max)
        answer_call(child, call, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
    else
        answer_call(child, call, -error, 0);
    return *count <= 2 * max;
}

/* True for the calls that the filter reports because they may end the child by SIGKILL. */
static bool may_kill_itself(int number)
{
    return number == SYS_kill || number == SYS_tgkill || number == SYS_prlimit64 ||
           number == SYS_setrlimit;
}

/*
 * Answers a waiting call. Returns false if the call is forbidden, so that the arena must kill the
 * child.
 */
static bool answer(struct sandbox_child *child, const struct seccomp_notif *call)
{
    struct sandbox_child_private *priv = child->private;
    const struct call *known = call_find(call->data.nr);

    if (known && known->ruling == CALL_ANSWERED && priv->answer_count < ANSWERS_MAX) {
        priv->answer_count++;
        if (!priv->answerer)
            priv->answerer = answerer_create(child->notify_fd, priv->limits.memory_bytes);
        return answer_sysinfo(priv->answerer, child->notify_fd, call);
    }
    if (call->data.nr == SYS_fcntl && !priv->refused_counts)
        return count_call(child, call, &priv->lock_count, LOCKS_MAX, ENOLCK);
    if (call->data.nr == SYS_epoll_ctl && (int)call->data.args[1] == EPOLL_CTL_ADD) {
        _Static_assert(WATCHES_MAX == 16384, "the words below say it");
        if (priv->watch_count >= WATCHES_MAX)
            child->exhausted = "more than 16,384 descriptors added to epoll";
        return count_call(child, call, &priv->watch_count, WATCHES_MAX, ENOSPC);
    }
    if (may_kill_itself(call->data.nr) && !priv->refused_counts)
        return count_call(child, call, &priv->own_kill_count, KILLS_MAX, EPERM);
    if (priv->refused_counts && (!known || known->ruling != CALL_FORBIDDEN)) {
        answer_refused(child, call);
        return true;
    }
    return false;
}

bool sandbox_child_notified(struct sandbox_child *child)
{
    /* The kernel wants a zeroed struct, which may be longer than the struct in our headers. */
    union {
        struct seccomp_notif call;
        char room[256];
    } notice;
    struct pollfd wait = {.fd = child->notify_fd, .events = POLLIN};

    for (int i = 0; i < NOTICES_MAX; i++) {
        if (child->notify_fd < 0 || poll(&wait, 1, 0) <= 0 || !(wait.revents & POLLIN))
            break;
        memset(&notice, 0, sizeof notice);
        if (ioctl(child->notify_fd, SECCOMP_IOCTL_NOTIF_RECV, &notice) < 0)
            break; /* the calling process has died */
        if (answer(child, &notice.call))
            continue;
        if (!child->private->forbidden_call)
            child->private->forbidden_call = call_name(notice.call.data.nr);
        kill_for(child, KILL_CAUSE_FORBIDDEN);
        break;
    }
    return child->notify_fd >= 0 && !(wait.revents & POLLHUP);
}

int64_t sandbox_child_cpu_us(const struct sandbox_child *child)
{
    /* ID of the child's CPU clock, computed like clock_getcpuclockid(3). */
    clockid_t clock = (clockid_t)(~(unsigned)child->pid << 3 | 2);
    struct timespec used;

    if (child_is_judged(child))
        return child->private->verdict.cpu_us;
    if (clock_gettime(clock, &used) < 0)
        return -errno;
    return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

int64_t sandbox_child_load_us(const struct sandbox_child *child, bool *is_ready)
{
    struct process_load load;
    int64_t counted_us;

    if (child_is_judged(child) || child->private->proc_fd < 0)
        return -ENODATA;
    process_load_read(child->private->proc_fd, &load);
    *is_ready = load.is_ready;
    /* The sum over the processes lacks those that nobody waited for: SIGCHLD may be ignored. */
    counted_us = cgroup_cpu_us(&child->private->slot->cgroup);
    return counted_us >= 0 ? counted_us : load.ticks * (1000000 / sysconf(_SC_CLK_TCK));
}

int64_t child_wait_us(struct child_wait *wait, int64_t cpu_us, int64_t now_us, int64_t since_us,
                      bool is_ready)
{
    const int64_t from_us = wait->looked_us > since_us ? wait->looked_us : since_us;

    if (cpu_us != wait->cpu_us)
        wait->waited_us = 0;
    else if (is_ready && now_us > from_us)
        wait->waited_us += now_us - from_us;
    wait->cpu_us = cpu_us;
    wait->looked_us = now_us;
    return wait->waited_us;
}

int64_t child_block_us(struct child_wait *wait, int64_t cpu_us, int64_t now_us, bool is_blocked)
{
    if (is_blocked && cpu_us == wait->block_cpu_us) {
        wait->blocked_us += now_us - wait->block_looked_us;
        wait->looked_us = now_us; /* child_wait_us does not count this time a second time */
    }
    wait->block_cpu_us = cpu_us;
    wait->block_looked_us = now_us;
    return wait->blocked_us;
}

/* True if a thread of the child waits in the kernel for a disk or a lock: state D of proc(5). */
static bool is_blocked(const struct sandbox_child *child)
{
    struct process_stat stat;
    const struct dirent *entry;
    bool found = false;
    char path[320];
    DIR *threads;

    snprintf(path, sizeof path, "/proc/%d/task", (int)child->pid);
    threads = opendir(path);
    while (threads && !found && (entry = readdir(threads))) {
        snprintf(path, sizeof path, "%s/stat", entry->d_name);
        found = *entry->d_name != '.' && process_read_stat(dirfd(threads), path, &stat) &&
                stat.state == 'D';
    }
    if (threads)
        closedir(threads);
    return found;
}

/* Looks whether the child is blocked. A child that has computed since the last look is not. */
static void look_at_block(struct sandbox_child *child)
{
    struct child_wait *wait = &child->private->wait;
    const int64_t cpu_us = sandbox_child_cpu_us(child);

    child_block_us(wait, cpu_us, death_now_us(), cpu_us == wait->block_cpu_us && is_blocked(child));
}

static int64_t since_boot_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Reads the times of a thread of the child, and its state. Returns false if it has ended. */
static bool read_thread(int folder_fd, const char *name, struct child_thread *thread, char *state)
{
    struct process_stat stat;
    char path[320], text[128]; /* content of the file: ns on a processor, ns waited for a processor,
                                  number of time slices */
    char *at;

    snprintf(path, sizeof path, "%s/schedstat", name);
    if (process_read(folder_fd, path, text, sizeof text) == 0)
        return false;
    snprintf(path, sizeof path, "%s/stat", name);
    if (!process_read_stat(folder_fd, path, &stat))
        return false;
    *state = stat.state;
    thread->begun_us = stat.begun_ticks * (1000000 / sysconf(_SC_CLK_TCK));
    thread->id = atoi(name);
    thread->cpu_us = (int64_t)(strtoull(text, &at, 10) / 1000);
    thread->queued_us = (int64_t)(strtoull(at, NULL, 10) / 1000);
    return true;
}

int64_t child_held_us(const struct child_wait *before, const struct child_wait *now,
                      int64_t spent_us)
{
    int64_t most_us = 0;

    for (int i = 0; i < now->thread_count; i++) {
        struct child_thread thread = now->threads[i];
        bool is_known = thread.begun_us >= before->booted_us;
        int64_t held_us;

        for (int j = 0; j < before->thread_count; j++)
            if (before->threads[j].id == thread.id) {
                thread.cpu_us -= before->threads[j].cpu_us;
                thread.queued_us -= before->threads[j].queued_us;
                is_known = true;
            }
        if (!is_known)
            continue;
        held_us = thread.queued_us;
        if (now->thread_count > 1 && spent_us > thread.cpu_us)
            held_us -= spent_us - thread.cpu_us;
        most_us = held_us > most_us ? held_us : most_us;
    }
    return most_us;
}

int64_t sandbox_child_queued_us(struct sandbox_child *child, int64_t since_us)
{
    struct child_wait *wait = &child->private->wait, now;
    const struct dirent *entry;
    bool is_ready = false;
    char path[64], state;
    DIR *threads;

    if (child->private->limits.process_count > 1)
        return -ENOTSUP;
    look_at_block(child);
    now = *wait;
    snprintf(path, sizeof path, "/proc/%d/task", (int)child->pid);
    if (!(threads = opendir(path)))
        return -errno;
    now.thread_count = 0;
    now.booted_us = since_boot_us();
    while ((entry = readdir(threads))) {
        if (*entry->d_name == '.' || now.thread_count == CHILD_THREADS_TIMED ||
            !read_thread(dirfd(threads), entry->d_name, &now.threads[now.thread_count], &state))
            continue;
        now.thread_count++;
        is_ready = is_ready || state == 'R';
    }
    closedir(threads);
    now.sum_us += child_held_us(wait, &now, sandbox_child_cpu_us(child) - wait->cpu_us);
    *wait = now;
    return now.sum_us + now.blocked_us +
           child_wait_us(wait, sandbox_child_cpu_us(child), death_now_us(), since_us, is_ready);
}

/* True if every thread of a process is exiting or has exited. */
static bool is_leaving(pid_t pid)
{
    int proc_fd = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool is_exiting = process_is_exiting(proc_fd, (int)pid);

    close(proc_fd);
    return is_exiting;
}

/* ---- freezing ---- */

/*
 * A stop takes effect when the kernel next runs each thread. On a virtual machine whose host has
 * taken the core away, that takes any time, and a kernel that is not told about it (steal time)
 * counts that time as the bot's. So no amount of processor time proves that a bot ran while the
 * arena had stopped it. Two other things do:
 *
 * - The kernel reports to the parent when all threads of a process have stopped, and when a signal
 *   has continued the process. A bot that the arena has stopped is reported as stopped once, and
 *   never as continued.
 * - The processor time grows from look to look. A thread that lost its core accounts for one look
 *   when the core comes back, and then stops. With this rule the arena also finds work that
 *   a system call does in the kernel after the stop, and processes that are not children of the
 *   arena. Each stop in which the bot was not found running makes up for one look.
 */
enum {
    LOOK_US = 40000,    /* shortest time between two looks; the caller looks every 50 ms */
    RUNNING_SHARE = 10, /* a bot ran between two looks if it used a tenth of the time */
    RUNNING_LOOKS = 2,  /* looks that may find a stopped bot running, beyond one for each core */
    RUNNING_CORES = 8,  /* maximum number of cores for which RUNNING_LOOKS grows */
};

/*
 * Stops or resumes all of the child's processes. A child of one process gets a signal of its own,
 * because the process group and the control group include the keeper, which would wake up at each
 * stop, too: with a quick bot that takes longer than the bot's turn.
 */
static int stop_or_resume(const struct sandbox_child *child, bool frozen)
{
    const struct sandbox_child_private *priv = child->private;
    const pid_t stopped = priv->limits.process_count > 1 ? -priv->group : child->pid;

    if (priv->stop.by_freezer)
        return cgroup_freeze(&priv->slot->cgroup, frozen);
    return kill(stopped, frozen ? SIGSTOP : SIGCONT) < 0 ? -errno : 0;
}

/*
 * Takes the kernel's report that the child's first process has stopped or continued. The kernel
 * keeps only the last report. Returns CLD_STOPPED, CLD_CONTINUED, or 0 if there is no report.
 */
static int take_report(const struct sandbox_child *child)
{
    siginfo_t report = {0};
    long result = syscall(SYS_waitid, P_PIDFD, child->pid_fd, &report,
                          WSTOPPED | WCONTINUED | WNOHANG | __WALL, NULL);

    return result < 0 || report.si_pid == 0 ? 0 : report.si_code;
}

/* Sets has_failed if the kernel reports that somebody has continued the stopped child. */
static void check_reports(struct sandbox_child *child)
{
    struct child_stop *stop = &child->private->stop;
    int report = stop->is_on ? take_report(child) : 0;

    if (report == CLD_CONTINUED || (report == CLD_STOPPED && stop->is_reported))
        stop->has_failed = true;
    stop->is_reported |= report == CLD_STOPPED;
}

/*
 * Looks at a stopped child, which has used cpu_us of processor time at the time at_us. Sets
 * has_failed if the child's time has grown between too many looks.
 */
static void check_stop(struct sandbox_child *child, int64_t at_us, int64_t cpu_us)
{
    struct child_stop *stop = &child->private->stop;
    const int64_t passed_us = at_us - stop->look_us;

    if (!stop->is_on || cpu_us < 0 || passed_us < LOOK_US)
        return;
    if (stop->look_cpu_us >= 0 && (cpu_us - stop->look_cpu_us) * RUNNING_SHARE >= passed_us &&
        !is_leaving(child->pid)) { /* a killed process still frees its memory */
        const long cores = sysconf(_SC_NPROCESSORS_ONLN);

        stop->has_run = true;
        stop->run_count++;
        if (stop->run_count > RUNNING_LOOKS + (cores < RUNNING_CORES ? cores : RUNNING_CORES))
            stop->has_failed = true;
    }
    stop->look_us = at_us;
    stop->look_cpu_us = cpu_us;
}

int sandbox_child_freeze(struct sandbox_child *child, bool frozen)
{
    struct child_stop *stop = &child->private->stop;
    int result;

    if (child_is_judged(child))
        return stop->has_failed ? -EBUSY : -ESRCH;
    check_reports(child);
    if (frozen)
        take_report(child); /* drops the report of the last resumption, or of a stop by the bot */
    result = stop_or_resume(child, frozen);
    stop->is_on = frozen && result == 0;
    stop->is_reported = false;
    if (frozen && !stop->has_run && stop->run_count > 0)
        stop->run_count--;
    stop->has_run &= !frozen;
    stop->look_us = death_now_us();
    stop->look_cpu_us = -1;
    child->private->wait.block_looked_us = stop->look_us; /* that it was stopped is no wait */
    return stop->has_failed ? -EBUSY : result;
}

/* ---- memory that no control group counts; every socket counts as full ---- */

static void raise_peak(struct sandbox_child *child, int64_t bytes)
{
    if (bytes > child->private->memory_peak_bytes)
        child->private->memory_peak_bytes = bytes;
}

/*
 * Returns the memory of the child's sockets, each counted as full. All sockets in the child's
 * network belong to the child, even those that no process has open any more. The file sockstat
 * stays readable after the process that opened the network has ended.
 */
static int64_t read_sockets(const struct sandbox_child *child)
{
    const struct sandbox_child_private *priv = child->private;
    const bool loopback = priv->loopback.sockets_fd >= 0;
    const int fd = loopback ? priv->loopback.sockets_fd : priv->slot->network.sockets_fd;
    char text[PROCESS_FILE_BYTES_MAX];
    int count = 0;
    ssize_t length;

    if (!(child->layers & SANDBOX_LAYER_NET_NS))
        return 0;
    length = pread(fd, text, sizeof text - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    if (sscanf(text, "sockets: used %d", &count) != 1)
        return 0;
    return count * (loopback ? priv->socket_bytes : SOCKET_BYTES_MAX);
}

/*
 * True if the child's sockets alone exceed its memory limit. A control group may not count the
 * memory of TCP.
 */
static bool sockets_are_over(const struct sandbox_child *child)
{
    return read_sockets(child) > child->private->limits.memory_bytes;
}

/* Reads /proc/PID/status, even if the first thread of the process has ended. */
static size_t read_status(pid_t pid, char status[static PROCESS_FILE_BYTES_MAX])
{
    int proc_fd = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    size_t length = process_read_status(proc_fd, (int)pid, status);

    close(proc_fd);
    return length;
}

/*
 * For a child of one process: true if the child exceeds its memory limit, or its thread limit if
 * the kernel does not enforce that limit. Records the memory peak. False if the child is dead, or
 * if the arena has no descriptor for a look, which is not the child's fault: the next look decides.
 */
static bool process_is_over(struct sandbox_child *child)
{
    const struct sandbox_limits *limits = &child->private->limits;
    char status[PROCESS_FILE_BYTES_MAX];

    if (read_status(child->pid, status) == 0)
        return false;
    raise_peak(child, 1024 * process_figure(status, "\nVmHWM:"));
    if (child->private->threads_watched &&
        process_figure(status, "\nThreads:") > limits->thread_count) {
        _Static_assert(LIMITS_THREADS_DEFAULT == 128, "the words below say it");
        child->exhausted = "the bot had more than its 128 threads";
        return true;
    }
    return process_resident_bytes(status) + read_sockets(child) > limits->memory_bytes;
}

int64_t memory_available(void)
{
    char text[PROCESS_FILE_BYTES_MAX];

    process_read(AT_FDCWD, "/proc/meminfo", text, sizeof text);
    return 1024 * process_figure(text, "\nMemAvailable:");
}

/* True if the scan, which adds up the time of all processes, checks a stop of the child. */
static bool scan_checks_stop(const struct sandbox_child_private *priv)
{
    return priv->proc_fd >= 0 && !priv->stop.by_freezer;
}

/*
 * Scans all processes of the child, because the kernel does not limit the sum of their memory.
 * Returns true if the child exceeds its memory limit. A child can stall the scan that counts shared
 * pages once, and take more memory meanwhile: during a long scan, the child exceeds its limit if
 * the machine has lost more memory than the limit since the child's start.
 */
static bool scan_all(struct sandbox_child *child)
{
    struct sandbox_child_private *priv = child->private;
    const bool is_counted = child->layers & SANDBOX_LAYER_CGROUP_MEMORY;
    int64_t room_bytes; /* memory that the child's sockets leave to its processes */
    struct process_scan_result result;
    int taken;

    if (is_counted && !(priv->stop.is_on && scan_checks_stop(priv)))
        return priv->loopback.sockets_fd >= 0 && sockets_are_over(child);
    room_bytes = is_counted ? INT64_MAX : priv->limits.memory_bytes - read_sockets(child);
    taken = process_scan_take(&priv->scan, priv->proc_fd, room_bytes, &result);
    if (taken > 0) {
        if (scan_checks_stop(priv))
            check_stop(child, result.begun_us, result.ticks * (1000000 / sysconf(_SC_CLK_TCK)));
        raise_peak(child, is_counted ? 0 : result.bytes);
    }
    if (taken == -EBUSY)
        return priv->available_bytes - memory_available() > priv->limits.memory_bytes;
    return taken == -ETIME ? !is_counted : taken > 0 && result.bytes > room_bytes;
}

bool sandbox_child_watch(struct sandbox_child *child)
{
    const struct sandbox_child_private *priv = child->private;

    if (child_is_judged(child))
        return false;
    sandbox_child_lower(child);
    answerer_retry(priv->answerer);
    check_reports(child);
    if (!priv->stop.is_on && priv->limits.process_count <= 1)
        look_at_block(child);
    if (!scan_checks_stop(priv))
        check_stop(child, death_now_us(), sandbox_child_cpu_us(child));
    if (priv->proc_fd >= 0) {
        if (!scan_all(child))
            return false;
    } else if ((child->layers & SANDBOX_LAYER_CGROUP_MEMORY) || !process_is_over(child)) {
        return false;
    }
    kill_for(child, KILL_CAUSE_MEMORY);
    return true;
}

void sandbox_child_kill(struct sandbox_child *child)
{
    if (child_is_judged(child))
        return;
    /* Handles waiting calls first: a forbidden call is the reported cause of death. */
    sandbox_child_notified(child);
    kill_for(child, KILL_CAUSE_ARENA);
}

/*
 * Returns whether the kernel's OOM killer killed a process of the child. A child without a memory
 * group is in the arena's own group, whose counter does not say which child: this counts for a
 * child only if SIGKILL ended it.
 */
static enum cgroup_oom find_oom(const struct sandbox_child_private *priv)
{
    if (cgroup_has_memory(&priv->slot->cgroup))
        return cgroup_oom(&priv->slot->cgroup);
    return cgroup_home_oom_kills(&priv->sandbox->home) > priv->home_oom_kill_count
               ? CGROUP_OOM_OUTSIDE
               : CGROUP_OOM_NONE;
}

enum sandbox_departure sandbox_child_departure(const struct sandbox_child *child)
{
    if (find_oom(child->private) == CGROUP_OOM_OWN)
        return SANDBOX_OUT_OF_MEMORY;
    return is_leaving(child->pid) ? SANDBOX_LEAVES : SANDBOX_STAYS;
}

static enum sandbox_end end_of_signal(const struct sandbox_child_private *priv,
                                      const struct sandbox_verdict *verdict)
{
    /*
     * The kernel's limit counts ticks, which on a busy machine may be twice the real processor
     * time.
     */
    int64_t slack_us =
        priv->kill_cause == KILL_CAUSE_NONE ? priv->limits.cpu_s * 500000 : CPU_SLACK_US;
    enum cgroup_oom oom = find_oom(priv);
    bool cpu_spent =
        priv->limits.cpu_s > 0 && verdict->cpu_us >= priv->limits.cpu_s * 1000000 - slack_us;

    /* A forbidden call is the reported cause even if another cause applies. */
    if (priv->kill_cause == KILL_CAUSE_FORBIDDEN)
        return SANDBOX_END_FORBIDDEN;
    if (verdict->signal == SIGKILL && oom == CGROUP_OOM_OWN)
        return SANDBOX_END_MEMORY;
    if (verdict->signal == SIGKILL && oom == CGROUP_OOM_OUTSIDE &&
        priv->kill_cause == KILL_CAUSE_NONE && priv->own_kill_count == 0)
        return SANDBOX_END_STARVED;
    if (verdict->signal == SIGSYS)
        return SANDBOX_END_FORBIDDEN; /* the kernel killed the child for a call of another
                                         architecture */
    if (cpu_spent && (verdict->signal == SIGXCPU || verdict->signal == SIGKILL))
        return SANDBOX_END_CPU;
    if (verdict->signal != SIGKILL)
        return SANDBOX_END_SIGNALED;
    switch (priv->kill_cause) {
    case KILL_CAUSE_NONE:
        /*
         * An exiting keeper first kills its whole namespace. So if the keeper is exiting when the
         * arena finds the bot dead, another process of the machine has killed the keeper, which the
         * bot cannot do.
         */
        if (priv->keeper_pid && is_leaving(priv->keeper_pid))
            return SANDBOX_END_KEEPER;
        break;
    case KILL_CAUSE_ARENA:
        return SANDBOX_END_KILLED;
    case KILL_CAUSE_FORBIDDEN: /* handled above */
        break;
    case KILL_CAUSE_MEMORY:
        return SANDBOX_END_MEMORY;
    }
    return SANDBOX_END_SIGNALED;
}

static int64_t timeval_us(struct timeval value)
{
    return (int64_t)value.tv_sec * 1000000 + value.tv_usec;
}

/* Returns the time (death_now_us) at which the sandbox gives up the killed child. */
static int64_t last_us(const struct sandbox_child_private *priv)
{
    return priv->killed_us + (int64_t)SANDBOX_DYING_MS * 1000;
}

/* Sets the verdict, and the state: CHILD_DEAD or CHILD_LOST. */
static void judge(struct sandbox_child *child, enum child_state state, const siginfo_t *ended,
                  int64_t cpu_us)
{
    struct sandbox_child_private *priv = child->private;

    raise_peak(child, cgroup_memory_peak_bytes(&priv->slot->cgroup));
    priv->state = state;
    priv->verdict = (struct sandbox_verdict){
        .call = priv->forbidden_call,
        .cpu_us = cpu_us,
        .memory_peak_bytes = priv->memory_peak_bytes,
        .memory_limit_bytes = priv->limits.memory_bytes,
    };
    if (ended->si_code == CLD_EXITED) {
        /*
         * A build whose compiler the kernel has killed exits by itself, with an error. Nobody can
         * tell for a bot, which plays on without a process of its own.
         */
        priv->verdict.end =
            priv->is_build && ended->si_status != 0 && find_oom(priv) == CGROUP_OOM_OUTSIDE
                ? SANDBOX_END_STARVED
                : SANDBOX_END_EXITED;
        priv->verdict.status = ended->si_status;
    } else {
        priv->verdict.signal = ended->si_status;
        priv->verdict.end = end_of_signal(priv, &priv->verdict);
    }
}

/*
 * Gives up a killed child that does not end. The child keeps its UID, control groups and namespaces
 * until it ends.
 */
static void give_up(struct sandbox_child *child)
{
    const siginfo_t killed = {.si_code = CLD_KILLED, .si_status = SIGKILL};
    int64_t cpu_us = sandbox_child_cpu_us(child);

    judge(child, CHILD_LOST, &killed, cpu_us > 0 ? cpu_us : 0);
    slot_leave(child->private->slot, child->pid, last_us(child->private));
    slot_tell_lost(child->private->sandbox, child->private->slot, child->pid);
}

bool sandbox_child_reap(struct sandbox_child *child, struct sandbox_verdict *verdict)
{
    struct sandbox_child_private *priv = child->private;
    siginfo_t ended = {0};
    struct rusage usage = {0};

    if (!child_is_judged(child)) {
        /*
         * Calls the kernel directly, because waitid() of the C library does not return the
         * processor time.
         */
        bool dead = syscall(SYS_waitid, P_PIDFD, child->pid_fd, &ended,
                            WEXITED | WNOHANG | WNOWAIT | __WALL, &usage) == 0 &&
                    ended.si_pid != 0;

        if (dead) {
            judge(child, CHILD_DEAD, &ended,
                  timeval_us(usage.ru_utime) + timeval_us(usage.ru_stime));
            if (priv->keeper_pid)
                syscall(SYS_pidfd_send_signal, priv->keeper_pid_fd, SIGKILL, NULL, 0);
        } else if (priv->state == CHILD_KILLED && death_now_us() >= last_us(priv)) {
            give_up(child);
        } else {
            return false;
        }
    }
    *verdict = priv->verdict;
    return true;
}

/* ---- the folder of a build ---- */

static int give_below(int parent_fd, const char *name, uid_t owner, int depth)
{
    int folder_fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct dirent *entry;
    int result = 0;
    DIR *folder;

    if (folder_fd < 0)
        return -errno;
    folder = fdopendir(folder_fd);
    if (!folder) {
        result = -errno;
        close(folder_fd);
        return result;
    }
    while (result == 0 && (entry = readdir(folder))) {
        struct stat stat;

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (fchownat(folder_fd, entry->d_name, owner, owner, AT_SYMLINK_NOFOLLOW) < 0 ||
            fstatat(folder_fd, entry->d_name, &stat, AT_SYMLINK_NOFOLLOW) < 0)
            result = -errno;
        else if (S_ISDIR(stat.st_mode))
            result = depth > 0 ? give_below(folder_fd, entry->d_name, owner, depth - 1) : -ELOOP;
    }
    closedir(folder);
    return result;
}

int sandbox_give_folder(const char *path, uid_t owner)
{
    if (chown(path, owner, owner) < 0)
        return -errno;
    return give_below(AT_FDCWD, path, owner, FOLDER_DEPTH_MAX);
}

/* ---- the end of a child ---- */

static void await_death(struct sandbox_child *child)
{
    struct sandbox_verdict verdict;

    sandbox_child_kill(child);
    death_poll(child->pid_fd, last_us(child->private));
    while (!sandbox_child_reap(child, &verdict))
        poll(NULL, 0, 1);
}

static void end_keeper(struct sandbox_child *child)
{
    struct sandbox_child_private *priv = child->private;

    syscall(SYS_pidfd_send_signal, priv->keeper_pid_fd, SIGKILL, NULL, 0);
    /*
     * Reaps the keeper, which ends after all other processes of its namespace. Does not wait long,
     * because other children may need the arena.
     */
    if (priv->state == CHILD_LOST)
        slot_leave(priv->slot, priv->keeper_pid, last_us(priv));
    else
        slot_await(priv->slot, priv->keeper_pid, priv->keeper_pid_fd);
    close(priv->keeper_pid_fd);
}

void sandbox_child_finish(struct sandbox_child *child)
{
    struct sandbox_child_private *priv = child->private;

    if (!priv)
        return;
    if (child->pid_fd >= 0 && !child_is_judged(child))
        await_death(child);
    if (child->pid > 0 && priv->state != CHILD_LOST)
        death_take(child->pid);
    if (priv->keeper_pid)
        end_keeper(child);
    close_fd(&child->pid_fd);
    close_fd(&child->stdin_fd);
    close_fd(&child->stdout_fd);
    close_fd(&child->stderr_fd);
    close_fd(&child->setup_fd);
    close_fd(&child->notify_fd);
    close_fd(&priv->proc_fd);
    network_close(&priv->loopback);
    if (priv->given_folder) /* gives the folder back to the arena, except parts that the arena
                                  cannot reach */
        sandbox_give_folder(priv->given_folder, geteuid());
    free(priv->given_folder);
    free(priv->refused_counts);
    answerer_destroy(priv->answerer);
    process_scan_forget(priv->scan);
    if (priv->slot)
        slot_release(priv->sandbox, priv->slot);
    free(priv);
    child->private = NULL;
}
