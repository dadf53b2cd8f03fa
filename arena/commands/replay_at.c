#include "arena/commands/replay_at.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/commands.h"
#include "arena/play/source.h"
#include "arena/play/stop.h"
#include "arena/replay/forfeit_text.h"
#include "arena/replay/json.h"
#include "arena/replay/plain_text.h"
#include "arena/trial/rerun.h"

/* ---- during the rerun ---- */

/* With --no-limits, copies its standard error to ours as it arrives. */
static void copy_errors(struct bot *bot, const char *bytes, size_t size)
{
    (void)bot;
    while (size > 0) {
        ssize_t put = write(STDERR_FILENO, bytes, size);

        if (put <= 0)
            return;
        bytes += put;
        size -= (size_t)put;
    }
}

/* Waits for the user to attach a debugger, if standard input is a terminal. */
static void wait_for_author(const struct rerun *rerun, const struct talk *talk)
{
    struct pollfd waits[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                             {.fd = stop_open(), .events = POLLIN}};
    char keys[256];
    ssize_t got;

    (void)rerun;
    fprintf(stderr, "arena: the bot has PID %d; its next request is the one asked for\n",
            (int)talk->bot.child.pid);
    if (isatty(STDIN_FILENO))
        fputs("arena: press Enter to send it\n", stderr);
    while (isatty(STDIN_FILENO)) {
        if (poll(waits, 2, -1) < 0)
            continue;
        if (waits[1].revents)
            break; /* the loop handles the stop */
        got = read(STDIN_FILENO, keys, sizeof keys);
        if (got <= 0 || memchr(keys, '\n', (size_t)got))
            break;
    }
    if (waits[1].fd >= 0)
        close(waits[1].fd);
}

/* ---- the result ---- */

/* Returns the recorded action of turn; NULL if there is none or it was a stand-in's. */
static const struct action *recorded_action(const struct rerun *rerun)
{
    const struct replay_decision *decision;

    if (rerun->turn < 0 || rerun->turn >= (int64_t)rerun->replay->decision_count)
        return NULL;
    decision = &rerun->replay->decisions[rerun->turn];
    return decision->by_arena ? NULL : &decision->action;
}

static bool is_same_bot(const struct rerun *rerun)
{
    return strcmp(rerun->source->sha256, rerun->replay->bots[rerun->seat].sha256) == 0;
}

/* True if the bytes sent equal those in the recorded forfeit. */
static bool is_same_request(const struct rerun *rerun, const struct forfeit *recorded)
{
    struct forfeit_whole whole;
    size_t kept_bytes;

    free(forfeit_keep(rerun->request, rerun->request_bytes, &kept_bytes, &whole));
    return whole.bytes == recorded->request_whole.bytes &&
           memcmp(whole.sha256, recorded->request_whole.sha256, sizeof whole.sha256) == 0;
}

static void print_action(const char *what, const struct action *action)
{
    json_t *json = replay_json_action(*action);
    char *text = json_dumps(json, JSON_ENCODE_ANY);

    plain_text_printf(stdout, "%s%s", what, text);
    free(text);
    json_decref(json);
}

static void print_ms(const char *before, int64_t us)
{
    plain_text_printf(stdout, "%s%" PRId64 ".%" PRId64 " ms", before, us / 1000, us % 1000 / 100);
}

static void print_request(const struct rerun *rerun, const struct forfeit *recorded)
{
    if (rerun->request_bytes == 0)
        return;
    printf("  asked    %zu bytes", rerun->request_bytes);
    if (!recorded)
        puts("");
    else if (is_same_request(rerun, recorded))
        puts(", the same as then");
    else
        puts(", which are not those of then");
}

static void print_answer(const struct rerun *rerun)
{
    const struct action *recorded = recorded_action(rerun);

    if (rerun->turn == FORFEIT_NOT_KNOWN)
        fputs("  answers  ready", stdout);
    else
        print_action("  answers  ", &rerun->action);
    print_ms(" after ", rerun->us);
    if (rerun->no_limits)
        puts(", without limit");
    else {
        print_ms(" of ", rerun->limit_us);
        puts("");
    }
    if (recorded) {
        print_action("  record   ", recorded);
        puts(action_compare(*recorded, rerun->action) == 0 ? ", the same" : ", another");
    }
}

static void print_text(const struct rerun *rerun, const struct forfeit *recorded)
{
    const char *name = rerun->replay->bots[rerun->seat].name;

    char *plain = plain_text(name);

    plain_text_printf(stdout, "match %s, seat %d, %s, ", rerun->replay->terms.id, rerun->seat,
                      plain ? plain : "?");
    free(plain);
    if (rerun->turn == FORFEIT_NOT_KNOWN)
        puts("hello");
    else
        printf("turn %" PRId64 "\n", rerun->turn);
    if (!is_same_bot(rerun))
        puts("  note     this is not the package that played then: its SHA-256 is different");
    if (rerun_memory_bytes(rerun) < rerun->replay->memory_bytes)
        plain_text_printf(stdout,
                          "  note     it has %lld MiB of memory here, and had %lld MiB in the "
                          "match: use --memory %lld\n",
                          (long long)(rerun_memory_bytes(rerun) >> 20),
                          (long long)(rerun->replay->memory_bytes >> 20),
                          (long long)(rerun->replay->memory_bytes >> 20));
    if (rerun->answer_count > 0)
        printf("  before   asked %zu times, answered as then %zu times\n", rerun->answer_count,
               rerun->equal_count);
    print_request(rerun, recorded);
    if (rerun->outcome == RERUN_ANSWERED)
        print_answer(rerun);
    else
        forfeit_text_print(stdout, rerun->forfeit, rerun->seat, name, NULL);
    if (recorded)
        plain_text_printf(stdout, "  record   in the match it was out at this turn: %s: %s\n",
                          wire_reason_name(recorded->reason), recorded->words);
}

static void print_json(const struct rerun *rerun, const struct forfeit *recorded)
{
    const struct action *then = recorded_action(rerun);
    bool asked = rerun->request_bytes > 0;
    bool answered = rerun->outcome == RERUN_ANSWERED;
    json_t *json = json_pack(
        "{s:s, s:o, s:i, s:b, s:{s:I, s:I}, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "match",
        rerun->replay->terms.id, "turn",
        rerun->turn == FORFEIT_NOT_KNOWN ? json_string("hello") : json_integer(rerun->turn), "seat",
        rerun->seat, "same_bot", is_same_bot(rerun), "before", "asked",
        (json_int_t)rerun->answer_count, "same", (json_int_t)rerun->equal_count, "request",
        asked ? replay_json_hex(rerun->request, rerun->request_bytes) : json_null(), "same_request",
        asked && recorded ? json_boolean(is_same_request(rerun, recorded)) : json_null(),
        "limit_us", rerun->no_limits || !asked ? json_null() : json_integer(rerun->limit_us), "us",
        answered ? json_integer(rerun->us) : json_null(), "action",
        answered && rerun->turn >= 0 ? replay_json_action(rerun->action) : json_null(), "recorded",
        then ? replay_json_action(*then) : json_null(), "forfeit",
        replay_json_forfeit(rerun->forfeit, NULL), "recorded_forfeit",
        replay_json_forfeit(recorded, NULL));
    char *text = json_dumps(json, JSON_COMPACT);

    puts(text);
    free(text);
    json_decref(json);
}

static int report(const struct rerun *rerun, const struct replay_at *wanted, const char *path)
{
    const struct forfeit *recorded =
        rerun_recorded_forfeit(rerun->replay, rerun->seat, rerun->turn);

    if (rerun->outcome == RERUN_BROKEN && rerun->failure.error == EINTR)
        return command_fail("stopped before the bot was asked, or had answered");
    if (rerun->outcome == RERUN_BROKEN && rerun->failure.step)
        return command_fail("the bot could not be run: %s: %s", rerun->failure.step,
                            strerror(rerun->failure.error));
    if (rerun->outcome == RERUN_BROKEN)
        return command_fail("%s: %s", path, *rerun->error ? rerun->error : strerror(ENOMEM));
    if (wanted->json)
        print_json(rerun, recorded);
    else
        print_text(rerun, recorded);
    if (recorded && rerun->request_bytes > 0 && !is_same_request(rerun, recorded))
        return command_fail("%s: the bytes sent are not those of the record", path);
    return COMMAND_DONE;
}

/* ---- the command ---- */

static int open_and_run(struct rerun *rerun, const struct replay_at *wanted, const char *path)
{
    struct sandbox *sandbox = NULL;
    struct source source = {0};
    struct stage *stage;
    struct play_options play = wanted->play;
    int result = play_options_open_sandbox(&play, 1, &sandbox);

    if (result != COMMAND_DONE)
        return result;
    result = bot_argument_stage(&stage, sandbox);
    if (result == COMMAND_DONE)
        result = bot_argument_open(&source, wanted->bot, wanted->home, stage->path, 0,
                                   &wanted->play, sandbox);
    if (result == COMMAND_DONE) {
        rerun->source = &source;
        rerun_run(rerun, sandbox);
        result = report(rerun, wanted, path);
    }
    rerun_finish(rerun);
    source_close(&source);
    stage_destroy(stage);
    sandbox_destroy(sandbox);
    return result;
}

int replay_at_run(const struct replay_at *wanted, const struct replay *replay, const char *path)
{
    struct rerun rerun = {.replay = replay,
                          .turn = FORFEIT_NOT_KNOWN,
                          .no_limits = wanted->no_limits,
                          .memory_bytes_max = wanted->play.rules.memory_bytes};
    char error[REPLAY_ERROR_BYTES];
    int64_t seat = -1;

    if (strcmp(wanted->at, "hello") != 0 &&
        !play_options_number(wanted->at, 0, GAME_DECISIONS_MAX, &rerun.turn))
        return command_refuse("--at %s: is neither a turn nor hello", wanted->at);
    if (wanted->seat &&
        !play_options_number(wanted->seat, 0, replay->terms.player_count - 1, &seat))
        return command_refuse("--seat %s: out of range (0..%d)", wanted->seat,
                              replay->terms.player_count - 1);
    rerun.seat = rerun_seat(replay, rerun.turn, (int)seat, error);
    if (rerun.seat < 0)
        return command_refuse("--at %s: %s", wanted->at, error);
    if (wanted->no_limits) {
        rerun.before_fn = wait_for_author;
        rerun.errors_fn = copy_errors;
    }
    return open_and_run(&rerun, wanted, path);
}
