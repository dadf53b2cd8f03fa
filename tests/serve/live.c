/* SPDX-License-Identifier: MIT */
/* Live games: what their files hold, and when. */
#include "arena/serve/live.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/base/clock.h"
#include "arena/base/file.h"
#include "arena/base/tree.h"

enum {
    DELAY_S = 30,
    WAIT_S = 60, /* for the thread, on a busy machine */
    NAMES = 2,
};

static char room[] = "/tmp/live-test-XXXXXX", site[64];
static struct ev_loop *loop;
static struct live *live;
static int64_t
    now_us; /* the tests' clock, ahead of the real one, so that nothing comes by itself */
static int failure_count;
static struct table *table;
static struct source sources[NAMES];

static int64_t now(void)
{
    return __atomic_load_n(&now_us, __ATOMIC_SEQ_CST);
}

static void failed(void *owner, const char *words)
{
    failure_count++;
}

static void begin(void)
{
    const struct live_options options = {
        .site = site, .contact = "ask@arena.example", .now_fn = now, .failed_fn = failed};

    loop = ev_loop_new(EVFLAG_AUTO);
    live = live_create(loop, &options);
    cr_assert_not_null(live);
}

static void set_up(void)
{
    cr_assert_not_null(mkdtemp(room));
    snprintf(site, sizeof site, "%s/site", room);
    table = calloc(1, sizeof *table);
    now_us = clock_now_us() + INT64_C(3600) * 1000000;
    begin();
}

static void end(void)
{
    live_destroy(live);
    ev_loop_destroy(loop);
}

static void tear_down(void)
{
    end();
    match_finish(&table->match);
    free(table);
    tree_remove(room);
}

TestSuite(live, .timeout = 300, .init = set_up, .fini = tear_down);

/* ---- a table without bots ---- */

static void sit(const char *id)
{
    static const struct table_rules rules;
    struct match_terms terms = {.player_count = 2, .seed = {1}, .clock = CLOCK_DEFAULT};

    snprintf(terms.id, sizeof terms.id, "%s", id);
    match_finish(&table->match);
    table->state = TABLE_PLAYING;
    table->rules = &rules;
    table->begun_us++;
    for (int seat = 0; seat < NAMES; seat++) {
        snprintf(sources[seat].manifest.name, sizeof sources[seat].manifest.name, "bot-%d", seat);
        table->sources[seat] = &sources[seat];
    }
    match_init(&table->match, &terms);
    match_begin(&table->match);
}

static void decide(int count)
{
    static const char note[] = "a secret plan";
    struct wire_act act = {.has_note = true, .note_bytes = sizeof note - 1};
    const struct match_times times = {.us = 1000};
    enum wire_reason reason;

    memcpy(act.note, note, sizeof note);
    for (; count > 0 && match_next(&table->match) != GAME_NOBODY; count--) {
        act.turn = (int64_t)table->match.decision_count;
        cr_assert_null(
            match_answer(&table->match, match_next(&table->match), &act, &times, &reason));
    }
}

static void look(void)
{
    live_see(live, "cup", DELAY_S, table);
    live_look(live);
}

static void pass(int64_t us)
{
    __atomic_add_fetch(&now_us, us, __ATOMIC_SEQ_CST);
}

/* ---- the files ---- */

/*
 * Returns a file's text, which is kept until the next call; "" if there is none. The kernel shows a
 * line that is being written page by page: like the live page, this takes whole lines.
 */
static const char *text_of(const char *name)
{
    static uint8_t *text;
    char path[128];
    size_t size;

    free(text);
    snprintf(path, sizeof path, "%s/.site.live/%s", room, name);
    if (file_read(path, 1 << 20, &text, &size) < 0)
        return "";
    while (strstr(name, ".jsonl") && size > 0 && text[size - 1] != '\n')
        text[--size] = '\0';
    return (const char *)text;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;

    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

/* Waits until a file has so many of a part. */
static void await(const char *name, const char *part, int count)
{
    const int64_t until_us = clock_now_us() + WAIT_S * INT64_C(1000000);

    while (count_of(text_of(name), part) != count) {
        cr_assert_lt(clock_now_us(), until_us, "%s: %s", name, text_of(name));
        look();
        usleep(1000);
    }
}

/* Waits until the thread has written all that is due: another game, without delay, is then listed.
 */
static void settle(void)
{
    static int number;
    struct table *mine = table;
    char id[32], part[40];

    table = calloc(1, sizeof *table);
    snprintf(id, sizeof id, "other-%06d-0", number++);
    snprintf(part, sizeof part, "\"%s\"", id);
    sit(id);
    while (!strstr(text_of("games.json"), part)) {
        live_see(live, "other", 0, table);
        live_see(live, "cup", DELAY_S, mine);
        live_look(live);
        usleep(1000);
    }
    match_finish(&table->match);
    free(table);
    table = mine;
    await("games.json", part, 0); /* a game that is not seen any more is void */
}

#define GAME "cup-000000-0"

Test(live, a_decision_is_shown_once_its_delay_is_over_and_not_before)
{
    sit(GAME);
    look();
    pass(1000000);
    decide(1);
    look();
    pass(DELAY_S * INT64_C(1000000) - 1000001);
    settle();
    cr_expect_str_empty(text_of(GAME ".jsonl"));
    cr_expect_str_empty(text_of(GAME ".html"));
    pass(1);
    await(GAME ".jsonl", "\n", 1); /* the deal */
    await(GAME ".html", "href=\"/cup/index.html\">Ladder</a>", 1);
    pass(999999);
    settle();
    cr_expect_eq(count_of(text_of(GAME ".jsonl"), "\n"), 1, "%s", text_of(GAME ".jsonl"));
    pass(1);
    await(GAME ".jsonl", "\n", 2);
    await("games.json", "\"decisions\":1,", 1);
    cr_expect_eq(failure_count, 0);
}

Test(live, a_game_that_is_over_is_shown_to_its_end_and_removed_later)
{
    sit(GAME);
    look();
    decide(3);
    look();
    decide(GAME_DECISIONS_MAX);
    table->state = TABLE_ENDING;
    live_over(live, table);
    await(GAME ".jsonl", "\"result\":", 1);
    await("games.json", "\"over\":true", 1);
    cr_expect_eq(count_of(text_of(GAME ".jsonl"), "<li class=\\\"s"),
                 (int)table->match.decision_count);
    cr_expect_eq(count_of(text_of(GAME ".jsonl"), "secret"), 0, "notes of bots");
    cr_expect_eq(count_of(text_of(GAME ".html"), "secret"), 0, "notes of bots");
    pass(LIVE_KEPT_S * INT64_C(1000000) - 1);
    settle();
    cr_expect_str_not_empty(text_of(GAME ".html"));
    pass(1);
    await("games.json", "\"match\"", 0);
    cr_expect_str_empty(text_of(GAME ".jsonl"));
    cr_expect_str_empty(text_of(GAME ".html"));
}

Test(live, a_void_game_is_removed_and_may_be_played_again)
{
    sit(GAME);
    decide(5);
    look();
    pass(DELAY_S * INT64_C(1000000));
    await(GAME ".jsonl", "\n", 2);
    await("games.json", "\"match\"", 1);
    sit(GAME);
    look();
    await("games.json", "\"match\"", 0);
    cr_expect_str_empty(text_of(GAME ".jsonl"));
    pass(DELAY_S * INT64_C(1000000));
    await(GAME ".jsonl", "\n", 1);
    live_look(live); /* without a look at its table */
    live_over(live, table);
    for (int i = 0; *text_of(GAME ".jsonl"); i++) {
        cr_assert_lt(i, WAIT_S * 1000);
        usleep(1000);
    }
}

Test(live, eight_games_at_most_and_seasons_in_turn)
{
    enum {
        TABLES = 12
    };
    struct table *tables[2 * TABLES], *mine = table;

    for (int i = 0; i < 2 * TABLES; i++) {
        char id[32];

        table = tables[i] = calloc(1, sizeof *table);
        snprintf(id, sizeof id, "%s-%06d-0", i < TABLES ? "one" : "two", i);
        sit(id);
    }
    for (int i = 0; count_of(text_of("games.json"), "\"match\"") < LIVE_GAMES_MAX || i < 20; i++) {
        cr_assert_lt(i, WAIT_S * 1000);
        for (int j = 0; j < 2 * TABLES; j++)
            live_see(live, j < TABLES ? "one" : "two", 0, tables[j]);
        live_look(live);
        usleep(1000);
    }
    cr_expect_eq(count_of(text_of("games.json"), "\"match\""), LIVE_GAMES_MAX);
    cr_expect_eq(count_of(text_of("games.json"), "\"season\":\"one\""), LIVE_GAMES_MAX / 2);
    for (int i = 0; i < 2 * TABLES; i++) {
        match_finish(&tables[i]->match);
        free(tables[i]);
    }
    table = mine;
}

Test(live, a_game_that_is_over_makes_room_after_a_while)
{
    for (int i = 0; i < LIVE_GAMES_MAX; i++) {
        char id[32];

        snprintf(id, sizeof id, "cup-%06d-0", i);
        sit(id);
        look();
        decide(GAME_DECISIONS_MAX);
        live_over(live, table);
    }
    await("games.json", "\"over\":true", LIVE_GAMES_MAX);
    sit("cup-000008-0");
    pass(LIVE_LEAST_S * INT64_C(1000000) - 1);
    look();
    pass(1);
    look(); /* chosen now */
    pass(DELAY_S * INT64_C(1000000));
    await("games.json", "\"over\":false", 1);
    cr_expect_str_empty(text_of("cup-000000-0.html"), "the oldest makes room");
    cr_expect_eq(count_of(text_of("games.json"), "\"over\":true"), LIVE_GAMES_MAX - 1);
}

Test(live, what_a_killed_daemon_has_left_is_removed)
{
    char path[128];
    FILE *file;

    end();
    snprintf(path, sizeof path, "%s/.site.live/cup-000009-0.html", room);
    file = fopen(path, "w");
    cr_assert_not_null(file);
    fclose(file);
    begin();
    settle();
    cr_expect_lt(access(path, F_OK), 0);
    cr_expect(strstr(text_of("index.html"), "mailto:ask@arena.example"));
    end();
    cr_expect_str_empty(text_of("index.html"));
    begin();
}

Test(live, every_user_may_read_the_files_whatever_the_umask)
{
    static const char *const names[] = {"", "index.html", "games.json", GAME ".html",
                                        GAME ".jsonl"};

    end();
    umask(077);
    begin();
    sit(GAME);
    look();
    pass(DELAY_S * INT64_C(1000000));
    await("games.json", "\"match\"", 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        struct stat found;

        snprintf(path, sizeof path, "%s/.site.live/%s", room, names[i]);
        cr_assert_eq(stat(path, &found), 0, "%s", path);
        cr_expect_eq(found.st_mode & 0777, *names[i] ? 0644 : 0755, "%s", path);
    }
}

Test(live, a_folder_to_which_others_may_write_is_not_used)
{
    char path[128];

    end();
    snprintf(path, sizeof path, "%s/.site.live", room);
    cr_assert_eq(chmod(path, 0777), 0);
    begin();
    while (failure_count == 0)
        ev_run(loop, EVRUN_ONCE);
    cr_expect_str_empty(text_of("index.html"));
}
