#include "arena/rating/names.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOTS_FIRST = 1024, /* initial number of slots, for half as many entries */
};

void names_finish(struct names *names)
{
    free(names->entries);
    free(names->bytes);
    free(names->slots);
    memset(names, 0, sizeof *names);
}

/* Hashes four bytes at a time; the rest as an overlapping word or byte by byte. */
static uint32_t hash_of(const char *bytes, size_t size)
{
    const uint64_t factor = 0x9e3779b97f4a7c15;
    uint64_t hash = size;
    uint32_t word;

    for (size_t i = 0; i + 4 < size; i += 4) {
        memcpy(&word, bytes + i, sizeof word);
        hash = (hash ^ word) * factor;
    }
    if (size >= 4) {
        memcpy(&word, bytes + size - 4, sizeof word);
        hash = (hash ^ word) * factor;
    }
    for (size_t i = 0; i < size && size < 4; i++)
        hash = (hash ^ (uint8_t)bytes[i]) * factor;
    return (uint32_t)(hash >> 32);
}

static bool is_text(const struct names *names, uint32_t number, const char *bytes, size_t size)
{
    size_t known_size;
    const char *known = names_text(names, number, &known_size);

    return known_size == size && memcmp(known, bytes, size) == 0;
}

/* Returns the slot of a text, or the empty slot for it. There is always one. */
static uint32_t *find_slot(const struct names *names, const char *bytes, size_t size, uint32_t hash)
{
    uint32_t mask = names->slot_count - 1;

    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        uint32_t *slot = &names->slots[i];

        if (*slot == 0 ||
            (names->entries[*slot - 1].hash == hash && is_text(names, *slot - 1, bytes, size)))
            return slot;
    }
}

static int grow_slots(struct names *names)
{
    uint32_t slot_count = names->slot_count ? 4 * names->slot_count : SLOTS_FIRST;
    struct names_entry *entries = realloc(names->entries, slot_count / 2 * sizeof *names->entries);
    uint32_t *slots;

    if (!entries)
        return -ENOMEM;
    names->entries = entries;
    slots = calloc(slot_count, sizeof *slots);
    if (!slots)
        return -ENOMEM;
    free(names->slots);
    names->slots = slots;
    names->slot_count = slot_count;
    for (uint32_t number = 0; number < names->count; number++) {
        uint32_t i = names->entries[number].hash & (slot_count - 1);

        while (slots[i])
            i = (i + 1) & (slot_count - 1);
        slots[i] = number + 1;
    }
    return 0;
}

static int make_room(struct names *names, size_t size)
{
    size_t room = 2 * (names->bytes_room + size);
    char *bytes;

    if (names->bytes_room - names->bytes_size >= size)
        return 0;
    bytes = realloc(names->bytes, room);
    if (!bytes)
        return -ENOMEM;
    names->bytes = bytes;
    names->bytes_room = room;
    return 0;
}

int64_t names_number(struct names *names, const char *bytes, size_t size)
{
    uint32_t hash = hash_of(bytes, size);
    uint32_t *slot;

    if (2 * names->count >= names->slot_count &&
        (names->count >= NAMES_COUNT_MAX || grow_slots(names) < 0))
        return -ENOMEM;
    slot = find_slot(names, bytes, size, hash);
    if (*slot)
        return *slot - 1;
    if (size > UINT32_MAX - names->bytes_size || make_room(names, size) < 0)
        return -ENOMEM;
    memcpy(names->bytes + names->bytes_size, bytes, size);
    names->bytes_size += size;
    names->entries[names->count] = (struct names_entry){(uint32_t)names->bytes_size, hash};
    *slot = ++names->count;
    return *slot - 1;
}

const char *names_text(const struct names *names, uint32_t number, size_t *size)
{
    uint32_t start = number > 0 ? names->entries[number - 1].end : 0;

    *size = names->entries[number].end - start;
    return names->bytes + start;
}
