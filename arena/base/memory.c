/* SPDX-License-Identifier: MIT */
#include "arena/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static _Noreturn void end(void)
{
    static const char words[] = "arena: out of memory\n";

    (void)!write(STDERR_FILENO, words, sizeof words - 1);
    _exit(1);
}

void *memory_need(size_t size)
{
    void *bytes = malloc(size);

    if (!bytes)
        end();
    return bytes;
}

FILE *memory_stream(char **text, size_t *size)
{
    FILE *stream = open_memstream(text, size);

    if (!stream)
        end();
    return stream;
}

void memory_stream_flush(FILE *stream)
{
    if (fflush(stream) != 0)
        end();
}

/* glibc's fclose does not fail if it cannot shrink the text: then there is none. */
void memory_stream_end(FILE *stream, char *const *text)
{
    const bool failed = ferror(stream);

    if (fclose(stream) != 0 || failed || !*text)
        end();
}
