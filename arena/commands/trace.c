/* SPDX-License-Identifier: MIT */
/*
 * arena check --trace: for authors whose bot fails at its start. Counts the system calls of the bot
 * that the sandbox refused, and shows how the bot ended.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/commands.h"
#include "arena/commands/probe.h"
#include "arena/play/match.h"
#include "arena/play/source.h"
#include "arena/play/foreground.h"
#include "arena/base/plain_text.h"
#include "engine/draw.h"
#include "engine/game.h"
#include "sdk/wire.h"

enum {
    LIMIT_MS = 10000,     /* time limit for the hello and the first turn */
    TURN_LIMIT_MS = 2000, /* time added for each further turn */
};

/* The messages for the bot: a hello, and the turns of a fixed game. */
struct opening {
    struct probe_message messages[1 + COMMAND_TRACE_TURNS_MAX];
    int count;
};

/* Adds a copy of a message to the messages for the bot. Returns false if memory runs out. */
static bool add_message(struct opening *opening, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size);

    if (!copy)
        return false;
    memcpy(copy, bytes, size);
    opening->messages[opening->count++] = (struct probe_message){.bytes = copy, .size = size};
    return true;
}

static void free_opening(struct opening *opening)
{
    for (int i = 0; i < opening->count; i++)
        free((void *)opening->messages[i].bytes);
}

/* Plays a random action for a seat. The answers of the bot are not used. */
static void play_by_chance(struct match *match, int seat, uint64_t *random)
{
    const struct match_times times = {0};
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(&match->game, actions);
    const struct wire_act act = {.turn = (int64_t)match->decision_count,
                                 .kind = WIRE_ACT_ACTION,
                                 .action = actions[draw_below(draw_next(random), (uint32_t)count)]};
    enum wire_reason reason;

    match_answer(match, seat, &act, &times, &reason);
}

/*
 * Makes the messages for the bot: the hello and the first turns of seat 0. Returns false if memory
 * runs out.
 */
static bool fill_opening(struct opening *opening, struct match *match, int turns)
{
    static uint8_t buffer[WIRE_MESSAGE_BYTES_MAX];
    uint64_t random = 1;
    bool kept;
    int seat;

    kept = add_message(opening, buffer, match_pack_hello(match, 0, buffer));
    for (seat = 0; seat < match->terms.player_count; seat++)
        match_ready(match, seat, seat == 0);
    match_begin(match);
    while (kept && opening->count <= turns && (seat = match_next(match)) != GAME_NOBODY) {
        if (seat == 0)
            kept = add_message(opening, buffer, match_pack_request(match, 0, NULL, buffer));
        play_by_chance(match, seat, &random);
    }
    return kept;
}

static bool make_opening(struct opening *opening, int turns)
{
    const struct match_terms terms = {
        .id = "trace",
        .player_count = 2,
        .clock = CLOCK_DEFAULT,
    };
    static struct match match; /* static, because a match is too large for the stack */
    bool made;

    *opening = (struct opening){.count = 0};
    match_init(&match, &terms);
    made = fill_opening(opening, &match, turns);
    match_finish(&match);
    return made;
}

static void print_probe(const struct probe *probe, int message_count)
{
    char end[256];

    for (size_t i = 0; i < probe->refusal_count && i < PROBE_REFUSALS_MAX; i++) {
        const struct sandbox_refusal *refusal = &probe->refusals[i];

        plain_text_printf(stdout, "%6u  %-20s  %s\n", refusal->count,
                          refusal->call ? refusal->call : "unknown call",
                          strerrorname_np(refusal->error));
    }
    if (probe->refusal_count == 0)
        puts("no call was refused");
    probe_describe(probe, end, sizeof end);
    plain_text_printf(stdout, "answered %d of %d message%s; %s; %.3f s of processor time\n",
                      probe->answered_count, message_count, plain_text_s(message_count), end,
                      (double)probe->verdict.cpu_us / 1e6);
    if (probe->verdict.end == SANDBOX_END_MEMORY)
        puts("let the bot use less memory, or allow more with --memory MIB");
    if (probe->errors[0]) {
        puts("standard error:");
        plain_text_print_lines(stdout, probe->errors, strlen(probe->errors));
    }
}

static int trace_source(struct sandbox *sandbox, const struct source *source,
                        struct play_options *play, int turns)
{
    const struct sandbox_command command = {
        .folder = source->folder,
        .argv = (const char *const *)source->manifest.run,
        .executable_fd = -1,
        .cpu = -1,
        .name = source->manifest.name,
        .limits = {.memory_bytes = play->rules.memory_bytes,
                   .process_count = source->manifest.process_count},
        .trace = true,
    };
    struct opening opening;
    struct probe probe;
    int status = COMMAND_DONE;

    if (!make_opening(&opening, turns)) {
        status = command_fail("out of memory");
    } else if (probe_run(sandbox, &command, opening.messages, opening.count,
                         LIMIT_MS + turns * TURN_LIMIT_MS, &probe) < 0) {
        status = command_fail("the bot could not be confined: %s: %s", probe.failure.step,
                              strerror(probe.failure.error));
    } else if (stop_is_asked()) {
        status = command_fail("the trace was stopped before its end");
    } else {
        print_probe(&probe, opening.count);
    }
    free_opening(&opening);
    return status;
}

int command_trace(const char *bot, struct play_options *play, int turns)
{
    struct bot_room room = {.sandbox = NULL};
    struct source source = {0};
    int status = bot_room_open(&room, play)
                     ?: bot_argument_copy(&source, bot, &room, 0, play)
                     ?: trace_source(room.sandbox, &source, play, turns);

    source_close(&source);
    bot_room_close(&room);
    return status;
}
