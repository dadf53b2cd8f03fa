#include "arena/rating/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOTS_FIRST = 1024, /* initial number of slots, for half as many texts */
    SLOTS_MAX = 1 << 30,
};

void names_finish(struct names *names)
{
    free(names->starts);
    free(names->bytes);
    free(names->slots);
    memset(names, 0, sizeof *names);
}

/* FNV-1a. */
static uint32_t hash_of(const char *bytes, size_t size)
{
    uint32_t hash = 2166136261;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)bytes[i]) * 16777619;
    return hash;
}

static size_t size_of(const struct names *names, uint32_t number)
{
    return names->starts[number + 1] - names->starts[number] - 1;
}

/* Returns the slot of a text, or the empty slot for it. There is always one. */
static uint32_t *find_slot(const struct names *names, const char *bytes, size_t size)
{
    for (uint32_t i = hash_of(bytes, size);; i++) {
        uint32_t *slot = &names->slots[i & (names->slot_count - 1)];

        if (*slot == 0 || (size_of(names, *slot - 1) == size &&
                           memcmp(names_text(names, *slot - 1), bytes, size) == 0))
            return slot;
    }
}

static int grow_slots(struct names *names)
{
    uint32_t slot_count = names->slot_count ? 4 * names->slot_count : SLOTS_FIRST;
    uint32_t *slots = names->slot_count < SLOTS_MAX ? calloc(slot_count, sizeof *slots) : NULL;
    uint32_t *starts =
        slots ? reallocarray(names->starts, slot_count / 2 + 1, sizeof *starts) : NULL;

    if (!starts) {
        free(slots);
        return -ENOMEM;
    }
    free(names->slots);
    names->slots = slots;
    names->slot_count = slot_count;
    names->starts = starts;
    if (names->count == 0)
        starts[0] = 0;
    for (uint32_t i = 0; i < names->count; i++)
        *find_slot(names, names_text(names, i), size_of(names, i)) = i + 1;
    return 0;
}

static int make_room(struct names *names, size_t end)
{
    char *bytes;

    if (end <= names->bytes_room)
        return 0;
    bytes = realloc(names->bytes, 2 * end);
    if (!bytes)
        return -ENOMEM;
    names->bytes = bytes;
    names->bytes_room = 2 * end;
    return 0;
}

int64_t names_number(struct names *names, const char *bytes, size_t size)
{
    uint32_t *slot;
    size_t start;

    if (2 * names->count >= names->slot_count && grow_slots(names) < 0)
        return -ENOMEM;
    slot = find_slot(names, bytes, size);
    if (*slot)
        return *slot - 1;
    start = names->starts[names->count];
    if (size >= UINT32_MAX - start || make_room(names, start + size + 1) < 0)
        return -ENOMEM;
    memcpy(names->bytes + start, bytes, size);
    names->bytes[start + size] = '\0';
    names->starts[names->count + 1] = (uint32_t)(start + size + 1);
    *slot = ++names->count;
    return *slot - 1;
}

const char *names_text(const struct names *names, uint32_t number)
{
    return names->bytes + names->starts[number];
}
