/* One match that has ended, as `arena match` tells it: a JSON object, or text for people. */
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
    const char *replays;                 /* the folder of replays, or NULL */
    const char *names[GAME_PLAYERS_MAX]; /* by seat, fit for a terminal */
    const char *paths[GAME_PLAYERS_MAX]; /* by seat, as they were typed */
    const char *options;                 /* that a command to see a forfeit again needs, or NULL */
};

/* Both return what the caller frees (or json_decref's), or NULL when memory is out. */
json_t *match_result_json(const struct match_result *result);

/* A line, and a paragraph for each forfeit; each ends with a newline. */
char *match_result_text(const struct match_result *result);

/* Names of the bots for tables: where several share one, all but the first get a number. The names
   are the caller's to free; false when memory is out. */
bool match_result_names(const struct source *sources, int count,
                        char *names[static GAME_PLAYERS_MAX]);

#endif
