/*
 * `arena trace BOT`: what a bot's author needs when a runtime dies at its start: which
 * system calls it made that a bot is refused, counted, and how it ended.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/trial.h"
#include "arena/play/source.h"
#include "arena/play/stop.h"
#include "arena/replay/plain_text.h"
#include "engine/game.h"
#include "sdk/wire.h"

static const char usage[] =
    "usage: arena trace BOT\n"
    "\n"
    "Runs a bot as in a match, up to its first turn, and prints each system call\n"
    "that it was refused: how often, its name, and the error it got. Most are\n"
    "harmless: runtimes try and go on. The one before a death is worth a look.\n";

enum {
    LIMIT_MS = 10000,
    MESSAGE_COUNT = 2,
};

/* The beginning of a match: hello, and the first turn of a game that is always the same. */
static void pack_opening(uint8_t *buffer, struct trial_message messages[static MESSAGE_COUNT])
{
    static const uint8_t seed[GAME_SEED_BYTES];
    const struct wire_hello hello = {
        .match = "trace",
        .player_count = 2,
        .clock = {.turn_ms = 1000, .bank_ms = 10000, .start_ms = 5000},
    };
    struct action actions[GAME_ACTIONS_MAX];
    struct wire_turn turn = {.actions = actions, .bank_ms = 10000};
    struct game game;
    size_t hello_bytes, turn_bytes;

    game_init(&game, hello.player_count, hello.board, seed);
    game_view(&game, &turn.state);
    turn.action_count = game_legal_actions(&game, actions);
    hello_bytes = wire_pack_hello(buffer, WIRE_MESSAGE_BYTES_MAX, &hello);
    turn_bytes = wire_pack_turn(buffer + hello_bytes, WIRE_MESSAGE_BYTES_MAX, &turn);
    messages[0] = (struct trial_message){.bytes = buffer, .size = hello_bytes};
    messages[1] = (struct trial_message){.bytes = buffer + hello_bytes, .size = turn_bytes};
}

static void print_trial(const struct trial *trial)
{
    char end[256];

    for (size_t i = 0; i < trial->refusal_count && i < TRIAL_REFUSALS_MAX; i++) {
        const struct sandbox_refusal *refusal = &trial->refusals[i];

        plain_text_printf(stdout, "%6u  %-20s  %s\n", refusal->count,
                          refusal->call ? refusal->call : "unknown call",
                          strerrorname_np(refusal->error));
    }
    if (trial->refusal_count == 0)
        puts("no call was refused");
    trial_describe(trial, end, sizeof end);
    plain_text_printf(stdout, "answered %d of %d messages; %s; %.3f s of processor time\n",
                      trial->answered_count, MESSAGE_COUNT, end,
                      (double)trial->verdict.cpu_us / 1e6);
    if (trial->errors[0]) {
        puts("standard error:");
        plain_text_print_lines(stdout, trial->errors, strlen(trial->errors));
    }
}

static int trace_source(struct sandbox *sandbox, const struct source *source)
{
    const struct sandbox_command command = {
        .folder = source->folder,
        .argv = (const char *const *)source->manifest.run,
        .executable_fd = -1,
        .cpu = -1,
        .name = source->manifest.name,
        .limits = {.memory_bytes = source->memory_bytes,
                   .process_count = source->manifest.process_count},
        .trace = true,
    };
    static uint8_t buffer[2 * WIRE_MESSAGE_BYTES_MAX];
    struct trial_message messages[MESSAGE_COUNT];
    struct trial trial;

    pack_opening(buffer, messages);
    if (trial_run(sandbox, &command, messages, MESSAGE_COUNT, LIMIT_MS, &trial) < 0)
        return command_fail("the bot could not be confined: %s: %s", trial.failure.step,
                            strerror(trial.failure.error));
    if (stop_is_asked())
        return command_fail("stopped before the trace was over");
    print_trial(&trial);
    return COMMAND_DONE;
}

static int trace_path(struct sandbox *sandbox, const char *path)
{
    char *stage;
    struct source source;
    int status = bot_argument_stage(&stage, sandbox);

    if (status != COMMAND_DONE)
        return status;
    status = bot_argument_copy(&source, path, stage, 0, &play_options_default, sandbox);
    if (status == COMMAND_DONE) {
        status = trace_source(sandbox, &source);
        source_close(&source);
    }
    source_stage_destroy(stage);
    return status;
}

static int run(const char *path)
{
    const struct sandbox_options options = {.require = SANDBOX_TIER_LITE,
                                            .lost_fn = command_tell_lost};
    struct sandbox_failure failure = {0};
    struct sandbox *sandbox;
    int status;

    if (sandbox_create(&sandbox, &options, &failure) < 0)
        return command_fail("the sandbox cannot be prepared: %s: %s: `arena doctor` tells more",
                            failure.step, strerror(failure.error));
    stop_hold();
    status = trace_path(sandbox, path);
    sandbox_destroy(sandbox);
    return status;
}

int command_trace(int argc, char **argv)
{
    const struct plain_option none[] = {{.name = NULL}};
    int status;

    if (!plain_options_read(argc, argv, none, usage, NULL, &status))
        return status;
    if (optind + 1 != argc)
        return command_refuse("trace: name one bot: see `arena trace --help`");
    return run(argv[optind]);
}
