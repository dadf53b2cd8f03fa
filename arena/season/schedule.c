#include "arena/season/schedule.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void schedule_init(struct schedule *schedule, const struct schedule_terms *terms)
{
    memset(schedule, 0, sizeof *schedule);
    schedule->terms = *terms;
    for (int i = 0; i < terms->player_count_count; i++)
        schedule->seating |= 1u << terms->player_counts[i];
}

void schedule_finish(struct schedule *schedule)
{
    games_finish(&schedule->rated);
    free(schedule->entries);
    free(schedule->groups);
    free(schedule->batches);
    memset(schedule, 0, sizeof *schedule);
}

/* Makes room for another element of size bytes; the array may move. */
static int make_room(void *array, int count, int *room, size_t size)
{
    void **at = array;
    int larger = *room ? 2 * *room : 64;
    void *moved;

    if (count < *room)
        return 0;
    moved = realloc(*at, (size_t)larger * size);
    if (!moved)
        return -ENOMEM;
    *at = moved;
    *room = larger;
    return 0;
}

int schedule_enter(struct schedule *schedule, const struct schedule_entry *entry)
{
    if (schedule->entry_count == SCHEDULE_ENTRIES_MAX)
        return -E2BIG;
    if (make_room(&schedule->entries, schedule->entry_count, &schedule->entry_room,
                  sizeof *schedule->entries) < 0)
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
    if (make_room(&schedule->groups, schedule->group_count, &schedule->group_room,
                  sizeof *schedule->groups) < 0 ||
        make_room(&schedule->batches, schedule->batch_count, &schedule->batch_room,
                  sizeof *schedule->batches) < 0)
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
    schedule->rated_valid = false;   /* count the results again, */
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

/* Returns how many games of a group are not played. */
static int count_left(const struct schedule_group *group)
{
    int count = 0;

    for (int r = 0; r < group->player_count; r++)
        count += group->states[r] != SCHEDULE_PLAYED;
    return count;
}

bool schedule_is_played(const struct schedule *schedule, int batch)
{
    const struct schedule_batch *at = &schedule->batches[batch];

    if (at->left_count == 0)
        return true;
    for (int i = at->first_group; i < at->first_group + at->group_count; i++)
        if (count_left(&schedule->groups[i]) > 0 &&
            !schedule_is_void(schedule, &schedule->groups[i]))
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
        if (!schedule_is_played(schedule, batch))
            return false;
    return true;
}

enum schedule_next schedule_next(struct schedule *schedule, int *group, int *rotation)
{
    for (int i = schedule->first_open_group; i < schedule->group_count; i++) {
        struct schedule_group *open = &schedule->groups[i];

        for (int r = 0; r < open->player_count; r++) {
            if (open->states[r] != SCHEDULE_TO_PLAY || schedule_is_void(schedule, open))
                continue;
            open->states[r] = SCHEDULE_STARTED;
            *group = i;
            *rotation = r;
            return SCHEDULE_GAME;
        }
        schedule->first_open_group = i + 1;
    }
    if (schedule->game_count >= schedule->terms.budget_games)
        return SCHEDULE_SPENT;
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
    for (int i = schedule->first_open_group; i < schedule->group_count; i++)
        for (int r = 0; r < schedule->groups[i].player_count; r++)
            if (schedule->groups[i].states[r] == SCHEDULE_TO_PLAY)
                schedule->groups[i].states[r] = SCHEDULE_STARTED;
    schedule->first_open_group = schedule->group_count;
}

int schedule_first_unplayed(const struct schedule *schedule)
{
    for (int batch = 0; batch < schedule->batch_count; batch++) {
        const struct schedule_batch *at = &schedule->batches[batch];

        if (at->left_count == 0)
            continue;
        for (int i = at->first_group; i < at->first_group + at->group_count; i++)
            for (int r = 0; r < schedule->groups[i].player_count; r++)
                if (schedule->groups[i].states[r] != SCHEDULE_PLAYED &&
                    !schedule_is_void(schedule, &schedule->groups[i]))
                    return i;
    }
    return schedule->group_count;
}
