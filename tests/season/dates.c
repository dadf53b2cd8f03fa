/* SPDX-License-Identifier: MIT */
/*
 * Seasons by dates, on a simulated clock: machines that become slower and faster, daemons that stop
 * and start, bots that come late. At the end each bot has as many games as the others, and the
 * stops have not changed who met whom.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/season/dates.h"
#include "tests/season/fake.h"

#define HOUR_US INT64_C(3600000000)

enum {
    JOBS = 2,
    BOTS_MAX = 20,
    HOURS = 96, /* of the season */
    LOOK_US = 30000000,
};

static const int64_t from_us = 1000000 * HOUR_US;
static const int64_t until_us = (1000000 + HOURS) * HOUR_US;

static int64_t now_us; /* of the simulated clock */

static int64_t now(void)
{
    return now_us;
}

/* How a season goes. Hours are counted from its begin. */
struct course {
    const char *name;
    int bot_count;             /* bots that are there from the start */
    int late_count, late_hour; /* bots that come later */
    int update_hour;           /* the first bot gets a version every so many hours; 0: never */
    int player_counts[3], size_count;
    int64_t games_a_day;
    int game_s, slow_s; /* how long a game takes, and how long from hour slow_hour on */
    int slow_hour;
    int stop_hour, start_hour; /* the daemon is away meanwhile */
    int kill_every_h;          /* the daemon is killed that often, and begins again at once */
    bool is_slow;              /* the machine cannot play what is due */
};

static struct fake_bot bots[BOTS_MAX + HOURS];
static char names[BOTS_MAX][16], versions[HOURS][16];

static void make_bot(int number, int name, int version)
{
    snprintf(names[name], sizeof names[name], "bot%d", name);
    snprintf(versions[version], sizeof versions[version], "%d", version);
    bots[number] = (struct fake_bot){.name = names[name],
                                     .version = versions[version],
                                     .author = names[name],
                                     .strength = name * 7 % 12};
}

struct running {
    struct season_game games[JOBS];
    int64_t end_us[JOBS];
    int count;
};

static void end_game(struct fake *fake, struct season *season, struct running *running, int which)
{
    struct store_game result;

    fake_play(fake, season, &running->games[which], &result);
    cr_assert_eq(season_record(season, &result, (const uint8_t *)"r", 1), 0, "%s",
                 store_failure(fake->store));
    running->count--;
    running->games[which] = running->games[running->count];
    running->end_us[which] = running->end_us[running->count];
}

/* Lets the time pass until a game ends, or for a look at the season. */
static void pass(struct fake *fake, struct season *season, struct running *running)
{
    int next = 0;

    if (running->count == 0) {
        now_us += LOOK_US;
        return;
    }
    for (int i = 1; i < running->count; i++)
        if (running->end_us[i] < running->end_us[next])
            next = i;
    if (running->end_us[next] > now_us)
        now_us = running->end_us[next];
    if (now_us < until_us)
        end_game(fake, season, running, next);
    else
        running->count = 0; /* given up at the end */
}

/* Bots come, and new versions of the first one. */
static void come(struct fake *fake, const struct course *course, int hour, int *version)
{
    if (course->late_count && hour >= course->late_hour)
        for (int name = course->bot_count; name < course->bot_count + course->late_count; name++) {
            struct store_bot bot;

            if (store_bot_find(fake->store, names[name], NULL, &bot) == 0)
                continue;
            make_bot(fake->bot_count, name, 0);
            fake_submit(fake, &bots[fake->bot_count++]);
        }
    if (course->update_hour && hour >= course->update_hour * (*version + 1) && hour < HOURS) {
        make_bot(fake->bot_count, 0, ++*version);
        fake_submit(fake, &bots[fake->bot_count++]);
    }
}

static void load(struct fake *fake, const char *name, struct season *season)
{
    cr_assert_eq(season_load(season, fake->store, name), 0, "%s", store_failure(fake->store));
    season->now_fn = now;
}

static void play(struct fake *fake, const struct course *course, const char *name)
{
    struct running running = {.count = 0};
    struct season season;
    int killed = 0, version = 0, step = SEASON_RESTS;

    now_us = from_us;
    load(fake, name, &season);
    while (step != SEASON_SPENT) {
        const int hour = (int)((now_us - from_us) / HOUR_US);
        const bool is_away = hour >= course->stop_hour && hour < course->start_hour;

        come(fake, course, hour, &version);
        if (is_away || (course->kill_every_h && hour / course->kill_every_h > killed)) {
            killed = course->kill_every_h ? hour / course->kill_every_h : 0;
            if (is_away)
                now_us = from_us + course->start_hour * HOUR_US;
            running.count = 0;
            season_finish(&season);
            load(fake, name, &season);
        }
        while (running.count < JOBS &&
               (step = season_next(&season, &running.games[running.count])) == SEASON_GAME)
            running.end_us[running.count++] =
                now_us + 1000000 * (hour >= course->slow_hour ? course->slow_s : course->game_s);
        cr_assert_geq(step, 0, "%s", store_failure(fake->store));
        if (step != SEASON_SPENT)
            pass(fake, &season, &running);
    }
    cr_expect_geq(now_us, until_us, "%s: the season ended early", course->name);
    season_finish(&season);
}

static void create(struct fake *fake, const struct course *course, const char *name)
{
    struct store_season terms = {.player_count_count = course->size_count,
                                 .budget_games = STORE_BUDGET_GAMES_MAX,
                                 .games_a_day = course->games_a_day,
                                 .from_us = from_us,
                                 .until_us = until_us};

    memcpy(terms.player_counts, course->player_counts, sizeof course->player_counts);
    for (int i = 0; i < course->bot_count; i++)
        make_bot(i, i, 0);
    for (int name_number = course->bot_count; name_number < BOTS_MAX; name_number++)
        snprintf(names[name_number], sizeof names[name_number], "bot%d", name_number);
    fake_create(fake, bots, course->bot_count);
    fake_season(fake, name, &terms);
}

/* Counts the games of each name that were played. Returns how many names there are. */
static int count_games(const struct season *season, int64_t counts[static BOTS_MAX])
{
    int name_count = 0;

    memset(counts, 0, BOTS_MAX * sizeof *counts);
    for (int i = 0; i < season->schedule.group_count; i++) {
        const struct schedule_group *group = &season->schedule.groups[i];

        for (int seat = 0; seat < group->player_count; seat++)
            for (int r = 0; r < group->player_count; r++)
                counts[atoi(season->roster.members[group->base[seat]].bot.name + 3)] +=
                    group->states[r] == SCHEDULE_PLAYED;
    }
    for (int i = 0; i < season->roster.count; i++)
        name_count += season->roster.members[i].name_entry == i;
    return name_count;
}

static const struct course courses[] = {
    {"a fast machine", 10, .player_counts = {2}, .size_count = 1, .games_a_day = 20, .game_s = 10,
     .slow_hour = HOURS},
    {"a slow machine", 10, .player_counts = {2}, .size_count = 1, .games_a_day = 50, .game_s = 1200,
     .slow_hour = HOURS, .is_slow = true},
    {"a machine that becomes slow", 9, .player_counts = {2}, .size_count = 1, .games_a_day = 16,
     .game_s = 10, .slow_s = 2000, .slow_hour = 50, .is_slow = true},
    {"a daemon that is away for a day", 8, .player_counts = {2}, .size_count = 1, .games_a_day = 16,
     .game_s = 60, .slow_hour = HOURS, .stop_hour = 30, .start_hour = 54},
    {"a daemon that is killed again and again", 8, .player_counts = {2}, .size_count = 1,
     .games_a_day = 16, .game_s = 300, .slow_hour = HOURS, .kill_every_h = 5},
    {"bots that come late", 10, 4, 60, .player_counts = {2}, .size_count = 1, .games_a_day = 16,
     .game_s = 60, .slow_hour = HOURS},
    {"most bots come late", 5, 10, 40, .player_counts = {2}, .size_count = 1, .games_a_day = 16,
     .game_s = 60, .slow_hour = HOURS},
    {"most bots of a small field come late", 3, 9, 58, .player_counts = {2}, .size_count = 1,
     .games_a_day = 16, .game_s = 60, .slow_hour = HOURS},
    {"a bot with many versions", 10, .update_hour = 6, .player_counts = {2}, .size_count = 1,
     .games_a_day = 16, .game_s = 60, .slow_hour = HOURS},
    {"three table sizes, late bots, a slow end", 9, 3, 50, .player_counts = {2, 3, 4},
     .size_count = 3, .games_a_day = 36, .game_s = 60, .slow_s = 300, .slow_hour = 70,
     .stop_hour = 20, .start_hour = 32, .kill_every_h = 13},
};

Test(dates, each_bot_plays_as_much_as_the_others)
{
    for (const struct course *course = courses; course < courses + sizeof courses / sizeof *courses;
         course++) {
        int64_t counts[BOTS_MAX], least = INT64_MAX, most = 0, sum = 0;
        struct fake fake;
        struct season season;
        int name_count;
        double due;

        create(&fake, course, "dated");
        play(&fake, course, "dated");
        load(&fake, "dated", &season);
        name_count = count_games(&season, counts);
        cr_expect_eq(name_count, course->bot_count + course->late_count, "%s", course->name);
        for (int i = 0; i < name_count; i++) {
            least = counts[i] < least ? counts[i] : least;
            most = counts[i] > most ? counts[i] : most;
            sum += counts[i];
        }
        due = dates_due_games(&season.terms, until_us);
        cr_expect_leq(5 * (most - least) * name_count, sum, "%s: %d to %d games", course->name,
                      (int)least, (int)most);
        cr_expect_leq((double)sum / name_count, due + 16, "%s: more games than are due",
                      course->name);
        if (!course->is_slow)
            cr_expect_geq((double)sum / name_count, due - 8, "%s: %.1f games of %.1f", course->name,
                          (double)sum / name_count, due);
        season_finish(&season);
        fake_remove(&fake);
    }
}

/* Returns the groups of a season as text, up to `most` bytes; the caller frees it. */
static char *groups_of(const struct course *course)
{
    struct fake fake;
    struct season season;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    create(&fake, course, "dated");
    play(&fake, course, "dated");
    load(&fake, "dated", &season);
    for (int i = 0; i < season.schedule.group_count; i++) {
        const struct schedule_group *group = &season.schedule.groups[i];

        fprintf(file, "%d:", group->batch);
        for (int seat = 0; seat < group->player_count; seat++)
            fprintf(file, " %d", group->base[seat]);
        fputc('\n', file);
    }
    fclose(file);
    season_finish(&season);
    fake_remove(&fake);
    return text;
}

Test(dates, a_short_season_waits_a_tenth_of_its_time_for_checks)
{
    struct store_season terms = {.created_us = from_us, .from_us = from_us, .until_us = until_us};

    cr_expect_eq(dates_judged_s(&terms), 3600);
    terms.until_us = from_us + HOUR_US;
    cr_expect_eq(dates_judged_s(&terms), 360);
    terms.until_us = 0;
    cr_expect_eq(dates_judged_s(&terms), 3600);
}

Test(dates, stops_and_speeds_do_not_change_the_groups)
{
    struct course course = {"steady",
                            8,
                            .player_counts = {2, 3},
                            .size_count = 2,
                            .games_a_day = 12,
                            .game_s = 30,
                            .slow_hour = HOURS};
    char *steady = groups_of(&course);
    static const struct course others[] = {
        {"slow", .game_s = 900, .slow_hour = HOURS},
        {"stopped", .game_s = 30, .slow_s = 700, .slow_hour = 60, .stop_hour = 10,
         .start_hour = 40},
        {"killed", .game_s = 400, .slow_hour = HOURS, .kill_every_h = 3},
    };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char *text;
        size_t length;

        course.game_s = others[i].game_s;
        course.slow_s = others[i].slow_s;
        course.slow_hour = others[i].slow_hour;
        course.stop_hour = others[i].stop_hour;
        course.start_hour = others[i].start_hour;
        course.kill_every_h = others[i].kill_every_h;
        text = groups_of(&course);
        length = strlen(text) < strlen(steady) ? strlen(text) : strlen(steady);
        cr_expect_gt(length, strlen(steady) / 3, "%s", others[i].name);
        cr_expect(strncmp(text, steady, length) == 0, "%s: other groups:\n%s\nfrom\n%s",
                  others[i].name, text, steady);
        free(text);
    }
    free(steady);
}
