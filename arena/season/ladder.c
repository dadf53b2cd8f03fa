#include "arena/season/ladder.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/fit.h"

int ladder_init(struct ladder *ladder, const struct ladder_entry *entries, int entry_count)
{
    size_t count = entry_count ? (size_t)entry_count : 1;
    int error;

    memset(ladder, 0, sizeof *ladder);
    error = games_init(&ladder->games, entry_count);
    if (error)
        return error;
    ladder->entry_count = entry_count;
    ladder->entries = calloc(count, sizeof *ladder->entries);
    ladder->counts = calloc(count, sizeof *ladder->counts);
    ladder->live = calloc(count, sizeof *ladder->live);
    ladder->rows = calloc(count, sizeof *ladder->rows);
    if (!ladder->entries || !ladder->counts || !ladder->live || !ladder->rows) {
        ladder_finish(ladder);
        return -ENOMEM;
    }
    if (entry_count)
        memcpy(ladder->entries, entries, count * sizeof *entries);
    return 0;
}

void ladder_finish(struct ladder *ladder)
{
    games_finish(&ladder->games);
    fit_finish(&ladder->fit);
    free(ladder->entries);
    free(ladder->counts);
    free(ladder->live);
    free(ladder->rows);
    memset(ladder, 0, sizeof *ladder);
}

static int count_seat(struct ladder *ladder, const struct store_seat *seat)
{
    struct ladder_count *count = &ladder->counts[seat->entry];
    struct ladder_count *name = &ladder->counts[ladder->entries[seat->entry].name_entry];

    probation_add(&name->probation, seat->reason != WIRE_PLAYED);
    count->forfeits[seat->reason] += seat->reason != WIRE_PLAYED;
    return latency_unpack_add(&count->latency, seat->times, seat->times_bytes, seat->us,
                              seat->us_max)
               ? 0
               : -EBADMSG;
}

int ladder_add(struct ladder *ladder, const struct store_game *game)
{
    struct games_result result = {.group = game->group, .player_count = game->player_count};
    int error = 0;

    if (game->player_count < GAME_PLAYERS_MIN || game->player_count > GAME_PLAYERS_MAX)
        return -EBADMSG;
    for (int seat = 0; seat < game->player_count && !error; seat++) {
        const struct store_seat *at = &game->seats[seat];

        if (at->entry < 0 || at->entry >= ladder->entry_count || at->rank < 1 ||
            at->rank > GAME_PLAYERS_MAX || (unsigned)at->reason >= WIRE_REASON_COUNT)
            return -EBADMSG;
        result.bots[seat] = (uint16_t)at->entry;
        result.ranks[seat] = (uint8_t)at->rank;
        error = count_seat(ladder, at);
    }
    return error ? error : games_add(&ladder->games, &result);
}

const struct probation *ladder_probation(const struct ladder *ladder, int entry)
{
    return &ladder->counts[ladder->entries[entry].name_entry].probation;
}

/* Returns the older version of each entry, as elo_rate expects; the caller frees it. */
static int *previous_entries(const struct ladder *ladder)
{
    int *previous = calloc((size_t)ladder->entry_count + 1, sizeof *previous);

    for (int i = 0; previous && i < ladder->entry_count; i++)
        previous[i] = ladder->entries[i].previous;
    return previous;
}

static int rate(struct ladder *ladder)
{
    int *previous = previous_entries(ladder);

    if (!previous)
        return -ENOMEM;
    elo_rate(&ladder->games, previous, 0, ladder->live, NULL, NULL);
    free(previous);
    fit_finish(&ladder->fit);
    memset(&ladder->fit, 0, sizeof ladder->fit);
    return fit_init(&ladder->fit, &ladder->games, FIT_PRIOR_ELO);
}

/*
 * Both lists have the anchor as their mean: live Elo starts at it, the fit is relative to its mean.
 */
static double final_elo(const struct ladder *ladder, int entry)
{
    return LADDER_ANCHOR_ELO + ladder->fit.bots[entry].elo;
}

static double opponents_elo(const struct ladder *ladder, int entry)
{
    int64_t count = 0;
    double sum = 0;

    for (int other = 0; other < ladder->entry_count; other++) {
        const struct games_pair *pair;

        if (other == entry)
            continue;
        pair = games_pair_of(&ladder->games, entry < other ? entry : other,
                             entry < other ? other : entry);
        count += pair->game_count;
        sum += (double)pair->game_count * final_elo(ladder, other);
    }
    return count ? sum / (double)count : LADDER_ANCHOR_ELO;
}

static void fill_counts(const struct ladder *ladder, struct ladder_row *row)
{
    const struct games_bot *bot = &ladder->games.bots[row->entry];
    const struct ladder_count *count = &ladder->counts[row->entry];
    const struct latency *latency = &count->latency;

    row->game_count = bot->game_count;
    row->group_count = bot->group_count;
    row->score = bot->pair_count ? (double)bot->halves / (2.0 * (double)bot->pair_count) : 0;
    for (int place = 0; place < GAME_PLAYERS_MAX; place++)
        row->places[place] =
            bot->game_count ? (double)bot->place_counts[place] / (double)bot->game_count : 0;
    row->shared_win_count = bot->shared_win_count;
    row->us_mean = latency->count ? (latency->sum_us + latency->count / 2) / latency->count : 0;
    row->us_p99 = latency_share_us(latency, 0.99);
    row->us_max = latency->max_us;
    row->forfeits = count->forfeits;
}

static bool plays(const struct ladder_entry *entry)
{
    return !entry->retired && !entry->replaced && !entry->banned;
}

/* True if an entry of another name has the same package. */
static bool has_twin(const struct ladder *ladder, int entry)
{
    const struct ladder_entry *own = &ladder->entries[entry];

    for (int i = 0; i < ladder->entry_count; i++)
        if (ladder->entries[i].package_entry == own->package_entry &&
            ladder->entries[i].name_entry != own->name_entry)
            return true;
    return false;
}

static unsigned flags_of(const struct ladder *ladder, const struct ladder_row *row)
{
    const struct ladder_entry *entry = &ladder->entries[row->entry];
    unsigned flags = ladder->fit.bots[row->entry].flags & ~(unsigned)FIT_PROVISIONAL;

    if (row->ranked && probation_holds(ladder_probation(ladder, row->entry)))
        flags |= LADDER_PROBATION;
    if (entry->retired)
        flags |= LADDER_RETIRED;
    if (entry->replaced)
        flags |= LADDER_REPLACED;
    if (entry->banned)
        flags |= LADDER_BANNED;
    if (has_twin(ladder, row->entry))
        flags |= LADDER_SAME_HASH;
    return flags;
}

static void fill_row(const struct ladder *ladder, struct ladder_row *row)
{
    const struct ladder_entry *entry = &ladder->entries[row->entry];
    const struct fit_bot *bot = &ladder->fit.bots[row->entry];

    row->ranked = plays(entry);
    row->elo = final_elo(ladder, row->entry);
    row->error95 = FIT_ERROR95 * bot->se_elo;
    row->live = (double)ladder->live[row->entry].rating_micro / 1e6;
    row->change = (double)ladder->live[row->entry].last_change_micro / 1e6;
    row->opponents_elo = opponents_elo(ladder, row->entry);
    row->provisional = bot->flags & FIT_PROVISIONAL;
    row->flags = flags_of(ladder, row);
    fill_counts(ladder, row);
}

/* Flags both bots of every pair whose results are not explained by chance. */
static void flag_residuals(struct ladder *ladder, int row_count)
{
    double bound = residual_bound(&ladder->games);

    for (int i = 0; i < row_count; i++)
        for (int j = 0; j < i; j++) {
            struct ladder_row *a = &ladder->rows[i], *b = &ladder->rows[j];

            if (residual_of(&ladder->games, &ladder->fit, a->entry, b->entry).evidence > bound) {
                a->flags |= LADDER_RESIDUAL;
                b->flags |= LADDER_RESIDUAL;
            }
        }
}

/*
 * Computes the ranks that are possible, given the likelihoods of superiority over the other ranked
 * rows.
 */
static void fill_rank_range(const struct ladder *ladder, int row_count, struct ladder_row *row)
{
    int ranked_count = 0;

    row->rank_best = 1;
    row->rank_worst = 0;
    for (int j = 0; j < row_count; j++) {
        double los = fit_los(&ladder->fit, row->entry, ladder->rows[j].entry);

        if (!ladder->rows[j].ranked)
            continue;
        ranked_count++;
        if (1 - los > 0.975)
            row->rank_best++;
        if (los > 0.975)
            row->rank_worst--;
    }
    row->rank_worst += ranked_count;
}

/*
 * Sets ranks and likelihoods against the next row for the final list, or places for the live list.
 */
static void fill_ranks(struct ladder *ladder, int row_count)
{
    struct ladder_row *above = NULL;
    int place = 0;

    for (int i = 0; i < row_count; i++) {
        struct ladder_row *row = &ladder->rows[i];

        row->los_next = NAN;
        row->rank_best = row->rank_worst = 0;
        if (!row->ranked)
            continue;
        place++;
        if (ladder->list & LADDER_LIVE)
            row->rank_best = row->rank_worst = place;
        else
            fill_rank_range(ladder, row_count, row);
        if (above)
            above->los_next = fit_los(&ladder->fit, above->entry, row->entry);
        above = row;
    }
}

static int compare_entries(const struct ladder_row *left, const struct ladder_row *right)
{
    return (left->entry > right->entry) - (left->entry < right->entry);
}

static int compare_final(const void *a, const void *b)
{
    const struct ladder_row *left = a, *right = b;

    if (left->elo != right->elo)
        return left->elo > right->elo ? -1 : 1;
    return compare_entries(left, right);
}

static int compare_live(const void *a, const void *b)
{
    const struct ladder_row *left = a, *right = b;

    if (left->live != right->live)
        return left->live > right->live ? -1 : 1;
    return compare_entries(left, right);
}

/* Moves ranked rows above the others; keeps the order among each. */
static int move_ranked_up(struct ladder *ladder, int row_count)
{
    struct ladder_row *moved = calloc((size_t)row_count + 1, sizeof *moved);
    int count = 0;

    if (!moved)
        return -ENOMEM;
    for (int ranked = 1; ranked >= 0; ranked--)
        for (int i = 0; i < row_count; i++)
            if (ladder->rows[i].ranked == ranked)
                moved[count++] = ladder->rows[i];
    memcpy(ladder->rows, moved, (size_t)row_count * sizeof *moved);
    free(moved);
    return 0;
}

int ladder_settle(struct ladder *ladder, unsigned list, int *row_count)
{
    int error = games_settle(&ladder->games);

    if (!error)
        error = rate(ladder);
    if (error)
        return error;
    ladder->list = list;
    *row_count = 0;
    for (int i = 0; i < ladder->entry_count; i++) {
        const struct ladder_entry *entry = &ladder->entries[i];

        /* Omit bots that left before they played. */
        if (ladder->games.bots[i].game_count == 0 && !plays(entry))
            continue;
        ladder->rows[*row_count].entry = i;
        fill_row(ladder, &ladder->rows[(*row_count)++]);
    }
    qsort(ladder->rows, (size_t)*row_count, sizeof *ladder->rows,
          list & LADDER_LIVE ? compare_live : compare_final);
    if (!(list & LADDER_IN_PLACE))
        error = move_ranked_up(ladder, *row_count);
    fill_ranks(ladder, *row_count);
    flag_residuals(ladder, *row_count);
    return error;
}

struct telling {
    ladder_history_fn *each_fn;
    void *context;
    int result;
};

static void tell_group(void *context, const struct games_table *tables, size_t table_count,
                       const struct elo_bot *bots)
{
    struct telling *telling = context;

    for (size_t t = 0; t < table_count; t++)
        for (int i = 0; i < tables[t].player_count && telling->result == 0; i++) {
            int entry = tables[t].bots[i];

            telling->result = telling->each_fn(telling->context, tables[t].group, entry,
                                               (double)bots[entry].rating_micro / 1e6);
        }
}

int ladder_history(const struct ladder *ladder, ladder_history_fn *each_fn, void *context)
{
    struct telling telling = {each_fn, context, 0};
    int *previous = previous_entries(ladder);
    struct elo_bot *bots = calloc((size_t)ladder->entry_count + 1, sizeof *bots);

    if (previous && bots)
        elo_rate(&ladder->games, previous, 0, bots, tell_group, &telling);
    else
        telling.result = -ENOMEM;
    free(previous);
    free(bots);
    return telling.result;
}

const char *ladder_flag_name(unsigned flag)
{
    switch (flag) {
    case LADDER_PROBATION:
        return "probation";
    case LADDER_RETIRED:
        return "retired";
    case LADDER_REPLACED:
        return "replaced";
    case LADDER_BANNED:
        return "banned";
    case LADDER_SAME_HASH:
        return "same_hash";
    case LADDER_RESIDUAL:
        return "residual";
    default:
        return fit_flag_name((enum fit_flag)flag);
    }
}
