/* SPDX-License-Identifier: MIT */
/*
 * What a season plays and in which order. Pure: receives results and returns games to start; no
 * clock, process or store. The schedule depends only on the terms, the seed, the entries and the
 * results, never on how many games run at once or which game ends first: batch B is chosen from the
 * results of batches 0..B-2 alone.
 *
 * Games are started in ascending order of group, then of rotation. Batch B can be chosen as soon as
 * batch B-2 is complete, while batch B-1 is being played, so there is always a game to play.
 */
#ifndef ARENA_SEASON_SCHEDULE_H
#define ARENA_SEASON_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena/rating/games.h"
#include "arena/store/games.h"

enum schedule_limits {
    SCHEDULE_NOBODY = -1,
    SCHEDULE_ENTRIES_MAX = GAMES_BOTS_MAX,
};

/*
 * Probation: a bot plays only a few games after PROBATION_ROW forfeits in a row, or PROBATION_HALF
 * in its last PROBATION_WINDOW games. Probation applies to the bot's name, so a new version does
 * not end the probation. Source: docs/seasons.md.
 */
enum probation_limits {
    PROBATION_ROW = 3,
    PROBATION_WINDOW = 10,
    PROBATION_HALF = 5,
};

/* The recent games of all bots of one name. Zeroed: no games. */
struct probation {
    uint16_t forfeits; /* one bit per game, 1 for a forfeit; the latest game is the lowest bit */
};

/* One bot in the season. */
struct schedule_entry {
    int64_t bot_id;
    int previous;               /* number of the bot's older version, or SCHEDULE_NOBODY */
    int name_entry;             /* number of the first version that has this bot's name */
    int author;                 /* number shared by all bots of one author */
    int batch;                  /* number of the first batch in which the bot can play */
    bool active;                /* the bot plays in the next batch */
    bool reference;             /* the bot holds no rank, so its place need not be certain */
    bool voided;                /* the bot's games do not count (see schedule_void) */
    struct probation probation; /* of the name, up to the rated batches; only in name_entry */
};

enum schedule_game_state {
    SCHEDULE_TO_PLAY = 0,
    SCHEDULE_STARTED = 1,
    SCHEDULE_PLAYED = 2,
};

struct schedule_group {
    int batch;
    int opening;
    int player_count;
    enum board_side board;
    uint16_t base[GAME_PLAYERS_MAX]; /* as in struct store_group */
    /* By rotation (game of the group), and by seat. */
    uint8_t states[GAME_PLAYERS_MAX]; /* enum schedule_game_state */
    uint8_t ranks[GAME_PLAYERS_MAX][GAME_PLAYERS_MAX];
    uint8_t reasons[GAME_PLAYERS_MAX]
                   [GAME_PLAYERS_MAX]; /* why the bot went out: enum wire_reason */
};

struct schedule_batch {
    int first_group;
    int group_count;
    int left_count; /* number of games that are not played */
};

struct schedule {
    struct store_season terms;
    struct schedule_entry *entries;
    int entry_count;
    struct schedule_group *groups;
    int group_count;
    struct schedule_batch *batches;
    int batch_count;
    unsigned meeting_sizes; /* bit m: with m players, some bots still have to meet */
    int rated_batch_count;  /* number of batches whose results are in `rated` */
    int first_open_group;   /* all groups with a lower number are started or played */
    int64_t game_count;     /* number of scheduled games */
    int64_t played_count;
    struct games rated; /* results from which the next batch may be chosen */
    bool rated_valid;   /* `rated` has room for all bots and is up to date */
    bool decided;       /* the order of all neighbors with a rank is certain (rating/fit.h) */
    double due_games;   /* season by dates: games that each bot may have begun by now (dates.h) */
};

enum schedule_next {
    SCHEDULE_GAME = 0,     /* *group and *rotation are the game to start */
    SCHEDULE_WAIT = 1,     /* no game can start until a running game ends */
    SCHEDULE_PLAN_DUE = 2, /* the caller must choose the next batch: schedule_choose_batch */
    SCHEDULE_SPENT = 3,    /* all games of the budget are started */
    SCHEDULE_AHEAD = 4,    /* the bots have begun as many games as are due by now */
};

void schedule_init(struct schedule *schedule, const struct store_season *terms);

/* Frees the memory of a schedule, which may be zeroed. */
void schedule_finish(struct schedule *schedule);

/* Adds a bot. Returns its number in the season, -ENOMEM, or -E2BIG if there is no room. */
int schedule_enter(struct schedule *schedule, const struct schedule_entry *entry);

/* Removes all bots from number `count` on, which must not be in any group. */
void schedule_forget_entries(struct schedule *schedule, int count);

/* Adds the next group. Returns 0, -ENOMEM, or -EBADMSG if the group is invalid. */
int schedule_add(struct schedule *schedule, const struct store_group *group);

/* Records the result of a game. Returns 0, or -EBADMSG if the result is invalid. */
int schedule_record(struct schedule *schedule, const struct store_game *game);

/* Makes the games of a bot void, or count again. No batch waits for a void game. */
void schedule_void(struct schedule *schedule, int entry, bool voided);

/* True if the games of any bot of the group are void. */
bool schedule_is_void(const struct schedule *schedule, const struct schedule_group *group);

/* True once the schedule has all results that the choice of the next batch needs. */
bool schedule_results_are_in(const struct schedule *schedule);

/* Returns the number of games without a result in the groups whose games are void. */
int64_t schedule_void_count(const struct schedule *schedule);

/*
 * Returns how many names play in the season: all versions of a bot count as one. Sets *game_count,
 * unless NULL, to the mean number of their games in the groups before number `end`.
 */
int schedule_names(const struct schedule *schedule, int end, double *game_count);

/*
 * For SCHEDULE_GAME, marks the game as started, until schedule_record or schedule_return. What is
 * due (schedule->due_games) decides when a group may begin, and never which groups there are.
 */
enum schedule_next schedule_next(struct schedule *schedule, int *group, int *rotation);

void schedule_return(struct schedule *schedule, int group, int rotation);

/* Marks all scheduled games that are due as started, because workers play them. */
void schedule_start_all(struct schedule *schedule);

/* Returns the first group with a game that is not played; group_count if all games are played. */
int schedule_first_unplayed(const struct schedule *schedule);

/*
 * Chooses the next batch of groups, in the season's opening with this number. randomness is the
 * same for all batches of the opening. Writes the groups to *groups, which the caller frees; the
 * caller stores the groups and then passes each to schedule_add. Table sizes and boards alternate
 * by group; a table size that cannot be filled is skipped. Once the batch is added, the caller sets
 * schedule->meeting_sizes to *meeting_sizes.
 * Returns the number of groups; 0, without groups, if the season is decided and therefore ends;
 * -ENOMEM; or -EDOM if the active bots cannot fill a table.
 */
int schedule_choose_batch(struct schedule *schedule, int opening, uint64_t randomness,
                          struct store_group **groups, unsigned *meeting_sizes);

/*
 * Returns how many games the first meetings would be with the bots of schedule, which has no
 * groups yet; 0 if no table can be filled; or -ENOMEM.
 */
int64_t schedule_first_meeting_games(const struct schedule *schedule, uint64_t randomness);

/* Adds a game of a bot with this name, in the schedule's order. */
void probation_add(struct probation *probation, bool forfeited);

/* True while bots of this name are on probation. */
bool probation_holds(const struct probation *probation);

/* Return how many of the last PROBATION_WINDOW games were forfeits: the latest in a row; all. */
int probation_row(const struct probation *probation);
int probation_count(const struct probation *probation);

/* Returns how many games without a forfeit end the probation; 0: there is none. */
int probation_games_left(const struct probation *probation);

static inline int schedule_seat(const struct schedule_group *group, int rotation, int seat)
{
    return group->base[(seat + rotation) % group->player_count];
}

#endif
