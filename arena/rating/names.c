#include "arena/rating/names.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOTS_FIRST = 1024,
};

int names_init(struct names *names)
{
    memset(names, 0, sizeof *names);
    names->slot_count = SLOTS_FIRST;
    names->slots = calloc(SLOTS_FIRST, sizeof *names->slots);
    names->texts = malloc(SLOTS_FIRST / 2 * sizeof *names->texts);
    if (!names->slots || !names->texts) {
        names_finish(names);
        return -ENOMEM;
    }
    return 0;
}

void names_finish(struct names *names)
{
    free(names->slots);
    free(names->texts);
    memset(names, 0, sizeof *names);
}

/* Eight bytes a step; spread by a multiplication whose high half is folded back. */
static uint32_t hash_text(const char *bytes, uint32_t size)
{
    const uint64_t multiplier = 0x9e3779b97f4a7c15;
    uint64_t hash = size;
    uint64_t word;

    for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * multiplier;
        hash ^= hash >> 32;
    }
    for (word = 0; size > 0; size--)
        word = word << 8 | (uint8_t)*bytes++;
    hash = (hash ^ word) * multiplier;
    return (uint32_t)(hash >> 32);
}

/* The slot of a text: its own or the empty one where it belongs. */
static struct names_slot *find_slot(const struct names *names, uint32_t hash, const char *bytes,
                                    uint32_t size)
{
    for (uint32_t at = hash;; at++) {
        struct names_slot *slot = &names->slots[at & (names->slot_count - 1)];

        if (slot->number_plus_one == 0)
            return slot;
        const struct names_text *text = &names->texts[slot->number_plus_one - 1];
        if (slot->hash == hash && text->size == size && memcmp(text->bytes, bytes, size) == 0)
            return slot;
    }
}

/* Four times the room. */
static bool grow(struct names *names)
{
    uint32_t slot_count = 4 * names->slot_count;
    struct names_slot *slots = calloc(slot_count, sizeof *slots);
    struct names_text *texts = realloc(names->texts, slot_count / 2 * sizeof *texts);

    if (texts)
        names->texts = texts;
    if (!slots || !texts) {
        free(slots);
        return false;
    }
    for (uint32_t i = 0; i < names->slot_count; i++) {
        uint32_t at = names->slots[i].hash;

        if (names->slots[i].number_plus_one == 0)
            continue;
        while (slots[at & (slot_count - 1)].number_plus_one != 0)
            at++;
        slots[at & (slot_count - 1)] = names->slots[i];
    }
    free(names->slots);
    names->slots = slots;
    names->slot_count = slot_count;
    return true;
}

int64_t names_number(struct names *names, const char *bytes, uint32_t size)
{
    uint32_t hash = hash_text(bytes, size);
    struct names_slot *slot = find_slot(names, hash, bytes, size);

    if (slot->number_plus_one != 0)
        return slot->number_plus_one - 1;
    if (names->count >= names->slot_count / 2) {
        if (names->slot_count > UINT32_MAX / 8 || !grow(names))
            return -ENOMEM;
        slot = find_slot(names, hash, bytes, size);
    }
    names->texts[names->count] = (struct names_text){bytes, size};
    slot->hash = hash;
    slot->number_plus_one = ++names->count;
    return names->count - 1;
}
