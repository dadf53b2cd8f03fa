/* Maps texts to numbers: each new text gets the next number, from 0. Keeps copies. */
#ifndef ARENA_RATING_NAMES_H
#define ARENA_RATING_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* Small, because touching fresh memory costs more than the computation. */
struct names {
    uint32_t count;
    uint32_t *starts; /* count + 1: text i begins at bytes + starts[i], its NUL is the last byte
                         before starts[i + 1] */
    char *bytes;      /* all texts, each with a NUL after it */
    size_t bytes_room;
    uint32_t *slots;     /* number of the text plus 1, by hash; 0: empty slot */
    uint32_t slot_count; /* 0 or a power of two, at least twice count */
};

/* Frees the table. A zeroed table is an empty one, before use and afterwards. */
void names_finish(struct names *names);

/* Returns the number of a text, which may contain any bytes, or -ENOMEM. A new one is added. */
int64_t names_number(struct names *names, const char *bytes, size_t size);

/* Returns the text of a number, NUL-terminated; valid until the next text is added. */
const char *names_text(const struct names *names, uint32_t number);

#endif
