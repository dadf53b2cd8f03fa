/*
 * Which bots the games connect. A bot scored against another if it took a point or half a point off
 * it. A set in which every bot reaches every other in this way can be rated from its games alone.
 * Source: docs/ratings.md.
 */
#ifndef ARENA_RATING_LINKS_H
#define ARENA_RATING_LINKS_H

#include "arena/rating/games.h"

struct links {
    int bot_count;
    int set_count;    /* strongly connected components of "scored against" */
    int island_count; /* sets of bots connected by games, directly or through others */
    int *sets;        /* by bot: 0..set_count-1, in order of their first bots */
    int *islands;     /* by bot: 0..island_count-1, in order of their first bots */
};

/* Computes both from a settled set of games. Returns 0, or -ENOMEM with nothing to free. */
int links_init(struct links *links, const struct games *games);

/* Frees what the links hold. Accepts zeroed links. */
void links_finish(struct links *links);

#endif
