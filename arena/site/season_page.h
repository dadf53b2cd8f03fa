/*
 * The complete pages of a season: its ladder, bots, pairs and feeds. Functions write only to the
 * given stream.
 */
#ifndef ARENA_SITE_SEASON_PAGE_H
#define ARENA_SITE_SEASON_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "arena/site/season_data.h"

void season_page_write(FILE *page, const struct season_data *data);

/* Writes the page of the ladder of one table size. */
void ladder_page_write(FILE *page, const struct season_data *data, int player_count);

/* Write the page of a bot or of a pair. name and other are each the first entry of a name. */
void bot_page_write(FILE *page, const struct season_data *data, int name);
void pair_page_write(FILE *page, const struct season_data *data, int name, int other);

/*
 * Writes an Atom feed of new bots, first forfeits and changes of the leader. With LADDER_NOBODY the
 * feed has all bots; else only the bots of one name, and belongs in the folder bot/.
 */
void season_feed_write(FILE *feed, const struct season_data *data, int name);

/* Returns the content of standings.json, a small file for programs that poll; a new reference. */
json_t *season_standings_json(const struct season_data *data);

#endif
