/*
 * A batch of groups under construction: who plays, by rank, and how tables are filled. Internal to
 * pairing: for pairing.c and meetings.c only.
 */
#ifndef ARENA_SEASON_DRAFT_H
#define ARENA_SEASON_DRAFT_H

#include "arena/season/pairing.h"

enum {
    DRAFT_NOBODY = -1, /* no rank */
};

/* A bot that plays in this batch. */
struct draft_entrant {
    uint16_t bot; /* its index in the field */
    int author;
    double elo;
    int64_t group_count; /* groups so far, including this batch's */
    uint64_t chance;     /* random; breaks ties */
    bool is_new;
    bool on_probation;
};

/* A batch under construction. A rank is an index into entrants, 0 for the best. */
struct draft {
    const struct pairing_field *field;
    struct draft_entrant *entrants;
    int count;
    struct pairing_group *groups;
    size_t group_count, group_capacity;
    bool complete;      /* no two bots are left to meet for the first time */
    bool authors_apart; /* bots of one author do not meet */
    uint64_t random;
};

/* The ranks of the bots at a table that is being filled. */
struct draft_table {
    int ranks[PAIRING_PLAYERS_MAX];
    int count;
};

/*
 * Ranks all bots that play. Bots on probation are treated like the others in batch 0, and if the
 * others cannot fill a table. Returns 0, or -ENOMEM with nothing to free.
 */
int draft_init(struct draft *draft, const struct pairing_field *field);

/* Frees what the draft holds, including groups that were not taken out. */
void draft_finish(struct draft *draft);

/* Returns a bot's position in the random order, which is the same in all batches of a season. */
uint64_t draft_place(const struct pairing_field *field, int bot);

/*
 * True if the bots that may play can fill a table: there are enough bots, and enough authors if
 * bots of one author are kept apart. Counts bots on probation if probation is true.
 */
bool draft_can_fill(const struct pairing_field *field, bool probation);

/* True if a bot may join a table. A bot on probation never joins one; it opens its own. */
bool draft_may_join(const struct draft *draft, const struct draft_table *table, int rank);

/* True if a has had fewer groups than b; ties are broken at random. */
bool draft_is_less_played(const struct draft *draft, int a, int b);

/*
 * Seats the bot nearest to ranks low..high that may join and is not in passed (indexed by rank; may
 * be NULL). Returns false, with the table unchanged, if there is none.
 */
bool draft_seat_nearest(const struct draft *draft, struct draft_table *table, int low, int high,
                        const bool *passed);

/* Seats a random bot within PAIRING_RANKS_NEAR of rank center, or the nearest one beyond. */
void draft_seat_random(struct draft *draft, struct draft_table *table, int center);

/*
 * Appends a full table to the groups, with its seats in random order, and counts the group for its
 * bots. Returns 0 or -ENOMEM.
 */
int draft_add_group(struct draft *draft, const struct draft_table *table);

#endif
