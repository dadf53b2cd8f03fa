#include "arena/rating/names.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

enum {
    SLOTS_FIRST = 256,
    LONG_TEXT = 0xff, /* in place of the size, in the key of a text that it does not hold */
};

void names_finish(struct names *names)
{
    free(names->bytes);
    free(names->slots);
    memset(names, 0, sizeof *names);
}

/* The text that begins at a place of the bytes. */
static const char *text_at(const struct names *names, size_t at, size_t *size)
{
    *size = names->bytes[at];
    return (const char *)names->bytes + at + 1;
}

const char *names_next(const struct names *names, size_t *at, size_t *size)
{
    if (*at == names->bytes_size)
        return NULL;
    const char *text = text_at(names, *at, size);
    *at += 1 + *size;
    return text;
}

static struct names_key make_key(const char *bytes, size_t size)
{
    struct names_key key = {0, 0};
    char words[16] = {0};

    if (size <= NAMES_SHORT_MAX) {
        memcpy(words, bytes, size);
        memcpy(&key.low, words, 8);
        memcpy(&key.high, words + 8, 8);
        key.high |= (uint64_t)size << 56;
        return key;
    }
    key.low = size;
    for (size_t i = 0; i < size; i++)
        key.low = (key.low ^ (uint8_t)bytes[i]) * 0x100000001b3;
    key.high = (uint64_t)LONG_TEXT << 56;
    return key;
}

static bool text_is(const struct names *names, size_t at, const char *bytes, size_t size)
{
    size_t known_size;
    const char *known = text_at(names, at, &known_size);

    return known_size == size && memcmp(known, bytes, size) == 0;
}

/* The slot of a text: its own or the empty one where it belongs. */
static struct names_slot *find_slot(const struct names *names, struct names_key key,
                                    const char *bytes, size_t size)
{
    for (uint32_t at = names_hash(key);; at++) {
        struct names_slot *slot = &names->slots[at & (names->slot_count - 1)];

        if (slot->number_plus_one == 0)
            return slot;
        if (slot->key.low == key.low && slot->key.high == key.high &&
            (size <= NAMES_SHORT_MAX || text_is(names, slot->at, bytes, size)))
            return slot;
    }
}

/* Slots for twice as many texts as there are, and more. */
static int index_texts(struct names *names)
{
    uint32_t slot_count = SLOTS_FIRST;

    while (slot_count < 4 * (uint64_t)names->count && slot_count < 1u << 31)
        slot_count *= 2;
    struct names_slot *slots = calloc(slot_count, sizeof *slots);
    if (!slots)
        return -ENOMEM;
    free(names->slots);
    names->slots = slots;
    names->slot_count = slot_count;
    size_t at = 0;
    for (uint32_t i = 0; i < names->count; i++) {
        size_t start = at;
        size_t size = 0;
        const char *bytes = names_next(names, &at, &size);
        struct names_key key = make_key(bytes, size);

        *find_slot(names, key, bytes, size) = (struct names_slot){key, start, i + 1};
    }
    return 0;
}

/* Copies a text to the end of the others. */
static int append(struct names *names, const char *bytes, size_t size)
{
    if (names->count == NAMES_COUNT_MAX)
        return -ENOMEM;
    if (names->bytes_capacity - names->bytes_size <= size) {
        size_t capacity = 2 * names->bytes_capacity + size + 4096;
        uint8_t *grown = realloc(names->bytes, capacity);

        if (!grown)
            return -ENOMEM;
        names->bytes = grown;
        names->bytes_capacity = capacity;
    }
    names->last = names->bytes_size;
    names->bytes[names->bytes_size] = (uint8_t)size;
    memcpy(names->bytes + names->bytes_size + 1, bytes, size);
    names->bytes_size += 1 + size;
    names->count++;
    return 0;
}

/* How a text stands to the last one: longer or as long and greater is above 0. */
static int compare_to_last(const struct names *names, const char *bytes, size_t size)
{
    size_t last_size;
    const char *last = text_at(names, names->last, &last_size);

    return size != last_size ? (size > last_size ? 1 : -1) : memcmp(bytes, last, size);
}

int64_t names_number(struct names *names, const char *bytes, size_t size)
{
    assert(size <= NAMES_BYTES_MAX);
    if (!names->slots) {
        int order = names->count > 0 ? compare_to_last(names, bytes, size) : 1;

        if (order == 0)
            return names->count - 1;
        if (order > 0)
            return append(names, bytes, size) < 0 ? -ENOMEM : (int64_t)names->count - 1;
    }
    if ((!names->slots || names->count >= names->slot_count / 2) && index_texts(names) < 0)
        return -ENOMEM;
    struct names_key key = make_key(bytes, size);
    struct names_slot *slot = find_slot(names, key, bytes, size);
    if (slot->number_plus_one == 0) {
        if (append(names, bytes, size) < 0)
            return -ENOMEM;
        *slot = (struct names_slot){key, names->last, names->count};
    }
    return slot->number_plus_one - 1;
}
