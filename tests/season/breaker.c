/* SPDX-License-Identifier: MIT */
/* A sick machine is found by what bots do there and elsewhere; a weak bot makes no machine sick. */
#include <criterion/criterion.h>

#include "arena/season/breaker.h"

enum {
    WELL = 1,
    SICK = 2,
};

static struct breaker breaker;
static struct schedule_entry entries[16];

/* Gives the first `count` bots to author 0, and each other bot to an author of its own. */
static void set_authors(int count)
{
    for (int i = 0; i < (int)(sizeof entries / sizeof *entries); i++)
        entries[i].author = i < count ? 0 : i;
}

static void finish(void)
{
    breaker_finish(&breaker);
}

/* Adds games of two bots on a worker; `lost` has bit s if seat s forfeits. */
static void add(int64_t worker_id, int first, int second, unsigned lost, int count)
{
    struct store_game game = {.player_count = 2, .worker_id = worker_id};

    for (int seat = 0; seat < 2; seat++) {
        game.seats[seat].entry = seat ? second : first;
        game.seats[seat].reason = lost & 1u << seat ? WIRE_TIMEOUT : WIRE_PLAYED;
    }
    for (int i = 0; i < count; i++)
        cr_assert_eq(breaker_add(&breaker, entries, &game), 0);
}

static void healthy(void)
{
    for (int i = 0; i < 6; i++)
        add(WELL, i % 3, (i + 1) % 3, 0, 20);
}

static void all_late(void)
{
    healthy();
    for (int i = 0; i < 3; i++)
        add(SICK, i, (i + 1) % 3, 3, 4);
}

static void half_late(void)
{
    healthy();
    for (int i = 0; i < 3; i++) {
        add(SICK, i, (i + 1) % 3, 1, 6);
        add(SICK, i, (i + 1) % 3, 0, 6);
    }
}

static void few_late(void)
{
    healthy();
    add(SICK, 0, 1, 3, 3);
    add(SICK, 1, 2, 0, 20);
}

static void one_bot_late(void)
{
    healthy();
    add(SICK, 0, 1, 1, 100);
    add(SICK, 1, 2, 0, 10);
}

static void late_everywhere(void)
{
    add(WELL, 0, 1, 3, 100);
    add(SICK, 0, 1, 3, 50);
}

static void alone(void)
{
    for (int i = 0; i < 8; i++) {
        add(SICK, 0, 1, 1, 1);
        add(SICK, 1, 0, 1, 1);
    }
}

static void alone_for_too_short(void)
{
    add(SICK, 0, 1, 3, 15);
    add(SICK, 0, 1, 0, 1);
    add(SICK, 0, 1, 3, 15);
}

static void alone_with_a_bad_bot(void)
{
    add(SICK, 0, 1, 1, 50);
}

static void mended(void)
{
    all_late();
    breaker_forget(&breaker, SICK);
    add(SICK, 0, 1, 0, 20);
}

/* Six bots of one author, and others: all have played well before the six forfeit. */
static void lost_by_one_author(void)
{
    set_authors(6);
    for (int i = 0; i < 9; i++)
        add(WELL, i, (i + 1) % 9, 0, 20);
    for (int i = 0; i < 6; i++)
        add(SICK, i, 6 + i % 3, 1, 8);
}

static void lost_by_one_author_from_the_beginning(void)
{
    set_authors(6);
    for (int i = 0; i < 16; i++)
        add(SICK, i % 6, 6 + i % 10, 1, 1);
}

static void all_late_of_one_author(void)
{
    set_authors(9);
    all_late();
}

static void never_seen(void)
{
    healthy();
}

static const struct {
    const char *name;
    void (*play_fn)(void);
    bool is_sick;
} rows[] = {
    {"every bot is late there and nowhere else", all_late, true},
    {"half of the seats are late there", half_late, true},
    {"three games are bad luck", few_late, false},
    {"one bot is late there, against bots that it met nowhere else", one_bot_late, false},
    {"the bots are late everywhere", late_everywhere, false},
    {"the only worker, with a forfeit of either bot in 16 games in a row", alone, true},
    {"the only worker, with a game between that both played", alone_for_too_short, false},
    {"the only worker, with one bot that forfeits", alone_with_a_bad_bot, false},
    {"released, and mended", mended, false},
    {"the bots of one author are late there", lost_by_one_author, false},
    {"the same on the only worker", lost_by_one_author_from_the_beginning, false},
    {"every bot is late there, and one author has all", all_late_of_one_author, true},
    {"a worker without games", never_seen, false},
};

Test(breaker, a_sick_machine_is_found)
{
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        char words[BREAKER_WORDS_BYTES] = "";

        set_authors(0);
        rows[row].play_fn();
        cr_expect_eq(breaker_trips(&breaker, SICK, BREAKER_MACHINES, words), rows[row].is_sick,
                     "%s: %s", rows[row].name, words);
        cr_expect_not(breaker_trips(&breaker, WELL, BREAKER_MACHINES, words), "%s: the other: %s",
                      rows[row].name, words);
        cr_expect_eq(*words != '\0', rows[row].is_sick);
        finish();
        breaker = (struct breaker){.worker_count = 0};
    }
}

/* As if a season's latest games were those of the sick worker. */
Test(breaker, one_author_makes_no_time_sick, .fini = finish)
{
    char words[BREAKER_WORDS_BYTES];

    lost_by_one_author();
    cr_expect_not(breaker_trips(&breaker, SICK, BREAKER_TIMES, words), "%s", words);
    for (int i = 0; i < 9; i++)
        add(SICK, i, (i + 1) % 9, 3, 4);
    cr_expect(breaker_trips(&breaker, SICK, BREAKER_TIMES, words));
}

Test(breaker, of_many_workers_the_oldest_is_forgotten, .fini = finish)
{
    char words[BREAKER_WORDS_BYTES];

    add(SICK, 0, 1, 3, 20);
    for (int i = 0; i < BREAKER_WORKERS_MAX; i++)
        add(100 + i, 0, 1, 0, 1);
    cr_expect_eq(breaker.worker_count, BREAKER_WORKERS_MAX);
    cr_expect_not(breaker_trips(&breaker, SICK, BREAKER_MACHINES, words));
}
