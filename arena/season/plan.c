#include "arena/season/plan.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/decided.h"
#include "arena/rating/fit.h"
#include "arena/season/pairing.h"

/* ---- what may be known: the results of all batches but the last ---- */

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

    for (int seat = 0; seat < group->player_count; seat++)
        if (schedule->entries[group->base[seat]].voided)
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

/* A set of games is made for so many bots: with one more it begins again. */
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

        assert(batch->left_count == 0);
        for (int i = 0; i < batch->group_count && !error; i++)
            error = rate_group(schedule, batch->first_group + i);
        schedule->rated_batch_count++;
    }
    if (!error)
        error = games_settle(&schedule->rated);
    if (error)
        schedule->rated_valid = false; /* half added: begin again next time */
    return error;
}

/* ---- is it over? ---- */

static bool is_decided(const struct schedule *schedule, const struct fit *fit)
{
    int *order = calloc((size_t)schedule->entry_count + 1, sizeof *order);
    int above = SCHEDULE_NOBODY;
    bool decided = order != NULL;

    if (order)
        fit_order(fit, order);
    for (int i = 0; i < schedule->entry_count && decided; i++) {
        if (!schedule->entries[order[i]].active)
            continue;
        if (fit->bots[order[i]].flags & FIT_PROVISIONAL)
            decided = false; /* too few games to trust any error */
        if (above != SCHEDULE_NOBODY &&
            !decided_pair(fit->bots[above].elo - fit->bots[order[i]].elo,
                          fit_pair_se(fit, above, order[i])))
            decided = false;
        above = order[i];
    }
    free(order);
    return decided && above != SCHEDULE_NOBODY;
}

/* ---- the field as the pairing sees it ---- */

static void count_groups(const struct schedule *schedule, struct pairing_bot *bots)
{
    for (int i = 0; i < schedule->group_count; i++)
        for (int seat = 0; seat < schedule->groups[i].player_count; seat++)
            bots[schedule->groups[i].base[seat]].group_count++;
}

static enum pairing_role role_of(const struct schedule *schedule, int entry, int64_t group_count)
{
    const struct schedule_entry *at = &schedule->entries[entry];

    if (!at->active)
        return PAIRING_AWAY;
    if (probation_holds(&schedule->entries[at->name_entry].probation))
        return PAIRING_PROBATION;
    return group_count == 0 ? PAIRING_NEW : PAIRING_ACTIVE;
}

/* A version that has not played is taken for as good as the one before it. */
static double elo_of(const struct schedule *schedule, const struct fit *fit, int entry)
{
    while (schedule->rated.bots[entry].game_count == 0 &&
           schedule->entries[entry].previous != SCHEDULE_NOBODY)
        entry = schedule->entries[entry].previous;
    return fit->bots[entry].elo;
}

static struct pairing_bot *make_bots(const struct schedule *schedule, const struct fit *fit)
{
    struct pairing_bot *bots = calloc((size_t)schedule->entry_count + 1, sizeof *bots);

    if (!bots)
        return NULL;
    count_groups(schedule, bots);
    for (int i = 0; i < schedule->entry_count; i++) {
        bots[i].author = schedule->entries[i].author;
        bots[i].elo = elo_of(schedule, fit, i);
        bots[i].role = role_of(schedule, i, bots[i].group_count);
    }
    return bots;
}

/* ---- the groups ---- */

static enum board_side board_of(const struct schedule *schedule, int number)
{
    if (schedule->terms.board == STORE_BOARD_BOTH)
        /* Two of a side in a row: odd groups are reversed, on both sides alike. */
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

/* Takes groups off the list until the budget is reached: whole ones, so it may be exceeded. */
static int make_groups(const struct schedule *schedule, const struct pairing_list *list,
                       int player_count, int opening, struct store_group **groups)
{
    int64_t games = schedule->game_count;
    int count = 0;

    *groups = calloc(list->group_count + 1, sizeof **groups);
    if (!*groups)
        return -ENOMEM;
    while ((size_t)count < list->group_count && games < schedule->terms.budget_games) {
        struct store_group *group = &(*groups)[count];

        group->number = schedule->group_count + count;
        group->opening = opening;
        make_group(schedule, &list->groups[count], player_count, group);
        games += player_count;
        count++;
    }
    return count;
}

static int choose(const struct schedule *schedule, struct pairing_field *field, int opening,
                  struct store_group **groups)
{
    int sizes = schedule->terms.player_count_count;
    struct pairing_list list;
    int count, error;

    for (int i = 0; i < sizes; i++) {
        field->player_count = schedule->terms.player_counts[(schedule->batch_count + i) % sizes];
        if (!pairing_can_seat(field))
            continue;
        error = pairing_choose(field, &list);
        if (error)
            return error;
        count = make_groups(schedule, &list, field->player_count, opening, groups);
        pairing_finish(&list);
        return count;
    }
    return -EDOM;
}

int plan_batch(struct schedule *schedule, int opening, uint64_t randomness,
               struct store_group **groups)
{
    struct pairing_field field = {
        .bot_count = schedule->entry_count,
        /* Each table size begins with a round robin of its own. */
        .batch = (uint32_t)(schedule->batch_count / schedule->terms.player_count_count),
        .seed = randomness};
    struct pairing_bot *bots;
    struct fit fit;
    int result = rate_batches(schedule);

    if (result || (result = fit_init(&fit, &schedule->rated, FIT_PRIOR_ELO)) < 0)
        return result;
    schedule->decided = schedule->rated.game_count > 0 && is_decided(schedule, &fit);
    bots = make_bots(schedule, &fit);
    field.bots = bots;
    field.pair_se_elo = schedule->rated.game_count > 0 ? fit.pair_se_elo : NULL;
    if (!bots)
        result = -ENOMEM;
    else if (!schedule->terms.until_decided || !schedule->decided)
        result = choose(schedule, &field, opening, groups);
    free(bots);
    fit_finish(&fit);
    return result;
}
