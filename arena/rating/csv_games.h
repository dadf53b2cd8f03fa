/*
 * Games while their rows are being read. In nearly every file the rows of a game lie
 * together: then only the last few games are kept as they were read; when there
 * are too many, all but the last go to the set, and what is left of each is two bytes a
 * seat. The first row that goes back further than that, or the first game that is not
 * whole when it is to go, makes records of all games so far out of the set and those
 * seats; from then on every game has a record until the end. Players are numbered as the
 * caller does, in order of appearance. What csv_rows.c and csv.c work with; nothing else
 * includes it.
 */
#ifndef ARENA_RATING_CSV_GAMES_H
#define ARENA_RATING_CSV_GAMES_H

#include <errno.h>

#include "arena/rating/games.h"

enum csv_games_limits {
    CSV_RANK_SHIFT = 12, /* of a seat that is taken: its bot below, its rank above */
    CSV_GAMES_KEPT = 64, /* records while the rows of games lie together; they stay in the cache */
};

enum csv_games_order {
    CSV_GAMES_TOGETHER, /* so far the rows of each game, and no empty lines between */
    CSV_GAMES_SCATTERED,
};

/* The rows of a game so far. */
struct csv_game {
    int64_t group;
    uint16_t seats[GAMES_PLAYERS_MAX]; /* rank << CSV_RANK_SHIFT | bot, 0 for one not seen */
    uint32_t line;                     /* of the first row */
};

struct csv_games {
    enum csv_games_order order;
    uint32_t count, first; /* games first..count-1 have records, those before are in the set */
    struct csv_game *records;
    uint32_t record_capacity;
    struct csv_game *current; /* the record of the row read last */
    struct games set;
    uint16_t *seats; /* that are taken in the games of the set, one game after another */
    size_t seat_count, seat_capacity;
    int64_t first_line; /* of all games: of a seat it is as many lines further */
};

/* Returns 0, or -ENOMEM with nothing to free. Free with csv_games_finish. */
int csv_games_init(struct csv_games *games);

/* Frees what the games hold. Zeroed ones are fine. */
void csv_games_finish(struct csv_games *games);

/*
 * A row of a game begins: number is below count, or count for a new one. Returns 0,
 * -ENOMEM, or -EINVAL if the game, which is the current one all the same, is in another
 * group.
 */
static inline int csv_games_enter(struct csv_games *games, uint32_t number, int64_t group,
                                  int64_t line);

/* Seats a player in the current game. Returns 0, or -EINVAL if the seat is taken. */
static inline int csv_games_seat(struct csv_games *games, unsigned bot, unsigned seat,
                                 unsigned rank);

/*
 * Moves all games to a set, which the caller frees unless there is an error. Returns 0,
 * -ENOMEM, or -EINVAL and the first game that is none.
 */
int csv_games_end(struct csv_games *games, struct games *set, struct csv_game *wrong);

/* Who sits there and the rank there; 0 if nobody does. */
static inline unsigned csv_game_bot(const struct csv_game *game, int seat)
{
    return game->seats[seat] & ((1u << CSV_RANK_SHIFT) - 1);
}

static inline unsigned csv_game_rank(const struct csv_game *game, int seat)
{
    return game->seats[seat] >> CSV_RANK_SHIFT;
}

_Static_assert(GAMES_BOTS_MAX <= 1 << CSV_RANK_SHIFT, "a seat holds any bot next to its rank");

/* Makes the game of that number one with a record. Returns 0 or -ENOMEM. */
int csv_games_make_room(struct csv_games *games, uint32_t number);

static inline int csv_games_enter(struct csv_games *games, uint32_t number, int64_t group,
                                  int64_t line)
{
    /* Below the first, this is a number beyond any capacity. */
    if (number - games->first >= games->record_capacity && csv_games_make_room(games, number) < 0)
        return -ENOMEM;
    games->current = &games->records[number - games->first];
    if (number < games->count)
        return games->current->group == group ? 0 : -EINVAL;
    *games->current = (struct csv_game){.group = group, .line = (uint32_t)line};
    games->count++;
    return 0;
}

static inline int csv_games_seat(struct csv_games *games, unsigned bot, unsigned seat,
                                 unsigned rank)
{
    uint16_t *place = &games->current->seats[seat];

    if (*place != 0)
        return -EINVAL;
    *place = (uint16_t)(rank << CSV_RANK_SHIFT | bot);
    return 0;
}

#endif
