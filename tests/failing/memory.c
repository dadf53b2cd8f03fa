/* SPDX-License-Identifier: MIT */
/*
 * An allocator whose call number $FAIL_AT fails, counted from 1 in the process of the command
 * $FAIL_IN and those that it forks. With $FAIL_COUNT, that process writes to this file how many
 * calls there were; with $FAIL_TRACE, it prints from where the call that failed came.
 *
 * As a library for LD_PRELOAD (ALLOCATOR_PRELOADED) it is everybody's allocator. In a program with
 * sanitizers, which have an allocator of their own, the linker sends calls of the project's own
 * objects here (--wrap); libraries call what they did.
 */
#include <errno.h>
#include <execinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic long *call_count; /* shared with forked processes */
static long fail_at;
static pid_t owner;

/* `arena aside PROCESS COMMAND` is the process of COMMAND, and so is `arena order PROCESS WHO
 * COMMAND`. */
static const char *command_of(int count, char **words)
{
    const int at = count > 3 && strcmp(words[1], "aside") == 0   ? 3
                   : count > 4 && strcmp(words[1], "order") == 0 ? 4
                                                                 : 1;

    return count > at ? words[at] : "";
}

__attribute__((constructor)) static void begin(int count, char **words)
{
    const char *at = getenv("FAIL_AT");
    const char *command = getenv("FAIL_IN");
    void *frames[1];

    backtrace(frames, 1); /* allocates, the first time */
    if (!command || strcmp(command_of(count, words), command) != 0)
        return;
    fail_at = at ? atol(at) : 0;
    call_count =
        mmap(NULL, sizeof *call_count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (call_count == MAP_FAILED)
        abort();
    owner = getpid();
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("FAIL_COUNT");
    FILE *file = path && getpid() == owner ? fopen(path, "we") : NULL;

    if (!file)
        return;
    fprintf(file, "%ld\n", *call_count);
    fclose(file);
}

static int fails(void)
{
    void *frames[32];

    if (!owner || ++*call_count != fail_at)
        return 0;
    if (getenv("FAIL_TRACE"))
        backtrace_symbols_fd(frames, backtrace(frames, 32), STDERR_FILENO);
    errno = ENOMEM;
    return 1;
}

#ifdef ALLOCATOR_PRELOADED

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *bytes, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *bytes, size_t size)
{
    return fails() ? NULL : __libc_realloc(bytes, size);
}

int posix_memalign(void **bytes, size_t alignment, size_t size)
{
    *bytes = fails() ? NULL : __libc_memalign(alignment, size);
    return *bytes ? 0 : ENOMEM;
}

#else

extern const char arena_commit[];
const char arena_commit[] = "";

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *bytes, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *bytes, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *bytes, size_t size)
{
    return fails() ? NULL : __real_realloc(bytes, size);
}

char *__wrap_strdup(const char *text)
{
    return __wrap_strndup(text, strlen(text));
}

char *__wrap_strndup(const char *text, size_t size)
{
    const size_t length = strnlen(text, size);
    char *copy = __wrap_malloc(length + 1);

    if (copy)
        memcpy(copy, text, length);
    if (copy)
        copy[length] = '\0';
    return copy;
}

int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list arguments;
    int size;

    if (fails())
        return -1;
    va_start(arguments, format);
    size = vasprintf(text, format, arguments);
    va_end(arguments);
    return size;
}

#endif
