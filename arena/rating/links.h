/*
 * Which bots the games tie together. A bot scored against another when it took a
 * point or half a point off it; a set in which everybody reaches everybody that way
 * can be rated by its games alone. Source: docs/ratings.md.
 */
#ifndef ARENA_RATING_LINKS_H
#define ARENA_RATING_LINKS_H

#include "arena/rating/games.h"

struct links {
    int bot_count;
    int set_count;    /* strongly connected components of "scored against" */
    int island_count; /* sets of bots that met, over however many others */
    int *sets;        /* by bot: 0..set_count-1, in order of their first bots */
    int *islands;     /* by bot: 0..island_count-1, likewise */
};

/* Finds both in a settled set of games. Returns 0 or -ENOMEM, nothing to free then. */
int links_init(struct links *links, const struct games *games);

/* Frees what the links hold. Zeroed ones are fine. */
void links_finish(struct links *links);

#endif
