/*
 * Where a season's games, ratings and forfeits are by bot and by pair, so that a page reads its own
 * only; and keys that tell whether a page would be another than the one that was written last.
 */
#ifndef ARENA_SITE_SEASON_INDEX_H
#define ARENA_SITE_SEASON_INDEX_H

#include "arena/site/season_data.h"

enum season_index_limits {
    INDEX_EXACT_NAMES = 20, /* up to so many bots, every page is as new as the ladder */
    INDEX_GROWTH = 10,      /* else a bot's page is renewed when the season has grown by a tenth */
};

/* Fills data->index, once it is known which games have pages. 0 or -ENOMEM. */
int season_index_make(struct season_data *data);
void season_index_finish(struct season_index *index);

/* The games of a name (by its first entry), as places in data->games, oldest first. */
const size_t *season_index_games(const struct season_data *data, int name, size_t *count);

/* Its ratings as they came. */
const struct data_point *season_index_points(const struct season_data *data, int name,
                                             size_t *count);

/* The first forfeit of an entry, a place in data->games, or SIZE_MAX. */
size_t season_index_first_forfeit(const struct season_data *data, int entry);

/* True if two names sat at one table. */
bool season_index_met(const struct season_data *data, int name, int other);

/*
 * Equal keys: the page that was written under it still says what is so, but for ratings that moved
 * a little by games of others.
 */
uint64_t season_index_bot_key(const struct season_data *data, int name);
uint64_t season_index_pair_key(const struct season_data *data, int name, int other);

#endif
