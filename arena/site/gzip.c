/* SPDX-License-Identifier: MIT */
#include "arena/site/gzip.h"

#include <isa-l.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/library.h"
#include "arena/base/memory.h"

enum {
    LEVEL = 1,        /* of what one page has */
    COMMON_LEVEL = 3, /* of what many pages have */
    PROBE_BYTES = 64, /* by its first bytes a common text is looked for */
    HEAD_BYTES = 10,
    TAIL_BYTES = 8, /* sum and size of the page */
};

/* clang-format off */
#define ISAL_FUNCTIONS(FUNCTION) FUNCTION(crc32_gzip_refl) FUNCTION(isal_deflate) \
    FUNCTION(isal_deflate_init)
/* clang-format on */

LIBRARY(library, ISAL_FUNCTIONS)

static bool is_installed;

static void load(void)
{
    is_installed = LIBRARY_LOAD(library, "libisal.so.2");
}

struct common {
    const char *text;
    size_t size;
    uint8_t *packed; /* NULL until a page has the text */
    size_t packed_size;
};

struct gzip {
    struct isal_zstream stream;
    uint8_t level_buffer[ISAL_DEF_LVL3_SMALL];
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

struct gzip *gzip_create(const char *const *common)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct gzip *gzip;

    pthread_once(&once, load);
    if (!is_installed)
        return NULL;
    gzip = memory_need(sizeof *gzip);
    gzip->packed = NULL;
    gzip->capacity = 0;
    gzip->common_count = 0;
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
    free(gzip->packed);
    free(gzip);
}

/* Begins to compress to `size` bytes at `bytes`. */
static void begin(struct gzip *gzip, int level, uint8_t *bytes, size_t size)
{
    struct isal_zstream *stream = &gzip->stream;

    library.isal_deflate_init(stream);
    stream->level = (uint32_t)level;
    stream->level_buf = gzip->level_buffer;
    stream->level_buf_size = sizeof gzip->level_buffer;
    stream->flush = FULL_FLUSH; /* ends at a whole byte; what follows does not refer to it */
    stream->next_out = bytes;
    stream->avail_out = (uint32_t)size;
}

/* Compresses the next bytes. Returns false if there is no room for them. */
static bool pack(struct isal_zstream *stream, const char *bytes, size_t size, bool is_end)
{
    stream->next_in = (uint8_t *)bytes;
    stream->avail_in = (uint32_t)size;
    stream->end_of_stream = is_end;
    return library.isal_deflate(stream) == COMP_OK && stream->avail_out > 0;
}

static bool pack_common(struct gzip *gzip, struct common *common)
{
    if (common->packed)
        return true;
    common->packed = memory_need(common->size);
    memset(gzip->level_buffer, 0, sizeof gzip->level_buffer); /* this level reads what was there */
    begin(gzip, COMMON_LEVEL, common->packed, common->size);
    if (pack(&gzip->stream, common->text, common->size, false)) {
        common->packed_size = common->size - gzip->stream.avail_out;
        return true;
    }
    free(common->packed);
    common->packed = NULL;
    return false;
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
            memcmp(at, common->text, common->size) == 0 && pack_common(gzip, common))
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

static bool pack_copy(struct isal_zstream *stream, const struct common *common)
{
    if (common->packed_size >= stream->avail_out)
        return false;
    memcpy(stream->next_out, common->packed, common->packed_size);
    stream->next_out += common->packed_size;
    stream->avail_out -= (uint32_t)common->packed_size;
    return true;
}

size_t gzip_pack(struct gzip *gzip, const char *bytes, size_t size, const uint8_t **packed)
{
    static const uint8_t head[HEAD_BYTES] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}; /* no time */
    struct isal_zstream *stream = &gzip->stream;
    const char *from = bytes, *end = bytes + size;
    struct found found[GZIP_COMMON_MAX];
    int count;

    if (size <= HEAD_BYTES + TAIL_BYTES || size > UINT32_MAX)
        return 0;
    if (size > gzip->capacity) {
        free(gzip->packed);
        gzip->packed = memory_need(size);
        gzip->capacity = size;
    }
    memcpy(gzip->packed, head, sizeof head);
    count = find_common(gzip, bytes, size, found); /* packs in the same stream */
    begin(gzip, LEVEL, gzip->packed + HEAD_BYTES, size - HEAD_BYTES - TAIL_BYTES);
    for (int i = 0; i < count; i++) {
        if (found[i].at < from)
            continue;
        if (!pack(stream, from, (size_t)(found[i].at - from), false) ||
            !pack_copy(stream, found[i].common))
            return 0;
        from = found[i].at + found[i].common->size;
    }
    if (!pack(stream, from, (size_t)(end - from), true))
        return 0;
    put_le32(stream->next_out, library.crc32_gzip_refl(0, (const uint8_t *)bytes, size));
    put_le32(stream->next_out + 4, (uint32_t)size);
    *packed = gzip->packed;
    return (size_t)(stream->next_out + TAIL_BYTES - gzip->packed);
}
