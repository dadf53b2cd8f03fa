/* A game as text and as JSON, with its forfeits: one of a season, or one that was just played. */
#ifndef ARENA_REPORT_GAME_H
#define ARENA_REPORT_GAME_H

#include <jansson.h>
#include <stdio.h>

#include "arena/play/runner.h"
#include "arena/replay/replay.h"
#include "arena/season/season.h"

/* Prints its id, then bots by seat with rank and score, then whether it counts. */
void report_game_print(FILE *stream, const struct season *season, const struct store_game *game);

/*
 * Returns it as a new object, each forfeit with the command that repeats its decision. NULL if
 * memory runs out.
 */
json_t *report_game_json(const struct season *season, const struct store_game *game);

/* A match that was just played. Everything is borrowed. */
struct match_report {
    const struct runner_game *game;
    const struct table *table;
    const struct replay *replay;
    const char *replays;                 /* the folder for replays, or NULL */
    const char *names[GAME_PLAYERS_MAX]; /* by seat, escaped for a terminal */
    const char *paths[GAME_PLAYERS_MAX]; /* by seat, as typed */
    const char *options; /* options that a command to repeat a forfeit needs, or NULL */
};

/*
 * Both return a value that the caller frees (the first with json_decref), or NULL if memory runs
 * out.
 */
json_t *match_report_json(const struct match_report *report);

/* A line, and a paragraph per forfeit; each ends with a newline. */
char *match_report_text(const struct match_report *report);

/*
 * Writes the names of the bots for tables: if several share a name, all except the first get a
 * number. The caller frees the names. Returns false if memory runs out.
 */
bool match_report_names(const struct source *sources, int count,
                        char *names[static GAME_PLAYERS_MAX]);

#endif
