/*
 * The complete pages of a season: the ladder, a bot, a pair, the feed. Write to the given stream.
 */
#ifndef ARENA_SITE_SEASON_PAGE_H
#define ARENA_SITE_SEASON_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "arena/site/season_data.h"

void season_page_write(FILE *page, const struct season_data *data);

/* The ladder of one table size on its own page. */
void ladder_page_write(FILE *page, const struct season_data *data, int player_count);

/* name and other are the first entries of names. */
void bot_page_write(FILE *page, const struct season_data *data, int name);
void pair_page_write(FILE *page, const struct season_data *data, int name, int other);

/*
 * Atom feed: new bots, first forfeits, changes of the leader; or only those of a name, for the
 * folder bot/.
 */
void season_feed_write(FILE *feed, const struct season_data *data, int name);

/* Returns the small standings.json, for polling; a new reference. */
json_t *season_standings_json(const struct season_data *data);

#endif
