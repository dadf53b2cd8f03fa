/*
 * What a season plays and in which order. Pure: results come in as numbers, games to
 * start go out as numbers; no clock, process or store. The schedule is a function of the
 * terms, the seed, who takes part, and results, never of how many games run at once or
 * which of them ends first: batch B is chosen from the results of batches 0..B-2 alone.
 *
 * Games are started in ascending order of group and rotation. While batch B-1 is played,
 * batch B can be chosen as soon as B-2 is whole, so there is always something to play.
 */
#ifndef ARENA_SEASON_SCHEDULE_H
#define ARENA_SEASON_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena/rating/games.h"
#include "arena/season/probation.h"
#include "arena/store/store.h"

enum schedule_limits {
    SCHEDULE_NOBODY = -1,
    SCHEDULE_ENTRIES_MAX = GAMES_BOTS_MAX,
};

/* One bot in the season. */
struct schedule_entry {
    int64_t bot_id;
    int previous;               /* the entry of its older version, or SCHEDULE_NOBODY */
    int name_entry;             /* the first entry of its name */
    int author;                 /* equal for bots of one author */
    int batch;                  /* the first it can play in */
    bool active;                /* plays in the next batch: roster_is_active */
    bool voided;                /* its games count for nobody: schedule_void */
    struct probation probation; /* of its name, by the rated batches; at name_entry */
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
    uint16_t base[GAME_PLAYERS_MAX];  /* entries; game r seats base[(s + r) mod player_count] */
    uint8_t states[GAME_PLAYERS_MAX]; /* enum schedule_game_state, by rotation */
    uint8_t ranks[GAME_PLAYERS_MAX][GAME_PLAYERS_MAX];   /* by rotation and seat */
    uint8_t reasons[GAME_PLAYERS_MAX][GAME_PLAYERS_MAX]; /* likewise */
};

struct schedule_batch {
    int first_group;
    int group_count;
    int left_count; /* games to be played to the end */
};

struct schedule_terms {
    int player_counts[GAME_PLAYERS_MAX - GAME_PLAYERS_MIN + 1];
    int player_count_count;
    enum store_board board;
    int64_t budget_games;
    bool until_decided;
    bool authors_free; /* bots of one author may meet */
};

struct schedule {
    struct schedule_terms terms;
    struct schedule_entry *entries;
    int entry_count, entry_room;
    struct schedule_group *groups;
    int group_count, group_room;
    struct schedule_batch *batches;
    int batch_count, batch_room;
    unsigned seating;      /* bit m: tables of m are in the opening stage */
    int rated_batch_count; /* batches whose results are in `rated` */
    int first_open_group;  /* all before it are started or played */
    int64_t game_count;    /* scheduled */
    int64_t played_count;
    struct games rated; /* results of the batches that the next choice may know */
    bool rated_valid;   /* rated has room for all entries and is settled */
    bool decided;       /* every two neighbors are (rating/decided.h), and nobody is provisional */
};

enum schedule_next {
    SCHEDULE_GAME = 0,     /* *group and *rotation are to be started */
    SCHEDULE_WAIT = 1,     /* nothing to start before some game ends */
    SCHEDULE_PLAN_DUE = 2, /* the next batch is to be chosen: plan_batch */
    SCHEDULE_SPENT = 3,    /* all that the budget allows is started; no more batches */
};

void schedule_init(struct schedule *schedule, const struct schedule_terms *terms);

/* Takes a zeroed one. */
void schedule_finish(struct schedule *schedule);

/* Adds a bot. Returns its entry, or -ENOMEM, -E2BIG past SCHEDULE_ENTRIES_MAX. */
int schedule_enter(struct schedule *schedule, const struct schedule_entry *entry);

/* Takes back the entries from `count` on, which no group has. */
void schedule_forget_entries(struct schedule *schedule, int count);

/* Adds a group that was chosen, the next by number. 0, -ENOMEM, or -EBADMSG for nonsense. */
int schedule_add(struct schedule *schedule, const struct store_group *group);

/* The result of a game, now or from the store. 0, or -EBADMSG for nonsense. */
int schedule_record(struct schedule *schedule, const struct store_game *game);

/*
 * The games of an entry count for nobody from here on, or count again. Those that are not begun are
 * not told before they count again, and no batch waits for them.
 */
void schedule_void(struct schedule *schedule, int entry, bool voided);

/* True if somebody in a group is voided. */
bool schedule_is_void(const struct schedule *schedule, const struct schedule_group *group);

/* True if every game of a batch that counts is played. */
bool schedule_is_played(const struct schedule *schedule, int batch);

/* True once the results are in that the choice of the next batch may know: all but the last's. */
bool schedule_results_are_in(const struct schedule *schedule);

/* Games that are neither played nor, being void, to be played. */
int64_t schedule_void_count(const struct schedule *schedule);

/* What to do next. A game told is started: schedule_record or schedule_return follows. */
enum schedule_next schedule_next(struct schedule *schedule, int *group, int *rotation);

/* A started game was not played to its end: it will be told again. */
void schedule_return(struct schedule *schedule, int group, int rotation);

/* All games that are scheduled are somebody else's to start. */
void schedule_start_all(struct schedule *schedule);

/* The first group with a game that was not played; group_count if there is none. */
int schedule_first_unplayed(const struct schedule *schedule);

/* The entry on one seat of one game. */
static inline int schedule_seat(const struct schedule_group *group, int rotation, int seat)
{
    return group->base[(seat + rotation) % group->player_count];
}

#endif
