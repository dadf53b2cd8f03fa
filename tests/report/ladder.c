/* SPDX-License-Identifier: MIT */
/* A ladder in every form, completely compared with tests/golden/ladder.txt. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/report/ladder.h"
#include "tests/golden.h"

/* ---- a season ---- */

/*
 * Versions created without a store: one was replaced, one retired, two are the same package and one
 * of these is a reference bot, one forfeits, and two of one author lose to each other on purpose.
 */
enum field_entry {
    FIELD_ANT,
    FIELD_BEE_1, /* replaced by FIELD_BEE_2 */
    FIELD_BEE_2,
    FIELD_CAT, /* retired */
    FIELD_DOG, /* ant's package under another name; a reference bot */
    FIELD_EEL, /* forfeits its last games */
    FIELD_FOX, /* loses every game to gnu on purpose */
    FIELD_GNU,
    FIELD_ENTRIES,
};

enum {
    GROUPS = 240,
};

static const struct {
    const char *name, *version, *author, *language, *sha256;
    int strength;
    bool replaced, retired, reference;
} bots[FIELD_ENTRIES] = {
    [FIELD_ANT] = {"ant", "1", "Ada", "C", "aa", 60, false, false, false},
    [FIELD_BEE_1] = {"bee", "1", "Bob", "Python", "b1", 40, true, false, false},
    [FIELD_BEE_2] = {"bee", "2", "Bob", "Python", "b2", 70, false, false, false},
    [FIELD_CAT] = {"cat", "=1+beta", "Cy", "Lua", "", 50, false, true, false},
    [FIELD_DOG] = {"dog", "1", "Ada, too", "C", "aa", 60, false, false, true},
    [FIELD_EEL] = {"eel-with-a-rather-long-name", "1", "Eve\033[31m", "Perl", "", 30, false, false,
                   false},
    [FIELD_FOX] = {"fox", "1", "Puppet", "C", "ff", 60, false, false, false},
    [FIELD_GNU] = {"gnu", "1", "Puppet", "C", "gg", 60, false, false, false},
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

/* Computes the standings of a list (enum ladder_list bits); call standings_finish. */
static void field_init(struct standings *standings, unsigned list)
{
    struct ladder_entry *entries;

    memset(standings, 0, sizeof *standings);
    standings->season.player_count_count = 2;
    standings->season.player_counts[0] = 2;
    standings->season.player_counts[1] = 3;
    snprintf(standings->season.name, sizeof standings->season.name, "spring");
    standings->roster.members = calloc(FIELD_ENTRIES, sizeof *standings->roster.members);
    standings->roster.count = FIELD_ENTRIES;
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
        member->bot.reference = bots[i].reference;
    }
    entries = ladder_make_entries(&standings->roster, 0);
    cr_assert_eq(ladder_init(&standings->ladders[0], entries, FIELD_ENTRIES), 0);
    free(entries);
    add_games(standings);
    cr_assert_eq(ladder_settle(&standings->ladders[0], list, &standings->row_counts[0]), 0);
}

/* ---- its ladder ---- */

static const struct {
    const char *title;
    unsigned list;
    int width;
    bool color;
} texts[] = {
    {"final, 80 columns", LADDER_FINAL, 80, false},
    {"final, 110 columns, in color", LADDER_FINAL, 110, true},
    {"final, wide", LADDER_FINAL, 0, false},
    {"final, all in place", LADDER_FINAL | LADDER_IN_PLACE, 80, false},
    {"live", LADDER_LIVE, 80, false},
};

/* Prints a line per key, and one per item of an array. */
static void print_json(FILE *file, json_t *value)
{
    const char *key;
    json_t *of;

    json_object_foreach(value, key, of)
    {
        fprintf(file, "%s\n", key);
        for (size_t i = 0; i < (json_is_array(of) ? json_array_size(of) : 1); i++) {
            json_dumpf(json_is_array(of) ? json_array_get(of, i) : of, file,
                       JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
            fputc('\n', file);
        }
    }
    json_decref(value);
}

static void describe(FILE *file)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct standings standings;
        struct report_ladder report = {&standings, 0};
        struct columns_layout layout = {texts[i].width, texts[i].color};

        field_init(&standings, texts[i].list);
        fprintf(file, "==== %s\n", texts[i].title);
        cr_assert_eq(report_ladder_print(file, &report, layout), 0);
        standings_finish(&standings);
    }
    for (unsigned list = LADDER_FINAL; list <= LADDER_LIVE; list++) {
        struct standings standings;
        struct report_ladder report = {&standings, 0};

        field_init(&standings, list);
        fprintf(file, "==== csv %u\n", list);
        report_ladder_print_csv(file, &report);
        fprintf(file, "==== json %u\n", list);
        print_json(file, report_ladder_json(&report));
        standings_finish(&standings);
    }
}

static void describe_cross(FILE *file)
{
    struct standings standings;
    struct report_ladder report = {&standings, 0};

    field_init(&standings, LADDER_FINAL);
    fputs("==== cross\n", file);
    cr_assert_eq(report_cross_print(file, &report, (struct columns_layout){.width = 80}), 0);
    fputs("==== cross json\n", file);
    print_json(file, report_cross_json(&report));
    standings_finish(&standings);
}

Test(ladder, is_one_golden_text)
{
    char *made = NULL;
    size_t size;
    FILE *file = open_memstream(&made, &size);

    describe(file);
    describe_cross(file);
    fclose(file);
    golden_expect("ladder.txt", made);
    free(made);
}

Test(ladder, no_line_is_wider_than_it_may_be)
{
    for (int width = 80; width <= 200; width += 8) {
        struct standings standings;
        struct report_ladder report = {&standings, 0};
        char *text = NULL, *rest;
        size_t size = 0;
        FILE *file = open_memstream(&text, &size);

        field_init(&standings, LADDER_FINAL);
        cr_assert_eq(report_ladder_print(file, &report, (struct columns_layout){.width = width}),
                     0);
        fclose(file);
        rest = strstr(text, "\n\n") + 2; /* the table */
        *strstr(rest, "\n\n") = '\0';
        for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
            cr_expect_leq(strlen(line), (size_t)width, "%s", line);
        free(text);
        standings_finish(&standings);
    }
}

Test(ladder, a_reference_bot_plays_without_a_rank)
{
    struct standings standings;
    const struct ladder *ladder = &standings.ladders[0];
    int ranked = 0;

    field_init(&standings, LADDER_FINAL);
    for (int i = 0; i < standings.row_counts[0]; i++) {
        const struct ladder_row *row = &ladder->rows[i];

        ranked += row->ranked;
        if (row->entry == FIELD_DOG) {
            cr_expect(row->plays && !row->ranked && row->rank_best == 0 && row->game_count > 0);
            cr_expect(isnan(row->los_next) && row->flags & LADDER_REFERENCE);
            cr_expect(ladder->rows[i + 1].plays, "the bot is listed where it stands");
        }
    }
    for (int i = 0; i < standings.row_counts[0]; i++)
        cr_expect_leq(ladder->rows[i].rank_worst, ranked);
    standings_finish(&standings);
}

Test(ladder, a_score_that_chance_does_not_explain_is_flagged)
{
    struct standings standings;
    const struct ladder *ladder = &standings.ladders[0];
    json_t *json, *residuals;

    field_init(&standings, LADDER_FINAL);
    for (int i = 0; i < standings.row_counts[0]; i++)
        cr_expect_eq(!!(ladder->rows[i].flags & LADDER_RESIDUAL),
                     ladder->rows[i].entry == FIELD_FOX || ladder->rows[i].entry == FIELD_GNU,
                     "entry %d", ladder->rows[i].entry);
    json = report_cross_json(&(struct report_ladder){&standings, 0});
    residuals = json_object_get(json, "residuals");
    cr_assert_eq(json_array_size(residuals), 1);
    cr_expect_str_eq(json_string_value(json_object_get(json_array_get(residuals, 0), "bot")),
                     "gnu");
    cr_expect_str_eq(json_string_value(json_object_get(json_array_get(residuals, 0), "opponent")),
                     "fox");
    json_decref(json);
    standings_finish(&standings);
}
