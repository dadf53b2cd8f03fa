/* SPDX-License-Identifier: MIT */
#include "arena/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void memory_end(void)
{
    static const char words[] = "arena: out of memory\n";

    (void)!write(STDERR_FILENO, words, sizeof words - 1);
    _exit(1);
}

void *memory_need(size_t size)
{
    void *bytes = malloc(size);

    if (!bytes)
        memory_end();
    return bytes;
}

void *memory_need_again(void *bytes, long size)
{
    void *moved = size == 0 ? NULL : realloc(bytes, (size_t)size);

    if (size == 0)
        free(bytes);
    else if (!moved)
        memory_end();
    return moved;
}

/*
 * What a stream writes into. Not open_memstream: in glibc, what finds no memory there is left out,
 * and neither ferror nor fclose tells.
 */
struct memory {
    char **text; /* ends with a NUL; room bytes */
    size_t *size, room;
};

static ssize_t add_bytes(void *cookie, const char *bytes, size_t count)
{
    struct memory *memory = cookie;

    if (*memory->size + count >= memory->room) {
        memory->room = 2 * (*memory->size + count) + 64;
        *memory->text = memory_need_again(*memory->text, (long)memory->room);
    }
    memcpy(*memory->text + *memory->size, bytes, count);
    *memory->size += count;
    (*memory->text)[*memory->size] = '\0';
    return (ssize_t)count;
}

/* For ftell, and for rewind, which empties the text. */
static int seek(void *cookie, off64_t *offset, int whence)
{
    struct memory *memory = cookie;

    if (*offset != 0)
        return -1;
    if (whence == SEEK_SET) {
        **memory->text = '\0';
        *memory->size = 0;
    }
    *offset = (off64_t)*memory->size;
    return 0;
}

static int keep_bytes(void *cookie)
{
    struct memory *memory = cookie;

    *memory->text = memory_need_again(*memory->text, (long)*memory->size + 1);
    free(memory);
    return 0;
}

FILE *memory_stream(char **text, size_t *size)
{
    static const cookie_io_functions_t functions = {
        .write = add_bytes, .seek = seek, .close = keep_bytes};
    struct memory *memory = memory_need(sizeof *memory);
    FILE *stream = fopencookie(memory, "w", functions);

    if (!stream)
        memory_end();
    *memory = (struct memory){.text = text, .size = size};
    *text = NULL;
    *size = 0;
    add_bytes(memory, "", 0);
    return stream;
}

void memory_stream_flush(FILE *stream)
{
    if (fflush(stream) != 0)
        memory_end();
}

void memory_stream_end(FILE *stream)
{
    memory_stream_flush(stream);
    fclose(stream);
}
