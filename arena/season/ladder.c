/* SPDX-License-Identifier: MIT */
#include "arena/season/ladder.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"
#include "arena/base/clock.h"
#include "arena/base/plain_text.h"
#include "arena/rating/past.h"

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
    free(ladder->starts);
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

static int add_start(struct ladder *ladder, const struct store_game *game)
{
    const struct ladder_start start = {game->group, game->started_us};
    const int count = ladder->start_count;

    if (game->started_us > ladder->newest_us)
        ladder->newest_us = game->started_us;
    if (count == 0 || ladder->starts[count - 1].group != game->group)
        return array_add(&ladder->starts, &ladder->start_count, &start, sizeof start);
    return 0;
}

int64_t ladder_day_group(const struct ladder *ladder)
{
    int64_t group = -1;

    for (int i = 0; i < ladder->start_count; i++)
        if (ladder->starts[i].started_us <= ladder->newest_us - CLOCK_DAY_US)
            group = ladder->starts[i].group;
    return group;
}

int ladder_version_before(const struct ladder *ladder, int entry, const bool *played)
{
    do
        entry = ladder->entries[entry].previous;
    while (entry != LADDER_NOBODY &&
           !(played ? played[entry] : ladder->games.bots[entry].game_count > 0));
    return entry;
}

int ladder_add(struct ladder *ladder, const struct store_game *game)
{
    struct games_result result = {.group = game->group, .player_count = game->player_count};
    int error = add_start(ladder, game);

    for (int seat = 0; seat < game->player_count && !error; seat++) {
        const struct store_seat *at = &game->seats[seat];

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

/* Returns the older version of each bot, as elo_rate wants them; the caller frees the array. */
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

/* Returns a final rating; the mean of all bots is LADDER_ANCHOR_ELO, where live Elo starts. */
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

static unsigned flags_of(const struct ladder *ladder, const struct ladder_row *row)
{
    const struct ladder_entry *entry = &ladder->entries[row->entry];
    unsigned flags = ladder->fit.bots[row->entry].flags & ~(unsigned)FIT_PROVISIONAL;

    if (row->plays && probation_holds(ladder_probation(ladder, row->entry)))
        flags |= LADDER_PROBATION;
    if (entry->retired)
        flags |= LADDER_RETIRED;
    if (entry->replaced)
        flags |= LADDER_REPLACED;
    if (entry->banned)
        flags |= LADDER_BANNED;
    if (entry->reference)
        flags |= LADDER_REFERENCE;
    return flags;
}

static void fill_row(const struct ladder *ladder, struct ladder_row *row)
{
    const struct ladder_entry *entry = &ladder->entries[row->entry];
    const struct fit_bot *bot = &ladder->fit.bots[row->entry];
    const int before = ladder_version_before(ladder, row->entry, NULL);

    row->plays = plays(entry);
    row->ranked = row->plays && !entry->reference;
    row->elo = final_elo(ladder, row->entry);
    row->error95 = FIT_ERROR95 * bot->se_elo;
    row->live = (double)ladder->live[row->entry].rating_micro / 1e6;
    row->change = (double)ladder->live[row->entry].last_change_micro / 1e6;
    row->opponents_elo = opponents_elo(ladder, row->entry);
    row->gain = row->gain_error95 = NAN;
    if (before != LADDER_NOBODY && ladder->games.bots[row->entry].game_count > 0) {
        row->gain = row->elo - final_elo(ladder, before);
        row->gain_error95 = FIT_ERROR95 * fit_pair_se(&ladder->fit, row->entry, before);
    }
    row->provisional = bot->flags & FIT_PROVISIONAL;
    row->flags = flags_of(ladder, row);
    fill_counts(ladder, row);
}

/* Flags both bots of every pair whose results chance does not explain. */
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

/* Computes a range of ranks from the probabilities of being better than each other ranked row. */
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
 * For the final list, sets the ranges of ranks and the probabilities of being better than the next
 * row; for a live list, sets places.
 */
static void fill_ranks(struct ladder *ladder, int row_count)
{
    struct ladder_row *above = NULL;
    int place = 0;

    for (int i = 0; i < row_count; i++) {
        struct ladder_row *row = &ladder->rows[i];

        row->los_next = NAN;
        row->place = row->rank_best = row->rank_worst = 0;
        if (!row->ranked)
            continue;
        row->place = ++place;
        if (ladder->list & LADDER_LIVE)
            row->rank_best = row->rank_worst = place;
        else
            fill_rank_range(ladder, row_count, row);
        if (above)
            above->los_next = fit_los(&ladder->fit, above->entry, row->entry);
        above = row;
    }
}

struct day {
    struct ladder *ladder;
    int row_count;
};

/* Sets what the rows were a day ago, a past_fn. */
static int fill_day(void *context, int at, const double *elo, const bool *played)
{
    const struct day *day = context;
    struct ladder_row *rows = day->ladder->rows;

    (void)at;
    for (int i = 0; i < day->row_count; i++) {
        int then = rows[i].entry;

        if (!played[then])
            then = ladder_version_before(day->ladder, then, played);
        if (then != LADDER_NOBODY)
            rows[i].day_elo = LADDER_ANCHOR_ELO + elo[then];
    }
    for (int i = 0; i < day->row_count; i++) {
        if (!rows[i].ranked || isnan(rows[i].day_elo))
            continue;
        rows[i].day_place = 1;
        for (int j = 0; j < day->row_count; j++)
            rows[i].day_place += rows[j].ranked && rows[j].day_elo > rows[i].day_elo;
    }
    return 0;
}

/* Computes where everybody stood a day before the newest game began. */
static int fill_days(struct ladder *ladder, int row_count)
{
    const int64_t group = ladder_day_group(ladder);
    struct day day = {ladder, row_count};

    for (int i = 0; i < row_count; i++) {
        ladder->rows[i].day_elo = NAN;
        ladder->rows[i].day_place = 0;
    }
    return group < 0 ? 0 : past_rate(&ladder->games, &group, 1, fill_day, &day);
}

/* Sorts better rows first. Versions that no longer play come last, unless LADDER_IN_PLACE is set.
 */
static int compare_rows(const void *left, const void *right, void *list)
{
    const struct ladder_row *a = left, *b = right;
    unsigned bits = *(const unsigned *)list;
    double better = bits & LADDER_LIVE ? a->live - b->live : a->elo - b->elo;

    if (a->plays != b->plays && !(bits & LADDER_IN_PLACE))
        return a->plays ? -1 : 1;
    if (better != 0)
        return better > 0 ? -1 : 1;
    return a->entry - b->entry;
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

        /* Leave out bots that were retired, replaced or banned before their first game. */
        if (ladder->games.bots[i].game_count == 0 && !plays(entry))
            continue;
        ladder->rows[*row_count].entry = i;
        fill_row(ladder, &ladder->rows[(*row_count)++]);
    }
    qsort_r(ladder->rows, (size_t)*row_count, sizeof *ladder->rows, compare_rows, &list);
    fill_ranks(ladder, *row_count);
    flag_residuals(ladder, *row_count);
    return fill_days(ladder, *row_count);
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
    static const struct {
        unsigned flag;
        const char *name;
    } names[] = {{LADDER_PROBATION, "probation"}, {LADDER_RETIRED, "retired"},
                 {LADDER_REPLACED, "replaced"},   {LADDER_BANNED, "banned"},
                 {LADDER_REFERENCE, "reference"}, {LADDER_RESIDUAL, "residual"}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].flag == flag)
            return names[i].name;
    return fit_flag_name((enum fit_flag)flag);
}

/* ---- the ladders of a stored season ---- */

struct counting {
    struct standings *standings;
    struct store *store;
    store_game_fn *each_fn; /* may be NULL */
    void *context;
    int error;
};

static int count_game(void *context, const struct store_game *game)
{
    struct counting *counting = context;
    struct ladder *ladders = counting->standings->ladders;

    if (!roster_has_players(&counting->standings->roster, game))
        return 0; /* a bot of the game entered the season after the roster was read */
    if (counting->each_fn && counting->each_fn(counting->context, game) != 0)
        return 1;
    if (!roster_counts(&counting->standings->roster, game))
        return 0;
    counting->error = ladder_add(&ladders[0], game);
    if (!counting->error && ladders[game->player_count].entries)
        counting->error = ladder_add(&ladders[game->player_count], game);
    if (counting->error == -EBADMSG)
        store_game_damaged(counting->store, game, "seats", "decision times are malformed");
    return counting->error;
}

/* True if an event happened at us (0: never), and not after the season was closed. */
static bool was_by(int64_t us, int64_t closed_us)
{
    return us && (!closed_us || us <= closed_us);
}

static bool has_later_entry(const struct roster *roster, int entry)
{
    for (int i = entry + 1; i < roster->count; i++)
        if (roster->members[i].name_entry == roster->members[entry].name_entry)
            return true;
    return false;
}

struct ladder_entry *ladder_make_entries(const struct roster *roster, int64_t closed_us)
{
    struct ladder_entry *entries = calloc((size_t)roster->count + 1, sizeof *entries);

    for (int i = 0; entries && i < roster->count; i++) {
        const struct roster_member *member = &roster->members[i];

        entries[i] = (struct ladder_entry){
            .previous = member->previous,
            .name_entry = member->name_entry,
            .reference = member->bot.reference,
            .retired = was_by(member->bot.retired_us, closed_us),
            .banned = member->bot.voided || was_by(member->bot.banned_us, closed_us),
            .replaced = has_later_entry(roster, i) || (!closed_us && !member->bot.newest)};
    }
    return entries;
}

static int init_ladders(struct standings *standings)
{
    const struct store_season *season = &standings->season;
    struct ladder_entry *entries = ladder_make_entries(&standings->roster, season->closed_us);
    int error =
        entries ? ladder_init(&standings->ladders[0], entries, standings->roster.count) : -ENOMEM;

    for (int i = 0; i < season->player_count_count && season->player_count_count > 1 && !error; i++)
        error = ladder_init(&standings->ladders[season->player_counts[i]], entries,
                            standings->roster.count);
    free(entries);
    return error;
}

int standings_load_games(struct standings *standings, struct store *store,
                         const struct store_season *season, unsigned list, store_game_fn *each_fn,
                         void *context)
{
    struct counting counting = {
        .standings = standings, .store = store, .each_fn = each_fn, .context = context};
    int error;

    *standings = (struct standings){.season = *season};
    error = roster_load(&standings->roster, store, season) ?: init_ladders(standings);
    if (!error)
        error = each_fn ? store_games_each(store, season->id, count_game, &counting)
                        : store_results_each(store, season->id, 0, count_game, &counting);
    error = counting.error ? counting.error : error;
    for (int i = 0; i <= GAME_PLAYERS_MAX && !error; i++)
        if (standings->ladders[i].entries)
            error = ladder_settle(&standings->ladders[i], list, &standings->row_counts[i]);
    if (error)
        standings_finish(standings);
    return error;
}

int standings_load(struct standings *standings, struct store *store,
                   const struct store_season *season, unsigned list)
{
    return standings_load_games(standings, store, season, list, NULL, NULL);
}

void standings_finish(struct standings *standings)
{
    for (int i = 0; i <= GAME_PLAYERS_MAX; i++)
        ladder_finish(&standings->ladders[i]);
    roster_finish(&standings->roster);
    memset(standings, 0, sizeof *standings);
}

const struct ladder_row *standings_newest(const struct standings *standings, const char *bot)
{
    const struct ladder_row *newest = NULL;

    for (int i = 0; i < standings->row_counts[0]; i++) {
        const struct ladder_row *row = &standings->ladders[0].rows[i];

        if (strcmp(standings->roster.members[row->entry].bot.name, bot) == 0 &&
            (!newest || row->entry > newest->entry))
            newest = row;
    }
    return newest;
}

int standings_ranked(const struct standings *standings)
{
    int count = 0;

    for (int i = 0; i < standings->row_counts[0]; i++)
        count += standings->ladders[0].rows[i].ranked;
    return count;
}

/* ---- choosing bots by their ranks ---- */

/* Adds a bot's name to the names for a roster. Refuses a name that is already there. */
int standings_choose_bot(struct standings_choice *choice, struct store *store, const char *name)
{
    for (size_t i = 0; i < choice->count; i++)
        if (strcmp(choice->names[i], name) == 0)
            return store_refuse(store, -EINVAL, "bot %s is chosen twice: choose each bot only once",
                                name);
    if (choice->count == SCHEDULE_ENTRIES_MAX)
        return store_explain(store, -EINVAL,
                             "too many bots: a season has room for 2048: choose fewer bots");
    snprintf(choice->texts[choice->count], sizeof *choice->texts, "%s", name);
    choice->names[choice->count] = choice->texts[choice->count];
    choice->count++;
    return 0;
}

/* Adds the bots on ranks first to last of a closed season. */
static int add_ranks(struct standings_choice *choice, struct store *store, const char *name,
                     long first, long last)
{
    struct store_season season;
    struct standings standings;
    long rank = 0;
    int error = store_season_find(store, name, &season);

    if (!error && season.voided_us)
        error = store_refuse(store, -EINVAL, "season %s is void: choose another season", name);
    if (!error && !season.closed_us)
        error = store_refuse(store, -EINVAL,
                             "season %s is open, so its ranks may change: `arena season close %s` "
                             "closes the season",
                             name, name);
    if (!error)
        error = standings_load(&standings, store, &season, LADDER_FINAL);
    if (error)
        return error;
    for (int i = 0; i < standings.row_counts[0] && !error; i++) {
        const struct ladder_row *row = &standings.ladders[0].rows[i];

        if (row->ranked && ++rank >= first && rank <= last)
            error =
                standings_choose_bot(choice, store, standings.roster.members[row->entry].bot.name);
    }
    if (!error && rank < first)
        error = store_refuse(store, -EINVAL, "season %s has only %ld rank%s: choose lower ranks",
                             name, rank, plain_text_s(rank));
    standings_finish(&standings);
    return error;
}

/* Adds what one word of a list names: a bot, or "SEASON:RANK", or "SEASON:FIRST..LAST". */
static int add_word(struct standings_choice *choice, struct store *store, char *word)
{
    char *colon = strchr(word, ':'), *end;
    long first, last;

    if (!colon && store_name_is_valid(word))
        return standings_choose_bot(choice, store, word);
    if (colon) {
        *colon = '\0';
        first = last = strtol(colon + 1, &end, 10);
        if (strncmp(end, "..", 2) == 0)
            last = strtol(end + 2, &end, 10);
        if (!*end && first >= 1 && last >= first)
            return add_ranks(choice, store, word, first, last);
        *colon = ':';
    }
    return store_refuse(store, -EINVAL,
                        "'%s' is neither a bot nor ranks of a season: write ant,bee or "
                        "winter:1..8,summer:3",
                        word);
}

int standings_choose(struct standings_choice *choice, struct store *store, const char *list)
{
    char *copy = strdup(list), *rest = copy;
    int error = copy ? 0 : -ENOMEM;

    choice->count = 0;
    for (char *word; !error && (word = strsep(&rest, ","));)
        error = add_word(choice, store, word);
    free(copy);
    return error;
}

void standings_label(const struct roster *roster, int entry,
                     char label[static STANDINGS_LABEL_BYTES])
{
    const struct store_bot *bot = &roster->members[entry].bot;
    int count = 0;

    for (int i = 0; i < roster->count; i++)
        count += roster->members[i].name_entry == roster->members[entry].name_entry;
    if (count > 1)
        snprintf(label, STANDINGS_LABEL_BYTES, "%s@%s", bot->name, bot->version);
    else
        snprintf(label, STANDINGS_LABEL_BYTES, "%s", bot->name);
}
