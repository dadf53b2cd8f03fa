/* SPDX-License-Identifier: MIT */
/*
 * Arrays that grow. An array is a pointer, NULL at first, and a count of its elements, both the
 * caller's own; the room follows from the count, so nothing else is to be kept:
 *
 *     error = ARRAY_GROW(list->names, list->count, 1);
 *     if (!error)
 *         list->names[list->count++] = name;
 *
 * The caller checks the count against the array's bound, and frees the array.
 */
#ifndef ARENA_BASE_ARRAY_H
#define ARENA_BASE_ARRAY_H

#include <stddef.h>

/*
 * Makes room for `more` elements after the first `count`, in an array that only ARRAY_GROW has
 * allocated; the array may move. Returns 0; or -ENOMEM with the array as before.
 */
#define ARRAY_GROW(array, count, more)                                                             \
    array_grow(&(array), (size_t)(count), (size_t)(more), sizeof *(array))

int array_grow(void *array, size_t count, size_t more, size_t element_bytes);

/* Appends a copy of an element and counts it. Returns 0 or -ENOMEM. */
int array_add(void *array, int *count, const void *element, size_t element_bytes);

/* Gives back the room after the last element of an array that will not grow any more. */
void array_trim(void *array, int count, size_t element_bytes);

#endif
