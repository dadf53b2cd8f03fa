/* A game of a season: a line of text and JSON, its forfeits included. */
#ifndef ARENA_REPORT_GAME_H
#define ARENA_REPORT_GAME_H

#include <jansson.h>
#include <stdio.h>

#include "arena/season/season.h"

/* Prints its id, then bots by seat with rank and score, then whether it counts. */
void report_game_print(FILE *stream, const struct season *season, const struct store_game *game);

/*
 * Returns it as a new object, each forfeit with the command that repeats its decision. The seed of
 * a game that an older arena stored is read from its replay, null if that is gone. NULL if out of
 * memory.
 */
json_t *report_game_json(const struct season *season, const struct store_game *game);

#endif
