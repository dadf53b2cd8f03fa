#include "arena/season/meetings.h"

#include <errno.h>
#include <stdlib.h>

/* Pairs that should meet and have not. Excludes bots on probation. */
struct meetings {
    struct draft *draft;
    int *circle;     /* ranks, in the season's random order */
    int count;       /* on the circle */
    bool *due;       /* entrants x entrants, by rank: should meet */
    int *degrees;    /* by rank: number of bots that it met or should meet */
    int *due_counts; /* by rank: number of bots that it should meet */
    int64_t due_total;
};

static bool *due_of(const struct meetings *meetings, int a, int b)
{
    return &meetings->due[(size_t)a * (size_t)meetings->draft->count + (size_t)b];
}

static bool have_met(const struct meetings *meetings, int a, int b)
{
    const struct pairing_field *field = meetings->draft->field;
    const struct draft_entrant *entrants = meetings->draft->entrants;

    return field->met &&
           field->met[(size_t)entrants[a].bot * (size_t)field->bot_count + entrants[b].bot];
}

static bool may_meet(const struct meetings *meetings, int a, int b)
{
    struct draft_table alone = {{a}, 1};

    return draft_may_join(meetings->draft, &alone, b);
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
    if (!*due_of(meetings, a, b))
        return;
    *due_of(meetings, a, b) = *due_of(meetings, b, a) = false;
    meetings->due_counts[a]--;
    meetings->due_counts[b]--;
    meetings->due_total--;
}

/* ---- which pairs should meet ---- */

struct placed {
    uint64_t place;
    int rank;
};

static int compare_places(const void *a_pointer, const void *b_pointer)
{
    const struct placed *a = a_pointer, *b = b_pointer;

    return (a->place > b->place) - (a->place < b->place);
}

static int form_circle(struct meetings *meetings)
{
    const struct draft *draft = meetings->draft;
    struct placed *placed = calloc((size_t)draft->count + 1, sizeof *placed);

    if (!placed)
        return -ENOMEM;
    for (int rank = 0; rank < draft->count; rank++)
        if (!draft->entrants[rank].on_probation)
            placed[meetings->count++] =
                (struct placed){draft_place(draft->field, draft->entrants[rank].bot), rank};
    qsort(placed, (size_t)meetings->count, sizeof *placed, compare_places);
    for (int i = 0; i < meetings->count; i++)
        meetings->circle[i] = placed[i].rank;
    free(placed);
    return 0;
}

/*
 * Marks all pairs at a distance on the circle that should meet, if both bots need more opponents.
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
 * Gives bots that lack opponents, because of authors or of earlier meetings, the nearest ones on
 * the circle.
 */
static void want_for_short(struct meetings *meetings, int degree_max)
{
    for (int i = 0; i < meetings->count; i++) {
        int a = meetings->circle[i];

        for (int step = 2; step <= 2 * (meetings->count - 1); step++) {
            int distance = step / 2; /* alternately to either side */
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
        meetings->count <= PAIRING_ROUND_ROBIN_MAX ? meetings->count : PAIRING_OPENING_MEETS;

    for (int i = 0; i < meetings->count; i++)
        for (int j = 0; j < meetings->count; j++)
            meetings->degrees[meetings->circle[i]] +=
                i != j && have_met(meetings, meetings->circle[i], meetings->circle[j]);
    for (int distance = 1; distance <= meetings->count / 2; distance++)
        want_at_distance(meetings, distance, degree_max);
    want_for_short(meetings, degree_max);
}

/* ---- tables ---- */

/* Returns the least-played bot that should still meet another. */
static int find_first(const struct meetings *meetings)
{
    int first = DRAFT_NOBODY;

    for (int i = 0; i < meetings->count; i++) {
        int rank = meetings->circle[i];

        if (meetings->due_counts[rank] > 0 &&
            (first == DRAFT_NOBODY || draft_is_less_played(meetings->draft, rank, first)))
            first = rank;
    }
    return first;
}

static int count_due(const struct meetings *meetings, const struct draft_table *table, int rank)
{
    int count = 0;

    for (int i = 0; i < table->count; i++)
        count += *due_of(meetings, table->ranks[i], rank);
    return count;
}

/* Seats the bot that should meet the most bots at the table; among equals the least played. */
static void seat_next(const struct meetings *meetings, struct draft_table *table)
{
    int best = DRAFT_NOBODY, best_gain = 0;

    for (int i = 0; i < meetings->count; i++) {
        int rank = meetings->circle[i], gain;

        if (!draft_may_join(meetings->draft, table, rank))
            continue;
        gain = count_due(meetings, table, rank);
        if (best == DRAFT_NOBODY || gain > best_gain ||
            (gain == best_gain && draft_is_less_played(meetings->draft, rank, best))) {
            best = rank;
            best_gain = gain;
        }
    }
    table->ranks[table->count++] = best;
}

static int choose_tables(struct meetings *meetings)
{
    struct draft *draft = meetings->draft;
    size_t limit = draft->field->group_limit;
    int error = 0;

    while (!error && meetings->due_total > 0 && (!limit || draft->group_count < limit)) {
        struct draft_table table = {{find_first(meetings)}, 1};

        while (table.count < draft->field->player_count)
            seat_next(meetings, &table);
        for (int i = 0; i < table.count; i++)
            for (int j = 0; j < i; j++)
                have_been(meetings, table.ranks[i], table.ranks[j]);
        error = draft_add_group(draft, &table);
    }
    draft->complete = meetings->due_total == 0;
    return error;
}

int meetings_choose(struct draft *draft)
{
    size_t n = (size_t)draft->count;
    struct meetings meetings = {.draft = draft,
                                .circle = calloc(n + 1, sizeof(int)),
                                .due = calloc(n * n + 1, sizeof(bool)),
                                .degrees = calloc(n + 1, sizeof(int)),
                                .due_counts = calloc(n + 1, sizeof(int))};
    int error = meetings.circle && meetings.due && meetings.degrees && meetings.due_counts
                    ? form_circle(&meetings)
                    : -ENOMEM;

    if (!error) {
        find_due(&meetings);
        error = choose_tables(&meetings);
    }
    free(meetings.circle);
    free(meetings.due);
    free(meetings.degrees);
    free(meetings.due_counts);
    return error;
}
