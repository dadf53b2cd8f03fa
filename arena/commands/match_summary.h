/*
 * The summary of a run of matches: results by pair of bots with their Elo and its error, ranks by
 * seat, reasons by bot, and time per decision. This file only adds up results and writes tables to
 * a stream.
 */
#ifndef ARENA_COMMANDS_MATCH_SUMMARY_H
#define ARENA_COMMANDS_MATCH_SUMMARY_H

#include <stdio.h>

#include "arena/play/match.h"
#include "arena/rating/games.h"
#include "arena/season/latency.h"

struct match_summary_bot {
    const char *name; /* name of the bot; borrowed */
    /* Matches by the reason for which the bot's play ended. */
    int64_t reason_counts[WIRE_REASON_COUNT];
    struct latency latency; /* the bot's decision times */
};

/* The summary. Bots are numbered from 0, and there is one bot for each seat at a table. */
struct match_summary {
    int bot_count;
    int64_t match_count;
    struct match_summary_bot bots[GAME_PLAYERS_MAX];
    /* [seat][rank - 1]: number of matches */
    int64_t rank_counts[GAME_PLAYERS_MAX][GAME_PLAYERS_MAX];
    /* [a][b]: number of matches in which bot a had a better rank than bot b */
    int64_t better_counts[GAME_PLAYERS_MAX][GAME_PLAYERS_MAX];
    /* The games of each pair of bots, for the ratings, in the order 01 02 03 12 13 23. */
    struct games pairs[GAMES_PAIRS_MAX];
};

/*
 * Creates an empty summary for bots with these names. Returns 0, or -ENOMEM with nothing to free.
 */
int match_summary_init(struct match_summary *summary, const char *const *names, int bot_count);

/* Frees a summary. Accepts a zeroed one. */
void match_summary_finish(struct match_summary *summary);

/*
 * Adds a finished match. bots has the number of the bot in each seat. group is the number of the
 * match's seed: matches of one seed share luck and are not independent. Returns 0 or -ENOMEM.
 */
int match_summary_add(struct match_summary *summary, int64_t group,
                      const int bots[static GAME_PLAYERS_MAX], const struct match *match);

/*
 * Writes the tables; run_us is the duration of the run. Returns 0, or -ENOMEM with nothing written.
 */
int match_summary_print(struct match_summary *summary, int64_t run_us, FILE *stream);

#endif
