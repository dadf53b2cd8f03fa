/*
 * Parts shared by several pages of a season: tables of a ladder and of games, the history of
 * ratings, file names. Write to the given stream.
 */
#ifndef ARENA_SITE_PARTS_H
#define ARENA_SITE_PARTS_H

#include <stdio.h>

#include "arena/site/season_data.h"

enum parts_limits {
    PARTS_PATH_BYTES = 128, /* room for a file name in a season's folder */
    PARTS_HISTORY_MAX = 8,  /* lines of a chart */
    PARTS_POINTS_MAX = 80,  /* points per line */
    PARTS_LADDERS_MAX = 40, /* with at most this many bots, a season's page shows all its ladders */
    PARTS_CROSS_MAX = 20,   /* maximum of bots in a crosstable */
};

/* File names in the season's folder: "bot/NAME.html", "pair/A-B.html", "game/ID.html". */
void parts_bot_path(const struct season_data *data, int entry, char path[static PARTS_PATH_BYTES]);
void parts_pair_path(const struct season_data *data, int a, int b,
                     char path[static PARTS_PATH_BYTES]);
void parts_game_path(const struct season_data *data, const struct data_game *game,
                     char path[static PARTS_PATH_BYTES]);

/* "ladder-3.html": the ladder of tables of 3, if it is not on the season's page. */
void parts_ladder_path(int player_count, char path[static PARTS_PATH_BYTES]);

/* True if the season's page shows the ladders of each table size. */
bool parts_has_room(const struct season_data *data);

/* A ladder (player_count 0: all tables) with links to bots; id is the HTML table's id. */
void parts_ladder(FILE *page, const struct season_data *data, int player_count, const char *id);

/* Explanations of the ladder's columns and flags. */
void parts_explanations(FILE *page);

/*
 * Lists games in which both name and other played, newest first, `most` at the most. name and other
 * are the first entry of a bot's name, or LADDER_NOBODY for any bot. up is the relative path to the
 * season's folder, "../" or "".
 */
void parts_games(FILE *page, const struct season_data *data, int name, int other, const char *up,
                 size_t most);

/* Chart of live ratings by group, with error bands: of one name, or of the best bots. */
void parts_history(FILE *page, const struct season_data *data, int name);

/* A time of day, "2026-11-21 20:15 UTC". */
void parts_time(FILE *page, int64_t us);

/* The same for a feed, "2026-11-21T20:15:09Z". */
void parts_feed_time(FILE *feed, int64_t us);

#endif
