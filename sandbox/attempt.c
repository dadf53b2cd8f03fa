/*
 * A program that tries one thing inside the sandbox and tells what came back by its exit
 * status, an errno or 0. It needs nothing of the machine but its kernel.
 *
 *     attempt call NUMBER [ARGUMENT ...]   one system call; "@text" is an address of text
 *     attempt touch MEBIBYTES              memory, a page at a time
 *     attempt echo                         its input to its output, to the end
 */
#include <linux/mman.h>
#include <asm/errno.h>
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
    if (argc >= 3 && argv[1][0] == 'c')
        leave(make_call(argc, argv));
    if (argc == 3 && argv[1][0] == 't')
        leave(touch(number_of(argv[2])));
    leave(argc == 2 ? echo() : -EINVAL);
}
