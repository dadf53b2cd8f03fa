/* SPDX-License-Identifier: MIT */
#include "arena/season/league.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"
#include "arena/base/clock.h"
#include "arena/season/ladder.h"
#include "arena/season/season.h"

const char *const league_moves[] = {"stays", "rises", "falls", NULL};

int league_split(const struct store_league *league, struct league_round *round)
{
    const char *at = league->divisions;

    *round = (struct league_round){.league = *league};
    for (size_t length; *at; at += length + (at[length] == ',')) {
        struct league_division *division = &round->divisions[round->count];

        length = strcspn(at, ",");
        if (round->count == LEAGUE_DIVISIONS_MAX)
            return -E2BIG;
        snprintf(division->name, sizeof division->name, "%.*s", (int)length, at);
        for (int i = 0; i < round->count; i++)
            if (strcmp(round->divisions[i].name, division->name) == 0)
                return -EINVAL;
        if (length == 0 || (at[length] == ',' && !at[length + 1]))
            return -EINVAL;
        round->count++;
    }
    return round->count ? 0 : -EINVAL;
}

void league_finish(struct league_round *round)
{
    for (int i = 0; i < LEAGUE_DIVISIONS_MAX; i++)
        free(round->divisions[i].places);
    memset(round, 0, sizeof *round);
}

static int add_place(struct league_division *division, const struct league_place *place)
{
    if (ARRAY_GROW(division->places, division->count, 1) < 0)
        return -ENOMEM;
    division->places[division->count++] = *place;
    return 0;
}

/* ---- a round as it stands ---- */

static bool has_place(const struct league_division *division, const char *bot)
{
    for (int i = 0; i < division->count; i++)
        if (strcmp(division->places[i].bot, bot) == 0)
            return true;
    return false;
}

/* A division whose roster is read. */
struct listing {
    struct league_division *division;
    struct store *store;
};

/* Adds a bot of the roster that is not on the ladder: it has not played, and still may. */
static int add_listed(void *context, const char *name)
{
    const struct listing *listing = context;
    struct league_place place = {.rank_best = 0};
    struct store_bot bot;

    if (has_place(listing->division, name) ||
        (store_bot_find(listing->store, name, NULL, &bot) == 0 &&
         (bot.reference || bot.retired_us || bot.banned_us)))
        return 0; /* a reference bot plays in the division and takes no place */
    snprintf(place.bot, sizeof place.bot, "%s", name);
    return add_place(listing->division, &place);
}

static int read_division(struct league_division *division, struct store *store)
{
    struct standings standings;
    struct listing listing = {division, store};
    int error = standings_load(&standings, store, &division->season, LADDER_FINAL);

    if (error)
        return error;
    for (int i = 0; i < standings.row_counts[0] && !error; i++) {
        const struct ladder_row *row = &standings.ladders[0].rows[i];
        struct league_place place = {.rank_best = row->rank_best, .rank_worst = row->rank_worst};

        memcpy(place.bot, standings.roster.members[row->entry].bot.name, sizeof place.bot);
        if (row->ranked)
            error = add_place(division, &place);
    }
    if (!error) {
        error = store_roster_each(store, division->season.id, add_listed, &listing);
        error = error == -EINTR ? -ENOMEM : error;
    }
    standings_finish(&standings);
    return error;
}

static int see_season(void *context, const struct store_season *season)
{
    struct league_round *round = context;

    if (season->league_id != round->league.id || season->round < round->number || season->voided_us)
        return 0;
    round->number = season->round;
    for (int i = 0; i < round->count; i++)
        if (strcmp(round->divisions[i].name, season->division) == 0)
            round->divisions[i].season = *season;
    return 0;
}

int league_read(struct league_round *round, struct store *store, const char *name)
{
    struct store_league league;
    int error = store_league_find(store, name, &league) ?: league_split(&league, round);

    if (!error)
        error = store_seasons_each(store, see_season, round);
    for (int i = 0; i < round->count && !error; i++)
        if (round->divisions[i].season.round == round->number && round->number)
            error = read_division(&round->divisions[i], store);
    if (error)
        league_finish(round);
    else
        league_mark(round);
    return error;
}

/* ---- promotion and relegation ---- */

/* Marks the bots whose ranks reach over the cut after the first `above` places. */
static void mark_undecided(struct league_division *division, int above)
{
    for (int i = 0; i < division->count && above > 0 && above < division->count; i++) {
        struct league_place *place = &division->places[i];

        place->is_undecided |= place->rank_best == 0 || (i < above && place->rank_worst > above) ||
                               (i >= above && place->rank_best <= above);
    }
}

static int smallest(int a, int b)
{
    return a < b ? a : b;
}

static bool has_played(const struct league_division *division)
{
    bool played = false;

    for (int i = 0; i < division->count; i++)
        played |= division->places[i].rank_best > 0;
    return played;
}

void league_mark(struct league_round *round)
{
    for (int i = 0; i < round->count; i++)
        for (int j = 0; j < round->divisions[i].count; j++) {
            round->divisions[i].places[j].move = LEAGUE_STAYS;
            round->divisions[i].places[j].is_undecided = false;
        }
    for (int i = 0; i + 1 < round->count; i++) {
        struct league_division *upper = &round->divisions[i], *lower = &round->divisions[i + 1];
        /*
         * Between two divisions as many bots fall as rise. At most half of a division moves, and
         * nobody falls from one without games: its list has no order yet.
         */
        int count = has_played(upper) ? smallest(round->league.promoted_count,
                                                 smallest(upper->count / 2, (lower->count + 1) / 2))
                                      : 0;

        for (int j = 0; j < count; j++) {
            upper->places[upper->count - 1 - j].move = LEAGUE_FALLS;
            lower->places[j].move = LEAGUE_RISES;
        }
        mark_undecided(upper, upper->count - count);
        mark_undecided(lower, count);
    }
}

/* ---- the next round ---- */

/* The bots of the next round, best first. */
struct order {
    const struct league_round *round;
    struct store *store;
    const char *names[SCHEDULE_ENTRIES_MAX]; /* of places, or of `playing` */
    size_t count;
    char playing[SCHEDULE_ENTRIES_MAX][STORE_NAME_BYTES_MAX + 1];
    size_t playing_count;
};

/* True for who takes a place in a league. */
static bool takes_place(const struct store_bot *bot)
{
    return bot->newest && !bot->retired_us && !bot->banned_us && !bot->reference;
}

static int see_bot(void *context, const struct store_bot *bot)
{
    struct order *order = context;

    if (!takes_place(bot))
        return 0;
    if (order->playing_count == SCHEDULE_ENTRIES_MAX)
        return store_refuse(order->store, -EINVAL,
                            "too many bots: a league has room for %d: retire some",
                            SCHEDULE_ENTRIES_MAX);
    memcpy(order->playing[order->playing_count++], bot->name, sizeof bot->name);
    return 0;
}

static bool may_play(const struct order *order, const char *name)
{
    for (size_t i = 0; i < order->playing_count; i++)
        if (strcmp(order->playing[i], name) == 0)
            return true;
    return false;
}

static void add_movers(struct order *order, int division, enum league_move move)
{
    const struct league_division *from;

    if (division < 0 || division >= order->round->count)
        return;
    from = &order->round->divisions[division];
    for (int i = 0; i < from->count; i++)
        if (from->places[i].move == move && may_play(order, from->places[i].bot) &&
            order->count < SCHEDULE_ENTRIES_MAX)
            order->names[order->count++] = from->places[i].bot;
}

static bool is_placed(const struct league_round *round, const char *name)
{
    for (int i = 0; i < round->count; i++)
        if (has_place(&round->divisions[i], name))
            return true;
    return false;
}

int league_fill(const struct league_round *round, const char *const *names, size_t count,
                struct league_round *next)
{
    int division = 0, error = league_split(&round->league, next);

    next->number = round->number + 1;
    for (size_t i = 0; i < count && !error; i++) {
        struct league_place place = {.rank_best = 0};

        snprintf(place.bot, sizeof place.bot, "%s", names[i]);
        if (next->divisions[division].count == next->league.place_count &&
            division + 1 < next->count)
            division++;
        error = add_place(&next->divisions[division], &place);
    }
    if (error)
        league_finish(next);
    return error;
}

int league_choose(const struct league_round *round, struct store *store, struct league_round *next)
{
    struct order *order = calloc(1, sizeof *order);
    int error;

    if (!order)
        return -ENOMEM;
    order->round = round;
    order->store = store;
    error = store_bots_each(store, see_bot, order);
    /* Where a division has lost bots, the next of the one below follow: those that stayed first. */
    for (int i = 0; i < round->count; i++) {
        add_movers(order, i, LEAGUE_STAYS);
        add_movers(order, i - 1, LEAGUE_FALLS);
        add_movers(order, i + 1, LEAGUE_RISES);
    }
    for (size_t i = 0; i < order->playing_count; i++)
        if (!is_placed(round, order->playing[i]) && order->count < SCHEDULE_ENTRIES_MAX)
            order->names[order->count++] = order->playing[i];
    error = error ?: league_fill(round, order->names, order->count, next);
    free(order);
    return error;
}

struct leaving_out {
    const struct league_round *round;
    store_bot_fn *each_fn;
    void *context;
};

static int see_left_out(void *context, const struct store_bot *bot)
{
    const struct leaving_out *leaving = context;

    return takes_place(bot) && !is_placed(leaving->round, bot->name)
               ? leaving->each_fn(leaving->context, bot)
               : 0;
}

int league_left_out_each(const struct league_round *round, struct store *store,
                         store_bot_fn *each_fn, void *context)
{
    return store_bots_each(store, see_left_out, &(struct leaving_out){round, each_fn, context});
}

/* ---- a round is stored ---- */

/* The names of a division's roster. */
struct names {
    const char **names;
    int count;
};

/* Adds a reference bot: these play in every division, and take no place. */
static int add_reference(void *context, const struct store_bot *bot)
{
    struct names *names = context;
    char *name;

    if (!bot->newest || bot->retired_us || bot->banned_us || !bot->reference)
        return 0;
    name = strdup(bot->name);
    if (!name || array_add(&names->names, &names->count, &name, sizeof name) < 0) {
        free(name);
        return -ENOMEM;
    }
    return 0;
}

static int store_division(struct store *store, struct league_division *division, int64_t league_id)
{
    struct names names = {0};
    int error = store_bots_each(store, add_reference, &names), reference_count = names.count;

    for (int i = 0; i < division->count && !error; i++) {
        const char *name = division->places[i].bot;

        error = array_add(&names.names, &names.count, &name, sizeof name);
    }
    division->season.league_id = league_id;
    error = error ?: season_create(store, &division->season, NULL, clock_time_us())
                ?: store_roster_set(store, division->season.id, names.names, (size_t)names.count);
    for (int i = 0; i < reference_count; i++)
        free((char *)names.names[i]);
    free(names.names);
    return error;
}

int league_store(struct league_round *round, struct store *store)
{
    int error = store_begin(store);

    if (error)
        return error;
    if (!round->league.id)
        error = store_league_add(store, &round->league);
    for (int i = 0; i < round->count && !error; i++)
        error = store_division(store, &round->divisions[i], round->league.id);
    return store_end(store, error);
}
