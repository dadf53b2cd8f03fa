/* SPDX-License-Identifier: MIT */
#include "arena/base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROOM_MIN = 8
};

/* Returns the room of an array with so many elements: the next power of two, or 0 for none. */
static size_t room_for(size_t count)
{
    size_t room = count ? ROOM_MIN : 0;

    while (room && room < count)
        room *= 2;
    return room;
}

int array_grow(void *array, size_t count, size_t more, size_t element_bytes)
{
    const size_t room = room_for(count + more);
    void *elements;

    if (more == 0 || (room && room == room_for(count)))
        return 0;
    memcpy(&elements, array, sizeof elements);
    elements = room ? reallocarray(elements, room, element_bytes) : NULL;
    if (!elements)
        return -ENOMEM;
    memcpy(array, &elements, sizeof elements);
    return 0;
}

int array_add(void *array, int *count, const void *element, size_t element_bytes)
{
    int error = array_grow(array, (size_t)*count, 1, element_bytes);
    char *elements;

    if (error)
        return error;
    memcpy(&elements, array, sizeof elements);
    memcpy(elements + (size_t)(*count)++ * element_bytes, element, element_bytes);
    return 0;
}

void array_trim(void *array, int count, size_t element_bytes)
{
    void *elements;

    memcpy(&elements, array, sizeof elements);
    elements = count > 0 ? reallocarray(elements, (size_t)count, element_bytes) : NULL;
    if (elements)
        memcpy(array, &elements, sizeof elements);
}
