/* SPDX-License-Identifier: MIT */
/* A stream into memory: what was printed, whole at each flush, and empty again after rewind. */
#include "arena/base/memory.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(memory_stream, has_all_that_was_printed)
{
    char *text, line[] = "01234567 ";
    size_t size;
    FILE *stream = memory_stream(&text, &size);

    memory_stream_flush(stream);
    cr_expect_str_eq(text, "");
    cr_expect_eq(size, 0);
    for (int i = 0; i < 100000; i++) {
        line[i % 8] = (char)('a' + i % 26);
        fputs(line, stream);
    }
    memory_stream_flush(stream);
    cr_expect_eq(size, 100000 * strlen(line));
    cr_expect_eq(strlen(text), size);
    cr_expect_str_eq(text + size - strlen(line), line);
    cr_expect_eq(ftello(stream), 100000 * (off_t)strlen(line));
    fputs("the end", stream);
    cr_expect_eq(ftello(stream), 100000 * (off_t)strlen(line) + 7, "what is not flushed counts");
    memory_stream_end(stream);
    cr_expect_str_eq(text + 100000 * strlen(line), "the end");
    free(text);
}

Test(memory_stream, is_empty_after_rewind)
{
    char *text;
    size_t size;
    FILE *stream = memory_stream(&text, &size);

    fputs("a long first text", stream);
    memory_stream_flush(stream);
    cr_expect_str_eq(text, "a long first text");
    rewind(stream);
    memory_stream_flush(stream);
    cr_expect_str_eq(text, "");
    fputs("short", stream);
    memory_stream_end(stream);
    cr_expect_str_eq(text, "short");
    cr_expect_eq(size, 5);
    free(text);
}
