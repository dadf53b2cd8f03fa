/* SPDX-License-Identifier: MIT */
/* A game of a season as text and as JSON, with its forfeits. */
#ifndef ARENA_REPORT_GAME_H
#define ARENA_REPORT_GAME_H

#include <jansson.h>
#include <stdio.h>

#include "arena/report/columns.h"
#include "arena/season/season.h"

/*
 * Prints a game of a season: its id, its bots by seat with rank and score, and whether the game
 * counts.
 */
void report_game_print(FILE *stream, const struct season *season, const struct store_game *game);

/*
 * Returns a game of a season as a new JSON object, in which each forfeit has the command that
 * repeats the forfeited decision, and what the bot wrote to standard error if the reader may see
 * that, or the season publishes it. NULL if memory runs out.
 */
json_t *report_game_json(const struct season *season, const struct store_game *game,
                         enum column_reader reader);

extern const struct columns game_columns; /* of model.h */

/*
 * Prints "  1. greedy 77 (timeout)". Prints the reason only for a bot that did not play to the end.
 */
void report_seat_print(FILE *stream, int rank, const char *name, int score,
                       enum wire_reason reason);

#endif
