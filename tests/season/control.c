/* SPDX-License-Identifier: MIT */
/* Organizers' changes while a season runs: they apply from the next game or the next batch on. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/season/fake.h"

static const struct fake_bot field[] = {
    {"ant", "1", "ada", 12, FAKE_HONEST}, {"bee", "1", "ben", 9, FAKE_HONEST},
    {"cat", "1", "cy", 6, FAKE_HONEST},   {"dog", "1", "di", 3, FAKE_HONEST},
    {"eel", "1", "eve", 0, FAKE_HONEST},  {"ant", "2", "ada", 8, FAKE_HONEST},
};

enum {
    BOTS = 5,
    SOME_GAMES = 30,
};

static const struct store_season terms = {
    .player_counts = {2}, .player_count_count = 1, .budget_games = 60};

static struct fake fake;
static struct store *organizer_store; /* another process's */
static int64_t season_id;
static struct season season; /* loaded by load(), and then played like by one run */

static void create(void)
{
    struct store_season stored;

    fake_create(&fake, field, BOTS);
    fake_season(&fake, "spring", &terms);
    cr_assert_eq(store_open(&organizer_store, fake.home, STORE_WRITE), 0);
    cr_assert_eq(store_season_find(organizer_store, "spring", &stored), 0);
    season_id = stored.id;
}

static void finish(void)
{
    season_finish(&season);
    store_close(organizer_store);
    fake_remove(&fake);
}

TestSuite(control, .init = create, .fini = finish);

static void load(void)
{
    season_finish(&season);
    cr_assert_eq(season_load(&season, fake.store, "spring"), 0, "%s", store_failure(fake.store));
}

/* Returns a result for a game from season_next: the first seat won. */
static struct store_game won(const struct season_game *game)
{
    struct store_game result = {.group = game->group,
                                .rotation = game->rotation,
                                .player_count = game->player_count,
                                .opening = game->opening};

    memcpy(result.seed, game->seed, sizeof result.seed);
    for (int seat = 0; seat < game->player_count; seat++)
        result.seats[seat] = (struct store_seat){.entry = game->entries[seat], .rank = seat + 1};
    return result;
}

static int record(const struct season_game *game)
{
    struct store_game result = won(game);

    return season_record(&season, &result, (const uint8_t *)"r", 1);
}

Test(control, a_budget_that_is_raised_is_played_by_the_run_that_spent_it)
{
    struct season_game game;

    fake_run(&fake, "spring", (struct fake_drive){.jobs = 2});
    load();
    cr_expect_eq(season_next(&season, &game), SEASON_SPENT);
    cr_assert_eq(store_season_extend(organizer_store, season_id, 6), 0);
    for (int i = 0; i < 6; i++) {
        cr_assert_eq(season_next(&season, &game), SEASON_GAME, "game %d", i);
        cr_expect_eq(record(&game), 0);
    }
    cr_expect_eq(season_next(&season, &game), SEASON_SPENT);
    cr_expect_eq(season_game_budget(&season), 66);
}

Test(control, a_close_lets_games_under_way_end_and_none_begin)
{
    struct season_game first, second, third;

    load();
    cr_assert_eq(season_next(&season, &first), SEASON_GAME);
    cr_assert_eq(season_next(&season, &second), SEASON_GAME);
    cr_assert_eq(store_season_begin_close(organizer_store, season_id, 7), 0);
    cr_expect_eq(season_next(&season, &third), SEASON_CLOSED);
    cr_expect_eq(record(&first), 0, "the seed is secret still");
    cr_assert_eq(store_season_close(organizer_store, season_id, 8), 0);
    cr_expect_eq(record(&second), -ECANCELED, "now it is published");
    season_return(&season, &second);
    cr_expect_eq(season_next(&season, &third), SEASON_CLOSED);
    cr_expect_eq(season.schedule.played_count, 1);
}

/* A season opened by mistake: the store gives its id and name to the next one. */
Test(control, a_season_that_was_removed_is_closed_for_its_run)
{
    struct store_season other = terms;
    struct season_game game;
    bool given_up = false;

    load();
    cr_assert_eq(season_next(&season, &game), SEASON_GAME);
    cr_assert_eq(store_season_close(organizer_store, season_id, 3), 0);
    cr_assert_eq(store_season_remove(organizer_store, season_id), 0);
    snprintf(other.name, sizeof other.name, "spring");
    cr_assert_eq(season_create(organizer_store, &other, NULL, 77), 0);
    cr_expect_eq(other.id, season_id);
    cr_expect_eq(season_look(&season, 78, &game, 1, &given_up), 1);
    cr_expect(given_up);
    cr_expect_eq(season_next(&season, &game), SEASON_CLOSED);
    cr_assert_eq(store_season_close(organizer_store, other.id, 79), 0);
    cr_assert_eq(store_season_remove(organizer_store, other.id), 0);
    cr_expect_eq(season_next(&season, &game), SEASON_CLOSED, "%s", store_failure(fake.store));
}

Test(control, a_run_goes_on_under_the_opening_that_came_meanwhile)
{
    struct season_game under_way, again;
    struct store_season closed;

    load();
    cr_assert_eq(season_next(&season, &under_way), SEASON_GAME);
    cr_assert_eq(store_season_close(organizer_store, season_id, 8), 0);
    cr_assert_eq(store_season_find(organizer_store, "spring", &closed), 0);
    cr_assert_eq(season_reopen(organizer_store, &closed, 60, NULL, 9), 0);
    cr_expect_eq(record(&under_way), -ECANCELED);
    season_return(&season, &under_way);
    cr_assert_eq(season_next(&season, &again), SEASON_GAME);
    cr_expect_str_eq(again.id, under_way.id);
    cr_expect_eq(again.opening, 1);
    cr_expect(memcmp(again.seed, under_way.seed, sizeof again.seed) != 0);
    cr_expect_eq(record(&again), 0);
    cr_expect_eq(fake_run(&fake, "spring", (struct fake_drive){.jobs = 3}), SEASON_SPENT);
}

Test(control, a_close_that_is_taken_back_leaves_the_seed_as_it_was)
{
    struct season_game game;
    struct store_season closing;

    load();
    cr_assert_eq(store_season_begin_close(organizer_store, season_id, 7), 0);
    cr_expect_eq(season_next(&season, &game), SEASON_CLOSED);
    cr_assert_eq(store_season_find(organizer_store, "spring", &closing), 0);
    cr_assert_eq(season_reopen(organizer_store, &closing, 70, NULL, 9), 0);
    cr_assert_eq(season_next(&season, &game), SEASON_GAME);
    cr_expect_eq(game.opening, 0);
    cr_expect_eq(season.terms.budget_games, 70);
}

/* ---- who plays, from the next batch on ---- */

static void retire(void)
{
    cr_assert_eq(store_bot_retire(organizer_store, "cat", 5), 0);
}

static void ban_name(void)
{
    cr_assert_eq(store_ban_add(organizer_store, "cat", NULL, false, 5), 0);
}

static void ban_author(void)
{
    cr_assert_eq(store_ban_add(organizer_store, NULL, "cy", false, 5), 0);
}

static void ban_void(void)
{
    cr_assert_eq(store_ban_add(organizer_store, "cat", NULL, true, 5), 0);
}

static void leave_out(void)
{
    static const char *const names[] = {"ant", "bee", "dog", "eel"};

    cr_assert_eq(store_roster_set(organizer_store, season_id, names, 4), 0);
}

static void unretire(void)
{
    cr_assert_eq(store_bot_unretire(organizer_store, "cat"), 0);
}

static void lift_name(void)
{
    cr_assert_eq(store_ban_lift(organizer_store, "cat", NULL, 6), 0);
}

static void lift_author(void)
{
    cr_assert_eq(store_ban_lift(organizer_store, NULL, "cy", 6), 0);
}

static void let_all(void)
{
    cr_assert_eq(store_roster_set(organizer_store, season_id, NULL, 0), 0);
}

static const struct {
    const char *rule;
    void (*out_fn)(void), (*back_fn)(void);
} changes[] = {
    {"a retired bot", retire, unretire},
    {"a banned name", ban_name, lift_name},
    {"a bot of a banned author", ban_author, lift_author},
    {"a banned name whose games are void", ban_void, lift_name},
    {"a bot that the roster leaves out", leave_out, let_all},
};

/* Counts the groups of a bot in batches from `first` to before `end`. */
static int count_groups(int entry, int first, int end)
{
    int count = 0;

    for (int i = 0; i < season.schedule.group_count; i++)
        for (int seat = 0; seat < season.schedule.groups[i].player_count; seat++)
            count += season.schedule.groups[i].base[seat] == entry &&
                     season.schedule.groups[i].batch >= first &&
                     season.schedule.groups[i].batch < end;
    return count;
}

static void play(int64_t games)
{
    struct season_game game;

    for (int64_t i = 0; i < games; i++) {
        cr_assert_eq(season_next(&season, &game), SEASON_GAME);
        cr_assert_eq(record(&game), 0);
    }
}

Test(control, who_plays_changes_with_the_next_batch)
{
    for (size_t row = 0; row < sizeof changes / sizeof *changes; row++) {
        int out, back;

        load();
        store_season_extend(organizer_store, season_id, 100);
        play(SOME_GAMES);
        out = season.schedule.batch_count;
        changes[row].out_fn();
        play(2 * SOME_GAMES);
        back = season.schedule.batch_count;
        changes[row].back_fn();
        play(2 * SOME_GAMES);
        cr_expect_gt(back, out + 1);
        cr_expect_gt(count_groups(2, 0, out), 0);
        cr_expect_eq(count_groups(2, out, back), 0, "%s plays", changes[row].rule);
        cr_expect_gt(count_groups(2, back, season.schedule.batch_count), 0, "%s does not come back",
                     changes[row].rule);
        finish();
        create();
    }
}

/* ---- games that do not count ---- */

Test(control, voided_games_leave_the_ladder_and_come_back_as_they_were)
{
    char *before, *voided, *after;

    fake_run(&fake, "spring", (struct fake_drive){.jobs = 1});
    before = fake_describe(&fake, "spring");
    ban_void();
    voided = fake_describe(&fake, "spring");
    cr_expect_not(strstr(strstr(voided, "live\n"), "cat 1"), "its row is gone:\n%s", voided);
    cr_expect_str_neq(strstr(voided, "live\n"), strstr(before, "live\n"));
    lift_name();
    after = fake_describe(&fake, "spring");
    cr_expect_str_eq(after, before);
    free(before);
    free(voided);
    free(after);
}

/* True if the ladder of the season, closed before any ban, shows cat as banned. */
static bool is_shown_as_banned(void)
{
    struct ladder_entry *entries;
    bool banned = false;

    load();
    entries = ladder_make_entries(&season.roster, 4);
    for (int i = 0; i < season.roster.count; i++)
        banned |= entries[i].banned && strcmp(season.roster.members[i].bot.name, "cat") == 0;
    free(entries);
    return banned;
}

Test(control, a_closed_season_shows_a_later_ban_only_with_void_games)
{
    fake_run(&fake, "spring", (struct fake_drive){.jobs = 1});
    cr_assert_eq(store_season_close(organizer_store, season_id, 4), 0);
    ban_name();
    cr_expect_not(is_shown_as_banned());
    ban_void();
    cr_expect(is_shown_as_banned());
}

Test(control, a_later_version_of_a_banned_name_does_not_play)
{
    cr_assert_eq(store_ban_add(organizer_store, "ant", NULL, false, 5), 0);
    fake_submit(&fake, &field[BOTS]);
    fake.bot_count++;
    fake_run(&fake, "spring", (struct fake_drive){.jobs = 2});
    load();
    cr_expect_eq(season.roster.count, BOTS - 1);
}

/* ---- running games ---- */

enum {
    NOW_US = 1000,
};

static void begin_close(int64_t until_us)
{
    cr_assert_eq(store_season_begin_close(organizer_store, season_id, until_us), 0);
}

static void close_later(void)
{
    begin_close(NOW_US + 1);
}

static void close_now(void)
{
    begin_close(NOW_US);
}

static void take_back(void)
{
    begin_close(NOW_US);
    cr_assert_eq(store_season_go_on(organizer_store, season_id), 0);
}

static void publish(void)
{
    cr_assert_eq(store_season_close(organizer_store, season_id, 8), 0);
}

static void reopen(void)
{
    struct store_season closed;

    publish();
    cr_assert_eq(store_season_find(organizer_store, "spring", &closed), 0);
    cr_assert_eq(season_reopen(organizer_store, &closed, 60, NULL, 9), 0);
}

static void void_other(void)
{
    cr_assert_eq(store_ban_add(organizer_store, "eel", NULL, true, 5), 0);
}

static const struct {
    const char *rule;
    void (*change_fn)(void);
    int changed;
    bool given_up;
} looks[] = {
    {"nothing was changed", NULL, 0, false},
    {"a close leaves games their time", close_later, 1, false},
    {"a close gives up games whose time is up", close_now, 1, true},
    {"a close that is taken back gives up nothing", take_back, 1, false},
    {"a season is closed", publish, 1, true},
    {"a game of an opening before", reopen, 1, true},
    {"a ban lets games under way end", ban_name, 1, false},
    {"a ban that voids games gives them up", ban_void, 1, true},
    {"a ban that voids games of others", void_other, 1, false},
    {"a retirement lets games under way end", retire, 1, false},
};

/* Begins the next game of a bot; games before it are recorded. */
static struct season_game begin_game_of(int entry)
{
    struct season_game game;

    for (;;) {
        cr_assert_eq(season_next(&season, &game), SEASON_GAME);
        if (game.entries[0] == entry || game.entries[1] == entry)
            return game;
        cr_assert_eq(record(&game), 0);
    }
}

Test(control, a_look_says_which_games_under_way_are_given_up)
{
    for (size_t row = 0; row < sizeof looks / sizeof *looks; row++) {
        struct season_game game;
        bool given_up;

        load();
        do { /* not against eel */
            game = begin_game_of(2);
        } while ((game.entries[0] == 4 || game.entries[1] == 4) && record(&game) == 0);
        if (looks[row].change_fn)
            looks[row].change_fn();
        cr_expect_eq(season_look(&season, NOW_US, &game, 1, &given_up), looks[row].changed, "%s",
                     looks[row].rule);
        cr_expect_eq(given_up, looks[row].given_up, "%s", looks[row].rule);
        finish();
        create();
    }
}

/* Plays to the end of the budget. Returns how many of these games the bot played. */
static int play_all(int entry)
{
    struct season_game game;
    int step, count = 0;

    while ((step = season_next(&season, &game)) == SEASON_GAME) {
        count += game.entries[0] == entry || game.entries[1] == entry;
        cr_assert_eq(record(&game), 0);
    }
    cr_expect_eq(step, SEASON_SPENT);
    cr_expect_eq(season.schedule.played_count, season_game_budget(&season));
    return count;
}

Test(control, void_games_are_played_only_once_they_count_again)
{
    struct season_game game;

    load();
    game = begin_game_of(2);
    ban_void();
    season_return(&season, &game);
    cr_expect_eq(play_all(2), 0, "a game that counts for nobody was told");
    cr_expect_lt(season.schedule.played_count, 60);
    lift_name();
    cr_expect_gt(play_all(2), 0, "what counts again was not told");
    cr_expect_eq(season.schedule.played_count, 60);
    load();
    cr_expect_eq(season_next(&season, &game), SEASON_SPENT);
}

/*
 * The ban was lifted after the look: a choice that would count unplayed games as played is not
 * made.
 */
Test(control, a_ban_that_is_lifted_while_a_batch_is_chosen)
{
    struct season_game game, again;
    int batch_count;

    load();
    game = begin_game_of(2);
    ban_void();
    season_return(&season, &game);
    play_all(2);
    lift_name();
    cr_assert_eq(store_event_latest(organizer_store, &season.event), 0);
    season.schedule.terms.budget_games += 100;
    batch_count = season.schedule.batch_count;
    cr_assert_eq(season_next(&season, &again), SEASON_GAME);
    cr_expect_str_eq(again.id, game.id);
    cr_expect_eq(season.schedule.batch_count, batch_count);
}
