/*
 * Ids of games to numbers: each new id gets the next number, from 0. As long as the ids
 * are whole numbers that count up by one, as those of most files are, only the first and
 * how many there are is kept. The first id that is anything else makes texts of them all.
 */
#ifndef ARENA_RATING_IDS_H
#define ARENA_RATING_IDS_H

#include "arena/rating/names.h"

struct ids {
    uint32_t count;
    uint64_t first;     /* the id of number 0 while the ids count up */
    struct names texts; /* empty while they do */
};

/* Frees the table. A zeroed one is an empty table, to begin with and afterwards. */
void ids_finish(struct ids *ids);

/*
 * The number of an id of at most NAMES_BYTES_MAX bytes, a new one if it was not there,
 * or -ENOMEM.
 */
int64_t ids_number(struct ids *ids, const char *bytes, size_t size);

/*
 * The same for an id that is a whole number, written without zeros in front; -1, and
 * nothing done, if the ids do not count up.
 */
static inline int64_t ids_count_up(struct ids *ids, uint64_t id)
{
    uint64_t number = ids->count > 0 ? id - ids->first : 0;

    if (ids->texts.count > 0 || number > ids->count || number == NAMES_COUNT_MAX)
        return -1;
    if (number == 0)
        ids->first = id;
    ids->count += number == ids->count;
    return (int64_t)number;
}

#endif
