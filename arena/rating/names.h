/* Maps texts to numbers: each new text gets the next number, from 0. Keeps copies. */
#ifndef ARENA_RATING_NAMES_H
#define ARENA_RATING_NAMES_H

#include <stddef.h>
#include <stdint.h>

enum names_limits {
    NAMES_COUNT_MAX = (1 << 29) - 1,
};

/* A text. Small, because touching fresh memory costs more than the computation. */
struct names_entry {
    uint32_t end; /* offset after its last byte; it begins where the text before it ends */
    uint32_t hash;
};

struct names {
    uint32_t count;
    struct names_entry *entries; /* by number */
    char *bytes;                 /* all texts, concatenated */
    size_t bytes_size, bytes_room;
    uint32_t *slots;     /* number of the text plus 1, by hash; 0: empty slot */
    uint32_t slot_count; /* 0 or a power of two, at least twice count */
};

/* Frees the table. A zeroed table is an empty one, before use and afterwards. */
void names_finish(struct names *names);

/* Returns the number of a text, adding it if it is new, or -ENOMEM. */
int64_t names_number(struct names *names, const char *bytes, size_t size);

/* Returns the text of a number, not NUL-terminated; valid until the next text is added. */
const char *names_text(const struct names *names, uint32_t number, size_t *size);

#endif
