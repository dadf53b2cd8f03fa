/* SPDX-License-Identifier: MIT */
#include "arena/season/season.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/season/schedule.h"
#include "arena/base/clock.h"

enum {
    PRUNED_MAX = 64, /* maximum number of replays removed in one transaction */
    /* Forfeits are compared in parts of so many games; the newest parts are known. */
    WATCHED_GAMES = 64,
    WATCHED_PARTS = 2,
};

static int make_opening(struct store_opening *opening, int number, const uint8_t *by_hand,
                        int64_t now_us)
{
    int error = 0;

    *opening =
        (struct store_opening){.number = number, .by_hand = by_hand != NULL, .opened_us = now_us};
    if (by_hand)
        memcpy(opening->seed, by_hand, GAME_SEED_BYTES);
    else
        error = seed_draw(opening->seed);
    seed_commit(opening->seed, opening->commitment);
    return error;
}

int season_create(struct store *store, struct store_season *terms, const uint8_t *by_hand,
                  int64_t now_us)
{
    struct store_opening opening;

    terms->created_us = now_us;
    return make_opening(&opening, 0, by_hand, now_us) ?: store_season_add(store, terms, &opening);
}

static int keep_latest(void *context, const struct store_opening *opening)
{
    *(struct store_opening *)context = *opening;
    return 0;
}

int season_reopen(struct store *store, const struct store_season *terms, int64_t budget_games,
                  const uint8_t *by_hand, int64_t now_us)
{
    struct store_opening opening = {0};
    int error;

    if (terms->closing_us && !terms->closed_us) {
        error = store_season_go_on(store, terms->id);
        return !error && budget_games > terms->budget_games
                   ? store_season_extend(store, terms->id, budget_games - terms->budget_games)
                   : error;
    }
    return store_openings_each(store, terms->id, keep_latest, &opening)
               ?: make_opening(&opening, opening.number + 1, by_hand, now_us)
               ?: store_season_reopen(store, terms->id, budget_games, &opening);
}

/* Sets the message of store_failure for an error found in this file. Returns error. */
static int explain(struct season *season, int error)
{
    if (error == -ENOMEM)
        return store_explain(season->store, error, "out of memory");
    if (error == -E2BIG)
        return store_explain(
            season->store, error,
            "too many bots: a season has room for 2048: retire bots, or set the season's roster");
    return error;
}

/* ---- loading ---- */

struct loading {
    struct season *season;
    int batch_count;   /* batches that were in the store when the loading began */
    bool has_left_out; /* the store has rows of later batches */
    int error;
};

static int load_batch(void *context, const struct store_batch *batch)
{
    struct loading *loading = context;

    loading->batch_count++;
    loading->season->schedule.meeting_sizes = batch->meeting_sizes;
    return 0;
}

static int load_group(void *context, const struct store_group *group)
{
    struct loading *loading = context;
    char row[32];

    if (group->batch >= loading->batch_count) { /* another process has just added this batch */
        loading->has_left_out = true;
        return 0;
    }
    loading->error = schedule_add(&loading->season->schedule, group);
    if (loading->error == -EBADMSG) {
        snprintf(row, sizeof row, "number %d", group->number);
        store_damaged(loading->season->store, "game_group", row, "base0",
                      "does not fit the schedule");
    }
    return loading->error;
}

static int load_game(void *context, const struct store_game *game)
{
    struct loading *loading = context;

    if (game->group >= loading->season->schedule.group_count) {
        loading->has_left_out = true;
        return 0;
    }
    loading->error = schedule_record(&loading->season->schedule, game);
    if (loading->error == -EBADMSG)
        store_game_damaged(loading->season->store, game, "seats", "does not fit the schedule");
    return loading->error;
}

static int check_opening(const struct season *season)
{
    char commitment[SEED_COMMITMENT_DIGITS + 1], row[32];

    seed_commit(season->opening.seed, commitment);
    if (strcmp(commitment, season->opening.commitment) == 0)
        return 0;
    snprintf(row, sizeof row, "number %d", season->opening.number);
    return store_damaged(season->store, "opening", row, "seed",
                         "the seed is missing, or does not match the published commitment");
}

/* True if the rows that were left out belong to no batch that came meanwhile. */
static bool is_batch_missing(const struct loading *loading)
{
    const struct season *season = loading->season;
    struct store_season_counts counts;

    return loading->has_left_out &&
           store_season_count(season->store, season->terms.id, &counts) == 0 &&
           counts.batches <= loading->batch_count;
}

/*
 * Reads the tables one after another, while another process may add a batch, with its bots, groups
 * and games. Reads the batches first, and leaves out all that belongs to later ones.
 */
static int load(struct season *season, const char *name)
{
    struct loading loading = {.season = season};
    struct store *store = season->store;
    int error = store_event_latest(store, &season->event);

    season->connection = store_connection(store);
    error = error ?: store_season_find(store, name, &season->terms);
    if (error)
        return error;
    schedule_init(&season->schedule, &season->terms);
    error = store_openings_each(store, season->terms.id, keep_latest, &season->opening)
                ?: check_opening(season)
                ?: store_batches_each(store, season->terms.id, load_batch, &loading)
                ?: roster_load(&season->roster, store, &season->terms)
                ?: roster_tell_schedule(&season->roster, &season->schedule)
                ?: store_groups_each(store, season->terms.id, load_group, &loading)
                ?: store_results_each(store, season->terms.id, 0, load_game, &loading);
    if (!error && is_batch_missing(&loading))
        error = store_damaged(store, "batch", season->terms.name, "number",
                              "a batch of groups is missing");
    return loading.error ? loading.error : error;
}

int season_load(struct season *season, struct store *store, const char *name)
{
    int error;

    *season = (struct season){.store = store, .now_fn = clock_time_us};
    error = load(season, name);
    if (error) {
        explain(season, error);
        season_finish(season);
    }
    return error;
}

int season_load_roster(struct season *season, struct store *store, const char *name)
{
    int error;

    *season = (struct season){.store = store, .now_fn = clock_time_us};
    error = store_season_find(store, name, &season->terms)
                ?: roster_load(&season->roster, store, &season->terms);
    if (error) {
        explain(season, error);
        season_finish(season);
    }
    return error;
}

void season_finish(struct season *season)
{
    schedule_finish(&season->schedule);
    roster_finish(&season->roster);
    breaker_finish(&season->watch);
    memset(season, 0, sizeof *season);
}

/* ---- continuing ---- */

/*
 * Compares the schedule with the store after the store has connected again. A standby that took the
 * server's place, or a backup that was restored, may lack the last commits, even batches whose
 * games are being played. Counting is enough: only this process adds batches and games of the
 * season, and what a server loses is always the end of what was committed. Returns 0 or -errno.
 */
static int find_losses(struct season *season)
{
    const struct schedule *schedule = &season->schedule;
    int connection = store_connection(season->store), error;
    struct store_season_counts counts;
    int64_t event;

    if ((error = store_event_latest(season->store, &event)) < 0 ||
        (error = store_season_count(season->store, season->terms.id, &counts)) < 0)
        return error;
    season->is_outdated = counts.batches < schedule->batch_count ||
                          counts.played < schedule->played_count || event < season->event;
    if (season->is_outdated)
        return store_refuse(season->store, -ESTALE,
                            "the server lost the season's last games, as after a failover: %lld "
                            "games in %lld batches remain of %lld games in %d batches: the "
                            "season goes on from the games that remain",
                            (long long)counts.played, (long long)counts.batches,
                            (long long)schedule->played_count, schedule->batch_count);
    season->connection = connection;
    season->event = -1; /* another event may have that number now */
    return 0;
}

/* Finds out whether an organizer has voided games. Returns 0, or -ESTALE if so; or -errno. */
static int find_voided(struct season *season)
{
    struct store_season_counts counts;
    int error = store_season_count(season->store, season->terms.id, &counts);

    season->is_voided = !error && counts.played < season->schedule.played_count;
    season->is_outdated = season->is_voided;
    return season->is_outdated
               ? store_refuse(season->store, -ESTALE,
                              "%lld games were voided: the season goes on with playing them again",
                              (long long)(season->schedule.played_count - counts.played))
               : error;
}

int season_begin(struct season *season)
{
    for (;;) {
        int error = store_begin(season->store);

        if (error || store_connection(season->store) == season->connection)
            return error;
        store_rollback(season->store);
        if ((error = find_losses(season)) < 0)
            return error;
    }
}

/*
 * Reads changes made by other processes since the last call, except new bots, which plan_next
 * reads. Returns 1 if there were changes, 0 if not, or -errno.
 */
static int look_outside(struct season *season)
{
    struct store_season terms;
    int64_t event;
    int error = store_event_latest(season->store, &event);

    if (!error && (store_connection(season->store) != season->connection || event < season->event))
        error = find_losses(season);
    if (error || event == season->event || (error = find_voided(season)) < 0)
        return error;
    if ((error = roster_look_again(&season->roster, season->store)) < 0)
        return error;
    for (int i = 0; i < season->schedule.entry_count; i++)
        schedule_void(&season->schedule, i, season->roster.members[i].bot.voided);
    error = store_season_find(season->store, season->terms.name, &terms);
    if (error == -ENOENT || (!error && terms.created_us != season->terms.created_us)) {
        /* The season was closed and removed; the store may have another one with its name and id.
         */
        season->terms.closed_us = clock_time_us();
        season->event = event;
        return 1;
    }
    error = error ?: store_openings_each(season->store, terms.id, keep_latest, &season->opening);
    if (error)
        return error;
    season->terms = terms;
    season->schedule.terms.budget_games = terms.budget_games;
    season->event = event;
    return 1;
}

bool season_is_open(const struct season *season)
{
    return !season->terms.closing_us && !season->terms.closed_us;
}

/* True if the result of a running game would not be stored or would not count. */
static bool is_given_up(const struct season *season, const struct season_game *game, int64_t now_us)
{
    const struct store_season *terms = &season->terms;

    return terms->closed_us || (terms->closing_us && now_us >= terms->closing_us) ||
           game->opening != season->opening.number ||
           schedule_is_void(&season->schedule, &season->schedule.groups[game->group]);
}

int season_look(struct season *season, int64_t now_us, const struct season_game *games,
                size_t count, bool *given_up)
{
    int changed = store_claim_check(season->store) ?: look_outside(season);

    for (size_t i = 0; i < count; i++)
        given_up[i] = changed >= 0 && is_given_up(season, &games[i], now_us);
    return changed;
}

/*
 * Stores a batch of groups, and the bots that enter the season with it. The caller adds the batch
 * to the schedule afterwards.
 */
static int store_batch(struct season *season, const struct store_group *groups, size_t group_count,
                       unsigned meeting_sizes)
{
    struct store_batch batch = {.number = season->schedule.batch_count,
                                .opening = season->opening.number,
                                .event = season->event,
                                .meeting_sizes = meeting_sizes,
                                .connection = season->connection};
    int first = season->roster.stored_count, count = season->roster.count - first;
    struct store_entry *entries = calloc((size_t)count + 1, sizeof *entries);
    int error;

    if (!entries)
        return -ENOMEM;
    for (int i = 0; i < count; i++)
        entries[i] = (struct store_entry){.number = first + i,
                                          .bot_id = season->roster.members[first + i].bot.id,
                                          .batch = season->schedule.batch_count};
    error = store_batch_add(season->store, season->terms.id, &batch, entries, (size_t)count, groups,
                            group_count);
    free(entries);
    if (!error) {
        season->roster.stored_count = season->roster.count;
        season->terms.decided_us = 0;
    }
    return error;
}

/*
 * Chooses and stores the next batch. Returns 1 if there is a batch, 0 if the season is decided, or
 * -ESTALE, with the choice discarded, if the store changed meanwhile.
 */
static int plan_next(struct season *season)
{
    struct schedule *schedule = &season->schedule;
    struct store_group *groups = NULL;
    unsigned meeting_sizes = 0;
    int count, error;

    schedule_forget_entries(schedule, season->roster.stored_count);
    error = roster_refresh(&season->roster, season->store, schedule->batch_count)
                ?: roster_tell_schedule(&season->roster, schedule);
    if (error)
        return error;
    if (!schedule_results_are_in(schedule))
        return -ESTALE; /* void games count again, because a ban was lifted */
    count = schedule_choose_batch(schedule, season->opening.number,
                                  seed_of_pairing(season->opening.seed), &groups, &meeting_sizes);
    if (count <= 0)
        return count;
    error = store_batch(season, groups, (size_t)count, meeting_sizes);
    if (!error)
        schedule->meeting_sizes = meeting_sizes;
    for (int i = 0; i < count && !error; i++)
        error = schedule_add(schedule, &groups[i]);
    free(groups);
    return error ? error : 1;
}

void season_fill_game(const struct season *season, struct season_game *game)
{
    const struct schedule_group *group = &season->schedule.groups[game->group];

    store_game_id(game->id, season->terms.name, game->group, game->rotation);
    game->player_count = group->player_count;
    game->board = group->board;
    for (int seat = 0; seat < group->player_count; seat++)
        game->entries[seat] = schedule_seat(group, game->rotation, seat);
    game->opening = season->opening.number;
    seed_of_game(season->opening.seed, game->group, game->rotation, game->seed);
}

/*
 * Called when the store is a backup that was restored: the season's seed may have been published
 * since the backup was made. Publishes that seed, and continues under a new seed.
 */
static int open_anew(struct season *season)
{
    const struct store_season *terms = &season->terms;
    const int64_t now_us = clock_time_us();
    struct store_opening opening;
    int error = make_opening(&opening, season->opening.number + 1, NULL, now_us)
                    ?: store_begin(season->store);

    if (error)
        return error;
    error = store_season_close(season->store, terms->id, now_us)
                ?: store_season_reopen(season->store, terms->id, terms->budget_games, &opening);
    return store_end(season->store, error);
}

/* Records for other processes that the season is decided, if its terms end the season then. */
static int decide(struct season *season)
{
    const int64_t now_us = clock_time_us();
    int error = 0;

    if (season->terms.until_decided && !season->terms.decided_us)
        error = store_season_decide(season->store, season->terms.id, now_us);
    if (!error)
        season->terms.decided_us = now_us;
    return error;
}

int season_next(struct season *season, struct season_game *game)
{
    for (;;) {
        int planned, error = look_outside(season);

        if (error < 0)
            return error;
        if (!season_is_open(season))
            return SEASON_CLOSED;
        if (season->opening.copied) {
            if ((error = open_anew(season)) < 0)
                return error;
            continue;
        }
        if (*season->terms.paused)
            return SEASON_RESTS;
        if (dates_are_past(&season->terms, season->now_fn()))
            return SEASON_SPENT;
        season->schedule.due_games = dates_due_games(&season->terms, season->now_fn());
        switch (schedule_next(&season->schedule, &game->group, &game->rotation)) {
        case SCHEDULE_AHEAD:
            return SEASON_RESTS;
        case SCHEDULE_GAME:
            season_fill_game(season, game);
            return SEASON_GAME;
        case SCHEDULE_WAIT:
            return SEASON_WAIT;
        case SCHEDULE_SPENT:
            return SEASON_SPENT;
        case SCHEDULE_PLAN_DUE:
            planned = plan_next(season);
            if (planned == 0)
                return decide(season) ?: SEASON_DECIDED;
            if (planned < 0 && planned != -ESTALE && planned != -ECANCELED)
                return explain(season, planned);
            break;
        }
    }
}

/* ---- games played by others ---- */

static int take_result(void *context, const struct store_game *game)
{
    struct loading *loading = context;
    const struct schedule *schedule = &loading->season->schedule;

    if (game->group < schedule->group_count && game->rotation < GAME_PLAYERS_MAX &&
        schedule->groups[game->group].states[game->rotation] == SCHEDULE_PLAYED)
        return 0;
    return load_game(context, game);
}

int season_read_results(struct season *season)
{
    struct loading loading = {.season = season};
    int first = schedule_first_unplayed(&season->schedule), error;

    if (first == season->schedule.group_count)
        return 0;
    error = store_results_each(season->store, season->terms.id, first, take_result, &loading);
    return loading.error ? loading.error : error;
}

static bool has_games_left(const struct schedule *schedule)
{
    return schedule->played_count + schedule_void_count(schedule) < schedule->game_count;
}

int season_deal(struct season *season)
{
    struct schedule *schedule = &season->schedule;

    for (;;) {
        struct season_game game;
        int step = season_next(season, &game);
        bool is_over = step == SEASON_SPENT || step == SEASON_DECIDED;

        if (step == SEASON_GAME)
            schedule_start_all(schedule);
        else
            return step == SEASON_RESTS || (is_over && has_games_left(schedule)) ? SEASON_WAIT
                                                                                 : step;
    }
}

int season_record(struct season *season, const struct store_game *game, const uint8_t *replay,
                  size_t replay_bytes)
{
    struct store_game kept = *game;
    int error;

    kept.play = season->terms.play;
    error = store_game_add(season->store, season->terms.id, &kept, replay, replay_bytes);
    error = error ?: schedule_record(&season->schedule, game);
    if (!error)
        season_watch(season, game);
    return error;
}

void season_watch_anew(struct season *season)
{
    breaker_finish(&season->watch);
    season->watch = (struct breaker){0};
}

void season_watch(struct season *season, const struct store_game *game)
{
    char words[BREAKER_WORDS_BYTES];
    struct store_game counted = *game;

    /* The season's latest games are to the ones before as a sick worker is to the others. */
    counted.worker_id = season->schedule.played_count / WATCHED_GAMES;
    season->watch.worker_max = WATCHED_PARTS;
    if (breaker_add(&season->watch, season->schedule.entries, &counted) < 0 ||
        *season->terms.paused ||
        !breaker_trips(&season->watch, counted.worker_id, BREAKER_TIMES, words) ||
        store_season_pause(season->store, season->terms.id, words) < 0)
        return;
    season_watch_anew(season);
}

int64_t season_prune(struct season *season)
{
    const struct store_season *terms = &season->terms;
    struct store_pruned pruned = {0};

    return (terms->prunes ? store_replays_prune(season->store, terms->id, terms->keep_games,
                                                PRUNED_MAX, &pruned)
                          : 0)
               ?: pruned.count;
}

void season_return(struct season *season, const struct season_game *game)
{
    schedule_return(&season->schedule, game->group, game->rotation);
}

int64_t season_first_meeting_games(struct season *season)
{
    int error = roster_refresh(&season->roster, season->store, 0)
                    ?: roster_tell_schedule(&season->roster, &season->schedule);

    return error ? explain(season, error)
                 : schedule_first_meeting_games(&season->schedule,
                                                seed_of_pairing(season->opening.seed));
}

int64_t season_game_budget(const struct season *season)
{
    const struct schedule *schedule = &season->schedule;
    const int name_count = season->terms.games_a_day ? schedule_names(schedule, 0, NULL) : 0;
    int64_t games = dates_budget_games(&season->terms, name_count, season->now_fn());

    if (games < schedule->game_count)
        games = schedule->game_count;

    return games - schedule_void_count(schedule);
}

int season_read_next(struct store *store, const char *name, int64_t *next_us)
{
    struct season season;
    double games;
    int error = season_load(&season, store, name);

    *next_us = 0;
    if (error)
        return error;
    if (season.terms.games_a_day && !*season.terms.paused) {
        schedule_names(&season.schedule, season.schedule.group_count, &games);
        *next_us = dates_due_us(&season.terms, games);
        if (season.terms.until_us && *next_us >= season.terms.until_us)
            *next_us = 0;
    }
    season_finish(&season);
    return 0;
}

struct store_season_counts season_counts(const struct season *season)
{
    const struct schedule *schedule = &season->schedule;

    return (struct store_season_counts){.entries = season->roster.stored_count,
                                        .batches = schedule->batch_count,
                                        .groups = schedule->group_count,
                                        .scheduled = schedule->game_count,
                                        .played = schedule->played_count};
}
