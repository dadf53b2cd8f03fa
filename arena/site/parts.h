/* SPDX-License-Identifier: MIT */
/*
 * The pages of a season, and parts that several pages share: tables of a ladder and of games, the
 * history of ratings, file names.
 */
#ifndef ARENA_SITE_PARTS_H
#define ARENA_SITE_PARTS_H

#include <jansson.h>
#include <stdio.h>

#include "arena/site/season_data.h"
#include "arena/site/viewer.h"

enum parts_limits {
    PARTS_PATH_BYTES = 128, /* room for a path in a season's folder */
    PARTS_SHORT_BYTES = 20, /* room for a cut name */
    PARTS_HISTORY_MAX = 8,  /* maximum number of lines in a chart */
    PACE_GAMES = 20,        /* minimum number of games before a page states the pace of a season */
    PARTS_CROSS_MAX = 20,   /* maximum number of bots in a crosstable */
    PARTS_OPEN_GAMES = 10,  /* rows of a list of games that are not folded away */
    AXIS_ERROR = 400,       /* longer intervals of ratings are cut where they are drawn */
};

/* Paths in the season's folder: "bot/NAME.html", "pair/A+B.html", "game/ID.html", or another
 * ending. */
void parts_bot_path(const struct season_data *data, int entry, char path[static PARTS_PATH_BYTES]);
void parts_pair_path(const struct season_data *data, int a, int b,
                     char path[static PARTS_PATH_BYTES]);
void parts_game_path(const struct season_data *data, const struct data_game *game,
                     const char *ending, char path[static PARTS_PATH_BYTES]);

/*
 * What the page of a match links to. up is the path from the page to the season's folder: "../", or
 * "/SEASON/" from another address.
 */
struct parts_links {
    char saved[STORE_GAME_ID_BYTES + 8]; /* name of the file to which the page saves the replay */
    char season[VIEWER_LINK_BYTES], rules[VIEWER_LINK_BYTES];
    char bots[GAME_PLAYERS_MAX][VIEWER_LINK_BYTES];
};

void parts_match_links(struct parts_links *links, const char *up, const char *id,
                       const char *const *bots, int bot_count);

/*
 * Returns the page in place of a match that cannot be shown, because other pages link to it: its
 * replay was pruned, or is damaged; for the template unshown. home is the path to the home page. A
 * new reference.
 */
json_t *parts_unshown_json(const char *home, const char *up, const char *season, const char *id,
                           bool is_pruned);

/* Path of an author's page in the site: "author/NAME-NUMBER.html"; NUMBER tells equal NAMEs apart.
 */
void parts_author_path(const char *author, char path[static PARTS_PATH_BYTES]);

/*
 * Returns an author's name and the address of the author's page. up is the relative path from the
 * page to the site's folder, such as "../". A new reference.
 */
json_t *parts_author_json(const char *author, const char *up);

/*
 * Returns "2", or "2–4" if the bot may have either rank; "–" if best is 0: it has no rank. A new
 * reference.
 */
json_t *parts_rank_json(int best, int worst);

/* Returns a likelihood of being better: is_sure, and los_percent, at most 99; a new reference. */
json_t *parts_los_json(double los);

/* Cuts the name of a bot to `most` characters, at most 16. */
void parts_short_name(const char *name, int most, char text[static PARTS_SHORT_BYTES]);

/* Returns the flags of a row, or all flags (NULL), and what they mean; a new reference. */
json_t *parts_flags_json(const struct ladder_row *row);

/* Returns the row with the place-th rank, from 1, of the ladder of all tables; NULL: there is none.
 */
const struct ladder_row *parts_ranked_row(const struct season_data *data, int place);

/*
 * Returns the bots that wait for their first game of the season, for the template waiting; NULL if
 * none does. A new reference.
 */
json_t *parts_waiting_json(const struct season_data *data);

/* Returns a version that waits, which becomes null for NULL; a new reference. */
json_t *parts_waiting_version(const struct season_data *data, const struct store_bot *bot);

/* Returns the page of a bot that waits, for the template waiting_bot. A new reference. */
json_t *parts_waiting_bot(const struct season_data *data, int bot);

/*
 * Returns what the arena tells of the season (the model of report/season.h), and what only pages
 * show: how fast the season is played, who leads, whether bots can enter. home is the relative path
 * to the home page, "" if the page is that one. A new reference.
 */
json_t *parts_state_json(const struct season_data *data, const char *home);

/* Path of the page "ladder-3.html": the ladder of games with 3 players. */
void parts_ladder_path(int player_count, char path[static PARTS_PATH_BYTES]);

/*
 * Returns the address of a game's page, at the decision `turn`; if turn is negative, the page
 * chooses the position. The page says why `seat` won or lost; if seat is negative, why the loser
 * lost. null if the game has no page (data_has_page). up is the relative path from the page to the
 * season's folder. A new reference.
 */
json_t *parts_game_href(const struct season_data *data, const struct data_game *game,
                        const char *up, int turn, int seat);

/* Returns a game for the template game_link: id, href, is_pruned; a new reference. */
json_t *parts_game_json(const struct season_data *data, const struct data_game *game,
                        const char *up, int turn, int seat);

/*
 * What a name's games of the season's last 24 hours were, without void ones. Arrays are by table
 * size. At tables of three and four nobody just wins or loses: they have places.
 */
struct parts_day {
    bool has_games; /* the name has games, in these hours or before */
    bool is_mixed;  /* those of these hours are games of several versions */
    int newest;     /* the version that played the newest of these hours; LADDER_NOBODY: none */
    int won[GAME_PLAYERS_MAX + 1], shared[GAME_PLAYERS_MAX + 1], lost[GAME_PLAYERS_MAX + 1];
    int place_halves[GAME_PLAYERS_MAX + 1]; /* sum of twice the places; a shared place is the mean
                                               of the places that are shared */
    int by_reason[WIRE_REASON_COUNT];       /* games that the name forfeited and did not win */
};

/* entry: the version whose games are counted; LADDER_NOBODY: all versions of the name. */
struct parts_day parts_day(const struct season_data *data, int name, int entry);

/* Returns these games by table size, for the template day; null if the name has no games. A new
 * reference. */
json_t *parts_day_json(const struct parts_day *day);

/* Returns the seat in which a name did best in a game; -1 if the name did not play it. */
int parts_best_seat(const struct season_data *data, const struct data_game *game, int name);

/*
 * Returns one game for the template game_row: "won" or "lost" is for the bot `name`, unless that is
 * LADDER_NOBODY. A new reference.
 */
json_t *parts_row_json(const struct season_data *data, const struct data_game *game, int name,
                       const char *up);

/*
 * Returns, for the template games, at most `most` games in which both name and other played, newest
 * first. name and other are each the first entry of a bot's name, or LADDER_NOBODY for any bot. up
 * is the relative path from the page to the season's folder: "../" or "". A new reference.
 */
json_t *parts_games_json(const struct season_data *data, int name, int other, const char *up,
                         int most);

/*
 * Returns, for the template history, a chart of what Elo was as the season went on: of one name,
 * with the interval of its Elo; or of the best bots, with error bands, if name is LADDER_NOBODY. A
 * new reference.
 */
json_t *parts_history_json(const struct season_data *data, int name);

/* ---- whole pages ---- */

/*
 * The data of a page or feed of a season about a subject, for the template that has its name; a new
 * reference.
 */
typedef json_t *page_data_fn(const struct season_data *data, int subject);

page_data_fn season_page; /* of no subject */
page_data_fn ladder_page; /* of a number of players */
page_data_fn bot_page;    /* of a name: the first entry with the bot's name (see data_name) */
page_data_fn season_feed; /* of a name; of all bots if it is LADDER_NOBODY */

/*
 * Returns what became of a name in the last 24 hours, and its costliest decision; null if the name
 * has no games. A new reference.
 */
json_t *bot_day(const struct season_data *data, int name);

/*
 * Returns the same for the API: the columns day_columns of report/model.h read it. A new reference.
 */
json_t *bot_day_told(const struct season_data *data, int name);

/* The page of a pair of names. */
json_t *pair_page(const struct season_data *data, int name, int other);

/*
 * Returns the content of standings.json, a part of what the model tells of the season and of its
 * ladder, for programs that poll; a new reference.
 */
json_t *season_standings_json(const struct season_data *data);

#endif
