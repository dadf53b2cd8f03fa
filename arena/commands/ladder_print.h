/*
 * A ladder as text, as JSON and as CSV. Writes to standard output.
 */
#ifndef ARENA_COMMANDS_LADDER_PRINT_H
#define ARENA_COMMANDS_LADDER_PRINT_H

#include <jansson.h>

#include "arena/season/standings.h"

/* Which ladder of the standings, and how it was made. */
struct ladder_print {
    const struct standings *standings;
    int player_count; /* 0: over all tables */
    enum ladder_list list;
};

/* The table for people, with score by seat and a footer on its method. */
void ladder_print_text(const struct ladder_print *print);

/* docs/seasons.md tells the keys; a new reference, NULL when memory is out. */
json_t *ladder_print_json(const struct ladder_print *print);

/* A header line and a row a bot. */
void ladder_print_csv(const struct ladder_print *print);

/* Who took how much off whom, and how far that is from what the ratings say. */
void ladder_print_cross(const struct ladder_print *print);
json_t *ladder_print_cross_json(const struct ladder_print *print);

#endif
