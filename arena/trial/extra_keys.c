#include "arena/trial/extra_keys.h"

#include <assert.h>
#include <string.h>

/* "later": {"kind": null, "list": [1, -2, 1.5, true, "text"]}: values of several types. */
static const uint8_t first[] = "\xa5later\x82\xa4kind\xc0\xa4list\x95\x01\xfe\xca\x3f\xc0\x00\x00"
                               "\xc3\xa4text";

/* "even_later": binary data and a 64-bit number. */
static const uint8_t last[] = "\xaa"
                              "even_later\x92\xc4\x03\x00\xff\x80\xcf\xff\xff\xff\xff\xff\xff\xff"
                              "\xff";

size_t extra_keys_add(uint8_t *buffer, size_t size, size_t capacity)
{
    const size_t first_bytes = sizeof first - 1, last_bytes = sizeof last - 1;

    assert(size > 0 && buffer[0] >= 0x80 && buffer[0] <= 0x8d); /* a map of at most 13 pairs */
    if (size + first_bytes + last_bytes > capacity)
        return size;
    memmove(buffer + 1 + first_bytes, buffer + 1, size - 1);
    memcpy(buffer + 1, first, first_bytes);
    memcpy(buffer + size + first_bytes, last, last_bytes);
    buffer[0] = (uint8_t)(buffer[0] + 2);
    return size + first_bytes + last_bytes;
}
