/*
 * An index of a season's games, ratings and forfeits by bot and by pair, so that each page reads
 * only its own; and keys that tell whether a page must be written again.
 */
#ifndef ARENA_SITE_SEASON_INDEX_H
#define ARENA_SITE_SEASON_INDEX_H

#include "arena/site/season_data.h"

enum season_index_limits {
    INDEX_EXACT_NAMES = 20, /* with at most this many bots, every page is as new as the ladder */
    INDEX_GROWTH = 10, /* with more, a bot's page is renewed once the season has grown by 1/10 */
};

/* Fills data->index. The page flags of the games must be set before. Returns 0 or -ENOMEM. */
int season_index_make(struct season_data *data);
void season_index_finish(struct season_index *index);

/*
 * Returns the games of a name (given by its first entry) as indexes into data->games, oldest first.
 */
const size_t *season_index_games(const struct season_data *data, int name, size_t *count);

/* Returns its live ratings in order of groups. */
const struct data_point *season_index_points(const struct season_data *data, int name,
                                             size_t *count);

/* Returns the first forfeit of an entry as an index into data->games, or SIZE_MAX. */
size_t season_index_first_forfeit(const struct season_data *data, int entry);

/* True if two names played in the same game. */
bool season_index_met(const struct season_data *data, int name, int other);

/*
 * Return a key of a page's contents. While the key is unchanged, the written page is still right,
 * except for small changes of ratings by games of others.
 */
uint64_t season_index_bot_key(const struct season_data *data, int name);
uint64_t season_index_pair_key(const struct season_data *data, int name, int other);

/* The key of a game's page; never 0. */
uint64_t season_index_game_key(const struct season_data *data, const struct data_game *game);

#endif
