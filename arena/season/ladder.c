#include "arena/season/ladder.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    ladder->ratings = calloc(count, sizeof *ladder->ratings);
    ladder->rows = calloc(count, sizeof *ladder->rows);
    if (!ladder->entries || !ladder->counts || !ladder->live || !ladder->ratings || !ladder->rows) {
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
    free(ladder->ratings);
    free(ladder->rows);
    memset(ladder, 0, sizeof *ladder);
}

static int count_seat(struct ladder *ladder, const struct store_seat *seat)
{
    struct ladder_count *count = &ladder->counts[seat->entry];
    struct ladder_count *name = &ladder->counts[ladder->entries[seat->entry].name_entry];

    if (seat->reason == WIRE_PLAYED) {
        name->forfeits_in_row = 0;
    } else {
        name->forfeits_in_row++;
        count->forfeits[seat->reason]++;
    }
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

bool ladder_on_probation(const struct ladder *ladder, int entry)
{
    return ladder->counts[ladder->entries[entry].name_entry].forfeits_in_row >=
           SCHEDULE_PROBATION_ROW;
}

/* The older version of each entry, as elo_rate takes it; the caller frees. */
static int *previous_entries(const struct ladder *ladder)
{
    int *previous = calloc((size_t)ladder->entry_count + 1, sizeof *previous);

    for (int i = 0; previous && i < ladder->entry_count; i++)
        previous[i] = ladder->entries[i].previous;
    return previous;
}

/* The list of both ratings stands on the anchor: live as it is counted, the fit about its mean. */
static int rate(struct ladder *ladder, enum ladder_list list)
{
    int *previous = previous_entries(ladder);
    int error;

    if (!previous)
        return -ENOMEM;
    elo_rate(&ladder->games, previous, 0, ladder->live);
    free(previous);
    fit_finish(&ladder->fit);
    memset(&ladder->fit, 0, sizeof ladder->fit);
    error = fit_init(&ladder->fit, &ladder->games, FIT_PRIOR_ELO);
    for (int i = 0; i < ladder->entry_count && !error; i++)
        ladder->ratings[i] = list == LADDER_FINAL ? LADDER_ANCHOR_ELO + ladder->fit.bots[i].elo
                                                  : (double)ladder->live[i].rating_micro / 1e6;
    return error;
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
        sum += (double)pair->game_count * ladder->ratings[other];
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

static void fill_row(const struct ladder *ladder, struct ladder_row *row)
{
    const struct ladder_entry *entry = &ladder->entries[row->entry];
    const struct fit_bot *bot = &ladder->fit.bots[row->entry];

    row->elo = ladder->ratings[row->entry];
    row->error95 = FIT_ERROR95 * bot->se_elo;
    row->change = (double)ladder->live[row->entry].last_change_micro / 1e6;
    row->opponents_elo = opponents_elo(ladder, row->entry);
    row->provisional = bot->flags & FIT_PROVISIONAL;
    row->flags = bot->flags & ~(unsigned)FIT_PROVISIONAL;
    if (ladder_on_probation(ladder, row->entry) && !entry->retired && !entry->replaced)
        row->flags |= LADDER_PROBATION;
    if (entry->retired)
        row->flags |= LADDER_RETIRED;
    if (entry->replaced)
        row->flags |= LADDER_REPLACED;
    fill_counts(ladder, row);
}

/* Ranks that the likelihoods of superiority leave open, among the rows there are. Both lists
   take them from the fit: a live rating has no error of its own. */
static void fill_ranks(const struct ladder *ladder, int row_count)
{
    for (int i = 0; i < row_count; i++) {
        struct ladder_row *row = &ladder->rows[i];

        row->rank_best = 1;
        row->rank_worst = row_count;
        for (int j = 0; j < row_count; j++) {
            double los = fit_los(&ladder->fit, row->entry, ladder->rows[j].entry);

            if (1 - los > 0.975)
                row->rank_best++;
            if (los > 0.975)
                row->rank_worst--;
        }
        row->los_next =
            i + 1 < row_count ? fit_los(&ladder->fit, row->entry, ladder->rows[i + 1].entry) : NAN;
    }
}

static int compare_rows(const void *a, const void *b)
{
    const struct ladder_row *left = a, *right = b;

    if (left->elo != right->elo)
        return left->elo > right->elo ? -1 : 1;
    return (left->entry > right->entry) - (left->entry < right->entry);
}

int ladder_settle(struct ladder *ladder, enum ladder_list list, int *row_count)
{
    int error = games_settle(&ladder->games);

    if (!error)
        error = rate(ladder, list);
    if (error)
        return error;
    *row_count = 0;
    for (int i = 0; i < ladder->entry_count; i++) {
        const struct ladder_entry *entry = &ladder->entries[i];

        /* Who left before it played is nobody to the reader. */
        if (ladder->games.bots[i].game_count == 0 && (entry->retired || entry->replaced))
            continue;
        ladder->rows[*row_count].entry = i;
        fill_row(ladder, &ladder->rows[(*row_count)++]);
    }
    qsort(ladder->rows, (size_t)*row_count, sizeof *ladder->rows, compare_rows);
    fill_ranks(ladder, *row_count);
    return 0;
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
        elo_rate_each(&ladder->games, previous, 0, bots, tell_group, &telling);
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
    default:
        return fit_flag_name((enum fit_flag)flag);
    }
}
