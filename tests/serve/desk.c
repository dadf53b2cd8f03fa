/* SPDX-License-Identifier: MIT */
/* The desk gives up what nobody waits for, and keeps threads for light questions. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arena/season/seed.h"
#include "arena/store/authors.h"
#include "arena/store/sql.h"
#include "arena/web/message.h"
#include "arena/web/web.h"
#include "tests/store/fixture.h"
#include "arena/base/clock.h"

enum {
    GAMES = 3000, /* with forfeits of others, through which /me looks */
    QUESTIONS = 30,
};

static struct fixture fixture;
static struct store_token token = {.scope = STORE_SCOPE_READ, .created_us = 1};
static char place[96];
static pid_t desk;

static void fill(void)
{
    struct store_author author = {.name = "someone", .created_us = 1};

    fixture_create(&fixture);
    fixture_fill(&fixture, GAMES / 2);
    cr_assert_eq(store_author_add(fixture.store, &author), 0);
    token.author_id = author.id;
    store_token_hash("x", 1, token.sha256);
    cr_assert_eq(store_token_add(fixture.store, &token), 0);
    cr_assert_eq(store_begin(fixture.store), 0);
    for (int i = 0; i < GAMES; i++) {
        struct store_game game = fixture_game(i / 2, i % 2);

        game.forfeits = "[{}, {}]";
        cr_assert_eq(store_game_add(fixture.store, fixture.season.id, &game, (uint8_t *)"r", 1), 0);
    }
    cr_assert_eq(store_commit(fixture.store), 0);
}

static void begin(void)
{
    struct desk_options options = {
        .socket = place, .version = "test", .bounds = QUEUE_BOUNDS_DEFAULT};

    fill();
    snprintf(place, sizeof place, "%s/desk", fixture.home);
    options.url = store_url(fixture.store);
    desk = fork();
    if (desk == 0)
        _exit(desk_run(&options) != 0);
    cr_assert_gt(desk, 0);
}

static void end(void)
{
    kill(desk, SIGKILL);
    waitpid(desk, NULL, 0);
    fixture_remove(&fixture);
}

TestSuite(desk, .init = begin, .fini = end);

static int64_t deadline_us(void)
{
    return clock_now_us() + 120 * INT64_C(1000000);
}

/* Asks a question that began `age_s` ago. Returns the connection. */
static int ask(const char *path, int age_s)
{
    const int64_t until_us = deadline_us();
    char text[300];
    int socket;

    while ((socket = message_connect(place)) < 0 && clock_now_us() < until_us)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    cr_assert_geq(socket, 0);
    snprintf(text, sizeof text,
             "{\"method\": \"GET\", \"path\": \"%s\", \"token\": \"%s\", \"asked\": %lld}", path,
             token.sha256, (long long)(clock_now_us() - age_s * INT64_C(1000000)));
    cr_assert_eq(message_send(socket, until_us, text, strlen(text), -1), 0);
    return socket;
}

/* Returns the status of the answer; 0 if the desk closed the connection without one. */
static int status_of(int socket)
{
    size_t size;
    char *text;
    int status;
    json_t *head;

    if (message_receive(socket, deadline_us(), 4096, &text, &size, NULL) < 0) {
        close(socket);
        return 0;
    }
    head = json_loads(text, 0, NULL);
    status = (int)json_integer_value(json_object_get(head, "status"));
    json_decref(head);
    free(text);
    if (message_receive(socket, deadline_us(), 1 << 20, &text, &size, NULL) == 0)
        free(text);
    close(socket);
    return status;
}

/* The processor time that the desk has used. */
static int64_t used_us(void)
{
    struct timespec used;
    clockid_t clock;

    cr_assert_eq(clock_getcpuclockid(desk, &clock), 0);
    cr_assert_eq(clock_gettime(clock, &used), 0);
    return used.tv_sec * INT64_C(1000000) + used.tv_nsec / 1000;
}

/* The store is read where the bot played, and nowhere else: a season can have a million games. */
Test(desk, games_of_a_bot_are_found_without_reading_those_of_others)
{
    static const uint8_t seed[GAME_SEED_BYTES];
    char commitment[SEED_COMMITMENT_DIGITS + 1];

    seed_commit(seed, commitment);
    cr_assert_eq(
        sql_run(fixture.store, SQL("UPDATE opening SET commitment = $1", sql_text(commitment))), 1);
    cr_assert_eq(status_of(ask("/api/v1/seasons/spring/games", 0)), 200);
    cr_assert_eq(sql_run(fixture.store, SQL("UPDATE game SET checksum = $1 WHERE game_group = 0",
                                            sql_bytes(fixture.home, STORE_DIGEST_BYTES))),
                 2);
    cr_expect_eq(status_of(ask("/api/v1/seasons/spring/games", 0)), 503, "damaged");
    cr_expect_eq(status_of(ask("/api/v1/seasons/spring/games\", \"bot\": \"nobody", 0)), 200);
}

Test(desk, questions_whose_askers_have_left_are_given_up)
{
    int64_t before_us, one_us;

    for (int i = 0; i < 4; i++) /* each thread opens the store first */
        cr_assert_eq(status_of(ask("/api/v1/me", 0)), 200);
    before_us = used_us();
    cr_assert_eq(status_of(ask("/api/v1/me", 0)), 200);
    one_us = used_us() - before_us;
    before_us = used_us();
    for (int i = 0; i < QUESTIONS; i++)
        close(ask("/api/v1/me", 0));
    cr_expect_eq(status_of(ask("/api/v1/me", 0)), 200);
    cr_expect_lt(used_us() - before_us, QUESTIONS / 2 * one_us, "%lld us, one takes %lld",
                 (long long)(used_us() - before_us), (long long)one_us);
}

Test(desk, light_questions_do_not_wait_for_heavy_ones)
{
    struct pollfd heavy[QUESTIONS];
    int answered;

    cr_assert_eq(status_of(ask("/api/v1/status", 0)), 200);
    for (int i = 0; i < QUESTIONS; i++)
        heavy[i] = (struct pollfd){.fd = ask("/api/v1/me", 0), .events = POLLIN};
    cr_expect_eq(status_of(ask("/api/v1/status", 0)), 200);
    answered = poll(heavy, QUESTIONS, 0);
    cr_expect_lt(answered, QUESTIONS - 7, "%d were answered before", answered);
    for (int i = 0; i < QUESTIONS; i++)
        cr_expect_eq(status_of(heavy[i].fd), 200);
}

static const struct {
    const char *path;
    int age_s, status; /* 0: no answer */
} ages[] = {
    {"/api/v1/status", 0, 200}, {"/api/v1/status", 60, 0}, {"/api/v1/me", 0, 200},
    {"/api/v1/me", 60, 0},      {"/api/v1/me", -60, 200}, /* who says that a question is of the
                                                             future gains nothing */
};

Test(desk, every_question_has_a_deadline)
{
    for (size_t i = 0; i < sizeof ages / sizeof *ages; i++)
        cr_expect_eq(status_of(ask(ages[i].path, ages[i].age_s)), ages[i].status, "%s of %d s",
                     ages[i].path, ages[i].age_s);
}

Test(desk, silent_callers_hold_no_thread)
{
    int silent[QUESTIONS], answered;

    cr_assert_eq(status_of(ask("/api/v1/status", 0)), 200);
    for (int i = 0; i < QUESTIONS; i++) {
        silent[i] = message_connect(place);
        cr_assert_geq(silent[i], 0);
        if (i % 2) /* of a question of 10 bytes */
            cr_assert_eq(send(silent[i], "\n\0\0\0{", 5, MSG_NOSIGNAL), 5);
    }
    answered = status_of(ask("/api/v1/status", 0));
    cr_expect_eq(answered, 200, "%d", answered);
    for (int i = 0; i < QUESTIONS; i++)
        close(silent[i]);
}

/* Asks as another user. Returns the status, 0 if there is no answer, or 10 if it cannot connect. */
static int status_for(uid_t uid)
{
    pid_t asker = fork();
    int status;

    if (asker == 0) {
        static const char text[] = "{\"method\": \"GET\", \"path\": \"/api/v1/status\"}";
        int socket;

        if (chdir(fixture.home) < 0 || setresuid(uid, uid, uid) < 0)
            _exit(2);
        socket = message_connect("desk");
        if (socket < 0)
            _exit(1);
        message_send(socket, deadline_us(), text, strlen(text), -1);
        _exit(status_of(socket) / 10);
    }
    waitpid(asker, &status, 0);
    return 10 * WEXITSTATUS(status);
}

Test(desk, only_the_user_of_the_web_process_may_ask)
{
    struct stat file;

    cr_assert_eq(status_of(ask("/api/v1/status", 0)), 200);
    cr_assert_eq(stat(place, &file), 0);
    if (geteuid() != 0) {
        cr_expect_eq(file.st_mode & 0777, 0660u, "%o", file.st_mode);
        return;
    }
    cr_assert_eq(chmod(fixture.home, 0711), 0);
    cr_expect_eq(status_for(0), 200);
    cr_expect_eq(status_for(65534), 200, "to which a web process of root may switch");
    cr_expect_eq(status_for(65533), 0);
}
