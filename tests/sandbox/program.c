/* SPDX-License-Identifier: MIT */
/* A filter is compiled in a process of its own, which is waited for until a deadline. */
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sandbox/program.h"

/* The first process hangs, as one does that lacks a lock of the allocator. */
static int hang_once(scmp_filter_ctx context, const void *self)
{
    atomic_int *const count = *(atomic_int *const *)self;

    if (atomic_fetch_add(count, 1) == 0)
        for (;;)
            pause();
    return seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(read), 0);
}

Test(program, of_a_process_that_hangs_is_compiled_by_another, .timeout = 600)
{
    atomic_int *count =
        mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct sock_filter *code = NULL;
    unsigned short length = 0;

    cr_assert_neq(count, MAP_FAILED);
    cr_expect_eq(program_compile(SCMP_ACT_ERRNO(1), hang_once, &count, &code, &length), 0);
    cr_expect_eq(atomic_load(count), 2);
    cr_expect_gt(length, 0);
    free(code);
}
