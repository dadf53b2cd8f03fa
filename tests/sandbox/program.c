/* SPDX-License-Identifier: MIT */
/* A filter is compiled in a process of its own, which is waited for until a deadline. */
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sandbox/program.h"

/* Writes the beginning of a program, as a process does that hangs later. */
static void write_some(void)
{
    static const struct sock_filter code[3] = {0};
    char path[64], target[64] = "";

    for (int fd = 0; fd < 1024; fd++) {
        ssize_t size;

        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        size = readlink(path, target, sizeof target - 1);
        target[size < 0 ? 0 : size] = '\0';
        if (strstr(target, "memfd:filter"))
            cr_assert_eq(write(fd, code, sizeof code), (ssize_t)sizeof code);
    }
}

/* The first process hangs, as one does that lacks a lock of the allocator. */
static int hang_once(scmp_filter_ctx context, const void *self)
{
    atomic_int *const count = *(atomic_int *const *)self;

    if (atomic_fetch_add(count, 1) == 0) {
        write_some();
        for (;;)
            pause();
    }
    return seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(read), 0);
}

Test(program, of_a_process_that_hangs_is_compiled_by_another, .timeout = 600)
{
    atomic_int *count =
        mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct sock_filter *code = NULL, *again = NULL;
    unsigned short length = 0, again_length = 0;

    cr_assert_neq(count, MAP_FAILED);
    cr_expect_eq(program_compile(SCMP_ACT_ERRNO(1), hang_once, &count, &code, &length), 0);
    cr_expect_eq(atomic_load(count), 2);
    cr_expect_gt(length, 0);
    cr_expect_eq(program_compile(SCMP_ACT_ERRNO(1), hang_once, &count, &again, &again_length), 0);
    cr_expect_eq(again_length, length, "something of the first is left");
    free(code);
    free(again);
}
