/* SPDX-License-Identifier: MIT */
/*
 * A program that tries one thing inside the sandbox and reports the result in its exit status: 0 or
 * an errno. The program needs only the kernel, no C library or other file.
 *
 *   attempt call NUMBER [ARGUMENT ...]      makes one system call; argument "@text" is a pointer
 *   attempt touch MEBIBYTES [PROCESSES]     uses memory, MEBIBYTES in each of PROCESSES
 *   attempt core                            lowers its core limit, which must have no effect
 *   attempt counts MEBIBYTES                checks that sysinfo reports MEBIBYTES of memory
 *   attempt loopback                        connects to itself over TCP
 *   attempt echo                            copies its input to its output
 */
#include <asm/errno.h>
#include <asm/signal.h>
#include <linux/mman.h>
#include <linux/resource.h>
#include <linux/sysinfo.h>
#include <sys/syscall.h>

#include "sandbox/bare.h"

enum {
    PAGE_BYTES = 4096,
    ARGUMENTS_MAX = 6,
};

static _Noreturn void leave(long status)
{
    for (;;)
        bare_call(SYS_exit_group, (const long[6]){status < 0 ? -status : 0});
}

static long number_of(const char *text)
{
    int negative = *text == '-';
    long number = 0;

    for (text += negative; *text >= '0' && *text <= '9'; text++)
        number = 10 * number + (*text - '0');
    return negative ? -number : number;
}

static long make_call(long argc, char **argv)
{
    long arguments[ARGUMENTS_MAX] = {0};

    for (long i = 0; i < argc - 3 && i < ARGUMENTS_MAX; i++)
        arguments[i] = argv[i + 3][0] == '@' ? (long)(argv[i + 3] + 1) : number_of(argv[i + 3]);
    return bare_call(number_of(argv[2]), arguments);
}

static long touch(long mebibytes)
{
    for (long i = 0; i < mebibytes; i++) {
        long at = bare_call(SYS_mmap, (const long[6]){0, 1 << 20, PROT_READ | PROT_WRITE,
                                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0});

        if (at < 0 && at > -PAGE_BYTES)
            return at;
        for (long offset = 0; offset < 1 << 20; offset += PAGE_BYTES)
            *(volatile char *)(at + offset) = 1;
    }
    return 0;
}

static long start_process(void)
{
    return bare_call(SYS_clone, (const long[6]){SIGCHLD});
}

/*
 * Uses memory in several processes at once. Returns -ENOMEM if a process that this process started
 * was killed for its use of memory.
 */
static long touch_in(long processes, long mebibytes)
{
    long status = 0, result;

    for (long i = 1; i < processes; i++)
        if ((result = start_process()) <= 0) {
            if (result < 0)
                return result;
            touch(mebibytes);
            for (;;)
                bare_call(SYS_ppoll, (const long[6]){0});
        }
    result = touch(mebibytes);
    if (result < 0 || processes < 2)
        return result;
    bare_call(SYS_wait4, (const long[6]){-1, (long)&status});
    return status ? -ENOMEM : 0;
}

static long lower_core_limit(void)
{
    unsigned long limit[2] = {0, 0};

    bare_call(SYS_prlimit64, (const long[6]){0, RLIMIT_CORE, (long)limit, 0});
    bare_call(SYS_prlimit64, (const long[6]){0, RLIMIT_CORE, 0, (long)limit});
    return limit[0] == 1 && limit[1] == 1 ? 0 : -EBADMSG;
}

static long ask_for_counts(long mebibytes)
{
    struct sysinfo told = {0};
    long result = bare_call(SYS_sysinfo, (const long[6]){(long)&told});

    if (result < 0)
        return result;
    return told.totalram == (unsigned long)mebibytes << 20 && told.procs == 1 ? 0 : -EBADMSG;
}

/* Listens on a TCP port of 127.0.0.1, and connects to this port. */
static long talk_to_itself(void)
{
    enum {
        INTERNET = 2,
        STREAM = 1,
    };
    struct {
        unsigned short family, port;
        unsigned char host[4], unused[8];
    } address = {INTERNET, 0, {127, 0, 0, 1}, {0}};
    unsigned size = sizeof address;
    const long listener = bare_call(SYS_socket, (const long[6]){INTERNET, STREAM});
    const long caller = bare_call(SYS_socket, (const long[6]){INTERNET, STREAM});
    long result = listener < 0 ? listener : caller;

    if (result >= 0)
        result = bare_call(SYS_bind, (const long[6]){listener, (long)&address, size});
    if (result >= 0)
        result = bare_call(SYS_listen, (const long[6]){listener, 1});
    if (result >= 0)
        result = bare_call(SYS_getsockname, (const long[6]){listener, (long)&address, (long)&size});
    if (result >= 0)
        result = bare_call(SYS_connect, (const long[6]){caller, (long)&address, size});
    return result < 0 ? result : 0;
}

static long echo(void)
{
    static char block[PAGE_BYTES];
    long got;

    while ((got = bare_call(SYS_read, (const long[6]){0, (long)block, sizeof block})) > 0)
        if (bare_call(SYS_write, (const long[6]){1, (long)block, got}) != got)
            return -EIO;
    return got;
}

_Noreturn void bare_main(long argc, char **argv)
{
    const char verb = argc >= 2 ? argv[1][0] : '\0';
    const char second = verb ? argv[1][1] : '\0';
    const long number = argc >= 3 ? number_of(argv[2]) : 0;

    if (verb == 'c' && second == 'a' && argc >= 3)
        leave(make_call(argc, argv));
    if (verb == 'c' && second == 'o' && argv[1][2] == 'r')
        leave(lower_core_limit());
    if (verb == 'c' && second == 'o')
        leave(ask_for_counts(number));
    if (verb == 't')
        leave(touch_in(argc >= 4 ? number_of(argv[3]) : 1, number));
    if (verb == 'l')
        leave(talk_to_itself());
    leave(verb == 'e' ? echo() : -EINVAL);
}
