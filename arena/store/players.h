/* The table sizes of a season as text, for back ends that store it: "2,3". */
#ifndef ARENA_STORE_PLAYERS_H
#define ARENA_STORE_PLAYERS_H

#include "arena/store/store.h"

enum {
    PLAYERS_TEXT_BYTES = 8, /* including the NUL */
};

void players_write(const struct store_season *season, char text[static PLAYERS_TEXT_BYTES]);

/* Invalid text sets a count that the store refuses. */
void players_read(const char *text, struct store_season *season);

#endif
