/* SPDX-License-Identifier: MIT */
#include "tests/season/fake.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/draw.h"
#include "engine/notation.h"

enum {
    JOBS_MAX = 16,
    LUCK_POINTS = 20,
    CRASHING_GROUPS = 8, /* of FAKE_RECOVERS: its groups below this number */
};

void fake_submit(struct fake *fake, const struct fake_bot *bot)
{
    struct store_bot row = {.language = "C", .submitted_us = 1};
    struct store_package package = {(const uint8_t *)"p", 1};

    strcpy(row.name, bot->name);
    strcpy(row.version, bot->version);
    strcpy(row.author, bot->author);
    row.reference = bot->reference;
    memset(row.sha256, 'a', STORE_HASH_DIGITS);
    memset(row.built_sha256, 'a', STORE_HASH_DIGITS);
    row.manifest = "{}";
    cr_assert_eq(store_bot_add(fake->store, &row, package, package), 0, "%s",
                 store_failure(fake->store));
}

void fake_create(struct fake *fake, const struct fake_bot *bots, int bot_count)
{
    *fake = (struct fake){.bots = bots, .bot_count = bot_count};
    strcpy(fake->home, "/tmp/season-test-XXXXXX");
    cr_assert_not_null(mkdtemp(fake->home));
    cr_assert_eq(store_open(&fake->store, fake->home, STORE_CREATE), 0);
    for (int i = 0; i < bot_count; i++)
        fake_submit(fake, &bots[i]);
}

void fake_remove(struct fake *fake)
{
    char command[128];

    store_close(fake->store);
    snprintf(command, sizeof command, "rm -r %s", fake->home);
    cr_assert_eq(system(command), 0);
}

void fake_season(struct fake *fake, const char *name, const struct store_season *terms)
{
    struct store_season season = *terms;
    uint8_t seed[GAME_SEED_BYTES];

    memset(seed, 7, sizeof seed);
    strcpy(season.name, name);
    cr_assert_eq(season_create(fake->store, &season, seed, 1), 0, "%s", store_failure(fake->store));
}

static bool crashes(const struct fake_bot *bot, int group)
{
    return bot->temper == FAKE_CRASHES || (bot->temper == FAKE_RECOVERS && group < CRASHING_GROUPS);
}

/* The result depends only on the seed and the seats. */
void fake_play(const struct fake *fake, const struct season *season, const struct season_game *game,
               struct store_game *result)
{
    static const uint8_t times[] = {20, 30};

    *result = (struct store_game){.group = game->group,
                                  .rotation = game->rotation,
                                  .player_count = game->player_count,
                                  .opening = game->opening,
                                  .wall_us = 1000,
                                  .decision_count = 60};
    memcpy(result->seed, game->seed, sizeof result->seed);
    for (int seat = 0; seat < game->player_count; seat++) {
        int64_t id = season->roster.members[game->entries[seat]].bot.id;
        const struct fake_bot *bot = &fake->bots[id - 1];
        uint64_t luck = draw_number(game->seed, 100 + (uint32_t)seat, (uint32_t)id);
        bool out = crashes(bot, game->group);

        result->seats[seat] = (struct store_seat){
            .entry = game->entries[seat],
            .score = out ? 0 : 40 + bot->strength + (int)draw_below(luck, LUCK_POINTS),
            .reason = out ? WIRE_CRASH : WIRE_PLAYED,
            .us = 900,
            .us_max = 40,
            .times = times,
            .times_bytes = sizeof times};
    }
    for (int seat = 0; seat < game->player_count; seat++) {
        result->seats[seat].rank = 1;
        for (int other = 0; other < game->player_count; other++)
            result->seats[seat].rank += result->seats[other].score > result->seats[seat].score;
    }
}

/* Running games, in order of their start. */
struct table {
    struct season_game games[JOBS_MAX];
    int count;
};

static void end_one(struct fake *fake, struct season *season, struct table *table,
                    unsigned *disorder)
{
    struct store_game result;
    int which = 0, error;

    if (*disorder) {
        *disorder = *disorder * 1103515245u + 12345u;
        which = (int)(*disorder >> 16) % table->count;
    }
    fake_play(fake, season, &table->games[which], &result);
    error = season_record(season, &result, (const uint8_t *)"r", 1);
    cr_assert_eq(error, 0, "%s: %s", table->games[which].id, store_failure(fake->store));
    memmove(&table->games[which], &table->games[which + 1],
            (size_t)(table->count - which - 1) * sizeof *table->games);
    table->count--;
}

/* Plays until the end (season_next's result) or for that many games (SEASON_GAME). */
static int run_part(struct fake *fake, const char *name, struct fake_drive *drive, int64_t games)
{
    struct table table = {.count = 0};
    struct season season;
    int step = SEASON_GAME;

    cr_assert_eq(season_load(&season, fake->store, name), 0, "%s", store_failure(fake->store));
    while (games > 0) {
        while (table.count < drive->jobs &&
               (step = season_next(&season, &table.games[table.count])) == SEASON_GAME)
            table.count++;
        if (table.count == 0)
            break;
        end_one(fake, &season, &table, &drive->disorder);
        games--;
    }
    season_finish(&season); /* what is under way is lost, as by a kill */
    return step;
}

/* True if all scheduled games are played. */
static bool is_whole(struct fake *fake, const char *name)
{
    struct season season;
    bool whole;

    cr_assert_eq(season_load(&season, fake->store, name), 0);
    whole = season.schedule.played_count == season.schedule.game_count;
    season_finish(&season);
    return whole;
}

int fake_run(struct fake *fake, const char *name, struct fake_drive drive)
{
    int64_t left = drive.games ? drive.games : 1 << 30;

    for (;;) {
        int64_t part = drive.reload_every && drive.reload_every < left ? drive.reload_every : left;
        int step = run_part(fake, name, &drive, part);

        left -= part;
        if (left <= 0 || step < 0 || step == SEASON_CLOSED ||
            ((step == SEASON_SPENT || step == SEASON_DECIDED) && is_whole(fake, name)))
            return step;
    }
}

int fake_deal(struct fake *fake, const char *name, int64_t games)
{
    struct fake_drive alone = {.jobs = 1};
    struct season dealer;
    int step = SEASON_CLOSED;

    cr_assert_eq(season_load(&dealer, fake->store, name), 0, "%s", store_failure(fake->store));
    while (season_read_results(&dealer) == 0 && (step = season_deal(&dealer)) == SEASON_WAIT) {
        int64_t left = dealer.schedule.game_count - dealer.schedule.played_count;

        cr_assert_gt(left, 0, "a season waits for games that nobody was dealt");
        run_part(fake, name, &alone, left < games ? left : games);
    }
    season_finish(&dealer);
    return step;
}

/* ---- describing it as text ---- */

static const char *name_of(const struct season *season, int entry)
{
    return season->roster.members[entry].bot.name;
}

static void print_groups(FILE *file, const struct season *season)
{
    for (int i = 0; i < season->schedule.group_count; i++) {
        const struct schedule_group *group = &season->schedule.groups[i];

        fprintf(file, "group %d batch %d %s:", i, group->batch, notation_boards[group->board]);
        for (int seat = 0; seat < group->player_count; seat++)
            fprintf(file, " %s", name_of(season, group->base[seat]));
        for (int r = 0; r < group->player_count; r++) {
            fprintf(file, group->states[r] == SCHEDULE_PLAYED ? " /" : " (to play)");
            for (int seat = 0; seat < group->player_count; seat++)
                fprintf(file, " %d", group->ranks[r][seat]);
        }
        fputc('\n', file);
    }
}

static void print_flags(FILE *file, unsigned flags)
{
    for (unsigned flag = 1; flag; flag <<= 1)
        if (flags & flag)
            fprintf(file, " %s", ladder_flag_name(flag));
}

static void print_ladder(FILE *file, struct fake *fake, const struct season *season, unsigned list)
{
    struct standings standings;

    cr_assert_eq(standings_load(&standings, fake->store, &season->terms, list), 0, "%s",
                 store_failure(fake->store));
    fprintf(file, list == LADDER_LIVE ? "live\n" : "final\n");
    for (int i = 0; i < standings.row_counts[0]; i++) {
        const struct ladder_row *row = &standings.ladders[0].rows[i];

        fprintf(file, "%d-%d %s %s ", row->rank_best, row->rank_worst, name_of(season, row->entry),
                season->roster.members[row->entry].bot.version);
        if (list == LADDER_LIVE)
            fprintf(file, "%.3f (%+.3f)", row->live, row->change);
        else
            fprintf(file, "%.3f +- %.2f", row->elo, row->error95);
        fprintf(file, " games %d groups %d score %.4f", (int)row->game_count, (int)row->group_count,
                row->score);
        if (!isnan(row->los_next))
            fprintf(file, " los %.4f", row->los_next);
        fprintf(file, " opponents %.2f ms %d %d %d%s", row->opponents_elo, (int)row->us_mean,
                (int)row->us_p99, (int)row->us_max, row->provisional ? " ?" : "");
        print_flags(file, row->flags);
        fputc('\n', file);
    }
    standings_finish(&standings);
}

char *fake_describe(struct fake *fake, const char *name)
{
    struct season season;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    cr_assert_eq(season_load(&season, fake->store, name), 0, "%s", store_failure(fake->store));
    print_groups(file, &season);
    print_ladder(file, fake, &season, LADDER_LIVE);
    print_ladder(file, fake, &season, LADDER_FINAL);
    fclose(file);
    season_finish(&season);
    return text;
}
