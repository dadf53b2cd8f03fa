#include "tests/report/field.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GROUPS = 240,
};

static const struct {
    const char *name, *version, *author, *language, *sha256;
    int strength;
    bool replaced, retired;
} bots[FIELD_ENTRIES] = {
    [FIELD_ANT] = {"ant", "1", "Ada", "C", "aa", 60, false, false},
    [FIELD_BEE_1] = {"bee", "1", "Bob", "Python", "b1", 40, true, false},
    [FIELD_BEE_2] = {"bee", "2", "Bob", "Python", "b2", 70, false, false},
    [FIELD_CAT] = {"cat", "1 beta", "Cy", "Lua", "", 50, false, true},
    [FIELD_DOG] = {"dog", "1", "Ada, too", "C", "aa", 60, false, false},
    [FIELD_EEL] = {"eel-with-a-rather-long-name", "1", "Eve\033[31m", "Perl", "", 30, false, false},
    [FIELD_FOX] = {"fox", "1", "Puppet", "C", "ff", 60, false, false},
    [FIELD_GNU] = {"gnu", "1", "Puppet", "C", "gg", 60, false, false},
};

static int draw(uint64_t *state, int count)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int)((*state >> 33) % (uint64_t)count);
}

static bool both_sit(const int *entries, int count, int a, int b)
{
    int found = 0;

    for (int i = 0; i < count; i++)
        found += entries[i] == a || entries[i] == b;
    return found == 2;
}

/* Random bots at a table; bee's second version comes in the middle of the season. */
static void choose(uint64_t *state, int group, int count, int *entries)
{
    if (count == 2 && group % 6 == 0) { /* the two of one author, again and again */
        entries[0] = FIELD_FOX;
        entries[1] = FIELD_GNU;
        return;
    }
    do {
        for (int i = 0; i < count; i++) {
            bool taken;

            do {
                entries[i] = draw(state, FIELD_ENTRIES);
                taken = entries[i] == (group < GROUPS / 2 ? FIELD_BEE_2 : FIELD_BEE_1);
                for (int j = 0; j < i; j++)
                    taken |= entries[j] == entries[i];
            } while (taken);
        }
    } while (count > 2 && both_sit(entries, count, FIELD_FOX, FIELD_GNU));
}

static void play(uint64_t *state, const int *entries, struct store_game *game)
{
    int points[GAME_PLAYERS_MAX];
    bool thrown = both_sit(entries, game->player_count, FIELD_FOX, FIELD_GNU);

    for (int seat = 0; seat < game->player_count; seat++) {
        int entry = entries[(seat + game->rotation) % game->player_count];
        bool forfeits = entry == FIELD_EEL && draw(state, GROUPS) < game->group;

        points[seat] = bots[entry].strength + draw(state, 60);
        if (forfeits || (thrown && entry == FIELD_FOX))
            points[seat] = 0;
        game->seats[seat] = (struct store_seat){.entry = entry,
                                                .score = points[seat],
                                                .reason = !forfeits        ? WIRE_PLAYED
                                                          : draw(state, 2) ? WIRE_CRASH
                                                                           : WIRE_TIMEOUT};
    }
    for (int seat = 0; seat < game->player_count; seat++) {
        game->seats[seat].rank = 1;
        for (int other = 0; other < game->player_count; other++)
            game->seats[seat].rank += points[other] > points[seat];
    }
}

static void add_games(struct standings *standings)
{
    uint64_t state = 1;

    for (int group = 0; group < GROUPS; group++) {
        int count = 2 + group % 2, entries[GAME_PLAYERS_MAX];

        choose(&state, group, count, entries);
        for (int rotation = 0; rotation < count; rotation++) {
            struct store_game game = {.group = group, .rotation = rotation, .player_count = count};

            play(&state, entries, &game);
            cr_assert_eq(ladder_add(&standings->ladders[0], &game), 0);
        }
    }
}

void field_init(struct standings *standings, unsigned list)
{
    struct ladder_entry *entries;

    memset(standings, 0, sizeof *standings);
    snprintf(standings->season.name, sizeof standings->season.name, "spring");
    standings->roster.members = calloc(FIELD_ENTRIES, sizeof *standings->roster.members);
    standings->roster.count = standings->roster.room = FIELD_ENTRIES;
    for (int i = 0; i < FIELD_ENTRIES; i++) {
        struct roster_member *member = &standings->roster.members[i];

        member->name_entry = i == FIELD_BEE_2 ? FIELD_BEE_1 : i;
        member->previous = i == FIELD_BEE_2 ? FIELD_BEE_1 : LADDER_NOBODY;
        snprintf(member->bot.name, sizeof member->bot.name, "%s", bots[i].name);
        snprintf(member->bot.version, sizeof member->bot.version, "%s", bots[i].version);
        snprintf(member->bot.author, sizeof member->bot.author, "%s", bots[i].author);
        snprintf(member->bot.language, sizeof member->bot.language, "%s", bots[i].language);
        snprintf(member->bot.content_sha256, sizeof member->bot.content_sha256, "%s",
                 bots[i].sha256);
        member->bot.newest = !bots[i].replaced;
        member->bot.retired_us = bots[i].retired;
    }
    entries = ladder_make_entries(&standings->roster, 0);
    cr_assert_eq(ladder_init(&standings->ladders[0], entries, FIELD_ENTRIES), 0);
    free(entries);
    add_games(standings);
    cr_assert_eq(ladder_settle(&standings->ladders[0], list, &standings->row_counts[0]), 0);
}
