#include "arena/season/pairing.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/elo.h"
#include "arena/season/draft.h"
#include "arena/season/meetings.h"

static const double se_unknown_elo = 500; /* assumed for a difference without results */

enum {
    LEAST_PLAYED_EVERY = 4, /* one of this many groups is for the least-played bot */
    PAIR_PARTS = 3,         /* a pair of neighbors gets at most 1/3 of a batch */
};

bool pairing_can_seat(const struct pairing_field *field)
{
    return draft_can_fill(field, true);
}

/* Two neighbors in rank, as close as the rule on authors allows. */
struct neighbors {
    int below;          /* rank of the lower one, or DRAFT_NOBODY */
    double se_squared;  /* of the difference of their ratings, before this batch, in square Elo */
    double z_squared;   /* of that difference, before this batch */
    double games_added; /* games between them in this batch */
    size_t group_count; /* groups of this batch that were chosen for them */
};

/* A batch after the opening. */
struct batch {
    struct draft draft;
    struct neighbors *neighbors; /* by rank of the upper one */
    bool *met;                   /* by rank: bots that a new bot has met */
    size_t size;                 /* groups to choose */
    size_t part;                 /* most groups for one pair while others need some */
};

static void batch_finish(struct batch *batch)
{
    draft_finish(&batch->draft);
    free(batch->neighbors);
    free(batch->met);
}

static int batch_init(struct batch *batch, const struct pairing_field *field)
{
    memset(batch, 0, sizeof *batch);
    if (draft_init(&batch->draft, field) < 0)
        return -ENOMEM;
    for (int rank = 0; rank < batch->draft.count; rank++)
        batch->size += !batch->draft.entrants[rank].on_probation;
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

/* Finds each bot's neighbor below, and what is known of the two. */
static void find_neighbors(struct batch *batch)
{
    const struct draft *draft = &batch->draft;
    const struct pairing_field *field = draft->field;

    for (int rank = 0; rank < draft->count; rank++) {
        struct neighbors *neighbors = &batch->neighbors[rank];
        struct draft_table alone = {{rank}, 1};
        int below = rank + 1;

        while (below < draft->count && !draft_may_join(draft, &alone, below))
            below++;
        neighbors->below = DRAFT_NOBODY;
        if (below == draft->count || draft->entrants[rank].on_probation)
            continue;
        const struct draft_entrant *a = &draft->entrants[rank];
        const struct draft_entrant *b = &draft->entrants[below];
        size_t at = (size_t)a->bot * (size_t)field->bot_count + b->bot;
        double se = field->pair_se_elo ? field->pair_se_elo[at] : 0;
        if (!(se > 0))
            se = se_unknown_elo;
        neighbors->below = below;
        neighbors->se_squared = se * se;
        neighbors->z_squared = (a->elo - b->elo) * (a->elo - b->elo) / (se * se);
    }
}

/* Adds a table to the list; later choices count its games between neighbors. */
static int add_table(struct batch *batch, const struct draft_table *table)
{
    for (int i = 0; i < table->count; i++) {
        struct neighbors *neighbors = &batch->neighbors[table->ranks[i]];

        for (int j = 0; j < table->count; j++)
            if (table->ranks[j] == neighbors->below)
                neighbors->games_added += table->count;
    }
    return draft_add_group(&batch->draft, table);
}

/* Adds groups in which a new bot meets those nearest to its estimate, each once. */
static int choose_for_newcomer(struct batch *batch, int rank)
{
    struct draft *draft = &batch->draft;
    int met_count = 0;
    int error = 0;

    memset(batch->met, 0, (size_t)draft->count * sizeof *batch->met);
    while (met_count < PAIRING_NEWCOMER_MEETS && error == 0) {
        struct draft_table table = {{rank}, 1};

        if (!draft_seat_nearest(draft, &table, rank, rank, batch->met))
            break; /* it has met all of them */
        while (table.count < draft->field->player_count)
            if (!draft_seat_nearest(draft, &table, rank, rank, batch->met))
                draft_seat_nearest(draft, &table, rank, rank, NULL);
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
 * number decides which.
 */
static int choose_for_probation(struct batch *batch, int rank)
{
    struct draft *draft = &batch->draft;
    struct draft_table table = {{rank}, 1};

    if ((draft->field->batch + draft->entrants[rank].bot) % PAIRING_PROBATION_BATCHES != 0)
        return 0;
    while (table.count < draft->field->player_count)
        draft_seat_nearest(draft, &table, rank, rank, NULL);
    return add_table(batch, &table);
}

/*
 * Predicts z^2 of two neighbors after this batch; z is the difference of their Elos in standard
 * errors. z^2 + 1 of now (the 1 because the difference is itself an estimate) grows by the factor
 * by which the batch reduces the variance.
 */
static double decidedness(const struct batch *batch, const struct neighbors *neighbors)
{
    double kappa = games_kappa_twentieths(batch->draft.field->player_count) / 20.0;
    double information = kappa / 4 / (ELO_PER_NATURAL * ELO_PER_NATURAL); /* information per game */

    return (neighbors->z_squared + 1) *
           (1 + neighbors->games_added * information * neighbors->se_squared);
}

/* Returns the upper bot of the least decided neighbors that have fewer groups than part. */
static int least_decided(const struct batch *batch, size_t part)
{
    int best = DRAFT_NOBODY;
    double best_decidedness = 0;

    for (int rank = 0; rank < batch->draft.count; rank++) {
        const struct neighbors *neighbors = &batch->neighbors[rank];
        double decided = decidedness(batch, neighbors);

        if (neighbors->below == DRAFT_NOBODY || neighbors->group_count >= part)
            continue;
        if (best == DRAFT_NOBODY || decided < best_decidedness) {
            best = rank;
            best_decidedness = decided;
        }
    }
    return best;
}

static int choose_for_neighbors(struct batch *batch)
{
    int upper = least_decided(batch, batch->part);

    if (upper == DRAFT_NOBODY)
        upper = least_decided(batch, SIZE_MAX);
    struct neighbors *neighbors = &batch->neighbors[upper];
    struct draft_table table = {{upper, neighbors->below}, 2};

    neighbors->group_count++;
    while (table.count < batch->draft.field->player_count)
        draft_seat_nearest(&batch->draft, &table, upper, neighbors->below, NULL);
    return add_table(batch, &table);
}

static int choose_for_least_played(struct batch *batch)
{
    struct draft *draft = &batch->draft;
    int least = DRAFT_NOBODY;

    for (int rank = 0; rank < draft->count; rank++)
        if (!draft->entrants[rank].on_probation &&
            (least == DRAFT_NOBODY || draft_is_less_played(draft, rank, least)))
            least = rank;
    struct draft_table table = {{least}, 1};
    while (table.count < draft->field->player_count)
        draft_seat_random(draft, &table, least);
    return add_table(batch, &table);
}

static int choose_batch(struct batch *batch)
{
    struct draft *draft = &batch->draft;
    int error = 0;

    find_neighbors(batch);
    for (int rank = 0; rank < draft->count && error == 0; rank++) {
        if (draft->entrants[rank].is_new)
            error = choose_for_newcomer(batch, rank);
        else if (draft->entrants[rank].on_probation)
            error = choose_for_probation(batch, rank);
    }
    while (error == 0 && draft->group_count < batch->size) {
        size_t turn = (draft->field->batch + draft->group_count) % LEAST_PLAYED_EVERY;

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
    error = field->opening ? meetings_choose(&batch.draft) : choose_batch(&batch);
    if (error == 0) {
        list->groups = batch.draft.groups;
        list->group_count = batch.draft.group_count;
        list->complete = batch.draft.complete;
        batch.draft.groups = NULL;
    }
    batch_finish(&batch);
    return error;
}

void pairing_finish(struct pairing_list *list)
{
    free(list->groups);
    memset(list, 0, sizeof *list);
}
