/* One finished match as printed by `arena match`: a JSON object, or text for people. */
#ifndef ARENA_COMMANDS_MATCH_RESULT_H
#define ARENA_COMMANDS_MATCH_RESULT_H

#include <jansson.h>

#include "arena/play/runner.h"
#include "arena/replay/replay.h"

/* Everything is borrowed. */
struct match_result {
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
json_t *match_result_json(const struct match_result *result);

/* A line, and a paragraph per forfeit; each ends with a newline. */
char *match_result_text(const struct match_result *result);

/*
 * Writes the names of the bots for tables: if several share a name, all except the first get a
 * number. The caller frees the names. Returns false if memory runs out.
 */
bool match_result_names(const struct source *sources, int count,
                        char *names[static GAME_PLAYERS_MAX]);

#endif
