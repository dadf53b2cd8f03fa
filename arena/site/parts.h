/*
 * Pieces that several pages of a season are made of: tables of a ladder and of games, the history
 * of ratings, names of files. Write to the stream that they are given.
 */
#ifndef ARENA_SITE_PARTS_H
#define ARENA_SITE_PARTS_H

#include <stdio.h>

#include "arena/site/season_data.h"

enum parts_limits {
    PARTS_PATH_BYTES = 128, /* room for a file's name below a season's folder */
    PARTS_HISTORY_MAX = 8,  /* lines of a chart */
    PARTS_POINTS_MAX = 80,  /* of a line */
    PARTS_LADDERS_MAX = 40, /* bots of a season whose page has all its ladders */
    PARTS_CROSS_MAX = 20,   /* bots of a crosstable */
};

/* Files below the season's folder: "bot/NAME.html", "pair/A-B.html", "game/ID.html". */
void parts_bot_path(const struct season_data *data, int entry, char path[static PARTS_PATH_BYTES]);
void parts_pair_path(const struct season_data *data, int a, int b,
                     char path[static PARTS_PATH_BYTES]);
void parts_game_path(const struct season_data *data, const struct data_game *game,
                     char path[static PARTS_PATH_BYTES]);

/* "ladder-3.html": the ladder of tables of 3, where the season's page has no room for it. */
void parts_ladder_path(int player_count, char path[static PARTS_PATH_BYTES]);

/* True if the season's page has room for the ladders of each size of table. */
bool parts_has_room(const struct season_data *data);

/* A ladder (player_count 0: over all tables) with links to bots; id is the table's. */
void parts_ladder(FILE *page, const struct season_data *data, int player_count, const char *id);

/* What its columns and flags mean. */
void parts_explanations(FILE *page);

/*
 * The newest of the games, at most most, in which name (the first entry of it, or LADDER_NOBODY)
 * sat, and other too; up is the way to the season's folder, "../" or "".
 */
void parts_games(FILE *page, const struct season_data *data, int name, int other, const char *up,
                 size_t most);

/* Live ratings over the groups, with bands of error: of one name, or of the best. */
void parts_history(FILE *page, const struct season_data *data, int name);

/* A time of day, "2026-11-21 20:15 UTC". */
void parts_time(FILE *page, int64_t us);

#endif
