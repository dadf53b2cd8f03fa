/* SPDX-License-Identifier: MIT */
#include "arena/season/schedule.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"
#include "arena/rating/fit.h"
#include "arena/season/pairing.h"

/*
 * This file, from top to bottom: probation; groups and their games; the choice of the next batch,
 * which passes the usable results to the pairing and makes store groups of the pairing's choice;
 * the number of first meetings.
 */

void probation_add(struct probation *probation, bool forfeited)
{
    unsigned games = (unsigned)probation->forfeits << 1 | forfeited;

    probation->forfeits = (uint16_t)(games & ((1u << PROBATION_WINDOW) - 1));
}

bool probation_holds(const struct probation *probation)
{
    return probation_row(probation) >= PROBATION_ROW ||
           probation_count(probation) >= PROBATION_HALF;
}

int probation_row(const struct probation *probation)
{
    int row = 0;

    while (probation->forfeits >> row & 1)
        row++;
    return row;
}

int probation_count(const struct probation *probation)
{
    return __builtin_popcount(probation->forfeits);
}

int probation_games_left(const struct probation *probation)
{
    struct probation later = *probation;
    int count = 0;

    for (; probation_holds(&later); count++)
        probation_add(&later, false);
    return count;
}

/* ---- groups and games ---- */

void schedule_init(struct schedule *schedule, const struct store_season *terms)
{
    memset(schedule, 0, sizeof *schedule);
    schedule->terms = *terms;
    for (int i = 0; i < terms->player_count_count; i++)
        schedule->meeting_sizes |= 1u << terms->player_counts[i];
}

void schedule_finish(struct schedule *schedule)
{
    games_finish(&schedule->rated);
    free(schedule->entries);
    free(schedule->groups);
    free(schedule->batches);
    memset(schedule, 0, sizeof *schedule);
}

int schedule_enter(struct schedule *schedule, const struct schedule_entry *entry)
{
    if (schedule->entry_count == SCHEDULE_ENTRIES_MAX)
        return -E2BIG;
    if (ARRAY_GROW(schedule->entries, schedule->entry_count, 1) < 0)
        return -ENOMEM;
    schedule->entries[schedule->entry_count] = *entry;
    schedule->rated_valid = false;
    return schedule->entry_count++;
}

void schedule_forget_entries(struct schedule *schedule, int count)
{
    if (count >= schedule->entry_count)
        return;
    schedule->entry_count = count;
    schedule->rated_valid = false;
}

static bool group_is_sound(const struct schedule *schedule, const struct store_group *group)
{
    if (group->number != schedule->group_count || group->player_count < GAME_PLAYERS_MIN ||
        group->player_count > GAME_PLAYERS_MAX || group->batch < schedule->batch_count - 1 ||
        group->batch > schedule->batch_count)
        return false;
    for (int i = 0; i < group->player_count; i++) {
        if (group->base[i] < 0 || group->base[i] >= schedule->entry_count)
            return false;
        for (int j = 0; j < i; j++)
            if (group->base[i] == group->base[j])
                return false;
    }
    return true;
}

int schedule_add(struct schedule *schedule, const struct store_group *group)
{
    struct schedule_group *added;

    if (!group_is_sound(schedule, group))
        return -EBADMSG;
    if (ARRAY_GROW(schedule->groups, schedule->group_count, 1) < 0 ||
        ARRAY_GROW(schedule->batches, schedule->batch_count, 1) < 0)
        return -ENOMEM;
    if (group->batch == schedule->batch_count)
        schedule->batches[schedule->batch_count++] =
            (struct schedule_batch){.first_group = group->number};
    added = &schedule->groups[schedule->group_count++];
    *added = (struct schedule_group){.batch = group->batch,
                                     .opening = group->opening,
                                     .player_count = group->player_count,
                                     .board = group->board};
    for (int i = 0; i < group->player_count; i++)
        added->base[i] = (uint16_t)group->base[i];
    schedule->batches[group->batch].group_count++;
    schedule->batches[group->batch].left_count += group->player_count;
    schedule->game_count += group->player_count;
    return 0;
}

int schedule_record(struct schedule *schedule, const struct store_game *game)
{
    struct schedule_group *group;

    if (game->group < 0 || game->group >= schedule->group_count)
        return -EBADMSG;
    group = &schedule->groups[game->group];
    if (game->player_count != group->player_count || game->rotation < 0 ||
        game->rotation >= group->player_count || group->states[game->rotation] == SCHEDULE_PLAYED)
        return -EBADMSG;
    for (int seat = 0; seat < game->player_count; seat++) {
        if (game->seats[seat].entry != schedule_seat(group, game->rotation, seat) ||
            game->seats[seat].rank < 1 || game->seats[seat].rank > GAME_PLAYERS_MAX)
            return -EBADMSG;
        group->ranks[game->rotation][seat] = (uint8_t)game->seats[seat].rank;
        group->reasons[game->rotation][seat] = (uint8_t)game->seats[seat].reason;
    }
    group->states[game->rotation] = SCHEDULE_PLAYED;
    schedule->batches[group->batch].left_count--;
    schedule->played_count++;
    return 0;
}

void schedule_void(struct schedule *schedule, int entry, bool voided)
{
    if (schedule->entries[entry].voided == voided)
        return;
    schedule->entries[entry].voided = voided;
    schedule->rated_valid = false;   /* the next choice of groups counts the results again */
    schedule->rated_batch_count = 0; /* from the first batch on */
    schedule->first_open_group = 0;
}

bool schedule_is_void(const struct schedule *schedule, const struct schedule_group *group)
{
    for (int i = 0; i < group->player_count; i++)
        if (schedule->entries[group->base[i]].voided)
            return true;
    return false;
}

static int count_left(const struct schedule_group *group)
{
    int count = 0;

    for (int r = 0; r < group->player_count; r++)
        count += group->states[r] != SCHEDULE_PLAYED;
    return count;
}

/* True if a group whose games count has games that are not played. */
static bool is_left(const struct schedule *schedule, int group)
{
    return count_left(&schedule->groups[group]) > 0 &&
           !schedule_is_void(schedule, &schedule->groups[group]);
}

static bool is_played(const struct schedule *schedule, int batch)
{
    const struct schedule_batch *at = &schedule->batches[batch];

    if (at->left_count == 0)
        return true;
    for (int i = at->first_group; i < at->first_group + at->group_count; i++)
        if (is_left(schedule, i))
            return false;
    return true;
}

int64_t schedule_void_count(const struct schedule *schedule)
{
    int64_t count = 0;
    bool any = false;

    for (int i = 0; i < schedule->entry_count; i++)
        any = any || schedule->entries[i].voided;
    for (int batch = 0; batch < schedule->batch_count && any; batch++) {
        const struct schedule_batch *at = &schedule->batches[batch];

        for (int i = 0; i < at->group_count && at->left_count > 0; i++)
            if (schedule_is_void(schedule, &schedule->groups[at->first_group + i]))
                count += count_left(&schedule->groups[at->first_group + i]);
    }
    return count;
}

bool schedule_results_are_in(const struct schedule *schedule)
{
    for (int batch = schedule->rated_batch_count; batch < schedule->batch_count - 1; batch++)
        if (!is_played(schedule, batch))
            return false;
    return true;
}

int schedule_names(const struct schedule *schedule, int end, double *game_count)
{
    bool plays[SCHEDULE_ENTRIES_MAX] = {false}; /* by name_entry */
    int64_t games = 0;
    int count = 0;

    for (int i = 0; i < schedule->entry_count; i++) {
        bool *name = &plays[schedule->entries[i].name_entry];

        count += schedule->entries[i].active && !*name;
        *name = *name || schedule->entries[i].active;
    }
    for (int i = 0; i < end && game_count; i++) {
        const struct schedule_group *group = &schedule->groups[i];

        if (schedule_is_void(schedule, group))
            continue;
        for (int seat = 0; seat < group->player_count; seat++)
            if (plays[schedule->entries[group->base[seat]].name_entry])
                games += group->player_count;
    }
    if (game_count)
        *game_count = count ? (double)games / count : 0;
    return count;
}

/* True if group `number` may not begin yet. A group that has begun may go on. */
static bool is_ahead(const struct schedule *schedule, int number)
{
    double game_count;

    if (!schedule->terms.games_a_day)
        return false;
    for (int r = 0; number < schedule->group_count && r < schedule->groups[number].player_count;
         r++)
        if (schedule->groups[number].states[r] != SCHEDULE_TO_PLAY)
            return false;
    schedule_names(schedule, number, &game_count);
    return game_count > schedule->due_games;
}

enum schedule_next schedule_next(struct schedule *schedule, int *group, int *rotation)
{
    for (int i = schedule->first_open_group; i < schedule->group_count; i++) {
        struct schedule_group *open = &schedule->groups[i];

        for (int r = 0; r < open->player_count; r++) {
            if (open->states[r] != SCHEDULE_TO_PLAY || schedule_is_void(schedule, open))
                continue;
            if (is_ahead(schedule, i))
                return SCHEDULE_AHEAD;
            open->states[r] = SCHEDULE_STARTED;
            *group = i;
            *rotation = r;
            return SCHEDULE_GAME;
        }
        schedule->first_open_group = i + 1;
    }
    if (schedule->game_count >= schedule->terms.budget_games)
        return SCHEDULE_SPENT;
    /* A batch is chosen when its first group is due, so that it has the bots that came until then.
     */
    if (is_ahead(schedule, schedule->group_count))
        return SCHEDULE_AHEAD;
    return schedule_results_are_in(schedule) ? SCHEDULE_PLAN_DUE : SCHEDULE_WAIT;
}

void schedule_return(struct schedule *schedule, int group, int rotation)
{
    assert(schedule->groups[group].states[rotation] == SCHEDULE_STARTED);
    schedule->groups[group].states[rotation] = SCHEDULE_TO_PLAY;
    if (group < schedule->first_open_group)
        schedule->first_open_group = group;
}

void schedule_start_all(struct schedule *schedule)
{
    for (; schedule->first_open_group < schedule->group_count; schedule->first_open_group++) {
        struct schedule_group *group = &schedule->groups[schedule->first_open_group];

        if (is_ahead(schedule, schedule->first_open_group))
            break;
        for (int r = 0; r < group->player_count; r++)
            if (group->states[r] == SCHEDULE_TO_PLAY)
                group->states[r] = SCHEDULE_STARTED;
    }
}

int schedule_first_unplayed(const struct schedule *schedule)
{
    for (int batch = 0; batch < schedule->batch_count; batch++)
        if (!is_played(schedule, batch))
            for (int i = schedule->batches[batch].first_group;; i++)
                if (is_left(schedule, i))
                    return i;
    return schedule->group_count;
}

/* ---- rated results: those of all batches except the last ---- */

static void count_forfeits(struct schedule *schedule, const struct schedule_group *group,
                           int rotation)
{
    for (int seat = 0; seat < group->player_count; seat++) {
        int entry = schedule_seat(group, rotation, seat);
        int name_entry = schedule->entries[entry].name_entry;

        probation_add(&schedule->entries[name_entry].probation,
                      group->reasons[rotation][seat] != WIRE_PLAYED);
    }
}

static int rate_group(struct schedule *schedule, int number)
{
    const struct schedule_group *group = &schedule->groups[number];
    struct games_result result = {.group = number, .player_count = group->player_count};

    if (schedule_is_void(schedule, group))
        return 0;
    for (int rotation = 0; rotation < group->player_count; rotation++) {
        int error;

        for (int seat = 0; seat < group->player_count; seat++)
            result.bots[seat] = (uint16_t)schedule_seat(group, rotation, seat);
        memcpy(result.ranks, group->ranks[rotation], sizeof result.ranks);
        if ((error = games_add(&schedule->rated, &result)) < 0)
            return error;
        count_forfeits(schedule, group, rotation);
    }
    return 0;
}

/*
 * Creates the set of rated games. The set has a fixed number of bots, so a new bot requires a new
 * set.
 */
static int begin_rated(struct schedule *schedule)
{
    int error;

    games_finish(&schedule->rated);
    memset(&schedule->rated, 0, sizeof schedule->rated);
    schedule->rated_batch_count = 0;
    for (int i = 0; i < schedule->entry_count; i++)
        schedule->entries[i].probation = (struct probation){0};
    error = games_init(&schedule->rated, schedule->entry_count);
    schedule->rated_valid = error == 0;
    return error;
}

static int rate_batches(struct schedule *schedule)
{
    int error = schedule->rated_valid ? 0 : begin_rated(schedule);

    while (!error && schedule->rated_batch_count < schedule->batch_count - 1) {
        const struct schedule_batch *batch = &schedule->batches[schedule->rated_batch_count];

        assert(is_played(schedule, schedule->rated_batch_count));
        for (int i = 0; i < batch->group_count && !error; i++)
            error = rate_group(schedule, batch->first_group + i);
        schedule->rated_batch_count++;
    }
    if (!error)
        error = games_settle(&schedule->rated);
    if (error)
        /* Only a part of the batch's results was added, so the next call must start again. */
        schedule->rated_valid = false;
    return error;
}

/* ---- is the season decided? ---- */

static bool is_decided(const struct schedule *schedule, const struct fit *fit)
{
    int *order = calloc((size_t)schedule->entry_count + 1, sizeof *order);
    int above = SCHEDULE_NOBODY;
    bool decided = order != NULL;

    if (order)
        fit_order(fit, order);
    for (int i = 0; i < schedule->entry_count && decided; i++) {
        if (!schedule->entries[order[i]].active || schedule->entries[order[i]].reference)
            continue;
        if (fit->bots[order[i]].flags & FIT_PROVISIONAL)
            decided = false; /* the bot has too few games for a reliable standard error */
        if (above != SCHEDULE_NOBODY &&
            !decided_pair(fit->bots[above].elo - fit->bots[order[i]].elo,
                          fit_pair_se(fit, above, order[i])))
            decided = false;
        above = order[i];
    }
    free(order);
    return decided && above != SCHEDULE_NOBODY;
}

/* ---- what the pairing must know ---- */

static enum pairing_role role_of(const struct schedule *schedule, int entry, int64_t share)
{
    const struct schedule_entry *at = &schedule->entries[entry];

    if (!at->active)
        return PAIRING_AWAY;
    if (probation_holds(&schedule->entries[at->name_entry].probation))
        return PAIRING_PROBATION;
    return share == 0 ? PAIRING_NEW : PAIRING_ACTIVE;
}

/*
 * Returns a bot's rating; for a version that has not played yet, the rating of its previous
 * version.
 */
static double elo_of(const struct schedule *schedule, const struct fit *fit, int entry)
{
    while (schedule->rated.bots[entry].game_count == 0 &&
           schedule->entries[entry].previous != SCHEDULE_NOBODY)
        entry = schedule->entries[entry].previous;
    return fit->bots[entry].elo;
}

/* What a group adds to the share of each of its bots (struct pairing_bot). */
static int share_of_group(const struct schedule *schedule, int player_count)
{
    return schedule->terms.games_a_day ? player_count : 1;
}

/*
 * By dates each name gets as many games as the others, however many versions of it came: the newest
 * version of a name has the games of all of them, and gets none for being new.
 */
static void share_games(const struct schedule *schedule, struct pairing_bot *bots)
{
    for (int i = 0; i < schedule->entry_count; i++) {
        int first = schedule->entries[i].name_entry;

        if (first != i)
            bots[first].share += bots[i].share;
    }
    for (int i = 0; i < schedule->entry_count; i++) {
        bots[i].share = bots[schedule->entries[i].name_entry].share;
        if (bots[i].role == PAIRING_NEW && schedule->entries[i].name_entry != i)
            bots[i].role = PAIRING_ACTIVE;
    }
}

/* Returns the bots as the pairing sees them; fit is NULL if nothing was played. */
static struct pairing_bot *make_bots(const struct schedule *schedule, const struct fit *fit)
{
    struct pairing_bot *bots = calloc((size_t)schedule->entry_count + 1, sizeof *bots);

    if (!bots)
        return NULL;
    for (int i = 0; i < schedule->group_count; i++)
        for (int seat = 0; seat < schedule->groups[i].player_count; seat++)
            bots[schedule->groups[i].base[seat]].share +=
                share_of_group(schedule, schedule->groups[i].player_count);
    for (int i = 0; i < schedule->entry_count; i++) {
        bots[i].author = schedule->entries[i].author;
        bots[i].elo = fit ? elo_of(schedule, fit, i) : 0;
        bots[i].role = role_of(schedule, i, bots[i].share);
    }
    if (schedule->terms.games_a_day)
        share_games(schedule, bots);
    return bots;
}

/* ---- making groups of the pairing's choice ---- */

static enum board_side board_of(const struct schedule *schedule, int number)
{
    if (schedule->terms.board == STORE_BOARD_BOTH)
        /*
         * make_group reverses the bots of groups with odd numbers. Changing the side every two
         * groups gives both sides as many reversed groups.
         */
        return number / 2 % 2 ? BOARD_GRAY : BOARD_COLORED;
    return schedule->terms.board == STORE_BOARD_GRAY ? BOARD_GRAY : BOARD_COLORED;
}

static void make_group(const struct schedule *schedule, const struct pairing_group *chosen,
                       int player_count, struct store_group *group)
{
    for (int i = 0; i < player_count; i++)
        group->base[i] = chosen->bots[group->number % 2 ? player_count - 1 - i : i];
    group->player_count = player_count;
    group->batch = schedule->batch_count;
    group->board = board_of(schedule, group->number);
}

struct part {
    int player_count;
    size_t group_limit;        /* number of these groups in the batch */
    struct pairing_list first; /* first meetings */
    struct pairing_list others;
};

struct batch {
    const struct schedule *schedule;
    struct pairing_field field;
    struct pairing_bot *bots; /* the array field.bots, here not const */
    int32_t *met;             /* the array field.met, here not const */
    struct part parts[GAME_PLAYERS_MAX];
    int part_count;
    unsigned meeting_sizes;
};

static size_t met_entry(const struct schedule *schedule, size_t entry, bool by_name)
{
    return by_name ? (size_t)schedule->entries[entry].name_entry : entry;
}

/*
 * Counts in batch->met the groups of this size that two bots have played. A version has met whom it
 * met itself (its first meetings), or whom any version of its name met.
 */
static void find_met(struct batch *batch, int player_count, bool by_name)
{
    const struct schedule *schedule = batch->schedule;
    size_t n = (size_t)schedule->entry_count;

    memset(batch->met, 0, n * n * sizeof *batch->met);
    for (int i = 0; i < schedule->group_count; i++) {
        const struct schedule_group *group = &schedule->groups[i];

        for (int a = 0; group->player_count == player_count && a < player_count; a++)
            for (int b = 0; b < player_count; b++)
                batch->met[met_entry(schedule, group->base[a], by_name) * n +
                           met_entry(schedule, group->base[b], by_name)]++;
    }
    for (size_t a = 0; a < n && by_name; a++)
        for (size_t b = 0; b < n; b++)
            batch->met[a * n + b] =
                batch->met[met_entry(schedule, a, true) * n + met_entry(schedule, b, true)];
}

/* Determines which bots may fill tables, and how many groups each table size gets. */
static int divide(struct batch *batch)
{
    const struct schedule *schedule = batch->schedule;
    int size = 0, first = schedule->group_count;

    for (int i = 0; i < schedule->terms.player_count_count; i++) {
        batch->field.player_count = schedule->terms.player_counts[i];
        if (pairing_can_seat(&batch->field))
            batch->parts[batch->part_count++].player_count = batch->field.player_count;
    }
    if (batch->part_count == 0)
        return -EDOM;
    for (int i = 0; i < schedule->entry_count; i++)
        size += batch->bots[i].role == PAIRING_ACTIVE || batch->bots[i].role == PAIRING_NEW;
    for (int i = 0; i < size || i < 1; i++)
        batch->parts[(first + i) % batch->part_count].group_limit++;
    return 0;
}

/* Adds the groups chosen for one part to the bots' shares, which later parts of the batch use. */
static void count_list(struct batch *batch, const struct pairing_list *list, int player_count)
{
    for (size_t i = 0; i < list->group_count; i++)
        for (int seat = 0; seat < player_count; seat++)
            batch->bots[list->groups[i].bots[seat]].share +=
                share_of_group(batch->schedule, player_count);
}

/*
 * Chooses the first meetings at tables of one size. Returns 1 if the limit on groups may have left
 * some out, 0 if not, or -ENOMEM.
 */
static int choose_meetings(struct batch *batch, struct part *part)
{
    unsigned bit = 1u << part->player_count;
    int error;

    if (!(batch->meeting_sizes & bit) || part->group_limit == 0)
        return (batch->meeting_sizes & bit) != 0;
    find_met(batch, part->player_count, batch->field.is_even);
    batch->field.player_count = part->player_count;
    batch->field.group_limit = part->group_limit;
    batch->field.only_first = true;
    error = pairing_choose(&batch->field, &part->first);
    batch->field.only_first = false;
    if (error)
        return error;
    count_list(batch, &part->first, part->player_count);
    if (part->first.complete)
        batch->meeting_sizes &= ~bit; /* all first meetings at tables of this size are scheduled */
    return (batch->meeting_sizes & bit) != 0;
}

/*
 * Chooses groups other than first meetings. The table sizes take turns: each new bot, and each bot
 * on probation, gets its own groups at one size only. At other sizes, a new bot plays like any
 * other bot, and a bot on probation does not play. If the bots cannot fill a table of this size
 * under this rule, all bots play at this size as usual.
 */
static int choose_others(struct batch *batch, struct part *part, int number)
{
    struct pairing_bot *bots = batch->bots;
    int count = batch->schedule->entry_count;
    enum pairing_role *roles = calloc((size_t)count + 1, sizeof *roles);
    int error, newcomers = 0;

    if (!roles)
        return -ENOMEM;
    for (int i = 0; i < count; i++) {
        roles[i] = bots[i].role;
        if (roles[i] == PAIRING_NEW && newcomers++ % batch->part_count != number)
            bots[i].role = PAIRING_ACTIVE;
        if (roles[i] == PAIRING_PROBATION && i % batch->part_count != number)
            bots[i].role = PAIRING_AWAY;
    }
    batch->field.player_count = part->player_count;
    batch->field.group_limit = part->group_limit - part->first.group_count;
    if (!pairing_can_seat(&batch->field))
        for (int i = 0; i < count; i++)
            bots[i].role = roles[i];
    if (batch->field.in_rounds)
        find_met(batch, part->player_count, true);
    error = pairing_choose(&batch->field, &part->others);
    for (int i = 0; i < count; i++)
        bots[i].role = roles[i];
    if (!error)
        count_list(batch, &part->others, part->player_count);
    free(roles);
    return error;
}

/*
 * While a table size has first meetings to come, a new bot joins them and gets no
 * newcomer's groups.
 */
static void let_newcomers_join(struct batch *batch)
{
    bool in_stage = false;

    for (int i = 0; i < batch->part_count; i++)
        in_stage |= (batch->meeting_sizes & 1u << batch->parts[i].player_count) != 0;
    for (int i = 0; i < batch->schedule->entry_count && in_stage; i++)
        if (batch->bots[i].role == PAIRING_NEW)
            batch->bots[i].role = PAIRING_ACTIVE;
}

static int choose_parts(struct batch *batch)
{
    size_t met_count = 0;
    bool stage_goes_on = false;

    let_newcomers_join(batch);
    for (int i = 0; i < batch->part_count; i++) {
        int more = choose_meetings(batch, &batch->parts[i]);

        if (more < 0)
            return more;
        stage_goes_on |= more;
        met_count += batch->parts[i].first.group_count;
    }
    if (met_count > 0 && !stage_goes_on)
        return 0; /* end the batch here: the next batch can use its results */
    for (int i = 0; i < batch->part_count; i++) {
        struct part *part = &batch->parts[i];
        int error = 0;

        if (part->group_limit > part->first.group_count)
            error = choose_others(batch, part, i);
        if (error)
            return error;
    }
    return 0;
}

static const struct pairing_group *take_group(const struct part *part, size_t number)
{
    if (number < part->first.group_count)
        return &part->first.groups[number];
    number -= part->first.group_count;
    return number < part->others.group_count ? &part->others.groups[number] : NULL;
}

/*
 * Makes store groups, with alternating table sizes, until the budget is reached. Groups are whole,
 * so the games may exceed the budget.
 */
static int make_groups(struct batch *batch, int opening, struct store_group **groups)
{
    const struct schedule *schedule = batch->schedule;
    int64_t games = schedule->game_count;
    size_t taken[GAME_PLAYERS_MAX] = {0}, total = 0;
    int count = 0;

    for (int i = 0; i < batch->part_count; i++)
        total += batch->parts[i].first.group_count + batch->parts[i].others.group_count;
    *groups = calloc(total + 1, sizeof **groups);
    if (!*groups)
        return -ENOMEM;
    for (int turn = schedule->group_count; (size_t)count < total; turn++) {
        int which = turn % batch->part_count;
        const struct part *part = &batch->parts[which];
        const struct pairing_group *chosen = take_group(part, taken[which]);
        struct store_group *group = &(*groups)[count];

        if (!chosen)
            continue;
        if (games >= schedule->terms.budget_games) {
            /*
             * Some chosen groups are left out, so at every table size first meetings may be left.
             */
            batch->meeting_sizes = schedule->meeting_sizes;
            break;
        }
        taken[which]++;
        group->number = schedule->group_count + count++;
        group->opening = opening;
        make_group(schedule, chosen, part->player_count, group);
        games += part->player_count;
    }
    return count;
}

/* Chooses groups and writes them to *groups. Returns their number, -ENOMEM or -EDOM. */
static int choose_groups(struct batch *batch, int opening, struct store_group **groups)
{
    size_t n = (size_t)batch->schedule->entry_count;
    int result;

    batch->meeting_sizes = batch->schedule->meeting_sizes;
    batch->field.bots = batch->bots;
    batch->field.bot_count = batch->schedule->entry_count;
    batch->field.authors_free = batch->schedule->terms.authors_free;
    batch->field.in_rounds = !batch->schedule->terms.until_decided;
    batch->field.is_even = batch->schedule->terms.games_a_day != 0;
    batch->field.batch = (uint32_t)batch->schedule->batch_count;
    batch->field.met = batch->met = calloc(n * n + 1, sizeof *batch->met);
    result = batch->met ? divide(batch) : -ENOMEM;
    if (!result)
        result = choose_parts(batch);
    if (!result)
        result = make_groups(batch, opening, groups);
    for (int i = 0; i < batch->part_count; i++) {
        pairing_finish(&batch->parts[i].first);
        pairing_finish(&batch->parts[i].others);
    }
    free(batch->met);
    return result;
}

int schedule_choose_batch(struct schedule *schedule, int opening, uint64_t randomness,
                          struct store_group **groups, unsigned *meeting_sizes)
{
    struct batch batch = {.schedule = schedule, .field = {.seed = randomness}};
    struct fit fit;
    int result = rate_batches(schedule);

    if (result || (result = fit_init(&fit, &schedule->rated, FIT_PRIOR_ELO)) < 0)
        return result;
    schedule->decided = schedule->rated.game_count > 0 && is_decided(schedule, &fit);
    batch.bots = make_bots(schedule, &fit);
    batch.field.pair_se_elo = schedule->rated.game_count > 0 ? fit.pair_se_elo : NULL;
    if (!batch.bots)
        result = -ENOMEM;
    else if (!schedule->terms.until_decided || !schedule->decided)
        result = choose_groups(&batch, opening, groups);
    *meeting_sizes = batch.meeting_sizes;
    free(batch.bots);
    fit_finish(&fit);
    return result;
}

/* ---- the number of first meetings ---- */

/*
 * Adds a batch, as if no game had been played. Returns how many groups the batch has, 0 once all
 * first meetings are scheduled, or -errno.
 */
static int add_unrated_batch(struct schedule *schedule, uint64_t randomness)
{
    struct batch batch = {.schedule = schedule, .field = {.seed = randomness}};
    struct store_group *groups = NULL;
    int count;

    batch.bots = make_bots(schedule, NULL);
    count = batch.bots ? choose_groups(&batch, 0, &groups) : -ENOMEM;
    for (int i = 0; i < count; i++)
        if (schedule_add(schedule, &groups[i]) < 0)
            count = -ENOMEM;
    free(groups);
    free(batch.bots);
    /* A table size that the bots cannot fill has no first meetings. */
    schedule->meeting_sizes = 0;
    for (int i = 0; i < batch.part_count; i++)
        schedule->meeting_sizes |= batch.meeting_sizes & 1u << batch.parts[i].player_count;
    return count;
}

int64_t schedule_first_meeting_games(const struct schedule *schedule, uint64_t randomness)
{
    struct schedule copy;
    int64_t games;
    int result = 1;

    schedule_init(&copy, &schedule->terms);
    copy.terms.budget_games = INT64_MAX;
    for (int i = 0; i < schedule->entry_count && result > 0; i++)
        result = schedule_enter(&copy, &schedule->entries[i]) < 0 ? -ENOMEM : 1;
    while (result > 0 && copy.meeting_sizes)
        result = add_unrated_batch(&copy, randomness);
    games = result == -ENOMEM ? -ENOMEM : copy.game_count;
    schedule_finish(&copy);
    return games;
}
