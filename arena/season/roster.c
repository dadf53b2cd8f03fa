/* SPDX-License-Identifier: MIT */
#include "arena/season/roster.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"

void roster_finish(struct roster *roster)
{
    free(roster->members);
    free(roster->only);
    memset(roster, 0, sizeof *roster);
}

static int find_bot(const struct roster *roster, int64_t bot_id)
{
    for (int i = 0; i < roster->count; i++)
        if (roster->members[i].bot.id == bot_id)
            return i;
    return SCHEDULE_NOBODY;
}

/* Returns the first bot of the roster that has the name of `entry`. This may be `entry` itself. */
static int first_of_name(const struct roster *roster, int entry)
{
    int i = 0;

    while (strcmp(roster->members[i].bot.name, roster->members[entry].bot.name) != 0)
        i++;
    return i;
}

/*
 * Returns the first bot of the roster by the author of `entry`. A reference bot plays for nobody,
 * so each counts as a bot of an author of its own, and those of one organizer may meet.
 */
static int first_of_author(const struct roster *roster, int entry)
{
    const struct store_bot *bot = &roster->members[entry].bot;

    for (int i = 0; i < entry; i++) {
        const struct store_bot *other = &roster->members[i].bot;

        if (other->reference == bot->reference &&
            (bot->reference ? strcmp(other->name, bot->name)
                            : strcmp(other->author, bot->author)) == 0)
            return i;
    }
    return entry;
}

/*
 * Sets the fields that refer to older bots, for the bots from number `first` on. The names of all
 * bots must be set.
 */
static void relate(struct roster *roster, int first)
{
    for (int i = first; i < roster->count; i++) {
        struct roster_member *member = &roster->members[i];

        member->previous = i - 1; /* older versions in between may not have entered the season */
        while (member->previous != SCHEDULE_NOBODY &&
               strcmp(roster->members[member->previous].bot.name, member->bot.name) != 0)
            member->previous--;
        member->name_entry = first_of_name(roster, i);
        member->author = first_of_author(roster, i);
    }
}

static int add_member(struct roster *roster, const struct store_bot *bot, int batch)
{
    if (ARRAY_GROW(roster->members, roster->count, 1) < 0)
        return -ENOMEM;
    roster->members[roster->count++] = (struct roster_member){.bot = *bot, .batch = batch};
    return 0;
}

static int add_entry(void *context, const struct store_entry *entry)
{
    struct store_bot bot = {.id = entry->bot_id}; /* see_bot sets the other fields */

    return add_member(context, &bot, entry->batch);
}

/* ---- who may take part ---- */

static int add_name(void *context, const char *name)
{
    struct roster *roster = context;

    if (ARRAY_GROW(roster->only, roster->only_count, 1) < 0)
        return -ENOMEM;
    snprintf(roster->only[roster->only_count++], sizeof *roster->only, "%s", name);
    return 0;
}

int roster_read_names(struct roster *roster, struct store *store)
{
    int error;

    free(roster->only);
    roster->only = NULL;
    roster->only_count = 0;
    error = store_roster_each(store, roster->season_id, add_name, roster);
    return error == -EINTR ? -ENOMEM : error;
}

bool roster_takes_name(const struct roster *roster, const char *name)
{
    for (int i = 0; i < roster->only_count; i++)
        if (strcmp(roster->only[i], name) == 0)
            return true;
    return roster->only_count == 0;
}

static bool is_listed(const struct roster *roster, const struct store_bot *bot)
{
    return bot->newest && !bot->retired_us && !bot->banned_us &&
           roster_takes_name(roster, bot->name);
}

static bool may_play(const struct roster *roster, const struct store_bot *bot)
{
    return is_listed(roster, bot) && !store_bot_is_too_slow(bot, &roster->clock);
}

/* ---- reading all bots ---- */

struct looking {
    struct roster *roster;
    int batch; /* first batch of new bots; SCHEDULE_NOBODY: add no bots */
    int error;
};

static int see_bot(void *context, const struct store_bot *bot)
{
    struct looking *looking = context;
    int entry = find_bot(looking->roster, bot->id);

    if (entry != SCHEDULE_NOBODY)
        looking->roster->members[entry].bot = *bot;
    else if (looking->batch != SCHEDULE_NOBODY && may_play(looking->roster, bot))
        looking->error = add_member(looking->roster, bot, looking->batch);
    return looking->error;
}

static int look(struct roster *roster, struct store *store, int batch)
{
    struct looking looking = {roster, batch, 0};
    int error = store_bots_of_season(store, roster->season_id, see_bot, &looking);

    return looking.error ? looking.error : error;
}

static int check_members(const struct roster *roster, struct store *store)
{
    char row[32];

    for (int i = 0; i < roster->count; i++) {
        if (*roster->members[i].bot.name)
            continue;
        snprintf(row, sizeof row, "number %d", i);
        return store_damaged(store, "entry", row, "bot", "there is no such bot");
    }
    return 0;
}

int roster_load(struct roster *roster, struct store *store, const struct store_season *season)
{
    int error;

    *roster = (struct roster){.season_id = season->id, .clock = season->clock};
    error = store_entries_each(store, season->id, add_entry, roster)
                ?: roster_read_names(roster, store)
                ?: look(roster, store, SCHEDULE_NOBODY) ?: check_members(roster, store);
    if (error) {
        roster_finish(roster);
        return error;
    }
    relate(roster, 0);
    roster->stored_count = roster->count;
    return 0;
}

int roster_refresh(struct roster *roster, struct store *store, int batch)
{
    int error = roster_read_names(roster, store);

    roster->count = roster->stored_count;
    error = error ?: look(roster, store, batch);
    if (!error)
        relate(roster, roster->stored_count);
    return error;
}

int roster_look_again(struct roster *roster, struct store *store)
{
    return look(roster, store, SCHEDULE_NOBODY);
}

struct counting {
    struct roster roster; /* only the names that may take part, and the clock */
    struct roster_counts *counts;
    char authors[GAME_PLAYERS_MAX][STORE_TEXT_BYTES_MAX + 1];
};

static int count_bot(void *context, const struct store_bot *bot)
{
    struct counting *counting = context;
    struct roster_counts *counts = counting->counts;
    int i = 0;

    if (!may_play(&counting->roster, bot)) {
        counts->too_slow_count += is_listed(&counting->roster, bot);
        return 0;
    }
    counts->bot_count++;
    while (i < counts->author_count &&
           (bot->reference || strcmp(counting->authors[i], bot->author) != 0))
        i++;
    if (i < counts->author_count || i == GAME_PLAYERS_MAX)
        return 0;
    if (!bot->reference) /* each reference bot is an author of its own: "" is nobody's name */
        memcpy(counting->authors[i], bot->author, sizeof bot->author);
    counts->author_count++;
    return 0;
}

int roster_count(struct store *store, const struct store_season *season,
                 struct roster_counts *counts)
{
    struct counting counting = {.roster = {.season_id = season->id, .clock = season->clock},
                                .counts = counts};
    int error;

    *counts = (struct roster_counts){0};
    error = roster_read_names(&counting.roster, store)
                ?: store_bots_of_season(store, season->id, count_bot, &counting);
    roster_finish(&counting.roster);
    return error;
}

struct waiting {
    const struct roster *roster;
    store_bot_fn *each_fn;
    void *context;
};

static int see_waiting(void *context, const struct store_bot *bot)
{
    const struct waiting *waiting = context;

    if (find_bot(waiting->roster, bot->id) != SCHEDULE_NOBODY || !may_play(waiting->roster, bot))
        return 0;
    return waiting->each_fn(waiting->context, bot);
}

int roster_each_waiting(const struct roster *roster, struct store *store, store_bot_fn *each_fn,
                        void *context)
{
    struct waiting waiting = {roster, each_fn, context};

    return store_bots_of_season(store, roster->season_id, see_waiting, &waiting);
}

bool roster_has_players(const struct roster *roster, const struct store_game *game)
{
    for (int seat = 0; seat < game->player_count; seat++)
        if (game->seats[seat].entry >= roster->count)
            return false;
    return true;
}

bool roster_counts(const struct roster *roster, const struct store_game *game)
{
    for (int seat = 0; seat < game->player_count; seat++) {
        int entry = game->seats[seat].entry;

        if (entry >= 0 && entry < roster->count && roster->members[entry].bot.voided)
            return false;
    }
    return true;
}

int roster_tell_schedule(const struct roster *roster, struct schedule *schedule)
{
    for (int i = 0; i < roster->count; i++) {
        const struct roster_member *member = &roster->members[i];
        struct schedule_entry entry = {.bot_id = member->bot.id,
                                       .previous = member->previous,
                                       .name_entry = member->name_entry,
                                       .author = member->author,
                                       .batch = member->batch,
                                       .active = may_play(roster, &roster->members[i].bot),
                                       .reference = member->bot.reference,
                                       .voided = member->bot.voided};

        if (i < schedule->entry_count) {
            schedule->entries[i].active = entry.active;
            schedule_void(schedule, i, entry.voided);
        } else {
            int added = schedule_enter(schedule, &entry);

            if (added < 0)
                return added;
        }
    }
    return 0;
}
