/*
 * A batch of groups in the making: who plays, by rank, and how tables fill up. What
 * pairing.c decides with; nothing else includes it.
 */
#ifndef ARENA_SEASON_DRAFT_H
#define ARENA_SEASON_DRAFT_H

#include "arena/season/pairing.h"

enum {
    DRAFT_NOBODY = -1, /* where a rank could stand */
};

/* A bot that plays in this batch. */
struct draft_entrant {
    uint16_t bot; /* its number in the field */
    int author;
    double elo;
    int64_t group_count; /* this batch's included */
    uint64_t chance;     /* decides between equals */
    bool is_new;
    bool on_probation;
};

/* A batch in the making. A rank is an index of entrants here, 0 for the best. */
struct draft {
    const struct pairing_field *field;
    struct draft_entrant *entrants;
    int count;
    struct pairing_group *groups;
    size_t group_count, group_capacity;
    bool complete;      /* nobody is left to meet */
    bool authors_apart; /* none meets a bot of its author */
    uint64_t random;
};

/* Who sits at a table that is being filled, by rank. */
struct draft_table {
    int ranks[PAIRING_PLAYERS_MAX];
    int count;
};

/*
 * Ranks everybody who plays. Those on probation play like others in batch 0 and where
 * nobody else fills a table. Returns 0, or -ENOMEM with nothing to free.
 */
int draft_init(struct draft *draft, const struct pairing_field *field);

/* Frees what the draft holds, groups that were not taken out of it included. */
void draft_finish(struct draft *draft);

/* A bot's place in random order: the same in all batches of a season. */
uint64_t draft_place(const struct pairing_field *field, int bot);

/*
 * True if those who may play fill a table: enough bots, and of enough authors where they
 * are kept apart. Bots on probation count if probation is true.
 */
bool draft_can_fill(const struct pairing_field *field, bool probation);

/* True if a bot may join a table. One on probation never joins, it opens its own. */
bool draft_may_join(const struct draft *draft, const struct draft_table *table, int rank);

/* True if a had fewer groups than b so far; chance decides between equals. */
bool draft_is_less_played(const struct draft *draft, int a, int b);

/*
 * Seats the bot nearest to ranks low to high that may join and is not in passed (by
 * rank; NULL for none). Returns false, the table as it was, if there is none.
 */
bool draft_seat_nearest(const struct draft *draft, struct draft_table *table, int low, int high,
                        const bool *passed);

/* Seats a random bot within PAIRING_RANKS_NEAR of a rank, or the nearest beyond. */
void draft_seat_random(struct draft *draft, struct draft_table *table, int center);

/*
 * Puts a full table on the list of groups, its seats in random order, and counts it.
 * Returns 0 or -ENOMEM.
 */
int draft_add_group(struct draft *draft, const struct draft_table *table);

#endif
