/* How back ends that keep texts write the sizes of a season's tables: "2,3". */
#ifndef ARENA_STORE_PLAYERS_H
#define ARENA_STORE_PLAYERS_H

#include "arena/store/store.h"

enum {
    PLAYERS_TEXT_BYTES = 8, /* with the NUL */
};

void players_write(const struct store_season *season, char text[static PLAYERS_TEXT_BYTES]);

/* What is not "2,3" leaves a count that the store refuses. */
void players_read(const char *text, struct store_season *season);

#endif
