/*
 * A game as text and as JSON, with its forfeits: a game of a season, or a match that was just
 * played.
 */
#ifndef ARENA_REPORT_GAME_H
#define ARENA_REPORT_GAME_H

#include <jansson.h>
#include <stdio.h>

#include "arena/play/runner.h"
#include "arena/replay/replay.h"
#include "arena/season/season.h"

/*
 * Prints a game of a season: its id, its bots by seat with rank and score, and whether the game
 * counts.
 */
void report_game_print(FILE *stream, const struct season *season, const struct store_game *game);

/*
 * Returns a game of a season as a new JSON object, in which each forfeit has the command that
 * repeats the forfeited decision. NULL if memory runs out.
 */
json_t *report_game_json(const struct season *season, const struct store_game *game);

/* A match that was just played. All pointers are borrowed. */
struct match_report {
    const struct runner_game *game;
    const struct table *table;
    const struct replay *replay;
    const char *replays;                 /* folder where the replay was kept, or NULL */
    const char *names[GAME_PLAYERS_MAX]; /* bots' names by seat, escaped for a terminal */
    const char *paths[GAME_PLAYERS_MAX]; /* bots' folders by seat, as the user typed them */
    const char *options; /* options that a command that repeats a forfeit needs, or NULL */
};

/* Returns the match as JSON, a new reference; NULL if memory runs out. */
json_t *match_report_json(const struct match_report *report);

/*
 * Returns the match as one line, followed by a paragraph per forfeit; each ends with a newline. The
 * caller frees the text. NULL if memory runs out.
 */
char *match_report_text(const struct match_report *report);

/*
 * Makes the names under which tables show the bots: if several bots share a name, all except the
 * first get a number. The caller frees the names, even after a failure. Returns false if memory
 * runs out.
 */
bool match_report_names(const struct source *sources, int count,
                        char *names[static GAME_PLAYERS_MAX]);

#endif
