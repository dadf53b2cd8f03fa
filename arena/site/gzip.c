/* SPDX-License-Identifier: MIT */
#include "arena/site/gzip.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "arena/base/library.h"
#include "arena/base/memory.h"

enum {
    LEVEL = 1,            /* of what one page has */
    COMMON_LEVEL = 9,     /* of what many pages have */
    RAW_WINDOW_BITS = 15, /* negative: without the head of a format */
    MEMORY_LEVEL = 6,     /* a full flush clears tables of this size */
    PROBE_BYTES = 64,     /* by its first bytes a common text is looked for */
    HEAD_BYTES = 10,
    TAIL_BYTES = 8, /* sum and size of the page */
};

/* clang-format off */
#define ZLIB_FUNCTIONS(FUNCTION) FUNCTION(crc32) FUNCTION(crc32_combine) FUNCTION(deflate) \
    FUNCTION(deflateEnd) FUNCTION(deflateInit2_) FUNCTION(deflateReset)
/* clang-format on */

LIBRARY(library, ZLIB_FUNCTIONS)

struct common {
    const char *text;
    size_t size;
    uint8_t *packed; /* NULL until a page has the text */
    size_t packed_size;
    uint32_t sum;
};

struct gzip {
    z_stream stream;
    struct common common[GZIP_COMMON_MAX];
    int common_count;
    uint8_t *packed;
    size_t capacity;
};

/* The common texts of one page, in the order in which the page has them. */
struct found {
    const char *at;
    struct common *common;
};

static bool begin(z_stream *stream, int level)
{
    return library.deflateInit2_(stream, level, Z_DEFLATED, -RAW_WINDOW_BITS, MEMORY_LEVEL,
                                 Z_DEFAULT_STRATEGY, ZLIB_VERSION, sizeof *stream) == Z_OK;
}

struct gzip *gzip_create(const char *const *common)
{
    struct gzip *gzip = memory_need(sizeof *gzip);

    *gzip = (struct gzip){0};
    if (!LIBRARY_LOAD(library, "libz.so.1") || !begin(&gzip->stream, LEVEL)) {
        free(gzip);
        return NULL;
    }
    for (; common && *common; common++)
        gzip->common[gzip->common_count++] =
            (struct common){.text = *common, .size = strlen(*common)};
    return gzip;
}

void gzip_destroy(struct gzip *gzip)
{
    if (!gzip)
        return;
    for (int i = 0; i < gzip->common_count; i++)
        free(gzip->common[i].packed);
    library.deflateEnd(&gzip->stream);
    free(gzip->packed);
    free(gzip);
}

/* Compresses a text that ends at a whole byte, and to which nothing behind it refers. */
static bool pack_common(struct common *common)
{
    z_stream stream = {0};
    bool is_whole;

    if (common->packed)
        return true;
    if (!begin(&stream, COMMON_LEVEL))
        return false;
    common->packed = memory_need(common->size);
    stream.next_in = (Bytef *)common->text;
    stream.avail_in = (uInt)common->size;
    stream.next_out = common->packed;
    stream.avail_out = (uInt)common->size;
    is_whole = library.deflate(&stream, Z_FULL_FLUSH) == Z_OK && stream.avail_out > 0;
    common->packed_size = common->size - stream.avail_out;
    common->sum = (uint32_t)library.crc32(0, (const Bytef *)common->text, (uInt)common->size);
    library.deflateEnd(&stream);
    if (!is_whole) {
        free(common->packed);
        common->packed = NULL;
    }
    return is_whole;
}

static int compare_found(const void *a, const void *b)
{
    const struct found *x = a, *y = b;

    return (x->at > y->at) - (x->at < y->at);
}

static int find_common(struct gzip *gzip, const char *bytes, size_t size,
                       struct found found[static GZIP_COMMON_MAX])
{
    int count = 0;

    for (struct common *common = gzip->common; common < gzip->common + gzip->common_count;
         common++) {
        const char *at =
            common->size > PROBE_BYTES ? memmem(bytes, size, common->text, PROBE_BYTES) : NULL;

        if (at && common->size <= size - (size_t)(at - bytes) &&
            memcmp(at, common->text, common->size) == 0 && pack_common(common))
            found[count++] = (struct found){at, common};
    }
    qsort(found, (size_t)count, sizeof *found, compare_found);
    return count;
}

static void put_le32(uint8_t *bytes, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
}

/* Compresses bytes that only this page has; adds them to the sum. */
static bool pack_own(z_stream *stream, const char *bytes, size_t size, int flush, uint32_t *sum)
{
    stream->next_in = (Bytef *)bytes;
    stream->avail_in = (uInt)size;
    *sum = (uint32_t)library.crc32(*sum, (const Bytef *)bytes, (uInt)size);
    return library.deflate(stream, flush) == (flush == Z_FINISH ? Z_STREAM_END : Z_OK) &&
           stream->avail_out > 0;
}

static bool pack_copy(z_stream *stream, const struct common *common, uint32_t *sum)
{
    if (common->packed_size >= stream->avail_out)
        return false;
    memcpy(stream->next_out, common->packed, common->packed_size);
    stream->next_out += common->packed_size;
    stream->avail_out -= (uInt)common->packed_size;
    *sum = (uint32_t)library.crc32_combine(*sum, common->sum, (z_off_t)common->size);
    return true;
}

size_t gzip_pack(struct gzip *gzip, const char *bytes, size_t size, const uint8_t **packed)
{
    static const uint8_t head[HEAD_BYTES] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}; /* no time */
    z_stream *stream = &gzip->stream;
    const char *from = bytes, *end = bytes + size;
    struct found found[GZIP_COMMON_MAX];
    uint32_t sum = 0;
    int count;

    if (size <= HEAD_BYTES + TAIL_BYTES || size > UINT32_MAX)
        return 0;
    if (size > gzip->capacity) {
        free(gzip->packed);
        gzip->packed = memory_need(size);
        gzip->capacity = size;
    }
    memcpy(gzip->packed, head, sizeof head);
    library.deflateReset(stream);
    stream->next_out = gzip->packed + HEAD_BYTES;
    stream->avail_out = (uInt)(size - HEAD_BYTES - TAIL_BYTES);
    count = find_common(gzip, bytes, size, found);
    for (int i = 0; i < count; i++) {
        if (found[i].at < from)
            continue;
        if (!pack_own(stream, from, (size_t)(found[i].at - from), Z_FULL_FLUSH, &sum) ||
            !pack_copy(stream, found[i].common, &sum))
            return 0;
        from = found[i].at + found[i].common->size;
    }
    if (!pack_own(stream, from, (size_t)(end - from), Z_FINISH, &sum))
        return 0;
    put_le32(stream->next_out, sum);
    put_le32(stream->next_out + 4, (uint32_t)size);
    *packed = gzip->packed;
    return (size_t)(stream->next_out + TAIL_BYTES - gzip->packed);
}
