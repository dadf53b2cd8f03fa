/* SPDX-License-Identifier: MIT */
/*
 * The program with an allocator whose call number $FAIL_AT fails, counted from 1 in the process
 * that was started. With $FAIL_COUNT, the process writes to that file how many calls there were.
 * The linker sends calls of the project's own objects here (--wrap); libraries call what they did.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const char arena_commit[];
const char arena_commit[] = "";

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *bytes, size_t size);
FILE *__real_open_memstream(char **text, size_t *size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *bytes, size_t size);
FILE *__wrap_open_memstream(char **text, size_t *size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static _Atomic long call_count;
static long fail_at;
static pid_t owner;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("FAIL_AT");

    fail_at = at ? atol(at) : 0;
    owner = getpid();
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("FAIL_COUNT");
    FILE *file = path && getpid() == owner ? fopen(path, "we") : NULL;

    if (!file)
        return;
    fprintf(file, "%ld\n", call_count);
    fclose(file);
}

static int fails(void)
{
    if (getpid() != owner || ++call_count != fail_at)
        return 0;
    errno = ENOMEM;
    return 1;
}

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

FILE *__wrap_open_memstream(char **text, size_t *size)
{
    return fails() ? NULL : __real_open_memstream(text, size);
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
