/* SPDX-License-Identifier: MIT */
/*
 * A season as its pages show it: ladders, and every game that may be shown. Games of an incomplete
 * group stay secret, and so does the seed of an opening that is still open.
 */
#ifndef ARENA_SITE_SEASON_DATA_H
#define ARENA_SITE_SEASON_DATA_H

#include <jansson.h>

#include "arena/report/mistakes.h"
#include "arena/report/season.h"
#include "arena/season/season.h"
#include "arena/season/ladder.h"
#include "arena/site/story.h"

/* A game that pages may show. Games are in the schedule's order. Small: a season has many. */
struct data_game {
    int group;
    uint8_t rotation, player_count;
    bool is_pruned;                /* the replay was pruned */
    bool is_void;                  /* does not count: a bot in the game was banned with its games */
    bool page;                     /* the game has a page of its own */
    int entries[GAME_PLAYERS_MAX]; /* roster entry of the bot in each seat */
    int scores[GAME_PLAYERS_MAX];
    uint8_t ranks[GAME_PLAYERS_MAX];
    uint8_t reasons[GAME_PLAYERS_MAX]; /* enum wire_reason */
    double ratings[GAME_PLAYERS_MAX];  /* live Elo before the game's group; NAN for a new bot */
    int64_t started_us;                /* microseconds since 1970 */
    char *forfeits;    /* JSON as in struct store_game, NULL if nobody forfeited; owned */
    uint64_t analysed; /* time of the analysis of the game, in nanoseconds; 0: there is none */
    uint64_t mark;     /* number that differs between games with different results */
};

/*
 * What a name's Elo on the ladder was when the games up to a group were played: that of its newest
 * version that had played. The last point of each name is its Elo now.
 */
struct data_point {
    int64_t group;
    int64_t played_us; /* start of the group's last game, since 1970 */
    int name;          /* the first entry of the name */
    double elo;
};

/* Arrays are owned; season_index_make allocates them. */
struct season_index {
    int *game_starts, *games;
    int *point_starts;
    int *first_forfeits; /* by entry: the first game that the bot forfeited, or -1 */
    uint64_t *pair_keys;
    uint64_t identity; /* number that differs between seasons of the same name */
    uint64_t voided;   /* number that changes when the set of void games changes */
};

/* What a bot does in its games: means over seats, by enum story_number. */
struct habits {
    int seat_count, colored_count; /* number of seats; number of seats on the colored side */
    /* From STORY_FULL on: means over seats on the colored side only. */
    double means[STORY_NUMBERS];
};

struct season_data {
    struct store *store;  /* borrowed */
    const char *analyses; /* folder with GAME.json of each analysed game, or NULL; borrowed */
    bool is_served;       /* by `arena web`, which has a page at /game/ID of each replay */
    struct standings standings;
    struct data_game *games;
    int count;
    int64_t newest_us;         /* start of the newest game in games, since 1970; 0: no game */
    struct data_point *points; /* of all names, by name and group; see season_data_add_history */
    int point_count;
    struct season_index index;   /* filled in by season_index_make */
    struct game_story **stories; /* by index into games; NULL: replay not read yet; owned */
    struct report_season told;
    /* Bots that wait for their first game of an open season, oldest first. */
    struct store_bot *waiting;
    int waiting_count;
    int64_t next_us; /* when the next group of games is due (season_read_next); 0: unknown */
    char league[STORE_NAME_BYTES_MAX + 1]; /* with a page, and the season is its division; or "" */
};

/*
 * Loads the data of a season. Returns 0 or -errno (see store_failure, except for -ENOMEM). The
 * caller must call season_data_finish even after a failure.
 */
int season_data_load(struct season_data *data, struct store *store,
                     const struct store_season *season);

/*
 * Computes the points, at even distances in groups: what the charts of a season's pages need, and
 * takes as long as POINTS_MAX ladders. Returns 0 or -errno.
 */
int season_data_add_history(struct season_data *data);

/*
 * Marks the games of which the folder (NULL: none) has an analysis; each gets a page. The mark is
 * the file's time: a new analysis makes a new page. Borrows the folder's name.
 */
void season_data_mark_analysed(struct season_data *data, const char *folder);

/* Frees the data. Accepts zeroed data. */
void season_data_finish(struct season_data *data);

/* Returns the bot of an entry. */
const struct store_bot *data_bot(const struct season_data *data, int entry);

/*
 * Returns the index of the first entry with the name of this entry. Pages about all versions of a
 * bot know the bot by this index.
 */
int data_name(const struct season_data *data, int entry);

/* Returns the newest version of a name that waits for its first game; NULL: none does. */
const struct store_bot *data_waiting(const struct season_data *data, int name);

/* True if the bot in this seat forfeited the game; true if any bot did. */
bool data_forfeited(const struct data_game *game, int seat);
bool data_has_forfeit(const struct data_game *game);

/* True if pages can link to a page of the game: its own, or that which `arena web` makes. */
bool data_has_page(const struct season_data *data, const struct data_game *game);

/*
 * Returns the decision at which the bot in this seat forfeited the game; -1 if the bot did not
 * forfeit, or forfeited before the first decision.
 */
int data_forfeit_turn(const struct data_game *game, int seat);

/* Reads the analysis of a game, a new reference. NULL: there is none, or the file has no JSON. */
json_t *data_analysis(const struct season_data *data, const struct data_game *game);

/*
 * ---- the index: games, ratings and forfeits by bot and by pair, so that each page reads only its
 * own; and keys that tell whether a page must be written again ----
 */

enum season_index_limits {
    POINTS_MAX = 60,        /* maximum number of points of a name */
    INDEX_EXACT_NAMES = 20, /* with at most this many bots, every page is as new as the ladder */
    /* With more bots, a bot's page is renewed each time the season has grown by 1/10. */
    INDEX_GROWTH = 10,
};

/* Fills data->index. The caller must have set the page flags of the games. Returns 0 or -ENOMEM. */
int season_index_make(struct season_data *data);

/*
 * Returns the games of a name, oldest first, as *count indexes into data->games. name is the name's
 * first entry.
 */
const int *season_index_games(const struct season_data *data, int name, int *count);

/* Returns the *count points of a name in order of groups. name is the name's first entry. */
const struct data_point *season_index_points(const struct season_data *data, int name, int *count);

/* True if two names played in the same game. */
bool season_index_met(const struct season_data *data, int name, int other);

/*
 * Return a key of a page's contents. While the key is unchanged, the page that was written with
 * this key is still right, except for small changes of ratings caused by other bots' games.
 */
uint64_t season_index_bot_key(const struct season_data *data, int name);
uint64_t season_index_pair_key(const struct season_data *data, int name, int other);

/* Returns the key of a game's page; never 0. */
uint64_t season_index_game_key(const struct season_data *data, const struct data_game *game);

/*
 * ---- games, read from their replays: each at most once, and only for a page that is written ----
 */

/*
 * Reads the replay of a game. Returns 0, after which the caller frees *bytes after replay_finish;
 * or -errno after writing one line to error: -ENODATA if the replay was pruned, -EBADMSG if it is
 * damaged.
 */
int season_replay(const struct season_data *data, const struct data_game *game,
                  struct replay *replay, uint8_t **bytes, char error[static REPLAY_ERROR_BYTES]);

/*
 * Returns the numbers of a game (an index into data->games), taken from the replay; reads the
 * replay at the first call. Returns NULL if memory runs out. Owned by data.
 */
const struct game_story *season_story(const struct season_data *data, int game);

/* A decision for which an analyst knows a better action. */
struct mistake {
    const struct data_game *game;
    struct judgement judgement;
};

/*
 * Appends the mistakes of a name in a game, small ones too, to an array that the caller frees, and
 * stores who analysed the game. Returns false if the game has no analysis or no replay.
 */
bool season_mistakes(const struct season_data *data, const struct data_game *game, int name,
                     struct mistake **mistakes, int *count,
                     char analyst[static STORE_NAME_BYTES_MAX + 1]);

/*
 * Returns why a seat lost a game that all bots played to the end: "It lost 25 points to discarded
 * tiles (random 4), and was behind from round 1 on."; "" if the replay cannot be read. A new
 * reference.
 */
json_t *season_why_lost(const struct season_data *data, const struct data_game *game, int seat);

/*
 * Computes the means over the newest games of a name, or of a name with another name: of the name's
 * seats, and of the other name's or of all other seats. Uses at most `most` games, completely read
 * and without forfeits. Returns the number of games.
 */
int season_habits(const struct season_data *data, int name, int other, int most,
                  struct habits *mine, struct habits *theirs);

#endif
