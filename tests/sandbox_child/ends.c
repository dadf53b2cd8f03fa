/* What the end of a child is called, whoever killed it, and when it is given up. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/sandbox_child/kernel.h"

enum {
    LIMIT_S = 10,
    SPENT_US = 9750000, /* with a quarter of a second of slack */
    HALF_US = 5000000,  /* of those that nobody killed: the kernel counts in ticks */
};

static const struct {
    const char *rule;
    enum kill_cause cause;
    int signal;
    int64_t cpu_s, used_us;
    enum sandbox_end end;
} rows[] = {
    {"a fault", KILL_CAUSE_NONE, SIGSEGV, 0, 0, SANDBOX_END_SIGNALED},
    {"a fault after half its time", KILL_CAUSE_NONE, SIGSEGV, LIMIT_S, SPENT_US,
     SANDBOX_END_SIGNALED},
    {"a fault as the arena kills it", KILL_CAUSE_ARENA, SIGSEGV, 0, 0, SANDBOX_END_SIGNALED},
    {"killed by itself", KILL_CAUSE_NONE, SIGKILL, 0, SPENT_US, SANDBOX_END_SIGNALED},
    {"killed by the kernel at its limit", KILL_CAUSE_NONE, SIGKILL, LIMIT_S, HALF_US,
     SANDBOX_END_CPU},
    {"killed by itself before", KILL_CAUSE_NONE, SIGKILL, LIMIT_S, HALF_US - 1,
     SANDBOX_END_SIGNALED},
    {"told that its time is over", KILL_CAUSE_NONE, SIGXCPU, LIMIT_S, 0, SANDBOX_END_CPU},
    {"the same signal without a limit", KILL_CAUSE_NONE, SIGXCPU, 0, 0, SANDBOX_END_SIGNALED},
    {"a call of another architecture", KILL_CAUSE_NONE, SIGSYS, 0, 0, SANDBOX_END_FORBIDDEN},
    {"killed by the arena", KILL_CAUSE_ARENA, SIGKILL, 0, 0, SANDBOX_END_KILLED},
    {"killed by the arena before its limit", KILL_CAUSE_ARENA, SIGKILL, LIMIT_S, SPENT_US - 1,
     SANDBOX_END_KILLED},
    {"killed by the arena at its limit", KILL_CAUSE_ARENA, SIGKILL, LIMIT_S, SPENT_US,
     SANDBOX_END_CPU},
    {"a forbidden call", KILL_CAUSE_FORBIDDEN, SIGKILL, LIMIT_S, SPENT_US, SANDBOX_END_FORBIDDEN},
    {"a forbidden call, whatever the signal", KILL_CAUSE_FORBIDDEN, SIGSEGV, 0, 0,
     SANDBOX_END_FORBIDDEN},
    {"over its memory", KILL_CAUSE_MEMORY, SIGKILL, 0, 0, SANDBOX_END_MEMORY},
    {"a fault over its memory", KILL_CAUSE_MEMORY, SIGBUS, 0, 0, SANDBOX_END_SIGNALED},
};

Test(ends, of_each_kind)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sandbox_child child = kernel_make_child();
        struct sandbox_verdict verdict = {0};

        child.private->kill_cause = rows[i].cause;
        child.private->limits.cpu_s = rows[i].cpu_s;
        child.private->memory_peak_bytes = 12345;
        cr_expect_not(sandbox_child_reap(&child, &verdict), "it lives");
        kernel.end = (siginfo_t){.si_pid = KERNEL_PID, .si_code = CLD_KILLED};
        kernel.end.si_status = rows[i].signal;
        kernel.user_us = rows[i].used_us / 4;
        kernel.system_us = rows[i].used_us - kernel.user_us;
        cr_assert(sandbox_child_reap(&child, &verdict));
        cr_expect_eq(verdict.end, rows[i].end, "%s: %d", rows[i].rule, (int)verdict.end);
        cr_expect_eq(verdict.signal, rows[i].signal, "%s", rows[i].rule);
        cr_expect_eq(verdict.cpu_us, rows[i].used_us, "%s", rows[i].rule);
        cr_expect_eq(verdict.memory_peak_bytes, 12345);
        cr_expect_eq(verdict.memory_limit_bytes, 1 << 20);
        cr_expect_eq(verdict.status, 0);
        cr_expect_str_eq(kernel.said, "", "somebody is killed: %s", kernel.said);
        kernel.end.si_pid = 0;
        cr_expect(sandbox_child_reap(&child, &verdict), "it is judged once");
        cr_expect_eq(verdict.end, rows[i].end);
        cr_expect_eq(sandbox_child_cpu_us(&child), rows[i].used_us);
        cr_expect_not(sandbox_child_watch(&child), "nobody looks at one that is judged");
        sandbox_child_kill(&child);
        cr_expect_str_eq(kernel.said, "", "nor kills it");
        kernel_free_child(&child);
    }
}

Test(ends, an_exit_has_its_status)
{
    struct sandbox_child child = kernel_make_child();
    struct sandbox_verdict verdict;

    kernel.end = (siginfo_t){.si_pid = KERNEL_PID, .si_code = CLD_EXITED};
    kernel.end.si_status = 3;
    kernel.user_us = 2000001;
    kernel.system_us = 3000002;
    child.private->keeper_pid = 3998;
    cr_assert(sandbox_child_reap(&child, &verdict));
    cr_expect_eq(verdict.end, SANDBOX_END_EXITED);
    cr_expect_eq(verdict.status, 3);
    cr_expect_eq(verdict.signal, 0);
    cr_expect_eq(verdict.cpu_us, 5000003);
    cr_expect_null(verdict.call);
    cr_expect_str_eq(kernel.said, "signal 9 to 501; ", "its keeper goes too: %s", kernel.said);
    kernel_free_child(&child);
}

/* A process that has ended, but that nobody has taken. */
static pid_t make_dead(void)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    cr_assert_eq(waitid(P_PID, (id_t)pid, &(siginfo_t){0}, WEXITED | WNOWAIT), 0);
    return pid;
}

Test(ends, with_its_keeper_it_is_not_at_fault)
{
    pid_t dead = make_dead();

    for (int is_leaving = 0; is_leaving < 2; is_leaving++) {
        struct sandbox_child child = kernel_make_child();
        struct sandbox_verdict verdict;

        child.private->keeper_pid = is_leaving ? dead : getpid();
        kernel.end = (siginfo_t){.si_pid = KERNEL_PID, .si_code = CLD_KILLED};
        kernel.end.si_status = SIGKILL;
        cr_assert(sandbox_child_reap(&child, &verdict));
        cr_expect_eq(verdict.end, is_leaving ? SANDBOX_END_KEEPER : SANDBOX_END_SIGNALED);
        kernel_free_child(&child);
    }
    waitpid(dead, NULL, 0);
}

static int lost_count;

static void note_lost(const char *name, pid_t pid)
{
    cr_expect_str_eq(name, "child");
    cr_expect_eq(pid, KERNEL_PID);
    lost_count++;
}

Test(ends, one_that_does_not_come_is_given_up)
{
    struct sandbox_child child = kernel_make_child();
    const int64_t last_us = kernel.now_us + (int64_t)SANDBOX_DYING_MS * 1000;
    struct slot *slot = child.private->slot;
    struct sandbox_verdict verdict;

    child.private->sandbox->lost_fn = note_lost;
    child.private->keeper_pid = 3998;
    kernel.now_us += 10 * (int64_t)SANDBOX_DYING_MS * 1000;
    cr_expect_not(sandbox_child_reap(&child, &verdict), "nobody killed it");
    kernel.now_us = last_us - (int64_t)SANDBOX_DYING_MS * 1000;
    sandbox_child_kill(&child);
    cr_expect_str_eq(kernel.said, "signal 9 to 500; signal 9 to 501; ");
    kernel.now_us++;
    sandbox_child_kill(&child); /* which counts from the first */
    kernel.now_us = last_us - 1;
    cr_expect_not(sandbox_child_reap(&child, &verdict));
    kernel.now_us = last_us;
    kernel.cpu_us = 1500000;
    cr_assert(sandbox_child_reap(&child, &verdict));
    cr_expect_eq(verdict.end, SANDBOX_END_KILLED);
    cr_expect_eq(verdict.signal, SIGKILL);
    cr_expect_eq(verdict.cpu_us, 1500000);
    cr_expect(child.private->lost);
    cr_expect_eq(lost_count, 1);
    cr_expect(slot->lost_told);
    cr_expect_eq(slot->left_pids[0], KERNEL_PID);
    cr_expect_eq(slot->left_pids[1], 0);
    cr_expect_eq(slot->left_until_us, last_us);
    kernel_free_child(&child);
}

Test(ends, its_time_is_the_processors)
{
    struct sandbox_child child = kernel_make_child();

    kernel.cpu_us = 12345678;
    cr_expect_eq(sandbox_child_cpu_us(&child), 12345678);
    kernel.cpu_us = -1;
    cr_expect_eq(sandbox_child_cpu_us(&child), -ESRCH);
    kernel_free_child(&child);
}

/* ---- what is left in a slot ---- */

Test(ends, a_slot_is_free_once_all_of_it_has_ended)
{
    static struct sandbox sandbox;
    struct slot *slot = &sandbox.slots[0];
    pid_t dead = make_dead();

    kernel = (struct kernel){.call = -1, .now_us = 5000000};
    sandbox.lost_fn = note_lost;
    pthread_mutex_init(&sandbox.mutex, NULL);
    for (int i = 0; i < SLOTS_MAX; i++)
        slot_init(&sandbox.slots[i], 0);
    for (int i = 0; i < SLOTS_MAX; i++)
        cr_expect_eq(slot_acquire(&sandbox), &sandbox.slots[i]);
    cr_expect_null(slot_acquire(&sandbox), "all are taken");
    strcpy(slot->name, "child");
    slot_leave(slot, dead, 6000000);
    slot_release(&sandbox, slot);
    cr_expect_eq(slot->state, SLOT_FREE, "it had ended");
    cr_expect_eq(slot->left_pids[0], 0);
    cr_expect_eq(slot_acquire(&sandbox), slot);
    slot->state = SLOT_LEFT; /* by a process that lives on, which is this one's to tell of */
    slot->left_pids[2] = getpid();
    cr_expect_eq(slot_acquire(&sandbox), slot, "nobody's child has nobody to wait for");
    for (int i = 0; i < SLOT_LEFT_MAX + 1; i++)
        slot_leave(slot, 100 + i, 6000000);
    cr_expect_eq(slot->left_pids[SLOT_LEFT_MAX - 1], 100 + SLOT_LEFT_MAX - 1);
    slot_tell_lost(&sandbox, &sandbox.slots[0], KERNEL_PID);
    slot_tell_lost(&sandbox, &sandbox.slots[0], KERNEL_PID);
    cr_expect_eq(lost_count, 1);
}
