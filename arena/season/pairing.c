/* SPDX-License-Identifier: MIT */
#include "arena/season/pairing.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"
#include "arena/rating/elo.h"
#include "arena/rating/games.h"
#include "engine/draw.h"

/*
 * This file, from top to bottom: the lineup, which is a batch under construction; first meetings,
 * of the bots; later batches.
 */

/* Standard error that the pairing assumes for a rating difference without results. */
static const double se_unknown_elo = 500;

enum {
    NOBODY = -1,       /* stands for "no rank" */
    AUTHORS_APART = 3, /* if this many authors take part, bots of one author do not meet */
    /* One of every LEAST_PLAYED_EVERY groups is chosen for the least-played bot. */
    LEAST_PLAYED_EVERY = 4,
    PAIR_PARTS = 3, /* a pair of neighbors gets at most 1/PAIR_PARTS of a batch */
};

/* A bot that plays in this batch. */
struct entrant {
    uint16_t bot; /* index of the bot in field->bots */
    int author;
    double elo;
    int64_t share;   /* as in struct pairing_bot, including groups of this batch */
    uint64_t chance; /* random number that breaks ties */
    bool is_new;
    bool on_probation;
};

/* A batch under construction. A rank is an index into entrants, 0 for the best. */
struct lineup {
    const struct pairing_field *field;
    struct entrant *entrants;
    int count;
    struct pairing_group *groups;
    size_t group_count;
    bool complete;      /* all bots that should meet have met */
    bool authors_apart; /* bots of one author do not meet */
    uint64_t random;
};

/* The ranks of the bots at a table that is being filled. */
struct lineup_table {
    int ranks[PAIRING_PLAYERS_MAX];
    int count;
};

/* Compares ratings in millionths: smaller differences are rounding errors. */
static int compare_entrants(const void *a_pointer, const void *b_pointer)
{
    const struct entrant *a = a_pointer;
    const struct entrant *b = b_pointer;
    int64_t a_micro = llround(a->elo * 1e6);
    int64_t b_micro = llround(b->elo * 1e6);

    if (a_micro != b_micro)
        return a_micro > b_micro ? -1 : 1;
    return (a->chance > b->chance) - (a->chance < b->chance);
}

/*
 * Returns the key by which bots are sorted into the random order, which is the same in all batches
 * of a season.
 */
static uint64_t lineup_place(const struct lineup *lineup, int rank)
{
    uint64_t state =
        lineup->field->seed ^ ((uint64_t)lineup->entrants[rank].bot + 1) * 0xd1b54a32d192ed03;

    return draw_next(&state);
}

static bool may_play(const struct pairing_bot *bot, bool probation)
{
    return bot->role != PAIRING_AWAY && (probation || bot->role != PAIRING_PROBATION);
}

/*
 * True if bots of one author may not meet: never if the season lets them meet, else always at
 * tables of more than two seats, and at tables of two if three authors take part.
 */
static bool authors_stay_apart(const struct pairing_field *field)
{
    int authors[AUTHORS_APART];
    int count = 0;

    if (field->authors_free || field->player_count > 2)
        return !field->authors_free;
    for (int i = 0; i < field->bot_count && count < AUTHORS_APART; i++) {
        bool is_new = may_play(&field->bots[i], true);

        for (int j = 0; j < count; j++)
            is_new = is_new && authors[j] != field->bots[i].author;
        if (is_new)
            authors[count++] = field->bots[i].author;
    }
    return count == AUTHORS_APART;
}

/*
 * True if the bots that may play can fill a table: there are enough bots, and enough authors if
 * bots of one author are kept apart. Counts bots on probation if probation is true.
 */
static bool can_fill(const struct pairing_field *field, bool probation)
{
    bool apart = authors_stay_apart(field);
    int count = 0;

    for (int i = 0; i < field->bot_count && count < field->player_count; i++) {
        bool counts = may_play(&field->bots[i], probation);

        for (int j = 0; j < i && counts && apart; j++)
            counts = !may_play(&field->bots[j], probation) ||
                     field->bots[j].author != field->bots[i].author;
        count += counts;
    }
    return count == field->player_count;
}

bool pairing_can_seat(const struct pairing_field *field)
{
    return can_fill(field, true);
}

/*
 * Ranks all bots that play. Treats bots on probation like other bots in batch 0, and if the other
 * bots cannot fill a table. Returns 0, or -ENOMEM with nothing to free.
 */
static int lineup_init(struct lineup *lineup, const struct pairing_field *field)
{
    /* True if bots on probation are treated differently from other bots. */
    bool apart = field->batch > 0 && can_fill(field, false);

    *lineup = (struct lineup){.field = field, .random = field->seed};
    lineup->authors_apart = authors_stay_apart(field);
    lineup->random = draw_next(&lineup->random) + field->batch;
    lineup->entrants = calloc((size_t)field->bot_count + 1, sizeof *lineup->entrants);
    if (!lineup->entrants)
        return -ENOMEM;
    for (int i = 0; i < field->bot_count; i++) {
        const struct pairing_bot *bot = &field->bots[i];

        if (!may_play(bot, true))
            continue;
        lineup->entrants[lineup->count++] = (struct entrant){
            .bot = (uint16_t)i,
            .author = bot->author,
            .elo = bot->elo,
            .share = bot->share,
            .chance = draw_next(&lineup->random),
            .is_new = bot->role == PAIRING_NEW,
            .on_probation = bot->role == PAIRING_PROBATION && apart,
        };
    }
    qsort(lineup->entrants, (size_t)lineup->count, sizeof *lineup->entrants, compare_entrants);
    return 0;
}

/* Frees all that the lineup owns, including groups that the caller has not taken out. */
static void lineup_finish(struct lineup *lineup)
{
    free(lineup->entrants);
    free(lineup->groups);
    memset(lineup, 0, sizeof *lineup);
}

/*
 * True if a bot may join the bots at a table. A bot on probation may only be the first bot at a
 * table.
 */
static bool lineup_may_join(const struct lineup *lineup, const struct lineup_table *table, int rank)
{
    if (lineup->entrants[rank].on_probation)
        return false;
    for (int i = 0; i < table->count; i++)
        if (table->ranks[i] == rank ||
            (lineup->authors_apart &&
             lineup->entrants[table->ranks[i]].author == lineup->entrants[rank].author))
            return false;
    return true;
}

/*
 * True if the bot with rank a has had a smaller share than the bot with rank b, or as many and a
 * smaller random number.
 */
static bool lineup_is_less_played(const struct lineup *lineup, int a, int b)
{
    const struct entrant *x = &lineup->entrants[a];
    const struct entrant *y = &lineup->entrants[b];

    return x->share != y->share ? x->share < y->share : x->chance < y->chance;
}

/* Returns by how many ranks `rank` lies outside low..high; 0 if it lies inside. */
static int distance(int rank, int low, int high)
{
    return rank < low ? low - rank : rank > high ? rank - high : 0;
}

/*
 * Seats the bot nearest to ranks low..high among those that may join the table and are not marked
 * in passed (indexed by rank; may be NULL). Returns false, with the table unchanged, if there is no
 * such bot.
 */
static bool lineup_seat_nearest(const struct lineup *lineup, struct lineup_table *table, int low,
                                int high, const bool *passed)
{
    int best = NOBODY;

    for (int rank = 0; rank < lineup->count; rank++) {
        if (!lineup_may_join(lineup, table, rank) || (passed && passed[rank]))
            continue;
        if (best == NOBODY || distance(rank, low, high) < distance(best, low, high) ||
            (distance(rank, low, high) == distance(best, low, high) &&
             lineup_is_less_played(lineup, rank, best)))
            best = rank;
    }
    if (best != NOBODY)
        table->ranks[table->count++] = best;
    return best != NOBODY;
}

static int random_below(struct lineup *lineup, int count)
{
    return (int)((draw_next(&lineup->random) >> 32) * (uint64_t)count >> 32);
}

/*
 * Seats a random bot within PAIRING_RANKS_NEAR of rank center; if none may join, the nearest bot
 * beyond.
 */
static void lineup_seat_random(struct lineup *lineup, struct lineup_table *table, int center)
{
    int chosen = NOBODY;
    int candidate_count = 0;

    for (int rank = 0; rank < lineup->count; rank++)
        if (distance(rank, center, center) <= PAIRING_RANKS_NEAR &&
            lineup_may_join(lineup, table, rank) && random_below(lineup, ++candidate_count) == 0)
            chosen = rank;
    if (chosen != NOBODY)
        table->ranks[table->count++] = chosen;
    else
        lineup_seat_nearest(lineup, table, center, center, NULL);
}

/*
 * Appends a full table to the groups, with its seats in random order, and adds to the share of
 * each of its bots. Returns 0 or -ENOMEM.
 */
static int lineup_add_group(struct lineup *lineup, const struct lineup_table *table)
{
    int player_count = lineup->field->player_count;

    assert(table->count == player_count);
    if (ARRAY_GROW(lineup->groups, lineup->group_count, 1) < 0)
        return -ENOMEM;
    for (int i = 0; i < player_count; i++)
        lineup->entrants[table->ranks[i]].share += lineup->field->is_even ? player_count : 1;
    struct lineup_table seats = *table;
    struct pairing_group *group = &lineup->groups[lineup->group_count++];
    memset(group, 0, sizeof *group);
    for (int seat = 0; seat < player_count; seat++) {
        int from = seat + random_below(lineup, player_count - seat);
        int rank = seats.ranks[from];

        seats.ranks[from] = seats.ranks[seat];
        group->bots[seat] = lineup->entrants[rank].bot;
    }
    return 0;
}

/* ---- meetings: the first ones, and rounds of a small field ---- */

/* The pairs of bots that should meet and have not met. Bots on probation are in no pair. */
struct meetings {
    struct lineup *lineup;
    int *met;        /* [a * entrants + b]: in how many groups the bots of ranks a and b were */
    bool *late;      /* by rank: the bot came late and has not caught up */
    int round;       /* who was in more groups together than this has met */
    int *circle;     /* ranks of the bots, in the season's random order */
    int count;       /* number of ranks on the circle */
    bool *due;       /* [a * entrants + b]: whether the bots of ranks a and b should meet */
    int *degrees;    /* by rank: number of bots that this bot has met or should meet */
    int *due_counts; /* by rank: number of bots that this bot should meet */
    int64_t due_total;
};

static bool *due_of(const struct meetings *meetings, int a, int b)
{
    return &meetings->due[(size_t)a * (size_t)meetings->lineup->count + (size_t)b];
}

static int *met_of(const struct meetings *meetings, int a, int b)
{
    return &meetings->met[(size_t)a * (size_t)meetings->lineup->count + (size_t)b];
}

/* Two bots that came late meet twice in each round, so that both catch up. */
static int rounds_of(const struct meetings *meetings, int a, int b)
{
    return *met_of(meetings, a, b) >> (meetings->late[a] && meetings->late[b]);
}

static bool have_met(const struct meetings *meetings, int a, int b)
{
    return rounds_of(meetings, a, b) > meetings->round;
}

static bool may_meet(const struct meetings *meetings, int a, int b)
{
    struct lineup_table alone = {{a}, 1};

    return lineup_may_join(meetings->lineup, &alone, b);
}

static void want(struct meetings *meetings, int a, int b)
{
    *due_of(meetings, a, b) = *due_of(meetings, b, a) = true;
    meetings->degrees[a]++;
    meetings->degrees[b]++;
    meetings->due_counts[a]++;
    meetings->due_counts[b]++;
    meetings->due_total++;
}

static void have_been(struct meetings *meetings, int a, int b)
{
    *met_of(meetings, a, b) = ++*met_of(meetings, b, a);
    if (!*due_of(meetings, a, b))
        return;
    *due_of(meetings, a, b) = *due_of(meetings, b, a) = false;
    meetings->due_counts[a]--;
    meetings->due_counts[b]--;
    meetings->due_total--;
}

/* ---- choosing which pairs should meet ---- */

/* Puts the ranks into the random order of the season, and learns who has met. */
static void form_circle(struct meetings *meetings)
{
    const struct lineup *lineup = meetings->lineup;
    const struct pairing_field *field = lineup->field;
    int *circle = meetings->circle;

    for (int a = 0; field->met && a < lineup->count; a++)
        for (int b = 0; b < lineup->count; b++)
            *met_of(meetings, a, b) =
                field->met[(size_t)lineup->entrants[a].bot * (size_t)field->bot_count +
                           lineup->entrants[b].bot];
    for (int rank = 0; rank < lineup->count; rank++) {
        uint64_t place = lineup_place(lineup, rank);
        int at = meetings->count;

        if (lineup->entrants[rank].on_probation)
            continue;
        for (; at > 0 && lineup_place(lineup, circle[at - 1]) > place; at--)
            circle[at] = circle[at - 1];
        circle[at] = rank;
        meetings->count++;
    }
}

/*
 * Marks pairs of bots at this distance on the circle as due, if the two may meet, have not met and
 * both need more opponents.
 */
static void want_at_distance(struct meetings *meetings, int distance, int degree_max)
{
    for (int i = 0; i < meetings->count; i++) {
        int a = meetings->circle[i];
        int b = meetings->circle[(i + distance) % meetings->count];

        if (meetings->degrees[a] < degree_max && meetings->degrees[b] < degree_max &&
            may_meet(meetings, a, b) && !have_met(meetings, a, b) && !*due_of(meetings, a, b))
            want(meetings, a, b);
    }
}

/*
 * Gives bots that still have too few opponents, because of authors or earlier meetings, the nearest
 * further opponents on the circle.
 */
static void want_for_short(struct meetings *meetings, int degree_max)
{
    for (int i = 0; i < meetings->count; i++) {
        int a = meetings->circle[i];

        for (int step = 2; step <= 2 * (meetings->count - 1); step++) {
            int distance = step / 2; /* steps alternate between the two sides */
            int at = step % 2 ? i - distance : i + distance;
            int b = meetings->circle[(at + meetings->count) % meetings->count];

            if (meetings->degrees[a] >= degree_max)
                break;
            if (a != b && may_meet(meetings, a, b) && !have_met(meetings, a, b) &&
                !*due_of(meetings, a, b))
                want(meetings, a, b);
        }
    }
}

static void find_due(struct meetings *meetings)
{
    int degree_max =
        meetings->count <= PAIRING_ROUND_ROBIN_MAX ? meetings->count : PAIRING_FIRST_MEETS;

    memset(meetings->degrees, 0, (size_t)meetings->lineup->count * sizeof *meetings->degrees);
    for (int i = 0; i < meetings->count; i++)
        for (int j = 0; j < meetings->count; j++)
            meetings->degrees[meetings->circle[i]] +=
                i != j && have_met(meetings, meetings->circle[i], meetings->circle[j]);
    for (int distance = 1; distance <= meetings->count / 2; distance++)
        want_at_distance(meetings, distance, degree_max);
    want_for_short(meetings, degree_max);
}

/* ---- filling tables with these pairs ---- */

/* Returns the least-played bot that should still meet another bot, or NOBODY. */
static int find_first(const struct meetings *meetings)
{
    int first = NOBODY;

    for (int i = 0; i < meetings->count; i++) {
        int rank = meetings->circle[i];

        if (meetings->due_counts[rank] > 0 &&
            (first == NOBODY || lineup_is_less_played(meetings->lineup, rank, first)))
            first = rank;
    }
    return first;
}

/*
 * Returns what speaks against a bot at a table: meetings that are not due, all the more the oftener
 * the two have met.
 */
static int count_undue(const struct meetings *meetings, const struct lineup_table *table, int rank)
{
    int count = 0;

    for (int i = 0; i < table->count; i++) {
        int met = *met_of(meetings, table->ranks[i], rank) + 1 - meetings->round;

        if (!*due_of(meetings, table->ranks[i], rank))
            count += met * met;
    }
    return count;
}

/* Adds the bot against which least speaks; among equal bots, the least-played. */
static void seat_next(const struct meetings *meetings, struct lineup_table *table)
{
    int best = NOBODY, least = 0;

    for (int i = 0; i < meetings->count; i++) {
        int rank = meetings->circle[i], undue;

        if (!lineup_may_join(meetings->lineup, table, rank))
            continue;
        undue = count_undue(meetings, table, rank);
        if (best == NOBODY || undue < least ||
            (undue == least && lineup_is_less_played(meetings->lineup, rank, best))) {
            best = rank;
            least = undue;
        }
    }
    table->ranks[table->count++] = best;
}

/* Fills tables until no pair is due, or there are `limit` groups (0: no limit). */
static int choose_tables(struct meetings *meetings, size_t limit)
{
    struct lineup *lineup = meetings->lineup;
    int error = 0;

    while (!error && meetings->due_total > 0 && (!limit || lineup->group_count < limit)) {
        struct lineup_table table = {{find_first(meetings)}, 1};

        while (table.count < lineup->field->player_count)
            seat_next(meetings, &table);
        for (int i = 0; i < table.count; i++)
            for (int j = 0; j < i; j++)
                have_been(meetings, table.ranks[i], table.ranks[j]);
        error = lineup_add_group(lineup, &table);
    }
    lineup->complete = meetings->due_total == 0;
    return error;
}

/* Marks bots that have played less than others and are a round or more behind in each pair. */
static void find_late(struct meetings *meetings)
{
    const struct entrant *entrants = meetings->lineup->entrants;
    int n = meetings->lineup->count, most = 0;
    int64_t sum = 0;

    for (int i = 0; i < n; i++) {
        sum += entrants[i].share;
        for (int j = 0; j < i; j++)
            most = *met_of(meetings, i, j) > most ? *met_of(meetings, i, j) : most;
    }
    for (int i = 0; i < n; i++) {
        meetings->late[i] = entrants[i].share * n < sum;
        for (int j = 0; j < n; j++)
            meetings->late[i] &= i == j || *met_of(meetings, i, j) < most - 1;
    }
}

/* Begins or resumes a round: the pairs that have met least should meet. */
static void find_round(struct meetings *meetings)
{
    find_late(meetings);
    meetings->round = INT_MAX;
    for (int i = 0; i < meetings->count; i++)
        for (int j = 0; j < i; j++) {
            int a = meetings->circle[i], b = meetings->circle[j];

            if (may_meet(meetings, a, b) && rounds_of(meetings, a, b) < meetings->round)
                meetings->round = rounds_of(meetings, a, b);
        }
}

/* Chooses groups of meetings, as pairing_choose describes. Returns 0 or -ENOMEM. */
static int choose_meetings(struct lineup *lineup, size_t size)
{
    size_t n = (size_t)lineup->count;
    struct meetings meetings = {.lineup = lineup,
                                .met = calloc(n * n + 1, sizeof(int)),
                                .late = calloc(n + 1, sizeof(bool)),
                                .circle = calloc(n + 1, sizeof(int)),
                                .due = calloc(n * n + 1, sizeof(bool)),
                                .degrees = calloc(n + 1, sizeof(int)),
                                .due_counts = calloc(n + 1, sizeof(int))};
    int error = -ENOMEM;

    if (meetings.met && meetings.late && meetings.circle && meetings.due && meetings.degrees &&
        meetings.due_counts) {
        form_circle(&meetings);
        do {
            if (!lineup->field->only_first)
                find_round(&meetings);
            find_due(&meetings);
            error = choose_tables(&meetings, size);
        } while (!error && !lineup->field->only_first && lineup->group_count < size);
    }
    free(meetings.met);
    free(meetings.late);
    free(meetings.circle);
    free(meetings.due);
    free(meetings.degrees);
    free(meetings.due_counts);
    return error;
}

/* ---- batches after the first meetings ---- */

/* A bot and its neighbor: the next lower bot that it may meet. */
struct neighbors {
    int below;          /* rank of the neighbor below, or NOBODY */
    double se_squared;  /* squared error of the pair's rating difference, before this batch */
    double z_squared;   /* squared rating difference, in standard errors, before this batch */
    double games_added; /* number of games in this batch in which both bots of the pair play */
    size_t group_count; /* number of groups in this batch that were chosen for this pair */
};

/* A batch of groups that is being chosen, after the first meetings. */
struct batch {
    struct lineup lineup;
    struct neighbors *neighbors; /* by rank of the upper bot */
    /* By rank: whether the new bot has met this bot, or, in an even batch, the bot is passed over.
     */
    bool *met;
    size_t size; /* number of groups to choose */
    size_t part; /* maximum number of groups for one pair while other pairs need groups */
};

static void batch_finish(struct batch *batch)
{
    lineup_finish(&batch->lineup);
    free(batch->neighbors);
    free(batch->met);
}

static int batch_init(struct batch *batch, const struct pairing_field *field)
{
    memset(batch, 0, sizeof *batch);
    if (lineup_init(&batch->lineup, field) < 0)
        return -ENOMEM;
    for (int rank = 0; rank < batch->lineup.count; rank++)
        batch->size += !batch->lineup.entrants[rank].on_probation;
    if (field->group_limit)
        batch->size = field->group_limit;
    batch->part = (batch->size + PAIR_PARTS - 1) / PAIR_PARTS;
    batch->neighbors = calloc((size_t)field->bot_count, sizeof *batch->neighbors);
    batch->met = calloc((size_t)field->bot_count, sizeof *batch->met);
    if (batch->neighbors && batch->met)
        return 0;
    batch_finish(batch);
    return -ENOMEM;
}

/* Finds each bot's neighbor, and what the fit says about their rating difference. */
static void find_neighbors(struct batch *batch)
{
    const struct lineup *lineup = &batch->lineup;
    const struct pairing_field *field = lineup->field;

    for (int rank = 0; rank < lineup->count; rank++) {
        struct neighbors *neighbors = &batch->neighbors[rank];
        struct lineup_table alone = {{rank}, 1};
        int below = rank + 1;

        while (below < lineup->count && !lineup_may_join(lineup, &alone, below))
            below++;
        neighbors->below = NOBODY;
        if (below == lineup->count || lineup->entrants[rank].on_probation)
            continue;
        const struct entrant *a = &lineup->entrants[rank];
        const struct entrant *b = &lineup->entrants[below];
        size_t at = (size_t)a->bot * (size_t)field->bot_count + b->bot;
        double se = field->pair_se_elo ? field->pair_se_elo[at] : 0;
        if (!(se > 0))
            se = se_unknown_elo;
        neighbors->below = below;
        neighbors->se_squared = se * se;
        neighbors->z_squared = (a->elo - b->elo) * (a->elo - b->elo) / (se * se);
    }
}

/* Adds a table to the batch, and counts its games for each pair of neighbors at the table. */
static int add_table(struct batch *batch, const struct lineup_table *table)
{
    for (int i = 0; i < table->count; i++) {
        struct neighbors *neighbors = &batch->neighbors[table->ranks[i]];

        for (int j = 0; j < table->count; j++)
            if (table->ranks[j] == neighbors->below)
                neighbors->games_added += table->count;
    }
    return lineup_add_group(&batch->lineup, table);
}

/*
 * Adds groups in which a new bot meets the bots nearest to its estimated rating, each at least
 * once.
 */
static int choose_for_newcomer(struct batch *batch, int rank)
{
    struct lineup *lineup = &batch->lineup;
    int met_count = 0;
    int error = 0;

    memset(batch->met, 0, (size_t)lineup->count * sizeof *batch->met);
    while (met_count < PAIRING_NEWCOMER_MEETS && error == 0) {
        struct lineup_table table = {{rank}, 1};

        if (!lineup_seat_nearest(lineup, &table, rank, rank, batch->met))
            break; /* the new bot has met all bots that it may meet */
        while (table.count < lineup->field->player_count)
            if (!lineup_seat_nearest(lineup, &table, rank, rank, batch->met))
                lineup_seat_nearest(lineup, &table, rank, rank, NULL);
        for (int i = 1; i < table.count; i++) {
            met_count += !batch->met[table.ranks[i]];
            batch->met[table.ranks[i]] = true;
        }
        error = add_table(batch, &table);
    }
    return error;
}

/*
 * Adds a group for a bot on probation in one of every PAIRING_PROBATION_BATCHES batches; the bot's
 * index in the field decides in which.
 */
static int choose_for_probation(struct batch *batch, int rank)
{
    struct lineup *lineup = &batch->lineup;
    struct lineup_table table = {{rank}, 1};

    if ((lineup->field->batch + lineup->entrants[rank].bot) % PAIRING_PROBATION_BATCHES != 0)
        return 0;
    while (table.count < lineup->field->player_count)
        lineup_seat_nearest(lineup, &table, rank, rank, NULL);
    return add_table(batch, &table);
}

/*
 * Predicts z^2 + 1 of two neighbors after this batch, where z is their rating difference in
 * standard errors. The batch divides the variance of the difference by a factor f, and multiplies
 * the expected z^2 + 1 by f: the 1 is there because the difference is itself an estimate and will
 * move.
 */
static double decidedness(const struct batch *batch, const struct neighbors *neighbors)
{
    double kappa = games_kappa_twentieths(batch->lineup.field->player_count) / 20.0;
    /* Fisher information that one game gives about the rating difference. */
    double information = kappa / 4 / (ELO_PER_NATURAL * ELO_PER_NATURAL);

    return (neighbors->z_squared + 1) *
           (1 + neighbors->games_added * information * neighbors->se_squared);
}

/*
 * Returns the upper bot of the least decided pair of neighbors for which fewer than `part` groups
 * were chosen; NOBODY if there is none.
 */
static int least_decided(const struct batch *batch, size_t part)
{
    int best = NOBODY;
    double best_decidedness = 0;

    for (int rank = 0; rank < batch->lineup.count; rank++) {
        const struct neighbors *neighbors = &batch->neighbors[rank];
        double decided = decidedness(batch, neighbors);

        if (neighbors->below == NOBODY || neighbors->group_count >= part)
            continue;
        if (best == NOBODY || decided < best_decidedness) {
            best = rank;
            best_decidedness = decided;
        }
    }
    return best;
}

static int choose_for_neighbors(struct batch *batch)
{
    int upper = least_decided(batch, batch->part);

    if (upper == NOBODY)
        upper = least_decided(batch, SIZE_MAX);
    struct neighbors *neighbors = &batch->neighbors[upper];
    struct lineup_table table = {{upper, neighbors->below}, 2};

    neighbors->group_count++;
    while (table.count < batch->lineup.field->player_count)
        lineup_seat_nearest(&batch->lineup, &table, upper, neighbors->below, NULL);
    return add_table(batch, &table);
}

/* Returns the bot with the fewest games. */
static int find_least_played(const struct lineup *lineup)
{
    int least = NOBODY;

    for (int rank = 0; rank < lineup->count; rank++)
        if (!lineup->entrants[rank].on_probation &&
            (least == NOBODY || lineup_is_less_played(lineup, rank, least)))
            least = rank;
    return least;
}

static int choose_for_least_played(struct batch *batch)
{
    struct lineup *lineup = &batch->lineup;
    int least = find_least_played(lineup);
    struct lineup_table table = {{least}, 1};

    while (table.count < lineup->field->player_count)
        lineup_seat_random(lineup, &table, least);
    return add_table(batch, &table);
}

static int compare_counts(const void *a_pointer, const void *b_pointer)
{
    const int64_t a = *(const int64_t *)a_pointer, b = *(const int64_t *)b_pointer;

    return (a > b) - (a < b);
}

/* Marks in batch->met the bots that have more games than three quarters of the bots. */
static void pass_most_played(struct batch *batch, int64_t *counts)
{
    const struct lineup *lineup = &batch->lineup;
    size_t count = 0;

    for (int rank = 0; rank < lineup->count; rank++)
        if (!lineup->entrants[rank].on_probation)
            counts[count++] = lineup->entrants[rank].share;
    qsort(counts, count, sizeof *counts, compare_counts);
    for (int rank = 0; rank < lineup->count; rank++)
        batch->met[rank] = lineup->entrants[rank].share > counts[count * 3 / 4];
}

/* Fills the batch with groups for the least-played bots: see is_even of pairing_choose. */
static int choose_evenly(struct batch *batch)
{
    struct lineup *lineup = &batch->lineup;
    int64_t *counts = calloc((size_t)lineup->count + 1, sizeof *counts);
    int error = counts ? 0 : -ENOMEM;

    while (error == 0 && lineup->group_count < batch->size) {
        int least = find_least_played(lineup);
        struct lineup_table table = {{least}, 1};

        pass_most_played(batch, counts);
        while (table.count < lineup->field->player_count)
            if (!lineup_seat_nearest(lineup, &table, least, least, batch->met))
                lineup_seat_nearest(lineup, &table, least, least, NULL);
        error = lineup_add_group(lineup, &table);
    }
    free(counts);
    return error;
}

static int choose_batch(struct batch *batch)
{
    struct lineup *lineup = &batch->lineup;
    const bool is_even = lineup->field->is_even;
    int error = 0;

    find_neighbors(batch);
    for (int rank = 0; rank < lineup->count && error == 0; rank++) {
        if (lineup->entrants[rank].is_new && !is_even)
            error = choose_for_newcomer(batch, rank);
        else if (lineup->entrants[rank].on_probation)
            error = choose_for_probation(batch, rank);
    }
    if (error == 0 && lineup->field->in_rounds && lineup->count <= PAIRING_ROUND_ROBIN_MAX &&
        lineup->group_count < batch->size)
        error = choose_meetings(lineup, batch->size);
    if (error == 0 && is_even)
        error = choose_evenly(batch);
    while (error == 0 && lineup->group_count < batch->size) {
        size_t turn = (lineup->field->batch + lineup->group_count) % LEAST_PLAYED_EVERY;

        error = turn == 0 ? choose_for_least_played(batch) : choose_for_neighbors(batch);
    }
    return error;
}

int pairing_choose(const struct pairing_field *field, struct pairing_list *list)
{
    struct batch batch;

    assert(field->player_count >= PAIRING_PLAYERS_MIN &&
           field->player_count <= PAIRING_PLAYERS_MAX);
    memset(list, 0, sizeof *list);
    if (!pairing_can_seat(field))
        return 0;
    int error = batch_init(&batch, field);
    if (error < 0)
        return error;
    error = field->only_first ? choose_meetings(&batch.lineup, field->group_limit)
                              : choose_batch(&batch);
    if (error == 0) {
        list->groups = batch.lineup.groups;
        list->group_count = batch.lineup.group_count;
        list->complete = batch.lineup.complete;
        batch.lineup.groups = NULL;
    }
    batch_finish(&batch);
    return error;
}

void pairing_finish(struct pairing_list *list)
{
    free(list->groups);
    memset(list, 0, sizeof *list);
}
