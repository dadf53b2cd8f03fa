/* SPDX-License-Identifier: MIT */
/*
 * Seasons by dates, on a simulated clock: machines that become slower and faster, daemons that stop
 * and start, bots that come late. At the end each bot has as many games as the others, and the
 * stops have not changed who met whom.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/season/dates.h"
#include "engine/draw.h"
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
    cr_expect_leq(now_us, until_us + LOOK_US + 1000000 * (course->game_s + course->slow_s),
                  "%s: the season ended more than a game late", course->name);
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

static uint64_t chance; /* state of the generator of courses */

static int any(int least, int most)
{
    return least + (int)(draw_next(&chance) % (uint64_t)(most - least + 1));
}

/* A course by chance. The machine may be too slow for what is due. */
static struct course any_course(uint64_t seed)
{
    struct course course = {.name = "by chance", .is_slow = true};

    chance = seed;
    course.bot_count = any(4, 12);
    course.late_count = any(0, 1) * any(1, 6);
    course.late_hour = any(5, 55);
    course.update_hour = any(0, 1) * any(5, 20);
    course.size_count = any(1, 3);
    for (int i = 0; i < course.size_count; i++)
        course.player_counts[i] = 2 + i;
    course.games_a_day = any(10, 40);
    course.game_s = any(10, 300);
    course.slow_s = any(10, 900);
    course.slow_hour = any(0, HOURS);
    course.stop_hour = any(0, 50);
    course.start_hour = course.stop_hour + any(0, 30);
    course.kill_every_h = any(0, 1) * any(3, 20);
    return course;
}

Test(dates, each_bot_plays_as_much_as_the_others)
{
    /* Of 40; in these a bot with new versions had a quarter more games, for meeting all again. */
    static const uint64_t seeds[] = {14, 29, 48};
    enum {
        WRITTEN = sizeof courses / sizeof *courses,
        BY_CHANCE = sizeof seeds / sizeof *seeds
    };

    for (int number = 0; number < WRITTEN + BY_CHANCE; number++) {
        const struct course made = any_course(number < WRITTEN ? 0 : seeds[number - WRITTEN]),
                            *course = number < WRITTEN ? &courses[number] : &made;
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
        cr_expect_leq(5 * (most - least) * name_count, sum, "%s, %d: %d to %d games", course->name,
                      number, (int)least, (int)most);
        cr_expect_leq((double)sum / name_count, due + 16, "%s, %d: more games than are due",
                      course->name, number);
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

Test(dates, a_number_of_games_is_due_at_a_moment)
{
    static const struct {
        const char *rule;
        struct store_season terms;
        double games;
        int64_t due_us;
    } rows[] = {
        {"none from the begin on", {.from_us = from_us, .games_a_day = 16}, 0, from_us},
        {"those of a day, a day later",
         {.from_us = from_us, .games_a_day = 16},
         16,
         from_us + 24 * HOUR_US},
        {"a mean of several bots",
         {.from_us = from_us, .games_a_day = 48},
         0.5,
         from_us + HOUR_US / 4},
        {"from its creation on",
         {.from_us = from_us, .created_us = from_us + HOUR_US, .games_a_day = 24},
         1,
         from_us + 2 * HOUR_US},
        {"without an end",
         {.created_us = HOUR_US, .games_a_day = 1},
         365,
         HOUR_US + INT64_C(365) * 24 * HOUR_US},
        {"also behind the end",
         {.from_us = from_us, .until_us = until_us, .games_a_day = 10},
         60,
         from_us + 144 * HOUR_US},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct store_season *terms = &rows[i].terms;
        const int64_t due_us = dates_due_us(terms, rows[i].games);

        cr_expect_eq(due_us, rows[i].due_us, "%s: %lld", rows[i].rule, (long long)due_us);
        if (!terms->until_us || due_us <= terms->until_us)
            cr_expect_float_eq(dates_due_games(terms, due_us), rows[i].games, 1e-6, "%s",
                               rows[i].rule);
    }
}

/* Reads when games begin next, as pages tell it. */
static int64_t read_next(struct fake *fake, const char *season)
{
    int64_t next_us = -1;

    cr_assert_eq(season_read_next(fake->store, season, &next_us), 0, "%s",
                 store_failure(fake->store));
    return next_us;
}

/* Plays all games that may begin now. Returns how many groups were chosen so far. */
static int play_due(struct fake *fake, const char *name)
{
    struct running running = {.count = 0};
    struct season season;
    int count;

    load(fake, name, &season);
    while (season_next(&season, &running.games[0]) == SEASON_GAME) {
        running.count = 1;
        end_game(fake, &season, &running, 0);
    }
    count = season.schedule.group_count;
    season_finish(&season);
    return count;
}

/* A bot that waits comes with the next batch: nobody may wait for it longer than was told. */
Test(dates, the_next_batch_begins_when_it_is_told)
{
    static const struct course course = {"told", 8, .player_counts = {2}, .size_count = 1,
                                         .games_a_day = 6};
    const struct store_season budget = {
        .player_counts = {2}, .player_count_count = 1, .budget_games = 100};
    struct fake fake;
    int64_t next_us;
    int looks = 0, groups = 0;

    create(&fake, &course, "dated");
    for (next_us = read_next(&fake, "dated"); next_us && looks < 1000; looks++) {
        cr_assert(next_us < until_us, "%lld", (long long)next_us);
        cr_expect(groups > 0 || next_us == from_us, "the first games begin with the season");
        now_us = next_us - 1000000;
        if (groups > 0) /* a daemon does not look at a season before it begins */
            cr_expect_eq(play_due(&fake, "dated"), groups, "look %d: a batch begins before", looks);
        now_us = next_us + 1000000;
        cr_assert_gt(play_due(&fake, "dated"), groups, "look %d: no batch begins then", looks);
        groups = play_due(&fake, "dated");
        next_us = read_next(&fake, "dated");
        cr_assert(next_us == 0 || next_us >= now_us - 1000000, "look %d: told is the past", looks);
        if (looks == 3) {
            struct store_season season;

            cr_assert_eq(store_season_find(fake.store, "dated", &season), 0);
            cr_assert_eq(store_season_pause(fake.store, season.id, "by the organizer"), 0);
            cr_expect_eq(read_next(&fake, "dated"), 0, "a season that is paused");
            cr_assert_eq(store_season_pause(fake.store, season.id, ""), 0);
            cr_expect_eq(read_next(&fake, "dated"), next_us, "a season that was resumed");
        }
    }
    cr_expect(looks > 4 && next_us == 0, "none begins behind the end: %d looks", looks);
    fake_season(&fake, "spent", &budget);
    cr_expect_eq(read_next(&fake, "spent"), 0, "a season with a budget has no such moment");
    cr_expect_eq(season_read_next(fake.store, "none", &next_us), -ENOENT);
    cr_expect_eq(next_us, 0);
    fake_remove(&fake);
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
