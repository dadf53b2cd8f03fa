/*
 * What a run of matches comes to: results by pair with their Elo and its error, ranks by
 * seat, ends by reason, time a decision. Pure: adds up, and writes tables to a stream.
 */
#ifndef ARENA_COMMANDS_MATCH_SUMMARY_H
#define ARENA_COMMANDS_MATCH_SUMMARY_H

#include <stdio.h>

#include "arena/play/match.h"
#include "arena/rating/games.h"
#include "arena/season/latency.h"

struct match_summary_bot {
    const char *name;                         /* borrowed */
    int64_t reason_counts[WIRE_REASON_COUNT]; /* matches, by how its part in them ended */
    struct latency latency;                   /* of its decisions */
};

/* Bots are numbered from 0, as many as sit at each table. */
struct match_summary {
    int bot_count;
    int64_t match_count;
    struct match_summary_bot bots[GAME_PLAYERS_MAX];
    int64_t rank_counts[GAME_PLAYERS_MAX][GAME_PLAYERS_MAX];   /* [seat][rank - 1] */
    int64_t better_counts[GAME_PLAYERS_MAX][GAME_PLAYERS_MAX]; /* [a][b]: a ranked before b */
    struct games pairs[GAMES_PAIRS_MAX];
    /* of two bots each: 01 02 03 12 13 23 */ /* for the ratings */
};

/* Nothing yet, of bots of these names. Returns 0 or -ENOMEM, then with nothing to free. */
int match_summary_init(struct match_summary *summary, const char *const *names, int bot_count);

/* Takes a zeroed one. */
void match_summary_finish(struct match_summary *summary);

/*
 * Adds a match that is over. bots says who sat in each seat; matches of one seed are one
 * group, since they share their luck. Returns 0 or -ENOMEM.
 */
int match_summary_add(struct match_summary *summary, int64_t group,
                      const int bots[static GAME_PLAYERS_MAX], const struct match *match);

/* Writes the tables of a run that took so long. Returns 0 or -ENOMEM, then with nothing written. */
int match_summary_print(struct match_summary *summary, int64_t run_us, FILE *stream);

#endif
