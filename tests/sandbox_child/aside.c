/* What goes on beside the arena: answers to calls, looks at processes. */
#include "sandbox/aside.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include "sandbox/answer.h"
#include "sandbox/death.h"
#include "sandbox/process_scan.h"
#include "tests/sandbox_child/kernel.h"

enum {
    WAITING_MAX = 512,
    ANSWERS_MAX = 30000,
    PATIENCE_US = 20000000,
    TASKS = 600,
    GROWTH_MAX_KIB = 60 << 10, /* each thread that stays has a stack of 256 KiB */
};

static void await_all(void)
{
    aside_await(death_now_us() + PATIENCE_US);
}

/* ---- answers ---- */

static struct seccomp_notif ask(uint64_t address)
{
    return (struct seccomp_notif){
        .id = 5, .pid = (uint32_t)getpid(), .data = {.nr = SCMP_SYS(sysinfo), .args = {address}}};
}

Test(aside, counts_of_the_machine_are_those_of_the_child)
{
    struct answerer *answerer;
    struct seccomp_notif call;
    struct sysinfo told, none;
    struct timespec now;
    int fd = eventfd(0, EFD_CLOEXEC);

    kernel = (struct kernel){.call = -1, .waits = true};
    answerer = answerer_create(fd, 12345678);
    memset(&told, 0xff, sizeof told);
    memset(&none, 0, sizeof none);
    call = ask((uintptr_t)&told);
    cr_expect(answer_sysinfo(answerer, fd, &call));
    await_all();
    cr_expect_eq(kernel.answer.id, 5);
    cr_expect_eq(kernel.answer.error, 0);
    cr_expect_eq(kernel.answer.flags, 0);
    clock_gettime(CLOCK_BOOTTIME, &now);
    cr_expect_leq(told.uptime, now.tv_sec);
    cr_expect_geq(told.uptime, now.tv_sec - 20);
    none.uptime = told.uptime;
    none.totalram = none.freeram = 12345678;
    none.procs = 1;
    none.mem_unit = 1;
    cr_expect_eq(memcmp(&told, &none, sizeof told), 0, "there is more");

    call = ask(8); /* where nothing is */
    cr_expect(answer_sysinfo(answerer, fd, &call));
    await_all();
    cr_expect_eq(kernel.answer.error, -EFAULT);
    kernel.waits = false; /* the PID may be another's by now */
    memset(&told, 0, sizeof told);
    call = ask((uintptr_t)&told);
    cr_expect(answer_sysinfo(answerer, fd, &call));
    await_all();
    cr_expect_eq(told.totalram, 0);
    cr_expect_eq(kernel.answer.flags, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
    kernel.answer.flags = 0;
    cr_expect(answer_sysinfo(NULL, fd, &call), "without memory for answers the kernel gives them");
    cr_expect_eq(kernel.answer.flags, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
    cr_expect_eq(kernel.answer.id, 5);
    answerer_retry(NULL);
    answerer_destroy(NULL);
    answerer_destroy(answerer);
    close(fd);
}

Test(aside, as_many_calls_wait_as_there_is_room_for)
{
    static pthread_mutex_t until = PTHREAD_MUTEX_INITIALIZER;
    struct answerer *answerer;
    struct seccomp_notif call;
    struct sysinfo told;
    int fd = eventfd(0, EFD_CLOEXEC);

    kernel = (struct kernel){.call = -1, .waits = true, .until = &until};
    answerer = answerer_create(fd, 1);
    call = ask((uintptr_t)&told);
    pthread_mutex_lock(&until);
    cr_expect(answer_sysinfo(answerer, fd, &call));
    for (int i = 0; i < 20000 && atomic_load(&kernel.sent_count) == 0; i++)
        usleep(1000);
    for (int i = 0; i < WAITING_MAX; i++)
        cr_expect(answer_sysinfo(answerer, fd, &call), "%d", i);
    cr_expect_not(answer_sysinfo(answerer, fd, &call));
    pthread_mutex_unlock(&until);
    await_all();
    cr_expect_eq(atomic_load(&kernel.sent_count), WAITING_MAX + 1);
    cr_expect(answer_sysinfo(answerer, fd, &call), "there is room again");
    await_all();
    cr_expect_eq(atomic_load(&kernel.sent_count), WAITING_MAX + 2);

    pthread_mutex_lock(&until); /* the child ends while many wait */
    for (int i = 0; i < 9; i++)
        answer_sysinfo(answerer, fd, &call);
    for (int i = 0; i < 20000 && atomic_load(&kernel.sent_count) == WAITING_MAX + 2; i++)
        usleep(1000);
    answerer_destroy(answerer);
    pthread_mutex_unlock(&until);
    await_all();
    cr_expect_eq(atomic_load(&kernel.sent_count), WAITING_MAX + 3, "nobody hears the others");
    close(fd);
}

Test(aside, a_child_asks_no_more_often_than_it_may)
{
    struct sandbox_child child = kernel_make_child();

    kernel.caller = getpid();
    child.notify_fd = eventfd(1, EFD_CLOEXEC);
    child.private->answer_count = ANSWERS_MAX - 1;
    kernel.call = SCMP_SYS(sysinfo);
    cr_expect(sandbox_child_notified(&child));
    cr_expect_eq(kernel.call_count, 2);
    cr_expect_eq(child.private->answer_count, ANSWERS_MAX);
    cr_expect_eq(child.private->kill_cause, KILL_CAUSE_FORBIDDEN);
    cr_expect_str_eq(child.private->forbidden_call, "sysinfo");
    kernel.now_us = 0;
    await_all();
    answerer_destroy(child.private->answerer);
    close(child.notify_fd);
    kernel_free_child(&child);
}

/* ---- looks ---- */

/* A folder in place of /proc whose only process is told by a pipe without a writer. */
static void make_hanging(char *folder, char *pipe, size_t room)
{
    cr_assert_not_null(mkdtemp(folder));
    snprintf(pipe, room, "%s/2", folder);
    cr_assert_eq(mkdir(pipe, 0700), 0);
    snprintf(pipe, room, "%s/2/stat", folder);
    cr_assert_eq(mkfifo(pipe, 0600), 0);
}

Test(aside, a_look_that_hangs_is_late_after_its_time)
{
    static const char line[] = "2 (a) b) S 1 1 1 0 -1 4194304 1 2 3 4 30 12 7 8 20 0 1 0\n";
    char folder[] = "/tmp/look-XXXXXX", pipe[64], removal[64];
    struct process_scan_result result = {0};
    struct process_scan *look = NULL;
    int proc_fd, fd, state = 0;

    make_hanging(folder, pipe, sizeof pipe);
    proc_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    kernel = (struct kernel){.call = -1, .now_us = 1000};
    cr_expect_eq(process_scan_take(&look, proc_fd, INT64_MAX, &result), 0);
    kernel.now_us += (int64_t)PROCESS_SCAN_MS * 1000;
    cr_expect_eq(process_scan_take(&look, proc_fd, INT64_MAX, &result), 0);
    kernel.now_us++;
    cr_expect_eq(process_scan_take(&look, proc_fd, INT64_MAX, &result), -ETIME);
    fd = open(pipe, O_WRONLY | O_CLOEXEC);
    cr_assert_eq(write(fd, line, sizeof line - 1), (ssize_t)sizeof line - 1);
    close(fd);
    for (int i = 0; i < 20000 && state != 1; i++) {
        state = process_scan_take(&look, proc_fd, INT64_MAX, &result);
        usleep(1000);
    }
    cr_expect_eq(state, 1);
    cr_expect_eq(result.begun_us, 1000);
    cr_expect_eq(result.ticks, 42);
    cr_expect_eq(result.bytes, 0);
    fd = open(pipe, O_WRONLY | O_CLOEXEC); /* the next one is under way */
    process_scan_forget(look);
    close(fd);
    kernel.now_us = 0;
    await_all();
    close(proc_fd);
    snprintf(removal, sizeof removal, "rm -r %s", folder);
    cr_expect_eq(system(removal), 0);
}

/* Late, it is what the child has made of its processes; what a look finds is judged. */
Test(aside, a_child_at_which_nobody_can_look_is_killed)
{
    char folder[] = "/tmp/look-XXXXXX", pipe[64], removal[64];
    struct sandbox_child child = kernel_make_child();
    int fd;

    make_hanging(folder, pipe, sizeof pipe);
    child.private->proc_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    child.layers = SANDBOX_LAYER_CGROUP_MEMORY;
    cr_expect_not(sandbox_child_watch(&child));
    cr_expect_null(child.private->scan, "its group counts");
    child.layers = 0;
    cr_expect_not(sandbox_child_watch(&child));
    cr_expect_not_null(child.private->scan);
    kernel.now_us += (int64_t)PROCESS_SCAN_MS * 1000;
    cr_expect_not(sandbox_child_watch(&child));
    kernel.now_us++;
    cr_expect(sandbox_child_watch(&child));
    cr_expect_eq(child.private->kill_cause, KILL_CAUSE_MEMORY);
    cr_expect_str_eq(kernel.said, "signal 9 to 500; ");
    fd = open(pipe, O_WRONLY | O_CLOEXEC);
    process_scan_forget(child.private->scan);
    close(fd);
    kernel.now_us = 0;
    await_all();
    close(child.private->proc_fd);
    kernel_free_child(&child);
    snprintf(removal, sizeof removal, "rm -r %s", folder);
    cr_expect_eq(system(removal), 0);
}

Test(aside, a_child_that_fits_lives_on_after_each_look)
{
    char folder[] = "/tmp/look-XXXXXX";
    struct sandbox_child child = kernel_make_child();

    cr_assert_not_null(mkdtemp(folder)); /* without processes */
    child.private->proc_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    child.private->limits.memory_bytes = 0;
    for (int i = 0; i < 20; i++) {
        cr_expect_not(sandbox_child_watch(&child));
        usleep(2000);
    }
    cr_expect_str_eq(kernel.said, "");
    process_scan_forget(child.private->scan);
    kernel.now_us = 0;
    await_all();
    close(child.private->proc_fd);
    kernel_free_child(&child);
    rmdir(folder);
}

/* ---- threads ---- */

static long size_kib(void)
{
    FILE *file = fopen("/proc/self/status", "re");
    char line[256];
    long size = 0;

    while (fgets(line, sizeof line, file))
        sscanf(line, "VmSize: %ld", &size);
    fclose(file);
    return size;
}

static void do_nothing(void *owner)
{
    ++*(int *)owner;
}

Test(aside, threads_leave_nothing)
{
    int count = 0;
    long before;

    kernel = (struct kernel){.call = -1};
    cr_assert(aside_run(do_nothing, &count));
    await_all();
    before = size_kib();
    for (int i = 0; i < TASKS; i++) {
        cr_assert(aside_run(do_nothing, &count));
        await_all();
    }
    cr_expect_eq(count, TASKS + 1);
    cr_expect_lt(size_kib() - before, GROWTH_MAX_KIB, "grew by %ld KiB", size_kib() - before);
}

static void wait_there(void *owner)
{
    pthread_mutex_lock(owner);
    pthread_mutex_unlock(owner);
}

Test(aside, is_awaited_until_a_deadline)
{
    static pthread_mutex_t until = PTHREAD_MUTEX_INITIALIZER;
    int64_t begun_us;

    kernel = (struct kernel){.call = -1};
    pthread_mutex_lock(&until);
    cr_assert(aside_run(wait_there, &until));
    begun_us = death_now_us();
    aside_await(begun_us + 1200000);
    cr_expect_geq(death_now_us() - begun_us, 1200000);
    pthread_mutex_unlock(&until);
    await_all();
    begun_us = death_now_us();
    aside_await(begun_us + 10 * (int64_t)PATIENCE_US);
    cr_expect_lt(death_now_us() - begun_us, PATIENCE_US);
}
