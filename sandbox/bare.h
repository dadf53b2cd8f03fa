/* SPDX-License-Identifier: MIT */
/*
 * Entry point and system calls for programs without a C library. Such a program defines bare_main
 * and is linked with -nostdlib.
 */
#ifndef SANDBOX_BARE_H
#define SANDBOX_BARE_H

/* Main function, defined by the program. argv has argc strings and a final NULL. */
_Noreturn void bare_main(long argc, char **argv);

#if defined(__x86_64__)
__asm__(".globl _start\n"
        "_start:\n"
        " mov (%rsp), %rdi\n"
        " lea 8(%rsp), %rsi\n"
        " and $-16, %rsp\n"
        " call bare_main\n"
        " hlt\n");

/* Returns the kernel's result: -errno on failure. */
static inline long bare_call(long number, const long arguments[6])
{
    register long fourth __asm__("r10") = arguments[3];
    register long fifth __asm__("r8") = arguments[4];
    register long sixth __asm__("r9") = arguments[5];
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(arguments[0]), "S"(arguments[1]), "d"(arguments[2]),
                       "r"(fourth), "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
__asm__(".globl _start\n"
        "_start:\n"
        " ldr x0, [sp]\n"
        " add x1, sp, #8\n"
        " bl bare_main\n"
        " brk 0\n");

static inline long bare_call(long number, const long arguments[6])
{
    register long called __asm__("x8") = number;
    register long first __asm__("x0") = arguments[0];
    register long second __asm__("x1") = arguments[1];
    register long third __asm__("x2") = arguments[2];
    register long fourth __asm__("x3") = arguments[3];
    register long fifth __asm__("x4") = arguments[4];
    register long sixth __asm__("x5") = arguments[5];

    __asm__ volatile("svc 0"
                     : "+r"(first)
                     : "r"(called), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "memory");
    return first;
}
#else
#error "this header supports only x86-64 and aarch64"
#endif

/* Compilers call these two for a value that is set or copied as a whole. */
void *memset(void *block, int byte, unsigned long count);
void *memcpy(void *restrict block, const void *restrict from, unsigned long count);

void *memset(void *block, int byte, unsigned long count)
{
    for (volatile char *next = block; count > 0; count--)
        *next++ = (char)byte;
    return block;
}

void *memcpy(void *restrict block, const void *restrict from, unsigned long count)
{
    const char *source = from;

    for (volatile char *next = block; count > 0; count--)
        *next++ = *source++;
    return block;
}

#endif
