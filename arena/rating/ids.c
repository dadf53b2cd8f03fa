#include "arena/rating/ids.h"

#include <errno.h>
#include <stdbool.h>

enum {
    DIGITS_MAX = 18, /* of an id that counts up: one more of them fits 64 bits, too */
};

void ids_finish(struct ids *ids)
{
    names_finish(&ids->texts);
    memset(ids, 0, sizeof *ids);
}

/* Reads a whole number that has one way only to be written. */
static bool read_number(const char *bytes, size_t size, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] < '0' || bytes[i] > '9')
            return false;
        *number = 10 * *number + (uint64_t)(bytes[i] - '0');
    }
    return size == 1 || bytes[0] != '0';
}

/* Adds a number to the texts. */
static int add_text(struct names *texts, uint64_t number)
{
    char digits[DIGITS_MAX + 1];
    size_t at = sizeof digits;

    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    return names_number(texts, digits + at, sizeof digits - at) < 0 ? -ENOMEM : 0;
}

int64_t ids_number(struct ids *ids, const char *bytes, size_t size)
{
    uint64_t id;
    int error = 0;

    if (ids->texts.count == 0) {
        int64_t number = -1;

        if (size > 0 && size <= DIGITS_MAX && read_number(bytes, size, &id))
            number = ids_count_up(ids, id);
        if (number >= 0)
            return number;
        for (uint32_t i = 0; i < ids->count && error == 0; i++)
            error = add_text(&ids->texts, ids->first + i);
    }
    int64_t number = error < 0 ? error : names_number(&ids->texts, bytes, size);
    ids->count = ids->texts.count;
    return number;
}
