/* SPDX-License-Identifier: MIT */
/*
 * What each filter decides, read from the program itself: every call as the table rules, and those
 * that depend on arguments, for many values of each, as tests/golden/filter.txt has them.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "sandbox/calls.h"
#include "sandbox/filter.h"
#include "tests/golden.h"

enum {
    PID = 4242,
    NUMBER_MAX = 1100,
    X32_BIT = 0x40000000,
    SMALL_VALUES = 65,
    VALUES_MAX = 256,
};

static const struct {
    const char *name;
    unsigned variant;
} kinds[] = {
    {"bot", FILTER_PID_NAMESPACE | FILTER_MEMORY_CGROUP | FILTER_NOTIFY},
    {"bot without a memory group", FILTER_PID_NAMESPACE | FILTER_NOTIFY},
    {"bot of several processes",
     FILTER_PID_NAMESPACE | FILTER_MEMORY_CGROUP | FILTER_NOTIFY | FILTER_PROCESSES},
    {"bot with a scratch", FILTER_PID_NAMESPACE | FILTER_NOTIFY | FILTER_WRITABLE},
    {"bot of the lite tier", FILTER_NOTIFY},
    {"the same, of several processes", FILTER_NOTIFY | FILTER_PROCESSES},
    {"the same, on a kernel that reports no calls", 0},
    {"traced bot", FILTER_PID_NAMESPACE | FILTER_NOTIFY | FILTER_TRACE},
    {"build",
     FILTER_PID_NAMESPACE | FILTER_NOTIFY | FILTER_PROCESSES | FILTER_WRITABLE | FILTER_BUILD},
    {"build with a loopback interface", FILTER_PID_NAMESPACE | FILTER_NOTIFY | FILTER_PROCESSES |
                                            FILTER_WRITABLE | FILTER_BUILD | FILTER_LOOPBACK},
    {"build of the lite tier, on a kernel that reports no calls",
     FILTER_PROCESSES | FILTER_WRITABLE | FILTER_BUILD},
};

enum {
    KINDS = sizeof kinds / sizeof *kinds,
};

/* Arguments from which those of a call vary, one at a time. */
static const struct {
    int number;
    uint64_t arguments[6];
} bases[] = {
    {SCMP_SYS(open), {0}},
    {SCMP_SYS(openat), {0}},
    {SCMP_SYS(fcntl), {0}},
    {SCMP_SYS(ioctl), {0}},
    {SCMP_SYS(madvise), {0}},
    {SCMP_SYS(membarrier), {0}},
    {SCMP_SYS(mmap), {0}},
    {SCMP_SYS(mmap), {[3] = MAP_SHARED}},
    {SCMP_SYS(clone), {0}},
    {SCMP_SYS(clone), {SIGCHLD}},
    {SCMP_SYS(clone), {CLONE_VFORK | CLONE_VM | SIGCHLD}},
    {SCMP_SYS(clone), {CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD}},
    {SCMP_SYS(futex), {0}},
    {SCMP_SYS(futex), {[1] = 128}},
    {SCMP_SYS(futex), {[1] = 256}}, /* with FUTEX_CLOCK_REALTIME */
    {SCMP_SYS(sched_setscheduler), {0}},
    {SCMP_SYS(setgroups), {0}},
    {SCMP_SYS(prctl), {0}},
    {SCMP_SYS(prlimit64), {0}},
    {SCMP_SYS(prlimit64), {[2] = 4096}},
    {SCMP_SYS(prlimit64), {[1] = RLIMIT_CORE, [2] = 4096}},
    {SCMP_SYS(setrlimit), {0}},
    {SCMP_SYS(personality), {0}},
    {SCMP_SYS(personality), {0xffffffff}},
    {SCMP_SYS(timer_create), {0}},
    {SCMP_SYS(timer_create), {[1] = 4096}},
    {SCMP_SYS(kill), {0}},
    {SCMP_SYS(kill), {PID}},
    {SCMP_SYS(kill), {PID, SIGCONT}},
    {SCMP_SYS(kill), {PID, SIGKILL}},
    {SCMP_SYS(tgkill), {0}},
    {SCMP_SYS(tgkill), {PID}},
    {SCMP_SYS(tgkill), {PID, PID, SIGCONT}},
    {SCMP_SYS(tgkill), {PID, PID, SIGKILL}},
    {SCMP_SYS(clock_nanosleep), {0}},
    {SCMP_SYS(clock_gettime), {0}},
    {SCMP_SYS(clock_getres), {0}},
    {SCMP_SYS(socketpair), {0}},
    {SCMP_SYS(socketpair), {AF_UNIX, SOCK_STREAM}},
    {SCMP_SYS(sendto), {0}},
    {SCMP_SYS(sendto), {[3] = MSG_OOB}},
    {SCMP_SYS(socket), {0}},
    {SCMP_SYS(socket), {AF_INET}},
    {SCMP_SYS(socket), {AF_INET, SOCK_STREAM}},
    {SCMP_SYS(socket), {AF_INET, SOCK_DGRAM}},
    {SCMP_SYS(setsockopt), {0}},
    {SCMP_SYS(setsockopt), {[1] = SOL_SOCKET}},
    {SCMP_SYS(setsockopt), {[1] = IPPROTO_TCP}},
    {SCMP_SYS(getsockopt), {0}},
    {SCMP_SYS(getsockopt), {[1] = SOL_SOCKET}},
    {SCMP_SYS(getsockopt), {[1] = IPPROTO_TCP}},
    {SCMP_SYS(recvfrom), {0}},
    {SCMP_SYS(recvmsg), {0}},
};

static struct filter filters[KINDS];

/* Runs a program as the kernel does, with the few instructions that libseccomp writes. */
static uint32_t decide(const struct filter *filter, const struct seccomp_data *call)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < filter->length; i++) {
        const struct sock_filter *step = &filter->code[i];
        bool holds = false;

        switch (step->code) {
        case BPF_LD | BPF_W | BPF_ABS:
            memcpy(&value, (const char *)call + step->k, sizeof value);
            continue;
        case BPF_ALU | BPF_AND | BPF_K:
            value &= step->k;
            continue;
        case BPF_JMP | BPF_JA:
            i += step->k;
            continue;
        case BPF_RET | BPF_K:
            return step->k;
        case BPF_JMP | BPF_JEQ | BPF_K:
            holds = value == step->k;
            break;
        case BPF_JMP | BPF_JGE | BPF_K:
            holds = value >= step->k;
            break;
        case BPF_JMP | BPF_JGT | BPF_K:
            holds = value > step->k;
            break;
        case BPF_JMP | BPF_JSET | BPF_K:
            holds = (value & step->k) != 0;
            break;
        default:
            cr_assert(false, "instruction 0x%x", step->code);
        }
        i += holds ? step->jt : step->jf;
    }
    cr_assert(false, "the program has no end");
    return 0;
}

static char letter(uint32_t action)
{
    static const struct {
        uint32_t action;
        char letter;
    } letters[] = {
        {SECCOMP_RET_ALLOW, 'a'},          {SECCOMP_RET_USER_NOTIF, 'r'},
        {SECCOMP_RET_KILL_PROCESS, 'k'},   {SECCOMP_RET_ERRNO, '0'},
        {SECCOMP_RET_ERRNO | EPERM, 'P'},  {SECCOMP_RET_ERRNO | ENOSYS, 'S'},
        {SECCOMP_RET_ERRNO | EROFS, 'R'},  {SECCOMP_RET_ERRNO | ENOMEM, 'M'},
        {SECCOMP_RET_ERRNO | EINVAL, 'I'}, {SECCOMP_RET_ERRNO | EOPNOTSUPP, 'O'},
    };

    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].action == action)
            return letters[i].letter;
    return '?';
}

/* One letter for each kind of child. */
struct row {
    char letters[KINDS + 1];
};

static struct row decide_all(uint32_t arch, int number, const uint64_t arguments[static 6])
{
    struct seccomp_data call = {.nr = number, .arch = arch};
    struct row row = {""};

    memcpy(call.args, arguments, sizeof call.args);
    for (int kind = 0; kind < KINDS; kind++)
        row.letters[kind] = letter(decide(&filters[kind], &call));
    return row;
}

/* Returns how a kind of child fares with a call whose arguments do not matter. */
static char ruled(unsigned variant, enum call_ruling ruling)
{
    switch (ruling) {
    case CALL_ALLOWED:
        return 'a';
    case CALL_IGNORED:
        return '0';
    case CALL_ANSWERED:
        return variant & FILTER_NOTIFY ? 'r' : 'a';
    case CALL_FORBIDDEN:
        return variant & FILTER_NOTIFY ? 'r' : 'k';
    case CALL_WRITES:
        if (variant & FILTER_WRITABLE)
            return 'a';
        break;
    case CALL_PROCESSES:
        if (variant & FILTER_PROCESSES)
            return 'a';
        break;
    case CALL_BUILDS:
        if (variant & FILTER_BUILD)
            return 'a';
        break;
    case CALL_UNSUPPORTED:
        return variant & FILTER_TRACE ? 'r' : 'O';
    case CALL_TESTED:
    case CALL_LOOPBACK:
    case CALL_REFUSED:
        break;
    }
    return variant & FILTER_TRACE ? 'r' : 'P';
}

static void check_numbers(void)
{
    static const uint32_t foreign[] = {AUDIT_ARCH_I386, AUDIT_ARCH_X86_64, AUDIT_ARCH_ARM,
                                       AUDIT_ARCH_AARCH64};
    static const uint64_t none[6];
    const uint32_t native = seccomp_arch_native();

    for (int number = 0; number <= NUMBER_MAX; number++) {
        const struct call *call = call_find(number);
        const struct row row = decide_all(native, number, none);

        if (call && call->ruling == CALL_TESTED)
            continue;
        for (int kind = 0; kind < KINDS; kind++) {
            const unsigned variant = kinds[kind].variant;
            const char unknown = variant & FILTER_TRACE ? 'r' : 'S';

            if (!call || call->ruling != CALL_LOOPBACK || !(variant & FILTER_LOOPBACK))
                cr_expect_eq(row.letters[kind], call ? ruled(variant, call->ruling) : unknown,
                             "%s: call %d: %c", kinds[kind].name, number, row.letters[kind]);
        }
    }
    for (int kind = 0; kind < KINDS; kind++) {
        if (native == AUDIT_ARCH_X86_64)
            cr_expect_eq(decide_all(native, SCMP_SYS(read) | X32_BIT, none).letters[kind], 'k');
        for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
            cr_expect(foreign[i] == native || decide_all(foreign[i], 3, none).letters[kind] == 'k');
    }
}

/* The values that an argument takes: small ones, every bit, and those that filters name. */
static size_t list_values(uint64_t *values)
{
    static const uint64_t named[] = {
        PID,         PID + 1,      F_DUPFD_CLOEXEC, F_GETPIPE_SZ,
        TCGETS,      TIOCGPGRP,    TIOCSTI,         TIOCGWINSZ,
        FIONREAD,    FIONBIO,      FIONCLEX,        FIOCLEX,
        SIOCGIFCONF, SIOCGIFFLAGS, SIOCSIFFLAGS,    0x802c542a /* TCGETS2 */,
        0x53564d41 /* PR_SET_VMA */};
    size_t count = 0;

    for (uint64_t value = 0; value < SMALL_VALUES; value++)
        values[count++] = value;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        values[count++] = named[i];
    for (int bit = 7; bit < 64; bit++)
        values[count++] = UINT64_C(1) << bit;
    for (uint64_t value = 0xfffffff0; value <= 0xffffffff; value++)
        values[count++] = value; /* clocks of processes */
    values[count++] = UINT64_MAX;
    cr_assert_leq(count, VALUES_MAX);
    return count;
}

static void write_value(FILE *file, uint64_t value)
{
    fprintf(file, value < 1024 || value == PID ? "%llu" : "0x%llx", (unsigned long long)value);
}

static void write_head(FILE *file, size_t base, int argument)
{
    fprintf(file, "%s(", call_name(bases[base].number));
    for (int i = 0; i < 6; i++) {
        fputs(i > 0 ? ", " : "", file);
        if (i == argument)
            fputc('*', file);
        if (i != argument || bases[base].arguments[i] != 0)
            write_value(file, bases[base].arguments[i]);
    }
    fputs(")\n", file);
}

/* Writes the values of an argument with which the calls go as in one row. */
static void write_row(FILE *file, const struct row *rows, const uint64_t *values, size_t count,
                      size_t row)
{
    size_t last = SIZE_MAX;

    fprintf(file, "    %s", rows[row].letters);
    for (size_t i = row; i < count; i++) {
        bool is_same = strcmp(rows[i].letters, rows[row].letters) == 0;
        bool follows = i > row && strcmp(rows[i].letters, rows[i - 1].letters) == 0;
        bool is_last = i + 1 == count || strcmp(rows[i].letters, rows[i + 1].letters) != 0;

        if (!is_same || (follows && !is_last))
            continue;
        fputs(follows ? ".." : last == SIZE_MAX ? " " : ", ", file);
        write_value(file, values[i]);
        last = i;
    }
    fputc('\n', file);
}

/* Writes what follows from each value of an argument, unless all values do the same. */
static void write_argument(FILE *file, size_t base, int argument, const uint64_t *values,
                           size_t count)
{
    static uint64_t taken[VALUES_MAX];
    static struct row rows[VALUES_MAX];
    bool differs = false;

    for (size_t i = 0; i < count; i++) {
        uint64_t arguments[6];

        memcpy(arguments, bases[base].arguments, sizeof arguments);
        taken[i] = arguments[argument] ^= values[i];
        rows[i] = decide_all(AUDIT_ARCH_X86_64, bases[base].number, arguments);
        differs |= strcmp(rows[i].letters, rows[0].letters) != 0;
    }
    if (!differs)
        return;
    write_head(file, base, argument);
    for (size_t i = 0; i < count; i++) {
        bool is_first = true;

        for (size_t j = 0; j < i; j++)
            is_first &= strcmp(rows[i].letters, rows[j].letters) != 0;
        if (is_first)
            write_row(file, rows, taken, count, i);
    }
}

static char *describe(void)
{
    static uint64_t values[VALUES_MAX];
    size_t value_count = list_values(values), size;
    char *text = NULL;
    FILE *file = open_memstream(&text, &size);

    fputs("a allowed, r reported to the arena, k killed, 0 without effect; or it fails with\n"
          "P EPERM, S ENOSYS, R EROFS, M ENOMEM, I EINVAL, O EOPNOTSUPP.\nColumns:\n",
          file);
    for (int kind = 0; kind < KINDS; kind++)
        fprintf(file, "    %s\n", kinds[kind].name);
    fputs("\nWith the argument marked * varied: flipped bits of 0, or of the value after it\n",
          file);
    for (size_t base = 0; base < sizeof bases / sizeof *bases; base++)
        for (int argument = 0; argument < 6; argument++)
            write_argument(file, base, argument, values, value_count);
    fclose(file);
    return text;
}

Test(rulings, are_the_tables_and_by_argument_one_golden_text)
{
    char *made;

    seccomp_api_set(6); /* what the filters use: qemu-user says that its kernel has no such thing */
    for (int kind = 0; kind < KINDS; kind++) {
        cr_assert_eq(filter_init(&filters[kind], kinds[kind].variant), 0);
        filter_set_pid(&filters[kind], PID);
    }
    check_numbers();
    if (seccomp_arch_native() == AUDIT_ARCH_X86_64) { /* elsewhere calls have other arguments */
        made = describe();
        golden_expect("filter.txt", made);
        free(made);
    }
    for (int kind = 0; kind < KINDS; kind++)
        filter_finish(&filters[kind]);
}
