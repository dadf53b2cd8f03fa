#include "arena/season/draft.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/draw.h"

enum {
    AUTHORS_APART = 3, /* with this many authors, bots of one author do not meet */
};

/* Compares ratings in millionths: smaller differences are rounding errors. */
static int compare_entrants(const void *a_pointer, const void *b_pointer)
{
    const struct draft_entrant *a = a_pointer;
    const struct draft_entrant *b = b_pointer;
    int64_t a_micro = llround(a->elo * 1e6);
    int64_t b_micro = llround(b->elo * 1e6);

    if (a_micro != b_micro)
        return a_micro > b_micro ? -1 : 1;
    return (a->chance > b->chance) - (a->chance < b->chance);
}

uint64_t draft_place(const struct pairing_field *field, int bot)
{
    uint64_t state = field->seed ^ ((uint64_t)bot + 1) * 0xd1b54a32d192ed03;

    return draw_next(&state);
}

static bool may_play(const struct pairing_bot *bot, bool probation)
{
    return bot->role != PAIRING_AWAY && (probation || bot->role != PAIRING_PROBATION);
}

/*
 * Returns whether bots of one author are kept apart: at larger tables always, unless the season
 * allows it; at tables of two if three authors take part.
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

int draft_init(struct draft *draft, const struct pairing_field *field)
{
    /* Whether bots on probation are treated differently. */
    bool apart = field->batch > 0 && draft_can_fill(field, false);

    *draft = (struct draft){.field = field, .random = field->seed};
    draft->authors_apart = authors_stay_apart(field);
    draft->random = draw_next(&draft->random) + field->batch;
    draft->entrants = calloc((size_t)field->bot_count + 1, sizeof *draft->entrants);
    if (!draft->entrants)
        return -ENOMEM;
    for (int i = 0; i < field->bot_count; i++) {
        const struct pairing_bot *bot = &field->bots[i];

        if (!may_play(bot, true))
            continue;
        draft->entrants[draft->count++] = (struct draft_entrant){
            .bot = (uint16_t)i,
            .author = bot->author,
            .elo = bot->elo,
            .group_count = bot->group_count,
            .chance = draw_next(&draft->random),
            .is_new = bot->role == PAIRING_NEW,
            .on_probation = bot->role == PAIRING_PROBATION && apart,
        };
    }
    qsort(draft->entrants, (size_t)draft->count, sizeof *draft->entrants, compare_entrants);
    return 0;
}

void draft_finish(struct draft *draft)
{
    free(draft->entrants);
    free(draft->groups);
    memset(draft, 0, sizeof *draft);
}

bool draft_can_fill(const struct pairing_field *field, bool probation)
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

bool draft_may_join(const struct draft *draft, const struct draft_table *table, int rank)
{
    if (draft->entrants[rank].on_probation)
        return false;
    for (int i = 0; i < table->count; i++)
        if (table->ranks[i] == rank ||
            (draft->authors_apart &&
             draft->entrants[table->ranks[i]].author == draft->entrants[rank].author))
            return false;
    return true;
}

bool draft_is_less_played(const struct draft *draft, int a, int b)
{
    const struct draft_entrant *x = &draft->entrants[a];
    const struct draft_entrant *y = &draft->entrants[b];

    return x->group_count != y->group_count ? x->group_count < y->group_count
                                            : x->chance < y->chance;
}

/* Returns how many ranks a bot is away from low..high. */
static int distance(int rank, int low, int high)
{
    return rank < low ? low - rank : rank > high ? rank - high : 0;
}

bool draft_seat_nearest(const struct draft *draft, struct draft_table *table, int low, int high,
                        const bool *passed)
{
    int best = DRAFT_NOBODY;

    for (int rank = 0; rank < draft->count; rank++) {
        if (!draft_may_join(draft, table, rank) || (passed && passed[rank]))
            continue;
        if (best == DRAFT_NOBODY || distance(rank, low, high) < distance(best, low, high) ||
            (distance(rank, low, high) == distance(best, low, high) &&
             draft_is_less_played(draft, rank, best)))
            best = rank;
    }
    if (best != DRAFT_NOBODY)
        table->ranks[table->count++] = best;
    return best != DRAFT_NOBODY;
}

static int random_below(struct draft *draft, int count)
{
    return (int)((draw_next(&draft->random) >> 32) * (uint64_t)count >> 32);
}

void draft_seat_random(struct draft *draft, struct draft_table *table, int center)
{
    int chosen = DRAFT_NOBODY;
    int candidate_count = 0;

    for (int rank = 0; rank < draft->count; rank++)
        if (distance(rank, center, center) <= PAIRING_RANKS_NEAR &&
            draft_may_join(draft, table, rank) && random_below(draft, ++candidate_count) == 0)
            chosen = rank;
    if (chosen != DRAFT_NOBODY)
        table->ranks[table->count++] = chosen;
    else
        draft_seat_nearest(draft, table, center, center, NULL);
}

int draft_add_group(struct draft *draft, const struct draft_table *table)
{
    int player_count = draft->field->player_count;

    assert(table->count == player_count);
    if (draft->group_count == draft->group_capacity) {
        size_t capacity = draft->group_capacity ? 2 * draft->group_capacity : 64;
        struct pairing_group *groups = realloc(draft->groups, capacity * sizeof *groups);

        if (!groups)
            return -ENOMEM;
        draft->groups = groups;
        draft->group_capacity = capacity;
    }
    for (int i = 0; i < player_count; i++)
        draft->entrants[table->ranks[i]].group_count++;
    struct draft_table seats = *table;
    struct pairing_group *group = &draft->groups[draft->group_count++];
    memset(group, 0, sizeof *group);
    for (int seat = 0; seat < player_count; seat++) {
        int from = seat + random_below(draft, player_count - seat);
        int rank = seats.ranks[from];

        seats.ranks[from] = seats.ranks[seat];
        group->bots[seat] = draft->entrants[rank].bot;
    }
    return 0;
}
