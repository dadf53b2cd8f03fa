/* SPDX-License-Identifier: MIT */
/*
 * What a bot meets while sdk_run runs it, in the test's own process: it is asked for one decision,
 * with 100 ms of time, of which a search may use 81. One row per case.
 */
#include <criterion/criterion.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "engine/game.h"
#include "sdk/sdk.h"

enum {
    TURN_MS = 100,
    SEARCH_US = 81000,      /* by sdk_stop_us */
    OTHERS = 3,             /* programs on the bot's processor */
    PAUSE_US = 1000,        /* each time that a bot sleeps */
    PATIENCE_US = 20000000, /* processor time of a search that is never told to stop */
};

/* Writes the messages of one decision, the first of a game. */
static void write_input(FILE *input)
{
    static const uint8_t seed[GAME_SEED_BYTES] = {1, 2, 3};
    const struct wire_hello hello = {
        .player_count = 2, .board = BOARD_GRAY, .clock.turn_ms = TURN_MS};
    struct wire_turn turn = {.turn = 0};
    uint8_t bytes[8192];
    struct game game;

    game_init(&game, 2, BOARD_GRAY, seed);
    game_view(&game, &turn.state);
    fwrite(bytes, 1, wire_pack_hello(bytes, sizeof bytes, &hello), input);
    fwrite(bytes, 1, wire_pack_turn(bytes, sizeof bytes, &turn), input);
    rewind(input);
}

/* Asks the bot for the decision. Returns its exit status; output has what went to the arena. */
static int ask(struct action (*play_fn)(void *, const struct sdk_turn *), void *self, FILE *output)
{
    FILE *input = tmpfile();
    int kept_fd = dup(STDOUT_FILENO), status;

    write_input(input);
    cr_assert(dup2(fileno(input), STDIN_FILENO) >= 0);
    cr_assert(dup2(fileno(output), STDOUT_FILENO) >= 0);
    status = sdk_run(&(struct sdk_bot){.name = "bot", .play_fn = play_fn}, self);
    cr_assert(dup2(kept_fd, STDOUT_FILENO) >= 0);
    close(kept_fd);
    fclose(input);
    return status;
}

/* ---- when to stop searching ---- */

static int64_t processor_us(void)
{
    struct timespec used;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

/* Gives this process one processor, on which other programs compute until this one ends. */
static void share_processor(void)
{
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    for (int other = 0; other < OTHERS; other++)
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (;;)
                ;
        }
}

struct searcher {
    bool sleeps, is_late;
    int64_t used_us; /* processor time of the search */
    int pause_count;
};

static struct action search(void *self, const struct sdk_turn *turn)
{
    struct searcher *searcher = self;
    const int64_t begun_us = processor_us();

    if (searcher->is_late)
        for (int i = 0; i < SEARCH_US / PAUSE_US; i++)
            usleep(PAUSE_US);
    while (!sdk_should_stop(turn) && searcher->used_us < PATIENCE_US) {
        if (searcher->sleeps) {
            usleep(PAUSE_US);
            searcher->pause_count++;
        }
        searcher->used_us = processor_us() - begun_us;
    }
    return turn->actions[0];
}

Test(sdk_bot, a_search_stops)
{
    static const struct {
        const char *rule;
        struct searcher searcher;
        int64_t least_us, most_us; /* of the processor */
        int pauses_max;
    } rows[] = {
        {"waits for a processor that others use do not count",
         {0},
         SEARCH_US * 2 / 3,
         SEARCH_US * 2,
         0},
        {"sleeping counts", {.sleeps = true}, 0, SEARCH_US, SEARCH_US / PAUSE_US},
        {"sleeping before the first call counts, too", {.is_late = true}, 0, 0, 0},
    };

    share_processor();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct searcher searcher = rows[i].searcher;
        FILE *output = tmpfile();

        cr_expect_eq(ask(search, &searcher, output), 0);
        cr_expect(rows[i].least_us <= searcher.used_us && searcher.used_us <= rows[i].most_us,
                  "%s: %lld us", rows[i].rule, (long long)searcher.used_us);
        cr_expect(searcher.pause_count <= rows[i].pauses_max, "%s: slept %d times", rows[i].rule,
                  searcher.pause_count);
        fclose(output);
    }
}

Test(sdk_bot, a_turn_made_by_hand_counts_all_time)
{
    const struct wire_hello hello = {.clock.turn_ms = 1000000};
    struct sdk_turn turn = {.hello = &hello, .received_us = sdk_now_us()};

    cr_expect_not(sdk_should_stop(&turn));
    turn.received_us -= 1000000000;
    cr_expect(sdk_should_stop(&turn));
}

/* ---- printing ---- */

static struct action print(void *self, const struct sdk_turn *turn)
{
    (void)self;
    printf("printed");
    fflush(stdout);
    printf(", and not flushed");
    cr_assert_eq(write(STDOUT_FILENO, "!", 1), 1);
    return turn->actions[0];
}

Test(sdk_bot, what_it_prints_goes_to_standard_error)
{
    FILE *output = tmpfile(), *errors = tmpfile();
    int kept_fd = dup(STDERR_FILENO);
    uint8_t answers[8192];
    char text[64];
    size_t size;
    struct wire_scan ready = {0}, act = {0};

    cr_assert(dup2(fileno(errors), STDERR_FILENO) >= 0);
    cr_expect_eq(ask(print, NULL, output), 0);
    cr_assert(dup2(kept_fd, STDERR_FILENO) >= 0);
    rewind(output);
    size = fread(answers, 1, sizeof answers, output);
    cr_assert_eq(wire_scan(&ready, answers, size), WIRE_SCAN_COMPLETE);
    cr_assert_eq(wire_scan(&act, answers + ready.offset, size - ready.offset), WIRE_SCAN_COMPLETE);
    cr_expect_eq(ready.offset + act.offset, size, "something beside the answers");
    rewind(errors);
    text[fread(text, 1, sizeof text - 1, errors)] = '\0';
    cr_expect_str_eq(text, "printed!, and not flushed");
    fclose(output);
    fclose(errors);
}
