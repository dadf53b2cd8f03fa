/*
 * The history of a store: every event and, for each season, its batches and the opening in which
 * each game was played.
 */
#ifndef TESTS_SEASON_AGAIN_HISTORY_H
#define TESTS_SEASON_AGAIN_HISTORY_H

#include "arena/store/games.h"

enum history_limits {
    HISTORY_SEASONS_MAX = 16,
    HISTORY_NOT_PLAYED = -1,
};

struct history_season {
    struct store_season terms;
    struct store_batch *batches;
    int batch_count;
    int (*openings)[GAME_PLAYERS_MAX]; /* by group and rotation: HISTORY_NOT_PLAYED, or an opening's
                                          number */
    int group_count;
};

struct history {
    struct store *store; /* borrowed */
    struct store_event *events;
    int event_count;
    struct history_season seasons[HISTORY_SEASONS_MAX];
    int season_count;
};

/* Reads the history. Exits with a line if the store cannot be read. */
void history_read(struct history *history, struct store *store);

void history_finish(struct history *history);

/* Returns the season of an event; exits if there is none. */
const struct history_season *history_season(const struct history *history, int64_t season_id);

/* Prints an error and exits. */
_Noreturn void history_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
