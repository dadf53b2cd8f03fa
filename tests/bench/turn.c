/* SPDX-License-Identifier: MIT */
/*
 * What the arena adds to a decision: the wall time of games between two bots that do not think,
 * minus those bots' own time, compared with a raw round trip of the same sizes over two pipes. Both
 * alternate in one run, on the same cores. turn.two is a raw round trip with two processes in
 * turns: the floor for any referee of two bots that share its core.
 */
#include "tests/bench/bench.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/play/runner.h"
#include "arena/play/source.h"
#include "arena/replay/replay.h"

enum {
    ROUNDS = 15,
    SERIES_GAMES = 30,
    RAW_TRIPS = 4000,
    PARTNERS_MAX = 2, /* of raw round trips: a game of two bots alternates between two processes */
};

/* One measured series of games, each from its first request to its packed replay. */
struct series {
    const struct source *source;
    uint64_t next;
    int64_t begun_us, total_us;
    uint64_t decisions;
    long long bot_decisions, bot_own_ns, request_bytes, reply_bytes;
    struct bench_charges charges;
};

static bool next_game(void *owner, int slot, struct runner_game *game)
{
    struct series *series = owner;

    (void)slot;
    if (series->next == SERIES_GAMES)
        return false;
    *game = (struct runner_game){.number = series->next++};
    snprintf(game->terms.id, sizeof game->terms.id, "%06d-0", (int)game->number);
    memcpy(game->terms.seed, &game->number, sizeof game->number);
    game->terms.player_count = 2;
    game->terms.clock = (struct wire_clock){.turn_ms = 1000, .bank_ms = 10000, .start_ms = 5000};
    game->sources[0] = game->sources[1] = series->source;
    return true;
}

static void game_step(void *owner, const struct runner_game *game, const struct table *table)
{
    struct series *series = owner;

    (void)game;
    if (table->match.decision_count == 0)
        series->begun_us = bench_now_us();
    else if (game_is_over(&table->match.game))
        series->total_us += bench_now_us() - series->begun_us;
}

/* Reads the bots' own figures, which they write when their input ends. */
static void read_accounts(struct series *series, const struct table *table)
{
    for (int seat = 0; seat < 2; seat++) {
        long long decisions, own_ns, request_bytes, reply_bytes;
        char text[256];
        size_t size = tail_last(&table->bots[seat].channel.errors_kept, text, sizeof text - 1);

        text[size] = '\0';
        if (sscanf(text, "%lld %lld %lld %lld", &decisions, &own_ns, &request_bytes,
                   &reply_bytes) != 4)
            bench_refuse("turn: the bot gave no account of itself");
        series->bot_decisions += decisions;
        series->bot_own_ns += own_ns;
        series->request_bytes += request_bytes;
        series->reply_bytes += reply_bytes;
    }
}

static void game_done(void *owner, const struct runner_game *game, const struct table *table)
{
    struct series *series = owner;
    int64_t begun_us = bench_now_us();
    struct replay replay;
    uint8_t *bytes;

    (void)game;
    /* The recording is part of a decision's cost: pack it as it would be written. */
    if (replay_from_table(&replay, table) < 0 || replay_pack(&replay, &bytes) == 0)
        bench_refuse("turn: the replay does not fit in memory");
    free(bytes);
    replay_finish(&replay);
    series->total_us += bench_now_us() - begun_us;
    series->decisions += table->match.decision_count;
    for (size_t i = 0; i < table->match.decision_count; i++)
        bench_charges_add(&series->charges, table->match.decisions[i].us,
                          table->match.decisions[i].delay_us,
                          table->match.notes + table->match.decisions[i].note_offset,
                          table->match.decisions[i].note_bytes);
    read_accounts(series, table);
}

/* Returns the arena's microseconds per decision. */
static double play_series(struct series *series, struct sandbox *sandbox, bool freeze)
{
    struct runner_options options = {
        .job_count = 1,
        .rules = {.memory_bytes = SANDBOX_MEMORY_BYTES_DEFAULT, .freeze = freeze},
        .owner = series,
        .next_fn = next_game,
        .step_fn = game_step,
        .done_fn = game_done};
    struct transport transport = transport_of_sandbox(sandbox);
    struct runner *runner = runner_create(&options, &transport);
    struct sandbox_failure failure;
    double own_us;

    if (!runner || runner_play(runner, &failure) < 0)
        bench_refuse("turn: the series could not be played");
    runner_destroy(runner);
    own_us = (double)series->bot_own_ns / 1000 / (double)series->bot_decisions;
    return (double)series->total_us / (double)series->decisions - own_us;
}

static void read_whole(int fd, size_t size)
{
    static char bytes[WIRE_MESSAGE_BYTES_MAX];

    while (size > 0) {
        ssize_t got = read(fd, bytes, size);

        if (got <= 0)
            _exit(0);
        size -= (size_t)got;
    }
}

static void write_whole(int fd, size_t size)
{
    static const char bytes[WIRE_MESSAGE_BYTES_MAX];

    if (write(fd, bytes, size) != (ssize_t)size)
        _exit(1);
}

/* A child that answers requests over two pipes. */
struct partner {
    int requests_fd, replies_fd;
    pid_t pid;
};

static struct partner start_partner(size_t request_bytes, size_t reply_bytes)
{
    int requests[2], replies[2];
    pid_t pid;

    if (pipe(requests) < 0 || pipe(replies) < 0 || (pid = fork()) < 0)
        bench_refuse("turn: no pipes or no process");
    if (pid == 0) {
        close(requests[1]);
        for (;;) {
            read_whole(requests[0], request_bytes);
            write_whole(replies[1], reply_bytes);
        }
    }
    close(requests[0]);
    close(replies[1]);
    return (struct partner){.requests_fd = requests[1], .replies_fd = replies[0], .pid = pid};
}

static void end_partner(const struct partner *partner)
{
    close(partner->requests_fd);
    close(partner->replies_fd);
    kill(partner->pid, SIGKILL); /* a later partner holds the other end of its pipe */
    waitpid(partner->pid, NULL, 0);
}

/*
 * Returns the microseconds for sending a request of that size to one of the children, which take
 * turns, and receiving its reply, with blocking calls.
 */
static double raw_trip_us(size_t request_bytes, size_t reply_bytes, int partner_count)
{
    struct partner partners[PARTNERS_MAX];
    int64_t start_us;

    for (int i = 0; i < partner_count; i++)
        partners[i] = start_partner(request_bytes, reply_bytes);
    start_us = bench_now_us();
    for (int i = 0; i < RAW_TRIPS; i++) {
        write_whole(partners[i % partner_count].requests_fd, request_bytes);
        read_whole(partners[i % partner_count].replies_fd, reply_bytes);
    }
    start_us = bench_now_us() - start_us;
    for (int i = 0; i < partner_count; i++)
        end_partner(&partners[i]);
    return (double)start_us / RAW_TRIPS;
}

/* Returns the lower quartile, because other work on the machine can only add time. */
static double quartile(double values[static ROUNDS])
{
    return bench_quantile(values, ROUNDS, 250);
}

int bench_turn(char **argv, bool few)
{
    double arena_us[ROUNDS], frozen_us[ROUNDS], raw_us[ROUNDS], two_us[ROUNDS], delay_us = 0;
    struct bench_charges charges = {0};
    struct sandbox *sandbox;
    struct sandbox_failure failure;
    struct source source;
    char error[SOURCE_ERROR_BYTES];
    struct stage *stage = stage_create(NULL);

    (void)few;
    bench_read_options(argv, (const struct bench_option[]){{NULL}});
    if (!stage || sandbox_create(&sandbox, &(struct sandbox_options){.require = SANDBOX_TIER_LITE},
                                 &failure) < 0)
        bench_refuse("turn: bots cannot be confined here");
    if (source_open(&source, BENCH_BINARY_DIR "/tests/bots/bench_zero", stage->path, 0,
                    &(struct source_options){.sandbox = sandbox}, error) < 0)
        bench_refuse("turn: %s", error);
    for (int i = 0; i < ROUNDS; i++) {
        struct series series = {.source = &source};
        struct series frozen = {.source = &source};
        size_t request_bytes, reply_bytes;

        arena_us[i] = play_series(&series, sandbox, false);
        request_bytes = (size_t)(series.request_bytes / series.bot_decisions);
        reply_bytes = (size_t)(series.reply_bytes / series.bot_decisions);
        raw_us[i] = raw_trip_us(request_bytes, reply_bytes, 1);
        two_us[i] = raw_trip_us(request_bytes, reply_bytes, 2);
        frozen_us[i] = play_series(&frozen, sandbox, true);
        bench_charges_clear(&charges);
        charges = series.charges; /* the last ones stay */
        bench_charges_clear(&frozen.charges);
    }
    source_close(&source);
    stage_destroy(stage);
    sandbox_destroy(sandbox);
    bench_figure("turn.overhead", quartile(arena_us), "us", quartile(raw_us));
    bench_figure("turn.two", quartile(two_us), "us", quartile(raw_us));
    bench_figure("turn.freeze", quartile(frozen_us), "us", quartile(arena_us));
    for (size_t decision = 0; decision < charges.count; decision++)
        delay_us += charges.delay_us[decision] / (double)charges.count;
    bench_figure("turn.delay", delay_us, "us", 0);
    bench_charges_figures(&charges, "turn", 0);
    return 0;
}
